//! The effective table, as the policy resolved it.

use harnessc_runtime::lock::{Cell, Effective};

use super::json;
use crate::rules::Cx;

pub(super) fn table(cx: &Cx<'_>) -> Effective {
    cx.policy
        .effective
        .iter()
        .map(|(harness, roles)| {
            let roles = roles.iter().map(|(role, cells)| {
                let cells = cells.iter().filter_map(|cell| lowered(cx, harness, cell)).collect();
                (role.clone(), cells)
            });
            (harness.clone(), roles.collect())
        })
        .collect()
}

fn lowered(cx: &Cx<'_>, harness: &str, cell: &crate::policy::Cell) -> Option<Cell> {
    let deed = cx.policy.registry.deed(cell.deed)?;
    let hold = cx.policy.harnesses.get(harness).and_then(|harness| harness.holds.get(&cell.deed));
    Some(Cell {
        approval: cell.approval,
        approvers: cell.approvers.as_ref().map(|names| names.to_vec()),
        deed: deed.name.clone(),
        only: hold.map(|hold| json::only(&cx.policy.readings, &hold.only)).unwrap_or_default(),
    })
}
