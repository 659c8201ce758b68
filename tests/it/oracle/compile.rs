//! Trees compiled in memory, for the oracle and the forgeries.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use harnessc::check::check;
use harnessc::diagnostic::Level;
use harnessc::lower::lower;
use harnessc::tree::Tree;
use harnessc_runtime::Bundle;
use harnessc_runtime::load::{Signers, Trust};
use harnessc_runtime::lock::digest;

use super::read;

/// The program console, the tree that ships.
pub(crate) fn console() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// One of the small trees of these tests.
pub(crate) fn own(name: &str) -> PathBuf {
    console().join("tests/it/trees").join(name)
}

/// The sealed lock of a tree, which must check clean.
pub(crate) fn compile(root: &Path) -> Vec<u8> {
    let (tree, read) = Tree::open(&root.join("harness.toml")).unwrap();
    let (checked, lock) = check(&tree, read, |cx, checked| lower(cx, &checked.grading));
    let denied = checked.findings.iter().filter(|finding| finding.level >= Level::Deny);
    let denied: Vec<_> =
        denied.map(|finding| (finding.diagnostic.rule, &finding.diagnostic.message)).collect();
    assert!(denied.is_empty(), "{}: {denied:#?}", root.display());
    digest::write(&lock).unwrap()
}

/// The console's sealed lock, compiled once.
pub(crate) fn console_lock() -> &'static [u8] {
    static LOCK: OnceLock<Vec<u8>> = OnceLock::new();
    LOCK.get_or_init(|| compile(&console()))
}

/// Trust in a tree's policy and environment, unsigned.
pub(crate) fn trust(root: &Path) -> Trust {
    let manifest = read::manifest(root);
    let word = |key: &str| manifest.get(key).map(|word| word.as_str().unwrap().to_owned());
    Trust {
        allow_gap: false,
        environment: word("environment"),
        policy: word("name").unwrap(),
        signers: Signers::Unsigned,
    }
}

/// Loads a tree's lock, every proof asked.
pub(crate) fn load(root: &Path, bytes: &[u8]) -> Bundle {
    Bundle::load(bytes, &trust(root), None).unwrap_or_else(|error| panic!("{}: {error}", root.display()))
}
