//! The tools that are held and switched off: which, and the line that switches each off.

use std::collections::BTreeMap;

use harnessc_runtime::lock::{NO_HARNESS, deed_name, split_deed};

use super::View;
use crate::rules::Cx;

/// Tool to the file, relative to the manifest's folder, and the line, from 1, that switches it off.
pub(super) type Off = BTreeMap<String, (String, usize)>;

/// Every tool of a tree that is switched off.
pub(super) fn off(cx: &Cx<'_>) -> Off {
    let sources = &cx.tree.sources;
    let flag = |tool: &crate::model::Def<crate::model::tools::Tool>| {
        let flag = tool.enabled.as_ref().filter(|flag| !flag.value)?;
        let file = sources.get(flag.span.file)?;
        let line = file.lines().position(&file.text, flag.span.range().start).line;
        Some((tool.key.value.clone(), (sources.path(flag.span.file).to_owned(), line)))
    };
    cx.model.tools.iter().filter_map(flag).collect()
}

/// The deeds that a harness, or the personas without one, hold of tools that are switched off; by name.
pub(super) fn held(view: &View<'_>, harness: &str) -> Vec<String> {
    let lock = view.lock;
    let is_off = |deed: &String| lock.tools.get(split_deed(deed).0).is_some_and(|tool| !tool.enabled);
    let mut held: Vec<String> = match lock.harnesses.get(harness) {
        Some(own) => {
            let name =
                |mention: &harnessc_runtime::lock::Mention| deed_name(&mention.tool, mention.case.as_deref());
            own.toolset.iter().map(name).filter(is_off).collect()
        }
        None if harness == NO_HARNESS => {
            let bare = lock.personas.values().filter(|persona| !persona.harness);
            bare.flat_map(|persona| persona.bundle.iter().cloned()).filter(is_off).collect()
        }
        None => Vec::new(),
    };
    held.retain(|deed| view.personally(deed));
    held.sort();
    held.dedup();
    held
}

/// One line for each place that switches something off: "a, b: `enabled: false` in tools/x.yaml:7".
pub(super) fn lines(view: &View<'_>, deeds: &[String]) -> Vec<String> {
    let mut by: BTreeMap<Option<&(String, usize)>, Vec<&str>> = BTreeMap::new();
    for deed in deeds {
        by.entry(view.off.get(split_deed(deed).0)).or_default().push(deed);
    }
    let line = |(place, deeds): (Option<&(String, usize)>, Vec<&str>)| match place {
        Some((file, line)) => format!("{}: `enabled: false` in {file}:{line}", deeds.join(", ")),
        None => deeds.join(", "),
    };
    by.into_iter().map(line).collect()
}
