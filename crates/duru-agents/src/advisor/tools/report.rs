//! What tools work out, in figures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::acquisition_tax::{AcquisitionTax, Purchase};
use super::brokerage::BrokerageFee;
use super::capital_gains::{GainsTax, HomeSale};
use super::contract::ContractReport;
use super::holding_tax::{ComprehensiveTax, HeldHome, PropertyTax};
use super::lease::LeaseCost;
use super::loan::{Borrower, LoanLimit};
use super::market::{Fairness, MarketReport};
use super::nearby::NearbyView;
use super::registration::RegistrationCost;
use super::returns::{Investment, Returns};
use crate::advisor::draft::LeaseForm;
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{Deal, Property};

/// Something worked out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Report {
    /// What deals of one kind cost in one place.
    Level(Level),
    /// What those deals say of the market.
    Market(MarketView),
    /// What lies around a place.
    Nearby(NearbyView),
    Contract(ContractReport),
    LoanLimit(LimitView),
    Repayment(RepaymentView),
    Returns(ReturnsView),
    Yields(YieldsView),
    Tax(TaxView),
    CapitalGains(GainsView),
    PropertyTax(PropertyView),
    ComprehensiveTax(ComprehensiveView),
    Registration(RegistrationView),
    Brokerage(BrokerageFee),
    Increase(IncreaseView),
    Conversion(ConversionView),
    Draft(DraftView),
}

/// What deals of one kind cost in one place, in won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Level {
    pub region: Option<Region>,
    pub deal: Deal,
    pub property: Option<Property>,
    pub count: usize,
    pub median: u64,
    pub mean: u64,
    pub lowest: u64,
    pub highest: u64,
    /// The median of monthly rents; 0 unless it is a monthly rent.
    pub rent: u64,
    /// Won per square metre, the median.
    pub by_metre: u64,
    pub median_area: f64,
    pub first: String,
    pub last: String,
    pub source: String,
}

/// What the deals of one kind in one place say of the market.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MarketView {
    pub region: Option<Region>,
    pub deal: Deal,
    pub report: MarketReport,
    /// Whether the asked price is fair, if one was asked.
    pub fairness: Option<Fairness>,
    pub price: Option<u64>,
    /// Jeonse as a share of the sale price, both by the metre.
    pub jeonse_ratio: Option<f64>,
}

/// How much may be lent, and what was assumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitView {
    pub borrower: Borrower,
    pub limit: LoanLimit,
    /// What the buyer has, where that was said.
    #[serde(default)]
    pub has: Option<u64>,
    /// The dearest home that this and a loan pay for.
    #[serde(default)]
    pub reach: Option<u64>,
    /// Fields that nobody said and that were assumed.
    pub assumed: Vec<String>,
    pub source: String,
}

/// What a loan costs a month.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RepaymentView {
    pub principal: u64,
    pub rate: f64,
    pub years: u32,
    /// Level payments: a month's, and all interest.
    pub monthly: u64,
    pub total_interest: u64,
    /// Level principal: the first and the last month's, and all interest.
    pub first_month: u64,
    pub last_month: u64,
    pub principal_interest: u64,
    /// A month's interest where the principal is paid at the end.
    #[serde(default)]
    pub interest: u64,
    /// Whether that is usual for this kind of loan.
    #[serde(default)]
    pub interest_only: bool,
    /// Only level principal was asked for.
    #[serde(default)]
    pub level_principal: bool,
    pub assumed: Vec<String>,
}

/// What an investment returns, and what was assumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReturnsView {
    pub investment: Investment,
    pub returns: Returns,
    pub assumed: Vec<String>,
    pub region: Option<Region>,
    /// The share of the time that the home stands empty.
    #[serde(default)]
    pub vacancy: f64,
    /// The net yield with the usual vacancy, where another was asked about.
    #[serde(default)]
    pub usual_net: Option<f64>,
    /// What it is sold again for, where that was said.
    #[serde(default)]
    pub resale: Option<u64>,
}

/// What a home would return at several rents, where nobody knows its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct YieldsView {
    pub price: u64,
    pub region: Option<Region>,
    /// A month's rent, and the gross and net yield it gives.
    pub rents: Vec<(u64, f64, f64)>,
    pub vacancy: f64,
    pub assumed: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaxView {
    pub purchase: Purchase,
    pub tax: AcquisitionTax,
    pub assumed: Vec<String>,
}

/// The tax on selling a home, as far as it can be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GainsView {
    /// What it is sold for, where that was said.
    pub price: Option<u64>,
    pub sale: HomeSale,
    /// Whether an only home is exempt, but for what lies above the threshold.
    pub exempt: bool,
    pub threshold: u64,
    /// The rate for what is held for less than two years.
    pub short_rate: Option<f64>,
    /// None where what it was bought for is not known and is needed.
    pub tax: Option<GainsTax>,
    /// The last day on which several homes were spared, where that matters.
    pub spared_until: Option<String>,
    pub assumed: Vec<String>,
}

/// The property tax of a year.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PropertyView {
    pub held: HeldHome,
    pub tax: PropertyTax,
    pub assumed: Vec<String>,
}

/// The comprehensive tax of a year.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComprehensiveView {
    pub held: HeldHome,
    pub tax: ComprehensiveTax,
    pub assumed: Vec<String>,
}

/// All that a purchase costs beside the price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RegistrationView {
    pub price: u64,
    pub official_price: u64,
    pub tax: AcquisitionTax,
    pub cost: RegistrationCost,
    /// The most that a broker may charge, without value-added tax.
    pub brokerage: u64,
    pub total: u64,
    pub assumed: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IncreaseView {
    pub current: u64,
    pub most: u64,
    pub cap: f64,
    /// Whether it is a monthly rent rather than a deposit.
    pub monthly: bool,
    /// What it is to be raised to, where somebody says so.
    #[serde(default)]
    pub wished: Option<u64>,
    pub as_of: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConversionView {
    pub from_deposit: u64,
    pub from_rent: u64,
    pub cost: LeaseCost,
    /// The rent that is offered or asked for what of the deposit goes.
    #[serde(default)]
    pub offered: Option<u64>,
    /// The rent that is paid now, where the deposit of a lease changes.
    #[serde(default)]
    pub paid: Option<u64>,
    /// A rate that somebody reckons with and that the law does not allow.
    #[serde(default)]
    pub over_cap: Option<f64>,
}

/// A lease as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DraftView {
    pub form: LeaseForm,
    /// Whether the person looked at it and agreed.
    pub confirmed: bool,
    /// The document, once it is made.
    pub document: Option<Filed>,
}

/// A document and where it can be had.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Filed {
    pub id: String,
    pub name: String,
    /// On the server.
    pub address: String,
    /// In bytes.
    pub size: usize,
}
