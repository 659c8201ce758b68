//! `show` for machines.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{Cell, Lock, Origin, Scope, Surface, split_deed};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::View;
use super::asks;
use super::disabled;
use crate::cli::outcome::Said;

/// What `show --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::cli) struct ShowReport {
    /// The version of this format, 1.
    version: u32,
    /// The harnesses by key; `-` stands for runs without one.
    harnesses: Vec<ShowHarness>,
    /// The surfaces by key.
    surfaces: BTreeMap<String, ShowSurface>,
}

/// A door through which calls come.
#[derive(Debug, Serialize, JsonSchema)]
struct ShowSurface {
    /// Whether its calls come from outside.
    outside: bool,
    /// Scope to the effects that it grants; absent: it knows no scopes.
    #[serde(skip_serializing_if = "Option::is_none")]
    scopes: Option<BTreeMap<String, ShowScope>>,
}

/// What a caller may be granted.
#[derive(Debug, Serialize, JsonSchema)]
struct ShowScope {
    /// The effects, weakest first.
    effects: Vec<String>,
    /// The most steps of its runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
}

/// A tool that is held and switched off.
#[derive(Debug, Serialize, JsonSchema)]
struct ShowDisabled {
    /// `tool`, or `tool/case`.
    tool: String,
    /// The file that switches it off, relative to the manifest's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

/// One harness.
#[derive(Debug, Serialize, JsonSchema)]
struct ShowHarness {
    /// Its key.
    key: String,
    /// What a person reads.
    title: String,
    /// Who may wear it.
    personas: Vec<String>,
    /// The parts of its prompt in their order.
    prompt: Vec<String>,
    /// The refusals it bears.
    refusals: Vec<String>,
    /// The plans it may propose.
    plan_templates: Vec<String>,
    /// Its skills.
    skills: Vec<String>,
    /// Role to what it holds.
    roles: BTreeMap<String, Vec<ShowTool>>,
    /// What it holds and nobody can use, since it is switched off.
    disabled: Vec<ShowDisabled>,
}

/// One deed that is granted.
#[derive(Debug, Serialize, JsonSchema)]
struct ShowTool {
    /// `tool`, or `tool/case`.
    tool: String,
    /// What a person reads.
    title: String,
    /// `read`, `create`, `write` or `destructive`.
    effect: String,
    /// `auto`, `confirm` or `four_eyes`.
    approval: String,
    /// The personas that may say yes; absent where nobody needs to, or any authenticated person may.
    #[serde(skip_serializing_if = "Option::is_none")]
    approvers: Option<Vec<String>>,
    /// Input to the schema that it must also meet; empty where nothing is narrowed.
    only: BTreeMap<String, Value>,
    /// `structured`, `prose` or `none`.
    returns: String,
    /// The surfaces that serve it, these alone; absent: it names none and is served wherever a call comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    surfaces: Option<Vec<String>>,
}

/// The harnesses in view, or the one named.
pub(super) fn report(view: &View<'_>, harness: Option<&str>) -> ShowReport {
    let rows = view.lock.effective.iter();
    let rows = rows.filter(|(key, _)| harness.is_none_or(|wanted| wanted == *key) && view.wears(key));
    ShowReport {
        version: 1,
        harnesses: rows.map(|(key, roles)| shown(view, key, roles)).collect(),
        surfaces: view.lock.surfaces.iter().map(|(key, own)| (key.clone(), surface(own))).collect(),
    }
}

fn surface(own: &Surface) -> ShowSurface {
    let scope = |scope: &Scope| ShowScope {
        effects: scope.effects.iter().map(|effect| effect.word().to_owned()).collect(),
        steps: scope.steps,
    };
    let scopes =
        |all: &BTreeMap<String, Scope>| all.iter().map(|(key, own)| (key.clone(), scope(own))).collect();
    ShowSurface { outside: own.origin == Some(Origin::Outside), scopes: own.scopes.as_ref().map(scopes) }
}

fn shown(view: &View<'_>, key: &str, roles: &BTreeMap<String, Vec<Cell>>) -> ShowHarness {
    let none = harnessc_runtime::lock::Harness::default();
    let harness = view.lock.harnesses.get(key).unwrap_or(&none);
    let roles = roles.iter().filter(|(role, _)| view.of_role(role));
    ShowHarness {
        key: key.to_owned(),
        title: harness.title.clone(),
        personas: harness.personas.clone(),
        prompt: harness.prompt.clone(),
        refusals: harness.refusal_rules.clone(),
        plan_templates: harness.plan_templates.clone(),
        skills: harness.skills.clone(),
        roles: roles
            .map(|(role, cells)| {
                let cells = cells.iter().filter(|cell| view.personally(&cell.deed));
                (role.clone(), cells.map(|cell| tool(view.lock, cell)).collect())
            })
            .collect(),
        disabled: disabled::held(view, key)
            .into_iter()
            .map(|deed| {
                let place = view.off.get(split_deed(&deed).0);
                ShowDisabled {
                    file: place.map(|(file, _)| file.clone()),
                    line: place.map(|(_, line)| *line),
                    tool: deed,
                }
            })
            .collect(),
    }
}

fn tool(lock: &Lock, cell: &Cell) -> ShowTool {
    let tool = lock.tools.get(split_deed(&cell.deed).0);
    ShowTool {
        tool: cell.deed.clone(),
        title: tool.map_or_else(String::new, |tool| tool.title.clone()),
        effect: asks::effect(lock, &cell.deed).word().to_owned(),
        approval: cell.approval.word().to_owned(),
        approvers: cell.approvers.clone(),
        only: cell.only.iter().map(|(input, schema)| (input.clone(), crate::lock::value(schema))).collect(),
        returns: tool.map_or_else(String::new, |tool| tool.returns.word().to_owned()),
        surfaces: tool.and_then(|tool| tool.surfaces.clone()),
    }
}

/// One line for each cell: harness, role, deed, effect, approval.
pub(super) fn short(report: &ShowReport, said: &mut Said) {
    for harness in &report.harnesses {
        for (role, tools) in &harness.roles {
            for tool in tools {
                let line = [&harness.key, role, &tool.tool, &tool.effect, &tool.approval].map(String::as_str);
                said.line(crate::report::visible(&line.join(" ")));
            }
        }
    }
}
