//! Figures of the tax on gifts, and of what is filed by when.

use serde::{Deserialize, Serialize};

use super::ConstantsError;
use super::taxes::RateStep;

/// 증여세.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor) struct GiftRates {
    pub(in crate::advisor) source: String,
    #[serde(default)]
    pub(in crate::advisor) source_en: String,
    pub(in crate::advisor) scale: Vec<RateStep>,
    /// What is spared in so many years, by who is given to.
    pub(in crate::advisor) years: u32,
    pub(in crate::advisor) child: u64,
    pub(in crate::advisor) minor: u64,
    pub(in crate::advisor) spouse: u64,
    pub(in crate::advisor) parent: u64,
    pub(in crate::advisor) relative: u64,
    /// More of it around a marriage or a birth.
    pub(in crate::advisor) marriage: u64,
    /// What who files in time is spared of the tax, and what is added for who does not.
    pub(in crate::advisor) in_time: f64,
    pub(in crate::advisor) unfiled: f64,
}

/// 월세 세액공제.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor) struct RentCredit {
    pub(in crate::advisor) source: String,
    #[serde(default)]
    pub(in crate::advisor) source_en: String,
    pub(in crate::advisor) low_income_up_to: u64,
    pub(in crate::advisor) low_income_rate: f64,
    pub(in crate::advisor) income_up_to: u64,
    pub(in crate::advisor) rate: f64,
    /// So much of a year's rent counts.
    pub(in crate::advisor) rent_up_to: u64,
}

/// By when a tax is filed: months after the end of the month, or days after the day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor) struct Filing {
    pub(in crate::advisor) source: String,
    #[serde(default)]
    pub(in crate::advisor) source_en: String,
    pub(in crate::advisor) gains_months: i32,
    pub(in crate::advisor) gift_months: i32,
    pub(in crate::advisor) acquisition_days: i32,
}

/// A scale with an end, and shares between 0 and 1.
pub(super) fn check(gifts: &GiftRates) -> Result<(), ConstantsError> {
    let field = "gift_tax.scale";
    if gifts.scale.last().is_none_or(|step| step.up_to.is_some()) {
        return Err(ConstantsError::Open { field });
    }
    let shares = gifts.scale.iter().map(|step| step.rate).chain([gifts.in_time, gifts.unfiled]);
    match shares.into_iter().find(|share| !(0.0..=1.0).contains(share)) {
        Some(value) => Err(ConstantsError::Share { field, value }),
        None => Ok(()),
    }
}
