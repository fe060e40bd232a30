//! What contracts and markets say when they are looked at closely.

use std::sync::Arc;

use async_trait::async_trait;

use crate::advisor::tools::constants::Constants;
use crate::advisor::tools::contract::analyse_contract;
use crate::advisor::tools::market::{analyse_market, judge_price, judge_whole_price};
use crate::advisor::tools::report::{MarketView, Report};
use crate::advisor::tools::synthetic::DealRecord;
use crate::advisor::tools::tool::{Error, Found, Parameters, Tool, Used};
use crate::advisor::understand::region::{Region, Relation};
use crate::advisor::understand::{DataKind, Deal};

pub(super) struct ContractAnalysis {
    constants: Arc<Constants>,
}

impl ContractAnalysis {
    pub(super) fn new(constants: Arc<Constants>) -> Self {
        Self { constants }
    }
}

#[async_trait]
impl Tool for ContractAnalysis {
    fn name(&self) -> &str {
        "contract_analysis"
    }

    async fn call(&self, parameters: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let Some(text) = parameters.text.as_deref().filter(|text| !text.trim().is_empty()) else {
            return Ok(Found { quality: 0.5, wanting: vec!["contract_text".to_owned()], ..Found::default() });
        };
        let report = analyse_contract(text, &self.constants);
        let quality = if report.clauses.len() < 2 { 0.6 } else { 0.85 };
        Ok(Found { reports: vec![Report::Contract(report)], quality, ..Found::default() })
    }
}

pub(super) struct MarketAnalysis;

#[async_trait]
impl Tool for MarketAnalysis {
    fn name(&self) -> &str {
        "market_analysis"
    }

    async fn call(&self, parameters: &Parameters, given: &[Used]) -> Result<Found, Error> {
        let records: Vec<&DealRecord> = unique(given);
        if records.is_empty() {
            return Err(Error::MissingDependency("market_data".to_owned()));
        }
        let places: Vec<Option<&Region>> = if parameters.regions.is_empty() {
            vec![None]
        } else {
            parameters.regions.iter().map(Some).collect()
        };
        let mut reports = Vec::new();
        for place in places {
            let of = |deal: Deal| -> Vec<&DealRecord> {
                let inside = |record: &&&DealRecord| {
                    place.is_none_or(|asked| {
                        matches!(asked.relation(&record.region), Relation::Same | Relation::Narrower)
                    })
                };
                records.iter().filter(inside).filter(|record| record.deal == deal).copied().collect()
            };
            let metre = |deal| analyse_market(&of(deal)).map(|report| report.median);
            let ratio = match (metre(Deal::Jeonse), metre(Deal::Sale)) {
                (Some(jeonse), Some(sale)) if sale > 0.0 => Some(jeonse / sale),
                _ => None,
            };
            for deal in [Deal::Sale, Deal::Jeonse] {
                let deals = of(deal);
                let Some(report) = analyse_market(&deals) else { continue };
                let price = match deal {
                    Deal::Sale => parameters.price,
                    _ => parameters.deposit,
                };
                let fairness = price.map(|price| match parameters.area {
                    Some(area) => judge_price(price, area, &deals),
                    None => judge_whole_price(price, &deals),
                });
                let view = MarketView {
                    region: place.cloned(),
                    deal,
                    report,
                    fairness,
                    price,
                    jeonse_ratio: if deal == Deal::Sale { ratio } else { None },
                };
                reports.push(Report::Market(view));
            }
        }
        let quality = if reports.is_empty() { 0.3 } else { 0.8 };
        Ok(Found { reports, quality, ..Found::default() })
    }
}

/// Every deal once, of whatever tool found it.
fn unique(given: &[Used]) -> Vec<&DealRecord> {
    let mut records: Vec<&DealRecord> = Vec::new();
    for item in given.iter().flat_map(|used| &used.found.items).filter(|item| item.kind == DataKind::Market) {
        if let Some(record) = &item.record
            && !records.iter().any(|known| known.id == record.id)
        {
            records.push(record);
        }
    }
    records
}
