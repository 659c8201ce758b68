//! Which part of a lock says what a run may do, which says what watches over it, and which is text.
//!
//! One table, total: the lock is taken apart field by field, so a new field does not compile until it has its class.

use std::collections::BTreeMap;

use harnessc_runtime::lock::text::compact;
use harnessc_runtime::lock::{Harness, Lock, Skill, Tool};
use serde::Serialize;

/// What a part of a lock decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// What a run may do, who may say yes to it, and within which bounds.
    Authority,
    /// What watches over that: rule levels, waivers, refusals, evidence, what is recorded, the release line.
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

/// Every part of a lock but its sources, in one order.
pub fn parts(lock: &Lock) -> Vec<Part> {
    let mut parts = authority(lock);
    parts.extend(guard(lock));
    parts.extend(text(lock));
    parts
}

macro_rules! table {
    ($lock:ident, $class:expr, { $($field:ident),* $(,)? }) => {
        vec![ $( part(stringify!($field), $class, &$lock.$field) ),* ]
    };
}

fn authority(lock: &Lock) -> Vec<Part> {
    let mut parts = table!(lock, Class::Authority, {
        effective, approvals, personas, persona_fallback, roles, surfaces, run, limits, engines, plan_templates,
        duty_templates, lens_reviews, diagnoses, context_sources, record_types,
    });
    let policy = &lock.policy;
    parts.push(part(
        "policy",
        Class::Authority,
        &(&policy.name, &policy.environment, &policy.external_servers),
    ));
    parts.push(part("harnesses", Class::Authority, &bare(&lock.harnesses, harness_without_text)));
    parts.push(part("tools", Class::Authority, &bare(&lock.tools, tool_without_text)));
    parts.push(part("skills", Class::Authority, &bare(&lock.skills, skill_without_text)));
    parts
}

fn guard(lock: &Lock) -> Vec<Part> {
    let mut parts = table!(lock, Class::Guard, {
        format, rules, waivers, baseline, audit, evidence, release, refusals, primitives, revision, predecessor,
    });
    parts.push(part("edition", Class::Guard, &lock.policy.edition));
    parts
}

fn text(lock: &Lock) -> Vec<Part> {
    // Taken apart so that a field without a class does not compile. `sources` is compared file by file.
    let Lock {
        approvals: _,
        audit: _,
        baseline: _,
        context_sources: _,
        diagnoses: _,
        duty_templates: _,
        effective: _,
        engines: _,
        evidence: _,
        format: _,
        harnesses,
        lens_reviews: _,
        limits: _,
        memory_lenses,
        persona_fallback: _,
        personas: _,
        plan_templates: _,
        policy,
        predecessor: _,
        primitives: _,
        prompt,
        record_types: _,
        refusals: _,
        release: _,
        revision: _,
        roles: _,
        rubrics,
        rules: _,
        run: _,
        skills,
        sources: _,
        status_templates,
        surfaces: _,
        tools,
        waivers: _,
    } = lock;
    let harness_texts: BTreeMap<_, _> =
        harnesses.iter().map(|(key, h)| (key, (&h.title, &h.prompt))).collect();
    let tool_texts: BTreeMap<_, _> =
        tools.iter().map(|(key, tool)| (key, (&tool.title, &tool.description, &tool.unbound))).collect();
    let skill_texts: BTreeMap<_, _> =
        skills.iter().map(|(key, skill)| (key, (&skill.title, skill.version, &skill.instructions))).collect();
    vec![
        part("prompt", Class::Text, prompt),
        part("rubrics", Class::Text, rubrics),
        part("status_templates", Class::Text, status_templates),
        part("memory_lenses", Class::Text, memory_lenses),
        part("harnesses (titles and prompt order)", Class::Text, &harness_texts),
        part("tools (titles and descriptions)", Class::Text, &tool_texts),
        part("skills (titles and instructions)", Class::Text, &skill_texts),
        part("policy (versions)", Class::Text, &(&policy.harness_version, &policy.prompt_version)),
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
