//! The tax on what is gained by selling a home (양도소득세), with the local income tax on top.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::{Constants, along, top_rate};

/// A home that is sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HomeSale {
    pub price: u64,
    /// What it was bought for.
    pub bought: u64,
    /// What may be taken off beside it: taxes and fees of buying and selling, lasting improvements.
    pub expenses: u64,
    pub months_held: u32,
    pub years_lived: u32,
    /// How many homes the household has before it sells.
    pub homes: u32,
    /// It lies in a regulated area.
    pub regulated: bool,
    /// A home; officetels, shops and land have no exemption.
    pub home: bool,
    /// What is added to the rate of several homes is levied on the day of the sale.
    pub surcharged: bool,
}

/// The tax and how it comes about, in won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GainsTax {
    pub gain: u64,
    /// Whether it is an only home, held long enough; then only what lies above the threshold is taxed.
    pub exempt: bool,
    /// What of the gain is taxed at all.
    pub taxable: u64,
    /// 장기보유특별공제, and its share of that.
    pub long_term: u64,
    pub long_term_share: f64,
    pub base: u64,
    /// The rate of the highest part.
    pub rate: f64,
    pub tax: u64,
    pub local: u64,
    pub total: u64,
    #[schemars(with = "String")]
    pub as_of: jiff::civil::Date,
}

/// Is it an only home that was held, and in a regulated area lived in, for long enough?
pub fn is_exempt(sale: &HomeSale, constants: &Constants) -> bool {
    let rules = &constants.capital_gains;
    sale.home
        && sale.homes <= 1
        && sale.months_held >= rules.exempt_years_held * 12
        && (!sale.regulated || sale.years_lived >= rules.exempt_years_lived)
}

/// The rate for what is held for less than two years.
pub fn short_term_rate(months_held: u32, home: bool, constants: &Constants) -> Option<f64> {
    let rules = &constants.capital_gains;
    let short = if home { rules.short_home } else { rules.short_other };
    match months_held {
        0..12 => Some(short.under_one_year),
        12..24 => Some(short.under_two_years),
        _ => None,
    }
}

pub fn capital_gains_tax(sale: &HomeSale, constants: &Constants) -> GainsTax {
    let rules = &constants.capital_gains;
    let gain = sale.price.saturating_sub(sale.bought).saturating_sub(sale.expenses);
    let exempt = is_exempt(sale, constants);
    let above = sale.price.saturating_sub(rules.exempt_up_to);
    let taxable =
        if exempt { (gain as f64 * above as f64 / sale.price.max(1) as f64).round() as u64 } else { gain };
    let added = match (sale.home && sale.regulated && sale.surcharged, sale.homes) {
        (true, 2) => rules.surcharge.second,
        (true, 3..) => rules.surcharge.third,
        _ => 0.0,
    };
    let long_term_share = if added > 0.0 { 0.0 } else { long_term(sale, exempt, constants) };
    let long_term = (taxable as f64 * long_term_share).round() as u64;
    let base = (taxable - long_term).saturating_sub(rules.basic_deduction);
    let plain = along(&rules.scale, base) + base as f64 * added;
    let short = short_term_rate(sale.months_held, sale.home, constants);
    // Where two rates hold, the one that takes more counts.
    let by_time = short.map_or(0.0, |rate| base as f64 * rate);
    let rate = if by_time > plain {
        short.unwrap_or_default()
    } else if base == 0 {
        0.0
    } else {
        top_rate(&rules.scale, base) + added
    };
    let tax = (plain.max(by_time) + 1e-6) as u64;
    let local = (tax as f64 * rules.local_share + 1e-6) as u64;
    GainsTax {
        gain,
        exempt,
        taxable,
        long_term,
        long_term_share,
        base,
        rate,
        tax,
        local,
        total: tax + local,
        as_of: constants.as_of,
    }
}

fn long_term(sale: &HomeSale, exempt: bool, constants: &Constants) -> f64 {
    let rules = &constants.capital_gains.long_term;
    let years = sale.months_held / 12;
    if years < rules.from_years {
        return 0.0;
    }
    if exempt && sale.years_lived >= rules.only_home_years_lived {
        let each = |years: u32| (f64::from(years) * rules.only_home_by_year).min(rules.only_home_most);
        return each(years) + each(sale.years_lived.min(years));
    }
    (f64::from(years) * rules.by_year).min(rules.most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sale() -> HomeSale {
        HomeSale {
            price: 700_000_000,
            bought: 500_000_000,
            expenses: 20_000_000,
            months_held: 60,
            years_lived: 0,
            homes: 2,
            regulated: false,
            home: true,
            surcharged: true,
        }
    }

    fn tax(sale: &HomeSale) -> GainsTax {
        capital_gains_tax(sale, Constants::built_in())
    }

    /// 7억 − 5억 − 2천만 = 1.8억; five years: 10 %, 1,800만; less 250만: 1억 5,950만.
    /// 38 % less 1,994만: 4,067만; the local tax is a tenth of it.
    #[test]
    fn a_second_home_held_for_five_years_by_hand() {
        let tax = tax(&sale());
        assert_eq!((tax.gain, tax.long_term, tax.base), (180_000_000, 18_000_000, 159_500_000));
        assert_eq!((tax.tax, tax.local, tax.total), (40_670_000, 4_067_000, 44_737_000));
    }

    /// 15억, bought for 9억, held and lived in for ten years: of 6억 the part above 12억 is 1.2억; 80 % off: 2,400만; less
    /// 250만: 2,150만; 15 % less 126만 is 196만 5천.
    #[test]
    fn an_only_home_above_the_threshold_by_hand() {
        let only = HomeSale {
            price: 1_500_000_000,
            bought: 900_000_000,
            expenses: 0,
            months_held: 120,
            years_lived: 10,
            homes: 1,
            regulated: true,
            ..sale()
        };
        let taxed = tax(&only);
        assert_eq!((taxed.taxable, taxed.long_term_share), (120_000_000, 0.8));
        assert_eq!((taxed.tax, taxed.total), (1_965_000, 2_161_500));
        assert_eq!(tax(&HomeSale { price: 1_200_000_000, ..only }).total, 0);
        // Not lived in, in a regulated area: the whole gain, and 20 % for ten years.
        let empty = tax(&HomeSale { years_lived: 0, ..only });
        assert!(!empty.exempt);
        assert_eq!((empty.taxable, empty.long_term), (600_000_000, 120_000_000));
    }

    /// 5,000만 in half a year: less 250만, 70 % is 3,325만; in a year and a half 60 %.
    #[test]
    fn what_is_sold_soon_is_taxed_heavily() {
        let soon =
            HomeSale { price: 250_000_000, bought: 200_000_000, expenses: 0, months_held: 6, ..sale() };
        assert_eq!((tax(&soon).rate, tax(&soon).total), (0.70, 36_575_000));
        assert_eq!(tax(&HomeSale { months_held: 18, ..soon }).rate, 0.60);
        assert_eq!(tax(&HomeSale { home: false, ..soon }).rate, 0.50);
        assert_eq!(tax(&HomeSale { price: 190_000_000, ..soon }).total, 0);
    }

    /// 1.8억 less 250만 is 1억 7,750만: 38 % + 20 %, without the deduction for years.
    #[test]
    fn several_homes_in_a_regulated_area_pay_more_where_that_is_levied() {
        let heavy = tax(&HomeSale { regulated: true, ..sale() });
        assert_eq!((heavy.long_term, heavy.base), (0, 177_500_000));
        assert_eq!(heavy.tax, 47_510_000 + 35_500_000);
        let spared = tax(&HomeSale { regulated: true, surcharged: false, ..sale() });
        assert_eq!(spared.total, 44_737_000);
    }
}
