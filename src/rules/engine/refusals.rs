//! The refusals that harnesses bear, and the tools held under them.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::words::{self, Word, words};
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

use crate::model::Def;
use crate::model::refusals::Refusal;
use crate::policy::DeedId;
use crate::rules::Cx;
use crate::source::Span;

/// One forbidden verb.
pub(crate) struct Verb<'m> {
    /// As it is stated.
    pub(crate) base: &'m str,
    /// Where it is stated.
    pub(crate) at: Span,
    /// Every form that counts, sorted.
    forms: Vec<String>,
}

impl Verb<'_> {
    /// Every form that counts, in lower case.
    pub(crate) fn forms(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().map(String::as_str)
    }

    /// Whether a word in lower case is a form of the verb, or looks like one: `ѕеnd` in Cyrillic letters, `ｓｅｎｄ`, `sénd`.
    pub(crate) fn is_form(&self, word: &str) -> bool {
        self.forms.binary_search_by(|form| form.as_str().cmp(word)).is_ok()
            || (!word.is_ascii() && self.forms.iter().any(|form| look(form) == look(word)))
    }

    /// Whether a name or a title bears the verb.
    pub(crate) fn in_name(&self, name: &str) -> bool {
        self.in_words(&words(name))
    }

    /// The same for a name whose words are known.
    pub(crate) fn in_words(&self, words: &[Word]) -> bool {
        words.iter().any(|word| self.is_form(&word.lower))
    }
}

/// What a word looks like, without accents (Unicode TR 39, skeletons).
fn look(word: &str) -> String {
    skeleton(word).filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase).collect()
}

/// Whether a verb is a word as names are split into words; anything else is borne by no name.
pub(crate) fn one_word(verb: &str) -> bool {
    let verb = verb.trim();
    words(verb).first().is_some_and(|word| word.range == (0..verb.len()))
}

/// A refusal's verbs with their irregular forms.
pub(crate) fn verbs(refusal: &Def<Refusal>) -> Vec<Verb<'_>> {
    let stated = refusal.forbidden_verbs.iter().flatten().filter(|verb| !verb.trim().is_empty());
    stated
        .map(|verb| {
            let forms = refusal.forms.as_ref().and_then(|forms| forms.get(verb));
            let irregular = forms.into_iter().flat_map(|forms| forms.value.iter());
            let irregular: Vec<String> = irregular.map(|form| form.value.clone()).collect();
            Verb { base: verb.trim(), at: verb.span, forms: words::forms(verb.trim(), &irregular) }
        })
        .collect()
}

/// The harnesses that bear a refusal and hold a tool.
pub(crate) struct Bearer<'m> {
    /// The first of them, by key.
    pub(crate) harness: &'m str,
    /// Where it names the tool.
    pub(crate) at: Span,
    /// How many there are.
    pub(crate) harnesses: usize,
    /// The deeds of the tool that some of them hold.
    pub(crate) deeds: BTreeSet<DeedId>,
}

impl Bearer<'_> {
    /// What is to be seen where the first harness names the tool.
    pub(crate) fn said(&self) -> String {
        match self.harnesses {
            0 | 1 => format!("`{}` holds it", self.harness),
            2 => format!("`{}` and one more harness hold it", self.harness),
            all => format!("`{}` and {} more harnesses hold it", self.harness, all - 1),
        }
    }
}

/// Tool to who holds it among the harnesses that bear `refusal`.
pub(crate) fn held_by<'a>(cx: &'a Cx<'_>, refusal: &str) -> BTreeMap<&'a str, Bearer<'a>> {
    let mut held: BTreeMap<&str, Bearer<'_>> = BTreeMap::new();
    for harness in cx.policy.harnesses.values() {
        if !harness.refusals.iter().any(|borne| borne.key.value == refusal) {
            continue;
        }
        let mut counted: BTreeSet<&str> = BTreeSet::new();
        for id in harness.holds.keys() {
            let Some(deed) = cx.policy.registry.deed(*id) else { continue };
            let bearer = held.entry(deed.tool).or_insert_with(|| Bearer {
                harness: harness.key(),
                at: harness.points_at(*id),
                harnesses: 0,
                deeds: BTreeSet::new(),
            });
            bearer.deeds.insert(*id);
            if counted.insert(deed.tool) {
                bearer.harnesses += 1;
            }
        }
    }
    held
}
