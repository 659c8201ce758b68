//! What a run has spent: reserved before, settled after.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Amounts, Caps, Meter, ToolCaps};

/// What a run has spent and what is reserved. The server stores it with the run and lends it to one call at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// Settled and reserved together.
    charged: Amounts,
    /// The number of the next reservation.
    next: u64,
    /// Reservations that are not settled.
    open: BTreeMap<u64, Open>,
    /// What of it went to each tool.
    tools: BTreeMap<String, OfTool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    amounts: Amounts,
    tool: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfTool {
    calls: u64,
    result_bytes: u64,
}

/// A budget without room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// What there was not enough of.
    pub meter: Meter,
    /// Whether the tool's own cap was the one, and not the run's.
    pub of_tool: bool,
}

/// A call's share of the budgets, to be settled once. Dropping it leaves it charged.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "what is reserved stays charged until it is settled"]
pub struct Reservation {
    amounts: Amounts,
    id: u64,
}

impl Reservation {
    /// What is reserved. A result larger than the reserved bytes must be cut to them.
    #[must_use]
    pub fn amounts(&self) -> Amounts {
        self.amounts
    }

    /// Its number in the run's ledger.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }
}

/// What came of settling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// What was used beyond what could be charged, to the run or to the tool, meter by meter: it is reported, and never brings a budget over its cap.
    pub overrun: Amounts,
}

impl Ledger {
    /// What is charged to a meter: settled and reserved.
    #[must_use]
    pub fn charged(&self, meter: Meter) -> u64 {
        self.charged.of(meter)
    }

    /// Whether there is room for these amounts.
    pub fn room(&self, caps: &Caps, tool: Option<&str>, wanted: Amounts) -> Result<(), Exceeded> {
        for meter in Meter::ALL {
            if !fits(self.charged.of(meter), wanted.of(meter), caps.of(meter)) {
                return Err(Exceeded { meter, of_tool: false });
            }
        }
        let spent = tool.and_then(|tool| self.tools.get(tool)).copied().unwrap_or_default();
        let ToolCaps { calls, result_bytes } = if tool.is_some() { caps.tool } else { ToolCaps::default() };
        for (meter, spent, cap) in
            [(Meter::ToolCalls, spent.calls, calls), (Meter::ResultBytes, spent.result_bytes, result_bytes)]
        {
            if !fits(spent, wanted.of(meter), cap) {
                return Err(Exceeded { meter, of_tool: true });
            }
        }
        Ok(())
    }

    /// How many more bytes of results there is room for; `None`: nothing bounds them.
    #[must_use]
    pub fn result_bytes_left(&self, caps: &Caps, tool: &str) -> Option<u64> {
        let of_tool = self.tools.get(tool).copied().unwrap_or_default().result_bytes;
        let run = caps.of(Meter::ResultBytes).map(|cap| cap.saturating_sub(self.charged(Meter::ResultBytes)));
        let tool = caps.tool.result_bytes.map(|cap| cap.saturating_sub(of_tool));
        run.into_iter().chain(tool).min()
    }

    /// Reserves, where there is room for all of it.
    pub fn reserve(
        &mut self,
        caps: &Caps,
        tool: Option<&str>,
        wanted: Amounts,
    ) -> Result<Reservation, Exceeded> {
        self.room(caps, tool, wanted)?;
        self.charged = self.charged.zip(wanted, u64::saturating_add);
        if let Some(tool) = tool {
            let spent = match self.tools.get_mut(tool) {
                Some(spent) => spent,
                None => self.tools.entry(tool.to_owned()).or_default(),
            };
            spent.calls = spent.calls.saturating_add(wanted.of(Meter::ToolCalls));
            spent.result_bytes = spent.result_bytes.saturating_add(wanted.of(Meter::ResultBytes));
        }
        let id = self.next;
        self.next = id.saturating_add(1);
        self.open.insert(id, Open { amounts: wanted, tool: tool.map(str::to_owned) });
        Ok(Reservation { amounts: wanted, id })
    }

    /// Settles a reservation at what was used. Usage that was not reported is settled at what was reserved: pass its
    /// [`amounts`](Reservation::amounts). A reservation that this ledger does not hold open changes nothing.
    #[expect(clippy::needless_pass_by_value, reason = "a reservation is settled once")]
    pub fn settle(&mut self, caps: &Caps, reservation: Reservation, used: Amounts) -> Settled {
        let Some(open) = self.open.get(&reservation.id).filter(|open| open.amounts == reservation.amounts)
        else {
            return Settled { overrun: used };
        };
        let (reserved, tool) = (open.amounts, open.tool.clone());
        self.open.remove(&reservation.id);
        let spent = tool.as_ref().and_then(|tool| self.tools.get(tool)).copied().unwrap_or_default();
        let (mut of_run, mut of_tool) = (used, used);
        for meter in Meter::ALL {
            of_run =
                of_run.with(meter, clipped(self.charged.of(meter), caps.of(meter), meter, reserved, used));
        }
        for (meter, cap, spent) in [
            (Meter::ToolCalls, caps.tool.calls, spent.calls),
            (Meter::ResultBytes, caps.tool.result_bytes, spent.result_bytes),
        ] {
            let cap = cap.filter(|_| tool.is_some());
            of_tool = of_tool.with(meter, clipped(spent, cap, meter, reserved, used));
        }
        self.recharge(tool.as_deref(), reserved, of_run, of_tool);
        let charged_to_both = of_run.zip(of_tool, u64::min);
        Settled { overrun: used.zip(charged_to_both, u64::saturating_sub) }
    }

    fn recharge(&mut self, tool: Option<&str>, before: Amounts, of_run: Amounts, of_tool: Amounts) {
        let moved = |charged: u64, meter: Meter, after: Amounts| {
            charged.saturating_sub(before.of(meter)).saturating_add(after.of(meter))
        };
        for meter in Meter::ALL {
            self.charged = self.charged.with(meter, moved(self.charged.of(meter), meter, of_run));
        }
        if let Some(spent) = tool.and_then(|tool| self.tools.get_mut(tool)) {
            spent.calls = moved(spent.calls, Meter::ToolCalls, of_tool);
            spent.result_bytes = moved(spent.result_bytes, Meter::ResultBytes, of_tool);
        }
    }
}

/// What of the usage can be charged where so much is charged already, the reservation counted. A cap that was lowered
/// meanwhile takes back nothing that was reserved under the old one.
fn clipped(charged: u64, cap: Option<u64>, meter: Meter, reserved: Amounts, used: Amounts) -> u64 {
    let without = charged.saturating_sub(reserved.of(meter));
    let left = cap.map_or(u64::MAX - without, |cap| cap.saturating_sub(without));
    used.of(meter).min(left.max(reserved.of(meter)))
}

fn fits(charged: u64, wanted: u64, cap: Option<u64>) -> bool {
    match (charged.checked_add(wanted), cap) {
        (None, _) => false,
        // What is free of charge passes even where a lowered cap lies below what was charged before.
        (Some(_), _) if wanted == 0 => true,
        (Some(sum), Some(cap)) => sum <= cap,
        (Some(_), None) => true,
    }
}
