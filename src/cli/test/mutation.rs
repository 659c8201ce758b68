//! `test --mutate`: the score, and each survivor with the test that would notice it.

use std::collections::BTreeMap;

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::report::line;
use crate::cli::outcome::Said;
use crate::cli::style;
use crate::report::{Look, Table, visible};
use crate::source::Sources;
use crate::trial::mutate::{Fate, Kind, Score, Tried, score};

/// What is weakened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Which {
    /// Every fact
    All,
    /// Words of approval, one step looser
    Approval,
    /// Tools added to harnesses
    Tool,
    /// Refusals and their verbs taken away
    Refusal,
    /// Bounds doubled
    Limit,
    /// Schemas of inputs opened
    Schema,
    /// Roles given more
    Role,
    /// Personas given more
    Bundle,
    /// Narrowings taken away
    Only,
    /// Bindings taken away
    Bind,
    /// Effects said to be weaker
    Effect,
    /// Tools shown on more surfaces, surfaces and scopes opened
    Surface,
    /// Tools exempted from the plan gate
    AlwaysAllowed,
    /// Personas added to those who may say yes
    Approver,
    /// Tools switched on
    Enabled,
}

impl Which {
    /// Whether mutants of this kind are asked for.
    pub(super) fn takes(self, kind: Kind) -> bool {
        let word = self.to_possible_value().map(|value| value.get_name().to_owned());
        self == Self::All || word.as_deref() == Some(kind.word())
    }
}

/// What `test --mutate` came to.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::cli) struct JsonMutation {
    /// How many weakenings there are.
    mutants: usize,
    /// How many of them were tried.
    tried: usize,
    /// Noticed, of those that change the lock, in thousandths; absent where nothing was weakened.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_per_mille: Option<usize>,
    /// By kind of weakening.
    kinds: BTreeMap<String, JsonScore>,
    /// Those that nobody noticed, in the order of files and text.
    survivors: Vec<JsonSurvivor>,
}

/// How many ended how.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonScore {
    /// Refused by a rule or by the runtime's proofs.
    rule: usize,
    /// Noticed by a test.
    test: usize,
    /// Without effect on any decision.
    same: usize,
    /// Noticed by nobody.
    survived: usize,
}

/// A weakening that nobody noticed.
#[derive(Debug, Serialize, JsonSchema)]
struct JsonSurvivor {
    /// Its kind.
    kind: String,
    /// The file, relative to the manifest's folder.
    file: String,
    /// The line, from 1.
    line: usize,
    /// What was weakened.
    said: String,
    /// A test that notices it, to be pasted into a file of `tests/policy/`; it was tried. Absent where none was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
}

impl From<&Score> for JsonScore {
    fn from(score: &Score) -> Self {
        Self { rule: score.rule, test: score.test, same: score.same, survived: score.survived }
    }
}

/// What was tried.
pub(super) struct Mutation {
    pub(super) mutants: usize,
    pub(super) tried: Vec<Tried>,
}

impl Mutation {
    pub(super) fn json(&self, sources: &Sources) -> JsonMutation {
        let (kinds, all) = score(&self.tried);
        let survivor = |one: &Tried| match &one.fate {
            Fate::Survived(test) => Some(JsonSurvivor {
                kind: one.mutant.kind.to_string(),
                file: sources.path(one.mutant.at.file).to_owned(),
                line: line(sources, one.mutant.at),
                said: one.mutant.said.clone(),
                test: test.clone(),
            }),
            _ => None,
        };
        JsonMutation {
            mutants: self.mutants,
            tried: self.tried.len(),
            score_per_mille: all.per_mille(),
            kinds: kinds.iter().map(|(kind, score)| (kind.to_string(), score.into())).collect(),
            survivors: self.tried.iter().filter_map(survivor).collect(),
        }
    }

    /// One line for each survivor.
    pub(super) fn short(&self, sources: &Sources, said: &mut Said) {
        for one in self.tried.iter().filter(|one| matches!(one.fate, Fate::Survived(_))) {
            let place =
                format!("{}:{}", visible(sources.path(one.mutant.at.file)), line(sources, one.mutant.at));
            said.line(format!("{place}: survived[{}]: {}", one.mutant.kind, visible(&one.mutant.said)));
        }
    }

    pub(super) fn human(&self, sources: &Sources, look: Look, said: &mut Said) {
        let (kinds, all) = score(&self.tried);
        for one in &self.tried {
            let Fate::Survived(test) = &one.fate else { continue };
            let place =
                format!("{}:{}", visible(sources.path(one.mutant.at.file)), line(sources, one.mutant.at));
            said.line(format!(
                "{}: {place}: {}",
                style::error(look, "not noticed"),
                visible(&one.mutant.said)
            ));
            match test {
                Some(test) => {
                    said.line(style::dim(look, "  this test would notice (tried in memory):"));
                    test.lines().for_each(|line| said.line(format!("    {line}")));
                }
                None => said.line(style::dim(look, "  no test was found that would")),
            }
        }
        let headers = ["weakened", "tried", "by a rule", "by a test", "no effect", "not noticed"];
        let mut table = (1..headers.len()).fold(Table::new(headers), Table::right);
        for (name, score) in kinds.iter().map(|(kind, score)| (kind.word(), score)).chain([("all", &all)]) {
            let tried = score.rule + score.test + score.same + score.survived;
            let counts =
                [tried, score.rule, score.test, score.same, score.survived].map(|count| count.to_string());
            table.push(std::iter::once(name.to_owned()).chain(counts));
        }
        said.out.push_str(&table.render(look.width));
        if self.tried.len() < self.mutants {
            said.line(format!(
                "{} of {} weakenings were tried, spread evenly; `--sample 0` tries all",
                self.tried.len(),
                self.mutants
            ));
        }
        let noticed = all.rule + all.test;
        said.line(match all.per_mille() {
            None => "nothing was weakened".to_owned(),
            Some(score) => format!(
                "{noticed} of {} weakenings that change the policy were noticed: {}.{} %",
                noticed + all.survived,
                score / 10,
                score % 10
            ),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, ValueEnum, Which};

    #[test]
    fn every_kind_can_be_asked_for_by_one_word_and_all_take_each() {
        let asked = Which::value_variants();
        assert_eq!(asked.len(), Kind::ALL.len() + 1);
        for kind in Kind::ALL {
            let taking: Vec<&Which> = asked.iter().filter(|which| which.takes(kind)).collect();
            assert!(matches!(taking[..], [Which::All, one] if *one != Which::All), "{kind:?}: {taking:?}");
        }
    }
}
