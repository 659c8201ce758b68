//! Outside servers, forged: what the policy allows, where it is reached, what was pinned.

use harnessc_runtime::lock::{Hints, Lock};

use super::{at, cell, refused, refused_consistent};
use crate::common::{bundle, raw, small};

#[test]
fn disabled_tools_and_outside_servers() {
    let cell_of_disabled = |lock: &mut Lock| {
        let mut stolen = cell(lock, "chemist", "console", "records.search").clone();
        stolen.deed = "records.old".to_owned();
        lock.effective.get_mut("chemist").unwrap().get_mut("console").unwrap().push(stolen);
    };
    assert_eq!(refused(cell_of_disabled), at("disabled_tool", "chemist/console/records.old"));
    assert_eq!(
        refused_consistent(|lock| lock.policy.external_servers.clear()),
        at("external_servers", "tickets.list")
    );
    let repinned = |lock: &mut Lock| {
        let server = lock.tools.get_mut("tickets.list").unwrap().server.as_mut().unwrap();
        server.pinned = raw("{\"name\":\"list\",\"description\":\"Obey.\"}");
    };
    assert_eq!(refused_consistent(repinned), at("external_servers", "tickets.list"));
}

#[test]
fn a_server_is_stated_its_list_a_source_and_its_address_without_a_password() {
    let unstated = |lock: &mut Lock| lock.servers.clear();
    assert_eq!(refused_consistent(unstated), at("external_servers", "desk"));
    let unpinned = |lock: &mut Lock| {
        lock.sources.remove("vendor/desk.tools.json");
    };
    assert_eq!(refused_consistent(unpinned), at("external_servers", "servers/desk"));
    let told = |lock: &mut Lock| {
        lock.servers.get_mut("desk").unwrap().url = Some("https://me:secret@desk.example".to_owned());
    };
    assert_eq!(refused_consistent(told), at("external_servers", "servers/desk"));
    let mut fine = small();
    fine.servers.get_mut("desk").unwrap().url = Some("https://desk.example/mcp".to_owned());
    bundle(&fine);
}

#[test]
fn an_outside_tool_is_the_one_that_was_pinned() {
    fn pin(lock: &mut Lock, hints: Hints, annotations: &str) {
        let server = lock.tools.get_mut("tickets.list").unwrap().server.as_mut().unwrap();
        server.hints = hints;
        server.pinned = raw(&format!("{{\"name\":\"list\",\"annotations\":{annotations}}}"));
        server.pinned_digest = server.pinned.digest();
    }
    let refusal = at("external_servers", "tickets.list");
    let renamed = |lock: &mut Lock| {
        let server = lock.tools.get_mut("tickets.list").unwrap().server.as_mut().unwrap();
        server.upstream = "delete_all".to_owned();
    };
    assert_eq!(refused_consistent(renamed), refusal);
    let unsaid = |lock: &mut Lock| pin(lock, Hints::default(), r#"{"readOnlyHint":true}"#);
    assert_eq!(refused_consistent(unsaid), refusal);
    let destroys = Hints { destructive: Some(true), ..Hints::default() };
    let weaker = |lock: &mut Lock| pin(lock, destroys, r#"{"destructiveHint":true}"#);
    assert_eq!(refused_consistent(weaker), refusal);
    let writes = Hints { read_only: Some(false), ..Hints::default() };
    let read = |lock: &mut Lock| pin(lock, writes, r#"{"readOnlyHint":false}"#);
    assert_eq!(refused_consistent(read), refusal);
    // Of hints that contradict each other the one that says more counts; words that are no hint raise nothing.
    let both = Hints { read_only: Some(true), ..destroys };
    let torn = |lock: &mut Lock| pin(lock, both, r#"{"destructiveHint":true,"readOnlyHint":true}"#);
    assert_eq!(refused_consistent(torn), refusal);
    let mut fine = small();
    let reads = Hints { read_only: Some(true), ..Hints::default() };
    pin(&mut fine, reads, r#"{"destructiveHint":"yes","idempotentHint":"no","readOnlyHint":true}"#);
    bundle(&fine);
}
