//! What lies around a place: what was found of one kind, how far it is, and who says so.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tool::Item;
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{DataKind, Facility};

/// What every facility of the sample says of its origin.
pub const SAMPLE_SOURCE: &str = "예시 데이터 (sample, not real)";

/// A neighbourhood is looked around in so many metres, a district in so many.
const NEIGHBOURHOOD: u32 = 1_000;
const DISTRICT: u32 = 2_000;
/// So many are named.
const NAMED: usize = 5;

/// A point on the globe, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub latitude: f64,
    pub longitude: f64,
}

impl Point {
    /// How far another point is, in metres, as the crow flies.
    pub fn metres_to(self, other: Self) -> f64 {
        const EARTH: f64 = 6_371_000.0;
        let (from, to) = (self.latitude.to_radians(), other.latitude.to_radians());
        let up = (to - from) / 2.0;
        let across = (other.longitude - self.longitude).to_radians() / 2.0;
        let half = up.sin().powi(2) + from.cos() * to.cos() * across.sin().powi(2);
        2.0 * EARTH * half.sqrt().min(1.0).asin()
    }
}

/// What there is of one kind around a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NearbyView {
    pub region: Region,
    pub facility: Facility,
    /// What distances are from, in Korean and in English.
    pub centre: (String, String),
    /// In metres.
    pub radius: u32,
    pub count: usize,
    /// There are more than were counted.
    #[serde(default)]
    pub more: bool,
    /// Nobody knows: it could not be looked up.
    #[serde(default)]
    pub unknown: bool,
    /// The nearest first.
    pub places: Vec<NearbyPlace>,
    pub source: String,
}

/// One facility.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NearbyPlace {
    pub id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name_en: Option<String>,
    pub metres: u32,
}

impl NearbyView {
    /// How far around a place is looked where nobody says.
    pub(in crate::advisor) fn usual_radius(region: &Region) -> u32 {
        if region.neighbourhood.is_some() { NEIGHBOURHOOD } else { DISTRICT }
    }

    /// What was found, the nearest first and the first few by name.
    pub(in crate::advisor) fn found(mut self, mut places: Vec<NearbyPlace>) -> (Self, Vec<Item>) {
        places.sort_by(|a, b| a.metres.cmp(&b.metres).then_with(|| a.name.cmp(&b.name)));
        self.count = self.count.max(places.len());
        let items = places.iter().map(|place| self.item(place)).collect();
        places.truncate(NAMED);
        self.places = places;
        (self, items)
    }

    fn item(&self, place: &NearbyPlace) -> Item {
        Item {
            id: place.id.clone(),
            kind: DataKind::Infrastructure,
            region: Some(self.region.clone()),
            deal: None,
            property: None,
            at: None,
            source: self.source.clone(),
            title: place.name.clone(),
            text: format!("{} m", place.metres),
            fit: 1.0,
            record: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A degree of latitude is 111.2 km; one of longitude at 37.5 degrees north 0.7934 of that.
    #[test]
    fn distances_by_hand() {
        let seoul = Point { latitude: 37.5, longitude: 127.0 };
        let north = Point { latitude: 37.51, ..seoul };
        let east = Point { longitude: 127.01, ..seoul };
        assert!((seoul.metres_to(north) - 1_112.0).abs() < 1.0, "{}", seoul.metres_to(north));
        assert!((seoul.metres_to(east) - 882.2).abs() < 1.0, "{}", seoul.metres_to(east));
        assert!(seoul.metres_to(seoul) < 1e-9);
    }
}
