//! Scalars with a meaning of their own: money, sizes, durations, run fields, pieces of JSON Schema.

use std::sync::Arc;

use super::read::{Read, WRONG_TYPE, wrong_type};
use crate::diagnostic::{Applicability, Diagnostic, Sink, nearest};
use crate::syntax::{Kind, Node};

/// An amount in millionths of a US dollar, written `0.50 USD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(pub u64);

/// A length of time in milliseconds, written `250ms`, `45s`, `2m`, `72h` or `30d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(pub u64);

/// A number of bytes, written `8KiB`, `1MiB` or `512B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

/// A share from 0 to 1, kept in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(pub u64);

/// A time zone by its name in the IANA database, as it is spelt there: `Europe/Berlin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone(pub String);

/// A piece of JSON Schema as it was written: a mapping, a type's name, or a list that is an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaText(pub Arc<Node>);

/// Any value as it was written, for a rule or a later step to judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw(pub Arc<Node>);

impl Read for Money {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let read = node
            .text()
            .and_then(|text| text.strip_suffix(" USD"))
            .and_then(|amount| decimal(amount, 6))
            .filter(|micros| *micros <= super::read::MAX_INTEGER);
        if read.is_none() {
            wrong_type(node, "an amount such as `0.50 USD`, with at most six decimals", sink);
        }
        read.map(Self)
    }
}

impl Read for Duration {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        const UNITS: [(&str, u64); 5] =
            [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
        let read = node.text().and_then(|text| with_unit(text, &UNITS));
        if read.is_none() {
            wrong_type(node, "a length of time such as `45s`, `2m` or `72h`", sink);
        }
        read.map(Self)
    }
}

impl Read for Bytes {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        const UNITS: [(&str, u64); 4] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("B", 1)];
        let read = node.text().and_then(|text| with_unit(text, &UNITS));
        if read.is_none() {
            wrong_type(node, "a size such as `8KiB` or `1MiB`", sink);
        }
        read.map(Self)
    }
}

impl Read for Share {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let read = match &node.kind {
            Kind::Number(written) => decimal(written, 3).filter(|share| *share <= 1_000),
            _ => None,
        };
        if read.is_none() {
            wrong_type(node, "a share from 0 to 1 with at most three decimals", sink);
        }
        read.map(Self)
    }
}

impl Read for Zone {
    /// Held against the rules that a server with the runtime's feature `zones` counts days by.
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        let written = String::read(node, sink)?;
        let bundled = jiff::tz::TimeZoneDatabase::bundled();
        let found = bundled.get(&written).ok();
        let spelt = found.as_ref().and_then(|zone| zone.iana_name());
        if spelt == Some(written.as_str()) {
            return Some(Self(written));
        }
        let names: Vec<String> = match spelt {
            Some(spelt) => vec![spelt.to_owned()],
            None => bundled.available().map(|name| name.as_str().to_owned()).collect(),
        };
        let meant = spelt.or_else(|| nearest(&written, names.iter().map(String::as_str)));
        sink.push(no_zone(node, &written, meant));
        None
    }
}

fn no_zone(node: &Node, written: &str, meant: Option<&str>) -> Diagnostic {
    let label = meant.map_or_else(|| "no such zone".to_owned(), |meant| format!("did you mean `{meant}`?"));
    let finding =
        Diagnostic::new(WRONG_TYPE, node.span, format!("`{written}` is no time zone of the IANA database"), label)
            .note("a day's limits are counted from midnight in this zone, and in a zone that nobody knows there is none");
    let Some(meant) = meant else {
        return finding.help("write an area and a place, such as `Europe/Berlin`, or `UTC`");
    };
    let title = format!("write `{meant}`");
    finding.help(title.clone()).fix(title, Applicability::Unsafe, node.span, meant)
}

impl Read for SchemaText {
    fn read(node: &Arc<Node>, sink: &mut Sink) -> Option<Self> {
        match &node.kind {
            Kind::Map(_) | Kind::Text(..) => Some(Self(Arc::clone(node))),
            Kind::List(items) if !items.is_empty() => Some(Self(Arc::clone(node))),
            Kind::List(_) => {
                Vec::<Raw>::read(node, sink);
                None
            }
            _ => {
                wrong_type(node, "a JSON Schema, the name of a type, or a list of the values", sink);
                None
            }
        }
    }
}

impl Read for Raw {
    fn read(node: &Arc<Node>, _: &mut Sink) -> Option<Self> {
        Some(Self(Arc::clone(node)))
    }
}

/// `1.25` with `places` decimals as a whole number of the smallest unit; nothing where it is finer than that.
fn decimal(text: &str, places: usize) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty()
        || !digits(whole)
        || !digits(fraction)
        || fraction.len() > places
        || text.ends_with('.')
    {
        return None;
    }
    format!("{whole}{fraction:0<places$}").parse().ok()
}

fn with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    units
        .iter()
        .find_map(|(unit, factor)| {
            let number = text.strip_suffix(unit)?;
            let whole = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            whole.then(|| number.parse::<u64>().ok()?.checked_mul(*factor)).flatten()
        })
        .filter(|value| *value > 0 && *value <= super::read::MAX_INTEGER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact_and_what_is_finer_is_refused() {
        assert_eq!(decimal("0.50", 6), Some(500_000));
        assert_eq!(decimal("10", 6), Some(10_000_000));
        assert_eq!(decimal("0.0000001", 6), None);
        assert_eq!(decimal("1.", 6), None);
        assert_eq!(decimal("-1", 6), None);
    }

    #[test]
    fn units_are_told_apart_and_overflow_is_refused() {
        assert_eq!(with_unit("250ms", &[("ms", 1), ("s", 1_000)]), Some(250));
        assert_eq!(with_unit("1MiB", &[("MiB", 1 << 20), ("B", 1)]), Some(1 << 20));
        assert_eq!(with_unit("99999999999999999999s", &[("s", 1_000)]), None);
        assert_eq!(with_unit("s", &[("s", 1_000)]), None);
        assert_eq!(with_unit("0s", &[("s", 1_000)]), None);
    }
}
