//! The input schema that a run is shown: the tool's, narrowed by what the run's cells say.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::Listed;
use crate::lock::{Cases, Cell, text};

/// A schema's keywords, or its properties, their values as written.
type Object = BTreeMap<String, Box<RawValue>>;

impl Listed<'_> {
    /// The narrowed input schema as compact JSON. Each input named by `only` must also meet that schema and is
    /// required; the input that tells cases apart takes the held ones alone; a narrowing that differs between cases
    /// applies to its case.
    ///
    /// `None` only where the schema's root is no object, which no proved lock holds.
    #[must_use]
    pub fn input(&self) -> Option<String> {
        let mut root: Object = serde_json::from_str(self.tool.input.as_str()).ok()?;
        match (&self.tool.cases, self.cells.as_slice()) {
            (None, [cell]) => narrow(&mut root, cell)?,
            (None, _) => return None,
            (Some(cases), cells) => narrow_cases(&mut root, cases, &self.cases, cells)?,
        }
        serde_json::to_string(&root).ok().map(|json| text::compact(&json))
    }
}

/// Narrows by one cell's `only`.
fn narrow(root: &mut Object, cell: &Cell) -> Option<()> {
    if cell.only.is_empty() {
        return Some(());
    }
    let mut properties: Object = part(root, "properties")?;
    let mut required: Vec<String> = part(root, "required")?;
    for (input, only) in &cell.only {
        let only = only.as_str();
        let both = match properties.get(input) {
            Some(own) => format!("{{\"allOf\":[{},{only}]}}", own.get()),
            None => only.to_owned(),
        };
        properties.insert(input.clone(), RawValue::from_string(both).ok()?);
        if !required.contains(input) {
            required.push(input.clone());
        }
    }
    put(root, "properties", &properties)?;
    put(root, "required", &required)
}

fn narrow_cases(root: &mut Object, cases: &Cases, held: &[&str], cells: &[&Cell]) -> Option<()> {
    let mut properties: Object = part(root, "properties")?;
    if held.len() < cases.by.len() {
        let own = properties.get(&cases.input).map_or("true", |own| own.get());
        let both = format!("{{\"allOf\":[{own},{{\"enum\":{}}}]}}", serde_json::to_string(held).ok()?);
        properties.insert(cases.input.clone(), RawValue::from_string(both).ok()?);
        put(root, "properties", &properties)?;
    }
    let mut branches: Vec<Box<RawValue>> = part(root, "allOf")?;
    for (case, cell) in held.iter().zip(cells).filter(|(_, cell)| !cell.only.is_empty()) {
        let input = serde_json::to_string(&cases.input).ok()?;
        let case = serde_json::to_string(case).ok()?;
        let only = serde_json::to_string(&cell.only).ok()?;
        let required = serde_json::to_string(&cell.only.keys().collect::<Vec<_>>()).ok()?;
        let branch = format!(
            "{{\"if\":{{\"properties\":{{{input}:{{\"const\":{case}}}}}}},\
             \"then\":{{\"properties\":{only},\"required\":{required}}}}}"
        );
        branches.push(RawValue::from_string(branch).ok()?);
    }
    if branches.is_empty() { Some(()) } else { put(root, "allOf", &branches) }
}

/// A keyword's value, or an empty one where the schema does not have it.
fn part<T: serde::de::DeserializeOwned + Default>(root: &Object, keyword: &str) -> Option<T> {
    root.get(keyword).map_or_else(|| Some(T::default()), |value| serde_json::from_str(value.get()).ok())
}

fn put(root: &mut Object, keyword: &str, value: &impl serde::Serialize) -> Option<()> {
    root.insert(keyword.to_owned(), serde_json::value::to_raw_value(value).ok()?);
    Some(())
}
