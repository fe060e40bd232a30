//! What deals say about a market: the level, the spread, the trend, and whether
//! a price is fair.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::synthetic::DealRecord;

/// Fewer deals than this say nothing about a trend or a price.
const ENOUGH: usize = 3;

/// A market in figures. Prices are won per square metre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MarketReport {
    pub count: usize,
    pub median: f64,
    pub mean: f64,
    pub lowest: f64,
    pub highest: f64,
    /// The middle half lies between these.
    pub quartiles: (f64, f64),
    /// The middle half's width over the median.
    pub spread: f64,
    pub trend: Option<Trend>,
    #[schemars(with = "String")]
    pub first: Date,
    #[schemars(with = "String")]
    pub last: Date,
}

/// Where prices go, by a line through the deals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trend {
    /// The change in a year, as a share of the mean.
    pub yearly: f64,
    /// How much of the differences the line explains, 0 to 1.
    pub fit: f64,
}

/// Whether a price is fair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fairness {
    pub verdict: FairnessVerdict,
    /// How far above (or below) the median, as a share of it.
    pub off_median: f64,
    /// The share of deals that were cheaper.
    pub percentile: f64,
    pub compared: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FairnessVerdict {
    Cheap,
    Fair,
    Dear,
    /// Too few deals to say.
    Unknown,
}

/// The figures of deals of one kind; none without a single one. Monthly rents
/// are not comparable by deposit alone: turn them into deposits first.
pub fn analyse_market(deals: &[&DealRecord]) -> Option<MarketReport> {
    let prices = sorted(deals);
    let (lowest, highest) = (*prices.first()?, *prices.last()?);
    let quartiles = (at(&prices, 0.25), at(&prices, 0.75));
    let median = at(&prices, 0.5);
    Some(MarketReport {
        count: prices.len(),
        median,
        mean: prices.iter().sum::<f64>() / prices.len() as f64,
        lowest,
        highest,
        quartiles,
        spread: if median > 0.0 { (quartiles.1 - quartiles.0) / median } else { 0.0 },
        trend: trend(deals),
        first: deals.iter().map(|deal| deal.date).min()?,
        last: deals.iter().map(|deal| deal.date).max()?,
    })
}

/// How a price for an area compares with deals: fair is the middle half.
pub fn judge_price(price: u64, area: f64, deals: &[&DealRecord]) -> Fairness {
    let prices = sorted(deals);
    if area <= 0.0 || !area.is_finite() {
        return within(0.0, &[]);
    }
    within(price as f64 / area, &prices)
}

/// The same for a home whose size nobody knows: against whole prices.
pub fn judge_whole_price(price: u64, deals: &[&DealRecord]) -> Fairness {
    let mut prices: Vec<f64> = deals.iter().map(|deal| deal.price as f64).collect();
    prices.sort_by(f64::total_cmp);
    within(price as f64, &prices)
}

/// Where a price lies among sorted ones.
fn within(asked: f64, prices: &[f64]) -> Fairness {
    let unknown = Fairness {
        verdict: FairnessVerdict::Unknown,
        off_median: 0.0,
        percentile: 0.0,
        compared: prices.len(),
    };
    if prices.len() < ENOUGH {
        return unknown;
    }
    let median = at(prices, 0.5);
    if median <= 0.0 {
        return unknown;
    }
    let verdict = if asked < at(prices, 0.25) {
        FairnessVerdict::Cheap
    } else if asked > at(prices, 0.75) {
        FairnessVerdict::Dear
    } else {
        FairnessVerdict::Fair
    };
    let cheaper = prices.iter().filter(|price| **price < asked).count();
    Fairness {
        verdict,
        off_median: asked / median - 1.0,
        percentile: cheaper as f64 / prices.len() as f64,
        compared: prices.len(),
    }
}

fn metre(deal: &DealRecord) -> Option<f64> {
    (deal.area > 0.0 && deal.area.is_finite()).then(|| deal.price as f64 / deal.area)
}

fn sorted(deals: &[&DealRecord]) -> Vec<f64> {
    let mut prices: Vec<f64> = deals.iter().filter_map(|deal| metre(deal)).collect();
    prices.sort_by(f64::total_cmp);
    prices
}

/// The value at a share of a sorted list, between neighbours along a line.
fn at(sorted: &[f64], share: f64) -> f64 {
    let place = share * sorted.len().saturating_sub(1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    match (sorted.get(below), sorted.get(above)) {
        (Some(low), Some(high)) => low + (high - low) * (place - below as f64),
        _ => 0.0,
    }
}

/// Least squares over time; none with too few deals or all on one day.
fn trend(deals: &[&DealRecord]) -> Option<Trend> {
    let first = deals.iter().map(|deal| deal.date).min()?;
    let days = |deal: &DealRecord| first.until(deal.date).ok().map(|span| f64::from(span.get_days()));
    let points: Vec<(f64, f64)> = deals.iter().filter_map(|deal| Some((days(deal)?, metre(deal)?))).collect();
    if points.len() < ENOUGH {
        return None;
    }
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|(a, b)| of(a - x, b - y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|a, _| a * a), sum(&|a, b| a * b), sum(&|_, b| b * b));
    if xx <= 0.0 || y <= 0.0 {
        return None;
    }
    let fit = if yy > 0.0 { (xy * xy / (xx * yy)).clamp(0.0, 1.0) } else { 1.0 };
    Some(Trend { yearly: xy / xx * 365.0 / y, fit })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::advisor::understand::region::Region;
    use crate::advisor::understand::{Deal, Property};

    fn deal(price: u64, day: Date) -> DealRecord {
        DealRecord {
            id: String::new(),
            region: Region { province: "서울".into(), district: None, neighbourhood: None },
            property: Property::Apartment,
            deal: Deal::Sale,
            area: 100.0,
            floor: 1,
            built: 2000,
            price,
            monthly_rent: 0,
            date: day,
            source: String::new(),
        }
    }

    #[test]
    fn figures_by_hand() {
        // 10, 11, 12, 13, 14억 at 100㎡, one every 73 days: 1억 per fifth of a year on a mean of 12.
        let deals: Vec<DealRecord> = (0..5)
            .map(|n: i64| {
                deal((10 + n as u64) * 100_000_000, date(2026, 1, 1) + jiff::Span::new().days(73 * n))
            })
            .collect();
        let deals: Vec<&DealRecord> = deals.iter().collect();
        let report = analyse_market(&deals).unwrap();
        assert_eq!((report.count, report.median, report.mean), (5, 12_000_000.0, 12_000_000.0));
        assert_eq!(report.quartiles, (11_000_000.0, 13_000_000.0));
        assert!((report.spread - 2.0 / 12.0).abs() < 1e-9);
        let trend = report.trend.unwrap();
        assert!((trend.yearly - 5.0 / 12.0).abs() < 1e-9 && (trend.fit - 1.0).abs() < 1e-9);
        let judged = |price: u64| judge_price(price, 100.0, &deals).verdict;
        assert_eq!(judged(1_000_000_000), FairnessVerdict::Cheap);
        assert_eq!(judged(1_250_000_000), FairnessVerdict::Fair);
        assert_eq!(judged(1_500_000_000), FairnessVerdict::Dear);
        assert!((judge_price(1_500_000_000, 100.0, &deals).off_median - 0.25).abs() < 1e-9);
    }

    #[test]
    fn too_little_says_nothing() {
        let (a, b) = (deal(1, date(2026, 1, 1)), deal(2, date(2026, 1, 1)));
        assert!(analyse_market(&[]).is_none());
        assert!(analyse_market(&[&a, &b]).unwrap().trend.is_none());
        assert_eq!(judge_price(1, 1.0, &[&a, &b]).verdict, FairnessVerdict::Unknown);
        assert_eq!(judge_price(1, 0.0, &[&a, &b, &a]).verdict, FairnessVerdict::Unknown);
    }
}
