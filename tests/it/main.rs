//! The one integration test binary.

mod laws;
mod rule_pages;
