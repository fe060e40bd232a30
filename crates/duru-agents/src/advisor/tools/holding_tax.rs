//! The yearly taxes on having a home: property tax (재산세) and comprehensive real-estate tax (종합부동산세).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::{Constants, Credit, along, top_rate};

/// A home on the first of June.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldHome {
    /// 공시가격; of several homes all together, where only the comprehensive tax is asked.
    pub official_price: u64,
    /// How many homes the household has.
    pub homes: u32,
    /// Of an only home.
    pub age: Option<u32>,
    pub years_held: Option<u32>,
}

/// The property tax of a year, in won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PropertyTax {
    /// 과세표준, and its share of the official price.
    pub base: u64,
    pub ratio: f64,
    pub tax: u64,
    /// 도시지역분.
    pub urban: u64,
    /// 지방교육세.
    pub education: u64,
    pub total: u64,
    /// Whether the lower rates of an only home hold.
    pub special: bool,
    #[schemars(with = "String")]
    pub as_of: jiff::civil::Date,
}

/// The comprehensive tax of a year, in won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComprehensiveTax {
    pub deduction: u64,
    pub base: u64,
    /// By the scale.
    pub before: u64,
    /// What was paid of it as property tax.
    pub paid_as_property: u64,
    /// For age and years of an only home.
    pub credit_share: f64,
    pub tax: u64,
    /// 농어촌특별세.
    pub rural: u64,
    pub total: u64,
    #[schemars(with = "String")]
    pub as_of: jiff::civil::Date,
}

/// 공정시장가액비율 of the property tax.
fn ratio(held: &HeldHome, constants: &Constants) -> f64 {
    let rules = &constants.property_tax;
    if held.homes <= 1 { top_rate(&rules.only_home_ratio, held.official_price) } else { rules.fair_ratio }
}

/// Ten won and less are not levied; a hair is added so that a share of a round sum is not one won less.
fn levied(won: f64) -> u64 {
    ((won + 1e-6) as u64) / 10 * 10
}

pub fn property_tax(held: &HeldHome, constants: &Constants) -> PropertyTax {
    let rules = &constants.property_tax;
    let ratio = ratio(held, constants);
    let base = (held.official_price as f64 * ratio).round() as u64;
    let special = held.homes <= 1 && held.official_price <= rules.only_home_up_to;
    let scale = if special { &rules.only_home_scale } else { &rules.scale };
    let tax = levied(along(scale, base));
    let urban = levied(base as f64 * rules.urban);
    let education = levied(tax as f64 * rules.education_share);
    PropertyTax {
        base,
        ratio,
        tax,
        urban,
        education,
        total: tax + urban + education,
        special,
        as_of: constants.as_of,
    }
}

pub fn comprehensive_tax(held: &HeldHome, constants: &Constants) -> ComprehensiveTax {
    let rules = &constants.comprehensive_tax;
    let only = held.homes <= 1;
    let deduction = if only { rules.only_home_deduction } else { rules.deduction };
    let above = held.official_price.saturating_sub(deduction) as f64;
    let base = (above * rules.fair_ratio).round() as u64;
    let scale = if held.homes >= rules.many_from { &rules.many_scale } else { &rules.scale };
    let before = levied(along(scale, base));
    // What lies above the deduction paid property tax at its highest rate.
    let property = &constants.property_tax.scale;
    let highest = top_rate(property, u64::MAX);
    let paid = levied(above * rules.fair_ratio * ratio(held, constants) * highest).min(before);
    let credit = |steps: &[Credit], years: Option<u32>| {
        let reached = |step: &&Credit| years.is_some_and(|years| years >= step.from);
        steps.iter().rfind(reached).map_or(0.0, |step| step.share)
    };
    let credit_share = if only {
        (credit(&rules.by_age, held.age) + credit(&rules.by_years_held, held.years_held))
            .min(rules.credits_most)
    } else {
        0.0
    };
    let tax = levied((before - paid) as f64 * (1.0 - credit_share));
    let rural = levied(tax as f64 * rules.rural_share);
    ComprehensiveTax {
        deduction,
        base,
        before,
        paid_as_property: paid,
        credit_share,
        tax,
        rural,
        total: tax + rural,
        as_of: constants.as_of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(official_price: u64, homes: u32) -> HeldHome {
        HeldHome { official_price, homes, age: None, years_held: None }
    }

    /// An only home of 5억: 44 % is 2.2억; 12만 + 0.2 % of 7,000만 = 26만; 0.14 % = 30만 8천; a fifth of 26만 = 5만 2천.
    #[test]
    fn the_property_tax_of_an_only_home_by_hand() {
        let tax = property_tax(&held(500_000_000, 1), Constants::built_in());
        assert_eq!((tax.base, tax.tax, tax.urban, tax.education), (220_000_000, 260_000, 308_000, 52_000));
        assert_eq!((tax.total, tax.special), (620_000, true));
    }

    /// One of two homes, 10억: 60 % is 6억; 57만 + 0.4 % of 3억 = 177만; 84만; 35만 4천.
    #[test]
    fn the_property_tax_of_a_second_home_by_hand() {
        let tax = property_tax(&held(1_000_000_000, 2), Constants::built_in());
        assert_eq!((tax.tax, tax.urban, tax.education), (1_770_000, 840_000, 354_000));
        assert_eq!(tax.total, 2_964_000);
        // Above 9억 an only home has its ratio, not its rates: 45 % of 10억 is 4.5억, 57만 + 60만.
        assert_eq!(property_tax(&held(1_000_000_000, 1), Constants::built_in()).tax, 1_170_000);
    }

    /// An only home of 20억: (20 − 12) × 60 % = 4.8억; 150만 + 126만 = 276만; paid as property tax: 8억 × 60 % × 45 % ×
    /// 0.4 % = 86만 4천; left 189만 6천, and a fifth on top.
    #[test]
    fn the_comprehensive_tax_of_an_only_home_by_hand() {
        let tax = comprehensive_tax(&held(2_000_000_000, 1), Constants::built_in());
        assert_eq!((tax.base, tax.before, tax.paid_as_property), (480_000_000, 2_760_000, 864_000));
        assert_eq!((tax.tax, tax.rural, tax.total), (1_896_000, 379_200, 2_275_200));
        // 71 years old and eleven years: 40 % + 40 %.
        let old = HeldHome { age: Some(71), years_held: Some(11), ..held(2_000_000_000, 1) };
        let tax = comprehensive_tax(&old, Constants::built_in());
        assert_eq!((tax.credit_share, tax.tax), (0.8, 379_200));
        assert_eq!(comprehensive_tax(&held(1_200_000_000, 1), Constants::built_in()).total, 0);
    }

    /// Two homes of 15억 together: (15 − 9) × 60 % = 3.6억; 150만 + 42만 = 192만, less 86만 4천.
    #[test]
    fn the_comprehensive_tax_of_several_homes_by_hand() {
        let two = comprehensive_tax(&held(1_500_000_000, 2), Constants::built_in());
        assert_eq!((two.base, two.before, two.tax), (360_000_000, 1_920_000, 1_056_000));
        // Three homes of 39억: base 18억; 150만 + 210만 + 600만 + 2 % of 6억 = 2,160만.
        let three = comprehensive_tax(&held(3_900_000_000, 3), Constants::built_in());
        assert_eq!((three.base, three.before), (1_800_000_000, 21_600_000));
    }
}
