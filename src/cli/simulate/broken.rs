//! A log whose chain does not hold: where, and what most likely happened to the file.

use harnessc_runtime::audit::{Broken, Field, Head, Why, read_line};
use serde_json::Value;

/// What happened to the file, as far as its bytes show it: a sentence with what to do. Nothing where they show nothing.
pub(super) fn cause(log: &[u8], broken: Broken, anchored: Option<&Head>) -> Option<String> {
    if log.is_empty() {
        return Some(
            "the file is empty. A log begins with its `audit.opened` record, before any call".to_owned(),
        );
    }
    let at = usize::try_from(broken.seq).unwrap_or(usize::MAX);
    let line = log.split_inclusive(|byte| *byte == b'\n').nth(at.saturating_sub(1));
    match broken.why {
        Why::Unreadable => line.map(|line| unreadable(at, line)),
        Why::Sequence => line.and_then(record).map(|found| misplaced(at, &found)),
        Why::Organization => line.and_then(record).map(|found| elsewhere(at, &found, log, anchored)),
        Why::Genesis => Some(
            "its first record opens another chain: reasoning has a log of its own, which holds no decisions"
                .to_owned(),
        ),
        Why::Missing if anchored.is_some_and(|head| head.seq >= broken.seq) => {
            let kept = anchored.map_or(0, |head| head.seq);
            Some(format!(
                "the checkpoint was taken at seq {kept}, and the file ends before it: take a later copy of the log"
            ))
        }
        _ => None,
    }
}

fn record(line: &[u8]) -> Option<Value> {
    serde_json::from_slice(line).ok()
}

/// A line that is no record, by what of it is wrong first.
fn unreadable(at: usize, line: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(line) else {
        return format!("line {at} is not UTF-8: this is no audit log, or it was damaged");
    };
    if text.ends_with("\r\n") {
        return format!(
            "line {at} ends in CR LF, and a record's line in LF alone: the file was converted on its way. Copy it byte for byte"
        );
    }
    if !text.ends_with('\n') {
        return format!(
            "line {at} has no line end: the copy stopped in the middle of a record. Take a later copy"
        );
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        let whole = if at == 1 { "this is no audit log" } else { "it was damaged after it was written" };
        return format!("line {at} is no JSON: {whole}");
    };
    if let Some(name) = unknown(&value) {
        return format!(
            "line {at} states `{name}`, which this version has no word for: a later version may have written it, so try a newer `harnessc`"
        );
    }
    // Said to be the right record in another spelling, where nothing but the spelling is wrong.
    let respelled =
        harnessc_runtime::json::Json::of(&value).ok().and_then(|json| read_line(json.canonical()));
    match respelled {
        Some(_) => format!(
            "line {at} holds a record that was written anew, with other spaces or another order of keys. Take the log as the server wrote it"
        ),
        None => format!(
            "line {at} is JSON and no record: a record has `at_ms`, `event`, `fields`, `hash`, `organization`, `prev` and `seq`"
        ),
    }
}

/// The first fact of a record that this version does not know.
fn unknown(value: &Value) -> Option<&str> {
    let fields = value.get("fields")?.as_object()?;
    fields.keys().map(String::as_str).filter(|name| Field::named(name).is_none()).min()
}

fn misplaced(at: usize, found: &Value) -> String {
    let seq = found.get("seq").and_then(Value::as_u64).unwrap_or_default();
    if at == 1 {
        return format!(
            "the file begins at seq {seq}. A chain is recomputed from its first record: hand in the whole log"
        );
    }
    format!("line {at} holds seq {seq}")
}

fn elsewhere(at: usize, found: &Value, log: &[u8], anchored: Option<&Head>) -> String {
    let of = |value: &Value| value.get("organization").and_then(Value::as_str).unwrap_or_default().to_owned();
    let first = || log.split(|byte| *byte == b'\n').next().and_then(record).map(|first| of(&first));
    match anchored {
        Some(head) => format!(
            "the checkpoint is of `{}`, and line {at} of `{}`: it was taken of another log",
            head.organization,
            of(found)
        ),
        None => format!(
            "line {at} is of `{}`, and the log of `{}`: each organization has a log of its own",
            of(found),
            first().unwrap_or_default()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Broken, Why, cause};

    #[test]
    fn each_cause_is_told_from_the_bytes() {
        let said = |log: &[u8], seq, why| cause(log, Broken { seq, why }, None).unwrap_or_default();
        for (log, why, wanted) in [
            (&b""[..], Why::Missing, "the file is empty"),
            (b"{}\r\n", Why::Unreadable, "ends in CR LF"),
            (b"{}", Why::Unreadable, "has no line end"),
            (b"hello\n", Why::Unreadable, "line 1 is no JSON: this is no audit log"),
            (b"\xff\n", Why::Unreadable, "is not UTF-8"),
            (b"{}\n", Why::Unreadable, "is JSON and no record"),
            (b"{\"fields\":{\"zeta\":1}}\n", Why::Unreadable, "states `zeta`"),
            (b"{\"seq\":40}\n", Why::Sequence, "the file begins at seq 40"),
        ] {
            assert!(said(log, 1, why).contains(wanted), "{}", said(log, 1, why));
        }
        let other = b"{\"organization\":\"org-1\"}\n{\"organization\":\"org-2\"}\n";
        assert!(said(other, 2, Why::Organization).contains("line 2 is of `org-2`, and the log of `org-1`"));
        assert_eq!(cause(b"{}\n", Broken { seq: 1, why: Why::Hash }, None), None);
    }
}
