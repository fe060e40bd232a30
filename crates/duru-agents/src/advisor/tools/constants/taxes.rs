//! Figures of the taxes on selling and holding a home, and of what registering a purchase costs.

use serde::{Deserialize, Serialize};

use super::ConstantsError;

/// A step of a scale: what lies below its end is taxed at its rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor) struct RateStep {
    pub(in crate::advisor) up_to: Option<u64>,
    pub(in crate::advisor) rate: f64,
}

/// What a scale takes of a sum: each part at the rate of its step.
pub(in crate::advisor::tools) fn along(steps: &[RateStep], sum: u64) -> f64 {
    let (mut below, mut tax) = (0, 0.0);
    for step in steps {
        let end = step.up_to.unwrap_or(u64::MAX).min(sum);
        tax += end.saturating_sub(below) as f64 * step.rate;
        below = end.max(below);
        if below >= sum {
            break;
        }
    }
    tax
}

/// The rate of the step that a sum lies in.
pub(in crate::advisor::tools) fn top_rate(steps: &[RateStep], sum: u64) -> f64 {
    let step = steps.iter().find(|step| step.up_to.is_none_or(|end| sum <= end)).or(steps.last());
    step.map_or(0.0, |step| step.rate)
}

/// 양도소득세.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct CapitalGains {
    pub(in crate::advisor::tools) source: String,
    #[serde(default)]
    pub(in crate::advisor::tools) source_en: String,
    /// A household's only home is not taxed up to this price (고가주택).
    pub(in crate::advisor::tools) exempt_up_to: u64,
    pub(in crate::advisor::tools) exempt_years_held: u32,
    /// Where the home lay in a regulated area when it was bought.
    pub(in crate::advisor::tools) exempt_years_lived: u32,
    pub(in crate::advisor::tools) basic_deduction: u64,
    pub(in crate::advisor::tools) scale: Vec<RateStep>,
    pub(in crate::advisor::tools) short_home: ShortHeld,
    pub(in crate::advisor::tools) short_other: ShortHeld,
    pub(in crate::advisor::tools) long_term: LongTerm,
    pub(in crate::advisor::tools) surcharge: Surcharge,
    pub(in crate::advisor::tools) local_share: f64,
}

/// Held for less than a year, and for less than two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct ShortHeld {
    pub(in crate::advisor::tools) under_one_year: f64,
    pub(in crate::advisor::tools) under_two_years: f64,
}

/// 장기보유특별공제, by the year, from the third on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct LongTerm {
    pub(in crate::advisor::tools) from_years: u32,
    pub(in crate::advisor::tools) by_year: f64,
    pub(in crate::advisor::tools) most: f64,
    /// Of an only home that its owner lived in for two years: for holding it and for living there, each.
    pub(in crate::advisor::tools) only_home_by_year: f64,
    pub(in crate::advisor::tools) only_home_most: f64,
    pub(in crate::advisor::tools) only_home_years_lived: u32,
}

/// 다주택 중과: added to the rate in a regulated area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct Surcharge {
    pub(in crate::advisor::tools) second: f64,
    pub(in crate::advisor::tools) third: f64,
    /// Not levied on what is sold up to this day.
    pub(in crate::advisor::tools) suspended_until: jiff::civil::Date,
}

/// 재산세 of a home.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct PropertyTaxRates {
    pub(in crate::advisor::tools) source: String,
    #[serde(default)]
    pub(in crate::advisor::tools) source_en: String,
    /// 공정시장가액비율, and that of an only home by its official price.
    pub(in crate::advisor::tools) fair_ratio: f64,
    pub(in crate::advisor::tools) only_home_ratio: Vec<RateStep>,
    pub(in crate::advisor::tools) scale: Vec<RateStep>,
    /// For an only home up to a price.
    pub(in crate::advisor::tools) only_home_scale: Vec<RateStep>,
    pub(in crate::advisor::tools) only_home_up_to: u64,
    /// 도시지역분, of the tax base.
    pub(in crate::advisor::tools) urban: f64,
    /// 지방교육세, of the tax.
    pub(in crate::advisor::tools) education_share: f64,
    /// What official prices are of what homes sell for, where nobody knows them.
    pub(in crate::advisor::tools) official_share: f64,
    pub(in crate::advisor::tools) official_source: String,
}

/// 종합부동산세 on homes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct ComprehensiveRates {
    pub(in crate::advisor::tools) source: String,
    #[serde(default)]
    pub(in crate::advisor::tools) source_en: String,
    pub(in crate::advisor::tools) deduction: u64,
    pub(in crate::advisor::tools) only_home_deduction: u64,
    pub(in crate::advisor::tools) fair_ratio: f64,
    pub(in crate::advisor::tools) scale: Vec<RateStep>,
    /// From three homes on.
    pub(in crate::advisor::tools) many_scale: Vec<RateStep>,
    pub(in crate::advisor::tools) many_from: u32,
    /// Of an only home, by its owner's age and by how long it was held.
    pub(in crate::advisor::tools) by_age: Vec<Credit>,
    pub(in crate::advisor::tools) by_years_held: Vec<Credit>,
    pub(in crate::advisor::tools) credits_most: f64,
    /// 농어촌특별세, of the tax.
    pub(in crate::advisor::tools) rural_share: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct Credit {
    pub(in crate::advisor::tools) from: u32,
    pub(in crate::advisor::tools) share: f64,
}

/// 소유권이전등기: what it takes beside the taxes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct RegistrationRates {
    pub(in crate::advisor::tools) source: String,
    #[serde(default)]
    pub(in crate::advisor::tools) source_en: String,
    /// 국민주택채권, of the whole official price, in Seoul and the metropolitan cities and elsewhere.
    pub(in crate::advisor::tools) bonds: Vec<BondStep>,
    pub(in crate::advisor::tools) metropolitan: Vec<String>,
    /// What is lost by selling the bonds at once.
    pub(in crate::advisor::tools) bond_discount: f64,
    /// 인지세.
    pub(in crate::advisor::tools) stamp: Vec<SumStep>,
    pub(in crate::advisor::tools) stamp_free_home_up_to: u64,
    pub(in crate::advisor::tools) court_fee: u64,
    /// 법무사 보수, without value-added tax.
    pub(in crate::advisor::tools) scrivener_base: u64,
    pub(in crate::advisor::tools) scrivener: Vec<RateStep>,
    pub(in crate::advisor::tools) value_added_tax: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct BondStep {
    pub(in crate::advisor::tools) below: Option<u64>,
    pub(in crate::advisor::tools) metropolitan: f64,
    pub(in crate::advisor::tools) elsewhere: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct SumStep {
    pub(in crate::advisor::tools) up_to: Option<u64>,
    pub(in crate::advisor::tools) sum: u64,
}

/// Shares that lie between 0 and 1, and scales that have an end, each with its name.
pub(super) fn check(
    gains: &CapitalGains,
    property: &PropertyTaxRates,
    comprehensive: &ComprehensiveRates,
    registration: &RegistrationRates,
) -> Result<(), ConstantsError> {
    let scales = [
        ("capital_gains.scale", &gains.scale),
        ("property_tax.scale", &property.scale),
        ("property_tax.only_home_scale", &property.only_home_scale),
        ("property_tax.only_home_ratio", &property.only_home_ratio),
        ("comprehensive_tax.scale", &comprehensive.scale),
        ("comprehensive_tax.many_scale", &comprehensive.many_scale),
        ("registration.scrivener", &registration.scrivener),
    ];
    for (field, steps) in scales {
        if steps.last().is_none_or(|step| step.up_to.is_some()) {
            return Err(ConstantsError::Open { field });
        }
        if let Some(step) = steps.iter().find(|step| !(0.0..=1.0).contains(&step.rate)) {
            return Err(ConstantsError::Share { field, value: step.rate });
        }
    }
    let shares = [
        ("capital_gains.short_home", gains.short_home.under_one_year),
        ("capital_gains.short_home", gains.short_home.under_two_years),
        ("capital_gains.short_other", gains.short_other.under_one_year),
        ("capital_gains.short_other", gains.short_other.under_two_years),
        ("capital_gains.long_term", gains.long_term.most),
        ("capital_gains.long_term", gains.long_term.only_home_most),
        ("capital_gains.surcharge", gains.surcharge.second),
        ("capital_gains.surcharge", gains.surcharge.third),
        ("capital_gains.local_share", gains.local_share),
        ("property_tax.fair_ratio", property.fair_ratio),
        ("property_tax.urban", property.urban),
        ("property_tax.education_share", property.education_share),
        ("property_tax.official_share", property.official_share),
        ("comprehensive_tax.fair_ratio", comprehensive.fair_ratio),
        ("comprehensive_tax.credits_most", comprehensive.credits_most),
        ("comprehensive_tax.rural_share", comprehensive.rural_share),
        ("registration.bond_discount", registration.bond_discount),
        ("registration.value_added_tax", registration.value_added_tax),
    ];
    for (field, value) in shares {
        if !(0.0..=1.0).contains(&value) {
            return Err(ConstantsError::Share { field, value });
        }
    }
    if registration.bonds.last().is_none_or(|step| step.below.is_some()) {
        return Err(ConstantsError::Open { field: "registration.bonds" });
    }
    if registration.stamp.last().is_none_or(|step| step.up_to.is_some()) {
        return Err(ConstantsError::Open { field: "registration.stamp" });
    }
    Ok(())
}
