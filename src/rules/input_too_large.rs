//! See the page beside this file. `syntax` finds it while it reads; what toolsets come to is found here.

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::policy::{MAX_MENTIONS, MAX_TOOLSET_DEPTH, Overgrown};
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("input-too-large");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for found in &cx.policy.lists.overgrown {
        sink.push(match found {
            Overgrown::Deep { key, through } => deep(key, through),
            Overgrown::Many { widest, mentions } => many(cx, *widest, *mentions),
        });
    }
}

fn deep(key: &Spanned<String>, through: &Spanned<String>) -> Diagnostic {
    Diagnostic::new(
        ID,
        through.span,
        format!("toolset `{}` leads through more than {MAX_TOOLSET_DEPTH} other toolsets", key.value),
        format!("`{}` is as deep as a toolset may be", through.value),
    )
    .label(key.span, "the toolset")
    .note("nobody can say what such a list holds by reading it, so it is not followed")
    .help("name the tools themselves, or put fewer toolsets between")
}

fn many(cx: &Cx<'_>, widest: Option<&Spanned<String>>, mentions: u64) -> Diagnostic {
    let said = if mentions == u64::MAX { "more than can be counted".to_owned() } else { mentions.to_string() };
    let (at, label) = match widest {
        Some(key) => (key.span, "this toolset comes to the most"),
        None => (cx.tree.manifest.span, "this tree"),
    };
    Diagnostic::new(
        ID,
        at,
        format!("the lists of this tree mention {said} tools and cases once toolsets are written out, and the limit is {MAX_MENTIONS}"),
        label,
    )
    .note("toolsets that name toolsets multiply, and a list of that size can be neither reviewed nor held in memory")
    .help("name each toolset once in a list, and split the policy where it really is that large")
}
