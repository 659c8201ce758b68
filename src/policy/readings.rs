//! The schemas that stand outside of tools, each read once: types, fields of the run, narrowings.

use std::collections::BTreeMap;

use super::schema::{self, Origin, Purpose, Reading, Shorts};
use super::section_keys;
use crate::model::Model;
use crate::model::lists::{Mention, ToolItem, Toolset};
use crate::model::scalars::SchemaText;
use crate::source::Span;

/// What a schema stands at and is for, to what it reads as.
#[derive(Default)]
pub struct Readings(BTreeMap<(Span, Purpose), Reading>);

impl Readings {
    pub(super) fn resolve(model: &Model) -> Self {
        let keys = |section: &str| section_keys(model, section);
        let types = model.types.iter().map(|def| (def.key.value.as_str(), &def.value.0));
        let shorts = Shorts::new(types, &keys);
        let mut readings = BTreeMap::new();
        let mut take = |stated: &SchemaText, purpose| {
            let read = || schema::read(&stated.0, Origin::Own, purpose, &shorts);
            readings.entry((stated.0.span, purpose)).or_insert_with(read);
        };
        for def in model.types.iter() {
            take(&def.value, Purpose::Narrowing);
        }
        for def in model.run.iter() {
            take(&def.value, Purpose::RunField);
        }
        for only in mentions(model).flat_map(|mention| mention.only.iter().flatten()) {
            take(&only.value, Purpose::Narrowing);
        }
        Self(readings)
    }

    /// A type, as it stands.
    pub fn of_type(&self, stated: &SchemaText) -> Option<&Reading> {
        self.narrowing(stated)
    }

    /// A field of the run.
    pub fn run_field(&self, stated: &SchemaText) -> Option<&Reading> {
        self.0.get(&(stated.0.span, Purpose::RunField))
    }

    /// A value of `only`.
    pub fn narrowing(&self, stated: &SchemaText) -> Option<&Reading> {
        self.0.get(&(stated.0.span, Purpose::Narrowing))
    }
}

/// Every item that may narrow a tool: in toolsets, then in harnesses, each by key.
pub fn mentions(model: &Model) -> impl Iterator<Item = &Mention> {
    let toolsets = model.toolsets.sorted().map(|def| def.value.value.as_slice());
    let harnesses = model.harnesses.sorted().filter_map(|def| match &def.toolset {
        Some(Toolset::List(list)) => Some(list.value.as_slice()),
        _ => None,
    });
    toolsets.chain(harnesses).flatten().filter_map(|item| match item {
        ToolItem::Held(mention) => Some(mention),
        ToolItem::Tool(_) | ToolItem::Toolset(_) => None,
    })
}
