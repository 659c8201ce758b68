//! The tree that `init` writes: a manifest, a registry of two tools, a harness that holds them.

/// Where the editor's schema of policy files lies, relative to the manifest.
pub const HARNESS_SCHEMA: &str = "schema/harness.schema.json";
/// Where the editor's schema of the manifest lies.
pub const MANIFEST_SCHEMA: &str = "schema/manifest.schema.json";

const MANIFEST: &str = r#"#:schema ./schema/manifest.schema.json
# What this policy is. A runtime that was told to trust another name refuses its lock.

[policy]
name = "NAME"
"#;

const TOOLS: &str = r#"# yaml-language-server: $schema=../schema/harness.schema.json
# The registry: every tool that some agent of ours may be given. Which agent holds which is said in harnesses/.

types:
  task_id: {type: string, pattern: "^T-[0-9]{1,9}$"}

tools:
  tasks.find:
    title: Find tasks
    description: Find open tasks by a word of their title. Returns ids and titles.
    effect: read                # read, create, write or destructive; unsaid, a tool counts as destructive
    unbound: the whole team shares one list of tasks
    input:
      required: [word]
      properties: {word: {type: string, maxLength: 100}}
    returns: structured         # closed when compiled: what is not listed here never reaches an agent
    output:
      properties:
        tasks:
          type: array
          maxItems: 50
          items: {properties: {task_id: task_id, title: {type: string, untrusted_title: true}}}

  tasks.close:
    title: Close a task
    description: Mark a task as done, with the reason that its members will read.
    effect: write               # a write never runs from a call: it waits for the yes of any person who is signed in
    unbound: the whole team shares one list of tasks
    input:
      required: [task_id, reason]
      properties: {task_id: task_id, reason: {type: string, maxLength: 1000}}
    returns: none
"#;

const HARNESS: &str = "# yaml-language-server: $schema=../schema/harness.schema.json
# What an agent wears for one run. It may call the tools named here, and no others.

harnesses:
  assistant:
    title: Assistant
    toolset: [tasks.find, tasks.close]

# Who says that yes: whoever is signed in, until `personas` and `approvals: {approvers: {confirm: [PERSONA]}}` name them.
";

/// The files of a first tree, as paths relative to the manifest and texts. `name` is made of the letters of keys.
///
/// They name the editor's schemas at [`HARNESS_SCHEMA`] and [`MANIFEST_SCHEMA`].
pub fn start(name: &str) -> Vec<(&'static str, String)> {
    vec![
        (crate::tree::MANIFEST, MANIFEST.replace("NAME", name)),
        ("tools/tasks.yaml", TOOLS.to_owned()),
        ("harnesses/assistant.yaml", HARNESS.to_owned()),
    ]
}
