//! What lies around a place, from a small sample that says so itself.

use std::sync::LazyLock;

use async_trait::async_trait;

use crate::advisor::tools::nearby::{NearbyPlace, NearbyView, Point, SAMPLE_SOURCE};
use crate::advisor::tools::report::Report;
use crate::advisor::tools::tool::{Error, Found, Parameters, Tool, Used};
use crate::advisor::understand::Facility;
use crate::advisor::understand::region::Region;

/// The sample's points are known to about so many metres.
const GRAIN: f64 = 100.0;

/// Stations, schools, hospitals, parks and shops near a district or neighbourhood.
pub(super) struct Infrastructure;

#[async_trait]
impl Tool for Infrastructure {
    fn name(&self) -> &str {
        "infrastructure"
    }

    async fn call(&self, parameters: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let mut found = Found::default();
        let asked: Vec<&Region> =
            parameters.regions.iter().filter(|place| place.district.is_some()).collect();
        if asked.is_empty() {
            found.wanting.push("district".to_owned());
            return Ok(found);
        }
        let facilities = if parameters.facilities.is_empty() {
            Facility::USUAL.to_vec()
        } else {
            parameters.facilities.clone()
        };
        for region in asked {
            let Some(centre) = SAMPLE.centre(region) else { continue };
            let radius = parameters.radius.unwrap_or_else(|| NearbyView::usual_radius(region));
            for facility in &facilities {
                let view = NearbyView {
                    region: region.clone(),
                    facility: *facility,
                    centre: (centre.name.to_owned(), centre.english.to_owned()),
                    radius,
                    count: 0,
                    more: false,
                    unknown: false,
                    places: Vec::new(),
                    source: SAMPLE_SOURCE.to_owned(),
                };
                let (view, items) = view.found(SAMPLE.around(centre.at, *facility, radius));
                found.reports.push(Report::Nearby(view));
                found.items.extend(items);
            }
        }
        // Where the sample knows a place, that nothing of a kind is there is what it says.
        found.quality = if found.reports.is_empty() { 0.0 } else { 0.75 };
        Ok(found)
    }
}

struct Sample {
    centres: Vec<Centre>,
    places: Vec<Place>,
}

/// What distances in a place are from.
struct Centre {
    region: Region,
    name: &'static str,
    english: &'static str,
    at: Point,
}

struct Place {
    facility: Facility,
    name: &'static str,
    english: &'static str,
    at: Point,
}

impl Sample {
    /// The centre of a place, or of the district that it lies in.
    fn centre(&self, region: &Region) -> Option<&Centre> {
        let of = |region: &Region| self.centres.iter().find(|centre| centre.region == *region);
        of(region).or_else(|| of(&Region { neighbourhood: None, ..region.clone() }))
    }

    fn around(&self, centre: Point, facility: Facility, radius: u32) -> Vec<NearbyPlace> {
        let near = |place: &Place| {
            let metres = centre.metres_to(place.at);
            (place.facility == facility && metres <= f64::from(radius)).then(|| NearbyPlace {
                id: format!("SAMPLE-{}", place.english.replace(' ', "-")),
                name: place.name.to_owned(),
                name_en: Some(place.english.to_owned()),
                metres: ((metres / GRAIN).round().max(1.0) * GRAIN) as u32,
            })
        };
        self.places.iter().filter_map(near).collect()
    }

    /// The lines of the table; a test reads every one, so none is left out unseen.
    fn read(text: &'static str) -> Self {
        let mut sample = Self { centres: Vec::new(), places: Vec::new() };
        for line in lines(text) {
            let [what, place, name, english, latitude, longitude] = line[..] else { continue };
            let (Ok(latitude), Ok(longitude)) = (latitude.parse(), longitude.parse()) else { continue };
            let at = Point { latitude, longitude };
            if what == "centre" {
                let mut parts = place.split(' ').map(str::to_owned);
                let Some(province) = parts.next() else { continue };
                let region = Region { province, district: parts.next(), neighbourhood: parts.next() };
                sample.centres.push(Centre { region, name, english, at });
            } else if let Some(facility) = facility(what) {
                sample.places.push(Place { facility, name, english, at });
            }
        }
        sample
    }
}

/// Without headings and comments.
fn lines(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let told = |line: &&str| !line.is_empty() && !line.starts_with('#');
    text.lines().filter(told).map(|line| line.split('\t').collect())
}

fn facility(word: &str) -> Option<Facility> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).ok()
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(|| Sample::read(include_str!("infrastructure.tsv")));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::region;

    fn place(name: &str) -> Region {
        region::find(name, &[]).remove(0).region
    }

    async fn call(places: &[&str], facilities: &[Facility], radius: Option<u32>) -> Found {
        let parameters = Parameters {
            regions: places.iter().map(|name| place(name)).collect(),
            facilities: facilities.to_vec(),
            radius,
            ..Parameters::default()
        };
        Infrastructure.call(&parameters, &[]).await.unwrap()
    }

    fn views(found: &Found) -> Vec<&NearbyView> {
        let reports = found.reports.iter();
        reports
            .filter_map(|report| if let Report::Nearby(view) = report { Some(view) } else { None })
            .collect()
    }

    #[test]
    fn every_line_of_the_sample_is_read_and_every_centre_is_a_place_we_know() {
        let text = include_str!("infrastructure.tsv");
        assert_eq!(SAMPLE.centres.len() + SAMPLE.places.len(), lines(text).count());
        for centre in &SAMPLE.centres {
            let named = region::find(&centre.region.to_string(), &[]);
            assert!(named.iter().any(|found| found.region == centre.region), "{}", centre.region);
        }
        let hangul = |text: &str| text.chars().any(|c| ('가'..='힣').contains(&c));
        for place in &SAMPLE.places {
            assert!(hangul(place.name) && place.english.is_ascii(), "{} {}", place.name, place.english);
            assert!(
                (37.4..37.7).contains(&place.at.latitude) && (126.7..127.2).contains(&place.at.longitude)
            );
        }
    }

    #[tokio::test]
    async fn the_nearest_come_first_and_all_say_that_they_are_samples() {
        let found = call(&["성수동"], &[Facility::Subway, Facility::Park], None).await;
        let views = views(&found);
        assert_eq!(views.len(), 2);
        assert_eq!((views[0].places[0].name.as_str(), views[0].radius), ("성수역", 1_000));
        assert!(views[0].places.is_sorted_by_key(|place| place.metres));
        assert!(views.iter().all(|view| view.source == SAMPLE_SOURCE && view.count >= view.places.len()));
        assert!(found.items.iter().all(|item| item.source == SAMPLE_SOURCE));
        // What is farther than somebody says is not told.
        let near = call(&["성수동"], &[Facility::Subway], Some(300)).await;
        assert_eq!(near.items.len(), 1);
    }

    #[tokio::test]
    async fn a_neighbourhood_without_a_centre_is_its_district_and_an_unknown_place_is_nothing() {
        let found = call(&["망원동"], &[Facility::Subway], None).await;
        assert_eq!(views(&found)[0].centre.0, "마포구청");
        assert!(call(&["부산 해운대구"], &[Facility::Subway], None).await.is_empty());
        assert_eq!(call(&["서울"], &[], None).await.wanting, ["district"]);
        assert_eq!(call(&[], &[], None).await.wanting, ["district"]);
    }
}
