//! A set of deals for trying things out: plausible, seeded, and clearly not real.

use jiff::{ToSpan as _, civil::Date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::synthetic_tables::LEVELS;
use crate::advisor::understand::region::{Region, neighbourhoods};
use crate::advisor::understand::{Deal, Property};

/// What every synthetic deal says of its origin.
pub const SYNTHETIC_SOURCE: &str = "합성 데이터 (synthetic, not real)";

/// One deal: a sale, or a lease.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DealRecord {
    pub id: String,
    pub region: Region,
    pub property: Property,
    pub deal: Deal,
    /// Exclusive area, in square metres.
    pub area: f64,
    pub floor: i32,
    pub built: i16,
    /// The price of a sale, the deposit of a lease, in won.
    pub price: u64,
    /// In won; 0 unless it is a monthly rent.
    pub monthly_rent: u64,
    #[schemars(with = "String")]
    pub date: Date,
    pub source: String,
}

/// How many deals one set may have.
const MOST: usize = 1_000_000;

/// `count` deals over the districts of Seoul in the year before `until`. The
/// same seed gives the same deals.
pub fn synthetic_deals(seed: u64, count: usize, until: Date) -> Vec<DealRecord> {
    let mut random = fastrand::Rng::with_seed(seed);
    let places: Vec<Vec<&str>> =
        LEVELS.iter().map(|(district, ..)| neighbourhoods("서울", district)).collect();
    (0..count.min(MOST)).map(|n| deal(&mut random, n, &places[n % LEVELS.len()], until)).collect()
}

fn deal(random: &mut fastrand::Rng, n: usize, places: &[&str], until: Date) -> DealRecord {
    // Every district gets its turn, so that none is empty in a small set.
    let (district, level, jeonse) = LEVELS[n % LEVELS.len()];
    let neighbourhood = places.get(random.usize(..places.len().max(1))).map(|name| (*name).to_owned());
    let property = match random.u32(..100) {
        0..60 => Property::Apartment,
        60..80 => Property::Villa,
        80..92 => Property::Officetel,
        _ => Property::Studio,
    };
    let (areas, worth): (&[f64], f64) = match property {
        Property::Apartment => (&[49.9, 59.9, 74.5, 84.9, 101.8, 114.9], 1.0),
        Property::Villa => (&[29.8, 39.6, 49.5, 59.7, 68.2], 0.5),
        Property::Officetel => (&[24.5, 29.9, 36.8, 59.4], 0.6),
        _ => (&[16.5, 19.8, 23.1], 0.55),
    };
    let area = areas[random.usize(..areas.len())];
    let built = 1985 + random.i16(0..40);
    let days = random.i64(0..365);
    // Newer is dearer, small is dearer by the metre, and prices rose by about 4 % in the year.
    let age = 0.85 + 0.3 * f64::from(built - 1985) / 40.0;
    let size = (84.9 / area).powf(0.15);
    let time = 1.0 - 0.04 * days as f64 / 365.0;
    let noise = 1.0 + 0.12 * (random.f64() + random.f64() + random.f64() - 1.5);
    let metre = level as f64 * 10_000.0 / 84.9;
    let sale = metre * area * worth * age * size * time * noise;
    let deal = match random.u32(..100) {
        0..45 => Deal::Sale,
        45..80 => Deal::Jeonse,
        _ => Deal::MonthlyRent,
    };
    let round = |won: f64, to: f64| ((won / to).round().max(1.0) * to) as u64;
    let full = sale * jeonse * if property == Property::Apartment { 1.0 } else { 1.2 };
    let (price, monthly_rent) = match deal {
        Deal::Sale => (round(sale, 5e6), 0),
        Deal::Jeonse => (round(full, 5e6), 0),
        Deal::MonthlyRent => {
            let kept = full * (0.05 + 0.4 * random.f64());
            (round(kept, 5e6), round((full - kept) * 0.048 / 12.0, 1e4))
        }
    };
    DealRecord {
        id: format!("SYN-{n:06}"),
        region: Region { province: "서울".to_owned(), district: Some(district.to_owned()), neighbourhood },
        property,
        deal,
        area,
        floor: random.i32(1..=if property == Property::Apartment { 25 } else { 6 }),
        built,
        price,
        monthly_rent,
        date: until.checked_sub(days.days()).unwrap_or(until),
        source: SYNTHETIC_SOURCE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn set() -> Vec<DealRecord> {
        synthetic_deals(7, 6_000, jiff::civil::date(2026, 5, 13))
    }

    #[test]
    fn the_same_seed_gives_the_same_deals_and_all_say_what_they_are() {
        let deals = set();
        assert_eq!(deals.len(), 6_000);
        assert_eq!(deals, set());
        assert_ne!(deals, synthetic_deals(8, 6_000, jiff::civil::date(2026, 5, 13)));
        assert!(deals.iter().all(|deal| deal.source == SYNTHETIC_SOURCE && deal.id.starts_with("SYN-")));
    }

    #[test]
    fn every_district_is_there_with_known_neighbourhoods_and_its_own_level() {
        let mut metre: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        let known: BTreeMap<&str, Vec<&str>> =
            LEVELS.iter().map(|(district, ..)| (*district, neighbourhoods("서울", district))).collect();
        for deal in set() {
            let district = deal.region.district.clone().unwrap();
            assert!(known[district.as_str()].contains(&deal.region.neighbourhood.as_deref().unwrap()));
            assert!(deal.price > 0 && (deal.monthly_rent > 0) == (deal.deal == Deal::MonthlyRent));
            if deal.deal == Deal::Sale && deal.property == Property::Apartment {
                metre.entry(district).or_default().push(deal.price / deal.area as u64);
            }
        }
        assert_eq!(metre.len(), 25);
        let mean = |name: &str| metre[name].iter().sum::<u64>() / metre[name].len() as u64;
        assert!(mean("강남구") > 2 * mean("노원구"));
    }
}
