//! One MCP tool result, from raw bytes to what the model is handed.

use serde_json::{Map, Value};

use super::{Audience, Projector, Violations};
use crate::audit::{Datum, Event, Field};
use crate::json::Json;
use crate::lock::Returns;

/// A raw answer beyond this is not read at all.
pub const MAX_RAW_BYTES: usize = 16 * 1024 * 1024;

macro_rules! failures {
    ($($(#[$doc:meta])* $kind:ident = $code:literal, $says:literal,)*) => {
        /// Why a result did not reach the model. A role that does not read untrusted text learns the code and its fixed
        /// sentence, and nothing that the tool wrote (THREATS, prose through side doors).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Failure { $($(#[$doc])* $kind,)* }

        impl Failure {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The stable code.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }

            /// The fixed sentence that the model is given beside the code.
            #[must_use]
            pub fn says(self) -> &'static str {
                match self { $(Self::$kind => $says,)* }
            }
        }
    };
}

failures! {
    /// The tool says that it failed (`isError`).
    ToolFailed = "tool_failed", "the tool reported a failure",
    /// More bytes than the run, or the tool in this run, may still hand over.
    TooLarge = "result_too_large", "the result is larger than this run may still take in",
    /// The raw answer is no MCP result, or no JSON that every reader reads alike.
    Unreadable = "result_unreadable", "the tool's answer could not be read",
    /// A structured tool answered with something that is no JSON value.
    NotStructured = "result_not_structured", "the tool's answer is not the structured value it should be",
    /// Nothing of the answer meets the closed output schema.
    Invalid = "result_invalid", "the tool's answer does not have the form it should have",
    /// The lock's output schema is missing or cannot be projected by.
    NoSchema = "result_schema_unsupported", "the policy does not say what this tool may return",
    /// It nests deeper than an answer may.
    TooDeep = "result_too_deep", "the tool's answer nests too deep",
    /// No answer came in time.
    TimedOut = "tool_timed_out", "the tool did not answer in time",
    /// The tool's server is called more often than it may be.
    RateLimited = "tool_rate_limited", "the tool is called too often; try again later",
    /// Prose, for a role that does not read untrusted text.
    Withheld = "prose_withheld", "this tool returns prose, which only a reading role receives",
}

/// What is expected of an answer, and from whom it is kept.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Who receives it.
    pub audience: Audience,
    /// The projector of the tool's output schema; after a reload those of both locks, the run's and the one in force. None
    /// where one of them has none or an unsupported one.
    pub projectors: &'a [&'a Projector],
    /// What the tool returns, as the lock says.
    pub returns: Returns,
    /// The bytes that may still be handed over ([`Ledger::result_bytes_left`](crate::boundary::Ledger::result_bytes_left));
    /// `None`: nothing bounds them.
    pub room: Option<u64>,
    /// The run's id.
    pub run: &'a str,
    /// The tool, a key of the lock.
    pub tool: &'a str,
}

/// What the model is handed.
#[derive(Clone, Debug, PartialEq)]
pub enum Handed {
    /// It was done; what the tool said of it reaches nobody.
    Done,
    /// A fixed code instead of a result.
    Failed(Failure),
    /// Text from outside, for a reading role.
    Prose(String),
    /// The projection.
    Structured(Json),
}

impl Handed {
    /// The text that goes into the conversation.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Done => r#"{"status":"done"}"#.to_owned(),
            Self::Failed(failure) => {
                format!(r#"{{"code":"{}","message":"{}","status":"failed"}}"#, failure.code(), failure.says())
            }
            Self::Prose(text) => text.clone(),
            Self::Structured(json) => json.canonical().to_owned(),
        }
    }

    fn status(&self) -> &'static str {
        match self {
            Self::Failed(_) => "failed",
            Self::Done | Self::Prose(_) | Self::Structured(_) => "done",
        }
    }
}

/// An answer, received.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The raw answer's bytes.
    pub bytes_in: u64,
    /// The bytes handed to the model, to be settled against the budget.
    pub bytes_out: u64,
    /// What the audit is told.
    pub event: Event,
    /// What the model is handed.
    pub handed: Handed,
    /// What the projection dropped and cut.
    pub violations: Violations,
    /// Blocks that no role receives: images, audio, resources, links, `_meta`, and text where the projection speaks.
    pub withheld: u64,
}

/// Reads the raw `CallToolResult` of a tool, ours or an upstream's, and decides what of it the model is handed.
#[must_use]
pub fn receive(expected: &Expected<'_>, raw: &[u8]) -> Delivery {
    let mut violations = Violations::default();
    let mut withheld = 0;
    let handed = match read(raw) {
        Ok(reply) => {
            withheld = reply.others;
            handed(expected, &reply, &mut violations)
        }
        Err(failure) => Handed::Failed(failure),
    };
    let length = |text: &str| u64::try_from(text.len()).unwrap_or(u64::MAX);
    let fits = |handed: &Handed| {
        matches!(handed, Handed::Done | Handed::Failed(_))
            || expected.room.is_none_or(|room| length(&handed.text()) <= room)
    };
    let handed = if fits(&handed) { handed } else { Handed::Failed(Failure::TooLarge) };
    let bytes_in = u64::try_from(raw.len()).unwrap_or(u64::MAX);
    let bytes_out = length(&handed.text());
    let event = event(expected, &handed, &violations, bytes_in, bytes_out);
    Delivery { bytes_in, bytes_out, event, handed, violations, withheld }
}

fn event(
    expected: &Expected<'_>,
    handed: &Handed,
    violations: &Violations,
    bytes_in: u64,
    bytes_out: u64,
) -> Event {
    let event = Event::new("agent_run.tool_result")
        .with(Field::BytesIn, Datum::Number(bytes_in))
        .with(Field::BytesOut, Datum::Number(bytes_out))
        .with(Field::Run, Datum::Id(expected.run.to_owned()))
        .with(Field::Status, Datum::Word(handed.status()))
        .with(Field::Tool, Datum::Key(expected.tool.to_owned()))
        .with(Field::Violations, Datum::Number(violations.total()));
    match handed {
        Handed::Failed(failure) => event.with(Field::Code, Datum::Word(failure.code())),
        Handed::Done | Handed::Prose(_) | Handed::Structured(_) => event,
    }
}

/// The parts of a result that are looked at.
struct Reply {
    failed: bool,
    others: u64,
    structured: Option<Value>,
    texts: Vec<String>,
}

fn read(raw: &[u8]) -> Result<Reply, Failure> {
    if raw.len() > MAX_RAW_BYTES {
        return Err(Failure::TooLarge);
    }
    let json = Json::parse(raw).map_err(|_| Failure::Unreadable)?;
    let result = json.value().as_object().ok_or(Failure::Unreadable)?;
    let failed = match result.get("isError") {
        None => false,
        Some(flag) => flag.as_bool().ok_or(Failure::Unreadable)?,
    };
    let structured = result.get("structuredContent").filter(|value| !value.is_null()).cloned();
    let mut reply =
        Reply { failed, others: u64::from(result.contains_key("_meta")), structured, texts: Vec::new() };
    let blocks = match result.get("content") {
        None => &[][..],
        Some(blocks) => blocks.as_array().ok_or(Failure::Unreadable)?.as_slice(),
    };
    for block in blocks {
        match block.as_object().and_then(text_of) {
            Some(text) => reply.texts.push(text.to_owned()),
            None => reply.others = reply.others.saturating_add(1),
        }
    }
    Ok(reply)
}

fn text_of(block: &Map<String, Value>) -> Option<&str> {
    block.get("type").filter(|kind| *kind == "text")?;
    block.get("text")?.as_str()
}

fn handed(expected: &Expected<'_>, reply: &Reply, violations: &mut Violations) -> Handed {
    let reader = expected.audience == Audience::Reader;
    let prose = || Handed::Prose(reply.texts.join("\n"));
    if reply.failed {
        return if reader && !reply.texts.is_empty() { prose() } else { Handed::Failed(Failure::ToolFailed) };
    }
    match (expected.returns, reader) {
        (Returns::None, _) => Handed::Done,
        (Returns::Prose, true) => prose(),
        (Returns::Prose, false) => Handed::Failed(Failure::Withheld),
        (Returns::Structured, _) => {
            structured(expected, reply, violations).map_or_else(Handed::Failed, Handed::Structured)
        }
    }
}

/// Projects the structured value, or the one text block read as JSON.
fn structured(expected: &Expected<'_>, reply: &Reply, violations: &mut Violations) -> Result<Json, Failure> {
    if expected.projectors.is_empty() {
        return Err(Failure::NoSchema);
    }
    let read;
    let value = match (&reply.structured, reply.texts.as_slice()) {
        (Some(value), _) => value,
        (None, [text]) => {
            read = Json::parse(text.as_bytes()).map_err(|_| Failure::NotStructured)?;
            read.value()
        }
        (None, _) => return Err(Failure::NotStructured),
    };
    let mut kept = value.clone();
    for projector in expected.projectors {
        let projected = projector.project(&kept, expected.audience);
        violations.absorb(&projected.violations);
        kept = projected.value.ok_or(Failure::Invalid)?;
    }
    // What the second schema cut may no longer be what the first one asks for.
    if expected.projectors.iter().all(|projector| projector.takes(&kept)) {
        Json::of(&kept).map_err(|_| Failure::Invalid)
    } else {
        Err(Failure::Invalid)
    }
}
