//! The test that would have noticed a mutant: found by comparing both policies' answers, written out, and tried on both.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use harnessc_runtime::decide::Bundle;
use harnessc_runtime::lock::{Lock, NO_HARNESS, RawJson, split_deed};
use serde_json::Value;

use super::instance::Make;
use super::witness;
use crate::diagnostic::Sink;
use crate::model::read::Read as _;
use crate::model::tests::Tests;
use crate::source::Sources;
use crate::syntax::yaml;
use crate::trial::ask::ask_deed;
use crate::trial::judge::all_deeds;
use crate::trial::row::Planned;
use crate::trial::{Decision, Row, Schemas, Stand, Word, judge, with_run};

/// What two policies differ in, as far as a call of a tool is decided by it.
pub(super) enum Differ {
    /// In nothing.
    Nowhere,
    /// This test passes under the first and fails under the second.
    Told(String),
    /// In something for which no test was found.
    Untold,
}

/// Looks for a decision that is another one, and for the test that says so.
pub(super) fn killer(base: &Stand, mutant: &Stand, said: &str) -> Differ {
    let pair = Pair { base: base.bundle(), mutant: mutant.bundle(), schemas: &base.schemas };
    let cells =
        || (cellular(pair.base.lock()) != cellular(pair.mutant.lock())).then(|| pair.cell()).flatten();
    let found = cells().or_else(|| pair.limit()).or_else(|| pair.input()).or_else(|| pair.terms());
    let Some(found) = found else {
        return if meant(pair.base.lock()) == meant(pair.mutant.lock()) {
            Differ::Nowhere
        } else {
            Differ::Untold
        };
    };
    tried(base, mutant, said, &found).map_or(Differ::Untold, Differ::Told)
}

/// The test as text, where it passes under the one and fails under the other.
fn tried(base: &Stand, mutant: &Stand, said: &str, found: &str) -> Option<String> {
    let name = serde_json::to_string(&format!("not so: {said}")).ok()?;
    let text = format!("tests:\n  {name}:\n{found}");
    let tests = parse(&text)?;
    let fails = |stand| tests.0.iter().any(|test| !judge(stand, test, true).failures.is_empty());
    (!fails(base) && fails(mutant)).then_some(text)
}

fn parse(text: &str) -> Option<Tests> {
    let mut sources = Sources::default();
    let file = sources.add("tests/policy/new.yaml", text);
    let mut sink = Sink::default();
    let document = yaml::read(file, text, &mut sink);
    let tests = Tests::read(&document.root?.get("tests")?.value, &mut sink)?;
    sink.is_empty().then_some(tests)
}

struct Pair<'p> {
    base: &'p Bundle,
    mutant: &'p Bundle,
    schemas: &'p Schemas,
}

/// A run to ask with, and how it is written beyond who asks.
type Turned<'p> = (Row<'p>, &'static str);

impl<'p> Pair<'p> {
    fn lock(&self) -> &'p Lock {
        self.base.lock()
    }

    /// Every run that can ask, over no surface and over each with all its scopes or one; the plain ones first, and behind
    /// them persons in harnesses that are not theirs.
    fn rows(&self) -> Vec<Row<'p>> {
        let lock = self.lock();
        let mut rows = Vec::new();
        for own in [true, false] {
            for (surface, scopes) in doors(lock) {
                for harness in lock.effective.keys() {
                    for role in lock.roles.keys() {
                        let personas = self.personas(harness, own).into_iter();
                        rows.extend(personas.map(|persona| Row {
                            scopes: scopes.clone(),
                            ..row(harness, role, persona, surface)
                        }));
                    }
                }
            }
        }
        rows
    }

    /// The personas that wear a harness, or those that do not.
    fn personas(&self, harness: &str, own: bool) -> Vec<Option<&'p str>> {
        let lock = self.lock();
        if lock.personas.is_empty() {
            return if own { vec![None] } else { Vec::new() };
        }
        let wears = |key: &String| match lock.harnesses.get(harness) {
            Some(harness) => harness.personas.contains(key),
            None => lock.personas.get(key).is_some_and(|persona| !persona.harness),
        };
        lock.personas.keys().filter(|key| wears(key) == own).map(|key| Some(key.as_str())).collect()
    }

    fn ask(&self, bundle: &Bundle, row: &Row<'_>, deed: &str) -> Decision {
        with_run(bundle, row, |run| ask_deed(bundle, row, run, deed))
    }

    fn words(&self, bundle: &Bundle, row: &Row<'_>, deeds: &[String]) -> Vec<Word> {
        with_run(bundle, row, |run| deeds.iter().map(|deed| ask_deed(bundle, row, run, deed).word).collect())
    }

    /// A cell that is another one.
    fn cell(&self) -> Option<String> {
        let rows = self.rows();
        let turns: [fn(&Row<'p>) -> Turned<'p>; 4] = [
            |row| (row.clone(), ""),
            |row| (Row { plan: Planned::Proposed, ..row.clone() }, ", plan: proposed"),
            |row| (Row { kill_switch: true, ..row.clone() }, ", kill_switch: true"),
            |row| (Row { read_only: true, ..row.clone() }, ", read_only: true"),
        ];
        for turn in turns {
            for (row, more) in rows.iter().map(turn) {
                let deeds = all_deeds(self.lock());
                let (was, is) = (self.words(self.base, &row, &deeds), self.words(self.mutant, &row, &deeds));
                let differs = deeds
                    .iter()
                    .zip(was.iter().zip(&is))
                    .find(|(_, (was, is))| was != is && (was.is_granted() || is.is_granted()));
                if let Some((deed, (was, _))) = differs {
                    let harness = row.harness.unwrap_or("none");
                    let cell = if was.is_granted() { format!("{harness}: {was}") } else { String::new() };
                    let who = self.written(&row, more);
                    return Some(format!("    run: {who}\n    matrix: {{{deed}: {{{cell}}}}}\n"));
                }
            }
        }
        None
    }

    /// A limit that is another one: what is spent reaches it, and the next call is denied.
    fn limit(&self) -> Option<String> {
        let (was, is) = (spendable(self.lock()), spendable(self.mutant.lock()));
        let (key, amount) = was.into_iter().find(|one| !is.contains(one))?;
        let rows = self.rows();
        let of_tool = ["calls", "bytes"].into_iter().find_map(|word| {
            key.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')).map(|tool| (word, tool))
        });
        let scope = key.strip_prefix(OF_SCOPE).and_then(|own| own.split_once('\n'));
        let wants_change = key == "actions";
        for row in &rows {
            for deed in all_deeds(self.lock()) {
                let got = self.ask(self.base, row, &deed);
                let fits = of_tool.is_none_or(|(_, tool)| split_deed(&deed).0 == tool)
                    && scope.is_none_or(|(surface, scope)| {
                        row.surface == Some(surface) && row.scopes.as_slice() == [scope]
                    })
                    && (!wants_change || got.word.written() != "auto");
                if got.word.is_granted() && fits {
                    let spent = match of_tool {
                        Some((word, tool)) => format!("{word}: {{{tool}: {amount}}}"),
                        None if scope.is_some() => format!("steps: {amount}"),
                        None => format!("{key}: {amount}"),
                    };
                    let who = self.written(row, &format!(", spent: {{{spent}}}"));
                    return Some(format!("    run: {who}\n    matrix: {{{deed}: {{}}}}\n"));
                }
            }
        }
        None
    }

    fn written(&self, row: &Row<'_>, more: &str) -> String {
        written(row, more, &BTreeMap::new())
    }

    /// An input that only the mutant takes, of the tools whose input, binding or narrowing is another one.
    fn input(&self) -> Option<String> {
        let rows = self.rows();
        for tool in self
            .lock()
            .tools
            .keys()
            .filter(|tool| takes(self.lock(), tool) != takes(self.mutant.lock(), tool))
        {
            let found = rows.iter().find_map(|row| self.loosened(row, tool));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn loosened(&self, row: &Row<'_>, tool: &str) -> Option<String> {
        let strict = schema(self.base, row, tool)?;
        let bound = |lock: &'p Lock| lock.tools.get(tool).map(|own| own.bind.clone());
        if bound(self.lock()) != bound(self.mutant.lock()) {
            return self.unbound(row, tool, &strict);
        }
        let loose = schema(self.mutant, row, tool).filter(|loose| *loose != strict)?;
        let input = witness::between(self.schemas, &strict, &loose)?;
        let fields = self.fields(tool, &input)?;
        // About the run's own target, where the input still tells the two apart.
        let (refuses, takes) = (self.schemas.asker(&strict)?, self.schemas.asker(&loose)?);
        let own = self.bound(tool, &input, &fields);
        let input = if takes(&own) && !refuses(&own) { own } else { input };
        let who = written(row, "", &fields);
        let named = yaml::scalar(tool);
        Some(format!(
            "    run: {who}\n    call: {{tool: {named}, input: {input}}}\n    expect: input_invalid\n"
        ))
    }

    /// A call about another target than the run's.
    fn unbound(&self, row: &Row<'_>, tool: &str, schema: &str) -> Option<String> {
        let input = witness::accepted(self.schemas, schema)?;
        let mut fields = self.fields(tool, &input)?;
        let input = self.bound(tool, &input, &fields);
        let own = self.mutant.lock().tools.get(tool)?;
        let lost =
            self.lock().tools.get(tool)?.bind.iter().find(|(input, _)| !own.bind.contains_key(*input))?;
        let other = self.carried(lost.1, |value| Some(value) != input.get(lost.0))?;
        fields.insert(lost.1.clone(), other);
        let who = written(row, "", &fields);
        let named = yaml::scalar(tool);
        Some(format!(
            "    run: {who}\n    call: {{tool: {named}, input: {input}}}\n    expect: target_mismatch\n"
        ))
    }

    /// The fields of the run that the inputs are bound to: as the call has them where a run can carry that. Nothing where no
    /// value was found that one can.
    fn fields(&self, tool: &str, input: &Value) -> Option<BTreeMap<String, Value>> {
        let bind = self.lock().tools.get(tool).map(|own| &own.bind);
        let stated = bind.into_iter().flatten().filter_map(|(name, field)| Some((field, input.get(name)?)));
        let carried = stated.map(|(field, value)| {
            let own = self.run_takes(field)?(value).then(|| value.clone());
            Some((field.clone(), own.or_else(|| self.carried(field, |_| true))?))
        });
        carried.collect()
    }

    /// The input with what the run carries in the place of what is bound to it.
    fn bound(&self, tool: &str, input: &Value, fields: &BTreeMap<String, Value>) -> Value {
        let mut input = input.clone();
        let bind = self.lock().tools.get(tool).map(|own| &own.bind);
        for (name, field) in bind.into_iter().flatten() {
            if let (Some(place), Some(value)) = (input.get_mut(name), fields.get(field)) {
                *place = value.clone();
            }
        }
        input
    }

    /// Says of a value whether a run can carry it in this field.
    fn run_takes(&self, field: &str) -> Option<impl Fn(&Value) -> bool + use<>> {
        self.schemas.asker(self.lock().run.get(field)?.as_str())
    }

    /// A value that a run can carry in this field, and that is `wanted`.
    fn carried(&self, field: &str, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        /// So many values that differ are tried.
        const VARIANTS: usize = 16;
        let takes = self.run_takes(field)?;
        let schema: Value = serde_json::from_str(self.lock().run.get(field)?.as_str()).ok()?;
        (0..VARIANTS).map(|nth| Make::nth(&schema, nth).value()).find(|value| takes(value) && wanted(value))
    }

    /// Other approvers, or another time to stand.
    fn terms(&self) -> Option<String> {
        let stands = |lock: &Lock| lock.approvals.expires_after_ms;
        let expiry = stands(self.lock()).filter(|own| stands(self.mutant.lock()) != Some(*own));
        let cells = |lock: &'p Lock| lock.effective.values().flat_map(|roles| roles.values()).flatten();
        let others: Vec<&str> = cells(self.lock())
            .zip(cells(self.mutant.lock()))
            .filter(|(was, is)| was.deed == is.deed && was.approvers != is.approvers)
            .map(|(was, _)| was.deed.as_str())
            .collect();
        let all = all_deeds(self.lock());
        let deeds: Vec<&str> =
            if expiry.is_some() { all.iter().map(String::as_str).collect() } else { others };
        if deeds.is_empty() {
            return None;
        }
        for row in &self.rows() {
            for deed in &deeds {
                let was = self.ask(self.base, row, deed);
                if !was.word.is_granted() || was.word.written() == "auto" {
                    continue;
                }
                let end = match (&was.approvers, expiry) {
                    (_, Some(own)) => format!("    expires_after: {}\n", time(own)),
                    (Some(names), None)
                        if Some(names) != self.ask(self.mutant, row, deed).approvers.as_ref() =>
                    {
                        format!("    approvers: [{}]\n", names.join(", "))
                    }
                    _ => continue,
                };
                let found = self.called(row, deed, &was);
                if let Some(text) = found {
                    return Some(text + &end);
                }
            }
        }
        None
    }

    /// A call of a deed that passes, with an input that is accepted.
    fn called(&self, row: &Row<'_>, deed: &str, was: &Decision) -> Option<String> {
        let (tool, case) = split_deed(deed);
        let mut input = witness::accepted(self.schemas, &schema(self.base, row, tool)?)?;
        if let (Some(case), Some(key), Some(map)) =
            (case, self.base.discriminator(tool), input.as_object_mut())
        {
            map.insert(key.to_owned(), Value::String(case.to_owned()));
        }
        let fields = self.fields(tool, &input)?;
        let input = self.bound(tool, &input, &fields);
        let who = written(row, "", &fields);
        let named = yaml::scalar(tool);
        Some(format!(
            "    run: {who}\n    call: {{tool: {named}, input: {input}}}\n    expect: {}\n",
            was.word
        ))
    }
}

/// What a tool takes: its input, its binding, and what narrows it where.
fn takes<'l>(lock: &'l Lock, tool: &str) -> impl PartialEq + use<'l> {
    let own = lock.tools.get(tool);
    let only: Vec<_> = lock
        .effective
        .values()
        .flat_map(|roles| roles.values())
        .flatten()
        .filter(|cell| split_deed(&cell.deed).0 == tool)
        .map(|cell| &cell.only)
        .collect();
    (own.map(|own| (&own.input, &own.bind)), only)
}

/// The part of a lock that bears on cells: without inputs, limits and approvers.
fn cellular(lock: &Lock) -> Lock {
    let mut lock = Lock { sources: BTreeMap::new(), run: BTreeMap::new(), limits: None, ..lock.clone() };
    for tool in lock.tools.values_mut() {
        tool.input = RawJson::refuse_all();
        tool.output = None;
        tool.bind = BTreeMap::new();
    }
    lock.approvals.approvers = None;
    lock.approvals.expires_after_ms = None;
    lock.approvals.max_actions_per_run = None;
    for cell in lock.effective.values_mut().flat_map(|roles| roles.values_mut()).flatten() {
        cell.approvers = None;
        cell.only = BTreeMap::new();
    }
    lock.refusals = BTreeMap::new();
    lock
}

/// The schema that a run is shown of a tool.
fn schema(bundle: &Bundle, row: &Row<'_>, tool: &str) -> Option<String> {
    with_run(bundle, row, |run| run.list().into_iter().find(|listed| listed.name == tool)?.input())
}

/// The surfaces that a call may come over, with the scopes granted there.
fn doors(lock: &Lock) -> Vec<(Option<&str>, Vec<&str>)> {
    let mut doors = vec![(None, Vec::new())];
    for (key, surface) in &lock.surfaces {
        let scopes: Vec<&str> =
            surface.scopes.iter().flat_map(|all| all.keys()).map(String::as_str).collect();
        if scopes.len() > 1 {
            doors.extend(scopes.iter().map(|scope| (Some(key.as_str()), vec![*scope])));
        }
        doors.push((Some(key.as_str()), scopes));
    }
    doors
}

fn row<'p>(harness: &'p str, role: &'p str, persona: Option<&'p str>, surface: Option<&'p str>) -> Row<'p> {
    Row {
        harness: Some(harness).filter(|key| *key != NO_HARNESS),
        role,
        persona,
        surface,
        scopes: Vec::new(),
        read_only: false,
        plan: Planned::None,
        spent: None,
        stopped: None,
        kill_switch: false,
        fields: BTreeMap::new(),
    }
}

/// A run as a test writes it.
fn written(row: &Row<'_>, more: &str, fields: &BTreeMap<String, Value>) -> String {
    let mut text = format!(
        "{{harness: {}, role: {}",
        yaml::scalar(row.harness.unwrap_or("none")),
        yaml::scalar(row.role)
    );
    for (key, value) in [("persona", row.persona), ("surface", row.surface)] {
        if let Some(value) = value {
            let _ = write!(text, ", {key}: {}", yaml::scalar(value));
        }
    }
    if !row.scopes.is_empty() {
        let quoted: Vec<String> = row.scopes.iter().map(|scope| format!("{scope:?}")).collect();
        let _ = write!(text, ", scopes: [{}]", quoted.join(", "));
    }
    for (key, value) in fields {
        let _ = write!(text, ", {key}: {value}");
    }
    text.push_str(more);
    text.push('}');
    text
}

/// A lock without its sources and the texts that people and models read: where two are equal in this, nothing that decides is
/// another one. What cannot be written is equal to nothing.
fn meant(lock: &Lock) -> Option<Value> {
    fn untold(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for text in ["title", "description"] {
                    if map.get(text).is_some_and(Value::is_string) {
                        map.remove(text);
                    }
                }
                map.values_mut().for_each(untold);
            }
            Value::Array(items) => items.iter_mut().for_each(untold),
            _ => {}
        }
    }
    let mut meant = serde_json::to_value(lock).ok()?;
    let map = meant.as_object_mut()?;
    for text in ["sources", "prompt", "rubrics", "status_templates"] {
        map.remove(text);
    }
    untold(&mut meant);
    Some(meant)
}

/// The steps of a scope, in the words of [`spendable`]: surface and scope follow, a line feed between them.
const OF_SCOPE: &str = "steps of ";

/// What can be spent, in the words of a test, with how much there is of it.
fn spendable(lock: &Lock) -> Vec<(String, String)> {
    let limits = lock.limits.clone().unwrap_or_default();
    let run = limits.run.unwrap_or_default();
    let plain = |amount: u64| amount.to_string();
    let mut all: Vec<(String, String)> = [
        ("steps", run.steps.map(plain)),
        ("tool_calls", run.tool_calls.map(plain)),
        ("result_bytes", run.result_bytes.map(size)),
        ("time", run.deadline_ms.map(time)),
        ("actions", lock.approvals.max_actions_per_run.map(plain)),
        ("model_calls", run.model_calls.map(plain)),
        ("tokens", run.tokens.map(plain)),
        ("cost", run.cost_micro_usd.map(dollars)),
    ]
    .into_iter()
    .filter_map(|(key, amount)| Some((key.to_owned(), amount?)))
    .collect();
    all.extend(
        limits
            .per_tool
            .iter()
            .filter_map(|(tool, own)| Some((format!("calls {tool}"), own.calls?.to_string()))),
    );
    all.extend(
        limits
            .per_tool
            .iter()
            .filter_map(|(tool, own)| Some((format!("bytes {tool}"), size(own.result_bytes?)))),
    );
    for (surface, own) in &lock.surfaces {
        let scopes = own.scopes.iter().flatten();
        let stated = scopes.filter_map(|(scope, own)| Some((scope, own.steps?)));
        all.extend(stated.map(|(scope, steps)| (format!("{OF_SCOPE}{surface}\n{scope}"), steps.to_string())));
    }
    all
}

/// Milliseconds as an author writes them: `72h`.
fn time(ms: u64) -> String {
    in_units(ms, &[(3_600_000, "h"), (60_000, "m"), (1_000, "s")], "ms")
}

/// Bytes as an author writes them: `8KiB`.
fn size(bytes: u64) -> String {
    in_units(bytes, &[(1 << 20, "MiB"), (1 << 10, "KiB")], "B")
}

fn in_units(amount: u64, units: &[(u64, &str)], smallest: &str) -> String {
    let whole = units.iter().find(|(unit, _)| amount > 0 && amount.is_multiple_of(*unit));
    whole.map_or_else(|| format!("{amount}{smallest}"), |(unit, word)| format!("{}{word}", amount / unit))
}

/// Micro-USD as an author writes them: `0.50 USD`.
fn dollars(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    let spare = text.len() - text.trim_end_matches('0').len();
    let kept = text.len() - spare.min(4);
    format!("{} USD", text.get(..kept).unwrap_or(&text))
}
