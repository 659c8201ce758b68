//! What a call is answered with: the text and the structured value say the same.

use harnessc_runtime::boundary::Refusal;
use harnessc_runtime::result::Handed;
use serde_json::{Value, json};

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) failed: bool,
    pub(crate) structured: Option<Value>,
    pub(crate) text: String,
}

impl Reply {
    fn of(failed: bool, value: Value) -> Self {
        Self { failed, text: value.to_string(), structured: Some(value) }
    }

    /// A denial: its code, its fixed reason, and of the input where it is wrong and what was expected, never its value.
    pub(crate) fn refused(refusal: &Refusal) -> Self {
        let denial = &refusal.denial;
        let mut value = json!({"code": denial.code, "message": denial.reason, "status": "denied"});
        if let (Some(members), Some(fault)) = (value.as_object_mut(), &refusal.fault) {
            members.insert("at".to_owned(), fault.pointer.clone().into());
            members.insert("expected".to_owned(), fault.expected.clone().into());
        }
        Self::of(true, value)
    }

    /// A denial by one of the server's own codes.
    pub(crate) fn denied(code: &str, message: &str) -> Self {
        Self::of(true, json!({"code": code, "message": message, "status": "denied"}))
    }

    /// A pending action. Nothing was done.
    pub(crate) fn pending(action: &str, digest: &str, approval: &str) -> Self {
        Self::of(
            false,
            json!({
                "action": action,
                "approval": approval,
                "digest": digest,
                "message": "nothing was done: this waits for a person",
                "status": "pending",
            }),
        )
    }

    /// A result as the projection left it.
    pub(crate) fn handed(handed: &Handed) -> Self {
        let structured = match handed {
            Handed::Structured(json) => Some(json.value().clone()),
            _ => None,
        };
        Self { failed: matches!(handed, Handed::Failed(_)), structured, text: handed.text() }
    }
}
