//! The most that a broker may charge one side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::{Constants, FeeStep};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Estate {
    Home,
    /// An officetel with kitchen and bath of at most 85㎡.
    Officetel,
    Other,
}

/// What the contract is about, in won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Contracted {
    Sale { price: u64 },
    Lease { deposit: u64, monthly_rent: u64 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BrokerageFee {
    /// The sum that the rate is taken of.
    pub base: u64,
    pub rate: f64,
    /// The most, without value-added tax.
    pub most: u64,
    /// What the fee is for.
    #[serde(default)]
    pub contracted: Option<Contracted>,
    #[schemars(with = "String")]
    pub as_of: jiff::civil::Date,
}

pub fn brokerage_fee(estate: Estate, contracted: Contracted, constants: &Constants) -> BrokerageFee {
    let rules = &constants.brokerage;
    let base = match contracted {
        Contracted::Sale { price } => price,
        Contracted::Lease { deposit, monthly_rent } => {
            let with = |factor: u64| deposit.saturating_add(monthly_rent.saturating_mul(factor));
            let full = with(rules.rent_factor);
            if full < rules.small_below { with(rules.small_rent_factor) } else { full }
        }
    };
    let sale = matches!(contracted, Contracted::Sale { .. });
    let (rate, cap) = match estate {
        Estate::Home => step(if sale { &rules.sale } else { &rules.lease }, base),
        Estate::Officetel => (if sale { rules.officetel.sale } else { rules.officetel.lease }, None),
        Estate::Other => (rules.other, None),
    };
    let fee = (base as f64 * rate).round() as u64;
    let most = cap.map_or(fee, |cap| fee.min(cap));
    BrokerageFee { base, rate, most, contracted: Some(contracted), as_of: constants.as_of }
}

fn step(steps: &[FeeStep], base: u64) -> (f64, Option<u64>) {
    let found = steps.iter().find(|step| step.below.is_none_or(|below| base < below));
    found.map_or((0.0, None), |step| (step.rate, step.most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fee(estate: Estate, contracted: Contracted) -> u64 {
        brokerage_fee(estate, contracted, Constants::built_in()).most
    }

    #[test]
    fn fees_by_hand() {
        let sale = |price| Contracted::Sale { price };
        let lease = |deposit, monthly_rent| Contracted::Lease { deposit, monthly_rent };
        assert_eq!(fee(Estate::Home, sale(500_000_000)), 2_000_000); // 0.4 %
        assert_eq!(fee(Estate::Home, sale(899_999_999)), 3_600_000);
        assert_eq!(fee(Estate::Home, sale(900_000_000)), 4_500_000); // 0.5 %
        assert_eq!(fee(Estate::Home, sale(180_000_000)), 800_000); // 0.5 % is 900,000: the cap
        assert_eq!(fee(Estate::Home, lease(300_000_000, 0)), 900_000); // 0.3 %
        // 1,000 + 50 × 100 = 6,000만: 0.4 % = 240,000.
        assert_eq!(fee(Estate::Home, lease(10_000_000, 500_000)), 240_000);
        // 500 + 40 × 100 = 4,500만 < 5,000만, so × 70: 3,300만 × 0.5 % = 165,000.
        assert_eq!(fee(Estate::Home, lease(5_000_000, 400_000)), 165_000);
        assert_eq!(fee(Estate::Officetel, lease(100_000_000, 0)), 400_000);
        assert_eq!(fee(Estate::Other, sale(100_000_000)), 900_000);
    }
}
