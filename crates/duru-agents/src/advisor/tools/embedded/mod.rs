//! The tools that the advisor comes with: each works without a network.

mod analysis;
mod costs;
mod infrastructure;
mod law;
mod loans;
mod market;
mod roi;
mod simulator;
mod taxes;

use std::sync::Arc;

use duru_search::retrieve::Searcher;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{TimeZone, offset};

use super::constants::Constants;
use super::synthetic::{DealRecord, synthetic_deals};
use super::tool::{Tool, Tools};
use crate::advisor::draft::LeaseDraft;

pub(in crate::advisor) use costs::buys_and_lets;
pub use law::LawDigest;
pub(in crate::advisor) use law::{asked_article, in_english, is_asked};
pub(in crate::advisor) use market::level;

/// So many synthetic deals are made where nobody brings real ones.
const SYNTHETIC: usize = 6_000;
const SEED: u64 = 7;

/// What the embedded tools work on.
#[derive(Clone)]
pub struct Sources {
    pub constants: Arc<Constants>,
    pub deals: Arc<Vec<DealRecord>>,
    /// The researcher's index, where there is one.
    pub laws: Option<Searcher>,
    /// The day that the tools work on: rules that end on a day are held against it.
    pub today: Date,
}

impl Sources {
    /// The built-in figures, and synthetic deals of the year before `today`.
    pub fn built_in(today: Date) -> Self {
        Self {
            constants: Arc::new(Constants::built_in().clone()),
            deals: Arc::new(synthetic_deals(SEED, SYNTHETIC, today)),
            laws: None,
            today,
        }
    }

    /// The tools, by name.
    pub fn tools(&self) -> Tools {
        let Self { constants, deals, laws, today } = self;
        let all: [Arc<dyn Tool>; 12] = [
            Arc::new(law::LegalSearch::new(laws.clone())),
            Arc::new(LawDigest),
            Arc::new(market::MarketData::new(Arc::clone(deals))),
            Arc::new(market::RealEstateSearch::new(Arc::clone(deals))),
            Arc::new(loans::LoanData::new(Arc::clone(constants))),
            Arc::new(infrastructure::Infrastructure),
            Arc::new(analysis::ContractAnalysis::new(Arc::clone(constants))),
            Arc::new(analysis::MarketAnalysis),
            Arc::new(simulator::LoanSimulator::new(Arc::clone(constants))),
            Arc::new(roi::RoiCalculator::new(Arc::clone(constants))),
            Arc::new(costs::CostCalculator::new(Arc::clone(constants), *today)),
            Arc::new(LeaseDraft),
        ];
        Tools::new(all)
    }
}

/// The beginning of a day in Korea.
fn instant(day: Date) -> Option<Timestamp> {
    Some(day.to_zoned(TimeZone::fixed(offset(9))).ok()?.timestamp())
}

/// A result's quality by how much there is of it.
fn quality_of(count: usize) -> f64 {
    match count {
        0 => 0.0,
        1 | 2 => 0.55,
        3 | 4 => 0.75,
        _ => 0.9,
    }
}
