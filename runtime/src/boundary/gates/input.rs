//! The input: read strictly, an object within bounds, and meeting the schemas of every lock that the call passes.

use crate::boundary::InputFault;
use crate::boundary::side::Side;
use crate::boundary::validate::Checked;
use crate::decide::Code;
use crate::json::Json;

/// Reads the bytes. Duplicate keys and numbers beyond ±(2^53 − 1) are refused; from here on only the canonical bytes exist.
pub(in crate::boundary) fn read(bytes: &[u8], max_bytes: usize) -> Result<Json, InputFault> {
    if bytes.len() > max_bytes {
        return Err(InputFault::new("", format!("at most {max_bytes} bytes")));
    }
    let json = Json::parse(bytes).map_err(|error| InputFault::unread(&error))?;
    if json.value().is_object() { Ok(json) } else { Err(InputFault::new("", "an object")) }
}

pub(in crate::boundary) fn ask(side: &Side<'_>, input: &Json) -> Result<(), (Code, Option<InputFault>)> {
    match side.check_input(input) {
        Checked::Fits => Ok(()),
        Checked::Invalid(fault) => Err((Code::InputInvalid, Some(fault))),
        Checked::Unchecked => Err((Code::InputUnchecked, None)),
    }
}
