//! What a home returns to who buys it to let.

use std::sync::Arc;

use async_trait::async_trait;

use super::costs::{estate, is_home};
use super::simulator::level;
use crate::advisor::tools::acquisition_tax::{Buyer, Purchase, acquisition_tax};
use crate::advisor::tools::brokerage::{Contracted, brokerage_fee};
use crate::advisor::tools::constants::Constants;
use crate::advisor::tools::report::{Report, ReturnsView, YieldsView};
use crate::advisor::tools::returns::{Investment, returns};
use crate::advisor::tools::tool::{Error, Found, Parameters, Tool, Used};
use crate::advisor::understand::Deal;
use crate::advisor::understand::region::Region;

const YEARS: u32 = 5;
const RATE: f64 = 0.04;
/// A year's rent as a share of the price: low, middling and high.
const GROSS: [f64; 3] = [0.02, 0.03, 0.04];

pub(super) struct RoiCalculator {
    constants: Arc<Constants>,
}

impl RoiCalculator {
    pub(super) fn new(constants: Arc<Constants>) -> Self {
        Self { constants }
    }
}

#[async_trait]
impl Tool for RoiCalculator {
    fn name(&self) -> &str {
        "roi_calculator"
    }

    async fn call(&self, asked: &Parameters, given: &[Used]) -> Result<Found, Error> {
        let mut assumed = Vec::new();
        let sale = level(given, Deal::Sale);
        let Some(price) = asked.price.or_else(|| {
            assumed.push("price_from_market".to_owned());
            sale.map(|sale| sale.median)
        }) else {
            return Ok(Found { quality: 0.5, wanting: vec!["price".to_owned()], ..Found::default() });
        };
        let area = asked.area.or(sale.map(|sale| sale.median_area)).filter(|area| *area > 0.0);
        let region = asked.regions.first().cloned().or_else(|| sale.and_then(|sale| sale.region.clone()));
        let buying_costs = self.buying_costs(asked, price, area, region.as_ref());
        let Some((deposit, monthly_rent)) = lets_for(asked, given, price, area, &mut assumed) else {
            // Nobody knows what it lets for: what it would have to.
            let report = Report::Yields(self.yields(asked, price, buying_costs, (region, assumed)));
            let wanting = vec!["monthly_rent".to_owned()];
            return Ok(Found { reports: vec![report], quality: 0.75, wanting, ..Found::default() });
        };
        assumed.push("one_home".to_owned());
        let (years, growth) = held(asked, price, &mut assumed);
        if asked.loan.is_some() && asked.rate.is_none() {
            assumed.push("rate".to_owned());
        }
        let investment = Investment {
            price,
            buying_costs,
            deposit,
            monthly_rent,
            loan: asked.loan.unwrap_or(0),
            loan_rate: asked.rate.unwrap_or(RATE),
            years,
            growth,
        };
        let view = self.view(asked, investment, (region, assumed));
        Ok(Found { reports: vec![Report::Returns(view)], quality: 0.9, ..Found::default() })
    }
}

/// What it is let for, as a deposit and a monthly rent: as somebody says, or as the market does.
fn lets_for(
    asked: &Parameters,
    given: &[Used],
    price: u64,
    area: Option<f64>,
    assumed: &mut Vec<String>,
) -> Option<(u64, u64)> {
    Some(match (asked.deposit, asked.monthly_rent) {
        (deposit, Some(rent)) => (deposit.unwrap_or(0), rent),
        (Some(deposit), None) => (deposit, 0),
        // Bought to be sold again: nobody spoke of letting it.
        (None, None) if asked.resale.is_some() => (0, 0),
        (None, None) => match (level(given, Deal::MonthlyRent), level(given, Deal::Jeonse)) {
            // A flat of another size pays another rent.
            (Some(monthly), _) => {
                assumed.push("rent_from_market".to_owned());
                let size = match area {
                    Some(area) if monthly.median_area > 0.0 => area / monthly.median_area,
                    _ => 1.0,
                };
                let scaled = |won: u64, to: f64| ((won as f64 * size / to).round() * to) as u64;
                (scaled(monthly.median, 1e6), scaled(monthly.rent, 1e4))
            }
            (None, Some(jeonse)) => {
                assumed.push("deposit_from_market".to_owned());
                (jeonse.median.min(price), 0)
            }
            (None, None) => return None,
        },
    })
}

/// How many years it is held, and by how much its price grows in each.
fn held(asked: &Parameters, price: u64, assumed: &mut Vec<String>) -> (u32, f64) {
    let years = asked.years.unwrap_or(YEARS).max(1);
    let Some(resale) = asked.resale else {
        assumed.push("no_growth".to_owned());
        return (years, 0.0);
    };
    assumed.extend(asked.years.is_none().then(|| "held_five_years".to_owned()));
    (years, (resale as f64 / price.max(1) as f64).powf(1.0 / f64::from(years)) - 1.0)
}

impl RoiCalculator {
    /// Taxes and fees of buying.
    fn buying_costs(
        &self,
        asked: &Parameters,
        price: u64,
        area: Option<f64>,
        region: Option<&Region>,
    ) -> u64 {
        let purchase = Purchase {
            price,
            area: area.unwrap_or(84.9),
            regulated: region.is_some_and(|region| self.constants.is_regulated(region)),
            home: is_home(asked),
            buyer: Buyer::Household { homes_after: 1 },
        };
        let tax = acquisition_tax(&purchase, &self.constants).total;
        tax + brokerage_fee(estate(asked), Contracted::Sale { price }, &self.constants).most
    }

    /// What it returns, with the vacancy that is asked about beside the usual one.
    fn view(
        &self,
        asked: &Parameters,
        investment: Investment,
        (region, assumed): (Option<Region>, Vec<String>),
    ) -> ReturnsView {
        let usual = returns(&investment, &self.constants);
        let (returns, usual_net) = match asked.vacancy {
            Some(vacancy) => {
                let mut constants = (*self.constants).clone();
                constants.returns.vacancy = vacancy;
                (returns(&investment, &constants), Some(usual.net_yield))
            }
            None => (usual, None),
        };
        let vacancy = asked.vacancy.unwrap_or(self.constants.returns.vacancy);
        let resale = asked.resale;
        ReturnsView { investment, returns, assumed, region, vacancy, usual_net, resale }
    }

    /// What several rents would give, from low to high for such a home.
    fn yields(
        &self,
        asked: &Parameters,
        price: u64,
        buying_costs: u64,
        (region, mut assumed): (Option<Region>, Vec<String>),
    ) -> YieldsView {
        let mut constants = (*self.constants).clone();
        constants.returns.vacancy = asked.vacancy.unwrap_or(constants.returns.vacancy);
        let at = |share: f64| {
            let monthly_rent = ((price as f64 * share / 12.0 / 1e5).round() * 1e5) as u64;
            let investment = Investment {
                price,
                buying_costs,
                deposit: 0,
                monthly_rent,
                loan: 0,
                loan_rate: RATE,
                years: asked.years.unwrap_or(YEARS),
                growth: 0.0,
            };
            let got = returns(&investment, &constants);
            (monthly_rent, got.gross_yield, got.net_yield)
        };
        assumed.push("one_home".to_owned());
        let vacancy = constants.returns.vacancy;
        YieldsView { price, region, rents: GROSS.map(at).to_vec(), vacancy, assumed }
    }
}
