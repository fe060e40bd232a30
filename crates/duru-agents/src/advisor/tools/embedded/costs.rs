//! Taxes, fees, and how much a rent may rise or what a deposit is worth as rent.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;

use super::simulator::sale_level;
use crate::advisor::tools::acquisition_tax::{Buyer, Purchase, acquisition_tax};
use crate::advisor::tools::brokerage::{Contracted, Estate, brokerage_fee};
use crate::advisor::tools::constants::Constants;
use crate::advisor::tools::lease::{deposit_to_rent, exchanged_rent, increase_cap, rent_to_deposit};
use crate::advisor::tools::report::{ConversionView, IncreaseView, Report, TaxView};
use crate::advisor::tools::tool::{Calculation, Error, Found, Parameters, Tool, Used};
use crate::advisor::understand::{Deal, Group, Property};

pub(super) struct CostCalculator {
    pub(super) constants: Arc<Constants>,
    /// The day that rules which end on a day are held against.
    pub(super) today: Date,
}

impl CostCalculator {
    pub(super) fn new(constants: Arc<Constants>, today: Date) -> Self {
        Self { constants, today }
    }
}

#[async_trait]
impl Tool for CostCalculator {
    fn name(&self) -> &str {
        "cost_calculator"
    }

    async fn call(&self, asked: &Parameters, given: &[Used]) -> Result<Found, Error> {
        let mut found = Found { quality: 0.95, ..Found::default() };
        for calculation in &asked.calculations {
            let (report, wanting) = match calculation {
                Calculation::AcquisitionTax => (self.tax(asked, given), "price"),
                Calculation::Brokerage => {
                    let fees = self.fees(asked, given);
                    found.wanting.extend(fees.is_empty().then(|| "price".to_owned()));
                    found.reports.extend(fees);
                    continue;
                }
                Calculation::CapitalGains => {
                    let (report, wanting) = self.gains(asked);
                    found.wanting.extend(wanting.into_iter().map(str::to_owned));
                    found.reports.extend(report);
                    continue;
                }
                Calculation::PropertyTax => (self.property_tax(asked, given), "official_price"),
                Calculation::ComprehensiveTax => (self.comprehensive_tax(asked, given), "official_price"),
                Calculation::Registration => (self.registration(asked, given), "price"),
                Calculation::Increase => {
                    let rises = self.increases(asked);
                    found.wanting.extend(rises.is_empty().then(|| "deposit".to_owned()));
                    found.reports.extend(rises);
                    continue;
                }
                Calculation::Conversion => (self.conversion(asked), "deposit"),
                Calculation::LoanLimit | Calculation::Repayment | Calculation::Returns => continue,
            };
            match report {
                Some(report) => found.reports.push(report),
                None => found.wanting.push(wanting.to_owned()),
            }
        }
        if found.reports.is_empty() {
            found.quality = 0.5;
        }
        Ok(found)
    }
}

/// What is bought or let, where brokers' fees differ.
pub(super) fn estate(asked: &Parameters) -> Estate {
    match asked.properties.first() {
        Some(Property::Officetel) => Estate::Officetel,
        Some(Property::Shop | Property::Land) => Estate::Other,
        _ => Estate::Home,
    }
}

/// 살 때랑 세줄 때: are two contracts spoken of, one to buy and one to let?
pub(in crate::advisor) fn buys_and_lets(text: &str) -> bool {
    let text = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    says(&["살 때", "살때", "사면", "매수", "매매", "buy", "purchas"])
        && says(&[
            "세줄",
            "세 줄",
            "세놓",
            "세 놓",
            "임대할",
            "임대 줄",
            "월세 줄",
            "letting",
            "let it",
            "rent it out",
        ])
}

/// 전세일 때랑 월세일 때.
fn both_leases(text: &str) -> bool {
    let text = text.to_lowercase();
    (text.contains("전세") && text.contains("월세"))
        || text.contains("jeonse") && ["monthly", " rent"].iter().any(|word| text.contains(word))
}

pub(super) fn is_home(asked: &Parameters) -> bool {
    !matches!(asked.properties.first(), Some(Property::Officetel | Property::Shop | Property::Land))
}

impl CostCalculator {
    fn tax(&self, asked: &Parameters, given: &[Used]) -> Option<Report> {
        self.bought(asked, given).map(Report::Tax)
    }

    pub(super) fn bought(&self, asked: &Parameters, given: &[Used]) -> Option<TaxView> {
        let mut assumed = Vec::new();
        let price = asked.price.or_else(|| {
            assumed.push("price_from_market".to_owned());
            Some(sale_level(given)?.median)
        })?;
        let owner = asked.groups.contains(&Group::HomeOwner);
        let home = is_home(asked);
        let buyer = match (asked.groups.contains(&Group::Company), asked.homes_after) {
            (true, _) => Buyer::Company,
            (false, Some(homes_after)) => Buyer::Household { homes_after },
            (false, None) if owner => Buyer::Household { homes_after: 2 },
            (false, None) => {
                assumed.extend(home.then(|| "one_home".to_owned()));
                Buyer::Household { homes_after: 1 }
            }
        };
        let area = asked.area.unwrap_or_else(|| {
            assumed.extend(home.then(|| "area_up_to_85".to_owned()));
            84.9
        });
        // 서초구에 집이 있는데 분당에: whoever has a home already names the new one last.
        let further = matches!(buyer, Buyer::Household { homes_after: 2.. });
        let region = if further { asked.regions.last() } else { asked.regions.first() };
        let regulated = asked
            .regulated
            .unwrap_or_else(|| region.is_some_and(|region| self.constants.is_regulated(region)));
        let purchase = Purchase { price, area, regulated, home, buyer };
        Some(TaxView { purchase, tax: acquisition_tax(&purchase, &self.constants), assumed })
    }

    /// The fee of each contract that is spoken of: of a sale and a lease, or of a lease without a rent and one with it.
    fn fees(&self, asked: &Parameters, given: &[Used]) -> Vec<Report> {
        let fee = |contracted| Report::Brokerage(brokerage_fee(estate(asked), contracted, &self.constants));
        let lease = |deposit, monthly_rent| Contracted::Lease { deposit, monthly_rent };
        match (asked.price, asked.deposit, asked.keep, asked.monthly_rent) {
            (_, Some(whole), Some(keep), Some(rent)) if both_leases(&asked.query) => {
                vec![fee(lease(whole, 0)), fee(lease(keep, rent))]
            }
            (Some(price), Some(deposit), _, rent) if buys_and_lets(&asked.query) => {
                vec![fee(Contracted::Sale { price }), fee(lease(deposit, rent.unwrap_or(0)))]
            }
            _ => self.fee(asked, given).into_iter().collect(),
        }
    }

    fn fee(&self, asked: &Parameters, given: &[Used]) -> Option<Report> {
        let leases = !asked.deals.is_empty() && !asked.deals.contains(&Deal::Sale) && asked.deposit.is_some();
        let price = asked.price.filter(|_| !leases).or(asked.resale);
        let contracted = match (price, asked.deposit, asked.monthly_rent) {
            (Some(price), ..) => Contracted::Sale { price },
            (None, None, None) => Contracted::Sale { price: sale_level(given)?.median },
            (None, deposit, rent) => {
                Contracted::Lease { deposit: deposit.unwrap_or(0), monthly_rent: rent.unwrap_or(0) }
            }
        };
        let estate = estate(asked);
        Some(Report::Brokerage(brokerage_fee(estate, contracted, &self.constants)))
    }

    /// Of a deposit, of a rent, or of both.
    fn increases(&self, asked: &Parameters) -> Vec<Report> {
        let sums = [(asked.deposit.or(asked.price), false), (asked.monthly_rent, true)];
        let known =
            sums.into_iter().filter_map(|(sum, monthly)| Some((sum.filter(|sum| *sum > 0)?, monthly)));
        known
            .map(|(current, monthly)| {
                // A share is of each; a sum is of the only one there is.
                let share = asked.rate.map(|share| (current as f64 * (1.0 + share)).round() as u64);
                let wished = share.or(asked.raised_to).filter(|wished| *wished > current);
                Report::Increase(IncreaseView {
                    current,
                    most: increase_cap(current, &self.constants),
                    cap: self.constants.increase.cap,
                    monthly,
                    wished: wished.filter(|_| share.is_some() || asked.monthly_rent.is_none() || monthly),
                    as_of: self.constants.as_of.to_string(),
                })
            })
            .collect()
    }

    fn conversion(&self, asked: &Parameters) -> Option<Report> {
        let deposit = asked.deposit.or(asked.price);
        if let (Some(from_deposit), Some(paid), Some(keep)) = (deposit, asked.paid_rent, asked.keep) {
            let cost = exchanged_rent((from_deposit, paid), keep, asked.conversion_rate, &self.constants);
            let over_cap = asked.conversion_rate.filter(|rate| *rate > cost.rate);
            let view = ConversionView {
                from_deposit,
                from_rent: 0,
                cost,
                offered: None,
                paid: Some(paid),
                over_cap,
            };
            return Some(Report::Conversion(view));
        }
        // 3억 전세를 2억에 월세 50으로: the rent is what is offered for the part that goes.
        let offered = asked.monthly_rent.filter(|_| asked.keep.is_some());
        let rent = asked.monthly_rent.filter(|_| asked.keep.is_none());
        let (from_deposit, from_rent) = (deposit.unwrap_or(0), rent.unwrap_or(0));
        let cost = match (deposit, rent) {
            (_, Some(rent)) => rent_to_deposit(from_deposit, rent, asked.conversion_rate, &self.constants),
            // Without a word on what stays, the whole deposit becomes rent.
            (Some(deposit), None) => {
                deposit_to_rent(deposit, asked.keep.unwrap_or(0), asked.conversion_rate, &self.constants)
            }
            (None, None) => return None,
        };
        let over_cap = asked.conversion_rate.filter(|rate| *rate > cost.rate);
        let view = ConversionView { from_deposit, from_rent, cost, offered, paid: None, over_cap };
        Some(Report::Conversion(view))
    }
}
