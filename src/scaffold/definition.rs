//! The texts of single definitions, each entry with its first line not indented.

use super::names::{deed_title, scalar, title};
use crate::model::words::Effect;

/// A tool. What it is bound to is left to the author: the check asks for it.
pub(super) fn tool(key: &str, effect: Effect) -> String {
    let said = match effect {
        Effect::Read => "a read runs without asking, and changes nothing",
        Effect::Create => "a create waits for a yes, unless `at_least` lets it go and `undo` takes it back",
        Effect::Write => "read, create, write or destructive; a write waits for a person's yes",
        Effect::Destructive => "what it does cannot simply be done again the other way",
    };
    let rest = match effect {
        Effect::Read => {
            "returns: structured   # or `prose`, for text that somebody else wrote; then reading roles alone may hold it
output:
  properties:
    items: {type: array, maxItems: 50, items: {properties: {id: {type: string, maxLength: 100}}}}
"
        }
        Effect::Create | Effect::Write => "returns: none\n",
        Effect::Destructive => {
            "approval: four_eyes   # two people; `undo` may say how it is taken back: [snapshot], [{by: TOOL}]
undo: none
returns: none
"
        }
    };
    let body = format!(
        "title: {}
description: Say in a sentence or two what it does and what comes back.
effect: {}   # {said}
# Say what it acts on: `bind: {{id: run.FIELD}}` holds an input to the run, `unbound: WHY` says that there is no target.
input:
  required: [id]
  properties: {{id: {{type: string, maxLength: 100}}}}
{rest}",
        scalar(&deed_title(key)),
        effect.word()
    );
    format!("{}:\n{}", scalar(key), indented(&body))
}

/// What a new harness is made of.
pub(super) struct Harness<'a> {
    pub(super) key: &'a str,
    pub(super) personas: Vec<String>,
    /// The prompt, below the prompt version's folder.
    pub(super) prompt: Option<String>,
    /// Nothing: all that its persona holds.
    pub(super) tools: Option<Vec<String>>,
}

pub(super) fn harness(harness: &Harness<'_>) -> String {
    let mut body = format!("title: {}   # what people read: \"working as …\"\n", scalar(&title(harness.key)));
    if !harness.personas.is_empty() {
        let personas: Vec<String> = harness.personas.iter().map(|key| scalar(key)).collect();
        body += &format!("personas: [{}]   # who may wear it\n", personas.join(", "));
    }
    if let Some(prompt) = &harness.prompt {
        body += &format!("prompt_ref: {}\n", scalar(prompt));
    }
    match &harness.tools {
        None => body += "toolset: persona_bundle   # what that persona holds today\n",
        Some(tools) => {
            body += "toolset:   # every tool it may call; `{tool: NAME, only: {input: [value]}}` holds one more tightly\n";
            for tool in tools {
                body += &format!("  - {}\n", scalar(tool));
            }
        }
    }
    format!("{}:\n{}", scalar(harness.key), indented(&body))
}

/// The prompt of a new harness.
pub(super) fn prompt(key: &str) -> String {
    format!(
        "You work as {}. Use each tool for what it is described for, and say so where none of them fits.\n",
        title(key)
    )
}

pub(super) fn rubric(key: &str) -> String {
    let body = "version: 1   # raised whenever what is asked changes
criteria:
  first_criterion:
    asks: What does the record claim, and what shows it?
    evidence_required: The id of the record that shows it, and the value that it gives
";
    format!("{}:\n{}", scalar(key), indented(body))
}

pub(super) fn persona(key: &str, tools: &[String]) -> String {
    let mut body = format!(
        "title: {}\nbundle:   # the most that a harness worn by such a person may hold\n",
        scalar(&title(key))
    );
    for tool in tools {
        body += &format!("  - {}\n", scalar(tool));
    }
    format!("{}:\n{}", scalar(key), indented(&body))
}

/// Each line two blanks further in.
pub(super) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}
