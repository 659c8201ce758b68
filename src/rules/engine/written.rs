//! Edits of a mapping as it is written: an entry more, an entry less, nothing else touched.
//!
//! Where the layout leaves a doubt, there is no edit.

use crate::diagnostic::Edit;
use crate::rules::Cx;
use crate::source::{Span, Spanned};
use crate::syntax::yaml::scalar;
use crate::syntax::{Entry, Kind, Node, Style};

/// The entry to which keys lead from the root of the file that `at` lies in.
pub(crate) fn entry<'a>(cx: &'a Cx<'_>, at: Span, keys: &[&str]) -> Option<&'a Entry> {
    let document = cx.tree.documents.iter().find(|document| document.span.file == at.file)?;
    let (last, before) = keys.split_last()?;
    let mut node: &Node = document.root.as_deref()?;
    for key in before {
        let entry = node.get(key).filter(|entry| entry.alias.is_none())?;
        node = &entry.value;
    }
    node.get(last).filter(|entry| entry.alias.is_none())
}

/// `key: word`, each as the text that it is.
pub(crate) fn pair(key: &str, word: &str) -> String {
    format!("{}: {}", scalar(key), scalar(word))
}

/// Where another word takes the place of the text at `at`, and as it is written there: within the quotes that stand already, else
/// as the text that it is.
pub(crate) fn instead(cx: &Cx<'_>, at: Span, word: &str) -> (Span, String) {
    let text = cx.tree.sources.slice(at);
    let quoted =
        text.len() >= 2 && ["\"", "'"].iter().any(|quote| text.starts_with(quote) && text.ends_with(quote));
    if quoted && !word.contains(['"', '\'', '\\']) {
        (Span { start: at.start + 1, end: at.end - 1, ..at }, word.to_owned())
    } else {
        (at, scalar(word))
    }
}

/// Puts `key: word` for each of `more` behind a mapping's last entry, as the others are written.
pub(crate) fn appended(cx: &Cx<'_>, mapping: &Node, more: &[(String, &str)]) -> Option<Edit> {
    let Kind::Map(entries) = &mapping.kind else { return None };
    let more: Vec<String> = more.iter().map(|(key, word)| pair(key, word)).collect();
    let (first, last) = (entries.first()?, entries.last().filter(|last| last.alias.is_none())?);
    let text = &cx.tree.sources.get(mapping.span.file)?.text;
    let end = last.value.span.end as usize;
    if cx.tree.sources.slice(mapping.span).starts_with('{') {
        let added: String = more.iter().map(|pair| format!(", {pair}")).collect();
        return Some(Edit { span: Span::new(mapping.span.file, end..end), replacement: added });
    }
    if ends_in_block_of_text(&last.value) {
        return None;
    }
    let before = text.get(..first.key.span.start as usize)?;
    let indent = before.rsplit('\n').next()?;
    if !indent.chars().all(|c| c == ' ') {
        return None;
    }
    let rest = text.get(end..)?;
    let line = rest.find('\n').unwrap_or(rest.len());
    let line = line - usize::from(rest.get(..line)?.ends_with('\r'));
    let feed = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let added: String = more.iter().map(|pair| format!("{feed}{indent}{pair}")).collect();
    Some(Edit { span: Span::new(mapping.span.file, end + line..end + line), replacement: added })
}

/// Whether a value ends in a block scalar: which of the lines behind it are its own depends on how it is marked.
fn ends_in_block_of_text(value: &Node) -> bool {
    let mut at = value;
    loop {
        let below = match &at.kind {
            Kind::Map(entries) => entries.last().filter(|last| last.alias.is_none()).map(|last| &last.value),
            Kind::List(items) => items.last(),
            kind => return matches!(kind, Kind::Text(_, Style::Block)),
        };
        // An item that came by an alias stands elsewhere.
        match below.filter(|below| at.span.file == below.span.file && at.span.end <= below.span.end) {
            Some(below) => at = below,
            None => return false,
        }
    }
}

/// Takes an entry out of a mapping that is written within a line.
pub(crate) fn removed(cx: &Cx<'_>, mapping: &Node, key: &str) -> Option<Edit> {
    let Kind::Map(entries) = &mapping.kind else { return None };
    if !cx.tree.sources.slice(mapping.span).starts_with('{') {
        return None;
    }
    let at = entries.iter().position(|entry| entry.key.value == key)?;
    let gone = entries.get(at).filter(|entry| entry.alias.is_none())?;
    let span = match (at.checked_sub(1).and_then(|before| entries.get(before)), entries.get(at + 1)) {
        (Some(before), _) if before.alias.is_none() => {
            Span { start: before.value.span.end, ..gone.value.span }
        }
        (None, Some(next)) => Span { end: next.key.span.start, ..gone.key.span },
        _ => return None,
    };
    let plain = !cx.tree.sources.slice(span).contains(['\n', '#']);
    plain.then(|| Edit { span, replacement: String::new() })
}

/// Takes an item out of a list that is written within a line.
pub(crate) fn without<T>(cx: &Cx<'_>, items: &[Spanned<T>], at: usize) -> Option<Edit> {
    let gone = items.get(at)?.span;
    let text = &cx.tree.sources.get(gone.file)?.text;
    let before = at.checked_sub(1).and_then(|before| items.get(before));
    let (span, between) = match (before, items.get(at + 1)) {
        (Some(before), _) => {
            let span = Span { start: before.span.end, ..gone };
            (span, text.get(before.span.end as usize..gone.start as usize)?)
        }
        (None, Some(next)) => {
            let span = Span { end: next.span.start, ..gone };
            (span, text.get(gone.end as usize..next.span.start as usize)?)
        }
        (None, None) => {
            let alone = text.get(..gone.start as usize)?.trim_end_matches(' ').ends_with('[');
            return alone.then(|| Edit { span: gone, replacement: String::new() });
        }
    };
    (between.trim() == "," && !between.contains('\n')).then(|| Edit { span, replacement: String::new() })
}

/// Puts further items behind the last one of a list that is written within a line.
pub(crate) fn longer<T>(cx: &Cx<'_>, items: &[Spanned<T>], more: &[&str]) -> Option<Edit> {
    let last = items.last()?.span;
    let text = &cx.tree.sources.get(last.file)?.text;
    let end = last.end as usize;
    let added: String = more.iter().map(|item| format!(", {item}")).collect();
    let closes = text.get(end..)?.trim_start().starts_with(']');
    closes.then_some(Edit { span: Span { start: last.end, ..last }, replacement: added })
}
