//! Real deals as the advisor's market data.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::codes_tables::lawd_code;
use super::endpoint::Endpoint;
use super::trades::Trades;
use crate::advisor::tools::embedded::Sources;
use crate::advisor::tools::{DealRecord, Error, Found, Parameters, Tool, Used};
use crate::advisor::understand::Property;

/// The deals of so many months are asked for.
const MONTHS: i32 = 3;

/// `market_data` with the ministry's deals, for sales and leases of apartments,
/// row houses and officetels in districts that it knows; what else is asked,
/// the embedded tool answers.
pub struct RealDeals {
    trades: Trades,
    sources: Sources,
    today: Box<dyn Fn() -> Date + Send + Sync>,
}

impl RealDeals {
    pub fn new(trades: Trades, sources: Sources, today: impl Fn() -> Date + Send + Sync + 'static) -> Self {
        Self { trades, sources, today: Box::new(today) }
    }

    async fn fetch(&self, of: &[Endpoint], asked: &Parameters) -> Result<Vec<DealRecord>, Error> {
        let mut deals = Vec::new();
        let today = (self.today)();
        for region in &asked.regions {
            for of in of {
                for back in 0..MONTHS {
                    let month =
                        today.checked_sub(back.months()).map_err(|error| Error::Failed(error.to_string()))?;
                    let found = self.trades.deals(*of, region, month.year(), month.month()).await;
                    deals.extend(found.map_err(|error| Error::Failed(error.to_string()))?.deals);
                }
            }
        }
        Ok(deals)
    }

    /// The services that know all that is asked for; none where one part would be real and another not.
    fn endpoints(asked: &Parameters) -> Vec<Endpoint> {
        let known =
            !asked.regions.is_empty() && asked.regions.iter().all(|region| lawd_code(region).is_some());
        let apartments = [Property::Apartment];
        let homes = if asked.properties.is_empty() { &apartments[..] } else { &asked.properties };
        let wanted: Option<Vec<Endpoint>> = homes
            .iter()
            .flat_map(|home| asked.deals.iter().map(move |deal| Endpoint::of(*home, *deal)))
            .collect();
        let mut wanted = wanted.filter(|_| known).unwrap_or_default();
        // Leases with and without a rent are one service.
        let mut kept: Vec<Endpoint> = Vec::new();
        wanted.retain(|one| {
            !kept.contains(one) && {
                kept.push(*one);
                true
            }
        });
        wanted
    }
}

#[async_trait]
impl Tool for RealDeals {
    fn name(&self) -> &str {
        "market_data"
    }

    async fn call(&self, asked: &Parameters, given: &[Used]) -> Result<Found, Error> {
        let endpoints = Self::endpoints(asked);
        let sources = if endpoints.is_empty() {
            self.sources.clone()
        } else {
            Sources { deals: Arc::new(self.fetch(&endpoints, asked).await?), ..self.sources.clone() }
        };
        match sources.tools().get("market_data") {
            Some(tool) => tool.call(asked, given).await,
            None => Err(Error::Failed("there is no market_data".to_owned())),
        }
    }
}
