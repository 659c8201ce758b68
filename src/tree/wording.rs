//! The words for what is wrong with a file as such.

use super::MANIFEST;
use crate::diagnostic::{Diagnostic, RuleId};
use crate::source::Span;
use crate::source::disk::MAX_FILE_BYTES;
use crate::syntax::INPUT_TOO_LARGE;
use crate::syntax::toml::BAD_MANIFEST;

const WRONG_EXTENSION: RuleId = RuleId("wrong-extension");

pub(super) fn too_large(span: Span, size: u64) -> Diagnostic {
    let limit = MAX_FILE_BYTES / (1024 * 1024);
    Diagnostic::new(
        INPUT_TOO_LARGE,
        span,
        format!("this file has {size} bytes, and the limit is {limit} MiB"),
        "",
    )
    .note("nothing of it was read: what is this large cannot be reviewed, and could exhaust the reader")
    .help("split the file; a section may be spread over any number of files")
}

pub(super) fn link(span: Span, path: &str) -> Diagnostic {
    Diagnostic::new(WRONG_EXTENSION, span, format!("`{path}` is a link or no regular file, and links are not followed"), "")
        .note("it was not read: what a link leads to can change without a change of the policy, or lie outside of it")
        .help("put the file itself here, or remove the link")
}

pub(super) fn unnameable(span: Span, path: &str) -> Diagnostic {
    Diagnostic::new(WRONG_EXTENSION, span, format!("the name of `{path}` is not UTF-8"), "")
        .note("it was not read: paths are compared as text, and this one is none")
        .help("rename it with letters that every system writes alike")
}

pub(super) fn extension(span: Span, path: &str, right: &str) -> Diagnostic {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    Diagnostic::new(WRONG_EXTENSION, span, format!("files here end in `.{right}`, and `{path}` does not"), "")
        .note("it was not read: one spelling is read, so that no file is held in force that is not")
        .help(if path.ends_with(".json") {
            format!("write it as YAML in `{stem}.{right}`, or move it out of this folder")
        } else {
            format!("rename it to `{stem}.{right}`, or move it out of this folder")
        })
}

pub(super) fn no_folder(span: Span, path: &str) -> Diagnostic {
    Diagnostic::new(
        WRONG_EXTENSION,
        span,
        format!("`{path}` is a file, and a folder of that name belongs here"),
        "",
    )
    .note("a policy keeps its files in folders of fixed names, and nothing is read from this one")
    .help(format!("move what it holds into a file below `{path}/`"))
}

pub(super) fn astray(span: Span, path: &str, folder: &str) -> Diagnostic {
    let parts = folder.split('/').count();
    let written: Vec<&str> = path.split('/').take(parts).collect();
    let written = written.join("/");
    Diagnostic::new(WRONG_EXTENSION, span, format!("`{written}/` is not read, and is a slip away from `{folder}/`"), "")
        .note("folders of a tree have fixed names, and what stands in any other is not in force")
        .help(format!("rename it to `{folder}/`; where it has nothing to do with the policy, give it a name that is further away"))
}

pub(super) fn no_manifest(span: Span) -> Diagnostic {
    Diagnostic::new(BAD_MANIFEST, span, format!("there is no `{MANIFEST}`"), "")
        .note("the manifest names the policy and its versions")
        .help("write one: `[policy]`, and `name = \"…\"` under it")
}
