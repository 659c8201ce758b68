//! The one integration test binary.

mod rule_pages;
