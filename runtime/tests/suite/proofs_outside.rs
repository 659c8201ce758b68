//! Forged servers: an address that readers take apart in two ways, and an input that travels as a header.

use harnessc_runtime::lock::Lock;
use harnessc_runtime::prove;

use crate::common::{bundle, raw, small};

fn refused_by(lock: &Lock) -> Vec<(&'static str, String)> {
    prove::failures(lock).into_iter().map(|failure| (failure.proof, failure.cell)).collect()
}

#[test]
fn an_address_reads_one_way_and_holds_no_password() {
    for (url, holds) in [
        ("https://desk.example/mcp", true),
        ("https://me:secret@desk.example", false),
        ("https:/me:secret@desk.example", false),
        ("https:///me:secret@desk.example", false),
        ("https:\\\\me:secret@desk.example", false),
        ("https:/desk.example", false),
        ("desk.example/mcp", false),
        ("https://desk.example\\mcp", false),
        ("https://desk\t.example", false),
    ] {
        let mut lock = small();
        lock.servers.get_mut("desk").unwrap().url = Some(url.to_owned());
        let refused = refused_by(&lock);
        let named = refused.contains(&("external_servers", "servers/desk".to_owned()));
        assert_eq!((refused.is_empty(), named), (holds, !holds), "{url:?}: {refused:?}");
    }
}

/// `x-mcp-header` in what clients are shown: no closed schema has the keyword, in any spelling, at any depth.
#[test]
fn no_schema_that_is_shown_asks_for_a_header() {
    for input in [
        r#"{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}},"unevaluatedProperties":false}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","X-MCP-\u0048eader":"A"}},"unevaluatedProperties":false}"#,
        r#"{"type":"object","not":{"x-mcp-header":"A"},"unevaluatedProperties":false}"#,
    ] {
        for outside in ["tickets.list", "records.draft"] {
            let mut lock = small();
            lock.tools.get_mut(outside).unwrap().input = raw(input);
            assert_eq!(refused_by(&lock), [("closed_schemas", outside.to_owned())], "{input}");
        }
        let mut lock = small();
        lock.tools.get_mut("records.search").unwrap().output = Some(raw(input));
        assert_eq!(refused_by(&lock), [("closed_schemas", "records.search".to_owned())], "{input}");
    }
    // A property of that name is one like any other.
    let mut lock = small();
    lock.tools.get_mut("records.draft").unwrap().input = raw(
        r#"{"type":"object","properties":{"x-mcp-header":{"type":"string"}},"unevaluatedProperties":false}"#,
    );
    bundle(&lock);
}
