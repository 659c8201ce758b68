//! What the definitions come to: effective sets, closed schemas, cases, approvals in force.
//!
//! Nothing here reads a file or grades a finding.

pub mod schema;
