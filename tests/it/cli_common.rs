//! A small tree on disk, and the built binary run over it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const MANIFEST: &str = r#"[policy]
name = "desk"
prompt_version = "v1"
environment = "test"

[expect]
harnesses = 2
"#;

const TOOLS: &str = r#"types: {id: {type: string, pattern: "^[A-Z]+-[0-9]+$", maxLength: 20}}
run: {ticket_id: id}
bind: {ticket_id: run.ticket_id}
tools:
  tickets.search:
    title: Search tickets
    description: Find tickets by field; returns their ids.
    effect: read
    input: {properties: {ticket_id: id, kind: [bug, request]}}
    returns: structured
    output: {properties: {tickets: {type: array, maxItems: 20, items: id}}}
  tickets.read_mail:
    title: Read a mail
    description: The customer's own words.
    effect: read
    input: {properties: {ticket_id: id}}
    returns: prose
  tickets.label:
    title: Change a label
    description: Put a label on the ticket or take one off.
    cases: {method: {add: {effect: create, undo: [{by: tickets.label/drop}]}, drop: {effect: write, undo: [snapshot]}}}
    input: {properties: {ticket_id: id, method: [add, drop], label: [urgent, waiting]}}
    returns: none
  tickets.close:
    title: Close a ticket
    description: Close the ticket with a reply to the customer.
    effect: write
    approval: four_eyes
    undo: [snapshot]
    input: {properties: {ticket_id: id, reply: {type: string, maxLength: 2000}}}
    returns: none
"#;

const PEOPLE: &str = r"personas:
  agent: {title: Agent, bundle: [{toolset: reading}, tickets.read_mail, tickets.label]}
  lead: {title: Lead, bundle: [{toolset: reading}, tickets.read_mail, tickets.label, tickets.close]}
  guest: {title: Guest, harness: none, bundle: [{toolset: reading}]}
roles:
  desk: {tools: harness_toolset}
  review: {tools: harness_toolset, effects: [read]}
  reader: {reads_untrusted: true, tools: [tickets.read_mail]}
toolsets: {reading: [tickets.search]}
approvals:
  approvers: {confirm: [agent, lead], four_eyes: [lead], tools: {tickets.label: [agent]}}
  max_actions_per_run: 4
refusals:
  no_sending: {line: You never send anything yourself., forbidden_verbs: [send], forms: {send: [sent]}}
prompt: {order: [refusals, harness, status], volatile: [status]}
";

const TRIAGER: &str = r"harnesses:
  triager:
    title: Triager
    personas: [agent]
    prompt_ref: harness/triager.txt
    toolset:
      - {tool: tickets.search, only: {kind: [bug]}}
      - tickets.read_mail
      - {tool: tickets.label, cases: [add]}
";

const CLOSER: &str = r"harnesses:
  closer:
    title: Ticket closer
    personas: [lead]
    prompt_ref: harness/closer.txt
    toolset: persona_bundle
";

/// The files of the small tree: no rule finds anything in it.
const FILES: &[(&str, &str)] = &[
    ("harness.toml", MANIFEST),
    ("tools/tickets.yaml", TOOLS),
    ("policies/people.yaml", PEOPLE),
    ("harnesses/triager.yaml", TRIAGER),
    ("harnesses/closer.yaml", CLOSER),
    ("prompts/v1/refusals.txt", "- You never send anything yourself.\n"),
    ("prompts/v1/harness/triager.txt", "Sort new tickets by what they need.\n"),
    ("prompts/v1/harness/closer.txt", "Close what is done.\n"),
];

/// A tree in a folder of its own.
pub(crate) struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// The small tree.
    pub(crate) fn small() -> Self {
        let scratch = Self::empty();
        for (path, text) in FILES {
            scratch.write(path, text);
        }
        scratch
    }

    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.at(path)).unwrap()
    }

    /// Replaces `old`, which stands exactly once in the file.
    pub(crate) fn edit(&self, path: &str, old: &str, new: &str) {
        let text = String::from_utf8(self.read(path)).unwrap();
        assert_eq!(text.matches(old).count(), 1, "`{old}` in {path}");
        fs::write(self.at(path), text.replace(old, new)).unwrap();
    }

    /// The binary, run in this folder, its environment bare.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_harnessc"));
        command.args(arguments).current_dir(self.path()).env_clear().stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What a run says on both streams, and its exit code; paths of this folder and digests scrubbed.
    pub(crate) fn transcript(&self, arguments: &[&str]) -> String {
        self.said(&arguments.join(" "), &self.run(arguments))
    }

    pub(crate) fn said(&self, title: &str, output: &Output) -> String {
        let out = String::from_utf8(output.stdout.clone()).unwrap();
        let err = String::from_utf8(output.stderr.clone()).unwrap();
        let mut said = format!("$ harnessc {title}\n{out}");
        if !err.is_empty() {
            said += &format!("--- stderr\n{err}");
        }
        said += &format!("--- exit {}\n", output.status.code().unwrap());
        scrubbed(&said.replace(&self.path().display().to_string(), "<tree>"))
    }
}

/// Digests change with every field of the lock; that they are stable is a test of its own.
fn scrubbed(text: &str) -> String {
    let digest = regex::Regex::new("sha256:[0-9a-f]{64}").unwrap();
    digest.replace_all(text, "sha256:<digest>").into_owned()
}
