//! The one place that lists each field by which a definition names another, with the kind of definition it leads to.

use std::sync::Arc;

use super::{Leads, PLAN_TOOL, Reference, Space, Symbol, schema};
use crate::model::harnesses::RefusalRules;
use crate::model::lists::{Mention, ToolItem, Toolset};
use crate::model::people::RoleTools;
use crate::model::tests::{Test, TestPlan};
use crate::model::tools::{Tool, Undo};
use crate::model::{Def, Model, bounds};
use crate::source::{Span, Spanned};
use crate::syntax::Node;

/// Every reference of a model, not yet resolved.
pub(super) fn references(model: &Model) -> Vec<Reference<'_>> {
    let mut follow = Follow { model, found: Vec::new() };
    follow.vocabulary();
    follow.registry();
    follow.people();
    follow.harnesses();
    follow.work();
    follow.records();
    for test in &model.tests.0 {
        follow.test(test);
    }
    follow.manifest();
    follow.found
}

struct Follow<'m> {
    model: &'m Model,
    found: Vec<Reference<'m>>,
}

impl<'m> Follow<'m> {
    fn vocabulary(&mut self) {
        for def in &self.model.types {
            self.schema(Symbol::new(Space::Type, &def.key.value), &def.value.0);
        }
        for def in &self.model.run {
            self.schema(Symbol::new(Space::RunField, &def.key.value), &def.value.0);
        }
        for def in &self.model.bind {
            self.run_field(other("bind"), &def.value);
        }
    }

    fn registry(&mut self) {
        for def in &self.model.tools {
            let from = Symbol::new(Space::Tool, &def.key.value);
            self.tool(from, def);
        }
    }

    fn tool(&mut self, from: Symbol<'m>, tool: &'m Tool) {
        if let Some(origin) = &tool.from {
            let server = origin.value.split('/').next().unwrap_or_default();
            self.push(from, Symbol::new(Space::Server, server), part(origin, 0, server.len()));
        }
        for schema in tool.input.iter().chain(&tool.output) {
            self.schema(from, &schema.0);
        }
        for bound in tool.bind.iter().flatten() {
            self.run_field(from, &bound.value);
        }
        self.each(from, Space::Surface, tool.surfaces.iter().flatten());
        self.undo(from, tool.undo.as_ref());
        for case in tool.cases.iter().flat_map(|cases| &cases.value).flat_map(|cases| &cases.value) {
            self.undo(from, case.fields().and_then(|fields| fields.undo.as_ref()));
        }
    }

    fn undo(&mut self, from: Symbol<'m>, undo: Option<&'m Spanned<Undo>>) {
        for name in undo.iter().flat_map(|undo| undo.by()) {
            self.deed(from, name);
        }
    }

    fn people(&mut self) {
        for def in &self.model.toolsets {
            self.list(Symbol::new(Space::Toolset, &def.key.value), &def.value.value);
        }
        for def in &self.model.personas {
            self.lists(Symbol::new(Space::Persona, &def.key.value), &def.bundle);
        }
        for name in self.model.persona_fallback.iter().flat_map(|list| &list.value) {
            self.one(other("persona_fallback"), Space::Persona, Some(name));
        }
        for def in &self.model.roles {
            if let Some(RoleTools::List(list)) = &def.tools {
                self.list(Symbol::new(Space::Role, &def.key.value), &list.value);
            }
        }
        for def in &self.model.surfaces {
            let from = Symbol::new(Space::Surface, &def.key.value);
            for scope in def.after_approval.iter().flatten() {
                self.push(from, Symbol::within(Space::Scope, from.key, &scope.value), scope.span);
            }
        }
    }

    fn harnesses(&mut self) {
        for def in &self.model.harnesses {
            let from = Symbol::new(Space::Harness, &def.key.value);
            self.each(from, Space::Persona, def.personas.iter().flat_map(|list| &list.value));
            if let Some(Toolset::List(list)) = &def.toolset {
                self.list(from, &list.value);
            }
            self.each(from, Space::Skill, def.skills.iter().flatten());
            self.each(from, Space::MemoryLens, def.memory_lenses.iter().flatten());
            self.one(from, Space::Rubric, def.rubric_key.as_ref());
            self.each(from, Space::Plan, def.plan_templates.iter().flatten());
            if let Some(RefusalRules::List(list)) = &def.refusal_rules {
                self.each(from, Space::Refusal, &list.value);
            }
            self.one(from, Space::StatusTemplate, def.status_template.as_ref());
            self.each(from, Space::RecordType, def.record_types.iter().flatten());
        }
    }

    fn work(&mut self) {
        for def in &self.model.skills {
            let from = Symbol::new(Space::Skill, &def.key.value);
            self.lists(from, &def.tools);
            self.deeds(from, &def.tool);
        }
        for def in &self.model.plan_templates {
            let plan = Symbol::new(Space::Plan, &def.key.value);
            for step in def.steps.iter().flatten() {
                self.deeds(plan, &step.tool);
                let from = Symbol::within(Space::Step, plan.key, &step.key.value);
                for after in step.after.iter().flatten() {
                    self.push(from, Symbol::within(Space::Step, plan.key, &after.value), after.span);
                }
            }
        }
        for cause in self.model.diagnoses.iter().flat_map(|category| &category.value) {
            self.deeds(other("diagnoses"), cause.requires.iter().flatten());
        }
        for def in &self.model.duty_templates {
            let from = Symbol::new(Space::Duty, &def.key.value);
            self.one(from, Space::Persona, def.persona.as_ref());
            self.one(from, Space::Harness, def.when_wearing.as_ref());
            let is_review = |plan: &&Spanned<String>| self.model.lens_reviews.get(plan).is_some();
            // That a duty asks for a lens review is a finding of its own.
            self.one(from, Space::Plan, def.plan.as_ref().filter(|plan| !is_review(plan)));
        }
        for def in &self.model.lens_reviews {
            let from = Symbol::new(Space::LensReview, &def.key.value);
            self.each(from, Space::Harness, def.lenses.iter().flat_map(|list| &list.value));
            self.each(from, Space::RecordType, def.records.iter().flatten());
            self.lists(from, &def.tools);
        }
    }

    fn records(&mut self) {
        let approvals = &self.model.approvals;
        let from = other("approvals");
        if let Some(approvers) = &approvals.approvers {
            self.each(from, Space::Persona, approvers.confirm.iter().flat_map(|list| &list.value));
            self.each(from, Space::Persona, approvers.four_eyes.iter().flat_map(|list| &list.value));
            for def in approvers.tools.iter().flatten() {
                self.deed(from, &def.key);
                self.each(from, Space::Persona, &def.value.value);
            }
        }
        self.deeds(from, approvals.always_allowed.iter().flat_map(|list| &list.value));
        let compaction = self.model.prompt.compaction.iter();
        self.deeds(other("prompt"), compaction.filter_map(|compaction| compaction.resolve_with.as_ref()));
        for def in self.model.limits.per_tool.iter().flatten() {
            self.deed(other("limits"), &def.key);
        }
        if let Some(bounds::Reasoning::Store(store)) = &self.model.audit.reasoning {
            self.each(other("audit"), Space::Persona, store.access.iter().flatten());
        }
    }

    fn test(&mut self, test: &'m Def<Test>) {
        let from = other("tests");
        if let Some(run) = &test.run {
            self.one(from, Space::Harness, run.harness.as_ref().filter(|name| name.value != "none"));
            let only_role = |name: &&Spanned<String>| self.model.roles.is_empty() && name.value == "run";
            self.one(from, Space::Role, run.role.as_ref().filter(|name| !only_role(name)));
            self.one(from, Space::Persona, run.persona.as_ref());
            self.one(from, Space::Surface, run.surface.as_ref());
            for scope in run.scopes.iter().flatten() {
                self.scope(from, run.surface.as_ref(), scope);
            }
            self.each(from, Space::RunField, run.fields.values().map(|(name, _)| name));
            if let Some(TestPlan::Approved(plan)) = &run.plan {
                self.deeds(from, plan.approved.iter().flatten());
            }
            let calls = run.spent.as_ref().and_then(|spent| spent.calls.as_ref());
            self.deeds(from, calls.into_iter().flatten().map(|def| &def.key));
            let bytes = run.spent.as_ref().and_then(|spent| spent.bytes.as_ref());
            self.deeds(from, bytes.into_iter().flatten().map(|def| &def.key));
        }
        self.each(from, Space::Persona, test.approvers.iter().flat_map(|list| list.iter()));
        // A test may call what does not exist, to see it refused.
        let unknown = test.expect.as_ref().is_some_and(|expect| expect.value == "unknown_tool");
        let called = test.call.iter().filter_map(|call| call.tool.as_ref());
        self.deeds(from, called.filter(|tool| !unknown && tool.value != PLAN_TOOL));
        for step in test.sequence.iter().flatten() {
            let persona = step.by.as_ref().and_then(|by| by.persona.as_ref());
            self.one(from, Space::Persona, persona);
            let unknown = step.expect.as_ref().is_some_and(|expect| expect.value == "unknown_tool");
            let called = step.call.iter().filter_map(|call| call.tool.as_ref());
            self.deeds(from, called.filter(|tool| !unknown && tool.value != PLAN_TOOL));
            let together = step.batch.iter().flatten().filter_map(|own| own.call.as_ref()?.tool.as_ref());
            self.deeds(from, together.chain(step.suspect.as_ref()));
        }
        for row in test.matrix.iter().flatten() {
            self.deed(from, &row.key);
            let harnesses = row.value.0.iter().map(|cell| &cell.key);
            self.each(from, Space::Harness, harnesses.filter(|name| name.value != "none"));
        }
        if let Some(exactly) = &test.exactly {
            let lists = [&exactly.auto, &exactly.confirm, &exactly.four_eyes];
            let named = lists.into_iter().flatten().flatten();
            self.deeds(from, named.filter(|tool| tool.value != PLAN_TOOL));
        }
    }

    fn scope(&mut self, from: Symbol<'m>, surface: Option<&'m Spanned<String>>, scope: &'m Spanned<String>) {
        let bears = |def: &&'m Def<crate::model::people::Surface>| {
            def.scopes.as_ref().is_some_and(|scopes| scopes.0.get(scope).is_some())
        };
        let holder = match surface {
            Some(surface) => Some(surface.value.as_str()),
            None => {
                let found = self.model.surfaces.iter().find(bears).or(self.model.surfaces.iter().next());
                found.map(|def| def.key.value.as_str())
            }
        };
        let to = Symbol { space: Space::Scope, within: holder, key: &scope.value };
        self.push(from, to, scope.span);
    }

    fn manifest(&mut self) {
        let manifest = &self.model.manifest;
        let from = other("harness.toml");
        let servers = manifest.policy.iter().filter_map(|policy| policy.external_servers.as_ref());
        self.each(from, Space::Server, servers.flat_map(|names| &names.0));
        self.each(from, Space::Section, manifest.expect.iter().flatten().map(|def| &def.key));
        self.each(
            from,
            Space::Section,
            manifest.mirror.iter().flatten().filter_map(|mirror| mirror.of.as_ref()),
        );
    }

    fn one(&mut self, from: Symbol<'m>, to: Space, name: Option<&'m Spanned<String>>) {
        self.each(from, to, name);
    }

    fn each(&mut self, from: Symbol<'m>, to: Space, names: impl IntoIterator<Item = &'m Spanned<String>>) {
        for name in names {
            self.push(from, Symbol::new(to, &name.value), name.span);
        }
    }

    fn deeds(&mut self, from: Symbol<'m>, names: impl IntoIterator<Item = &'m Spanned<String>>) {
        for name in names {
            self.deed(from, name);
        }
    }

    /// `tool` or `tool/case`: the tool, then the case within it.
    fn deed(&mut self, from: Symbol<'m>, name: &'m Spanned<String>) {
        let Some((tool, case)) = name.value.split_once('/') else {
            self.push(from, Symbol::new(Space::Tool, &name.value), name.span);
            return;
        };
        self.push(from, Symbol::new(Space::Tool, tool), part(name, 0, tool.len()));
        let at = part(name, tool.len() + 1, name.value.len());
        self.push(from, Symbol::within(Space::Case, tool, case), at);
    }

    fn lists(&mut self, from: Symbol<'m>, list: &'m Option<Spanned<Vec<ToolItem>>>) {
        if let Some(list) = list {
            self.list(from, &list.value);
        }
    }

    fn list(&mut self, from: Symbol<'m>, items: &'m [ToolItem]) {
        for item in items {
            match item {
                ToolItem::Tool(name) => self.deed(from, name),
                ToolItem::Toolset(mention) => self.one(from, Space::Toolset, mention.toolset.as_ref()),
                ToolItem::Held(mention) => self.mention(from, mention),
            }
        }
    }

    fn mention(&mut self, from: Symbol<'m>, mention: &'m Mention) {
        for only in mention.only.iter().flatten() {
            self.schema(from, &only.value.0);
        }
        let Some(tool) = &mention.tool else { return };
        self.deed(from, tool);
        for case in mention.cases.iter().flatten() {
            self.push(from, Symbol::within(Space::Case, &tool.value, &case.value), case.span);
        }
    }

    /// `run.FIELD`. Another form names no field whatever the run holds, and is kept as it is written.
    fn run_field(&mut self, from: Symbol<'m>, name: &'m Spanned<String>) {
        let (key, start) = match name.value.strip_prefix("run.") {
            Some(field) => (field, "run.".len()),
            None => (name.value.as_str(), 0),
        };
        let space = if start == 0 { Space::RunValue } else { Space::RunField };
        self.push(from, Symbol::new(space, key), part(name, start, name.value.len()));
    }

    fn schema(&mut self, from: Symbol<'m>, node: &'m Arc<Node>) {
        let mut found = Vec::new();
        schema::names(node, &mut found);
        for (space, name, span) in found {
            self.push(from, Symbol::new(space, name), span);
        }
    }

    fn push(&mut self, from: Symbol<'m>, to: Symbol<'m>, span: Span) {
        self.found.push(Reference { from, to, span, leads: Leads::Nowhere });
    }
}

fn other(name: &'static str) -> Symbol<'static> {
    Symbol::new(Space::Other, name)
}

/// A part of a name: its exact bytes where the name is written plainly, else the whole of it.
fn part(name: &Spanned<String>, start: usize, end: usize) -> Span {
    let range = name.span.range();
    if range.len() != name.value.len() {
        return name.span;
    }
    Span::new(name.span.file, range.start + start..range.start + end)
}
