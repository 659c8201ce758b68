//! What rules have in common: their pages, levels and waivers.

pub(crate) mod approvals;
pub(crate) mod authority;
pub(crate) mod grade;
mod levels;
mod marker;
pub(crate) mod page;
mod waivers;
