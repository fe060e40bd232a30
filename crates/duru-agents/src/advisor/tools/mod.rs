//! The advisor's calculating tools: typed input, typed output, no IO.
//!
//! Every figure that a law or a notice sets comes from [`Constants`], one dated
//! file with its sources that a user can replace.

mod acquisition_tax;
mod brokerage;
mod capital_gains;
mod constants;
mod contract;
mod contract_tables;
pub mod embedded;
mod fault;
mod gift_tax;
mod holding_tax;
mod import;
mod lease;
mod loan;
mod market;
mod nearby;
mod registration;
mod registry;
mod repayment;
mod report;
mod returns;
mod synthetic;
mod synthetic_tables;
mod tool;

pub use acquisition_tax::{AcquisitionTax, Buyer, Purchase, acquisition_tax};
pub use brokerage::{BrokerageFee, Contracted, Estate, brokerage_fee};
pub use capital_gains::{GainsTax, HomeSale, capital_gains_tax, is_exempt, short_term_rate};
pub use constants::{Constants, ConstantsError, LoanProduct};
pub use contract::{Clause, ClauseKind, ContractReport, RiskFound, Severity, analyse_contract};
pub use fault::{Fault, Faulty};
pub use gift_tax::{Gift, GiftTax, Recipient, gift_tax};
pub use holding_tax::{ComprehensiveTax, HeldHome, PropertyTax, comprehensive_tax, property_tax};
pub use import::{BadRow, Imported, import_deals};
pub use lease::{LeaseCost, deposit_to_rent, increase_cap, rent_to_deposit};
pub use loan::{Borrower, LimitedBy, LoanLimit, loan_limit};
pub use market::{
    Fairness, FairnessVerdict, MarketReport, Trend, analyse_market, judge_price, judge_whole_price,
};
pub use nearby::{NearbyPlace, NearbyView, Point, SAMPLE_SOURCE};
pub use registration::{RegistrationCost, registration_cost};
pub use registry::{Advice, Cost, Registry, Team, ToolSpec};
pub use repayment::{Instalment, Plan, Repayment, Schedule, schedule};
pub(in crate::advisor) use repayment::{monthly_payment, principal_for};
pub use report::{
    ComprehensiveView, ConversionView, DraftView, Filed, GainsView, IncreaseView, Level, LimitView,
    MarketView, PropertyView, RegistrationView, RepaymentView, Report, ReturnsView, TaxView, YieldsView,
};
pub use returns::{Investment, Returns, returns};
pub use synthetic::{DealRecord, SYNTHETIC_SOURCE, synthetic_deals};
pub use tool::{Calculation, Error, Found, GiftTerms, Item, Parameters, Sort, Tool, Tools, Used};
