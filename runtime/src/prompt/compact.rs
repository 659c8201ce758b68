//! Compaction (SYSTEMS D11): a large result that is no longer the latest gives way to its reference, and can be called back.

use crate::lock::Compaction;

/// A tool's result in the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolResult<'a> {
    /// The reference that the canonical store issued; `None`: it is not kept there, and stays.
    pub reference: Option<&'a str>,
    /// What the model was handed.
    pub text: &'a str,
}

/// What is sent in a result's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept<'a> {
    /// The result itself.
    Whole(&'a str),
    /// A line that names the reference and the tool that brings it back.
    Reference(String),
}

impl Kept<'_> {
    /// The text that is sent.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Whole(text) => text,
            Self::Reference(text) => text,
        }
    }
}

/// Replaces every result that is larger than the policy's bound, the last `keep_last` aside. A result is replaced only
/// where it can be resolved: the policy names the tool and the store holds the reference. The same results give the same
/// text, so that a cached prefix stays.
#[must_use]
pub fn compact<'a>(results: &[ToolResult<'a>], compaction: Option<&Compaction>) -> Vec<Kept<'a>> {
    let stated =
        compaction.and_then(|stated| Some((stated, stated.above_bytes?, stated.resolve_with.as_deref()?)));
    let Some((stated, above, resolve_with)) = stated else {
        return results.iter().map(|result| Kept::Whole(result.text)).collect();
    };
    let keep_last = usize::try_from(stated.keep_last.unwrap_or(0)).unwrap_or(usize::MAX);
    let old = results.len().saturating_sub(keep_last);
    let each = results.iter().enumerate().map(|(at, result)| {
        let length = u64::try_from(result.text.len()).unwrap_or(u64::MAX);
        match result.reference {
            Some(reference) if at < old && length > above => Kept::Reference(format!(
                r#"{{"bytes":{length},"reference":"{reference}","resolve_with":"{resolve_with}","status":"compacted"}}"#
            )),
            _ => Kept::Whole(result.text),
        }
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::{Kept, ToolResult, compact};
    use crate::lock::Compaction;

    #[test]
    fn large_old_results_give_way_to_a_reference_that_resolves() {
        let large = "x".repeat(9);
        let result = |reference| ToolResult { reference, text: &large };
        let small = ToolResult { reference: Some("result-4"), text: "y" };
        let results = [
            result(Some("result-1")),
            small,
            result(None),
            result(Some("result-2")),
            result(Some("result-3")),
        ];
        let policy = Compaction {
            above_bytes: Some(8),
            keep_last: Some(1),
            resolve_with: Some("resolve_ref".to_owned()),
        };
        let kept = compact(&results, Some(&policy));
        let replaced: Vec<bool> = kept.iter().map(|one| matches!(one, Kept::Reference(_))).collect();
        assert_eq!(replaced, [true, false, false, true, false]);
        assert_eq!(
            kept[0].text(),
            r#"{"bytes":9,"reference":"result-1","resolve_with":"resolve_ref","status":"compacted"}"#
        );
        // Without a tool that brings it back, nothing is taken away.
        let unresolvable = Compaction { resolve_with: None, ..policy };
        assert!(compact(&results, Some(&unresolvable)).iter().all(|one| matches!(one, Kept::Whole(_))));
        assert!(compact(&results, None).iter().all(|one| matches!(one, Kept::Whole(_))));
    }
}
