//! Which part of a lock says what a run may do, which says what watches over it, and which is text.
//!
//! One table, total: a field of the lock, or of its `policy`, without a class does not compile. What is new within a tool, a
//! harness or a skill counts as authority until it is told apart here.

use std::collections::BTreeMap;

use harnessc_runtime::lock::text::compact;
use harnessc_runtime::lock::{Harness, Lock, Policy, Skill, Tool};
use serde::Serialize;

/// What a part of a lock decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// What a run may do, who may say yes to it, and within which bounds.
    Authority,
    /// What watches over that: rule levels, waivers, reasons for no target, refusals, evidence, what is recorded, the release line.
    Guard,
    /// What models and people read.
    Text,
}

impl Class {
    /// The class as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Authority => "authority",
            Self::Guard => "guard",
            Self::Text => "text",
        }
    }
}

/// One part of a lock: its name, its class and its content as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The lock's field, or the part of it: `tools`, `tools (titles and descriptions)`.
    pub name: &'static str,
    /// What it decides.
    pub class: Class,
    /// Its content; equal where nothing changed.
    pub content: String,
}

/// Every part of a lock but its sources, by class.
pub fn parts(lock: &Lock) -> Vec<Part> {
    let mut parts = whole(lock);
    parts.extend(policy(&lock.policy));
    parts.extend(pieces(lock));
    parts.sort_by_key(|part| part.class);
    parts
}

/// Takes a lock apart with no field left over, and gives each field of the first list its class.
macro_rules! classed {
    ({ $($field:ident: $class:ident,)* } elsewhere { $($elsewhere:ident,)* }) => {
        /// The fields that are of one class as they are. `sources` is compared file by file, `policy` and the others below.
        fn whole(lock: &Lock) -> Vec<Part> {
            let Lock { $($field,)* $($elsewhere: _,)* } = lock;
            vec![ $( part(stringify!($field), Class::$class, $field), )* ]
        }

        /// The class of a field of the lock; a field that is told apart below is authority, its texts and guards aside.
        pub fn class_of(field: &str) -> Class {
            match field {
                $( stringify!($field) => Class::$class, )*
                _ => Class::Authority,
            }
        }
    };
}

classed!({
    effective: Authority,
    approvals: Authority,
    personas: Authority,
    persona_fallback: Authority,
    roles: Authority,
    servers: Authority,
    surfaces: Authority,
    run: Authority,
    limits: Authority,
    engines: Authority,
    plan_templates: Authority,
    duty_templates: Authority,
    lens_reviews: Authority,
    diagnoses: Authority,
    context_sources: Authority,
    record_types: Authority,
    format: Guard,
    rules: Guard,
    waivers: Guard,
    baseline: Guard,
    audit: Guard,
    evidence: Guard,
    release: Guard,
    refusals: Guard,
    primitives: Guard,
    revision: Guard,
    predecessor: Guard,
    prompt: Text,
    rubrics: Text,
    status_templates: Text,
    memory_lenses: Text,
} elsewhere { harnesses, policy, skills, sources, tools, });

fn policy(policy: &Policy) -> Vec<Part> {
    let Policy { edition, environment, external_servers, harness_version, name, prompt_version } = policy;
    vec![
        part("policy", Class::Authority, &(name, environment, external_servers)),
        part("edition", Class::Guard, edition),
        part("policy (versions)", Class::Text, &(harness_version, prompt_version)),
    ]
}

/// Fields whose texts are told from the rest. What is no text of theirs is authority, so a new field of a tool is that too.
fn pieces(lock: &Lock) -> Vec<Part> {
    let Lock { harnesses, skills, tools, .. } = lock;
    let unbound: BTreeMap<_, _> =
        tools.iter().filter_map(|(key, tool)| Some((key, tool.unbound.as_ref()?))).collect();
    let harness_texts: BTreeMap<_, _> =
        harnesses.iter().map(|(key, h)| (key, (&h.title, &h.prompt))).collect();
    let tool_texts: BTreeMap<_, _> =
        tools.iter().map(|(key, tool)| (key, (&tool.title, &tool.description))).collect();
    let skill_texts: BTreeMap<_, _> =
        skills.iter().map(|(key, skill)| (key, (&skill.title, skill.version, &skill.instructions))).collect();
    vec![
        part("harnesses", Class::Authority, &bare(harnesses, harness_without_text)),
        part("tools", Class::Authority, &bare(tools, tool_without_text)),
        part("skills", Class::Authority, &bare(skills, skill_without_text)),
        part("tools (why unbound)", Class::Guard, &unbound),
        part("harnesses (titles and prompt order)", Class::Text, &harness_texts),
        part("tools (titles and descriptions)", Class::Text, &tool_texts),
        part("skills (titles and instructions)", Class::Text, &skill_texts),
    ]
}

fn part(name: &'static str, class: Class, content: &impl Serialize) -> Part {
    // What cannot be written compares as a part that always differs from itself written: never as equal by accident.
    let content = serde_json::to_string(content).unwrap_or_else(|error| error.to_string());
    // A schema keeps the layout of the file it was read from, and that layout means nothing.
    let content = compact(&content);
    Part { name, class, content }
}

fn bare<T>(all: &BTreeMap<String, T>, strip: impl Fn(&T) -> T) -> BTreeMap<&str, T> {
    all.iter().map(|(key, one)| (key.as_str(), strip(one))).collect()
}

fn harness_without_text(harness: &Harness) -> Harness {
    Harness { title: String::new(), prompt: Vec::new(), ..harness.clone() }
}

fn tool_without_text(tool: &Tool) -> Tool {
    Tool { title: String::new(), description: String::new(), unbound: None, ..tool.clone() }
}

fn skill_without_text(skill: &Skill) -> Skill {
    Skill { title: String::new(), version: 0, instructions: None, ..skill.clone() }
}
