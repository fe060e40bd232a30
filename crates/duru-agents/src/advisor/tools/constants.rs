//! Figures set by law and by notice: one dated file, replaceable.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::advisor::understand::region::Region;
use crate::advisor::understand::{Group, LoanKind};

/// The file that the product comes with.
const BUILT_IN: &str = include_str!("constants.json");

/// Every figure that the calculators take from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constants {
    /// The day these figures were true; an answer that leans on them says it.
    pub as_of: jiff::civil::Date,
    #[serde(default)]
    pub note: String,
    pub(super) lending: Lending,
    pub(super) conversion: Conversion,
    pub(super) increase: Increase,
    pub(super) brokerage: Brokerage,
    pub(super) acquisition_tax: TaxRates,
    pub(super) returns: Assumptions,
    pub(super) regulated_areas: RegulatedAreas,
    pub(super) loans: Loans,
}

/// Why a file of constants can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConstantsError {
    #[error("the constants can't be read: {0}")]
    Form(#[from] serde_json::Error),
    #[error("{field} must lie between 0 and 1, and is {value}")]
    Share { field: &'static str, value: f64 },
    #[error("{field} has no last step for everything above")]
    Open { field: &'static str },
}

impl Constants {
    /// The figures that the product comes with.
    pub fn built_in() -> &'static Self {
        static CONSTANTS: LazyLock<Constants> = LazyLock::new(|| match Constants::read(BUILT_IN) {
            Ok(constants) => constants,
            // A test reads the file, so a build with a bad one never leaves the workshop.
            Err(error) => unreachable!("the built-in constants: {error}"),
        });
        &CONSTANTS
    }

    /// Reads a file of the same form.
    ///
    /// # Errors
    ///
    /// If it has another form, a share outside 0 to 1, or a table without an end.
    pub fn read(text: &str) -> Result<Self, ConstantsError> {
        let constants: Self = serde_json::from_str(text)?;
        constants.check()?;
        Ok(constants)
    }

    /// Where the figures of each topic are from.
    pub fn sources(&self) -> [&str; 8] {
        [
            &self.lending.source,
            &self.conversion.source,
            &self.increase.source,
            &self.brokerage.source,
            &self.acquisition_tax.source,
            &self.returns.source,
            &self.regulated_areas.source,
            &self.loans.source,
        ]
    }

    /// Where the figures about lending are from.
    pub fn lending_source(&self) -> &str {
        &self.lending.source
    }

    /// Whether a place lies in a regulated area (규제지역). A city of which only some districts do counts.
    pub fn is_regulated(&self, region: &Region) -> bool {
        let areas = &self.regulated_areas;
        areas.provinces.contains(&region.province)
            || region.district.as_ref().is_some_and(|district| {
                let full = format!("{} {district}", region.province);
                areas.districts.iter().any(|area| *area == full || area.starts_with(&format!("{full} ")))
            })
    }

    /// The loans on offer.
    pub fn products(&self) -> &[LoanProduct] {
        &self.loans.products
    }

    fn check(&self) -> Result<(), ConstantsError> {
        let shares = [
            ("lending.ltv.regulated", self.lending.ltv.regulated),
            ("lending.ltv.unregulated", self.lending.ltv.unregulated),
            ("lending.dti.regulated", self.lending.dti.regulated),
            ("lending.dsr", self.lending.dsr),
            ("conversion.fixed_cap", self.conversion.fixed_cap),
            ("conversion.base_rate", self.conversion.base_rate),
            ("increase.cap", self.increase.cap),
            ("acquisition_tax.low_rate", self.acquisition_tax.low_rate),
            ("returns.vacancy", self.returns.vacancy),
        ];
        for (field, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(ConstantsError::Share { field, value });
            }
        }
        let open = |steps: &[FeeStep]| steps.last().is_some_and(|step| step.below.is_none());
        for (field, steps) in
            [("brokerage.sale", &self.brokerage.sale), ("brokerage.lease", &self.brokerage.lease)]
        {
            if !open(steps) {
                return Err(ConstantsError::Open { field });
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ByArea {
    pub(super) regulated: f64,
    pub(super) unregulated: f64,
}

impl ByArea {
    pub(super) fn of(self, regulated: bool) -> f64 {
        if regulated { self.regulated } else { self.unregulated }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lending {
    pub(super) source: String,
    pub(super) ltv: Ltv,
    pub(super) dti: ByArea,
    pub(super) dsr: f64,
    /// Added to the rate where the limit is reckoned, not where interest is.
    pub(super) stress_rate: ByArea,
    /// The most that may be lent in a regulated area, by the home's price.
    pub(super) price_steps: Vec<PriceStep>,
    pub(super) longest_years: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ltv {
    pub(super) regulated: f64,
    pub(super) unregulated: f64,
    pub(super) first_buyer_regulated: f64,
    pub(super) first_buyer_unregulated: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PriceStep {
    pub(super) up_to: Option<u64>,
    pub(super) cap: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Conversion {
    pub(super) source: String,
    pub(super) fixed_cap: f64,
    pub(super) over_base_rate: f64,
    pub(super) base_rate: f64,
    pub(super) base_rate_source: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Increase {
    pub(super) source: String,
    pub(super) cap: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeeStep {
    pub(super) below: Option<u64>,
    pub(super) rate: f64,
    pub(super) most: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Brokerage {
    pub(super) source: String,
    pub(super) sale: Vec<FeeStep>,
    pub(super) lease: Vec<FeeStep>,
    pub(super) officetel: OfficetelFee,
    pub(super) other: f64,
    pub(super) rent_factor: u64,
    pub(super) small_rent_factor: u64,
    pub(super) small_below: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfficetelFee {
    pub(super) sale: f64,
    pub(super) lease: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TaxRates {
    pub(super) source: String,
    pub(super) low_up_to: u64,
    pub(super) low_rate: f64,
    pub(super) high_from: u64,
    pub(super) high_rate: f64,
    pub(super) second_regulated: f64,
    pub(super) third: ByArea,
    pub(super) fourth: f64,
    pub(super) company: f64,
    pub(super) education_share: f64,
    pub(super) education_heavy: f64,
    pub(super) rural_area_over: f64,
    pub(super) rural_rate: f64,
    pub(super) rural_heavy: std::collections::BTreeMap<String, f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Assumptions {
    pub(super) source: String,
    pub(super) vacancy: f64,
    pub(super) upkeep_of_price: f64,
    pub(super) holding_tax_of_price: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RegulatedAreas {
    pub(super) source: String,
    pub(super) provinces: Vec<String>,
    pub(super) districts: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Loans {
    pub(super) source: String,
    pub(super) products: Vec<LoanProduct>,
}

/// A loan on offer. Sums in won, rates as shares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoanProduct {
    pub name: String,
    pub by: String,
    pub kind: LoanKind,
    /// For these only; for all if empty.
    pub groups: Vec<Group>,
    pub rate: (f64, f64),
    pub most: Option<u64>,
    pub income_up_to: Option<u64>,
    /// The dearest home, or the highest deposit of a lease.
    pub home_up_to: Option<u64>,
    pub note: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_file_is_sound_and_dated() {
        let constants = Constants::built_in();
        assert_eq!(constants.as_of.to_string(), "2025-10-16");
        assert!(constants.sources().iter().all(|source| !source.is_empty()));
    }

    #[test]
    fn a_bad_file_is_refused_with_the_field() {
        let bad = BUILT_IN.replace("\"dsr\": 0.40", "\"dsr\": 40");
        assert!(matches!(Constants::read(&bad), Err(ConstantsError::Share { field: "lending.dsr", .. })));
        assert!(matches!(Constants::read("{}"), Err(ConstantsError::Form(_))));
    }
}
