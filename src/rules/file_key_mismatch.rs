//! See the page beside this file.

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::syntax::{Document, Kind};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("file-key-mismatch");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for document in &cx.tree.documents {
        sink.extend(finding(cx, document));
    }
}

fn finding(cx: &Cx<'_>, document: &Document) -> Option<Diagnostic> {
    let Kind::Map(sections) = &document.root.as_ref()?.kind else { return None };
    let [section] = sections.as_slice() else { return None };
    let noun = match section.key.as_str() {
        "harnesses" => "harness",
        "rubrics" => "rubric",
        _ => return None,
    };
    let Kind::Map(entries) = &section.value.kind else { return None };
    let [only] = entries.as_slice() else { return None };
    let path = cx.tree.sources.path(document.span.file);
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.strip_suffix(".yaml").unwrap_or(file);
    let key = &only.key.value;
    (stem != key).then(|| {
        Diagnostic::new(
            ID,
            only.key.span,
            format!("this file holds {noun} `{key}` alone and is named `{file}`"),
            format!("in `{path}`"),
        )
        .note(format!("who looks for `{key}` looks for `{key}.yaml`"))
        .help(format!("rename the file to `{folder}/{key}.yaml`, or the {noun} to `{stem}` wherever it is named"))
    })
}
