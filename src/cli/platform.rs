//! The formats that platforms read, for the verbs that find something: SARIF, workflow commands, JUnit.

use std::path::Path;

use super::outcome::Said;
use super::session::Session;
use super::{Format, Verb};
use crate::baseline::fingerprints;
use crate::diagnostic::{Finding, Level};
use crate::report::{self, Found, RuleText};
use crate::rules::RULES;
use crate::source::disk;
use crate::tree::Tree;

/// What was found in a tree.
pub(super) struct InTree<'a> {
    pub(super) findings: &'a [Finding],
    pub(super) tree: &'a Tree,
    /// The manifest's folder.
    pub(super) folder: &'a Path,
    /// Whether warnings fail the run.
    pub(super) deny_warnings: bool,
    /// The line that ends a log, where it is not how many findings there are.
    pub(super) summary: Option<String>,
}

impl Format {
    /// Whether results are one document for a platform, beside which nothing else may stand.
    pub(super) fn is_document(self) -> bool {
        matches!(self, Self::Sarif | Self::Junit)
    }

    /// Whether a platform reads it.
    pub(super) fn is_for_platforms(self) -> bool {
        matches!(self, Self::Sarif | Self::Junit | Self::Github)
    }

    /// Its name on the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Short => "short",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }

    /// Which verbs write it, where not all do.
    pub(super) fn writers(self, verb: &Verb) -> Option<&'static str> {
        let (takes, writers) = match self {
            Self::Human | Self::Short | Self::Json => return None,
            Self::Markdown | Self::Html => (matches!(verb, Verb::Diff(_)), "`diff` alone writes"),
            Self::Sarif | Self::Github | Self::Junit => (
                matches!(verb, Verb::Check(_) | Verb::Build(_) | Verb::Test(_)),
                "`check`, `build` and `test` alone write",
            ),
        };
        (!takes).then_some(writers)
    }
}

impl Session {
    /// Adds what was found to the results, in the format that was asked for.
    pub(super) fn found(&self, found: &InTree<'_>, said: &mut Said) {
        let format = self.global.format;
        if !format.is_for_platforms() {
            self.findings(found.findings, &found.tree.sources, said);
            return;
        }
        let rules = rules();
        let prints = fingerprints(found.findings, found.tree).into_iter().map(|entry| entry.fingerprint);
        let folder = disk::from_repository(found.folder);
        let shown = Found {
            findings: found.findings,
            sources: &found.tree.sources,
            folder: &folder,
            fingerprints: &prints.collect::<Vec<_>>(),
            rules: &rules,
            fails_from: if found.deny_warnings { Level::Warn } else { Level::Deny },
        };
        match format {
            Format::Sarif => said.json(&report::sarif(&shown)),
            Format::Junit => {
                said.out.push_str(&report::junit("harnessc check", &report::junit_cases(&shown)));
            }
            _ => {
                let summary = || report::summary(found.findings, &found.tree.sources);
                let summary = found.summary.clone().unwrap_or_else(summary);
                said.out.push_str(&report::github(&shown, &summary));
            }
        }
    }
}

fn rules() -> Vec<RuleText> {
    let text = |rule: &'static crate::rules::Rule| RuleText {
        id: rule.id.0,
        level: rule.levels.first().copied().unwrap_or(Level::Deny),
        summary: rule.page().summary,
        page: rule.text(),
    };
    RULES.iter().map(text).collect()
}
