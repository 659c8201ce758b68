//! See the page beside this file. `syntax` finds it while it reads.

use super::Found;

pub(super) const FOUND: Found = Found::Reading("syntax");
