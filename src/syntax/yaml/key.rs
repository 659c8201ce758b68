//! Which nodes may be keys: texts that a reader can see.

use super::wording;
use crate::diagnostic::Sink;
use crate::source::{Span, Spanned};
use crate::syntax::{Kind, Node, Style, hidden, hidden_in_key};

/// The text of a key, or nothing where its entry is better passed over; what is wrong with it goes to the sink.
///
/// `place` is where it stands in `text`, which is not the node's own span where it came by an alias.
pub(super) fn read(text: &str, node: Node, place: Span, sink: &mut Sink) -> Option<Spanned<String>> {
    let what = node.what();
    match node.kind {
        Kind::Text(key, Style::Plain) if key == "<<" => {
            sink.push(wording::merge_key(place));
            None
        }
        Kind::Text(key, _) => {
            if let Some(character) = hidden::find_in_key(&key) {
                sink.push(hidden_in_key(place, character));
            }
            Some(Spanned::new(key, place))
        }
        Kind::Bool(_) | Kind::Number(_) => {
            let written = text.get(node.span.range()).unwrap_or("").to_owned();
            sink.push(wording::scalar_key(place, what, &written));
            Some(Spanned::new(written, place))
        }
        Kind::Null | Kind::List(_) | Kind::Map(_) => {
            let written = text.get(place.range()).unwrap_or("");
            sink.push(wording::odd_key(place, what, written));
            None
        }
    }
}
