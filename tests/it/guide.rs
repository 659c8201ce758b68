//! `docs/mcp-server.md`, followed literally from an empty folder: its files are written, its edits made, its commands run, and
//! each says what the page says. The list is a sketch of GitHub's: the same names, hints and inputs, other prose.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::adopting::{fences, is_as_written};

const LIST: &str = include_str!("lists/github.tools.json");
/// What the page's author may be asked to write, in lines.
const AUTHORED: usize = 200;

/// Whether the programs that the page itself calls are here.
fn has(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    found.is_ok_and(|output| output.status.success())
}

/// The commands of a console block, each with what it says; an open quote goes on in the next line.
fn commands(body: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let is_open = |command: &str| command.matches('\'').count() % 2 == 1;
    for line in body.lines() {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (_, Some((command, said))) if said.is_empty() && is_open(command) => {
                *command += "\n";
                *command += line;
            }
            (Some(command), _) => found.push((command.to_owned(), Vec::new())),
            (None, Some((_, said))) if !line.trim().is_empty() => said.push(line.to_owned()),
            (None, _) => {}
        }
    }
    found
}

/// Runs a command in the folder as a shell would; what it says, notes first, digests and keys aside.
fn said(folder: &Path, command: &str) -> String {
    let mut path = vec![PathBuf::from(env!("CARGO_BIN_EXE_harnessc")).parent().unwrap().to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env_remove("COLUMNS")
        .env("PATH", std::env::join_paths(path).unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let said = text(output.stderr) + &text(output.stdout);
    let digests = regex::Regex::new("sha256:[0-9a-f]{64}").unwrap();
    let prints = regex::Regex::new("SHA256:[A-Za-z0-9+/]{43}").unwrap();
    let said = digests.replace_all(&said, "sha256:<digest>");
    prints.replace_all(&said, "SHA256:<fingerprint>").into_owned()
}

/// Makes the edit that a `diff` fence shows: each `-` line stands once in the file, and the `+` lines behind it take its place.
fn edit(folder: &Path, path: &str, diff: &str) {
    let mut text = fs::read_to_string(folder.join(path)).unwrap();
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        let old = line.strip_prefix('-').unwrap_or_else(|| panic!("{line}"));
        let mut new = String::new();
        while let Some(more) = lines.next_if(|line| line.starts_with('+')) {
            new += &format!("{}\n", &more[1..]);
        }
        let whole = format!("{old}\n");
        assert_eq!(text.matches(&whole).count(), 1, "`{old}` in {path}:\n{text}");
        text = text.replace(&whole, &new);
    }
    fs::write(folder.join(path), text).unwrap();
}

/// Follows the page with a list; how many commands were run, and how many lines were written.
fn follow(list: &str) -> (usize, usize) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/mcp-server.md");
    let page = fs::read_to_string(page).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("desk");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("github.tools.json"), list).unwrap();
    let (mut runs, mut authored) = (0, 0);
    for (info, body) in fences(&page) {
        match info.split_once("file=") {
            Some((kind, path)) if kind.starts_with("diff") => edit(&folder, path, body),
            Some((_, path)) => {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, body).unwrap();
                authored += body.lines().count();
            }
            None if info == "console" => {
                for (command, expected) in commands(body) {
                    let said = said(&folder, &command);
                    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
                    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
                    assert!(is_as_written(&expected, &lines), "$ {command}\n{said}");
                    runs += 1;
                }
            }
            None => {}
        }
    }
    (runs, authored)
}

#[test]
fn an_outside_server_is_taken_in_as_the_page_says() {
    if !has("jq") || !has("ssh-keygen") {
        println!("jq or ssh-keygen is not installed, and the page calls both: nothing tested");
        return;
    }
    let (runs, authored) = follow(LIST);
    assert!(runs >= 15, "only {runs} commands were found on the page");
    assert!(authored <= AUTHORED, "the page asks for {authored} lines");
    // And with the list as it is published, where it is at hand.
    if let Some(corpus) = std::env::var_os("HARNESSC_REALWORLD") {
        let list = Path::new(&corpus).join("mcp-tools/github-mcp-server.tools.json");
        follow(&fs::read_to_string(list).unwrap());
    }
}
