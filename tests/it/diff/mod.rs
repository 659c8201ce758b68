//! What a change lets whom do: pairs of trees, brute force over both runtimes, and the ratchet under attack.

mod brute;
mod cli;
mod every_field;
mod latent;
mod pairs;
mod properties;
mod ratchet;
mod table;
mod texts;
mod trees;

#[test]
fn every_test_that_the_page_names_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/diff.md")).unwrap();
    let words = page.split('`').skip(1).step_by(2).filter_map(|word| word.split_once("::"));
    let is_module = |module: &str| module.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let words = words.filter(|(module, _)| !module.is_empty() && is_module(module));
    let mut named = 0;
    for (module, test) in words {
        let text = std::fs::read_to_string(root.join(format!("tests/it/diff/{module}.rs"))).unwrap();
        assert!(text.contains(&format!("fn {test}(")), "{module}::{test}");
        named += 1;
    }
    assert!(named > 12, "{named}");
}
