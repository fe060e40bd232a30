//! The tax on buying a home (취득세), with what is levied on top.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::Constants;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Buyer {
    /// A household, and how many homes it has after the purchase.
    Household {
        homes_after: u32,
    },
    Company,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Purchase {
    pub price: u64,
    /// Exclusive area, in square metres.
    pub area: f64,
    pub regulated: bool,
    /// A home; officetels, shops and land are taxed alike whoever buys them.
    pub home: bool,
    pub buyer: Buyer,
}

/// The tax and its parts, in won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AcquisitionTax {
    /// 0.01 is 1 %.
    pub rate: f64,
    pub acquisition: u64,
    /// 지방교육세.
    pub education: u64,
    /// 농어촌특별세.
    pub rural: u64,
    pub total: u64,
    #[schemars(with = "String")]
    pub as_of: jiff::civil::Date,
}

pub fn acquisition_tax(purchase: &Purchase, constants: &Constants) -> AcquisitionTax {
    let rules = &constants.acquisition_tax;
    let heavy = match purchase.buyer {
        _ if !purchase.home => None,
        Buyer::Company => Some(rules.company),
        Buyer::Household { homes_after: 0 | 1 } => None,
        Buyer::Household { homes_after: 2 } => purchase.regulated.then_some(rules.second_regulated),
        Buyer::Household { homes_after: 3 } => Some(rules.third.of(purchase.regulated)),
        Buyer::Household { .. } => Some(rules.fourth),
    };
    let flat = rules.not_a_home;
    let plain = || if purchase.home { plain_rate(purchase.price, constants) } else { flat.rate };
    let rate = heavy.unwrap_or_else(plain);
    let education = match heavy {
        _ if !purchase.home => flat.education,
        Some(_) => rules.education_heavy,
        None => rate * rules.education_share,
    };
    let rural = match heavy {
        _ if !purchase.home => flat.rural,
        _ if purchase.area <= rules.rural_area_over => 0.0,
        Some(rate) => rules.rural_heavy.get(&format!("{rate:.2}")).copied().unwrap_or(rules.rural_rate),
        None => rules.rural_rate,
    };
    // Ten won and less are not levied; a hair is added so that 1 % of a round price is not one won less.
    let levy = |rate: f64| ((purchase.price as f64 * rate + 1e-6) as u64) / 10 * 10;
    let (acquisition, education, rural) = (levy(rate), levy(education), levy(rural));
    AcquisitionTax {
        rate,
        acquisition,
        education,
        rural,
        total: acquisition + education + rural,
        as_of: constants.as_of,
    }
}

/// One to three per cent by price, in between along a line.
fn plain_rate(price: u64, constants: &Constants) -> f64 {
    let rules = &constants.acquisition_tax;
    if price <= rules.low_up_to {
        return rules.low_rate;
    }
    if price > rules.high_from {
        return rules.high_rate;
    }
    let along = (price - rules.low_up_to) as f64 / (rules.high_from - rules.low_up_to).max(1) as f64;
    let rate = rules.low_rate + along * (rules.high_rate - rules.low_rate);
    // The law rounds the per cent to four places.
    (rate * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tax(price: u64, area: f64, regulated: bool, buyer: Buyer) -> AcquisitionTax {
        acquisition_tax(&Purchase { price, area, regulated, home: true, buyer }, Constants::built_in())
    }

    #[test]
    fn a_first_home_by_hand() {
        let one = Buyer::Household { homes_after: 1 };
        // 5억, 84㎡: 1 % = 5,000,000; education 0.1 % = 500,000.
        assert_eq!(tax(500_000_000, 84.0, true, one).total, 5_500_000);
        // 7.5억: 7.5 × 2/3 − 3 = 2 %; education 0.2 %.
        let middle = tax(750_000_000, 84.0, false, one);
        assert_eq!((middle.acquisition, middle.education), (15_000_000, 1_500_000));
        // 7억: 7 × 2/3 − 3 = 1.6667 %.
        assert_eq!(tax(700_000_000, 84.0, false, one).acquisition, 11_666_900);
        // 10억, 101㎡: 3 % + 0.3 % + 0.2 %.
        assert_eq!(tax(1_000_000_000, 101.0, false, one).total, 35_000_000);
    }

    /// An officetel of 2.5억: 4 % + 0.4 % + 0.2 %, whoever buys it and however large it is.
    #[test]
    fn what_is_no_home_is_taxed_alike() {
        let buyer = Buyer::Household { homes_after: 3 };
        let purchase = Purchase { price: 250_000_000, area: 24.0, regulated: true, home: false, buyer };
        let tax = acquisition_tax(&purchase, Constants::built_in());
        assert_eq!((tax.acquisition, tax.education, tax.rural), (10_000_000, 1_000_000, 500_000));
    }

    #[test]
    fn further_homes_and_companies_pay_more() {
        // 10억, 84㎡, the second in a regulated area: 8 % + 0.4 %.
        assert_eq!(tax(1_000_000_000, 84.0, true, Buyer::Household { homes_after: 2 }).total, 84_000_000);
        // The second elsewhere: as the first.
        assert_eq!(tax(1_000_000_000, 84.0, false, Buyer::Household { homes_after: 2 }).rate, 0.03);
        // A company, 101㎡: 12 % + 0.4 % + 1 %.
        assert_eq!(tax(1_000_000_000, 101.0, false, Buyer::Company).total, 134_000_000);
    }
}
