//! Between deposit and monthly rent (전월세 전환), and how much a rent may rise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::Constants;

/// A deposit turned into rent, or the other way round, in won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LeaseCost {
    pub deposit: u64,
    pub monthly_rent: u64,
    /// A year's rate of conversion that was used.
    pub rate: f64,
    /// The highest that the law allows where a deposit becomes rent.
    pub legal_cap: f64,
    #[schemars(with = "String")]
    pub as_of: jiff::civil::Date,
}

/// The legal cap: a fixed one, or the central bank's rate and a margin, whichever is lower.
fn cap(constants: &Constants) -> f64 {
    let rules = &constants.conversion;
    rules.fixed_cap.min(rules.base_rate + rules.over_base_rate)
}

impl Constants {
    /// The highest rate at which the law lets a deposit become rent.
    pub(in crate::advisor) fn conversion_cap(&self) -> f64 {
        cap(self)
    }
}

/// The rent that replaces part of a deposit. A rate above the cap is lowered to it.
pub fn deposit_to_rent(deposit: u64, keep: u64, rate: Option<f64>, constants: &Constants) -> LeaseCost {
    let legal_cap = cap(constants);
    let rate = rate.filter(|rate| rate.is_finite() && *rate >= 0.0).unwrap_or(legal_cap).min(legal_cap);
    let turned = deposit.saturating_sub(keep);
    let monthly_rent = (turned as f64 * rate / 12.0).floor() as u64;
    LeaseCost { deposit: deposit.min(keep), monthly_rent, rate, legal_cap, as_of: constants.as_of }
}

/// The pure deposit that a deposit and a rent are worth.
pub fn rent_to_deposit(
    deposit: u64,
    monthly_rent: u64,
    rate: Option<f64>,
    constants: &Constants,
) -> LeaseCost {
    let legal_cap = cap(constants);
    let rate = rate.filter(|rate| rate.is_finite() && *rate > 0.0).unwrap_or(legal_cap);
    let worth = if rate > 0.0 { (monthly_rent as f64 * 12.0 / rate).round() as u64 } else { 0 };
    LeaseCost {
        deposit: deposit.saturating_add(worth),
        monthly_rent: 0,
        rate,
        legal_cap,
        as_of: constants.as_of,
    }
}

/// The rent of a lease whose deposit changes. Where the deposit falls, the cap holds for what becomes rent; where it
/// rises, the law sets no rate, and the same one is a measure.
pub(super) fn exchanged_rent(
    (deposit, rent): (u64, u64),
    to: u64,
    rate: Option<f64>,
    constants: &Constants,
) -> LeaseCost {
    let legal_cap = cap(constants);
    let said = rate.filter(|rate| rate.is_finite() && *rate >= 0.0).unwrap_or(legal_cap);
    let rate = if to < deposit { said.min(legal_cap) } else { said };
    let turned = (to.abs_diff(deposit) as f64 * rate / 12.0).floor() as u64;
    let monthly_rent = if to < deposit { rent.saturating_add(turned) } else { rent.saturating_sub(turned) };
    LeaseCost { deposit: to, monthly_rent, rate, legal_cap, as_of: constants.as_of }
}

/// The most that a deposit or a rent may be after a renewal.
pub fn increase_cap(current: u64, constants: &Constants) -> u64 {
    current.saturating_add((current as f64 * constants.increase.cap).floor() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_by_hand() {
        let constants = Constants::built_in();
        // 3억 to 1억: 2억 × 4.5 % / 12 = 750,000.
        let rent = deposit_to_rent(300_000_000, 100_000_000, None, constants);
        assert_eq!((rent.deposit, rent.monthly_rent, rent.legal_cap), (100_000_000, 750_000, 0.045));
        // A rate above the cap is no rate.
        assert_eq!(deposit_to_rent(300_000_000, 100_000_000, Some(0.10), constants).monthly_rent, 750_000);
        // 5,000만 and 60만 at 4.5 %: 5,000만 + 1.6억.
        assert_eq!(rent_to_deposit(50_000_000, 600_000, None, constants).deposit, 210_000_000);
        assert_eq!(increase_cap(300_000_000, constants), 315_000_000);
        // 2,000만 and 80만 with 5,000만 instead: 3,000만 × 4.5 % / 12 = 112,500 less; the other way round as much more.
        let rent = |from, to, rate| exchanged_rent(from, to, rate, constants).monthly_rent;
        assert_eq!(rent((20_000_000, 800_000), 50_000_000, None), 687_500);
        assert_eq!(rent((50_000_000, 687_500), 20_000_000, Some(0.10)), 800_000);
    }
}
