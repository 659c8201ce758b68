//! Every fact of a policy that bears on a decision, weakened once: the edits, each with what it does.

use crate::diagnostic::Edit;
use crate::model::Def;
use crate::model::lists::{Mention, ToolItem, ToolList, Toolset};
use crate::model::people::{Origin, RoleTools};
use crate::model::tools::Tool;
use crate::model::words::{Approval, Effect};
use crate::policy::DeedId;
use crate::rules::Cx;
use crate::source::{Span, Spanned};
use crate::variant::Written;

use super::kind::Kind;
use super::{Mutant, schemas, text};

/// All mutants of a policy, by kind and then in the order of files and text.
pub fn mutants(cx: &Cx<'_>) -> Vec<Mutant> {
    let mut facts = Facts { cx, found: Vec::new() };
    facts.tools();
    facts.lists();
    facts.people();
    facts.approvals();
    facts.limits();
    facts.refusals();
    facts.surfaces();
    schemas::mutants(cx, &mut facts.found);
    let mut found = facts.found;
    found.sort_by(|a, b| (a.kind, a.at, &a.said).cmp(&(b.kind, b.at, &b.said)));
    found.dedup_by(|a, b| a.edit == b.edit);
    found
}

struct Facts<'f, 'c> {
    cx: &'f Cx<'c>,
    found: Vec<Mutant>,
}

impl Facts<'_, '_> {
    fn push(&mut self, kind: Kind, at: Span, edit: Option<Edit>, said: impl Into<String>) {
        self.found.extend(edit.map(|edit| Mutant { kind, at, edit, said: said.into() }));
    }

    fn word(&mut self, kind: Kind, at: Span, with: &str, said: impl Into<String>) {
        self.push(kind, at, Some(Edit { span: at, replacement: with.to_owned() }), said);
    }

    /// An item put into the list that lies around a place.
    fn item(&mut self, kind: Kind, place: Span, item: &str, said: impl Into<String>) {
        let edit =
            Written::around(self.cx.tree, place).and_then(|list| list.with(&self.cx.tree.sources, item));
        self.push(kind, place, edit, said);
    }

    fn approval(&mut self, word: &Spanned<Approval>, of: &str) {
        let looser = match word.value {
            Approval::Auto => return,
            Approval::Confirm => "auto",
            Approval::FourEyes => "confirm",
        };
        self.word(
            Kind::Approval,
            word.span,
            looser,
            format!("{of} asks for `{looser}` and no longer for `{}`", word.value),
        );
    }

    fn effect(&mut self, word: &Spanned<Effect>, of: &str) {
        let weaker: &[&str] = match word.value {
            Effect::Read => &[],
            Effect::Create => &["read"],
            Effect::Write => &["create", "read"],
            Effect::Destructive => &["write", "read"],
        };
        for weaker in weaker {
            self.word(
                Kind::Effect,
                word.span,
                weaker,
                format!("{of} is called a `{weaker}` and no longer a `{}`", word.value),
            );
        }
    }

    fn tools(&mut self) {
        for tool in self.cx.model.tools.sorted() {
            self.tool(tool);
        }
        for bound in &self.cx.model.bind {
            self.bound(bound, "every tool");
        }
    }

    fn tool(&mut self, tool: &Def<Tool>) {
        let key = format!("`{}`", tool.key.value);
        self.approval_of(tool.approval.as_ref(), &key);
        if let Some(effect) = &tool.effect {
            self.effect(effect, &key);
        }
        for case in tool.cases.iter().flat_map(|cases| cases.value.iter()).flat_map(|by| by.value.iter()) {
            let key = format!("`{}/{}`", tool.key.value, case.key.value);
            if let Some(effect) = case.value.effect() {
                self.effect(effect, &key);
            }
            self.approval_of(case.value.fields().and_then(|fields| fields.approval.as_ref()), &key);
        }
        if let Some(flag) = tool.enabled.as_ref().filter(|flag| !flag.value) {
            self.word(Kind::Enabled, flag.span, "true", format!("{key} is switched on"));
        }
        for bound in tool.bind.iter().flatten() {
            self.bound(bound, &key);
        }
        if let Some(first) = tool.surfaces.as_ref().and_then(|names| names.first()) {
            let named: Vec<&str> = tool.surfaces.iter().flatten().map(|name| name.value.as_str()).collect();
            for surface in self.cx.model.surfaces.keys().filter(|surface| !named.contains(surface)) {
                self.item(Kind::Surface, first.span, surface, format!("{key} is shown on `{surface}` too"));
            }
        }
    }

    fn approval_of(&mut self, word: Option<&Spanned<Approval>>, of: &str) {
        if let Some(word) = word {
            self.approval(word, of);
        }
    }

    /// A binding taken out, with its mapping where it is the only one.
    fn bound(&mut self, bound: &Def<Spanned<String>>, of: &str) {
        let edit = text::without_entry(self.cx.tree, bound.key.span)
            .or_else(|| text::without_section(self.cx.tree, bound.key.span));
        self.push(
            Kind::Bind,
            bound.key.span,
            edit,
            format!("`{}` of {of} is bound to nothing", bound.key.value),
        );
    }

    fn lists(&mut self) {
        for def in self.cx.model.harnesses.sorted() {
            let Some(Toolset::List(list)) = &def.toolset else { continue };
            let key = format!("`{}`", def.key.value);
            let held = self.cx.policy.harnesses.get(def.key.value.as_str());
            let missing = self.deeds(|id| held.is_some_and(|held| !held.holds.contains_key(&id)));
            for deed in missing {
                self.item(Kind::Tool, list.span, &deed, format!("{key} holds `{deed}` too"));
            }
            self.narrowed(list, &key);
        }
        for def in self.cx.model.toolsets.sorted() {
            self.narrowed(&def.value, &format!("the toolset `{}`", def.key.value));
        }
    }

    /// The names of the deeds for which `missing` holds.
    fn deeds(&self, missing: impl Fn(DeedId) -> bool) -> Vec<String> {
        let all = self.cx.policy.registry.deeds();
        all.filter(|(id, _)| missing(*id)).map(|(_, deed)| deed.name.clone()).collect()
    }

    fn narrowed(&mut self, list: &ToolList, of: &str) {
        let held: Vec<&Mention> = list
            .value
            .iter()
            .filter_map(|item| if let ToolItem::Held(mention) = item { Some(mention) } else { None })
            .collect();
        for mention in held {
            let tool = mention.tool.as_ref().map_or("", |name| name.value.as_str());
            self.approval_of(mention.approval.as_ref(), &format!("`{tool}` in {of}"));
            for only in mention.only.iter().flatten() {
                let edit = text::without_entry(self.cx.tree, only.key.span)
                    .or_else(|| text::without_section(self.cx.tree, only.key.span));
                let said = format!("{of} no longer narrows `{}` of `{tool}`", only.key.value);
                self.push(Kind::Only, only.key.span, edit, said);
                schemas::narrowing(
                    self.cx,
                    &only.value.0,
                    (tool.split('/').next().unwrap_or(tool), &only.key.value),
                    &format!("`only` of `{tool}` in {of}"),
                    &mut self.found,
                );
            }
            let missing: Vec<String> =
                mention.cases.as_ref().map_or_else(Vec::new, |cases| self.cases(tool, cases));
            if let Some(first) = mention.cases.as_ref().and_then(|cases| cases.first()) {
                for case in missing {
                    self.item(Kind::Tool, first.span, &case, format!("{of} holds `{tool}/{case}` too"));
                }
            }
        }
    }

    fn cases(&self, tool: &str, held: &[Spanned<String>]) -> Vec<String> {
        let all = self.cx.policy.registry.named(tool);
        let deeds = all.into_iter().filter_map(|id| self.cx.policy.registry.deed(id)?.case);
        let missing = deeds.filter(|case| !held.iter().any(|own| own.value == case.value));
        missing.map(|case| case.value.clone()).collect()
    }

    fn people(&mut self) {
        for def in self.cx.model.personas.sorted() {
            let key = &def.key.value;
            let own = self.cx.policy.personas.get(key.as_str());
            let missing = self.deeds(|id| own.is_some_and(|own| !own.deeds.contains(&id)));
            if let Some(list) = &def.bundle {
                for deed in missing {
                    self.item(Kind::Bundle, list.span, &deed, format!("`{key}` may hold `{deed}` too"));
                }
            }
        }
        for def in self.cx.model.roles.sorted() {
            self.role(def);
        }
    }

    fn role(&mut self, def: &Def<crate::model::people::Role>) {
        let key = &def.key.value;
        let own = self.cx.policy.roles.get(key.as_str());
        if let (Some(RoleTools::List(list)), Some(crate::policy::RoleTools::List(bundle))) =
            (&def.tools, own.map(|role| &role.tools))
        {
            for deed in self.deeds(|id| !bundle.deeds.contains(&id)) {
                self.item(Kind::Role, list.span, &deed, format!("the role `{key}` has `{deed}` too"));
            }
        }
        if let Some(effects) = &def.effects {
            for effect in [Effect::Read, Effect::Create, Effect::Write, Effect::Destructive] {
                if !effects.value.iter().any(|own| own.value == effect) {
                    let said = format!("the role `{key}` has the effect `{effect}` too");
                    self.item(Kind::Role, effects.span, effect.word(), said);
                }
            }
        }
        let said = format!("the role `{key}` reads untrusted text");
        match &def.reads_untrusted {
            Some(flag) if flag.value => {}
            Some(flag) => self.word(Kind::Role, flag.span, "true", said),
            None => {
                let tools = text::key_before(
                    self.cx.tree,
                    def.tools.as_ref().map(|tools| match tools {
                        RoleTools::HarnessToolset(word) => word.span,
                        RoleTools::List(list) => list.span,
                    }),
                );
                let edit = tools.and_then(|at| text::with_entry(self.cx.tree, at, "reads_untrusted: true"));
                self.push(Kind::Role, def.key.span, edit, said);
            }
        }
    }

    fn approvals(&mut self) {
        let approvals = &self.cx.model.approvals;
        if let Some(tiers) = &approvals.at_least {
            for (name, word) in
                [("create", &tiers.create), ("write", &tiers.write), ("destructive", &tiers.destructive)]
            {
                self.approval_of(word.as_ref(), &format!("the tier of `{name}`"));
            }
        }
        let lists = approvals.approvers.iter().flat_map(|own| {
            let general = [("`confirm`", own.confirm.as_ref()), ("`four_eyes`", own.four_eyes.as_ref())];
            let general = general.into_iter().filter_map(|(name, list)| Some((name.to_owned(), list?)));
            let tools = own.tools.iter().flatten().map(|def| (format!("`{}`", def.key.value), &def.value));
            general.chain(tools).collect::<Vec<_>>()
        });
        for (of, list) in lists.collect::<Vec<_>>() {
            let named: Vec<&str> = list.value.iter().map(|name| name.value.as_str()).collect();
            for persona in self.cx.model.personas.keys().filter(|key| !named.contains(key)) {
                self.item(
                    Kind::Approver,
                    list.span,
                    persona,
                    format!("`{persona}` may say yes too under {of}"),
                );
            }
        }
        if let Some(list) = &approvals.always_allowed {
            let named: Vec<DeedId> =
                list.value.iter().flat_map(|name| self.cx.policy.registry.named(&name.value)).collect();
            for deed in self.deeds(|id| !named.contains(&id)) {
                self.item(
                    Kind::AlwaysAllowed,
                    list.span,
                    &deed,
                    format!("`{deed}` is exempt from the plan gate"),
                );
            }
        }
    }

    fn limits(&mut self) {
        let mut numbers: Vec<(String, Span)> = Vec::new();
        let limits = &self.cx.model.limits;
        if let Some(run) = &limits.run {
            numbers.extend(
                [
                    ("run.steps", run.steps.as_ref().map(|own| own.span)),
                    ("run.tool_calls", run.tool_calls.as_ref().map(|own| own.span)),
                    ("run.result_bytes", run.result_bytes.as_ref().map(|own| own.span)),
                    ("run.deadline", run.deadline.as_ref().map(|own| own.span)),
                    ("run.model_calls", run.model_calls.as_ref().map(|own| own.span)),
                    ("run.tokens", run.tokens.as_ref().map(|own| own.span)),
                    ("run.cost", run.cost.as_ref().map(|own| own.span)),
                ]
                .into_iter()
                .filter_map(|(name, span)| Some((format!("`{name}`"), span?))),
            );
        }
        // What days may spend is asked over all runs, and a time-out cuts a call off that was let through.
        for def in limits.per_tool.iter().flatten() {
            let named = |of: &str, span| (format!("`per_tool.{}.{of}`", def.key.value), span);
            numbers.extend(def.calls.as_ref().map(|own| named("calls", own.span)));
            numbers.extend(def.result_bytes.as_ref().map(|own| named("result_bytes", own.span)));
        }
        let approvals = &self.cx.model.approvals;
        numbers.extend(
            approvals.max_actions_per_run.as_ref().map(|own| ("`max_actions_per_run`".to_owned(), own.span)),
        );
        numbers.extend(approvals.expires_after.as_ref().map(|own| ("`expires_after`".to_owned(), own.span)));
        for scope in
            self.cx.model.surfaces.iter().flat_map(|def| &def.scopes).flat_map(|scopes| scopes.0.iter())
        {
            numbers.extend(
                scope.steps.as_ref().map(|own| (format!("the steps of `{}`", scope.key.value), own.span)),
            );
        }
        for (name, span) in numbers {
            let edit = text::doubled(&self.cx.tree.sources, span);
            self.push(Kind::Limit, span, edit, format!("{name} is doubled"));
        }
    }

    fn refusals(&mut self) {
        for def in self.cx.model.refusals.sorted() {
            let key = &def.key.value;
            let edit = text::without_entry(self.cx.tree, def.key.span);
            self.push(Kind::Refusal, def.key.span, edit, format!("the refusal `{key}` is dropped"));
            let Some(first) = def.forbidden_verbs.as_ref().and_then(|verbs| verbs.first()) else { continue };
            let Some(list) = Written::around(self.cx.tree, first.span) else { continue };
            for (place, verb) in def.forbidden_verbs.iter().flatten().enumerate() {
                let edit = list.without(&self.cx.tree.sources, place);
                self.push(
                    Kind::Refusal,
                    verb.span,
                    edit,
                    format!("`{key}` no longer forbids `{}`", verb.value),
                );
            }
        }
    }

    fn surfaces(&mut self) {
        for def in self.cx.model.surfaces.sorted() {
            let key = &def.key.value;
            if let Some(origin) = def.origin.as_ref().filter(|origin| origin.value == Origin::Outside) {
                self.word(Kind::Surface, origin.span, "inside", format!("`{key}` is said to be inside"));
            }
            for scope in def.scopes.iter().flat_map(|scopes| scopes.0.iter()) {
                let Some(first) = scope.effects.as_ref().and_then(|effects| effects.first()) else {
                    continue;
                };
                for effect in [Effect::Read, Effect::Create, Effect::Write, Effect::Destructive] {
                    if !scope.effects.iter().flatten().any(|own| own.value == effect) {
                        let said = format!("the scope `{}` covers `{effect}` too", scope.key.value);
                        self.item(Kind::Surface, first.span, effect.word(), said);
                    }
                }
            }
        }
    }
}
