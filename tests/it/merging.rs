//! Two branches that each change the policy, merged with git: what docs/merging.md says is what happens.

use std::process::{Command, Output};

use harnessc_runtime::load::{self, Held, Signers, Trust};

use crate::cli_common::Scratch;

/// What `docs/merging.md` tells a tree to state; nothing of the tree's own settings has a say.
const ATTRIBUTES: &str = "harness.lock     -text merge=binary\nharness.lock.sig -text merge=binary\n";

/// The small tree in a repository of its own, its lock built and committed.
pub(crate) struct Repository(pub(crate) Scratch);

impl Repository {
    pub(crate) fn new(attributes: &str) -> Self {
        let repository = Self(Scratch::small());
        repository.0.write(".gitattributes", attributes);
        repository.0.edit("harness.toml", "harnesses = 2\n", "harnesses = 2\ntools = 4\n");
        repository.git(&["init", "-q", "-b", "main"]);
        repository.built("The desk");
        repository
    }

    /// Git without the machine's settings; whatever it comes to.
    pub(crate) fn try_git(&self, arguments: &[&str]) -> Output {
        let mut git = Command::new("git");
        for (name, value) in [
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_SYSTEM", "/dev/null"),
            ("GIT_AUTHOR_NAME", "Lead"),
            ("GIT_AUTHOR_EMAIL", "lead@desk.example"),
            ("GIT_COMMITTER_NAME", "Lead"),
            ("GIT_COMMITTER_EMAIL", "lead@desk.example"),
            ("LC_ALL", "C"),
        ] {
            git.env(name, value);
        }
        git.args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = self.try_git(arguments);
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn commit(&self, subject: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", subject]);
    }

    fn built(&self, subject: &str) {
        self.run(&["build"], 0);
        self.commit(subject);
    }

    /// The binary, with a way to git.
    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.0.command(arguments).env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap()
    }

    /// What the binary says, ending as expected.
    pub(crate) fn run(&self, arguments: &[&str], code: i32) -> String {
        let output = self.output(arguments);
        let said = self.0.said(&arguments.join(" "), &output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        said
    }

    /// A branch off main that adds a tool in a file of its own, built and committed.
    fn adds_a_tool(&self, name: &str) {
        self.git(&["checkout", "-q", "-b", name, "main"]);
        self.0.write(&format!("tools/{name}.yaml"), &tool(name));
        self.0.edit("harness.toml", "tools = 4", "tools = 5");
        let (old, new) = match name {
            "count" => ("reading: [tickets.search]", "reading: [tickets.search, tickets.count]"),
            _ => ("harness: none, bundle: [", "harness: none, bundle: [tickets.watch, "),
        };
        self.0.edit("policies/people.yaml", old, new);
    }
}

fn tool(name: &str) -> String {
    format!(
        "tools:\n  tickets.{name}:\n    title: {name} tickets\n    description: Says how many there are.\n    effect: read\n    \
         input: {{properties: {{ticket_id: id}}}}\n    returns: structured\n    output: {{properties: {{many: {{type: integer, minimum: 0, maximum: 9}}}}}}\n"
    )
}

/// Main holds the release of the first branch, the second one is merged into it; the tree's texts merge on their own.
fn merged(attributes: &str) -> Repository {
    let repository = Repository::new(attributes);
    for name in ["count", "watch"] {
        repository.adds_a_tool(name);
        repository.run(&["release", "--base", "main"], 0);
        repository.commit(&format!("Add tickets.{name}"));
    }
    repository.git(&["checkout", "-q", "main"]);
    repository.git(&["merge", "-q", "--ff-only", "count"]);
    let output = repository.try_git(&["merge", "-q", "watch"]);
    assert_eq!(output.status.code(), Some(1), "the locks conflict");
    repository
}

/// The revision of a lock for a runtime that holds another one.
fn after(held: &[u8], next: &[u8]) -> Result<u64, &'static str> {
    let held = load::read(held).unwrap();
    let held = Held { digest: held.digest, revision: held.lock.revision };
    let trust = Trust {
        allow_gap: false,
        environment: Some("test".to_owned()),
        policy: "desk".to_owned(),
        signers: Signers::Unsigned,
    };
    load::load(next, &trust, Some(&held)).map(|loaded| loaded.lock.revision).map_err(|error| error.code())
}

#[test]
fn two_branches_that_each_add_a_tool_merge_into_one_release() {
    let repository = merged(ATTRIBUTES);
    insta::assert_snapshot!("status", repository.git(&["status", "--short"]));
    // What stands is the first branch's lock, whole; not what the merged sources give.
    let ours = repository.git(&["show", "HEAD:harness.lock"]);
    assert_eq!(repository.0.read("harness.lock"), ours.as_bytes());
    // Each side counted its own tool: the same edit twice, which git takes for one.
    insta::assert_snapshot!("count", repository.run(&["check"], 1));
    assert!(
        repository.run(&["release", "--base", "HEAD"], 1).contains("nothing is released while findings deny")
    );
    repository.0.edit("harness.toml", "tools = 5", "tools = 6");
    insta::assert_snapshot!("check", repository.run(&["check"], 0));
    insta::assert_snapshot!("locked", repository.run(&["build", "--locked"], 1));
    // A plain build would make a second revision 2, which a runtime that holds the first refuses.
    repository.run(&["build"], 0);
    assert_eq!(after(ours.as_bytes(), &repository.0.read("harness.lock")), Err("revision_fork"));
    insta::assert_snapshot!(
        "release",
        repository.run(&["release", "--base", "HEAD", "--base", "MERGE_HEAD"], 0)
    );
    repository.run(&["build", "--locked"], 0);
    repository.run(&["verify", "harness.lock"], 0);
    repository.commit("Merge branch 'watch'");
    let merged = repository.0.read("harness.lock");
    assert_eq!(after(ours.as_bytes(), &merged), Ok(3));
    let tools = load::read(&merged).unwrap().lock.tools;
    assert!(tools.contains_key("tickets.count") && tools.contains_key("tickets.watch"));
}

#[test]
fn merged_as_text_the_lock_is_no_lock_until_it_is_built_anew() {
    let repository = merged("harness.lock -text\n");
    let text = String::from_utf8(repository.0.read("harness.lock")).unwrap();
    assert!(text.starts_with("<<<<<<< "), "line 1 differs on both sides, so no two locks merge unnoticed");
    repository.0.edit("harness.toml", "tools = 5", "tools = 6");
    insta::assert_snapshot!("text_locked", repository.run(&["build", "--locked"], 1));
    repository.run(&["release", "--base", "HEAD", "--base", "MERGE_HEAD"], 0);
    repository.run(&["build", "--locked"], 0);
}

#[test]
fn a_merge_without_a_conflict_may_leave_a_stale_lock() {
    let repository = Repository::new(ATTRIBUTES);
    // One branch builds, the other forgets to.
    repository.adds_a_tool("count");
    repository.built("Add tickets.count");
    repository.adds_a_tool("watch");
    repository.commit("Add tickets.watch");
    repository.git(&["checkout", "-q", "count"]);
    repository.git(&["merge", "-q", "--no-edit", "watch"]);
    assert_eq!(repository.git(&["status", "--short"]), "");
    repository.0.edit("harness.toml", "tools = 5", "tools = 6");
    repository.run(&["check"], 0);
    insta::assert_snapshot!("stale", repository.run(&["build", "--locked"], 1));
    repository.run(&["release", "--base", "main"], 0);
    repository.run(&["build", "--locked"], 0);
}
