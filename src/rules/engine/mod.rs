//! What rules have in common: their pages, levels and waivers.

pub(crate) mod approvals;
pub(crate) mod authority;
pub(crate) mod grade;
pub(crate) mod page;
