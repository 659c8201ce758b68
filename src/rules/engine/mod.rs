//! What rules have in common: their pages, levels and waivers.

pub(crate) mod grade;
mod levels;
pub(crate) mod page;
mod marker;
mod waivers;
