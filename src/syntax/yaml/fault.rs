//! The words for what does not parse.

use super::event::{Fault, FaultKind};
use super::limit;
use super::place::{escape, opening_quote, place, word};
use super::wording::YAML_TAG;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::syntax::YAML_SYNTAX;

/// What is said of a kind of fault: message, label and help.
struct Words {
    message: String,
    label: &'static str,
    help: &'static str,
}

/// A finding for a fault; its place is the character where the parser stopped, moved to where an author would look.
/// `reached` is the end of what was read before it.
pub(super) fn fault(file: FileId, text: &str, reached: usize, fault: Fault) -> Diagnostic {
    let range = match fault.kind {
        FaultKind::Quote | FaultKind::QuoteIndentation => opening_quote(text, reached, fault.at),
        FaultKind::Escape => escape(text, fault.at),
        FaultKind::Tag => word(text, fault.at),
        _ => place(text, fault.at),
    };
    let span = Span::new(file, range.clone());
    let (rule, kind) = match fault.kind {
        FaultKind::TooDeep => return limit::depth(span),
        FaultKind::Tag => (YAML_TAG, FaultKind::Tag),
        FaultKind::KeyExpected if begins_a_key(text, range.start) => (YAML_SYNTAX, FaultKind::Indentation),
        FaultKind::SecondColon if behind_a_long_key(text, range.start) => (YAML_SYNTAX, FaultKind::LongKey),
        kind => (YAML_SYNTAX, kind),
    };
    let words = words(&kind, text.get(range).unwrap_or(""));
    Diagnostic::new(rule, span, words.message, words.label)
        .note("nothing of this file was read, for what follows such a place can only be guessed")
        .help(words.help)
}

/// Whether more than the longest key stands before `at` on its line.
fn behind_a_long_key(text: &str, at: usize) -> bool {
    let line = text.get(..at).unwrap_or("").rsplit(['\n', '\r']).next().unwrap_or("");
    line.len() > 1024
}

/// Whether the line goes on from `at` as a key and a colon.
fn begins_a_key(text: &str, at: usize) -> bool {
    let line = text.get(at..).unwrap_or("").split(['\n', '\r']).next().unwrap_or("");
    line.contains(": ") || line.trim_end().ends_with(':')
}

fn words(kind: &FaultKind, at: &str) -> Words {
    match kind {
        FaultKind::Quote => {
            say("the quote that opens here is not closed", "opened here", "close it with the same quote")
        }
        FaultKind::QuoteIndentation => say(
            "the quote that opens here is not closed before a line that is not indented",
            "opened here",
            "close it with the same quote; further lines of a quoted text are indented deeper than its key",
        ),
        FaultKind::AfterQuote => say(
            "something stands behind the closing quote",
            "the quoted text ended before this",
            "quote the whole text, and write a quote inside it as `\\\"` (in single quotes as `''`)",
        ),
        FaultKind::Escape => say(
            "this is not an escape that YAML knows",
            "in a double-quoted text, `\\` begins an escape",
            "write `\\\\` for a backslash, or put the text in single quotes, where `\\` is plain",
        ),
        FaultKind::OpenBracket(open) => say(
            format!("the bracket `{open}` is not closed"),
            "the closing bracket is missing",
            "close it; a ` #` inside the brackets begins a comment, and a text that begins with a bracket needs quotes",
        ),
        FaultKind::WrongBracket => say(
            format!("the bracket `{at}` closes nothing that is open here"),
            "does not match",
            "match the brackets, or quote a text that holds one",
        ),
        FaultKind::MixedBrackets(open, close) => say(
            format!("the bracket `{open}` is closed by `{close}`"),
            "opened here",
            "match the brackets, or quote a text that holds one",
        ),
        FaultKind::Comma => say(
            "a comma or the closing bracket is missing",
            "expected before this",
            "separate the items with commas; quote a text that holds `: `, `{` or `[`",
        ),
        FaultKind::Tab => say("a tab stands where YAML allows spaces alone", "a tab", "indent with spaces"),
        FaultKind::Indentation => say(
            "this line begins in a column that fits nothing above it",
            "unexpected indentation",
            "line it up with the keys or items it belongs to",
        ),
        _ => words_of_layout(kind, at),
    }
}

/// For what stands in a place where it cannot.
fn words_of_layout(kind: &FaultKind, at: &str) -> Words {
    match kind {
        FaultKind::SecondColon => say(
            "a `: ` stands where no key can be",
            "a second key on this line, or a key inside a text",
            "quote the text where it holds `: `; begin a further key on a line of its own; see whether the line above lacks its colon",
        ),
        FaultKind::LongKey => say(
            "the key before this colon has more than 1,024 characters",
            "the colon",
            "give it a shorter name; where it is no key but a text, quote the text",
        ),
        FaultKind::KeyExpected => say(
            "a key with a colon is expected here",
            "no `: ` follows",
            "write `key: value`; a text of several lines is indented deeper than its key, and a key is at most 1,024 characters long",
        ),
        FaultKind::ItemNotAllowed => say(
            "a list item (`- `) cannot stand here",
            "not in a list",
            "begin the list on the line after its key; inside `[…]`, separate items with commas; quote a text that begins with `-`",
        ),
        _ => words_of_marks(kind, at),
    }
}

/// For what a mark of YAML's own brings about: `#`, `|`, `%`, `!`, `*`, `---`.
fn words_of_marks(kind: &FaultKind, at: &str) -> Words {
    match kind {
        FaultKind::Reserved(character) => reserved(*character),
        FaultKind::Comment => say(
            "a comment cannot stand here",
            "inside a text, or without a space before it",
            "put a space before `#`, or quote the text that holds it",
        ),
        FaultKind::Block => say(
            "the text after `|` or `>` is not laid out as YAML asks",
            "here",
            "write nothing but `|`, `>`, `-`, `+` and an indentation from 1 to 9 behind the key, then lines indented alike",
        ),
        FaultKind::ByteOrderMark => say(
            "a byte order mark stands inside the text",
            "not to be seen in most editors",
            "remove it; it may stand at the very beginning of a file alone",
        ),
        FaultKind::Directive => say(
            "this line, which begins with `%`, is no directive that is allowed here",
            "a directive",
            "remove it; quote a text that begins with `%`",
        ),
        FaultKind::Tag => say(
            "this is read as a tag, and tags may not be used",
            "`!` begins a tag",
            "quote a text that begins with `!`",
        ),
        FaultKind::AnchorName => say(
            format!("`{}` needs a name behind it", at.trim()),
            "begins an anchor or an alias",
            "quote a text that begins with `*` or `&`: `\"*\"`",
        ),
        FaultKind::Document => say(
            "this cannot follow here: it stands outside of the document",
            "unexpected",
            "a file holds one document and no `---` or `...` behind its start; check the indentation of this line",
        ),
        FaultKind::Other(told) => {
            say(format!("this is not valid YAML: {told}"), "here", "quote the text, or check the lines above")
        }
        _ => say("this is not valid YAML", "here", "quote the text, or check the lines above"),
    }
}

fn reserved(character: char) -> Words {
    say(
        format!("a text cannot begin with `{}`", character.escape_default()),
        "YAML keeps this character for itself",
        "quote the text",
    )
}

fn say(message: impl Into<String>, label: &'static str, help: &'static str) -> Words {
    Words { message: message.into(), label, help }
}
