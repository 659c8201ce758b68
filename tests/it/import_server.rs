//! `import mcp -- COMMAND`: servers that answer, that chatter, that fall silent, and programs that are none.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use tempfile::TempDir;

/// A server in a few lines of Python. `MODE` says how it behaves.
const SERVER: &str = r#"
import json, sys, time
mode = sys.argv[1]
def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
def tool(name):
    return {"name": name, "description": "Looks.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
print("starting up", file=sys.stderr, flush=True)
if mode == "banner":
    print("Welcome to the server!", flush=True)
if mode == "dies":
    print("no API key", file=sys.stderr, flush=True)
    sys.exit(3)
if mode == "flood":
    while True:
        print("x" * 100000)
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        assert message["params"]["protocolVersion"] and message["params"]["clientInfo"]["name"] == "harnessc"
        if mode == "talks":
            say(method="notifications/message", params={"level": "info", "data": "hello"})
            say(id=0, method="ping")
            say(id="s-1", method="sampling/createMessage", params={})
            answers = [json.loads(sys.stdin.readline()) for _ in range(2)]
            assert answers[0]["result"] == {} and answers[1]["error"]["code"] == -32601, answers
            print(flush=True)
        say(id=number, result={"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}})
    elif method == "tools/list":
        cursor = message["params"].get("cursor")
        if mode == "refuses":
            say(id=number, error={"code": -32000, "message": "log in first"})
        elif mode == "circles":
            say(id=number, result={"tools": [tool("a")], "nextCursor": "1"})
        elif mode == "pages" and cursor is None:
            say(id=number, result={"tools": [tool("a")], "nextCursor": "1"})
        elif mode == "pages" and cursor == "1":
            say(id=number, result={"tools": [tool("b")]})
        else:
            say(id=number, result={"tools": [tool("a")]})
"#;

struct Server(TempDir);

impl Server {
    /// Nothing where there is no Python to run it.
    fn here() -> Option<Self> {
        let found = Command::new("python3").arg("-c").arg("pass").stdin(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            println!("python3 is not installed: nothing tested");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("server.py"), SERVER).unwrap();
        fs::write(
            folder.path().join("harness.toml"),
            "[policy]\nname = \"shop\"\nexternal_servers = [\"shop\"]\n",
        )
        .unwrap();
        Some(Self(folder))
    }

    /// Exit code and both streams of an import of what the command answers.
    fn import(&self, options: &[&str], command: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_harnessc"))
            .args([&["import", "mcp"], options, &["--"], command].concat())
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn of(&self, mode: &str) -> (i32, String, String) {
        self.import(&["--server", "shop", "--out", "."], &["python3", "server.py", mode])
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).unwrap()
    }
}

#[test]
fn a_server_is_asked_for_all_its_pages_and_left_in_peace() {
    let Some(server) = Server::here() else { return };
    let (code, out, err) = server.of("pages");
    assert_eq!((code, out.as_str()), (0, "wrote vendor/shop.tools.json\nwrote tools/shop.yaml\n"), "{err}");
    assert!(err.contains("publishes 2 tools; the list is pinned as one list"), "{err}");
    assert!(!err.contains("starting up"), "what the server logs is not ours to say: {err}");
    let pinned: serde_json::Value = serde_json::from_str(&server.read("vendor/shop.tools.json")).unwrap();
    assert_eq!(pinned["tools"].as_array().unwrap().len(), 2);
    assert_eq!(server.of("pages").2, "`shop`: nothing moved since the list was pinned\n");
}

#[test]
fn what_else_a_server_says_is_answered_and_passed_over() {
    let Some(server) = Server::here() else { return };
    let (code, _, err) = server.of("talks");
    assert_eq!((code, err.contains("publishes 1 tool; the list is pinned as published")), (0, true), "{err}");
    // Of one page, the result is pinned and not the envelope around it.
    assert!(server.read("vendor/shop.tools.json").starts_with("{\"tools\""));
}

#[test]
fn what_is_no_server_is_refused_with_what_to_do() {
    let Some(server) = Server::here() else { return };
    for (mode, said) in [
        (
            "banner",
            ["no JSON-RPC message: `Welcome to the server!`", "keeps its standard output for messages"],
        ),
        (
            "dies",
            [
                "ended before it answered `initialize`; the last line of its error stream: `no API key`",
                "start it by hand",
            ],
        ),
        ("refuses", ["answered `tools/list` with an error: `log in first`", "environment of this command"]),
        ("circles", ["page 2 names itself as the next one", "has no `nextCursor`"]),
        ("flood", ["is no JSON-RPC message", "standard output"]),
    ] {
        let (code, out, err) = server.of(mode);
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!((code, out.as_str()), (2, ""), "{mode}: {err}");
        assert!(err.starts_with("error: nothing was imported: "), "{mode}: {err}");
        said.iter().for_each(|part| assert!(err.contains(part), "{mode}: {err}"));
    }
    assert!(!server.0.path().join("vendor").exists());
    let (code, _, err) = server.import(&["--server", "shop"], &["./there-is-no-such-program"]);
    let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!((code, err.contains("cannot be started: no such file or directory")), (2, true), "{err}");
    let (code, _, err) = server.import(&[], &["python3", "server.py", "pages"]);
    assert_eq!((code, err.contains("--server KEY")), (2, true), "a command is no server's name: {err}");
}

#[test]
fn a_program_that_stays_is_ended() {
    let Some(server) = Server::here() else { return };
    let stays = "import sys,json,time\nfor line in sys.stdin:\n    m=json.loads(line)\n    if 'id' in m: print(json.dumps({'jsonrpc':'2.0','id':m['id'],'result':{'tools':[]}}),flush=True)\ntime.sleep(600)\n";
    let begun = Instant::now();
    let (code, _, err) = server.import(&["--server", "shop"], &["python3", "-c", stays]);
    assert_eq!(code, 0, "{err}");
    assert!(begun.elapsed().as_secs() < 60, "its input is closed, and after that it is not waited for");
}
