//! Loads a lock as a tool server would, and asks it about three calls of one run.
//!
//! `cargo run -p harnessc-runtime --example refused_call -- harness.lock`

use std::error::Error;

use harnessc_runtime::Bundle;
use harnessc_runtime::decide::{Call, Plan, RunRow, Verdict};
use harnessc_runtime::load::{Signers, Trust};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "harness.lock".to_owned());
    let trust = Trust {
        policy: "program-console".to_owned(),
        environment: Some("production".to_owned()),
        signers: Signers::Unsigned,
        allow_gap: false,
    };
    let bundle = Bundle::load(&std::fs::read(path)?, &trust, None)?;
    let person = bundle.persona("scientist").ok_or("the lock has no scientist")?;
    let row = RunRow {
        harness: Some("toxicologist"),
        role: "console",
        surface: Some("console"),
        scopes: &[],
        read_only: false,
        plan: Plan::None,
        person: &person,
    };
    println!("a toxicologist's console run sees {} tools", bundle.tools_list(&row).len());
    for tool in ["safety.findings", "studies.propose", "records.retire", "documents.fetch"] {
        match bundle.check_call(&row, &Call { tool, case: None }) {
            Verdict::Allow => println!("{tool}: allowed"),
            Verdict::Propose { approval, .. } => println!("{tool}: waits for a person ({})", approval.word()),
            Verdict::Deny(denial) => println!("{tool}: refused, {} ({})", denial.code, denial.reason),
        }
    }
    Ok(())
}
