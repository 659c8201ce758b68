//! Waivers: `# harnessc: allow RULE -- reason`, in YAML files and the manifest.
//!
//! A waiver covers a line: its own where something stands before it, else the next line that is no comment. A finding in a
//! file that takes no comments is covered where that file is named: a prompt's at `prompt_ref` or `instructions`, a refusal
//! line's at the refusal, a pinned tool's at its overlay.

use harnessc_runtime::lock;
use sha2::{Digest, Sha256};

use super::levels::Levels;
use super::marker::{self, Marker};
use super::subject::Subject;
use crate::diagnostic::{Applicability, Diagnostic, Level, RuleId, Sink, nearest};
use crate::rules::{Cx, RULES, rule};
use crate::source::{FileId, Span};
use crate::syntax::Comment;

const IDLE_WAIVER: RuleId = RuleId("idle-waiver");
const UNWAIVABLE: RuleId = RuleId("unwaivable");

/// One waiver that is well-formed.
struct Waiver {
    rule: String,
    reason: String,
    comment: Span,
    /// The line it covers, from 1.
    line: usize,
    used: bool,
    /// A forbidden finding that it would cover.
    refused: Option<Span>,
}

/// Every well-formed waiver of a tree.
pub(super) struct Waivers {
    waivers: Vec<Waiver>,
}

impl Waivers {
    /// Reads the comments of the manifest and of every document. What looks like a waiver and is none is a finding.
    pub(super) fn read(cx: &Cx<'_>, sink: &mut Sink) -> Self {
        let mut waivers = Vec::new();
        for document in std::iter::once(&cx.tree.manifest).chain(&cx.tree.documents) {
            let markers: Vec<_> = document.comments.iter().map(marker::read).collect();
            if markers.iter().all(Option::is_none) {
                continue;
            }
            let covered = covered(cx, &document.comments);
            for ((comment, marker), line) in document.comments.iter().zip(markers).zip(covered) {
                let Some(marker) = marker else { continue };
                if let Some((rule, reason)) = judged(marker, comment, sink) {
                    waivers.push(Waiver {
                        rule,
                        reason,
                        comment: comment.span,
                        line,
                        used: false,
                        refused: None,
                    });
                }
            }
        }
        Self { waivers }
    }

    /// The lock's record of the waiver that sets a finding aside, if one does. What is forbidden is never set aside.
    pub(super) fn excuse(
        &mut self,
        cx: &Cx<'_>,
        diagnostic: &Diagnostic,
        level: Level,
    ) -> Option<lock::Waiver> {
        let about = |waiver: &&mut Waiver| waiver.rule == diagnostic.rule.0;
        let mut candidates = self.waivers.iter_mut().filter(about).peekable();
        candidates.peek()?;
        let places = places(cx, diagnostic);
        let (waiver, place) = candidates.find_map(|waiver| {
            let covers = |span: &&Span| span.file == waiver.comment.file && line(cx, **span) == waiver.line;
            let place = places.iter().find(covers).copied()?;
            Some((waiver, place))
        })?;
        if level == Level::Forbid {
            waiver.refused.get_or_insert(diagnostic.primary.span);
            return None;
        }
        waiver.used = true;
        let subject = Subject::of(cx, place);
        Some(lock::Waiver {
            excuses: excuses(cx, diagnostic, level, &subject),
            file: cx.tree.sources.path(waiver.comment.file).to_owned(),
            reason: waiver.reason.clone(),
            rule: waiver.rule.clone(),
            subject: subject.name,
        })
    }

    /// Reports the waivers that set nothing aside. While some file does not parse, not every rule has run, and a waiver
    /// that nothing needed is not told of.
    pub(super) fn finish(&self, cx: &Cx<'_>, levels: &Levels<'_>, sink: &mut Sink) {
        for waiver in self.waivers.iter().filter(|waiver| !waiver.used) {
            if waiver.refused.is_some() || only_forbid(&waiver.rule) {
                sink.push(unwaivable(waiver));
            } else if !cx.model.broken {
                sink.push(waives_nothing(waiver, levels.silences(&waiver.rule)));
            }
        }
    }
}

fn only_forbid(id: &str) -> bool {
    rule(id).is_some_and(|rule| rule.levels.iter().all(|level| *level == Level::Forbid))
}

/// The line that each of a file's comments covers.
fn covered(cx: &Cx<'_>, comments: &[Comment]) -> Vec<usize> {
    let mut below: Option<(usize, usize)> = None;
    let mut lines: Vec<usize> = Vec::with_capacity(comments.len());
    for comment in comments.iter().rev() {
        let own = line(cx, comment.span);
        let next = match below {
            Some((line, covered)) if line == own + 1 => covered,
            _ => own + 1,
        };
        below = comment.alone.then_some((own, next));
        lines.push(if comment.alone { next } else { own });
    }
    lines.reverse();
    lines
}

fn line(cx: &Cx<'_>, span: Span) -> usize {
    let file = cx.tree.sources.get(span.file);
    file.map_or(0, |file| file.lines().position(&file.text, span.start as usize).line)
}

/// The places at which a finding can be waived.
fn places(cx: &Cx<'_>, diagnostic: &Diagnostic) -> Vec<Span> {
    let primary = diagnostic.primary.span;
    let takes_comments = |file: FileId| {
        let path = cx.tree.sources.path(file);
        path.ends_with(".yaml") || path.ends_with(".toml")
    };
    let mut places: Vec<Span> = Vec::new();
    if takes_comments(primary.file) {
        places.push(primary);
    } else {
        places.extend(
            diagnostic.labels.iter().map(|label| label.span).filter(|span| takes_comments(span.file)),
        );
        places.extend(namers(cx, primary));
    }
    places
}

/// Where a prompt file or a pinned tool is named.
fn namers<'a>(cx: &'a Cx<'_>, place: Span) -> impl Iterator<Item = Span> + 'a {
    let path = cx.tree.sources.path(place.file);
    let version = cx.model.manifest.policy.as_ref().and_then(|policy| policy.prompt_version.as_ref());
    let below = path
        .strip_prefix("prompts/")
        .and_then(|path| path.strip_prefix(version?.value.as_str())?.strip_prefix('/'));
    let prompts = cx.model.harnesses.iter().filter_map(|harness| harness.prompt_ref.as_ref());
    let instructions = cx.model.skills.iter().filter_map(|skill| skill.instructions.as_ref());
    let named = prompts.chain(instructions).filter(move |name| Some(name.value.as_str()) == below);
    let overlays = cx.policy.registry.tools().filter(move |tool| {
        let span = tool.pinned.as_ref().map(|pinned| pinned.node.span);
        span.is_some_and(|span| span.file == place.file && span.start <= place.start && place.end <= span.end)
    });
    named.map(|name| name.span).chain(overlays.map(|tool| tool.def.key.span))
}

/// The digest of what a waiver excuses: another text, another fault of it, or another definition around it is a new
/// finding. Nothing that the definition grants can change under a waiver that was given for less.
fn excuses(cx: &Cx<'_>, diagnostic: &Diagnostic, level: Level, subject: &Subject) -> String {
    let span = diagnostic.primary.span;
    let file = cx.tree.sources.get(span.file);
    let text = file.map_or("", |file| file.text.as_ref());
    let before = text.get(..span.start as usize).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..).unwrap_or("").lines().next().unwrap_or("");
    let found = [diagnostic.rule.0, level.word(), &diagnostic.message, cx.tree.sources.slice(span), line];
    let mut digest = Sha256::new();
    for part in found.into_iter().chain([subject.name.as_str(), subject.text.as_str()]) {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    format!("sha256:{:x}", digest.finalize())
}

/// The rule and the reason of a marker; what is wrong with it is a finding.
fn judged(marker: Marker<'_>, comment: &Comment, sink: &mut Sink) -> Option<(String, String)> {
    let finding = match marker {
        Marker::Malformed { meant } => malformed(comment.span, &meant),
        Marker::NoReason { rule } => no_reason(comment.span, rule),
        Marker::Waiver { rule: id, reason, .. } if rule(id).is_some() => {
            return Some((id.to_owned(), reason.to_owned()));
        }
        Marker::Waiver { rule: id, at, .. } => {
            let start = comment.span.start as usize + 1 + at;
            no_rule(Span::new(comment.span.file, start..start + id.len()), id)
        }
    };
    sink.push(finding);
    None
}

const FORM: &str = "`# harnessc: allow RULE -- reason`";

fn malformed(span: Span, meant: &str) -> Diagnostic {
    let finding =
        Diagnostic::new(IDLE_WAIVER, span, "this comment looks like a waiver and is none", "waives nothing")
            .note(format!("a waiver is written {FORM}; any other spelling is a comment like any other"))
            .help(format!("write `{meant}`"));
    if meant.contains("RULE") || meant.contains("-- reason") {
        return finding;
    }
    finding.fix("write it as a waiver", Applicability::Unsafe, span, meant)
}

fn no_reason(span: Span, rule: &str) -> Diagnostic {
    Diagnostic::new(IDLE_WAIVER, span, format!("this waiver of `{rule}` states no reason"), "waives nothing")
        .note("the reason stands in the lock, and is what a reviewer says yes or no to")
        .help(format!("write `# harnessc: allow {rule} -- ` and the reason behind it"))
}

fn no_rule(span: Span, id: &str) -> Diagnostic {
    let said = format!("this waiver is for `{id}`, and there is no such rule");
    match nearest(id, RULES.iter().map(|rule| rule.id.0)) {
        Some(meant) => Diagnostic::new(IDLE_WAIVER, span, said, format!("did you mean `{meant}`?"))
            .help(format!("write `{meant}`"))
            .fix(format!("write `{meant}`"), Applicability::Unsafe, span, meant),
        None => Diagnostic::new(IDLE_WAIVER, span, said, "waives nothing").help(
            "write the rule's name as the finding shows it, between brackets; one waiver is for one rule",
        ),
    }
}

fn waives_nothing(waiver: &Waiver, silenced: bool) -> Diagnostic {
    let Waiver { rule, line, .. } = waiver;
    let note = if silenced {
        format!("harness.toml sets `{rule}` to `allow`, so there is nothing to waive")
    } else {
        format!(
            "no finding of `{rule}` begins on line {line}, which it covers; left standing, it would hide a later one"
        )
    };
    Diagnostic::new(IDLE_WAIVER, waiver.comment, format!("this waiver of `{rule}` waives nothing"), "idle")
        .note(note)
        .help("remove it, or put it at the end of the finding's own line or on the line before it")
}

fn unwaivable(waiver: &Waiver) -> Diagnostic {
    let rule = &waiver.rule;
    let message = format!("`{rule}` cannot be waived");
    let finding = Diagnostic::new(UNWAIVABLE, waiver.comment, message, "has no effect");
    let finding = match waiver.refused {
        Some(span) => finding.label(span, "still forbidden"),
        None => finding,
    };
    finding
        .note("what a forbid rule refuses is no part of any policy, whatever the reason given for it")
        .help("remove the waiver, and mend what the rule finds")
}
