//! Prices: deals of the asked places and kinds, and what they cost on the whole.

use std::sync::Arc;

use async_trait::async_trait;

use super::{instant, quality_of};
use crate::advisor::tools::report::{Level, Report};
use crate::advisor::tools::synthetic::DealRecord;
use crate::advisor::tools::tool::{Error, Found, Item, Parameters, Sort, Tool, Used};
use crate::advisor::understand::region::{Region, Relation};
use crate::advisor::understand::{DataKind, Deal, Property};

/// So many deals of a kind are kept of one place.
const KEPT: usize = 24;
const LISTED: usize = 8;
/// An area may be so far off.
const SLACK: f64 = 0.12;

/// What was paid.
pub(super) struct MarketData {
    deals: Arc<Vec<DealRecord>>,
}

impl MarketData {
    pub(super) fn new(deals: Arc<Vec<DealRecord>>) -> Self {
        Self { deals }
    }
}

#[async_trait]
impl Tool for MarketData {
    fn name(&self) -> &str {
        "market_data"
    }

    async fn call(&self, parameters: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let mut found = Found::default();
        let property = match &parameters.properties[..] {
            [one] => Some(*one),
            _ => None,
        };
        for place in places(parameters) {
            for deal in deals(parameters) {
                let fitting = fitting(&self.deals, parameters, place, deal);
                let Some(level) = level(&fitting, property, place, deal) else { continue };
                found.reports.push(Report::Level(level));
                if parameters.by_district {
                    found.reports.extend(districts(&fitting, property, deal).into_iter().map(Report::Level));
                }
                let kept = fitting.iter().take(parameters.limit.unwrap_or(KEPT));
                found.items.extend(kept.map(|record| item(record)));
            }
        }
        found.quality = quality_of(found.items.len());
        Ok(found)
    }
}

/// What could be had.
pub(super) struct RealEstateSearch {
    deals: Arc<Vec<DealRecord>>,
}

impl RealEstateSearch {
    pub(super) fn new(deals: Arc<Vec<DealRecord>>) -> Self {
        Self { deals }
    }
}

#[async_trait]
impl Tool for RealEstateSearch {
    fn name(&self) -> &str {
        "real_estate_search"
    }

    async fn call(&self, parameters: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let mut items = Vec::new();
        for place in places(parameters) {
            for deal in deals(parameters) {
                let mut fitting = fitting(&self.deals, parameters, place, deal);
                sort(&mut fitting, parameters.sort);
                items.extend(
                    fitting.iter().take(parameters.limit.unwrap_or(LISTED)).map(|record| item(record)),
                );
            }
        }
        Ok(Found { quality: quality_of(items.len()).min(0.8), items, ..Found::default() })
    }
}

fn places(parameters: &Parameters) -> Vec<Option<&Region>> {
    if parameters.regions.is_empty() { vec![None] } else { parameters.regions.iter().map(Some).collect() }
}

fn deals(parameters: &Parameters) -> Vec<Deal> {
    if parameters.deals.is_empty() {
        return vec![Deal::Sale, Deal::Jeonse, Deal::MonthlyRent];
    }
    parameters.deals.clone()
}

/// The newest first.
fn fitting<'a>(
    all: &'a [DealRecord],
    parameters: &Parameters,
    place: Option<&Region>,
    deal: Deal,
) -> Vec<&'a DealRecord> {
    let inside = |record: &DealRecord| {
        place
            .is_none_or(|asked| matches!(asked.relation(&record.region), Relation::Same | Relation::Narrower))
    };
    let slack = parameters.area_slack.unwrap_or(SLACK);
    let sized = |record: &DealRecord| {
        parameters.area.is_none_or(|area| (record.area - area).abs() <= slack * area.max(record.area))
    };
    let priced = |record: &DealRecord| {
        parameters.most_price.is_none_or(|most| record.price <= most)
            && parameters.least_price.is_none_or(|least| record.price >= least)
            && parameters.most_rent.is_none_or(|most| record.monthly_rent <= most)
    };
    let kind = |record: &DealRecord| {
        parameters.properties.is_empty() || parameters.properties.contains(&record.property)
    };
    let mut found: Vec<&DealRecord> = all
        .iter()
        .filter(|record| {
            record.deal == deal && kind(record) && inside(record) && sized(record) && priced(record)
        })
        .collect();
    found.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| a.id.cmp(&b.id)));
    found
}

/// The asked ones first; a rent's deposit says less than the rent.
fn sort(found: &mut [&DealRecord], by: Option<Sort>) {
    let cost = |record: &&DealRecord| (record.monthly_rent, record.price);
    match by {
        None => {}
        Some(Sort::Cheapest) => found.sort_by_key(cost),
        Some(Sort::Dearest) => found.sort_by_key(|record| std::cmp::Reverse(cost(record))),
        Some(Sort::Largest) => found.sort_by(|a, b| b.area.total_cmp(&a.area)),
        Some(Sort::Smallest) => found.sort_by(|a, b| a.area.total_cmp(&b.area)),
    }
}

/// What deals of one kind cost in each district, the cheapest first.
fn districts(deals: &[&DealRecord], property: Option<Property>, deal: Deal) -> Vec<Level> {
    let mut places: Vec<Region> = Vec::new();
    for record in deals {
        let place = Region { neighbourhood: None, ..record.region.clone() };
        if place.district.is_some() && !places.contains(&place) {
            places.push(place);
        }
    }
    let of = |place: &Region| {
        let own: Vec<&DealRecord> = deals
            .iter()
            .filter(|record| {
                record.region.province == place.province && record.region.district == place.district
            })
            .copied()
            .collect();
        level(&own, property, Some(place), deal)
    };
    let mut levels: Vec<Level> = places.iter().filter_map(of).collect();
    levels.sort_by_key(|level| (level.median, level.rent));
    levels
}

/// What deals of one kind cost in one place.
pub(in crate::advisor) fn level(
    deals: &[&DealRecord],
    property: Option<Property>,
    place: Option<&Region>,
    deal: Deal,
) -> Option<Level> {
    let prices = sorted(deals.iter().map(|record| record.price));
    let rents = sorted(deals.iter().map(|record| record.monthly_rent));
    let metres = sorted(deals.iter().filter(|d| d.area > 0.0).map(|d| (d.price as f64 / d.area) as u64));
    let areas = sorted(deals.iter().map(|record| (record.area * 10.0) as u64));
    let total: u128 = prices.iter().map(|price| u128::from(*price)).sum();
    Some(Level {
        region: place.cloned(),
        deal,
        property,
        count: prices.len(),
        median: middle(&prices)?,
        mean: u64::try_from(total / u128::try_from(prices.len().max(1)).ok()?).ok()?,
        lowest: *prices.first()?,
        highest: *prices.last()?,
        rent: middle(&rents).unwrap_or_default(),
        by_metre: middle(&metres).unwrap_or_default(),
        median_area: middle(&areas).unwrap_or_default() as f64 / 10.0,
        first: deals.iter().map(|record| record.date).min()?.to_string(),
        last: deals.iter().map(|record| record.date).max()?.to_string(),
        source: deals.first()?.source.clone(),
    })
}

fn sorted(values: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values
}

fn middle(sorted: &[u64]) -> Option<u64> {
    let half = sorted.len() / 2;
    let upper = *sorted.get(half)?;
    Some(if sorted.len() % 2 == 1 { upper } else { u64::midpoint(sorted[half - 1], upper) })
}

fn item(record: &DealRecord) -> Item {
    Item {
        id: record.id.clone(),
        kind: DataKind::Market,
        region: Some(record.region.clone()),
        deal: Some(record.deal),
        property: Some(record.property),
        at: instant(record.date),
        source: record.source.clone(),
        title: record.region.name(),
        text: String::new(),
        fit: 1.0,
        record: Some(record.clone()),
    }
}
