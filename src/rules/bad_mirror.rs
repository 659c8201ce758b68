//! See the page beside this file.

use super::engine::mirror::{Blind, GROUP, Seen, read};
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::manifest::Mirror;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("bad-mirror");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for mirror in cx.model.manifest.mirror.iter().flatten() {
        if let Some(Seen::Nothing(blind)) = read(cx, mirror) {
            sink.extend(finding(mirror, blind));
        }
    }
}

fn finding(mirror: &Mirror, blind: Blind) -> Option<Diagnostic> {
    let (file, pattern) = (mirror.file.as_ref()?, mirror.pattern.as_ref()?);
    let path = &file.value;
    let finding = match blind {
        Blind::File(refusal) => {
            Diagnostic::new(ID, file.span, format!("the mirror `{path}` {refusal}"), "cannot be compared")
                .help("name a file inside the tree by its path from the manifest, with `/` between its parts")
        }
        Blind::Pattern(told) => {
            Diagnostic::new(ID, pattern.span, format!("this pattern cannot be read: {told}"), "no pattern")
                .help("look-around and back-references are not known here; all else is as in Python or JavaScript")
        }
        Blind::NoGroup => {
            Diagnostic::new(ID, pattern.span, format!("the pattern has no group named `{GROUP}`"), "which part holds the keys?")
                .help(format!("put the part that holds the keys into `(?<{GROUP}>…)`"))
        }
        Blind::NoMatch(found) => {
            let start = crate::source::Span::new(found, 0..0);
            Diagnostic::new(ID, pattern.span, format!("the pattern matches nowhere in `{path}`"), "no match")
                .label(start, "searched from here to the end")
                .help("follow what the file says today; `(?s)` lets `.` cross lines, and `\\s*` takes any white space")
        }
        Blind::Matches(first, second) => {
            Diagnostic::new(ID, pattern.span, format!("the pattern matches at more than one place in `{path}`"), "which one?")
                .label(first, "here")
                .label(second, "and here")
                .help("add what stands before the list that is meant, such as the name it is assigned to")
        }
    };
    let section = mirror.of.as_ref().map_or("a section", |of| of.value.as_str());
    Some(finding.note(format!("a mirror that cannot be read would let `{section}` and its copy drift apart unseen")))
}
