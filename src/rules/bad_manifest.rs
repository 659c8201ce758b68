//! See the page beside this file. `syntax` finds what is no TOML while it reads; values that mean nothing are found here.

use harnessc_runtime::lock::digest::is_digest;

use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::manifest::{EDITION, PolicyTable, ReleaseTable};
use crate::source::Spanned;

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("bad-manifest");

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    let manifest = &cx.model.manifest;
    if let Some(policy) = &manifest.policy {
        named(policy, sink);
    }
    if let Some(release) = &manifest.release {
        released(release, sink);
        leads_nowhere(release, sink);
    }
}

fn named(policy: &PolicyTable, sink: &mut Sink) {
    let texts = [
        ("name", policy.name.as_ref(), "write the name by which the runtime knows this policy"),
        ("environment", policy.environment.as_ref(), "name the environment, or take the line out"),
        ("harness_version", policy.harness_version.as_ref(), "write the version, or take the line out"),
    ];
    for (key, text, help) in texts {
        for text in text.into_iter().filter(|text| text.value.trim().is_empty()) {
            sink.push(
                finding(text, format!("`{key}` is empty"), "nothing")
                    .note("a runtime compares it with what it was told to trust, and an empty text would match by accident")
                    .help(help),
            );
        }
    }
    if let Some(edition) = policy.edition.as_ref().filter(|edition| edition.value != EDITION) {
        sink.push(
            finding(edition, format!("there is no edition {}", edition.value), "no such edition")
                .note("an edition is a rule set, and a policy is checked by the one that it names")
                .help(format!("write `edition = {EDITION}`, or use the harnessc that knows this edition")),
        );
    }
}

fn released(release: &ReleaseTable, sink: &mut Sink) {
    if let Some(revision) = release.revision.as_ref().filter(|revision| revision.value == 0) {
        sink.push(
            finding(revision, "revisions are counted from 1".to_owned(), "revision 0")
                .note("a runtime refuses a lock that is older than the one it has, and nothing is older than none")
                .help("write `revision = 1` before the first release; `harnessc release` writes the later ones"),
        );
    }
    let digest = |text: &&Spanned<String>| text.value.is_empty() || is_digest(&text.value);
    if let Some(predecessor) = release.predecessor.as_ref().filter(|text| !digest(text)) {
        sink.push(
            finding(predecessor, "`predecessor` is no digest of a lock".to_owned(), "no digest")
                .note("it names the revision before, as `sha256:` and 64 of `0-9 a-f`; the first revision has none and says `\"\"`")
                .help("restore the line that `harnessc release` wrote"),
        );
    }
}

/// The first revision and no other has none before it.
fn leads_nowhere(release: &ReleaseTable, sink: &mut Sink) {
    let (Some(revision), Some(predecessor)) = (&release.revision, &release.predecessor) else { return };
    let note = "the next lock that a runtime takes names the one that it holds, so that no runtime takes this one as the next";
    match (revision.value, predecessor.value.is_empty()) {
        (1, false) if is_digest(&predecessor.value) => sink.push(
            finding(predecessor, "revision 1 is the first, and this line names one before it".to_owned(), "none is before the first")
                .label(revision.span, "the first")
                .note(note)
                .help("write `predecessor = \"\"`; or let `harnessc release --base REV` write both lines, where there was a lock before"),
        ),
        (2.., true) => sink.push(
            finding(predecessor, format!("revision {} names no revision before it", revision.value), "none is named")
                .label(revision.span, "not the first")
                .note(note)
                .help("write `revision = 1` where no runtime held a lock before; else `harnessc release --base REV` writes both lines"),
        ),
        _ => {}
    }
}

fn finding<T>(at: &Spanned<T>, message: String, label: &str) -> Diagnostic {
    Diagnostic::new(ID, at.span, message, label)
}
