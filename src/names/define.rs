//! Every definition of a model.

use std::collections::btree_map::Entry;

use super::{Names, Space, Symbol};
use crate::model::{Keyed, Model, SECTIONS};
use crate::source::Spanned;

impl<'m> Names<'m> {
    pub(super) fn define(&mut self, model: &'m Model) {
        self.section(Space::Type, &model.types);
        self.section(Space::RunField, &model.run);
        self.section(Space::Server, &model.servers);
        self.section(Space::Tool, &model.tools);
        self.section(Space::Toolset, &model.toolsets);
        self.section(Space::Persona, &model.personas);
        self.section(Space::Role, &model.roles);
        self.section(Space::Harness, &model.harnesses);
        self.section(Space::Surface, &model.surfaces);
        self.section(Space::Skill, &model.skills);
        self.section(Space::Rubric, &model.rubrics);
        self.section(Space::Refusal, &model.refusals);
        self.section(Space::Plan, &model.plan_templates);
        self.section(Space::StatusTemplate, &model.status_templates);
        self.section(Space::RecordType, &model.record_types);
        self.section(Space::MemoryLens, &model.memory_lenses);
        self.section(Space::Duty, &model.duty_templates);
        self.section(Space::LensReview, &model.lens_reviews);
        for section in SECTIONS {
            self.lost.insert(Symbol::new(Space::Section, section));
        }
        self.inner(model);
    }

    fn inner(&mut self, model: &'m Model) {
        for tool in &model.tools {
            for cases in tool.cases.iter().flat_map(|cases| &cases.value) {
                self.held(Space::Case, &tool.key.value, &cases.value);
            }
        }
        for surface in &model.surfaces {
            if let Some(scopes) = &surface.scopes {
                self.held(Space::Scope, &surface.key.value, &scopes.0);
            }
        }
        for plan in &model.plan_templates {
            if let Some(steps) = &plan.steps {
                self.held(Space::Step, &plan.key.value, steps);
            }
        }
    }

    fn section<T>(&mut self, space: Space, keyed: &'m Keyed<T>) {
        for def in keyed {
            self.insert(Symbol::new(space, &def.key.value), &def.key);
        }
        self.lost.extend(keyed.lost().iter().map(|key| Symbol::new(space, &key.value)));
    }

    fn held<T>(&mut self, space: Space, within: &'m str, keyed: &'m Keyed<T>) {
        for def in keyed {
            self.insert(Symbol::within(space, within, &def.key.value), &def.key);
        }
        self.lost.extend(keyed.lost().iter().map(|key| Symbol::within(space, within, &key.value)));
    }

    fn insert(&mut self, symbol: Symbol<'m>, key: &Spanned<String>) {
        if let Entry::Vacant(free) = self.nodes.entry(symbol) {
            free.insert(self.graph.add_node(symbol));
            self.places.push(key.span);
        }
    }
}
