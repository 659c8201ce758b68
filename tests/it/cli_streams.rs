//! Streams that are gone, narrow, coloured or not.

use std::process::Stdio;

use crate::cli_common::Scratch;

fn faulty() -> Scratch {
    let scratch = Scratch::small();
    scratch.edit("harnesses/triager.yaml", "- tickets.read_mail", "- tickets.read_mial");
    scratch
}

/// Runs with a reader that goes away before anything is written to it.
#[cfg(unix)]
fn with_nobody_reading(scratch: &Scratch, arguments: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = scratch.command(arguments);
    let child = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    drop(command);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn a_broken_pipe_is_quiet_and_keeps_the_exit_code() {
    let scratch = Scratch::small();
    assert_eq!(with_nobody_reading(&scratch, &["show"]), (Some(0), String::new()));
    assert_eq!(with_nobody_reading(&scratch, &["explain", "--all"]), (Some(0), String::new()));
    assert_eq!(with_nobody_reading(&scratch, &["--help"]), (Some(0), String::new()));
    let faulty = faulty();
    assert_eq!(with_nobody_reading(&faulty, &["check", "--format", "json"]), (Some(1), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_and_no_success() {
    for arguments in [&["--help"][..], &["--version"], &["check", "--help"], &["show"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Scratch::small().command(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("the output could not be written"), "{arguments:?}: {said}");
    }
}

#[test]
fn colours_are_for_those_who_want_them() {
    let scratch = faulty();
    let colours = |arguments: &[&str], environment: &[(&str, &str)]| {
        let output = scratch.command(arguments).envs(environment.iter().copied()).output().unwrap();
        [output.stdout, output.stderr].concat().contains(&0x1b)
    };
    assert!(!colours(&["check"], &[]), "no terminal");
    assert!(colours(&["check", "--color", "always"], &[]));
    assert!(
        colours(&["check", "--color", "always"], &[("NO_COLOR", "1")]),
        "the flag is nearer than the variable"
    );
    assert!(colours(&["check"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colours(&["check"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colours(&["check", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colours(&["check", "--format", "json", "--color", "always"], &[]), "machines get none");
    assert!(!colours(&["check", "--format", "short", "--color", "always"], &[]));
    assert!(!colours(&["explain", "rubric-without-evidence"], &[]));
    assert!(colours(&["explain", "rubric-without-evidence", "--color", "always"], &[]));
}

#[test]
fn a_narrow_terminal_gets_narrow_lines() {
    let scratch = faulty();
    let output = scratch.command(&["check"]).env("COLUMNS", "40").output().unwrap();
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(said.lines().all(|line| line.chars().count() <= 40), "{said}");
    insta::assert_snapshot!(scratch.said("check  # COLUMNS=40", &output));
}

#[test]
fn columns_that_are_no_number_are_eighty() {
    let scratch = faulty();
    let plain = scratch.run(&["check"]).stderr;
    for odd in ["", "0", "wide", "-3", "99999999999999999999999"] {
        assert_eq!(scratch.command(&["check"]).env("COLUMNS", odd).output().unwrap().stderr, plain, "{odd}");
    }
}
