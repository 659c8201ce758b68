//! What is ready for CI: the action, its shell, the hooks, tried without the platform.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::cli_common::Scratch;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The text of each `run:` of the action, a block or one line.
fn shells(action: &str) -> Vec<String> {
    let value: serde_yaml::Value = serde_yaml::from_str(action).unwrap();
    let steps = value["runs"]["steps"].as_sequence().unwrap();
    steps.iter().map(|step| step["run"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn no_value_of_the_platform_is_part_of_a_command() {
    let action = text("action.yml");
    for shell in shells(&action) {
        assert!(!shell.contains("${{"), "{shell}");
    }
    for script in [text("ci/review.sh"), text("ci/comment.sh")] {
        assert!(!script.contains("eval ") && script.contains("set -euo pipefail"));
    }
    let value: serde_yaml::Value = serde_yaml::from_str(&action).unwrap();
    let docs = text("docs/ci.md");
    for (name, input) in value["inputs"].as_mapping().unwrap() {
        assert!(docs.contains(&format!("| `{}` |", name.as_str().unwrap())), "{name:?} is not in docs/ci.md");
        assert!(input["description"].is_string() && !input["default"].is_null());
    }
}

#[test]
fn the_shell_parses() {
    let scratch = Scratch::empty();
    for (number, shell) in shells(&text("action.yml")).iter().enumerate() {
        scratch.write(&format!("step{number}.sh"), shell);
    }
    let mut files: Vec<PathBuf> = vec![root().join("ci/review.sh"), root().join("ci/comment.sh")];
    files.extend(fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path()));
    for file in files {
        let Ok(done) = Command::new("bash").arg("-n").arg(&file).output() else { return };
        assert!(done.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&done.stderr));
    }
}

#[test]
fn hooks_name_verbs_that_there_are_and_files_of_a_tree() {
    let hooks: serde_yaml::Value = serde_yaml::from_str(&text(".pre-commit-hooks.yaml")).unwrap();
    for hook in hooks.as_sequence().unwrap() {
        let entry: Vec<&str> = hook["entry"].as_str().unwrap().split(' ').skip(1).collect();
        assert_eq!(Scratch::small().run(&[&entry[..], &["--help"]].concat()).status.code(), Some(0));
        let files = regex::Regex::new(hook["files"].as_str().unwrap()).unwrap();
        assert!(files.is_match("harness.toml") && files.is_match("desk/tools/tickets.yaml"));
        assert!(!files.is_match("src/main.rs") && !files.is_match("docs/tools.md"));
    }
}

/// Folders with our binary and a `gh` that writes down what it is asked, and answers with `answer`.
fn path_with(scratch: &Scratch, answer: &str) -> String {
    let fake = format!(
        "#!/usr/bin/env bash\nprintf '%s\\n' \"$@\" >> asked\nfor last; do :; done\ncase \"$last\" in body=@*) cp -- \"${{last#body=@}}\" body ;; *) {answer} ;; esac\n"
    );
    scratch.write("bin/gh", &fake);
    fs::set_permissions(scratch.at("bin/gh"), fs::Permissions::from_mode(0o755)).unwrap();
    let own = Path::new(env!("CARGO_BIN_EXE_harnessc")).parent().unwrap().display().to_string();
    let outside = std::env::var("PATH").unwrap_or_default();
    format!("{}:{own}:{outside}", scratch.at("bin").display())
}

fn script(scratch: &Scratch, path: &str, name: &str, environment: &[(&str, &str)]) -> Output {
    Command::new("bash")
        .arg(root().join("ci").join(name))
        .arg("text.md")
        .current_dir(scratch.path())
        .env("PATH", path)
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

#[test]
fn one_comment_is_written_and_written_anew() {
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    let hostile = "a\"; touch hit; $(touch hit) `touch hit` --> @x";
    for (answer, ask) in
        [("true", "POST\nrepos/o/n/issues/7/comments"), ("echo 42", "PATCH\nrepos/o/n/issues/comments/42")]
    {
        let scratch = Scratch::empty();
        let path = path_with(&scratch, answer);
        scratch.write("text.md", "### Authority: `$(touch hit)`\n");
        let given = [("REPOSITORY", "o/n"), ("NUMBER", "7"), ("MANIFEST", hostile), ("GH_TOKEN", "t")];
        let done = script(&scratch, &path, "comment.sh", &given);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let asked = String::from_utf8(scratch.read("asked")).unwrap();
        assert!(asked.contains(ask), "{asked}");
        let body = String::from_utf8(scratch.read("body")).unwrap();
        assert!(
            body.starts_with("<!-- harnessc:a___touch_hit") && body.ends_with("`$(touch hit)`\n"),
            "{body}"
        );
        assert!(body.lines().next().unwrap().ends_with("_x -->"), "{body}");
        assert!(!scratch.at("hit").exists());
        let none = script(
            &scratch,
            &path,
            "comment.sh",
            &[("REPOSITORY", "o/n"), ("NUMBER", ""), ("MANIFEST", "x")],
        );
        assert!(none.status.success() && String::from_utf8(none.stdout).unwrap().contains("no pull request"));
    }
}

#[test]
fn a_token_that_may_not_write_fails_nothing() {
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    let scratch = Scratch::empty();
    let path = path_with(&scratch, "exit 1");
    scratch.write("text.md", "x\n");
    let given = [("REPOSITORY", "o/n"), ("NUMBER", "7"), ("MANIFEST", "harness.toml"), ("GH_TOKEN", "t")];
    let done = script(&scratch, &path, "comment.sh", &given);
    assert!(done.status.success());
    assert!(String::from_utf8(done.stdout).unwrap().starts_with("::notice "));
}

#[test]
fn a_review_says_what_the_change_lets_whom_do() {
    let git = |scratch: &Scratch, arguments: &[&str]| {
        let named =
            ["-c", "user.name=Ann", "-c", "user.email=ann@desk.example", "-c", "commit.gpgsign=false"];
        Command::new("git").args(named).args(arguments).current_dir(scratch.path()).output()
    };
    let scratch = Scratch::empty();
    if git(&scratch, &["init", "-q", "-b", "main"]).is_err()
        || Command::new("bash").arg("--version").output().is_err()
    {
        return;
    }
    let small = Scratch::small();
    for (path, folder) in [("", "desk/")] {
        let mut waiting = vec![path.to_owned()];
        while let Some(below) = waiting.pop() {
            for entry in fs::read_dir(small.at(&below)).unwrap() {
                let entry = entry.unwrap();
                let name = format!("{below}{}", entry.file_name().to_string_lossy());
                match entry.path().is_dir() {
                    true => waiting.push(format!("{name}/")),
                    false => scratch
                        .write(&format!("{folder}{name}"), &String::from_utf8(small.read(&name)).unwrap()),
                }
            }
        }
    }
    scratch.write("README", "a repository\n");
    git(&scratch, &["add", "-A"]).unwrap();
    git(&scratch, &["commit", "-qm", "Begin"]).unwrap();
    // The repository is its own origin: what it fetches is the tip of its branch `main`.
    git(&scratch, &["remote", "add", "origin", "."]).unwrap();
    git(&scratch, &["checkout", "-qb", "work"]).unwrap();
    let path = path_with(&scratch, "true");
    let review = |more: &[(&str, &str)]| {
        let given = [("BASE_REF", "main"), ("MANIFEST", "desk/harness.toml"), ("AUTHOR", "--fail-on=never")];
        let done = script(&scratch, &path, "review.sh", &[&given[..], more].concat());
        (
            done.status.code(),
            String::from_utf8(scratch.read("text.md")).unwrap(),
            String::from_utf8(done.stderr).unwrap(),
        )
    };
    let (code, said, err) = review(&[]);
    assert_eq!(code, Some(0), "{said}{err}");
    assert!(said.contains("no change in authority"), "{said}");
    scratch.edit("desk/tools/tickets.yaml", "    approval: four_eyes\n", "");
    let (code, said, err) = review(&[]);
    assert_eq!(code, Some(1), "{said}{err}");
    assert!(said.contains("lets more happen"), "{said}");
    assert_eq!(review(&[("FAIL_ON", "never")]).0, Some(0));
    scratch.edit("desk/tools/tickets.yaml", "effect: write\n", "effect: wrote\n");
    let (code, said, _) = review(&[]);
    assert!(code == Some(1) && said.contains("does not compile"), "{said}");
    // A policy at a place where the base has none, while it has one elsewhere, may be one that moved.
    let moved = ("MANIFEST", "new/harness.toml");
    let (code, said, _) = review(&[moved]);
    assert!(code == Some(1) && said.contains("this policy is new here"), "{said}");
    assert_eq!(review(&[moved, ("FAIL_ON", "never")]).0, Some(0));
    // A branch that cannot be fetched is no branch to compare with.
    let (code, said, _) = review(&[("BASE_REF", "--upload-pack=x")]);
    assert!(code == Some(2) && said.contains("cannot be fetched"), "{said}");
    // The target moves on while the pull request is open: its tip counts, and not where the two parted.
    git(&scratch, &["checkout", "-q", "--", "."]).unwrap();
    git(&scratch, &["checkout", "-q", "main"]).unwrap();
    scratch.edit(
        "desk/harnesses/triager.yaml",
        "kind: [bug]",
        "kind: [bug], ticket_id: {type: string, maxLength: 9}",
    );
    git(&scratch, &["commit", "-qam", "Take it away"]).unwrap();
    git(&scratch, &["checkout", "-q", "work"]).unwrap();
    let (code, said, err) = review(&[]);
    assert!(code == Some(1) && said.contains("lets more happen"), "{said}{err}");
    // Where there is no policy at all, this is the first.
    git(&scratch, &["checkout", "-q", "main"]).unwrap();
    git(&scratch, &["rm", "-rq", "desk"]).unwrap();
    git(&scratch, &["commit", "-qm", "None"]).unwrap();
    git(&scratch, &["checkout", "-q", "work"]).unwrap();
    let (code, said, _) = review(&[]);
    assert!(code == Some(0) && said.contains("this policy is new\n"), "{said}");
}
