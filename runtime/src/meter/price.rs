//! What tokens cost: integer micro-USD, rounded up, an unknown model priced high.

use serde::{Deserialize, Serialize};

use crate::json::MAX_NUMBER;
use crate::lock::{Limits, Price};

/// The price of a model where the lock prices none: above every list price, so that a missing price spends a budget
/// early and never late.
pub const UNPRICED: Price =
    Price { cached_micro_usd: None, input_micro_usd: 200_000_000, output_micro_usd: 800_000_000 };

/// The most tokens that a report can mean; a larger one is no report.
pub(super) const MAX_REPORTED: u64 = MAX_NUMBER as u64;

/// The key of the price for models that are not named.
const UNKNOWN: &str = "unknown";

/// A price, and whether the lock states it for this very model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Priced {
    /// Whether the model is named. A cost at another price is an estimate.
    pub named: bool,
    /// The price.
    pub price: Price,
}

/// The price of a model: its own; else that of `unknown`, and never less than the dearest that is named, since a renamed
/// model is more often dearer than cheaper; else [`UNPRICED`].
#[must_use]
pub fn price_of(limits: Option<&Limits>, model: &str) -> Priced {
    let prices = limits.map(|limits| &limits.prices);
    if let Some(price) = prices.and_then(|prices| prices.get(model)).filter(|_| model != UNKNOWN) {
        return Priced { named: true, price: *price };
    }
    let dearest = prices.into_iter().flatten().map(|(_, price)| *price).reduce(|a, b| Price {
        // Input that was cached costs its full price here.
        cached_micro_usd: None,
        input_micro_usd: a.input_micro_usd.max(b.input_micro_usd),
        output_micro_usd: a.output_micro_usd.max(b.output_micro_usd),
    });
    let stated = prices.is_some_and(|prices| prices.contains_key(UNKNOWN));
    let price = match dearest {
        Some(price) if stated => Price { cached_micro_usd: None, ..price },
        Some(price) => Price {
            cached_micro_usd: None,
            input_micro_usd: price.input_micro_usd.max(UNPRICED.input_micro_usd),
            output_micro_usd: price.output_micro_usd.max(UNPRICED.output_micro_usd),
        },
        None => UNPRICED,
    };
    Priced { named: false, price }
}

/// What a single token costs at least, of any model.
pub(super) fn least_cost(limits: Option<&Limits>) -> u64 {
    let stated = limits.into_iter().flat_map(|limits| limits.prices.values());
    let of_token = |price: &Price| {
        let (input, output) =
            (Usage { input: 1, ..Usage::default() }, Usage { output: 1, ..Usage::default() });
        cost(price, &input).min(cost(price, &output))
    };
    stated.map(of_token).min().unwrap_or_else(|| of_token(&UNPRICED))
}

/// What a provider reports of one call, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Of `input`, those that the provider had already.
    pub cached: u64,
    /// All input.
    pub input: u64,
    /// All output.
    pub output: u64,
    /// Of `output`, those that were reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// Whether its parts lie within their wholes and the wholes can be meant. What is not sound is no report.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.cached <= self.input && self.reasoning <= self.output && self.tokens() <= MAX_REPORTED
    }

    /// Input and output together.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// What a call may come to, said before it is made, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The input that is sent.
    pub input: u64,
    /// The most output that is asked for.
    pub max_output: u64,
}

impl Estimate {
    /// The usage where all of it is used and nothing was cached.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage { cached: 0, input: self.input, output: self.max_output, reasoning: 0 }
    }
}

/// The cost in micro-USD, rounded up. What is beyond counting is the largest number, which no budget covers.
#[must_use]
pub fn cost(price: &Price, usage: &Usage) -> u64 {
    let cached = usage.cached.min(usage.input);
    let parts = [
        (usage.input - cached, price.input_micro_usd),
        (cached, price.cached_micro_usd.unwrap_or(price.input_micro_usd)),
        (usage.output, price.output_micro_usd),
    ];
    // Each product is below 2^128; only their sum could pass it.
    let total = parts
        .into_iter()
        .try_fold(0_u128, |total, (tokens, each)| total.checked_add(u128::from(tokens) * u128::from(each)));
    total.and_then(|total| u64::try_from(total.div_ceil(1_000_000)).ok()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Estimate, UNPRICED, Usage, cost, price_of};
    use crate::lock::{Limits, Price};

    const LUNA: Price =
        Price { cached_micro_usd: Some(130_000), input_micro_usd: 1_250_000, output_micro_usd: 10_000_000 };

    fn limits(unknown: Option<Price>) -> Limits {
        let mut prices = BTreeMap::from([("luna".to_owned(), LUNA)]);
        prices.extend(unknown.map(|price| ("unknown".to_owned(), price)));
        Limits { prices, ..Limits::default() }
    }

    #[test]
    fn a_cost_is_what_its_parts_cost_rounded_up() {
        let usage = Usage { cached: 400, input: 1000, output: 200, reasoning: 50 };
        // 600 × 1.25 + 400 × 0.13 + 200 × 10 = 2802 micro-USD.
        assert_eq!(cost(&LUNA, &usage), 2802);
        assert_eq!(cost(&LUNA, &Usage { input: 1, ..Usage::default() }), 2);
        assert_eq!(cost(&LUNA, &Usage::default()), 0);
        assert_eq!(cost(&LUNA, &Estimate { input: u64::MAX, max_output: u64::MAX }.usage()), u64::MAX);
    }

    // S9: unknown model priced high.
    #[test]
    fn an_unknown_model_is_priced_high() {
        let dear =
            Price { cached_micro_usd: Some(1), input_micro_usd: 30_000_000, output_micro_usd: 120_000_000 };
        let priced = price_of(Some(&limits(Some(dear))), "nova");
        assert_eq!((priced.named, priced.price), (false, Price { cached_micro_usd: None, ..dear }));
        // A price for the unknown that is below a named one does not make the unknown cheap.
        let cheap = Price { cached_micro_usd: None, input_micro_usd: 1, output_micro_usd: 1 };
        let priced = price_of(Some(&limits(Some(cheap))), "nova");
        assert_eq!(priced.price, Price { cached_micro_usd: None, ..LUNA });
        assert_eq!(price_of(Some(&limits(None)), "nova").price, UNPRICED);
        assert_eq!(price_of(None, "luna").price, UNPRICED);
        assert!(price_of(Some(&limits(None)), "luna").named);
        assert!(!price_of(Some(&limits(Some(dear))), "unknown").named);
    }
}
