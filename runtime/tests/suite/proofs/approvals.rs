//! Who must say yes, forged: tiers, approvers, ways back, cells of the table.

use harnessc_runtime::lock::{Approval, Lock, Undo};

use super::{at, cell, hold, loads_where_lowered, loads_where_waived, refused, refused_consistent};

#[test]
fn a_write_made_auto() {
    let auto =
        |lock: &mut Lock| lock.tools.get_mut("records.propose").unwrap().approval = Some(Approval::Auto);
    assert_eq!(refused_consistent(auto), at("write_never_auto", "records.propose"));
    let tier = |lock: &mut Lock| lock.approvals.at_least.write = Approval::Auto;
    assert_eq!(refused_consistent(tier), at("write_never_auto", "at_least/write"));
    assert_eq!(
        refused(|lock| cell(lock, "chemist", "console", "records.propose").approval = Approval::Auto),
        at("write_never_auto", "chemist/console/records.propose")
    );
    let case = |lock: &mut Lock| {
        let cases = lock.tools.get_mut("labels.edit").unwrap().cases.as_mut().unwrap();
        cases.by.get_mut("update").unwrap().approval = Some(Approval::Auto);
    };
    assert_eq!(refused_consistent(case), at("write_never_auto", "labels.edit/update"));
}

#[test]
fn a_tool_beyond_the_bundle() {
    assert_eq!(
        refused_consistent(|lock| hold(lock, "chemist", "tickets.list")),
        at("persona_bundle", "chemist/tickets.list")
    );
    let wears = |lock: &mut Lock| {
        lock.personas.get_mut("scientist").unwrap().harness = false;
    };
    assert_eq!(refused_consistent(wears), at("persona_bundle", "chemist"));
}

#[test]
fn prose_given_to_another_role() {
    let granted = |lock: &mut Lock| {
        let stolen = cell(lock, "chemist", "reader", "documents.fetch").clone();
        lock.effective.get_mut("chemist").unwrap().get_mut("console").unwrap().insert(0, stolen);
    };
    assert_eq!(refused(granted), at("untrusted_reader", "chemist/console/documents.fetch"));
}

#[test]
fn four_eyes_weakened() {
    assert_eq!(
        refused(|lock| cell(lock, "lead", "console", "records.erase").approval = Approval::Confirm),
        at("approval_below_tier", "lead/console/records.erase")
    );
    assert_eq!(
        refused(|lock| cell(lock, "chemist", "console", "labels.edit/update").approval = Approval::Confirm),
        at("effective_table", "chemist/console/labels.edit/update")
    );
    assert_eq!(
        refused_consistent(|lock| lock.approvals.at_least.destructive = Approval::Confirm),
        at("four_eyes", "lead/console/labels.edit/delete")
    );
    let outsider =
        |lock: &mut Lock| lock.approvals.approvers.as_mut().unwrap().four_eyes.push("viewer".to_owned());
    assert_eq!(refused_consistent(outsider), at("four_eyes", "approvers/four_eyes"));
    loads_where_lowered(outsider, "approvers-unreachable");
    loads_where_waived(outsider, "approvers-unreachable", "approvals/approvers");
    let widened = |lock: &mut Lock| {
        cell(lock, "lead", "console", "records.erase").approvers = Some(vec!["scientist".to_owned()]);
    };
    assert_eq!(refused(widened), at("effective_table", "lead/console/records.erase"));
}

#[test]
fn silence_about_the_way_back_is_none() {
    let silent = |lock: &mut Lock| {
        lock.approvals.at_least.destructive = Approval::Confirm;
        lock.tools.get_mut("records.erase").unwrap().undo = vec![Undo::Snapshot];
        let cases = lock.tools.get_mut("labels.edit").unwrap().cases.as_mut().unwrap();
        cases.by.get_mut("delete").unwrap().undo.clear();
    };
    assert_eq!(refused_consistent(silent), at("four_eyes", "lead/console/labels.edit/delete"));
    loads_where_lowered(silent, "destructive-without-undo");
    loads_where_waived(silent, "destructive-without-undo", "tools/labels.edit");
}

#[test]
fn approvals_below_their_tier() {
    let mention = |lock: &mut Lock| {
        let toolset = &mut lock.harnesses.get_mut("lead").unwrap().toolset;
        toolset.iter_mut().find(|held| held.tool == "records.erase").unwrap().approval =
            Some(Approval::Confirm);
    };
    assert_eq!(refused_consistent(mention), at("approval_below_tier", "lead/records.erase"));
    let tool =
        |lock: &mut Lock| lock.tools.get_mut("records.erase").unwrap().approval = Some(Approval::Confirm);
    assert_eq!(refused_consistent(tool), at("approval_below_tier", "records.erase"));
}

#[test]
fn an_auto_create_that_nothing_takes_back() {
    let kept = |lock: &mut Lock| lock.tools.get_mut("records.draft").unwrap().undo = vec![Undo::Snapshot];
    assert_eq!(refused_consistent(kept), at("auto_create_undone", "chemist/console/records.draft"));
    let off = |lock: &mut Lock| lock.tools.get_mut("records.erase").unwrap().enabled = false;
    assert_eq!(refused_consistent(off), at("auto_create_undone", "chemist/console/labels.edit/create"));
    let outside = |lock: &mut Lock| {
        let server = lock.tools["tickets.list"].server.clone();
        lock.tools.get_mut("records.draft").unwrap().server = server;
    };
    assert_eq!(refused_consistent(outside), at("auto_create_undone", "chemist/console/records.draft"));
}

#[test]
fn an_added_or_missing_cell() {
    let added = |lock: &mut Lock| {
        let stolen = cell(lock, "lead", "console", "tickets.list").clone();
        lock.effective.get_mut("chemist").unwrap().get_mut("console").unwrap().push(stolen);
    };
    assert_eq!(refused(added), at("effective_table", "chemist/console/tickets.list"));
    let missing = |lock: &mut Lock| {
        lock.effective.get_mut("chemist").unwrap().get_mut("console").unwrap().pop();
    };
    assert_eq!(refused(missing), at("effective_table", "chemist/console/records.search"));
    let row = |lock: &mut Lock| {
        let stolen = lock.effective["lead"].clone();
        lock.effective.insert("ghost".to_owned(), stolen);
    };
    assert_eq!(refused(row), at("effective_table", "ghost"));
    let role = |lock: &mut Lock| {
        let chemist = lock.effective.get_mut("chemist").unwrap();
        chemist.insert("root".to_owned(), Vec::new());
    };
    assert_eq!(refused(role), at("effective_table", "chemist/root"));
    let viewer = |lock: &mut Lock| {
        let stolen = cell(lock, "lead", "console", "tickets.list").clone();
        lock.effective.get_mut("-").unwrap().get_mut("console").unwrap().push(stolen);
    };
    assert_eq!(refused(viewer), at("effective_table", "-/console/tickets.list"));
}

#[test]
fn a_narrowing_taken_away() {
    assert_eq!(
        refused(|lock| cell(lock, "chemist", "reader", "documents.fetch").only.clear()),
        at("effective_table", "chemist/reader/documents.fetch")
    );
}
