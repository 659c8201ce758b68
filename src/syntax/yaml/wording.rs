//! The words for what is wrong with a document that parses. What does not parse has its words in `fault`.

pub(super) use super::fault::fault;
use crate::diagnostic::{Applicability, Diagnostic, Edit, RuleId};
use crate::source::{FileId, Span};
use crate::syntax::{BAD_KEY, YAML_SYNTAX};

const MULTI_DOCUMENT: RuleId = RuleId("multi-document");
pub(super) const YAML_TAG: RuleId = RuleId("yaml-tag");
const MERGE_KEY: RuleId = RuleId("merge-key");
const CUT_COMMENT: RuleId = RuleId("cut-comment");

/// `---` a second time.
pub(super) fn second_document(span: Span) -> Diagnostic {
    Diagnostic::new(
        MULTI_DOCUMENT,
        span,
        "this file holds more than one document",
        "a second document begins here",
    )
    .note("what stands from here on was not read; many readers would take the first document alone and say nothing")
    .help("remove the `---`, or move the second document to a file of its own")
}

/// `%YAML` with a version other than 1.2. `span` is where the document begins; the directive stands before it.
pub(super) fn version(file: FileId, text: &str, span: Span, version: (u32, u32)) -> Diagnostic {
    let before = text.get(..span.start as usize).unwrap_or("");
    let span = match before.rfind("%YAML") {
        Some(start) => {
            let line = before.get(start..).unwrap_or("").split(['\n', '\r', '#']).next().unwrap_or("");
            Span::new(file, start..start + line.trim_end().len())
        }
        None => span,
    };
    Diagnostic::new(
        YAML_SYNTAX,
        span,
        format!("this file asks to be read as YAML {}.{}", version.0, version.1),
        "the directive",
    )
    .note("policies are read as YAML 1.2; in 1.1, `no` and `on` are booleans and `012` is ten")
    .help("remove the directive")
}

/// `!…` before a value.
pub(super) fn tag(span: Span, tag: &str) -> Diagnostic {
    Diagnostic::new(YAML_TAG, span, format!("the tag `{tag}` may not be used"), "a tag")
        .note("a tag changes the type of a value out of the reviewer's sight; what a key expects decides it here")
        .help(format!("remove `{tag}`; where text is meant that looks like a number or a boolean, quote it"))
}

/// `<<` as a key.
pub(super) fn merge_key(span: Span) -> Diagnostic {
    Diagnostic::new(MERGE_KEY, span, "merge keys (`<<`) are not part of the language", "a merge key")
        .note("a merge adds keys that are not to be seen where they take effect; it is passed over")
        .help("write the merged keys out, or name the shared part (a toolset, a type) and refer to it")
}

/// A number or a boolean as a key.
pub(super) fn scalar_key(span: Span, what: &str, written: &str) -> Diagnostic {
    let finding = Diagnostic::new(
        BAD_KEY,
        span,
        format!("the key `{written}` is {what}, and keys are text"),
        format!("{what} to YAML"),
    )
    .note("readers of YAML differ on what name such a key has");
    if written.contains(['"', '\\', '\n', '\r', '*']) {
        return finding.help("quote the key");
    }
    finding.help(format!("quote it: `\"{written}\"`")).fix(
        "quote the key",
        Applicability::Safe,
        span,
        format!("\"{written}\""),
    )
}

/// A list, a mapping or nothing as a key.
pub(super) fn odd_key(span: Span, what: &str, written: &str) -> Diagnostic {
    let finding = Diagnostic::new(BAD_KEY, span, format!("a key here is {what}, and keys are text"), what)
        .note("the entry is passed over");
    if written.starts_with('{') {
        finding.help("where `{{ … }}` is meant as text, quote the whole value")
    } else {
        finding.help("write a text before the colon")
    }
}

/// ` #` without a space behind it: `cut` is the text before, `comment` what it lost.
pub(super) fn cut_comment(cut: Span, comment: Span, text: &str, lost: &str) -> Diagnostic {
    let lost = lost.trim_end();
    let shown: String = lost.chars().take(20).collect();
    let quote = |span: Span, replacement: &str| Edit { span, replacement: replacement.to_owned() };
    let finding = Diagnostic::new(
        CUT_COMMENT,
        comment,
        format!("the text ends before `#{shown}`: ` #` begins a comment"),
        "read as a comment",
    )
    .label(cut, "all that is left of the text")
    .note("one space before `#` and none behind it is how an issue or a channel is written, not a comment")
    .help("quote the whole text; where a comment is meant, write a space behind `#`");
    if text.contains('\'') || lost.contains('\'') {
        return finding;
    }
    let start = Span { end: cut.start, ..cut };
    let end = comment.start as usize + 1 + lost.len();
    let end = Span::new(cut.file, end..end);
    finding.fix_all("quote the text", Applicability::Unsafe, vec![quote(start, "'"), quote(end, "'")])
}

/// `*name` without an anchor.
pub(super) fn unknown_alias(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        YAML_SYNTAX,
        span,
        format!("`*{name}` refers to an anchor that is not defined before it"),
        format!("no `&{name}` stands above"),
    )
    .note("an unquoted `*` begins an alias, a reference to a value that was marked with `&`")
    .help(format!("where the text `*{name}` is meant, quote it; else mark the value with `&{name}` first"))
}

/// `*name` inside the value that `&name` marks.
pub(super) fn alias_of_itself(span: Span, written: &str) -> Diagnostic {
    Diagnostic::new(
        YAML_SYNTAX,
        span,
        format!("`{written}` stands inside the very value it refers to"),
        "holds itself",
    )
    .note("a value that holds itself has no end")
    .help("write out what is meant instead of the alias")
}
