//! See the page beside this file. `model` finds it while it gathers the sections of all files.

use super::Found;

pub(super) const FOUND: Found = Found::Reading("model");
