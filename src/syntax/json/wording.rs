//! The words for what is wrong with a JSON text.

use super::hidden;
use crate::diagnostic::{Diagnostic, RuleId};
use crate::source::Span;
use crate::syntax::{INPUT_TOO_LARGE, MAX_DEPTH, MAX_NODES};

/// A pinned file is no JSON.
pub const JSON_SYNTAX: RuleId = RuleId("json-syntax");

pub(super) fn expected(here: Span, open: Span, expected: &str, ended: bool) -> Diagnostic {
    let message = if ended {
        format!("the file ends where {expected} is expected")
    } else {
        format!("{expected} is expected here")
    };
    let label = if ended { "the end of the file" } else { "something else" };
    syntax(here, message, label).label(open, "in what opens here").help(
        "take the file anew from the server; a comma before a closing bracket, a comment or a single quote is no JSON",
    )
}

pub(super) fn no_value(span: Span, ended: bool) -> Diagnostic {
    let message = if ended { "the file ends where a value is expected" } else { "this is no JSON value" };
    syntax(span, message, "expected a value").help(
        "a value is an object, a list, a text in double quotes, a number, `true`, `false` or `null`; a comma before a closing bracket is too many",
    )
}

pub(super) fn behind_the_end(span: Span) -> Diagnostic {
    syntax(span, "something stands behind the end of the document", "unexpected")
        .help("a file holds one JSON value; remove what follows it")
}

pub(super) fn number(span: Span) -> Diagnostic {
    syntax(span, "this is not a number that JSON knows", "a number")
        .help("write digits on both sides of the point, and no leading zero")
}

pub(super) fn open_string(span: Span) -> Diagnostic {
    syntax(span, "the quote that opens here is not closed on its line", "opened here")
        .help("close it; a line end inside a text is written `\\n`")
}

pub(super) fn control(span: Span, character: char) -> Diagnostic {
    let message = format!("a control character stands in this text: {}", hidden::name(character));
    syntax(span, message, "not to be seen in most editors").help("write it as an escape, or remove it")
}

pub(super) fn escape(span: Span) -> Diagnostic {
    syntax(span, "this is not an escape that JSON knows", "an escape").help(
        "write `\\\\` for a backslash; `\\u` takes four hexadecimal digits, and half of a surrogate pair is no character",
    )
}

pub(super) fn too_deep(span: Span) -> Diagnostic {
    large(span, format!("this document nests more than {MAX_DEPTH} levels deep"), "one level too many")
}

pub(super) fn too_many(span: Span) -> Diagnostic {
    large(span, format!("this document holds more than {MAX_NODES} values"), "the limit is passed here")
}

fn syntax(span: Span, message: impl Into<String>, label: &str) -> Diagnostic {
    Diagnostic::new(JSON_SYNTAX, span, message, label)
        .note("nothing of this file was read, so no tool can be pinned to it")
}

fn large(span: Span, message: String, label: &str) -> Diagnostic {
    Diagnostic::new(INPUT_TOO_LARGE, span, message, label)
        .note("nothing of this file was read: what is this large cannot be reviewed, and could exhaust the reader")
        .help("pin a smaller list: keep the tools that the policy registers")
}
