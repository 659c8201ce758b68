//! `harnessc release`: which revision follows which, what it refuses, and that it changes two values and no more.

use crate::merging::Repository;

const ATTRIBUTES: &str = "harness.lock -text\n";

fn revision(repository: &Repository) -> (u64, Option<String>) {
    let lock = harnessc_runtime::load::read(&repository.0.read("harness.lock")).unwrap().lock;
    (lock.revision, lock.predecessor)
}

fn digest(bytes: &[u8]) -> String {
    harnessc_runtime::load::read(bytes).unwrap().digest
}

#[test]
fn the_next_revision_names_the_one_before() {
    let repository = Repository::new(ATTRIBUTES);
    let first = digest(&repository.0.read("harness.lock"));
    let manifest = String::from_utf8(repository.0.read("harness.toml")).unwrap();
    insta::assert_snapshot!("next", repository.run(&["release", "--base", "HEAD"], 0));
    assert_eq!(revision(&repository), (2, Some(first.clone())));
    let expected = format!("{manifest}\n[release]\nrevision = 2\npredecessor = \"{first}\"\n");
    assert_eq!(String::from_utf8(repository.0.read("harness.toml")).unwrap(), expected);
    // Said twice, it is the same release.
    insta::assert_snapshot!("again", repository.run(&["release", "--base", "git:HEAD"], 0));
    repository.commit("Release 2");
    std::fs::copy(repository.0.at("harness.lock"), repository.0.at("second.lock")).unwrap();
    let said = repository.run(&["release", "--base", "second.lock", "--format", "json"], 0);
    assert!(said.contains("\"released\":true") && said.contains("\"revision\":3"), "{said}");
    assert_eq!(revision(&repository).0, 3);
}

#[test]
fn a_base_that_does_not_hold_is_refused_and_nothing_is_written() {
    let repository = Repository::new(ATTRIBUTES);
    let (lock, manifest) = (repository.0.read("harness.lock"), repository.0.read("harness.toml"));
    let text = String::from_utf8(lock.clone()).unwrap();
    repository.0.write("bad.lock", &text.replacen("confirm", "conform", 1));
    insta::assert_snapshot!("bad", repository.run(&["release", "--base", "bad.lock"], 1));
    repository.0.edit("harness.toml", "\"desk\"", "\"office\"");
    insta::assert_snapshot!("other", repository.run(&["release", "--base", "HEAD"], 1));
    repository.0.edit("harness.toml", "\"office\"", "\"desk\"");
    insta::assert_snapshot!("no_revision", repository.run(&["release", "--base", "nowhere"], 2));
    repository.run(&["release", "--base", "--upload-pack=x"], 2);
    repository.run(&["release", "--base=--batch"], 2);
    repository.run(&["release"], 2);
    if cfg!(unix) {
        assert!(repository.run(&["release", "--base", "/dev/zero"], 2).contains("a device or a pipe"));
    }
    repository.0.edit("tools/tickets.yaml", "approval: four_eyes", "approval: auto");
    assert!(
        repository.run(&["release", "--base", "HEAD"], 1).contains("nothing is released while findings deny")
    );
    assert_eq!((repository.0.read("harness.lock"), repository.0.read("harness.toml")), (lock, manifest));
}

#[test]
fn half_a_release_line_says_what_a_first_lock_states() {
    let repository = Repository::new(ATTRIBUTES);
    let manifest = String::from_utf8(repository.0.read("harness.toml")).unwrap();
    repository.0.write("harness.toml", &format!("{manifest}\n[release]\nrevision = 1\n"));
    let said = repository.run(&["check"], 1).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("for a first lock add `predecessor = \"\"`, or leave `[release]` out"), "{said}");
}

#[test]
fn a_release_line_that_follows_no_base_is_noted() {
    let repository = Repository::new(ATTRIBUTES);
    let manifest = String::from_utf8(repository.0.read("harness.toml")).unwrap();
    let said = |code| repository.run(&["diff", "git:HEAD", "--format", "short", "--fail-on", "any"], code);
    assert!(!said(0).contains("release line"));
    repository.run(&["release", "--base", "HEAD"], 0);
    assert!(!said(0).contains("release line"), "the next one follows");
    for revision in [2, 7] {
        let named = "0".repeat(64);
        let line = format!("\n[release]\nrevision = {revision}\npredecessor = \"sha256:{named}\"\n");
        repository.0.write("harness.toml", &format!("{manifest}{line}"));
        let noted =
            format!("note the release line does not follow the base's: revision {revision} names sha256:");
        assert!(said(0).contains(&noted), "{}", said(0));
    }
}

#[test]
fn a_revision_never_goes_back() {
    let repository = Repository::new(ATTRIBUTES);
    for subject in ["Release 2", "Release 3"] {
        repository.run(&["release", "--base", "HEAD"], 0);
        repository.commit(subject);
    }
    insta::assert_snapshot!("back", repository.run(&["release", "--base", "HEAD~2"], 1));
    assert_eq!(revision(&repository).0, 3);
    // With the lock that has it, the larger one is followed, in either order.
    let third = digest(&repository.0.read("harness.lock"));
    repository.run(&["release", "--base", "HEAD~2", "--base", "HEAD"], 0);
    assert_eq!(revision(&repository), (4, Some(third)));
}
