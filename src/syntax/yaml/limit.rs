//! Findings about documents that are too large to be walked.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::{INPUT_TOO_LARGE, MAX_DEPTH, MAX_NODES};

/// Collections in collections, aliases followed.
pub(super) fn depth(span: Span) -> Diagnostic {
    Diagnostic::new(
        INPUT_TOO_LARGE,
        span,
        format!("this document nests more than {MAX_DEPTH} levels deep"),
        "one level too many",
    )
    .note("nothing of this file was read: what nests this deep cannot be reviewed, and could exhaust the reader")
    .help("write it flatter, or name the inner parts as definitions of their own")
}

/// Nodes, aliases followed.
pub(super) fn nodes(span: Span) -> Diagnostic {
    Diagnostic::new(
        INPUT_TOO_LARGE,
        span,
        format!("this document comes to more than {MAX_NODES} values once its aliases are followed"),
        "the limit is passed here",
    )
    .note("nothing of this file was read: aliases of aliases multiply, so a short file can stand for an endless one")
    .help("write out what is meant, or split the file")
}
