//! `docs/adopting.md`, followed literally: its files are written, its commands are run, and say what the page says.

use std::fs;
use std::path::Path;

use crate::cli_common::Scratch;

/// The fences of a page, in order: what stands behind the backticks, and the body.
pub(crate) fn fences(page: &str) -> Vec<(&str, &str)> {
    let mut fences = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find("\n```") {
        let (info, body) = rest[at + 4..].split_once('\n').unwrap();
        let end = body.find("```\n").unwrap();
        fences.push((info.trim(), &body[..end]));
        rest = &body[end + 3..];
    }
    fences
}

/// Whether `said` is what the page expects; a line `…` stands for any number of lines.
pub(crate) fn is_as_written(expected: &[&str], said: &[&str]) -> bool {
    match expected.split_first() {
        None => said.is_empty(),
        Some((&"…", rest)) => (0..=said.len()).any(|skipped| is_as_written(rest, &said[skipped..])),
        Some((line, rest)) => said.first() == Some(line) && is_as_written(rest, &said[1..]),
    }
}

/// Both streams of a run, the notes first, without blank lines.
fn said(scratch: &Scratch, command: &str) -> String {
    let arguments: Vec<&str> = command.split(' ').collect();
    let transcript = scratch.transcript(&arguments);
    let (out, err) = transcript.split_once("--- stderr\n").unwrap_or((transcript.as_str(), ""));
    let out = out.lines().skip(1).take_while(|line| !line.starts_with("--- exit"));
    let err = err.lines().take_while(|line| !line.starts_with("--- exit"));
    err.chain(out).filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_existing_tree_is_adopted_as_the_page_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/adopting.md");
    let page = fs::read_to_string(path).unwrap();
    let scratch = Scratch::empty();
    let mut runs = 0;
    for (info, body) in fences(&page) {
        if let Some((_, path)) = info.split_once("file=") {
            scratch.write(path, body);
        }
        if info != "console" {
            continue;
        }
        for run in body.split("$ harnessc ").skip(1) {
            let (command, expected) = run.split_once('\n').unwrap();
            let said = said(&scratch, command);
            let expected: Vec<&str> = expected.lines().filter(|line| !line.is_empty()).collect();
            let lines: Vec<&str> = said.lines().collect();
            assert!(is_as_written(&expected, &lines), "$ harnessc {command}\n{said}");
            runs += 1;
        }
    }
    assert!(runs >= 8, "only {runs} commands were found on the page");
}
