//! See the page beside this file. `tree` finds it while it reads.

use super::Found;

pub(super) const FOUND: Found = Found::Reading("tree");
