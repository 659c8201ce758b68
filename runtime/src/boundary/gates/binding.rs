//! The deed is about what the run is about, and goes where both locks say.

use std::collections::BTreeMap;

use crate::boundary::Execution;
use crate::decide::Code;
use crate::json::{Json, canonical};

/// Every bound input is there and equals the run's value. Hands back input → value, in canonical bytes.
pub(in crate::boundary) fn ask(
    bind: &BTreeMap<String, String>,
    values: &BTreeMap<String, Json>,
    input: &Json,
) -> Result<BTreeMap<String, String>, Code> {
    let mut target = BTreeMap::new();
    for (name, field) in bind {
        let given = input.value().get(name).and_then(|value| canonical(value).ok());
        let own = values.get(field).map(Json::canonical);
        match given {
            Some(given) if own == Some(given.as_str()) => drop(target.insert(name.clone(), given)),
            _ => return Err(Code::TargetMismatch),
        }
    }
    Ok(target)
}

/// Both locks send the call to one executor.
pub(in crate::boundary) fn one_executor(created: &Execution, in_force: &Execution) -> Result<(), Code> {
    if created == in_force { Ok(()) } else { Err(Code::LockConflict) }
}
