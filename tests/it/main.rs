//! The one integration test binary.

mod docs;
mod laws;
mod rule_pages;
