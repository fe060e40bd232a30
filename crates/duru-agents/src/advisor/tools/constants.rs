//! Figures set by law and by notice: one dated file, replaceable.

mod gifts;
mod loans;
mod taxes;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::advisor::understand::region::Region;

use gifts::{Filing, GiftRates, RentCredit};
pub use loans::LoanProduct;
use loans::Loans;
pub(super) use taxes::{
    CapitalGains, ComprehensiveRates, Credit, PropertyTaxRates, RegistrationRates, along, top_rate,
};

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
    pub(in crate::advisor) guarantee: Guarantee,
    pub(super) brokerage: Brokerage,
    pub(super) acquisition_tax: TaxRates,
    pub(super) capital_gains: CapitalGains,
    pub(in crate::advisor) gift_tax: GiftRates,
    pub(in crate::advisor) rent_credit: RentCredit,
    pub(in crate::advisor) filing: Filing,
    pub(super) property_tax: PropertyTaxRates,
    pub(super) comprehensive_tax: ComprehensiveRates,
    pub(super) registration: RegistrationRates,
    pub(super) returns: Assumptions,
    pub(super) regulated_areas: RegulatedAreas,
    pub(super) loans: Loans,
    /// What a file did not say, and was taken from ours.
    #[serde(skip)]
    taken: Vec<String>,
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

    /// Reads a file of the same form. What it does not say is as in ours, so that a file from before a field was there
    /// goes on working; [`taken`](Self::taken) says which. Only the day it was true it must say itself.
    ///
    /// # Errors
    ///
    /// If it has another form or a field that nobody knows, a share outside 0 to 1, or a table without an end.
    pub fn read(text: &str) -> Result<Self, ConstantsError> {
        let mut said: Value = serde_json::from_str(text)?;
        let ours: Value = serde_json::from_str(BUILT_IN)?;
        let mut taken = Vec::new();
        complete(&mut said, &ours, "", &mut taken);
        let constants = Self { taken, ..serde_json::from_value(said)? };
        constants.check()?;
        Ok(constants)
    }

    /// The fields that a file did not have, such as `lending.stress_rate`: these are ours, of the day of ours.
    pub fn taken(&self) -> &[String] {
        &self.taken
    }

    /// Where the figures of each topic are from, in Korean and English.
    pub fn sources(&self) -> [(&str, &str); 13] {
        let Self { lending, conversion, increase, brokerage, acquisition_tax, returns, .. } = self;
        let Self { regulated_areas, loans, capital_gains, property_tax, .. } = self;
        let Self { comprehensive_tax, registration, guarantee, .. } = self;
        [
            (&lending.source, &lending.source_en),
            (&conversion.source, &conversion.source_en),
            (&increase.source, &increase.source_en),
            (&brokerage.source, &brokerage.source_en),
            (&acquisition_tax.source, &acquisition_tax.source_en),
            (&returns.source, &returns.source_en),
            (&regulated_areas.source, &regulated_areas.source_en),
            (&loans.source, &loans.source_en),
            (&capital_gains.source, &capital_gains.source_en),
            (&property_tax.source, &property_tax.source_en),
            (&comprehensive_tax.source, &comprehensive_tax.source_en),
            (&registration.source, &registration.source_en),
            (&guarantee.source, &guarantee.source_en),
        ]
        // A file may have no English of its own.
        .map(|(ko, en): (&String, &String)| {
            (ko.as_str(), if en.is_empty() { ko.as_str() } else { en.as_str() })
        })
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

    /// Whether a place lies around the capital (수도권).
    pub fn is_capital(&self, region: &Region) -> bool {
        self.lending.capital_area.contains(&region.province)
    }

    /// How much of an income may go into all repayments.
    pub fn dsr(&self) -> f64 {
        self.lending.dsr
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
        gifts::check(&self.gift_tax)?;
        taxes::check(&self.capital_gains, &self.property_tax, &self.comprehensive_tax, &self.registration)
    }
}

/// Gives `said` the fields of `ours` that it lacks, and names them. Lists are taken whole or not at all, and a source is
/// never taken for figures that are not ours.
fn complete(said: &mut Value, ours: &Value, path: &str, taken: &mut Vec<String>) {
    let (Value::Object(said), Value::Object(ours)) = (said, ours) else { return };
    for (name, value) in ours {
        let own = ["as_of", "note"].contains(&name.as_str()) && path.is_empty();
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match said.get_mut(name) {
            Some(known) => complete(known, value, &path, taken),
            None if own || name == "source_en" => {}
            None => {
                said.insert(name.clone(), value.clone());
                taken.push(path);
            }
        }
    }
}

/// Up to which part of its official price a home's deposit is insured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor) struct Guarantee {
    source: String,
    #[serde(default)]
    source_en: String,
    pub(in crate::advisor) official_share: f64,
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
    #[serde(default)]
    pub(super) source_en: String,
    pub(super) ltv: Ltv,
    pub(super) dti: ByArea,
    pub(super) dsr: f64,
    /// Added to the rate where the limit is reckoned, not where interest is.
    pub(super) stress_rate: ByCapital,
    /// The provinces around the capital (수도권).
    pub(super) capital_area: Vec<String>,
    /// The most that may be lent around the capital and in regulated areas, by the home's price.
    pub(super) price_steps: Vec<PriceStep>,
    pub(super) longest_years: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ltv {
    pub(super) regulated: f64,
    pub(super) unregulated: f64,
    pub(super) first_buyer_capital: f64,
    pub(super) first_buyer_elsewhere: f64,
}

/// Around the capital and in regulated areas, and everywhere else.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ByCapital {
    pub(super) capital: f64,
    pub(super) elsewhere: f64,
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
    #[serde(default)]
    pub(super) source_en: String,
    pub(super) fixed_cap: f64,
    pub(super) over_base_rate: f64,
    pub(super) base_rate: f64,
    pub(super) base_rate_source: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Increase {
    pub(super) source: String,
    #[serde(default)]
    pub(super) source_en: String,
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
    #[serde(default)]
    pub(super) source_en: String,
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
    #[serde(default)]
    pub(super) source_en: String,
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
    /// Officetels, shops, land.
    pub(super) not_a_home: FlatTax,
}

/// The same for every price and every buyer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FlatTax {
    pub(super) rate: f64,
    pub(super) education: f64,
    pub(super) rural: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Assumptions {
    pub(super) source: String,
    #[serde(default)]
    pub(super) source_en: String,
    pub(super) vacancy: f64,
    pub(super) upkeep_of_price: f64,
    pub(super) holding_tax_of_price: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RegulatedAreas {
    pub(super) source: String,
    #[serde(default)]
    pub(super) source_en: String,
    pub(super) provinces: Vec<String>,
    pub(super) districts: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_file_is_sound_and_dated() {
        let constants = Constants::built_in();
        assert_eq!(constants.as_of.to_string(), "2025-10-16");
        assert!(constants.sources().iter().all(|(ko, en)| !ko.is_empty() && en.is_ascii()));
    }

    #[test]
    fn a_bad_file_is_refused_with_the_field() {
        let bad = BUILT_IN.replace("\"dsr\": 0.40", "\"dsr\": 40");
        assert!(matches!(Constants::read(&bad), Err(ConstantsError::Share { field: "lending.dsr", .. })));
        assert!(matches!(Constants::read("{}"), Err(ConstantsError::Form(_))));
        let misspelt = BUILT_IN.replace("\"dsr\": 0.40", "\"drs\": 0.40");
        assert!(matches!(Constants::read(&misspelt), Err(ConstantsError::Form(_))));
    }

    #[test]
    fn what_an_older_file_does_not_say_is_ours_and_is_named() {
        let mut older: Value = serde_json::from_str(BUILT_IN).unwrap();
        older["as_of"] = "2024-01-02".into();
        older["increase"]["cap"] = 0.04.into();
        older["lending"].as_object_mut().unwrap().remove("stress_rate");
        older.as_object_mut().unwrap().remove("returns");
        let read = Constants::read(&older.to_string()).unwrap();
        assert_eq!((read.as_of.to_string().as_str(), read.increase.cap), ("2024-01-02", 0.04));
        assert_eq!(read.lending.stress_rate, Constants::built_in().lending.stress_rate);
        assert_eq!(read.taken(), ["lending.stress_rate", "returns"]);
        assert_eq!(Constants::built_in().taken(), [""; 0]);
    }
}
