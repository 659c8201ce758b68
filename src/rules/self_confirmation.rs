//! See the page beside this file.

use harnessc_runtime::lock::Approval;
use harnessc_runtime::words::words;

use super::engine::authority::certain;
use super::{Cx, Found};
use crate::diagnostic::{Diagnostic, RuleId, Sink};
use crate::model::scalars::SchemaText;
use crate::policy::schema::Located;
use crate::policy::{Deed, DeedId, Tool};
use crate::source::Span;
use crate::syntax::{Kind, Node};

pub(super) const FOUND: Found = Found::Stated(check);

const ID: RuleId = RuleId("self-confirmation");

/// Names, folded, of inputs that say "yes, do it" in the caller's own voice.
const WORDS: &[&str] = &[
    "acknowledge",
    "acknowledged",
    "approve",
    "approved",
    "assumeyes",
    "autoapprove",
    "autoconfirm",
    "bypassapproval",
    "bypassconfirmation",
    "bypassreview",
    "confirm",
    "confirmation",
    "confirmed",
    "force",
    "forced",
    "humanapproved",
    "ignoreapproval",
    "isapproved",
    "isconfirmed",
    "noconfirm",
    "noconfirmation",
    "overrideapproval",
    "preapproved",
    "skipapproval",
    "skipconfirm",
    "skipconfirmation",
    "skipreview",
    "userapproved",
    "userconfirmed",
    "withoutapproval",
    "withoutconfirmation",
    "yes",
];

/// Names, folded, that say yes where the input is a switch or a choice, and alone.
const ALONE: [&str; 5] = ["approval", "approvals", "bypass", "signature", "signoff"];

/// Parts of folded names that stand for a person's yes, where the input is a switch or a choice.
const YESES: [&str; 4] = ["foureyes", "secondeyes", "signedoff", "twoeyes"];

/// Words that make a yes of any name they stand in, where the input is a switch or a choice.
const ACTS: [&str; 10] = [
    "acknowledge",
    "agree",
    "agreed",
    "approve",
    "assent",
    "confirm",
    "consent",
    "force",
    "forced",
    "preapproved",
];

/// What a person gives, and the words beside it that say that it was given, or by whom.
const NOUNS: [&str; 4] = ["approval", "approvals", "confirmation", "signoff"];
const GIVERS: [&str; 24] = [
    "admin", "approver", "boss", "final", "given", "got", "granted", "has", "have", "human", "lead", "manager", "manual",
    "obtained", "operator", "owner", "person", "received", "reviewer", "second", "supervisor", "user", "with", "verbal",
];

/// Words that speak of a yes that is yet to be given, or of a message about one.
const ASKING: [&str; 16] = [
    "ask", "await", "awaiting", "email", "mail", "need", "needed", "needs", "notify", "pending", "request", "requested",
    "require", "required", "requires", "send",
];

/// Words that say that a yes was given; beside one of [`FILTERS`] they only tell which records are meant.
const GIVEN: [&str; 4] = ["acknowledged", "approved", "authorized", "confirmed"];

/// Words that pick records.
const FILTERS: [&str; 9] =
    ["include", "included", "exclude", "excluded", "only", "filter", "list", "show", "since"];

/// Words that leave a step out, and the steps that are a person's.
const WITHOUT: [&str; 9] =
    ["skip", "no", "without", "ignore", "override", "auto", "bypass", "disable", "suppress"];
const STEPS: [&str; 8] = [
    "approval", "approvals", "approve", "confirm", "confirmation", "confirmations", "review", "reviews",
];

/// Whether a name of several words says yes, word by word as names of tools are read.
fn assents(name: &str) -> bool {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.lower.as_str()));
    let folded = fold(name);
    let asks = has(&ASKING) || has(&FILTERS);
    ALONE.contains(&folded.as_str())
        || YESES.iter().any(|yes| folded.contains(yes)) && !asks
        || has(&NOUNS) && has(&GIVERS) && !asks
        || has(&ACTS)
        || has(&GIVEN) && !has(&FILTERS)
        || has(&WITHOUT) && has(&STEPS)
}

/// Whether a mode may be one in which a yes was given: `mode: [confirmed, plain]`.
fn is_mode_of_yes(found: &Named<'_>) -> bool {
    let names_a_mode = words(found.name).iter().any(|word| word.lower == "mode");
    let says_yes = |value: &Located| value.text().is_some_and(|text| GIVEN.contains(&fold(text).as_str()));
    names_a_mode && found.values.iter().any(says_yes)
}

fn check(cx: &Cx<'_>, sink: &mut Sink) {
    for tool in cx.policy.registry.tools() {
        let Some(input) = &tool.input else { continue };
        let mut named = Vec::new();
        inputs(&input.tree, 0, &mut named);
        named.retain(|found| WORDS.contains(&fold(found.name).as_str()) || found.chosen && (assents(found.name) || is_mode_of_yes(found)));
        // Looked up last: it asks every harness, and few tools have such an input.
        let Some(gated) = named.first().and_then(|_| gated(cx, tool)) else { continue };
        for found in named.iter().filter(|found| found.depth > 0 || !settled(cx, tool, found.name)) {
            sink.push(finding(tool, gated, found));
        }
    }
}

/// A deed of the tool that waits for a person, as the registry or some harness has it.
fn gated<'a>(cx: &'a Cx<'_>, tool: &Tool<'_>) -> Option<&'a Deed<'a>> {
    let waits = |id: &DeedId, deed: &Deed<'_>| {
        let mut holds = cx.policy.harnesses.values().filter_map(|harness| harness.holds.get(id));
        certain(tool, deed)
            && (deed.approval > Approval::Auto
                || holds.any(|hold| hold.approval.is_some_and(|(approval, _)| approval > Approval::Auto)))
    };
    let mut deeds = tool.deeds.iter().filter_map(|id| Some((id, cx.policy.registry.deed(*id)?)));
    deeds.find(|(id, deed)| waits(id, deed)).map(|(_, deed)| deed)
}

/// One input, at any depth.
struct Named<'a> {
    name: &'a str,
    at: Span,
    depth: usize,
    /// Whether the model picks one of few values, such as true.
    chosen: bool,
    /// The values of a list, where there is one.
    values: &'a [Located],
}

/// Whether a value may be a switch or one of a list: everything but free text, an amount, a list or an object.
fn chosen(schema: &Located) -> bool {
    const FREE: [&str; 5] = ["array", "integer", "number", "object", "string"];
    let kind = schema.get("type").unwrap_or(schema);
    let free = match kind.text() {
        Some(word) => FREE.contains(&word),
        None => kind.is_list() && !schema.is_list() && kind.items().iter().all(|kind| kind.text().is_some_and(|word| FREE.contains(&word) || word == "null")),
    };
    !free || schema.get("enum").is_some() || schema.get("const").is_some()
}

/// The values that a schema lists: as `enum`, or in the short form.
fn values(schema: &Located) -> &[Located] {
    schema.get("enum").unwrap_or(schema).items()
}

/// Every name below `properties`, wherever a schema stands.
fn inputs<'a>(schema: &'a Located, depth: usize, found: &mut Vec<Named<'a>>) {
    for (keyword, part) in schema.entries() {
        match keyword.as_str() {
            "enum" | "const" | "default" | "examples" => {}
            "properties" => {
                for (name, child) in part.entries() {
                    let at = child.key.unwrap_or(child.span);
                    found.push(Named { name, at, depth, chosen: chosen(child), values: values(child) });
                    inputs(child, depth + 1, found);
                }
            }
            "$defs" | "definitions" | "dependentSchemas" | "patternProperties" => {
                part.entries().iter().for_each(|(_, child)| inputs(child, depth + 1, found));
            }
            _ if part.is_list() => part.items().iter().for_each(|child| inputs(child, depth, found)),
            "items" | "additionalProperties" => inputs(part, depth + 1, found),
            _ => inputs(part, depth, found),
        }
    }
}

fn fold(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether nobody but the policy says what the input is: restated, or narrowed by every harness that holds the tool, to
/// the one value `false`.
fn settled(cx: &Cx<'_>, tool: &Tool<'_>, name: &str) -> bool {
    let no = |schema: &serde_json::Value| {
        let only = |values: &serde_json::Value| *values == serde_json::json!([false]);
        schema.get("const").is_some_and(|value| *value == false) || schema.get("enum").is_some_and(only)
    };
    if tool.restated.get(name).is_some_and(|restated| no(&restated.original())) {
        return true;
    }
    let mut held = tool.deeds.iter().flat_map(|id| {
        cx.policy.harnesses.values().filter_map(|harness| harness.holds.get(id))
    }).peekable();
    held.peek().is_some()
        && held.all(|hold| hold.only.get(name).is_some_and(|narrowed| narrowed.iter().any(|only| says_no(only))))
}

fn says_no(only: &SchemaText) -> bool {
    let no = |node: &Node| node.kind == Kind::Bool(false);
    match &only.0.kind {
        Kind::List(values) => !values.is_empty() && values.iter().all(|value| no(value)),
        _ => only.0.get("const").is_some_and(|entry| no(&entry.value)),
    }
}

fn finding(tool: &Tool<'_>, gated: &Deed<'_>, found: &Named<'_>) -> Diagnostic {
    let (key, name) = (tool.key(), found.name);
    let mut finding = Diagnostic::new(
        ID,
        found.at,
        format!("`{key}` waits for a person, and by its input `{name}` the model could say yes itself"),
        "filled in by the model",
    );
    if tool.from.is_some() {
        finding = finding.label(tool.def.key.span, "registered here");
    }
    if let Some((_, span)) = gated.stated {
        finding = finding.label(span, format!("`{}` asks for `{}`", gated.name, gated.approval.word()));
    }
    finding
        .note("a yes is given by a person outside of the call; an input of this name reads as one, to the server and to the approver")
        .help(if tool.from.is_some() {
            format!("restate it as `input: {{properties: {{{name}: {{const: false}}}}}}` in `{key}`, or waive this with the reason why it is no yes")
        } else {
            format!("take `{name}` out; if it means something else, give it that name")
        })
}
