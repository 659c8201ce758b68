//! `test --mutate`: the score, and each survivor with the test that would notice it.

use std::collections::BTreeMap;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use schemars::JsonSchema;
use serde::Serialize;

use super::report::line;
use crate::cli::outcome::Said;
use crate::cli::style;
use crate::report::{Look, Table, visible};
use crate::source::Sources;
use crate::trial::mutate::{Fate, Kind, Score, Tried, score};

/// What is weakened: every fact, or those of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    All,
    One(Kind),
}

/// The word that stands for every kind.
const ALL: &str = "all";

impl Which {
    /// Reads what stands behind `--mutate`.
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        let kinds = Kind::ALL.iter().map(|kind| PossibleValue::new(kind.word()).help(kind.means()));
        let all = std::iter::once(PossibleValue::new(ALL).help("Every fact"));
        PossibleValuesParser::new(all.chain(kinds)).map(|word| {
            Kind::ALL.iter().find(|kind| kind.word() == word).map_or(Self::All, |kind| Self::One(*kind))
        })
    }

    /// Whether mutants of this kind are asked for.
    pub(super) fn takes(self, kind: Kind) -> bool {
        self == Self::All || self == Self::One(kind)
    }
}

/// A share of weakenings in thousandths, written in percent: `97`, `97.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share(usize);

impl std::str::FromStr for Share {
    type Err = &'static str;

    fn from_str(written: &str) -> Result<Self, Self::Err> {
        const HELP: &str = "a share is a number from 0 to 100 with at most one decimal, such as 95 or 97.5";
        let (whole, part) = written.split_once('.').unwrap_or((written, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.len() != 1 {
            return Err(HELP);
        }
        let read = |text: &str| text.parse::<usize>().map_err(|_| HELP);
        let share = read(whole)?.checked_mul(10).ok_or(HELP)? + read(part)?;
        if share > 1000 { Err(HELP) } else { Ok(Self(share)) }
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{} %", self.0 / 10, self.0 % 10)
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
    /// Why the score is too low, where it is. Where nothing that was tried changes the policy there is none, and no share but
    /// 0 is reached: a gate whose kind of weakening no longer occurs says so.
    pub(super) fn short_of(&self, least: Share) -> Option<String> {
        let (_, all) = score(&self.tried);
        let noticed = all.rule + all.test;
        let of = noticed + all.survived;
        if of == 0 && least.0 > 0 {
            return Some(format!(
                "no weakening that changes the policy was tried, and `--min-score` asks for {least}"
            ));
        }
        (noticed * 1000 < least.0 * of)
            .then(|| format!("{noticed} of {of} weakenings were noticed, and `--min-score` asks for {least}"))
    }

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
                    let shown: Vec<String> = test.lines().map(abridged).collect();
                    shown.iter().for_each(|line| said.line(format!("    {line}")));
                    if !shown.iter().map(String::as_str).eq(test.lines()) {
                        let whole = "  abridged where a text is long; `--format json` has the test as it can be pasted";
                        said.line(style::dim(look, whole));
                    }
                }
                None => said.line(style::dim(look, "  no test was found that would notice")),
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

/// A text in a test that is longer than this is abridged on a screen.
const LONG: usize = 120;

/// A line of a test, each text in quotes that is too long for a screen by its beginning and its length.
fn abridged(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('"') {
        let mut escaped = false;
        let end = behind.find(|c| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        let (text, after) = end.and_then(|end| behind.split_at_checked(end)).unwrap_or((behind, ""));
        let count = text.chars().count();
        out.push_str(before);
        out.push('"');
        if count > LONG {
            let head: String = text.chars().take(LONG / 4).collect();
            out.push_str(&format!("{head}… {count} characters"));
        } else {
            out.push_str(text);
        }
        rest = match after.strip_prefix('"') {
            Some(more) => {
                out.push('"');
                more
            }
            None => after,
        };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{Share, abridged};

    #[test]
    fn long_texts_are_abridged_and_all_else_stays() {
        let line = r#"    call: {tool: a.b, input: {"id":"x\"y","reply":"LONG","end":1}}"#;
        assert_eq!(abridged(line), line);
        let long = line.replace("LONG", &"a".repeat(1001));
        let shown = abridged(&long);
        assert!(shown.contains(&format!("\"{}… 1001 characters\",\"end\":1", "a".repeat(30))), "{shown}");
        assert!(shown.starts_with(r#"    call: {tool: a.b, input: {"id":"x\"y","#), "{shown}");
        assert_eq!(abridged(r#"ends "open"#), r#"ends "open"#);
    }

    #[test]
    fn a_share_is_read_as_a_person_writes_it() {
        for (written, share) in [("0", 0), ("95", 950), ("97.5", 975), ("100", 1000), ("100.0", 1000)] {
            assert_eq!(written.parse(), Ok(Share(share)), "{written}");
        }
        for written in ["", "-1", "101", "100.1", "97.55", "97,5", "97.", ".5", "95%", "99999999999999999999"]
        {
            assert!(written.parse::<Share>().is_err(), "{written}");
        }
    }
}
