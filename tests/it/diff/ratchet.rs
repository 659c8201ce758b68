//! The attacks of the author of a pull request, each mounted and stopped.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::merging::Repository;

const ATTRIBUTES: &str = "harness.lock -text\n";
const ACKNOWLEDGE: [&str; 10] = [
    "diff",
    "git:main",
    "--acknowledge",
    "the desk asked for it",
    "--who",
    "dana@desk.example",
    "--until",
    "2026-12-31",
    "--today",
    "2026-06-01",
];
const TODAY: [&str; 4] = ["diff", "git:main", "--today", "2026-06-01"];

/// A branch that loosens one approval.
fn branch(repository: &Repository) {
    repository.git(&["checkout", "-q", "-b", "loosen"]);
    repository.0.edit("tools/tickets.yaml", "    approval: four_eyes\n", "");
    repository.run(&["build"], 0);
}

fn papers(repository: &Repository) -> Vec<PathBuf> {
    let folder = repository.0.at("acknowledged");
    let entries = std::fs::read_dir(folder).map(|all| all.map(|entry| entry.unwrap().path()).collect());
    let mut papers: Vec<PathBuf> = entries.unwrap_or_default();
    papers.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    papers
}

fn key(folder: &Path, name: &str) -> (PathBuf, String) {
    let path = folder.join(name);
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f"])
        .arg(&path)
        .output()
        .unwrap();
    assert!(made.status.success());
    (path.clone(), std::fs::read_to_string(path.with_extension("pub")).unwrap())
}

#[test]
fn a_widening_passes_with_an_acknowledgement_of_exactly_it() {
    let repository = Repository::new(ATTRIBUTES);
    branch(&repository);
    assert!(repository.run(&TODAY, 1).contains("--acknowledge"));
    insta::assert_snapshot!("acknowledge", scrubbed(&repository.run(&ACKNOWLEDGE, 0)));
    let said = repository.run(&TODAY, 0);
    assert!(
        said.contains("acknowledged: dana@desk.example acknowledges it (unsigned) until 2026-12-31"),
        "{said}"
    );
    // What narrows needs none.
    repository.commit("Loosen");
    repository.git(&["checkout", "-q", "-b", "tighten", "main"]);
    repository.0.edit(
        "harnesses/triager.yaml",
        "kind: [bug]",
        "kind: [bug], ticket_id: {type: string, maxLength: 9}",
    );
    repository.run(&TODAY, 0);
}

#[test]
fn one_widening_does_not_excuse_the_next() {
    let repository = Repository::new(ATTRIBUTES);
    branch(&repository);
    repository.run(&ACKNOWLEDGE, 0);
    repository.0.edit("harnesses/triager.yaml", "cases: [add]", "cases: [add, drop]");
    let said = repository.run(&TODAY, 1);
    assert!(said.contains("it acknowledges another head than this one"), "{said}");
    repository.0.edit("harnesses/triager.yaml", "cases: [add, drop]", "cases: [add]");
    repository.run(&TODAY, 0);
    // The target's tip moves on: what was acknowledged was another change.
    repository.commit("Loosen");
    repository.git(&["checkout", "-q", "main"]);
    repository.0.edit("prompts/v1/harness/closer.txt", "Close what is done.", "Close only what is done.");
    repository.run(&["build"], 0);
    repository.commit("Another change");
    repository.git(&["checkout", "-q", "loosen"]);
    assert!(repository.run(&TODAY, 1).contains("it acknowledges another base than this one"));
}

#[test]
fn an_acknowledgement_that_the_base_has_counts_for_nothing() {
    let repository = Repository::new(ATTRIBUTES);
    branch(&repository);
    repository.run(&ACKNOWLEDGE, 0);
    let paper = papers(&repository).remove(0);
    let text = std::fs::read_to_string(&paper).unwrap();
    repository.commit("Loosen");
    // It is smuggled into the base before it is needed.
    repository.git(&["checkout", "-q", "main"]);
    std::fs::create_dir_all(paper.parent().unwrap()).unwrap();
    std::fs::write(&paper, text).unwrap();
    repository.commit("A file of no use, it seems");
    repository.git(&["checkout", "-q", "loosen"]);
    let said = repository.run(&TODAY, 1);
    assert!(!said.contains("acknowledged:") && said.contains("--acknowledge"), "{said}");
}

#[test]
fn what_fits_nothing_and_what_expired_are_findings() {
    let repository = Repository::new(ATTRIBUTES);
    branch(&repository);
    repository.run(&ACKNOWLEDGE, 0);
    let said = repository.run(&["diff", "git:main", "--today", "2027-01-01"], 1);
    assert!(said.contains("it counted until 2026-12-31, and today is 2027-01-01"), "{said}");
    repository.run(&["diff", "git:main", "--today", "2026-12-31"], 0);
    let paper = papers(&repository).remove(0);
    let text = std::fs::read_to_string(&paper).unwrap();
    for (old, new, said) in [
        ("until = \"2026-12-31\"", "until = \"2026-13-31\"", "is no date"),
        ("why = \"the desk asked for it\"", "why = \" \"", "does not say who"),
        ("who = ", "whom = ", "this is no acknowledgement"),
        ("who = ", "extra = 1\nwho = ", "this is no acknowledgement"),
    ] {
        std::fs::write(&paper, text.replace(old, new)).unwrap();
        let told = repository.run(&TODAY, 1);
        assert!(told.contains(said), "{told}");
    }
    std::fs::write(&paper, &text).unwrap();
    std::fs::rename(&paper, paper.with_file_name("any.toml")).unwrap();
    assert!(repository.run(&TODAY, 1).contains("its name is not the digest"));
    std::fs::rename(paper.with_file_name("any.toml"), &paper).unwrap();
    // The widening is taken back, and its acknowledgement is left lying about.
    repository.0.edit(
        "tools/tickets.yaml",
        "title: Close a ticket\n",
        "title: Close a ticket\n    approval: four_eyes\n",
    );
    let said = repository.run(&TODAY, 1);
    assert!(said.contains("nothing here needs an acknowledgement"), "{said}");
    repository.run(&["diff", "git:main", "--today", "tomorrow"], 2);
    repository.run(&["diff", "git:main", "--acknowledge", "x", "--who", "y", "--until", "soon"], 2);
}

#[test]
fn what_is_over_before_it_begins_is_refused() {
    let repository = Repository::new(ATTRIBUTES);
    branch(&repository);
    let mut late = ACKNOWLEDGE;
    late[9] = "2027-01-01";
    let said = repository.run(&late, 2);
    assert!(said.contains("`--until 2026-12-31` is over: today is 2027-01-01"), "{said}");
    assert!(papers(&repository).is_empty());
}

#[test]
fn whatever_the_level_counts_can_be_acknowledged() {
    let repository = Repository::new(ATTRIBUTES);
    repository.git(&["checkout", "-q", "-b", "tighten"]);
    repository.0.edit(
        "harnesses/triager.yaml",
        "kind: [bug]",
        "kind: [bug], ticket_id: {type: string, maxLength: 9}",
    );
    repository.run(&["build"], 0);
    let any = [&TODAY[..], &["--fail-on", "any"]].concat();
    let said = repository.run(&any, 1);
    assert!(said.contains("this change only takes away") && said.contains("--acknowledge"), "{said}");
    repository.run(&[&ACKNOWLEDGE[..], &["--fail-on", "any"]].concat(), 0);
    let said = repository.run(&any, 0);
    assert!(said.contains("acknowledged: dana@desk.example acknowledges it (unsigned)"), "{said}");
    // It is in nobody's way where less is asked for, and excuses nothing else.
    repository.run(&TODAY, 0);
    repository.0.edit("harnesses/triager.yaml", "maxLength: 9", "maxLength: 8");
    assert!(repository.run(&any, 1).contains("it acknowledges another head than this one"));
}

#[test]
fn a_lock_against_itself_says_that_nothing_is_compared() {
    let repository = Repository::new(ATTRIBUTES);
    branch(&repository);
    repository.run(&ACKNOWLEDGE, 0);
    let said = repository.run(&["diff", "harness.lock", "--today", "2026-06-01"], 0).replace('\n', " ");
    assert!(said.contains("base and head are the same lock") && !said.contains("delete the file"), "{said}");
    repository.run(&TODAY, 0);
}

#[test]
fn the_short_format_says_whether_it_is_acknowledged() {
    let repository = Repository::new(ATTRIBUTES);
    branch(&repository);
    let short = [&TODAY[..], &["--format", "short"]].concat();
    let said = repository.run(&short, 1);
    assert!(said.contains("unacknowledged sha256:"), "{said}");
    repository.run(&ACKNOWLEDGE, 0);
    let said = repository.run(&short, 0);
    assert!(said.contains(".toml: dana@desk.example acknowledges it (unsigned) until 2026-12-31"), "{said}");
    assert!(!said.contains("unacknowledged"), "{said}");
}

#[test]
fn what_a_model_reads_needs_an_acknowledgement_too() {
    let repository = Repository::new(ATTRIBUTES);
    repository.git(&["checkout", "-q", "-b", "words"]);
    repository.0.edit("prompts/v1/harness/closer.txt", "Close what is done.", "Close everything.");
    repository.run(&TODAY, 1);
    repository.run(&ACKNOWLEDGE, 0);
    repository.run(&TODAY, 0);
}

#[test]
fn a_lock_alone_is_no_base_for_an_acknowledgement() {
    let repository = Repository::new(ATTRIBUTES);
    std::fs::copy(repository.0.at("harness.lock"), repository.0.at("base.lock")).unwrap();
    branch(&repository);
    let written = [&["diff", "base.lock"], &ACKNOWLEDGE[2..]].concat();
    repository.run(&written, 0);
    let said = repository.run(&["diff", "base.lock", "--today", "2026-06-01"], 1);
    assert!(said.contains("the base is a lock alone"), "{said}");
}

/// What the link or the folder that hides the list of signers leads to is read by nobody.
#[test]
fn the_list_of_signers_is_not_hidden_behind_a_link_or_a_folder() {
    let (repository, ..) = with_signers();
    let hidden = |change: &dyn Fn(), what: &str| {
        repository.git(&["checkout", "-q", "-f", "-B", "hides", "main"]);
        change();
        repository.commit("Hide the list");
        for sides in
            [&["diff", "git:main"][..], &["diff", "git:main", "git:HEAD"], &["diff", "git:HEAD", "git:main"]]
        {
            let said = repository.run(sides, 2).replace('\n', " ");
            assert!(said.contains(what), "{sides:?}: {said}");
        }
        repository.git(&["checkout", "-q", "-f", "main"]);
    };
    let at = |path: &str| repository.0.at(path);
    hidden(
        &|| {
            std::fs::rename(at("acknowledged"), at("elsewhere")).unwrap();
            std::os::unix::fs::symlink("elsewhere", at("acknowledged")).unwrap();
        },
        "link",
    );
    hidden(
        &|| {
            std::fs::remove_dir_all(at("acknowledged")).unwrap();
            repository.0.write("acknowledged/allowed_signers/list", "");
        },
        "`acknowledged/allowed_signers` is a folder",
    );
    hidden(
        &|| {
            std::fs::remove_dir_all(at("acknowledged")).unwrap();
            repository.0.write("acknowledged", "");
        },
        "acknowledge",
    );
}

#[test]
fn where_a_shallow_clone_hides_who_wrote_the_change_nothing_counts() {
    let (repository, _, dana) = with_signers();
    let key = dana.display().to_string();
    let all: Vec<&str> = ACKNOWLEDGE.into_iter().chain(["--sign", key.as_str()]).collect();
    repository.run(&all, 0);
    repository.commit("Acknowledge it");
    repository.run(&TODAY, 0);
    let clone = |depth: &[&str], name: &str| {
        let from = format!("file://{}", repository.0.path().display());
        let to = repository.0.at("keys").join(name);
        let to = to.display().to_string();
        let mut arguments = vec!["clone", "-q", "--no-single-branch", "-b", "loosen"];
        arguments.extend(depth);
        arguments.extend([from.as_str(), to.as_str()]);
        repository.git(&arguments);
        let manifest = format!("{to}/harness.toml");
        let all = ["--manifest", manifest.as_str(), "diff", "git:origin/main", "--today", "2026-06-01"];
        repository.output(&all)
    };
    assert_eq!(clone(&[], "whole").status.code(), Some(0));
    let cut = clone(&["--depth", "1"], "cut");
    let said = String::from_utf8_lossy(&cut.stderr).replace('\n', " ");
    assert!(cut.status.code() == Some(2) && said.contains("shallow"), "{said}");
}

#[test]
fn whoever_wrote_the_change_does_not_sign_under_another_name() {
    let (repository, lead, dana) = with_signers();
    let sign = |key: &Path, who: &str| {
        for paper in papers(&repository) {
            std::fs::remove_file(paper).unwrap();
        }
        let key = key.display().to_string();
        let mut all = ACKNOWLEDGE;
        all[5] = who;
        repository.run(&all.into_iter().chain(["--sign", key.as_str()]).collect::<Vec<_>>(), 0);
        repository
            .run(&[&TODAY[..], &["--fail-on", "any"]].concat(), i32::from(who != "dana@desk.example"))
            .replace('\n', " ")
    };
    sign(&dana, "dana@desk.example");
    // The name in the file is not the signer's.
    assert!(
        sign(&dana, "carol@desk.example").contains("the key that signed it is listed as `dana@desk.example`")
    );
    assert!(sign(&dana, "lead@desk.example").contains("`lead@desk.example` wrote this change"));
    // The author's key stands on a second line, before the first, under the name of a service.
    let list = String::from_utf8(repository.0.read("acknowledged/allowed_signers")).unwrap();
    let line = list.lines().find(|line| line.starts_with("lead@")).unwrap();
    let list = format!("{}\n{list}", line.replace("lead@desk.example", "service@desk.example"));
    std::fs::remove_file(papers(&repository).remove(0)).unwrap();
    repository.git(&["checkout", "-q", "-f", "main"]);
    repository.0.write("acknowledged/allowed_signers", &list);
    repository.commit("A service may acknowledge");
    repository.git(&["checkout", "-q", "loosen"]);
    repository.0.write("acknowledged/allowed_signers", &list);
    repository.commit("Take the list");
    let said = sign(&lead, "service@desk.example");
    assert!(said.contains("`lead@desk.example` wrote this change and cannot acknowledge it too"), "{said}");
}

#[test]
fn a_yes_that_the_base_has_does_not_count_again_where_it_is_moved_to() {
    let (repository, _, dana) = with_signers();
    let key = dana.display().to_string();
    let all: Vec<&str> = ACKNOWLEDGE.into_iter().chain(["--sign", key.as_str()]).collect();
    repository.run(&all, 0);
    let paper = papers(&repository).remove(0);
    let name = paper.file_name().unwrap().to_str().unwrap().to_owned();
    let bytes =
        [&paper, &PathBuf::from(format!("{}.sig", paper.display()))].map(|path| std::fs::read(path).unwrap());
    std::fs::remove_dir_all(repository.0.at("acknowledged")).unwrap();
    repository.git(&["checkout", "-q", "-f", "main"]);
    let put = |folder: &str| {
        std::fs::create_dir_all(repository.0.at(folder)).unwrap();
        std::fs::write(repository.0.at(&format!("{folder}/{name}")), &bytes[0]).unwrap();
        std::fs::write(repository.0.at(&format!("{folder}/{name}.sig")), &bytes[1]).unwrap();
    };
    put("acknowledged");
    repository.commit("Bring it along first");
    repository.git(&["checkout", "-q", "loosen"]);
    repository.git(&["rebase", "-q", "main"]);
    let said = repository.run(&[&TODAY[..], &["--format", "short"]].concat(), 1);
    assert!(said.contains("unacknowledged"), "{said}");
    repository.git(&["rm", "-q", &format!("acknowledged/{name}"), &format!("acknowledged/{name}.sig")]);
    put("acknowledged/sub");
    repository.commit("Move it");
    let said = repository.run(&[&TODAY[..], &["--format", "short"]].concat(), 1);
    assert!(said.contains("unacknowledged"), "{said}");
}

#[test]
fn an_acknowledgement_in_a_folder_below_is_a_finding() {
    let repository = Repository::new(ATTRIBUTES);
    branch(&repository);
    repository.run(&ACKNOWLEDGE, 0);
    let paper = papers(&repository).remove(0);
    let below = repository.0.at("acknowledged/sub");
    std::fs::create_dir(&below).unwrap();
    std::fs::rename(&paper, below.join(paper.file_name().unwrap())).unwrap();
    let said = repository.run(&TODAY, 1);
    assert!(said.contains("in a folder below `acknowledged`"), "{said}");
}

#[test]
fn whoever_commits_the_acknowledgement_has_not_written_the_change() {
    let (repository, lead, dana) = with_signers();
    // The change is Dana's; the lead says yes, and commits that in their own name.
    repository.git(&["commit", "-q", "--amend", "--no-edit", "--author", "Dana <dana@desk.example>"]);
    let amend = ["-c", "user.name=Dana", "-c", "user.email=dana@desk.example"];
    let as_dana = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(amend).args(arguments).current_dir(repository.0.path());
        for (name, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")] {
            git.env(name, value);
        }
        assert!(git.output().unwrap().status.success());
    };
    as_dana(&["commit", "-q", "--amend", "--no-edit", "--reset-author"]);
    let with = |who: &'static str, key: &Path| {
        let key = key.display().to_string();
        let mut all = ACKNOWLEDGE;
        all[5] = who;
        repository.run(&all.into_iter().chain(["--sign", key.as_str()]).collect::<Vec<_>>(), 0);
    };
    with("lead@desk.example", &lead);
    repository.commit("Say yes");
    let said = repository.run(&TODAY, 0);
    assert!(said.contains("(signed by lead@desk.example)"), "{said}");
    // One who changes something else beside it is an author.
    repository.0.edit("tools/tickets.yaml", "tools:", "# Tickets.\ntools:");
    repository.run(&["build"], 0);
    with("lead@desk.example", &lead);
    repository.commit("Touch the tools too");
    let said = repository.run(&TODAY, 1);
    assert!(said.contains("`lead@desk.example` wrote this change"), "{said}");
    with("dana@desk.example", &dana);
    assert!(repository.run(&TODAY, 1).contains("`dana@desk.example` wrote this change"));
}

#[test]
fn a_co_author_is_an_author() {
    let (repository, _, dana) = with_signers();
    repository.git(&[
        "commit",
        "-q",
        "--amend",
        "-m",
        "Loosen\n\nCo-authored-by: Dana Ito <Dana@desk.example>",
    ]);
    let key = dana.display().to_string();
    let all: Vec<&str> = ACKNOWLEDGE.into_iter().chain(["--sign", key.as_str()]).collect();
    repository.run(&all, 0);
    assert!(repository.run(&TODAY, 1).contains("cannot acknowledge it too"));
}

/// A repository whose base lists who may sign, and a branch that loosens an approval.
fn with_signers() -> (Repository, PathBuf, PathBuf) {
    let repository = Repository::new(ATTRIBUTES);
    let keys = repository.0.path().join("keys");
    std::fs::create_dir_all(&keys).unwrap();
    std::fs::write(keys.join(".gitignore"), "*\n").unwrap();
    let (lead, lead_public) = key(&keys, "lead");
    let (dana, dana_public) = key(&keys, "dana");
    repository.0.write(
        "acknowledged/allowed_signers",
        &format!("lead@desk.example namespaces=\"harness-ack\" {lead_public}dana@desk.example namespaces=\"harness-ack\" {dana_public}"),
    );
    repository.commit("Who may acknowledge");
    branch(&repository);
    repository.commit("Loosen");
    (repository, lead, dana)
}

#[test]
fn where_the_base_lists_signers_one_of_them_signs_who_is_not_the_author() {
    let (repository, lead, dana) = with_signers();
    let sign = |key: &Path| {
        let key = key.display().to_string();
        let all: Vec<&str> = ACKNOWLEDGE.into_iter().chain(["--sign", key.as_str()]).collect();
        repository.run(&all, 0);
    };
    repository.run(&ACKNOWLEDGE, 0);
    assert!(repository.run(&TODAY, 1).contains("no signature stands beside it"));
    // The commits are the lead's own.
    sign(&lead);
    let said = repository.run(&TODAY, 1);
    assert!(said.contains("`lead@desk.example` wrote this change and cannot acknowledge it too"), "{said}");
    sign(&dana);
    let said = repository.run(&TODAY, 0);
    assert!(said.contains("(signed by dana@desk.example)"), "{said}");
    // The platform knows better than git who wrote it.
    let said = repository.run(&[&TODAY[..], &["--author", "dana@desk.example"]].concat(), 1);
    assert!(said.contains("cannot acknowledge it too"), "{said}");
    // The text changes below the signature.
    let paper = papers(&repository).remove(0);
    let text = std::fs::read_to_string(&paper).unwrap();
    std::fs::write(&paper, text.replace("2026-12-31", "2036-12-31")).unwrap();
    assert!(repository.run(&TODAY, 1).contains("the signature does not hold"));
}

#[test]
fn a_signature_for_something_else_or_by_somebody_else_does_not_count() {
    let (repository, _, dana) = with_signers();
    repository.run(&ACKNOWLEDGE, 0);
    let paper = papers(&repository).remove(0);
    let signature = PathBuf::from(format!("{}.sig", paper.display()));
    let signed = |key: &Path, namespace: &str| {
        let _ = std::fs::remove_file(&signature);
        let made = Command::new("ssh-keygen")
            .args(["-q", "-Y", "sign", "-n", namespace, "-f"])
            .arg(key)
            .arg(&paper)
            .output();
        assert!(made.unwrap().status.success());
    };
    signed(&dana, "harness-lock");
    assert!(repository.run(&TODAY, 1).contains("its signature was made for `harness-lock`"));
    // The stock tool's signature for the right namespace counts.
    signed(&dana, "harness-ack");
    repository.run(&TODAY, 0);
    // A key that the change itself adds to the list is not the base's, and the list is part of the guard.
    let (mallory, public) = key(&repository.0.path().join("keys"), "mallory");
    let list = String::from_utf8(repository.0.read("acknowledged/allowed_signers")).unwrap();
    repository.0.write("acknowledged/allowed_signers", &format!("{list}mallory@desk.example {public}"));
    let _ = std::fs::remove_file(&paper);
    repository.run(&ACKNOWLEDGE, 0);
    let paper = papers(&repository).remove(0);
    let made = Command::new("ssh-keygen")
        .args(["-q", "-Y", "sign", "-n", "harness-ack", "-f"])
        .arg(&mallory)
        .arg(&paper)
        .output();
    assert!(made.unwrap().status.success());
    let said = repository.run(&TODAY, 1).replace('\n', " ");
    assert!(
        said.contains("guard: acknowledged/allowed_signers") && said.contains("the base does not list it"),
        "{said}"
    );
}

#[test]
fn a_swapped_signer_does_not_pass_under_an_old_yes() {
    let (repository, _, dana) = with_signers();
    let keys = repository.0.path().join("keys");
    let list = |name: &str| {
        let (_, public) = key(&keys, name);
        repository.0.write(
            "acknowledged/allowed_signers",
            &format!("{name}@desk.example namespaces=\"harness-ack\" {public}"),
        );
    };
    // Two lists of one line each, one after the other: what a reader sees of them differs.
    list("carol");
    let key = dana.display().to_string();
    let all: Vec<&str> = ACKNOWLEDGE.into_iter().chain(["--sign", key.as_str()]).collect();
    repository.run(&all, 0);
    repository.run(&TODAY, 0);
    list("mallory");
    let said = repository.run(&TODAY, 1);
    assert!(said.contains("it acknowledges another change than this one"), "{said}");
}

#[test]
fn an_author_is_told_from_a_signer_by_patterns_and_by_names_of_one_kind() {
    let (repository, _, dana) = with_signers();
    let sign = |principals: &str| {
        let list = String::from_utf8(repository.0.read("acknowledged/allowed_signers")).unwrap();
        let other = regex::Regex::new("(?m)^\\S+( .* dana)$").unwrap();
        let list = other.replace(&list, format!("{principals}$1")).into_owned();
        repository.git(&["checkout", "-q", "main"]);
        repository.0.write("acknowledged/allowed_signers", &list);
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "--allow-empty", "-m", "Who may acknowledge"]);
        repository.git(&["checkout", "-q", "loosen"]);
        repository.0.write("acknowledged/allowed_signers", &list);
        for paper in papers(&repository) {
            std::fs::remove_file(paper).unwrap();
        }
        let key = dana.display().to_string();
        let all: Vec<&str> = ACKNOWLEDGE.into_iter().chain(["--sign", key.as_str()]).collect();
        repository.run(&all, 0);
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "--amend", "--no-edit"]);
    };
    let by = |author: &str, code| {
        repository.run(&[&TODAY[..], &["--author", author]].concat(), code).replace('\n', " ")
    };
    sign("dana@desk.example");
    // A login is no mail address: nobody can tell that they are two people.
    assert!(by("dana", 1).contains("can be compared with no such name"));
    by("mallory@desk.example", 0);
    // A line for everybody of a house lists its author too.
    sign("*@desk.example");
    assert!(by("mallory@desk.example", 1).contains("cannot acknowledge it too"));
    // A line with both kinds takes either.
    sign("dana@desk.example,dana");
    assert!(by("Dana", 1).contains("cannot acknowledge it too"));
    by("mallory", 0);
}

#[test]
fn nobody_is_taken_for_someone_else_where_the_author_is_unknown() {
    let (repository, _, dana) = with_signers();
    // Nothing is committed: git knows of no author.
    repository.git(&["reset", "-q", "--soft", "main"]);
    let key = dana.display().to_string();
    let all: Vec<&str> = ACKNOWLEDGE.into_iter().chain(["--sign", key.as_str()]).collect();
    repository.run(&all, 0);
    assert!(repository.run(&TODAY, 1).contains("it is not known who wrote this change"));
    repository.run(&[&TODAY[..], &["--author", "lead@desk.example"]].concat(), 0);
}

/// Names of acknowledgements are digests.
fn scrubbed(said: &str) -> String {
    let name = regex::Regex::new("[0-9a-f]{64}").unwrap();
    name.replace_all(said, "<digest>").into_owned()
}
