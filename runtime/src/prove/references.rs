//! Every name in the lock leads to its definition.

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::closed_words::PROMPT_INSERTS;
use crate::lock::{Harness, Lock, RoleTools, Undo};

pub(super) fn prove<'a>(lock: &'a Lock, deeds: &Deeds<'a>) -> Result<(), Broken> {
    let names = Names { lock, deeds };
    names.harnesses()?;
    names.people()?;
    names.tools()?;
    names.work()?;
    names.approvals()?;
    names.surfaces()
}

struct Names<'n, 'a> {
    lock: &'a Lock,
    deeds: &'n Deeds<'a>,
}

impl Names<'_, '_> {
    fn deeds(&self, place: &str, names: &[String]) -> Result<(), Broken> {
        let found = self.deeds.along(names.iter().map(String::as_str));
        for (name, found) in names.iter().zip(found) {
            hold(
                found.is_some(),
                || format!("{place}/{name}"),
                || "no such deed is in the registry".to_owned(),
            )?;
        }
        Ok(())
    }

    /// A deed, or a tool with cases as a whole.
    fn tool(&self, place: &str, name: &str) -> Result<(), Broken> {
        let known = self.lock.tools.contains_key(name) || self.deeds.named(name).is_some();
        hold(known, || format!("{place}/{name}"), || "no such tool is in the registry".to_owned())
    }

    fn harnesses(&self) -> Result<(), Broken> {
        for toolset in self.deeds.toolsets() {
            for (mention, number) in toolset.mentions() {
                hold(
                    number.is_some(),
                    || format!("{}/{}", toolset.key, mention.deed()),
                    || "no such deed is in the registry".to_owned(),
                )?;
            }
            self.harness(toolset.key, toolset.harness)?;
        }
        Ok(())
    }

    fn harness(&self, key: &str, harness: &Harness) -> Result<(), Broken> {
        let lock = self.lock;
        all(key, "persona", &harness.personas, |name| lock.personas.contains_key(name))?;
        all(key, "skill", &harness.skills, |name| lock.skills.contains_key(name))?;
        all(key, "memory lens", &harness.memory_lenses, |name| lock.memory_lenses.contains_key(name))?;
        all(key, "plan template", &harness.plan_templates, |name| lock.plan_templates.contains_key(name))?;
        all(key, "record type", &harness.record_types, |name| lock.record_types.contains_key(name))?;
        all(key, "refusal", &harness.refusal_rules, |name| lock.refusals.contains_key(name))?;
        all(key, "rubric", &harness.rubric_key, |name| lock.rubrics.contains_key(name))?;
        all(key, "status template", &harness.status_template, |name| {
            lock.status_templates.contains_key(name)
        })?;
        all(key, "prompt part", &harness.prompt, |name| {
            let prompt = lock.prompt.as_ref();
            PROMPT_INSERTS.contains(&name) || prompt.is_some_and(|prompt| prompt.parts.contains_key(name))
        })
    }

    fn people(&self) -> Result<(), Broken> {
        for (key, persona) in &self.lock.personas {
            self.deeds(key, &persona.bundle)?;
        }
        for (key, role) in &self.lock.roles {
            if let RoleTools::List(names) = &role.tools {
                self.deeds(key, names)?;
            }
        }
        all("persona_fallback", "persona", &self.lock.persona_fallback, |name| {
            self.lock.personas.contains_key(name)
        })
    }

    fn tools(&self) -> Result<(), Broken> {
        for (name, tool) in &self.lock.tools {
            all(name, "run field", tool.bind.values(), |field| self.lock.run.contains_key(field))?;
            all(name, "surface", tool.surfaces.iter().flatten(), |key| self.lock.surfaces.contains_key(key))?;
        }
        for deed in self.deeds.iter() {
            for undo in deed.undo() {
                if let Undo::By(by) = undo {
                    self.tool(&deed.name(), by)?;
                }
            }
        }
        Ok(())
    }

    fn work(&self) -> Result<(), Broken> {
        let lock = self.lock;
        for (key, skill) in &lock.skills {
            skill.tools.iter().chain(&skill.tool).try_for_each(|name| self.tool(key, name))?;
            all(key, "prompt part", &skill.instructions, |name| {
                lock.prompt.as_ref().is_some_and(|prompt| prompt.parts.contains_key(name))
            })?;
        }
        for (key, plan) in &lock.plan_templates {
            plan.steps.iter().try_for_each(|step| self.tool(key, &step.tool))?;
        }
        for (key, duty) in &lock.duty_templates {
            all(key, "persona", &duty.persona, |name| lock.personas.contains_key(name))?;
            all(key, "harness", &duty.when_wearing, |name| lock.harnesses.contains_key(name))?;
            all(key, "plan template", &duty.plan, |name| lock.plan_templates.contains_key(name))?;
        }
        for (key, review) in &lock.lens_reviews {
            all(key, "harness", &review.lenses, |name| lock.harnesses.contains_key(name))?;
            all(key, "record type", &review.records, |name| lock.record_types.contains_key(name))?;
        }
        for (key, causes) in &lock.diagnoses {
            let required = causes.values().flat_map(|cause| &cause.requires);
            required.into_iter().try_for_each(|name| self.tool(key, name))?;
        }
        let limited = lock.limits.iter().flat_map(|limits| limits.per_tool.keys());
        for name in limited {
            // Calls are counted by tool, so that a limit on one case would never be asked.
            let known = lock.tools.contains_key(name);
            hold(known, || format!("limits/{name}"), || "no such tool is in the registry".to_owned())?;
        }
        let resolver =
            lock.prompt.iter().filter_map(|prompt| prompt.compaction.as_ref()?.resolve_with.as_ref());
        resolver.into_iter().try_for_each(|name| self.tool("compaction", name))
    }

    fn approvals(&self) -> Result<(), Broken> {
        let approvals = &self.lock.approvals;
        self.deeds("always_allowed", &approvals.always_allowed)?;
        let Some(approvers) = &approvals.approvers else { return Ok(()) };
        approvers.tools.keys().try_for_each(|name| self.tool("approvers", name))?;
        let personas =
            approvers.confirm.iter().chain(&approvers.four_eyes).chain(approvers.tools.values().flatten());
        all("approvers", "persona", personas, |name| self.lock.personas.contains_key(name))
    }

    fn surfaces(&self) -> Result<(), Broken> {
        for (key, surface) in &self.lock.surfaces {
            all(key, "scope", surface.after_approval.iter().flatten(), |name| {
                surface.scopes.as_ref().is_some_and(|scopes| scopes.contains_key(name))
            })?;
        }
        Ok(())
    }
}

/// Refuses the first name that leads nowhere.
fn all<'a>(
    place: &str,
    kind: &str,
    names: impl IntoIterator<Item = &'a String>,
    known: impl Fn(&str) -> bool,
) -> Result<(), Broken> {
    for name in names {
        hold(
            known(name),
            || place.to_owned(),
            || format!("it names the {kind} `{name}`, which is not defined"),
        )?;
    }
    Ok(())
}
