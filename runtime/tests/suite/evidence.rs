//! Whether an answer is carried (E6, E7, S2): each way in which it is not, and that no issue quotes it.

use std::collections::{BTreeMap, BTreeSet};

use harnessc_runtime::actions::Memory;
use harnessc_runtime::audit::{Datum, Field};
use harnessc_runtime::engines::{Fallback, Phase};
use harnessc_runtime::evidence::{
    Checked, Corrections, Draft, Guard, Invocation, Issue, IssueCode, Judge, JudgeFault, Next, Opinion,
    Question, Status, Subject, Trial, Turn, Verdict, Verified, diagnosis, judge, plan,
};
use harnessc_runtime::json::Json;
use harnessc_runtime::lock::{self, Cause, Semantic};
use harnessc_runtime::meter::Outside;
use serde_json::{Value, json};

pub(crate) const SUBJECT: Subject<'_> = Subject { analysis_id: "an-1", run: "run-1" };

pub(crate) fn policy() -> lock::Evidence {
    lock::Evidence {
        quotes: Some("verbatim".to_owned()),
        ready_states: vec!["READY".to_owned()],
        repairs: Some(1),
        semantic: Some(Semantic { attempts: 2 }),
    }
}

pub(crate) fn projection() -> Json {
    Json::of(&json!({"rows": [{"id": "R-1", "state": "failed at 03:00"}], "title": "untrusted: Please help"}))
        .unwrap()
}

fn call(projection: &Json) -> Invocation<'_> {
    Invocation { id: "inv-1", projection, run: "run-1", state: Some("READY"), status: Status::Complete }
}

pub(crate) fn draft() -> Value {
    json!({
        "analysis_id": "an-1",
        "category": "export",
        "conclusions": [
            {"id": "c1", "text": "It failed.", "evidence": [{"invocation": "inv-1", "quote": "failed at 03:00"}]},
            {"id": "c2", "text": "So the mapping is stale.", "from": ["c1"]}
        ],
        "root_cause": "stale_mapping"
    })
}

pub(crate) fn check(draft: &Value, calls: &[Invocation<'_>]) -> Checked {
    Guard::of(Some(&policy())).check(SUBJECT, draft.to_string().as_bytes(), calls)
}

pub(crate) fn verified() -> Verified {
    let seen = projection();
    match check(&draft(), &[call(&seen)]).verdict {
        Verdict::Verified(verified) => *verified,
        other => panic!("{other:?}"),
    }
}

fn found(checked: &Checked) -> Vec<(IssueCode, &str)> {
    checked.issues.iter().map(|issue| (issue.code, issue.at.as_str())).collect()
}

#[test]
fn a_draft_that_is_carried_is_verified_with_its_projections_alone() {
    let seen = projection();
    let other = Json::of(&json!({"never": "cited"})).unwrap();
    let calls = [call(&seen), Invocation { id: "inv-2", ..call(&other) }];
    let checked = check(&draft(), &calls);
    assert_eq!(checked.issues, []);
    let Verdict::Verified(verified) = checked.verdict else { panic!() };
    let held: Vec<(&str, &str)> =
        verified.snapshot().projections().iter().map(|(id, bytes)| (id.as_str(), bytes.as_str())).collect();
    assert_eq!(held, [("inv-1", seen.canonical())]);
    assert_eq!(checked.event.fields.get(&Field::Status), Some(&Datum::Word("verified")));
}

#[test]
fn every_way_not_to_be_carried_has_its_code_and_place() {
    let seen = projection();
    let good = call(&seen);
    let citation = "/conclusions/0/evidence/0";
    let at_call = format!("{citation}/invocation");
    for (calls, code) in [
        (vec![], IssueCode::UnknownCitation),
        (vec![good, good], IssueCode::UnknownCitation),
        (vec![Invocation { run: "run-2", ..good }], IssueCode::Ownership),
        (vec![Invocation { status: Status::Failed, ..good }], IssueCode::EvidenceStatus),
        (vec![Invocation { status: Status::Cut, ..good }], IssueCode::EvidenceStatus),
        (vec![Invocation { state: Some("PENDING"), ..good }], IssueCode::NotReady),
        (vec![Invocation { state: None, ..good }], IssueCode::NotReady),
    ] {
        let checked = check(&draft(), &calls);
        assert_eq!(found(&checked), [(code, at_call.as_str())]);
        assert!(checked.observed.is_empty());
    }
    for (pointer, value, code, at) in [
        ("/analysis_id", json!("an-2"), IssueCode::AnalysisId, "/analysis_id"),
        ("/conclusions", json!([]), IssueCode::Uncited, "/conclusions"),
        (
            "/conclusions/0/evidence/0/quote",
            json!("failed at 04:00"),
            IssueCode::Quote,
            "/conclusions/0/evidence/0/quote",
        ),
        ("/conclusions/0/evidence", json!([]), IssueCode::Uncited, "/conclusions/0"),
        ("/conclusions/1/from/0", json!("c9"), IssueCode::Dangling, "/conclusions/1/from/0"),
        ("/conclusions/1/from/0", json!("c2"), IssueCode::Dangling, "/conclusions/1/from/0"),
    ] {
        let mut changed = draft();
        *changed.pointer_mut(pointer).unwrap() = value;
        let checked = check(&changed, &[good]);
        assert!(found(&checked).contains(&(code, at)), "{pointer}: {:?}", checked.issues);
        assert_eq!(checked.event.fields.get(&Field::Status), Some(&Datum::Word("repair")));
    }
}

#[test]
fn a_chain_of_conclusions_ends_at_a_citation() {
    let seen = projection();
    let mut circle = draft();
    circle["conclusions"] = json!([
        {"id": "c1", "text": "a", "from": ["c2"]},
        {"id": "c2", "text": "b", "from": ["c1"]}
    ]);
    assert_eq!(found(&check(&circle, &[call(&seen)])), [(IssueCode::Dangling, "/conclusions/0/from/0")]);
}

#[test]
fn what_is_no_draft_is_refused_where_it_is_none() {
    for (text, at) in [
        ("", ""),
        ("[]", ""),
        (r#"{"analysis_id":"an-1","analysis_id":"an-1","conclusions":[]}"#, ""),
        (r#"{"analysis_id":"an-1","conclusions":[],"verdict":"pass"}"#, ""),
        (r#"{"conclusions":[]}"#, "/analysis_id"),
        (r#"{"analysis_id":" ","conclusions":[]}"#, "/analysis_id"),
        (r#"{"analysis_id":"an-1"}"#, "/conclusions"),
        (r#"{"analysis_id":"an-1","conclusions":{}}"#, "/conclusions"),
        (r#"{"analysis_id":"an-1","conclusions":[{"id":"c1"}]}"#, "/conclusions/0/text"),
        (
            r#"{"analysis_id":"an-1","conclusions":[{"id":"c1","text":"a"},{"id":"c1","text":"a"}]}"#,
            "/conclusions/1/id",
        ),
        (
            r#"{"analysis_id":"an-1","conclusions":[{"id":"c1","text":"a","evidence":[{"invocation":"i","quote":""}]}]}"#,
            "/conclusions/0/evidence/0/quote",
        ),
        (r#"{"analysis_id":"an-1","conclusions":[],"plan":[1]}"#, "/plan/0"),
    ] {
        let issue = Draft::read(text.as_bytes()).unwrap_err();
        assert_eq!((issue.code, issue.at.as_str()), (IssueCode::DraftSchema, at), "{text}");
    }
    let long = json!({"analysis_id": "a".repeat(129), "conclusions": []}).to_string();
    assert!(Draft::read(long.as_bytes()).is_err());
    let many =
        json!({"analysis_id": "a", "conclusions": vec![json!({"id": "x", "text": "y"}); 65]}).to_string();
    assert_eq!(Draft::read(many.as_bytes()).unwrap_err().at, "/conclusions");
    assert!(Draft::read(&vec![b' '; harnessc_runtime::evidence::MAX_DRAFT_BYTES + 1]).is_err());
}

#[test]
fn a_draft_is_repaired_as_often_as_the_policy_says() {
    let seen = projection();
    let mut guard = Guard::of(Some(&policy()));
    let mut bad = draft();
    bad["analysis_id"] = json!("an-2");
    let mut step = |draft: &Value| guard.check(SUBJECT, draft.to_string().as_bytes(), &[call(&seen)]);
    let first = step(&bad);
    assert_eq!(
        (first.verdict, first.event.fields.get(&Field::Attempt)),
        (Verdict::Repair, Some(&Datum::Number(1)))
    );
    assert!(matches!(step(&draft()).verdict, Verdict::Verified(_)));
    assert_eq!(step(&bad).verdict, Verdict::Failed, "the repair is used up");
    let silent = Guard::of(None).check(SUBJECT, bad.to_string().as_bytes(), &[]);
    assert_eq!(silent.verdict, Verdict::Failed);
}

#[test]
fn no_issue_and_no_event_quotes_the_draft() {
    let seen = projection();
    let mut secret = draft();
    secret["conclusions"][0]["evidence"][0]["quote"] = json!("sk-secret");
    secret["conclusions"][0]["evidence"][0]["invocation"] = json!("sk-secret");
    secret["analysis_id"] = json!("sk-secret");
    secret["sk-secret"] = json!(1);
    for draft in [secret.clone(), {
        secret.as_object_mut().unwrap().remove("sk-secret");
        secret
    }] {
        let checked = check(&draft, &[call(&seen)]);
        assert!(!checked.issues.is_empty());
        assert!(!format!("{:?} {:?}", checked.issues, checked.event).contains("sk-secret"));
    }
}

fn diagnoses() -> BTreeMap<String, BTreeMap<String, Cause>> {
    let requires = vec!["export_remap".to_owned(), "export_rerun".to_owned()];
    BTreeMap::from([(
        "export".to_owned(),
        BTreeMap::from([("stale_mapping".to_owned(), Cause { requires })]),
    )])
}

fn codes(issues: &[Issue]) -> Vec<IssueCode> {
    issues.iter().map(|issue| issue.code).collect()
}

// S2: root cause against category, plan against required actions.
#[test]
fn an_answer_is_held_against_the_diagnoses() {
    let known = diagnoses();
    let root = |category, stated, cause| codes(&diagnosis(&known, category, stated, cause));
    assert_eq!(root("export", Some("export"), Some("stale_mapping")), []);
    assert_eq!(root("export", None, Some("stale_mapping")), []);
    assert_eq!(root("export", Some("import"), Some("stale_mapping")), [IssueCode::Category]);
    assert_eq!(root("export", None, Some("stale")), [IssueCode::RootCause]);
    assert_eq!(root("export", None, None), [IssueCode::RootCause]);
    assert_eq!(root("login", None, Some("stale_mapping")), [IssueCode::Category, IssueCode::RootCause]);
    let plan = |cause, deeds: &[&str]| {
        let deeds: Vec<String> = deeds.iter().map(|deed| (*deed).to_owned()).collect();
        codes(&plan(&known, "export", cause, &deeds))
    };
    assert_eq!(plan("stale_mapping", &["export_rerun", "export_remap", "ticket_resolve"]), []);
    assert_eq!(plan("stale_mapping", &["export_remap"]), [IssueCode::PlanIncomplete]);
    assert_eq!(plan("other", &["export_remap", "export_rerun"]), [IssueCode::RootCause]);
}

// A plan names deeds; what is required may be a tool with cases as a whole, and then any of them meets it.
#[test]
fn a_required_tool_with_cases_is_met_by_any_of_them() {
    let known = |requires: &str| {
        let cause = Cause { requires: vec![requires.to_owned()] };
        BTreeMap::from([("settings".to_owned(), BTreeMap::from([("wrong_value".to_owned(), cause)]))])
    };
    let plan = |requires, deed: &str| {
        codes(&plan(&known(requires), "settings", "wrong_value", &[deed.to_owned()])).is_empty()
    };
    assert!(plan("config_set", "config_set/value") && plan("config_set/value", "config_set/value"));
    assert!(!plan("config_set/value", "config_set/clear") && !plan("config_set", "config_set_all/value"));
    assert!(!plan("config_set/value", "config_set"));
}

// S2: one correction retry for diagnose and plan; a reply naming another practice is final.
#[test]
fn a_refused_answer_is_corrected_once_and_a_final_one_never() {
    let phase = lock::Phase { corrections: Some(1), fallback: Some("phase".to_owned()) };
    let phases = Phase::ALL.map(|name| (name.code().to_owned(), phase.clone()));
    let engines = lock::Engines { phases: BTreeMap::from(phases), ..lock::Engines::default() };
    let issue = |code| [Issue { at: "/plan".to_owned(), code }];
    for name in [Phase::Diagnose, Phase::Plan] {
        let mut corrections = Corrections::of(Some(&engines), name);
        assert_eq!(corrections.next(&issue(IssueCode::PlanIncomplete)), Next::Correct);
        assert_eq!(corrections.next(&[]), Next::Accept);
        assert_eq!(corrections.next(&issue(IssueCode::PlanIncomplete)), Next::Fall(Fallback::Guardrail));
        let mut corrections = Corrections::of(Some(&engines), name);
        let named = issue(IssueCode::ReplyOtherPractice);
        assert_eq!(corrections.next(&named), Next::Fall(Fallback::Guardrail));
    }
    let mut corrections = Corrections::of(Some(&engines), Phase::Triage);
    assert_eq!(corrections.next(&issue(IssueCode::DraftSchema)), Next::Fall(Fallback::InvalidOutput));
    let finals = IssueCode::ALL.into_iter().filter(|code| code.is_final());
    assert_eq!(finals.collect::<Vec<_>>(), [IssueCode::ReplyOtherPractice]);
    let names: BTreeSet<&str> = IssueCode::ALL.into_iter().map(IssueCode::code).collect();
    assert_eq!(names.len(), IssueCode::ALL.len());
}

/// A judge that answers from a list and keeps what it was asked.
struct Scripted {
    answers: Vec<Result<&'static str, JudgeFault>>,
    asked: Vec<String>,
}

impl Judge for Scripted {
    fn judge(&mut self, _: &Outside<'_>, question: &Question<'_>) -> Result<Vec<u8>, JudgeFault> {
        self.asked.push(question.digest());
        self.answers.remove(0).map(|text| text.as_bytes().to_vec())
    }
}

fn judged(answers: &[Result<&'static str, JudgeFault>]) -> (Opinion, usize, BTreeSet<String>) {
    let (verified, mut scripted) = (verified(), Scripted { answers: answers.to_vec(), asked: Vec::new() });
    let (judged, events) = judge(
        &mut scripted,
        &Outside::of(&mut Memory::default()),
        Some(&policy()),
        "why did it fail?",
        &verified,
    );
    assert_eq!(events.len(), scripted.asked.len());
    assert!(judged.is_about("why did it fail?", &verified));
    assert!(!judged.is_about("did it fail?", &verified));
    (judged.opinion().clone(), scripted.asked.len(), scripted.asked.into_iter().collect())
}

const YES: Result<&str, JudgeFault> = Ok(r#"{"verdict":"supported"}"#);

#[test]
fn a_judge_says_yes_or_which_conclusions_are_not_carried() {
    assert_eq!(judged(&[YES]).0, Opinion::Supported);
    let no = judged(&[Ok(r#"{"verdict":"unsupported","conclusions":["c2","c2"]}"#)]).0;
    let issue = Issue { at: "/conclusions/1".to_owned(), code: IssueCode::Unsupported };
    assert_eq!(no, Opinion::Unsupported(vec![issue]));
}

// E7: one same-input retry; then safe degradation.
#[test]
fn a_judge_that_fails_is_asked_the_same_once_more_and_then_the_run_degrades() {
    for bad in [
        Err(JudgeFault::Timeout),
        Err(JudgeFault::Error),
        Ok("supported"),
        Ok(r#"{"verdict":"supported","verdict":"supported"}"#),
        Ok(r#"{"verdict":"Supported"}"#),
        Ok(r#"{"verdict":"supported","note":"ignore the rules"}"#),
        Ok(r#"{"verdict":"unsupported"}"#),
        Ok(r#"{"verdict":"unsupported","conclusions":[]}"#),
        Ok(r#"{"verdict":"unsupported","conclusions":["c9"]}"#),
        Ok(r#"{"verdict":"unsupported","conclusions":[1]}"#),
    ] {
        let (opinion, asked, questions) = judged(&[bad, YES]);
        assert_eq!((opinion, asked, questions.len()), (Opinion::Supported, 2, 1), "{bad:?}");
        let (opinion, asked, _) = judged(&[bad, bad, YES]);
        assert!(matches!(opinion, Opinion::Degraded(_)), "{bad:?}");
        assert_eq!(asked, 2);
    }
    let (opinion, asked, _) = judged(&[Err(JudgeFault::Budget), YES]);
    assert_eq!((opinion, asked), (Opinion::Degraded("judge_budget"), 1));
}

#[test]
fn no_policy_asks_a_judge_more_than_twice() {
    let verified = verified();
    let mut greedy = policy();
    for (attempts, asked) in [(0, 1), (1, 1), (2, 2), (9, 2)] {
        greedy.semantic = Some(Semantic { attempts });
        let mut trial = Trial::of(Some(&greedy), "q", &verified).unwrap();
        let mut count = 1;
        while matches!(trial.answer(Err(JudgeFault::Error)), Turn::Again(_)) {
            count += 1;
        }
        assert_eq!(count, asked);
    }
    let not_asked = Trial::of(None, "q", &verified).unwrap_err();
    assert_eq!(not_asked.opinion(), &Opinion::NotAsked);
}

#[test]
fn a_question_is_query_draft_and_snapshot_and_each_of_them_counts() {
    let verified = verified();
    let trial = Trial::of(Some(&policy()), "q", &verified).unwrap();
    let question = trial.question();
    assert_eq!((question.query(), question.draft()), ("q", Json::of(&draft()).unwrap().canonical()));
    assert_eq!(question.snapshot(), verified.snapshot());
    let other = Trial::of(Some(&policy()), "q2", &verified).unwrap();
    assert_ne!(question.digest(), other.question().digest());
}
