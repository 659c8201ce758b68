//! What a decision costs: by the lock alone from 10 to 100,000 tools, through the whole boundary with its schema and its
//! record; and what loading the console's lock costs.
//!
//! By the lock alone there are three ways to call, each beside a plain map that is asked for the same names in the same order:
//!
//! - `decision`: 1,024 tools of the registry, far apart. What they need does not fit the nearest cache from 10,000 tools on.
//! - `decision_over_all_tools`: every tool of the registry in turn. At 100,000 each answer comes from far away.
//! - `decision_of_a_session`: the forty tools of one harness, out of so many. This is how a run calls.
//!
//! These measure a server that has been at work for a while: every call was made before it is timed, and a sample is many calls.
//! What the first call after other work costs stands beside them, `after_other_work`: nothing of the lock is in a cache then, and
//! a sample is one call, some 20 ns of it the clock's.
//!
//! `cargo bench -p harnessc-runtime --features schema --bench decision`

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a benchmark that cannot be set up is to stop"
)]

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use divan::{Bencher, black_box};
use harnessc_runtime::Bundle;
use harnessc_runtime::boundary::budget::Caps;
use harnessc_runtime::boundary::{
    Boundary, Bounds, Call, Claims, Compile, Compiled, Conditions, DeedNames, InputFault, Ledger, Lifecycle,
    Locks, Mode, NameKey, Overlay, Permit, PlanState, Ruling, RunState,
};
use harnessc_runtime::decide::{Call as Asked, Person, Plan, RunRow, Verdict};
use harnessc_runtime::json::Json;
use harnessc_runtime::load::{Signers, Trust};
use harnessc_runtime::lock::{
    Effect, FORMAT, Harness, Lock, Mention, Persona, Policy, Preview, RawJson, Returns, Role, RoleTools,
    Tool, digest,
};
use harnessc_runtime::prove;
use harnessc_runtime::upstream::Upstreams;

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];
const LARGE: [usize; 2] = [1_000, 100_000];
const NO_INPUT: &str = r#"{"type":"object","unevaluatedProperties":false}"#;

fn main() {
    divan::main();
}

fn name(at: usize) -> String {
    format!("records.read_{at:06}")
}

fn tool(input: &str) -> Tool {
    Tool {
        approval: None,
        bind: BTreeMap::new(),
        cases: None,
        description: "Reads.".to_owned(),
        effect: Effect::Read,
        enabled: true,
        input: RawJson::new(input).unwrap(),
        output: None,
        preview: Preview::Input,
        returns: Returns::None,
        server: None,
        surfaces: None,
        title: "Read".to_owned(),
        unbound: Some("a benchmark".to_owned()),
        undo: Vec::new(),
    }
}

/// A lock of reads alone, all in one harness.
fn lock(tools: usize, input: &str) -> Lock {
    holding(tools, &(0..tools).map(name).collect::<Vec<String>>(), input)
}

/// A lock of reads alone, some of them in its one harness.
fn holding(tools: usize, names: &[String], input: &str) -> Lock {
    let mention =
        |name: &String| Mention { approval: None, case: None, only: BTreeMap::new(), tool: name.clone() };
    let harness = Harness {
        personas: vec!["worker".to_owned()],
        title: "Worker".to_owned(),
        toolset: names.iter().map(mention).collect(),
        ..Harness::default()
    };
    let worker = Persona { bundle: names.to_vec(), harness: true, title: "Worker".to_owned() };
    let console =
        Role { effects: None, reads_untrusted: false, title: None, tools: RoleTools::HarnessToolset };
    let mut lock = Lock {
        format: FORMAT.to_owned(),
        harnesses: BTreeMap::from([("worker".to_owned(), harness)]),
        personas: BTreeMap::from([("worker".to_owned(), worker)]),
        policy: Policy {
            edition: 1,
            environment: Some("test".to_owned()),
            name: "bench".to_owned(),
            ..Policy::default()
        },
        revision: 1,
        roles: BTreeMap::from([("console".to_owned(), console)]),
        tools: (0..tools).map(|at| (name(at), tool(input))).collect(),
        ..Lock::default()
    };
    lock.effective = prove::table::effective(&lock);
    lock
}

fn trust(policy: &str, environment: &str) -> Trust {
    Trust {
        allow_gap: false,
        environment: Some(environment.to_owned()),
        policy: policy.to_owned(),
        signers: Signers::Unsigned,
    }
}

fn bundle(lock: &Lock) -> Bundle {
    Bundle::load(&digest::write(lock).unwrap(), &trust("bench", "test"), None).unwrap()
}

/// Calls spread over the whole registry, so that no cache line answers twice in a row.
fn calls(tools: usize) -> Vec<String> {
    (0..1_024).map(|at| name(at * 7_919 % tools)).collect()
}

/// Calls of every tool, each far from the one before.
fn all_calls(tools: usize) -> Vec<String> {
    (0..tools).map(|at| name(at * 7_919 % tools)).collect()
}

/// The forty tools of a session, spread over the registry and sorted.
fn session(tools: usize) -> Vec<String> {
    let mut names: Vec<String> = calls(tools).into_iter().take(40).collect();
    names.sort();
    names
}

fn each<'c>(calls: &'c [String]) -> impl FnMut() -> &'c str {
    let mut at = 0;
    move || {
        at = (at + 1) % calls.len();
        calls[at].as_str()
    }
}

fn row(person: &Person) -> RunRow<'_> {
    RunRow {
        harness: Some("worker"),
        person,
        plan: Plan::None,
        read_only: false,
        role: "console",
        scopes: &[],
        surface: None,
    }
}

#[divan::bench(args = SIZES, sample_count = 200, sample_size = 1024)]
fn decision(bencher: Bencher<'_, '_>, tools: usize) {
    decide(bencher, &lock(tools, NO_INPUT), &calls(tools));
}

#[divan::bench(args = LARGE, sample_count = 500, sample_size = 1000)]
fn decision_over_all_tools(bencher: Bencher<'_, '_>, tools: usize) {
    decide(bencher, &lock(tools, NO_INPUT), &all_calls(tools));
}

#[divan::bench(args = LARGE, sample_count = 200, sample_size = 1024)]
fn decision_of_a_session(bencher: Bencher<'_, '_>, tools: usize) {
    let held = session(tools);
    decide(bencher, &holding(tools, &held, NO_INPUT), &held);
}

#[divan::bench(args = SIZES, sample_count = 200)]
fn decision_after_other_work(bencher: Bencher<'_, '_>, tools: usize) {
    let (bundle, calls) = (bundle(&lock(tools, NO_INPUT)), calls(tools));
    let person = bundle.persona("worker").unwrap();
    let run = bundle.run(&row(&person));
    let (mut tool, mut work) = (each(&calls), other_work());
    bencher.with_inputs(|| (work(), tool())).bench_local_values(|(_, tool)| {
        assert!(run.check(black_box(&Asked { case: None, tool })) == Verdict::Allow);
    });
}

/// Work that leaves nothing else in the caches: 64 MiB are written.
fn other_work() -> impl FnMut() -> u8 {
    let mut memory = vec![0_u8; 64 << 20];
    move || {
        memory.iter_mut().step_by(64).for_each(|line| *line = line.wrapping_add(1));
        black_box(&memory)[0]
    }
}

fn decide(bencher: Bencher<'_, '_>, lock: &Lock, calls: &[String]) {
    let bundle = bundle(lock);
    let person = bundle.persona("worker").unwrap();
    let run = bundle.run(&row(&person));
    for tool in calls {
        assert!(run.check(&Asked { case: None, tool }) == Verdict::Allow);
    }
    let mut tool = each(calls);
    bencher.bench_local(|| {
        let verdict = run.check(black_box(&Asked { case: None, tool: tool() }));
        assert!(verdict == Verdict::Allow);
    });
}

/// The same, the run's names looked up anew for each call.
#[divan::bench(args = SIZES, sample_count = 200, sample_size = 1024)]
fn decision_with_run_lookup(bencher: Bencher<'_, '_>, tools: usize) {
    let (bundle, calls) = (bundle(&lock(tools, NO_INPUT)), calls(tools));
    let person = bundle.persona("worker").unwrap();
    let row = row(&person);
    let mut tool = each(&calls);
    bencher.bench_local(|| {
        let verdict = bundle.check_call(black_box(&row), &Asked { case: None, tool: tool() });
        assert!(verdict == Verdict::Allow);
    });
}

/// A plain map of maps from harness and role to tools: no person, no surface, no plan, no approval.
#[divan::bench(args = SIZES, sample_count = 200, sample_size = 1024)]
fn plain_map(bencher: Bencher<'_, '_>, tools: usize) {
    mapped(bencher, (0..tools).map(name), &calls(tools));
}

#[divan::bench(args = LARGE, sample_count = 500, sample_size = 1000)]
fn plain_map_over_all_tools(bencher: Bencher<'_, '_>, tools: usize) {
    mapped(bencher, (0..tools).map(name), &all_calls(tools));
}

/// The map of a harness holds its own tools and no others, however many there are.
#[divan::bench(args = LARGE, sample_count = 200, sample_size = 1024)]
fn plain_map_of_a_session(bencher: Bencher<'_, '_>, tools: usize) {
    mapped(bencher, session(tools).into_iter(), &session(tools));
}

fn mapped(bencher: Bencher<'_, '_>, names: impl Iterator<Item = String>, calls: &[String]) {
    let map: HashMap<(&str, &str), HashMap<String, bool>> =
        HashMap::from([(("worker", "console"), names.map(|name| (name, true)).collect())]);
    for tool in calls {
        assert!(map.values().all(|tools| tools.contains_key(tool)));
    }
    let mut tool = each(calls);
    bencher.bench_local(|| {
        let tools = black_box(&map).get(&("worker", "console"));
        assert!(tools.and_then(|tools| tools.get(tool())) == Some(&true));
    });
}

/// Every gate, the strict reading of the input, the reservation and the record.
#[divan::bench(args = SIZES, sample_count = 500, sample_size = 32)]
fn boundary(bencher: Bencher<'_, '_>, tools: usize) {
    whole(bencher, &lock(tools, NO_INPUT), &calls(tools), b"{}", Arc::new(Anything));
}

/// The same with a schema of one kilobyte, a hundred tools with one each in turn, and an input that uses all of it.
#[cfg(feature = "schema")]
#[divan::bench(sample_count = 1000, sample_size = 32)]
fn boundary_with_schema_of_1_kb(bencher: Bencher<'_, '_>) {
    let (schema, input) = kilobyte();
    let validator = Arc::new(harnessc_runtime::boundary::validate::JsonSchema);
    whole(bencher, &lock(100, &schema), &calls(100), input.as_bytes(), validator);
}

/// The same, the input laid out and its members in another order than the canonical one.
#[cfg(feature = "schema")]
#[divan::bench(sample_count = 1000, sample_size = 32)]
fn boundary_with_schema_of_1_kb_and_an_input_in_disorder(bencher: Bencher<'_, '_>) {
    let (schema, input) = kilobyte();
    let mut members: Vec<&str> = input.trim_matches(['{', '}']).split(',').collect();
    members.rotate_left(5);
    let input = format!("{{ {} }}", members.join(", ").replace(':', ": "));
    let validator = Arc::new(harnessc_runtime::boundary::validate::JsonSchema);
    whole(bencher, &lock(100, &schema), &calls(100), input.as_bytes(), validator);
}

/// The schema alone, on an input that was read already.
#[cfg(feature = "schema")]
#[divan::bench]
fn schema_of_1_kb_alone(bencher: Bencher<'_, '_>) {
    let (schema, input) = kilobyte();
    let compiled = harnessc_runtime::boundary::validate::JsonSchema.compile(&schema).unwrap();
    let input = Json::parse(input.as_bytes()).unwrap();
    bencher.bench(|| assert!(compiled.check(black_box(&input)).is_ok()));
}

/// The strict reading alone.
#[divan::bench]
fn reading_an_input_of_250_bytes(bencher: Bencher<'_, '_>) {
    let (_, input) = kilobyte();
    bencher.bench(|| Json::parse(black_box(input.as_bytes())).unwrap());
}

fn kilobyte() -> (String, String) {
    let member = |at: usize| {
        format!(r#""field_{at:02}":{{"type":"string","pattern":"^[A-Z]{{2}}-[0-9]+$","maxLength":40}}"#)
    };
    let members: Vec<String> = (0..13).map(member).collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}},"required":["field_00","field_01"],"unevaluatedProperties":false}}"#,
        members.join(",")
    );
    assert!((1_000..1_200).contains(&schema.len()), "{}", schema.len());
    let input: Vec<String> = (0..13).map(|at| format!(r#""field_{at:02}":"AB-{at}""#)).collect();
    (schema, format!("{{{}}}", input.join(",")))
}

/// What says yes to every input.
#[derive(Debug)]
struct Anything;

impl Compile for Anything {
    fn compile(&self, _: &str) -> Option<Box<dyn Compiled>> {
        Some(Box::new(Self))
    }
}

impl Compiled for Anything {
    fn check(&self, _: &Json) -> Result<(), InputFault> {
        Ok(())
    }
}

fn whole(bencher: Bencher<'_, '_>, lock: &Lock, calls: &[String], input: &[u8], validator: Arc<dyn Compile>) {
    let locks = Locks::new(bundle(lock), validator);
    let key = NameKey::new([7; 32]);
    let permissions = DeedNames::of(locks.in_force().lock().tools.keys().map(String::as_str), &locks);
    let (overlay, values) = (Overlay::none().unwrap(), BTreeMap::new());
    let run = RunState {
        acting_user: "person-1",
        harness: Some("worker"),
        id: "run-1",
        lifecycle: Lifecycle::begun(1),
        lock: locks.in_force().digest(),
        mode: Mode::Work,
        organization: "org-1",
        permissions: Ok(&permissions),
        personas: &["worker"],
        plan: Ok(PlanState::None),
        requester: "person-1",
        role: "console",
        values: &values,
    };
    let claims = Claims {
        audience: "tools",
        harness: Some("worker"),
        organization: "org-1",
        role: "console",
        run: "run-1",
        scopes: &[],
    };
    let conditions = Conditions {
        high_water_ms: 2,
        kill_switch: Ok(false),
        now_ms: Ok(2),
        overlay: Ok(&overlay),
        upstreams: Upstreams::UNSEEN,
    };
    let boundary = Boundary { audience: "tools", bounds: Bounds::default(), key: &key, locks: &locks };
    let mut ledger = Ledger::default();
    let mut tool = each(calls);
    // Schemas are compiled when they are first needed.
    for tool in calls {
        let call = Call { input, surface: None, tool };
        drop(boundary.check(Ok(Some(&run)), &claims, &call, &conditions, Ok(&mut Ledger::default())));
    }
    bencher.bench_local(|| {
        let call = Call { input, surface: None, tool: tool() };
        let decided = boundary.check(Ok(Some(&run)), &claims, black_box(&call), &conditions, Ok(&mut ledger));
        let Ruling::Allow(Permit::Read(permit)) = decided.ruling else { panic!("a read") };
        let reservation = permit.spend();
        let used = reservation.amounts();
        ledger.settle(&Caps::default(), reservation, used);
    });
}

/// Loading and proving the lock that this repository ships.
#[divan::bench]
fn load_the_console(bencher: Bencher<'_, '_>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../harness.lock");
    let Ok(bytes) = std::fs::read(path) else { return };
    let trust = trust("program-console", "production");
    bencher.bench(|| Bundle::load(black_box(&bytes), &trust, None).unwrap());
}
