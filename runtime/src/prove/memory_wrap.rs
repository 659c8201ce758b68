//! What stands around recalled memory ends what it begins, so that no note can step out of it (SYSTEMS C13).

use super::{Broken, hold};
use crate::deeds::Deeds;
use crate::lock::Lock;
use crate::prompt::closes;

pub(super) fn prove(lock: &Lock, _: &Deeds<'_>) -> Result<(), Broken> {
    let stated = lock.prompt.as_ref().and_then(|prompt| prompt.memory_wrap.as_deref());
    hold(
        stated.is_none_or(closes),
        || "prompt/memory_wrap".to_owned(),
        || "it does not close behind `{text}`, so that a note could step out of it".to_owned(),
    )
}
