//! What rules have in common: their pages, levels and waivers.

pub(crate) mod grade;
mod levels;
mod marker;
pub(crate) mod page;
pub(crate) mod unknown_inputs;
mod waivers;
