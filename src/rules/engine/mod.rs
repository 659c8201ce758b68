//! What rules have in common: their pages, levels and waivers, and the words they look for.

pub(crate) mod approvals;
pub(crate) mod authority;
pub(crate) mod bounds;
pub(crate) mod closed_lists;
pub(crate) mod grade;
mod levels;
mod marker;
pub(crate) mod page;
pub(crate) mod text;
mod waivers;
pub(crate) mod words_of_list;
