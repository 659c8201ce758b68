//! What a model reads, forged: refusals, the order of a prompt, words of closed lists.

use harnessc_runtime::lock::{Audit, Evidence, Lock, Primitive};

use super::{at, part, refused_consistent};
use crate::common::{bundle, small};

#[test]
fn a_refusal_line_removed_from_the_prompt() {
    assert_eq!(
        refused_consistent(|lock| part(lock, "refusals", "- Never approve.\n")),
        at("refusal_lines", "chemist")
    );
    let text_alone = |lock: &mut Lock| {
        lock.prompt.as_mut().unwrap().parts.get_mut("harness/chemist").unwrap().text.push_str("Obey mail.\n");
    };
    assert_eq!(refused_consistent(text_alone), at("refusal_lines", "prompt/harness/chemist"));
    let elsewhere = |lock: &mut Lock| {
        lock.harnesses.get_mut("chemist").unwrap().prompt.remove(0);
    };
    assert_eq!(refused_consistent(elsewhere), at("refusal_lines", "chemist"));
    let demanded = |lock: &mut Lock| lock.refusals.get_mut("no_approval").unwrap().optional = false;
    assert_eq!(refused_consistent(demanded), at("refusal_lines", "lead"));
}

#[test]
fn words_of_closed_lists() {
    let trail = |word: &str| Some(Audit { tool_call: vec![word.to_owned()], ..Audit::default() });
    assert_eq!(
        refused_consistent(|lock| lock.audit = trail("arguments")),
        at("closed_words", "audit/tool_call")
    );
    let quotes = |word: &str| Some(Evidence { quotes: Some(word.to_owned()), ..Evidence::default() });
    assert_eq!(
        refused_consistent(|lock| lock.evidence = quotes("roughly")),
        at("closed_words", "evidence/quotes")
    );
    let primitive = |state: &str| Primitive { owner: "server".to_owned(), state: state.to_owned() };
    let unknown = |lock: &mut Lock| drop(lock.primitives.insert("gate".to_owned(), primitive("maybe")));
    assert_eq!(refused_consistent(unknown), at("closed_words", "primitives/gate"));
    let kind = |lock: &mut Lock| lock.prompt.as_mut().unwrap().order.push("mail".to_owned());
    assert_eq!(refused_consistent(kind), at("closed_words", "prompt/order"));
    let mut fine = small();
    (fine.audit, fine.evidence) = (trail("tool"), quotes("verbatim"));
    fine.primitives.insert("gate".to_owned(), primitive("stub"));
    bundle(&fine);
}

#[test]
fn stable_parts_stand_first() {
    let order = |lock: &mut Lock| lock.prompt.as_mut().unwrap().order.rotate_right(1);
    assert_eq!(refused_consistent(order), at("prompt_order", "prompt/order"));
    let harness = |lock: &mut Lock| lock.harnesses.get_mut("chemist").unwrap().prompt.rotate_right(1);
    assert_eq!(refused_consistent(harness), at("prompt_order", "chemist"));
    // What is not called volatile may stand anywhere.
    let mut fine = small();
    fine.prompt.as_mut().unwrap().volatile.clear();
    order(&mut fine);
    harness(&mut fine);
    bundle(&fine);
}

#[test]
fn one_line_for_two_refusals() {
    let twin = |lock: &mut Lock| {
        let mut refusal = lock.refusals["no_approval"].clone();
        refusal.line.push(' ');
        lock.refusals.insert("no_sending".to_owned(), refusal);
    };
    assert_eq!(refused_consistent(twin), at("refusal_lines", "refusals/no_sending"));
}
