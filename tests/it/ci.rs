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
    for script in [text("ci/review.sh"), text("ci/comment.sh"), text("ci/verdict.sh")] {
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
    let mut files: Vec<PathBuf> =
        ["review.sh", "comment.sh", "verdict.sh"].iter().map(|name| root().join("ci").join(name)).collect();
    files.extend(fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path()));
    for file in files {
        let Ok(done) = Command::new("bash").arg("-n").arg(&file).output() else { return };
        assert!(done.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&done.stderr));
    }
}

/// What a later step does may not hang on what an earlier one found.
#[test]
fn a_step_that_finds_something_keeps_no_other_from_running() {
    let value: serde_yaml::Value = serde_yaml::from_str(&text("action.yml")).unwrap();
    let steps = value["runs"]["steps"].as_sequence().unwrap();
    let named = |name: &str| steps.iter().find(|step| step["name"] == name).unwrap();
    for step in ["Lock", "Test", "Review", "Comment", "Verdict"] {
        assert!(named(step)["if"].as_str().unwrap().contains("!cancelled()"), "{step}");
    }
    for step in ["Check", "Lock", "Test", "Review"] {
        let shell = named(step)["run"].as_str().unwrap();
        assert!(
            shell.contains("|| code=$?") && shell.contains("\"code=$code\" >> \"$GITHUB_OUTPUT\""),
            "{step}"
        );
        let own = format!("${{{{ steps.{}.outputs.code }}}}", step.to_lowercase());
        assert_eq!(named("Verdict")["env"][step.to_uppercase().as_str()].as_str(), Some(own.as_str()));
    }
    assert_eq!(steps.last().unwrap()["name"], "Verdict");
}

/// The step's own shell, run as the platform runs it, on a tree that fails in this way.
fn step(name: &str, scratch: &Scratch, path: &str) -> (Option<i32>, String) {
    let value: serde_yaml::Value = serde_yaml::from_str(&text("action.yml")).unwrap();
    let steps = value["runs"]["steps"].as_sequence().unwrap();
    let shell = steps.iter().find(|step| step["name"] == name).unwrap()["run"].as_str().unwrap().to_owned();
    let done = Command::new("bash")
        .args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &shell])
        .current_dir(scratch.path())
        .env("PATH", path)
        .env("MANIFEST", "harness.toml")
        .env("GITHUB_OUTPUT", "output")
        .output()
        .unwrap();
    let said = fs::read_to_string(scratch.at("output")).unwrap_or_default();
    (done.status.code(), said)
}

#[test]
fn the_verdict_is_the_gravest_of_what_was_found() {
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    let scratch = Scratch::small();
    let path = path_with(&scratch, "true");
    // No lock, no test: the lock's step and the test's fail, and neither ends the job.
    for (name, code) in [("Check", 0), ("Lock", 1), ("Test", 1)] {
        scratch.write("output", "");
        assert_eq!(step(name, &scratch, &path), (Some(0), format!("code={code}\n")), "{name}");
    }
    let verdict = |parts: [&str; 4], reviewed: &str| {
        let names = ["CHECK", "LOCK", "TEST", "REVIEW"];
        let given: Vec<(&str, &str)> = names.into_iter().zip(parts).chain([("REVIEWED", reviewed)]).collect();
        script(&scratch, &path, "verdict.sh", &given).status.code()
    };
    assert_eq!(verdict(["0", "0", "0", "0"], "true"), Some(0));
    assert_eq!(verdict(["0", "0", "0", ""], "false"), Some(0));
    assert_eq!(verdict(["0", "1", "0", "0"], "true"), Some(1));
    assert_eq!(verdict(["0", "0", "1", "0"], "true"), Some(1));
    assert_eq!(verdict(["0", "1", "0", "2"], "true"), Some(2));
    // A part that never ended is no success.
    assert_eq!(verdict(["", "", "", ""], "false"), Some(2));
    assert_eq!(verdict(["0", "0", "0", ""], "true"), Some(2));
}

#[test]
fn the_other_platforms_job_writes_both_reports_whatever_it_finds() {
    let jobs: serde_yaml::Value = serde_yaml::from_str(&text("ci/gitlab.yml")).unwrap();
    assert!(jobs["harnessc-review"]["needs"].as_sequence().unwrap().is_empty());
    let scratch = Scratch::small();
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    let path = path_with(&scratch, "true");
    let shell = jobs["harnessc"]["script"][0].as_str().unwrap();
    let run = || {
        let mut command = Command::new("bash");
        command.args(["-e", "-o", "pipefail", "-c", shell]).current_dir(scratch.path()).env("PATH", &path);
        command.output().unwrap().status.code()
    };
    assert_eq!(run(), Some(1), "there is no lock, and no test");
    for report in ["harnessc-check.xml", "harnessc-test.xml"] {
        assert!(String::from_utf8(scratch.read(report)).unwrap().contains("<testsuites"), "{report}");
    }
    scratch.write(
        "tests/policy/t.yaml",
        "tests:\n  t: {run: {role: desk}, matrix: {tickets.close: {closer: four_eyes}}}\n",
    );
    assert_eq!(scratch.run(&["build"]).status.code(), Some(0));
    assert_eq!(run(), Some(0));
}

#[test]
fn hooks_name_verbs_that_there_are_and_files_of_a_tree() {
    let hooks: serde_yaml::Value = serde_yaml::from_str(&text(".pre-commit-hooks.yaml")).unwrap();
    for hook in hooks.as_sequence().unwrap() {
        let entry: Vec<&str> = hook["entry"].as_str().unwrap().split(' ').skip(1).collect();
        assert_eq!(Scratch::small().run(&[&entry[..], &["--help"]].concat()).status.code(), Some(0));
        // What a lock is built from may stand anywhere: a mirror is any file of the repository.
        let leans_on_mirrors = matches!(entry[..], ["check"] | ["build", "--locked"]);
        assert_eq!(hook["always_run"].as_bool(), leans_on_mirrors.then_some(true), "{entry:?}");
        if let Some(files) = hook["files"].as_str() {
            let files = regex::Regex::new(files).unwrap();
            for path in ["harness.toml", "desk/tools/tickets.yaml", "tests/policy/calls.yaml"] {
                assert!(files.is_match(path), "{entry:?}: {path}");
            }
            assert!(!files.is_match("src/main.rs") && !files.is_match("docs/tools.md"));
        } else {
            assert!(leans_on_mirrors, "{entry:?}");
        }
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
    // What was stopped half-way has compared nothing, whatever it wrote.
    scratch.write("bin/harnessc", "#!/usr/bin/env bash\necho '### Authority: no change'\nexit 134\n");
    fs::set_permissions(scratch.at("bin/harnessc"), fs::Permissions::from_mode(0o755)).unwrap();
    let (code, said, _) = review(&[]);
    assert_eq!(code, Some(134));
    assert!(said.contains("ended with exit code 134") && !said.contains("no change"), "{said}");
    fs::remove_file(scratch.at("bin/harnessc")).unwrap();
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
