//! The seam to the advisor's tools, and what goes through it.
//!
//! A tool looks something up or works something out. Every item it finds says
//! of itself what it is, where, when and who says so, so that it can be used
//! again later without asking anybody.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gift_tax::Recipient;
use super::report::Report;
use super::synthetic::DealRecord;
use crate::advisor::draft::LeaseForm;
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{DataKind, Deal, Facility, Group, LoanKind, Property, Subject};

/// A calculation that somebody may want.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Calculation {
    /// How much may be lent.
    LoanLimit,
    /// What a loan costs a month.
    Repayment,
    /// What an investment returns.
    Returns,
    AcquisitionTax,
    /// 양도소득세.
    CapitalGains,
    /// 재산세.
    PropertyTax,
    /// 종합부동산세.
    ComprehensiveTax,
    /// 등기 비용: what a purchase costs beside the price, all together.
    Registration,
    Brokerage,
    /// How much a rent or deposit may rise.
    Increase,
    /// Deposit into rent, or back.
    Conversion,
}

impl Calculation {
    /// Is it a tax, or what else a purchase costs?
    pub(in crate::advisor) fn is_cost(self) -> bool {
        !matches!(self, Self::LoanLimit | Self::Repayment | Self::Returns)
    }

    /// Is it about money that is lent?
    pub(in crate::advisor) fn lends(self) -> bool {
        matches!(self, Self::LoanLimit | Self::Repayment)
    }
}

/// Which of many homes come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    Cheapest,
    Dearest,
    Largest,
    Smallest,
}

/// What a tool is asked. One form for all: a tool looks at the fields it knows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Parameters {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub query: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Region>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<Deal>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loans: Vec<LoanKind>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<Subject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calculations: Vec<Calculation>,
    /// Exclusive area, in square metres, and how far off it may be as a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area_slack: Option<f64>,
    /// Sums in won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_price: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_price: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly_rent: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_rent: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub income: Option<u64>,
    /// 0.04 is 4 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub years: Option<u32>,
    /// The share of the time that a home stands empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vacancy: Option<f64>,
    /// What of a deposit stays when the rest becomes rent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<u64>,
    /// How many homes a buyer has after the purchase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homes_after: Option<u32>,
    /// What a buyer has, where a loan is to cover the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_money: Option<u64>,
    /// Only interest is paid until the loan ends.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interest_only: bool,
    /// What others may claim from a home before a tenant: mortgages on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior_claims: Option<u64>,
    /// What a buyer owes already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debt: Option<u64>,
    /// What the rate was before it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_before: Option<f64>,
    /// What a home is to be sold again for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resale: Option<u64>,
    /// What a sale gains, where only that is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<u64>,
    /// 공시가격: what a home is worth to the tax office.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub official_price: Option<u64>,
    /// How long a home was held that is sold, and lived in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_months: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lived_years: Option<u32>,
    /// What may be taken off a gain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expenses: Option<u64>,
    /// How old the owner is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age: Option<u32>,
    /// How many homes somebody has now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homes: Option<u32>,
    /// What is paid back in a year for other loans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_repayments: Option<u64>,
    /// Of that, interest alone; and what is paid in a year for the loan that is spoken of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_interest: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_payments: Option<u64>,
    /// What of [`Self::income`] a wife or husband earns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner_income: Option<u64>,
    /// What of [`Self::other_repayments`] a wife or husband pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner_repayments: Option<u64>,
    /// What other tenants of the house paid in before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_deposits: Option<u64>,
    /// Whether the home lies in a regulated area, where somebody says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regulated: Option<bool>,
    /// Every instalment pays back as much (원금균등), and nothing else is asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub level_principal: bool,
    /// Other terms that are asked for beside [`Self::years`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_years: Vec<u32>,
    /// What was paid of a price or deposit already, as a sum or a share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_down: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub down_share: Option<f64>,
    /// What is paid between that and the balance (중도금).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle: Option<u64>,
    /// What is given, what the same person gave in the ten years before, and to whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gift: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier_gifts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gift_terms: Option<GiftTerms>,
    /// What share of a deposit is lent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_lent: Option<f64>,
    /// What is paid beside a rent each month, and what was spent on a home beside its price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly_costs: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_costs: Option<u64>,
    /// The rate at which a deposit becomes rent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversion_rate: Option<f64>,
    /// A tax as a share of the price that somebody reckons with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_share: Option<f64>,
    /// The share of an income for all repayments that somebody reckons with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said_dsr: Option<f64>,
    /// The tax that was reckoned with is left out again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub drops_tax: bool,
    /// How many months something takes or is owed for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub months: Option<u32>,
    /// The rent of a lease whose deposit is to become [`Self::keep`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_rent: Option<u64>,
    /// The loan's share of the price that somebody reckons with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said_ltv: Option<f64>,
    /// What a deposit or rent is to be raised to, where somebody says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raised_to: Option<u64>,
    /// Which homes come first; the newest where nobody says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<Sort>,
    /// What is looked for around a place, and how far around, in metres.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facilities: Vec<Facility>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<u32>,
    /// District by district rather than the whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_district: bool,
    /// The text of a contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A lease to go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<Box<LeaseForm>>,
    /// At most so many items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// To whom something is given, and whether around a marriage or a birth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GiftTerms {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Recipient>,
    pub marriage: bool,
}

/// What a tool found or worked out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Found {
    pub items: Vec<Item>,
    pub reports: Vec<Report>,
    /// What it is worth, 0 to 1.
    pub quality: f64,
    /// What the person would have to say for more, as names of fields.
    pub wanting: Vec<String>,
}

impl Found {
    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.reports.is_empty()
    }
}

/// One item that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    pub id: String,
    pub kind: DataKind,
    pub region: Option<Region>,
    pub deal: Option<Deal>,
    pub property: Option<Property>,
    /// When it was true: a transaction's day, a rate's date.
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
    /// Who says so.
    pub source: String,
    pub title: String,
    pub text: String,
    /// How well it fits what was asked, 0 to 1.
    pub fit: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<DealRecord>,
}

/// A tool that ran, with what, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Used {
    pub tool: String,
    pub parameters: Parameters,
    pub found: Found,
    pub quality: f64,
    pub seconds: f64,
    /// When it ran.
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
}

/// Why a tool gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Error {
    #[error("the tool did not answer in time")]
    TimedOut,
    #[error("the tool failed: {0}")]
    Failed(String),
    #[error("the tool needs results of {0}")]
    MissingDependency(String),
    #[error("the tool can't work with that: {0}")]
    Unfit(String),
}

/// Something that looks up or works out.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Its name in the registry.
    fn name(&self) -> &str;

    /// Does it. `given` are results of the tools that it needs, and of others
    /// that ran before, the newest last.
    async fn call(&self, parameters: &Parameters, given: &[Used]) -> Result<Found, Error>;
}

/// The tools by name.
#[derive(Clone, Default)]
pub struct Tools(BTreeMap<String, Arc<dyn Tool>>);

impl Tools {
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        Self(tools.into_iter().map(|tool| (tool.name().to_owned(), tool)).collect())
    }

    /// With this tool too; it takes the place of one with its name.
    #[must_use]
    pub fn with(mut self, tool: Arc<dyn Tool>) -> Self {
        self.0.insert(tool.name().to_owned(), tool);
        self
    }

    /// Every tool as `wrap` makes it: to count, to delay, to break.
    #[must_use]
    pub fn map(self, wrap: impl Fn(Arc<dyn Tool>) -> Arc<dyn Tool>) -> Self {
        Self(self.0.into_iter().map(|(name, tool)| (name, wrap(tool))).collect())
    }

    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.0.get(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
