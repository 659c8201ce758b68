//! What belongs to a tree, on disk and in memory.

use super::*;
use crate::diagnostic::Diagnostic;

const MANIFEST_TEXT: &str = "[policy]\nname = \"desk\"\n";

fn files(list: &[(&str, &[u8])]) -> Vec<(String, Vec<u8>)> {
    list.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect()
}

fn small() -> Vec<(String, Vec<u8>)> {
    files(&[
        ("tools/b.yaml", b"tools: {}\n"),
        ("harness.toml", MANIFEST_TEXT.as_bytes()),
        ("harnesses/deep/er/x.yaml", b"harnesses:\r\n  x: {}\r\n"),
        ("tests/policy/t.yaml", b"tests: {}\n"),
        ("tests/other.yaml", b"not: read\n"),
        ("prompts/v1/harness/x.txt", b"Be brief.\n"),
        ("vendor/github.tools.json", b"{\"tools\": []}"),
        ("README.md", b"# hi"),
        ("agent/config.py", b"KEYS = ['x']\n"),
    ])
}

fn paths(tree: &Tree) -> Vec<String> {
    tree.sources.iter().map(|(_, file)| file.path.clone()).collect()
}

/// Findings as `rule path: message`.
fn told(tree: &Tree, sink: Sink) -> Vec<String> {
    let line = |found: Diagnostic| {
        let path = tree.sources.path(found.primary.span.file);
        format!("{} {path}: {}", found.rule, found.message)
    };
    sink.into_sorted().into_iter().map(line).collect()
}

fn write_all(files: &[(String, Vec<u8>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let full = folder.path().join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, bytes).unwrap();
    }
    folder
}

#[test]
fn the_disk_and_memory_in_any_order_give_one_tree() {
    let (memory, sink) = Tree::from_files(small());
    assert!(sink.is_empty());
    let (backwards, _) = Tree::from_files(small().into_iter().rev());
    let folder = write_all(&small());
    let (disk, sink) = Tree::open(&folder.path().join(MANIFEST)).unwrap();
    assert!(sink.is_empty());
    let wanted = [
        "harness.toml",
        "harnesses/deep/er/x.yaml",
        "prompts/v1/harness/x.txt",
        "tests/policy/t.yaml",
        "tools/b.yaml",
        "vendor/github.tools.json",
    ];
    for tree in [&memory, &backwards, &disk] {
        assert_eq!(paths(tree), wanted);
        assert_eq!(tree.digests(), memory.digests());
        assert_eq!(tree.documents.len(), 3);
        assert_eq!(tree.prompts.keys().collect::<Vec<_>>(), ["v1/harness/x.txt"]);
        assert_eq!(tree.vendor.keys().collect::<Vec<_>>(), ["vendor/github.tools.json"]);
        assert!(tree.manifest.root.as_ref().unwrap().get("policy").is_some());
    }
    assert_eq!(memory.digests()["harnesses/deep/er/x.yaml"], digest(b"harnesses:\n  x: {}\n"));
}

#[test]
fn near_misses_are_told_and_not_read() {
    let mut list = small();
    list.extend(files(&[
        ("harnesses/a.yml", b"x"),
        ("tools/B.YAML", b"x"),
        ("policies/c.json", b"{}"),
        ("prompts/v1/d.TXT", b"x"),
        ("tools/notes.md", b"x"),
    ]));
    let (tree, sink) = Tree::from_files(list);
    assert_eq!(
        told(&tree, sink),
        [
            "wrong-extension harnesses/a.yml: files here end in `.yaml`, and `harnesses/a.yml` does not",
            "wrong-extension policies/c.json: files here end in `.yaml`, and `policies/c.json` does not",
            "wrong-extension prompts/v1/d.TXT: files here end in `.txt`, and `prompts/v1/d.TXT` does not",
            "wrong-extension tools/B.YAML: files here end in `.yaml`, and `tools/B.YAML` does not",
        ]
    );
    let read = tree.documents.iter().filter(|document| !document.broken).count();
    assert_eq!((read, tree.documents.len(), tree.prompts.len()), (3, 6, 1));
}

#[test]
fn what_is_no_text_is_told_by_the_rule_of_its_kind() {
    let (tree, sink) = Tree::from_files(files(&[
        ("harness.toml", b"a = \xe9"),
        ("tools/a.yaml", b"a: \xe9"),
        ("vendor/a.json", b"\xff\xfe{\0}\0"),
        ("prompts/a.txt", b"\xe9"),
        ("prompts/b.txt", "hidden \u{e0041}\r\n\ttext \u{1b}[0m".as_bytes()),
    ]));
    assert_eq!(
        told(&tree, sink),
        [
            "bad-manifest harness.toml: byte 4 of this file (0xE9) is not UTF-8",
            "hidden-character prompts/a.txt: byte 0 of this file (0xE9) is not UTF-8",
            "hidden-character prompts/b.txt: the text holds a character that is not to be seen: U+E0041: a tag character that spells \"A\"",
            "hidden-character prompts/b.txt: the text holds a character that is not to be seen: U+001B (escape)",
            "yaml-syntax tools/a.yaml: byte 3 of this file (0xE9) is not UTF-8",
            "json-syntax vendor/a.json: this file is UTF-16 or UTF-32, and policies are UTF-8",
        ]
    );
}

#[test]
fn a_large_file_is_told_and_not_read() {
    let large = vec![b' '; 8 * 1024 * 1024 + 1];
    let list = files(&[("harness.toml", MANIFEST_TEXT.as_bytes()), ("tools/a.yaml", &large)]);
    let folder = write_all(&list);
    let wanted = ["input-too-large tools/a.yaml: this file has 8388609 bytes, and the limit is 8 MiB"];
    let (tree, sink) = Tree::open(&folder.path().join(MANIFEST)).unwrap();
    assert_eq!(told(&tree, sink), wanted);
    let (tree, sink) = Tree::from_files(list);
    assert_eq!(told(&tree, sink), wanted);
    assert!(tree.documents[0].broken);
}

#[test]
fn without_a_manifest_there_is_a_fault_on_disk_and_a_finding_in_memory() {
    let folder = write_all(&files(&[("tools/a.yaml", b"")]));
    let fault = Tree::open(&folder.path().join(MANIFEST)).unwrap_err();
    assert!(fault.to_string().contains("there is no `harness.toml` here"), "{fault}");
    let (tree, sink) = Tree::from_files(files(&[("tools/a.yaml", b"")]));
    assert_eq!(told(&tree, sink), ["bad-manifest harness.toml: there is no `harness.toml`"]);
}

#[test]
fn the_nearest_manifest_at_or_above_is_found() {
    let folder = write_all(&small());
    let manifest = folder.path().join(MANIFEST);
    assert_eq!(discover(folder.path()).unwrap(), manifest);
    assert_eq!(discover(&manifest).unwrap(), manifest);
    assert_eq!(discover(&folder.path().join("harnesses/deep")).unwrap(), manifest);
    assert_eq!(discover(&folder.path().join("tools/b.yaml")).unwrap(), manifest);
    assert!(discover(&folder.path().join("nowhere")).is_err());
}

#[cfg(unix)]
#[test]
fn a_manifest_that_is_a_link_is_none() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("other.toml"), MANIFEST_TEXT).unwrap();
    std::os::unix::fs::symlink("other.toml", folder.path().join(MANIFEST)).unwrap();
    for start in [folder.path().to_owned(), folder.path().join(MANIFEST)] {
        let fault = discover(&start).unwrap_err().to_string();
        assert!(fault.contains("is a link"), "{fault}");
    }
}

#[test]
fn a_way_that_goes_up_and_down_again_ends_where_the_folder_is() {
    let folder = tempfile::tempdir().unwrap();
    let (tree, other) = (folder.path().join("tree"), folder.path().join("other"));
    std::fs::create_dir_all(tree.join("tools")).unwrap();
    std::fs::create_dir(&other).unwrap();
    std::fs::write(tree.join(MANIFEST), MANIFEST_TEXT).unwrap();
    assert!(discover(&tree.join("../other")).is_err());
    assert!(discover(&tree.join("tools/../../other")).is_err());
    assert_eq!(discover(&other.join("../tree/tools")).unwrap(), tree.canonicalize().unwrap().join(MANIFEST));
}

/// A manifest with a `[[mirror]]` for each path.
fn mirroring(list: &[&str]) -> (String, Vec<u8>) {
    let mut text = MANIFEST_TEXT.to_owned();
    for path in list {
        text += &format!("[[mirror]]\nof = \"harnesses\"\nfile = '{path}'\n");
    }
    (MANIFEST.to_owned(), text.into_bytes())
}

#[test]
fn a_mirror_is_a_regular_file_inside_the_tree() {
    let outside =
        ["../x", "/etc/passwd", "agent/../agent/config.py", "./agent/config.py", "", "a//b", "C:/x", "a\\b"];
    let mut list = small();
    list.retain(|(path, _)| path != MANIFEST);
    list.push(("agent/latin.py".to_owned(), b"ab\xe9".to_vec()));
    let inside =
        ["agent/config.py", "agent/latin.py", "agent/none.py", "agent/config.py/x", "agent", "tools/b.yaml"];
    list.push(mirroring(&[&outside[..], &inside].concat()));
    let folder = write_all(&list);
    let (disk, sink) = Tree::open(&folder.path().join(MANIFEST)).unwrap();
    assert!(sink.is_empty());
    let (memory, _) = Tree::from_files(list);
    for tree in [&disk, &memory] {
        let file = tree.read_mirror("agent/config.py").unwrap();
        assert_eq!(&*tree.sources.get(file).unwrap().text, "KEYS = ['x']\n");
        assert_eq!(tree.digests()["agent/config.py"], digest(b"KEYS = ['x']\n"));
        let known = tree.read_mirror("tools/b.yaml").unwrap();
        assert!(tree.documents.iter().any(|document| document.span.file == known));
        for path in outside {
            assert_eq!(tree.read_mirror(path), Err(MirrorRefusal::Outside), "{path}");
        }
        assert_eq!(tree.read_mirror("agent/latin.py"), Err(MirrorRefusal::NoText(2)));
        assert_eq!(tree.read_mirror("agent/none.py"), Err(MirrorRefusal::Missing));
        assert_eq!(tree.read_mirror("agent/config.py/x"), Err(MirrorRefusal::Missing));
    }
    assert_eq!(disk.digests(), memory.digests());
    assert_eq!(disk.read_mirror("agent"), Err(MirrorRefusal::NoFile));
}

#[cfg(unix)]
#[test]
fn links_are_told_and_never_followed() {
    use std::os::unix::fs::symlink;
    let mut list = small();
    list.push(mirroring(&["agent/more/a.yaml", "tools/link.yaml"]));
    let folder = write_all(&list);
    let outside = write_all(&files(&[("a.yaml", b"tools: {evil: {}}"), ("p/x.txt", b"x")]));
    symlink(outside.path().join("a.yaml"), folder.path().join("tools/link.yaml")).unwrap();
    symlink(outside.path(), folder.path().join("tools/folder")).unwrap();
    symlink(outside.path(), folder.path().join("rubrics")).unwrap();
    symlink(outside.path(), folder.path().join("agent/more")).unwrap();
    std::fs::write(folder.path().join("policies"), "").unwrap();
    let (tree, sink) = Tree::open(&folder.path().join(MANIFEST)).unwrap();
    let told = told(&tree, sink);
    assert_eq!(
        told,
        [
            "wrong-extension policies: `policies` is a file, and a folder of that name belongs here",
            "wrong-extension rubrics: `rubrics` is a link or no regular file, and links are not followed",
            "wrong-extension tools/folder: `tools/folder` is a link or no regular file, and links are not followed",
            "wrong-extension tools/link.yaml: `tools/link.yaml` is a link or no regular file, and links are not followed",
        ]
    );
    assert_eq!(tree.documents.iter().filter(|document| document.root.is_some()).count(), 3);
    assert_eq!(tree.read_mirror("agent/more/a.yaml"), Err(MirrorRefusal::Link("agent/more".into())));
    assert_eq!(tree.read_mirror("tools/link.yaml"), Err(MirrorRefusal::Link("tools/link.yaml".into())));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf8_is_told_and_the_rest_is_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    let tools = folder.path().join("tools");
    std::fs::create_dir(&tools).unwrap();
    std::fs::write(folder.path().join("harness.toml"), MANIFEST_TEXT).unwrap();
    std::fs::write(tools.join("a.yaml"), "types: {}\n").unwrap();
    std::fs::write(tools.join(OsStr::from_bytes(b"\xff.yaml")), "types: {}\n").unwrap();
    let (tree, sink) = Tree::open(&folder.path().join("harness.toml")).unwrap();
    assert_eq!(
        told(&tree, sink),
        ["wrong-extension tools/\u{fffd}.yaml: the name of `tools/\u{fffd}.yaml` is not UTF-8"]
    );
    assert!(tree.documents.iter().any(|document| document.root.is_some()));
}
