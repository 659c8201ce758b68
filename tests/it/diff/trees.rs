//! The library's tree with edits in it, compiled in memory, and two of them compared.

use std::collections::BTreeMap;
use std::fs;

use harnessc::check::check;
use harnessc::diagnostic::Level;
use harnessc::diff::{self, Beside, Change, Counts, Named, Report};
use harnessc::lower::lower;
use harnessc::report;
use harnessc::tree::Tree;
use harnessc_runtime::Bundle;
use harnessc_runtime::load::{Signers, Trust};
use harnessc_runtime::lock::digest;

use crate::oracle::compile::own;

/// Files by path.
pub(super) type Files = BTreeMap<String, String>;

/// One edit: file, a text that stands once in it, and what stands there instead. An empty old text writes the whole file.
pub(super) type Edit<'e> = (&'e str, &'e str, &'e str);

/// The tree that has one of everything, with a decision test and counts besides.
pub(super) fn library() -> Files {
    let root = own("whole");
    let mut files = Files::new();
    let mut waiting = vec![root.clone()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                files.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    files.insert(
        "tests/policy/lending.yaml".to_owned(),
        "tests:\n  a visitor lends nothing: {run: {harness: none, role: desk, persona: visitor}, call: {tool: books.lend}, expect: harness_denied}\n"
            .to_owned(),
    );
    *files.get_mut("harness.toml").unwrap() += "\n[expect]\nharnesses = 2\n";
    files
}

/// The files with these edits.
pub(super) fn edited(mut files: Files, edits: &[Edit<'_>]) -> Files {
    for (path, old, new) in edits {
        if old.is_empty() {
            files.insert((*path).to_owned(), (*new).to_owned());
            continue;
        }
        let text = files.get(*path).unwrap_or_else(|| panic!("{path} is no file"));
        assert_eq!(text.matches(old).count(), 1, "`{old}` in {path}");
        let text = text.replace(old, new);
        files.insert((*path).to_owned(), text);
    }
    files
}

/// A compiled tree.
pub(super) struct Compiled {
    pub(super) bundle: Bundle,
    pub(super) beside: Beside,
}

/// Compiles, or says what denies it.
pub(super) fn try_compile(files: &Files) -> Result<Compiled, String> {
    let (tree, read) =
        Tree::from_files(files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())));
    let (checked, lock) = check(&tree, read, |cx, checked| {
        let denies = checked.findings.iter().any(|finding| finding.level >= Level::Deny);
        (!denies).then(|| lower(cx, &checked.grading))
    });
    let Some(lock) = lock else {
        let denied = checked.findings.iter().filter(|finding| finding.level >= Level::Deny);
        let said =
            denied.map(|finding| format!("{}: {}", finding.diagnostic.rule.0, finding.diagnostic.message));
        return Err(said.collect::<Vec<_>>().join("\n"));
    };
    let trust = Trust {
        allow_gap: false,
        environment: lock.policy.environment.clone(),
        policy: lock.policy.name.clone(),
        signers: Signers::Unsigned,
    };
    let bundle = Bundle::load(&digest::write(&lock).unwrap(), &trust, None).unwrap();
    let signers = files.get("acknowledged/allowed_signers").map(String::as_str);
    Ok(Compiled { bundle, beside: Beside::of(&tree, signers) })
}

pub(super) fn compile(files: &Files) -> Compiled {
    try_compile(files).unwrap_or_else(|said| panic!("{said}"))
}

/// Everything that differs.
pub(super) fn diff(before: &Compiled, after: &Compiled) -> Vec<Change> {
    let side = |own: &'_ Compiled| -> (Bundle, Beside) { (own.bundle.clone(), own.beside.clone()) };
    let (old, new) = (side(before), side(after));
    let before = diff::Side { bundle: &old.0, beside: Some(&old.1) };
    let after = diff::Side { bundle: &new.0, beside: Some(&new.1) };
    diff::diff(before, after).unwrap_or_else(|unreal| panic!("{unreal:?}"))
}

/// The report as the command line makes it.
pub(super) fn report_of(changes: Vec<Change>) -> Report {
    let named = |name: &str| Named {
        name: name.to_owned(),
        policy: "library".to_owned(),
        digest: format!("sha256:{name}"),
        revision: 3,
    };
    Report {
        grade: diff::grade(&changes),
        base: named("base"),
        head: named("head"),
        counts: Counts::of(&changes),
        passes: false,
        change: None,
        acknowledged: None,
        faults: Vec::new(),
        notes: Vec::new(),
        changes,
    }
}

/// What a person reads of it.
pub(super) fn page(changes: Vec<Change>) -> String {
    let lines = report::authority(&report_of(changes), 110);
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}
