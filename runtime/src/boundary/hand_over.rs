//! From the boundary to the room of actions: what a ruling found out, and what the server adds of itself.

use std::collections::BTreeMap;

use serde_json::Value;

use super::budget::Reservation;
use super::{CreatePermit, Proposal, Subject};
use crate::Bundle;
use crate::actions::{self, Asked, CellRef, Origins, Refusal};
use crate::json::{Json, canonical};
use crate::lock::Approval;

impl Proposal {
    /// The proposal that an action is made of, and its reservation. `bundle` is the lock in force, `origins` whose wish it
    /// is, `address` how the outside server is launched or reached, from the server's own configuration; where the lock
    /// states that itself, it may be left out, and is the lock's text for it ([`Server::address`](crate::lock::Server::address)).
    ///
    /// `None` where that lock is not the one the ruling was made under, or where an outside server is to carry it out and no
    /// address says which one that is, or another one than the lock's.
    #[must_use]
    pub fn hand_over(
        self,
        bundle: &Bundle,
        origins: Origins,
        address: Option<String>,
    ) -> Option<(actions::Proposal, Reservation)> {
        let expires_after_ms = self.subject.expires_after_ms;
        let approvers = self.approvers.map(|approvers| approvers.into_iter().collect());
        let asked = Asked { approvers, ..asked(self.subject, self.approval, bundle, origins, address)? };
        let proposal = actions::Proposal::of(bundle, asked)?;
        Some((actions::Proposal { expires_after_ms, ..proposal }, self.reservation))
    }
}

impl CreatePermit {
    /// Leave for the one create that the ruling allowed, and its reservation.
    ///
    /// # Errors
    /// Where the lock is not the one the ruling was made under, an outside server has no address, or the door finds it no
    /// auto create.
    pub fn hand_over(
        self,
        bundle: &Bundle,
        origins: Origins,
        address: Option<String>,
    ) -> Result<(actions::CreatePermit, Reservation), Refusal> {
        let asked = asked(self.subject, Approval::Auto, bundle, origins, address);
        let proposal = asked.and_then(|asked| actions::Proposal::of(bundle, asked));
        let proposal = proposal.ok_or(Refusal::CreateNotAuto)?;
        // A call from outside is proposed and has no such permit.
        let permit = actions::CreatePermit::issue(bundle, proposal)?;
        Ok((permit, self.reservation))
    }
}

fn asked(
    subject: Subject,
    approval: Approval,
    bundle: &Bundle,
    origins: Origins,
    address: Option<String>,
) -> Option<Asked> {
    let stated = subject.execution.address;
    let moved = stated.is_some() && address.is_some() && address != stated;
    let address = address.or(stated);
    let unreachable = moved || subject.execution.server.is_some() && address.is_none();
    if subject.lock != bundle.digest() || unreachable {
        return None;
    }
    Some(Asked {
        approval,
        approvers: None,
        execution: actions::Execution {
            address,
            server: subject.execution.server,
            upstream: subject.execution.upstream.unwrap_or_else(|| subject.tool.clone()),
        },
        cell: CellRef {
            case: subject.case,
            harness: subject.harness,
            role: subject.role,
            tool: subject.tool,
        },
        input: subject.input.canonical().to_owned(),
        organization: subject.organization,
        origins,
        run: subject.run,
        target: target(&subject.target)?,
    })
}

/// The target as canonical JSON: bound input → value.
fn target(values: &BTreeMap<String, String>) -> Option<String> {
    let value = |text: &String| Some(Json::parse(text.as_bytes()).ok()?.value().clone());
    let members = values.iter().map(|(name, text)| Some((name.clone(), value(text)?)));
    canonical(&Value::Object(members.collect::<Option<_>>()?)).ok()
}
