//! What a tree comes to, worked out from the language's page in the plainest way: sets of words, no numbers, no graph.
//!
//! It takes trees that check clean.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_yaml::Value;

use super::read::{LEAST, Sections, entries, items, said, word, words};

/// Deed names, persona keys, surface keys.
pub(crate) type Words = BTreeSet<String>;

/// From loosest to strictest.
const APPROVALS: [&str; 3] = ["auto", "confirm", "four_eyes"];
/// From weakest to strongest.
const EFFECTS: [&str; 4] = ["read", "create", "write", "destructive"];

/// A tool, or one case of it.
#[derive(Clone, Debug)]
pub(crate) struct Deed {
    pub(crate) tool: String,
    pub(crate) case: Option<String>,
    pub(crate) effect: String,
    /// The strictest of the tier's, the tool's and the case's.
    pub(crate) approval: String,
    pub(crate) enabled: bool,
    pub(crate) prose: bool,
    /// `None`: all.
    pub(crate) surfaces: Option<Words>,
}

/// A deed in a harness's hands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    pub(crate) approval: Option<String>,
    /// Narrowed input → every schema it must also meet.
    pub(crate) only: BTreeMap<String, Vec<Value>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Harness {
    pub(crate) held: BTreeMap<String, Held>,
    /// Exempt from the plan gate.
    pub(crate) exempt: Words,
}

#[derive(Clone, Debug)]
pub(crate) struct Role {
    /// `None`: whatever the harness holds.
    pub(crate) tools: Option<Words>,
    pub(crate) effects: Option<Words>,
    pub(crate) reads_untrusted: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) outside: bool,
    /// Scope → effects; `None`: it states none.
    pub(crate) scopes: Option<BTreeMap<String, Words>>,
}

/// Who may say yes, where the tree says so.
#[derive(Clone, Debug)]
pub(crate) struct Approvers {
    confirm: Words,
    four_eyes: Words,
    tools: BTreeMap<String, Words>,
}

#[derive(Clone, Debug)]
pub(crate) struct Policy {
    pub(crate) deeds: BTreeMap<String, Deed>,
    pub(crate) harnesses: BTreeMap<String, Harness>,
    /// What a run without a harness holds before its person narrows it.
    pub(crate) bare: Harness,
    pub(crate) personas: BTreeMap<String, Words>,
    pub(crate) roles: BTreeMap<String, Role>,
    pub(crate) surfaces: BTreeMap<String, Surface>,
    pub(crate) approvers: Option<Approvers>,
}

impl Policy {
    pub(crate) fn of(root: &Path) -> Self {
        let sections = Sections::of(root);
        let approvals = sections.get("approvals");
        let deeds = deeds(&sections, &approvals);
        let reader = Lists { deeds: &deeds, toolsets: sections.get("toolsets") };
        let stated: Vec<(String, Value)> = sections.get("personas").into_iter().collect();
        let personas: BTreeMap<String, Words> =
            stated.iter().map(|(key, stated)| (key.clone(), reader.set(&stated["bundle"]))).collect();
        let always = approvals.get("always_allowed").map(|list| reader.set(list)).unwrap_or_default();
        let harnesses = sections.get("harnesses").into_iter().map(|(key, stated)| {
            let held = reader.toolset(&stated, &personas);
            let exempt = always.union(&skill_tools(&sections, &reader, &stated)).cloned().collect();
            (key, Harness { held, exempt })
        });
        let harnesses = harnesses.collect();
        let bare = stated.iter().filter(|(_, stated)| word(stated, "harness").as_deref() == Some("none"));
        let bare =
            bare.flat_map(|(key, _)| personas[key].clone()).filter(|deed| deeds[deed].effect == "read");
        let bare = Harness { held: bare.map(|deed| (deed, Held::default())).collect(), exempt: always };
        Self {
            harnesses,
            bare,
            personas,
            roles: roles(&sections, &reader),
            surfaces: sections.get("surfaces").iter().map(|(key, s)| (key.clone(), surface(s))).collect(),
            approvers: approvals.get("approvers").map(|stated| approvers(stated, &reader)),
            deeds,
        }
    }

    /// Who may say yes to a deed under an approval; `None`: nobody needs to, or anyone may.
    pub(crate) fn who(&self, deed: &str, approval: &str) -> Option<&Words> {
        let stated = self.approvers.as_ref().filter(|_| approval != "auto")?;
        let all = if approval == "confirm" { &stated.confirm } else { &stated.four_eyes };
        Some(stated.tools.get(deed).unwrap_or(all))
    }
}

/// The stricter, or the stronger, of two words of one scale.
pub(crate) fn most<'w>(one: &'w str, other: &'w str) -> &'w str {
    let rank = |word: &str| {
        let within = |scale: &[&str]| scale.iter().position(|step| *step == word);
        within(&APPROVALS).or_else(|| within(&EFFECTS)).unwrap_or_else(|| panic!("no such word: {word}"))
    };
    if rank(other) > rank(one) { other } else { one }
}

pub(crate) fn name(tool: &str, case: Option<&str>) -> String {
    case.map_or_else(|| tool.to_owned(), |case| format!("{tool}/{case}"))
}

fn deeds(sections: &Sections, approvals: &BTreeMap<String, Value>) -> BTreeMap<String, Deed> {
    let mut deeds = BTreeMap::new();
    for (tool, stated) in sections.get("tools") {
        let cases = said(&stated, "cases").map(|by| entries(&entries(by)[0].1)).unwrap_or_default();
        let least = word(&stated, LEAST).unwrap_or_else(|| "read".to_owned());
        let own = word(&stated, "effect").unwrap_or_else(|| "destructive".to_owned());
        let own = most(&own, &least).to_owned();
        let effect_of = |case: &Value| match case.as_str() {
            Some(effect) => effect.to_owned(),
            None => word(case, "effect").unwrap_or_else(|| "destructive".to_owned()),
        };
        let strongest = cases
            .iter()
            .map(|(_, case)| effect_of(case))
            .fold("read".to_owned(), |a, b| most(&a, &b).to_owned());
        // A hint speaks of the tool's strongest deeds.
        let effect_of = |case: &Value| match effect_of(case) {
            effect if effect == strongest => most(&effect, &least).to_owned(),
            effect => effect,
        };
        let prose = match word(&stated, "returns").as_deref() {
            Some(returns) => returns == "prose",
            None => {
                let mut effects: Words = cases.iter().map(|(_, case)| effect_of(case)).collect();
                if cases.is_empty() {
                    effects.insert(own.clone());
                }
                said(&stated, "output").is_none() && effects.contains("read")
            }
        };
        let deed = |case: Option<&str>, effect: String, asked: Option<String>| {
            let mut approval = tier(approvals, &effect);
            for stated in word(&stated, "approval").into_iter().chain(asked) {
                approval = most(&approval, &stated).to_owned();
            }
            Deed {
                tool: tool.clone(),
                case: case.map(str::to_owned),
                effect,
                approval,
                enabled: said(&stated, "enabled").is_none_or(|flag| flag.as_bool().unwrap()),
                prose,
                surfaces: said(&stated, "surfaces").map(|list| words(list).into_iter().collect()),
            }
        };
        if cases.is_empty() {
            deeds.insert(tool.clone(), deed(None, own, None));
        }
        for (case, stated) in &cases {
            deeds.insert(
                name(&tool, Some(case)),
                deed(Some(case), effect_of(stated), word(stated, "approval")),
            );
        }
    }
    deeds
}

fn tier(approvals: &BTreeMap<String, Value>, effect: &str) -> String {
    let stated = approvals.get("at_least").and_then(|tiers| word(tiers, effect));
    stated.unwrap_or_else(|| {
        let unsaid = match effect {
            "read" => "auto",
            "create" | "write" => "confirm",
            _ => "four_eyes",
        };
        unsaid.to_owned()
    })
}

fn skill_tools(sections: &Sections, reader: &Lists<'_>, harness: &Value) -> Words {
    let skills = sections.get("skills");
    let worn = said(harness, "skills").map(words).unwrap_or_default();
    worn.iter().filter_map(|key| word(&skills[key], "tool")).flat_map(|tool| reader.named(&tool)).collect()
}

fn roles(sections: &Sections, reader: &Lists<'_>) -> BTreeMap<String, Role> {
    if !sections.states("roles") {
        let only = Role { tools: None, effects: None, reads_untrusted: false };
        return [("run".to_owned(), only)].into();
    }
    let role = |(key, stated): (String, Value)| {
        let tools = &stated["tools"];
        let role = Role {
            tools: (tools.as_str() != Some("harness_toolset")).then(|| reader.set(tools)),
            effects: said(&stated, "effects").map(|list| words(list).into_iter().collect()),
            reads_untrusted: said(&stated, "reads_untrusted").is_some_and(|flag| flag.as_bool().unwrap()),
        };
        (key, role)
    };
    sections.get("roles").into_iter().map(role).collect()
}

fn surface(stated: &Value) -> Surface {
    let effects = |scope: &Value| words(&scope["effects"]).into_iter().collect();
    Surface {
        outside: word(stated, "origin").as_deref() == Some("outside"),
        scopes: said(stated, "scopes")
            .map(|scopes| entries(scopes).into_iter().map(|(key, scope)| (key, effects(&scope))).collect()),
    }
}

fn approvers(stated: &Value, reader: &Lists<'_>) -> Approvers {
    let list = |key: &str| said(stated, key).map(words).unwrap_or_default().into_iter().collect();
    let tools = said(stated, "tools").map(entries).unwrap_or_default().into_iter().flat_map(|(tool, who)| {
        let who: Words = words(&who).into_iter().collect();
        reader.named(&tool).into_iter().map(move |deed| (deed, who.clone()))
    });
    Approvers { confirm: list("confirm"), four_eyes: list("four_eyes"), tools: tools.collect() }
}

/// Lists of tools, in all their item forms.
struct Lists<'d> {
    deeds: &'d BTreeMap<String, Deed>,
    toolsets: BTreeMap<String, Value>,
}

impl Lists<'_> {
    /// The deeds that a name stands for.
    fn named(&self, name: &str) -> Words {
        let of = |(key, deed): (&String, &Deed)| (key == name || deed.tool == name).then(|| key.clone());
        let found: Words = self.deeds.iter().filter_map(of).collect();
        assert!(!found.is_empty(), "no such tool: {name}");
        found
    }

    /// Every mention of a list, toolsets followed: the deeds it names and the item that names them.
    fn mentions(&self, list: &Value) -> Vec<(Words, Value)> {
        let mut found = Vec::new();
        for item in items(list) {
            if let Some(toolset) = word(&item, "toolset") {
                found.extend(self.mentions(&self.toolsets[&toolset]));
            } else {
                let tool = item.as_str().map(str::to_owned).or_else(|| word(&item, "tool")).unwrap();
                found.push((self.named(&tool), item));
            }
        }
        found
    }

    fn set(&self, list: &Value) -> Words {
        self.mentions(list).into_iter().flat_map(|(deeds, _)| deeds).collect()
    }

    /// What a harness holds: as tightly as every mention says together.
    fn toolset(&self, harness: &Value, personas: &BTreeMap<String, Words>) -> BTreeMap<String, Held> {
        let list = &harness["toolset"];
        if list.as_str() == Some("persona_bundle") {
            let mut bundles =
                words(&harness["personas"]).into_iter().map(|persona| personas[&persona].clone());
            let first = bundles.next().unwrap();
            let common =
                bundles.fold(first, |common, bundle| common.intersection(&bundle).cloned().collect());
            return common.into_iter().map(|deed| (deed, Held::default())).collect();
        }
        let mut held: BTreeMap<String, Held> = BTreeMap::new();
        for (deed, item) in
            self.mentions(list).iter().flat_map(|(deeds, item)| deeds.iter().map(move |d| (d, item)))
        {
            let held = held.entry(deed.clone()).or_default();
            if let Some(asked) = word(item, "approval") {
                held.approval =
                    Some(held.approval.as_deref().map_or(asked.clone(), |a| most(a, &asked).to_owned()));
            }
            for (input, schema) in said(item, "only").map(entries).unwrap_or_default() {
                held.only.entry(input).or_default().push(schema);
            }
        }
        for (deeds, item) in self.mentions(list) {
            if let Some(cases) = said(&item, "cases").map(words) {
                let tool = &self.deeds[deeds.first().unwrap()].tool;
                held.retain(|deed, _| {
                    let deed = &self.deeds[deed];
                    deed.tool != *tool || deed.case.as_ref().is_some_and(|case| cases.contains(case))
                });
            }
        }
        held
    }
}

/// Tool → bound root input → the run's field. The tree's own `bind` holds for every tool with an input of that name.
pub(crate) fn bound(root: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let sections = Sections::of(root);
    let field = |value: &Value| value.as_str().unwrap().strip_prefix("run.").unwrap().to_owned();
    let general = sections.get("bind");
    let tool = |(tool, stated): (String, Value)| {
        let inputs = said(&stated, "input").and_then(|input| said(input, "properties")).map(entries);
        let inputs: Words = inputs.unwrap_or_default().into_iter().map(|(input, _)| input).collect();
        let general = general.iter().filter(|(input, _)| inputs.contains(*input));
        let mut bound: BTreeMap<_, _> = general.map(|(input, value)| (input.clone(), field(value))).collect();
        let own = said(&stated, "bind").map(entries).unwrap_or_default();
        bound.extend(own.iter().map(|(input, value)| (input.clone(), field(value))));
        (tool, bound)
    };
    sections.get("tools").into_iter().map(tool).collect()
}
