//! The table of places, read once.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::aliases_tables::{ALIASES, WORDS_TOO};
use super::{Region, roman};

const KOREA: &str = include_str!("korea.txt");

/// A name and the places that have it.
pub(super) struct Named {
    pub(super) places: Vec<Region>,
    /// Without its 구, 시 or 동: what follows must show that a place is meant.
    pub(super) short: bool,
    /// An everyday word as well: only right after the district it lies in.
    pub(super) word_too: bool,
}

#[derive(Default)]
struct Gazetteer {
    names: HashMap<String, Named>,
    longest: usize,
    districts: Vec<Region>,
    /// The provinces' short names and what they are called in English.
    provinces: Vec<(String, String)>,
}

/// A name in Latin letters without what it is (Sillim) is taken for a place only if it is so long: Chang and Gil may be
/// anything, Chang-dong is a place.
const LONG_ENOUGH: usize = 5;

static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    let mut all = Gazetteer::default();
    let mut province = String::new();
    for line in KOREA.lines().filter(|line| !line.starts_with('#')) {
        if let Some(names) = line.strip_prefix("@ ") {
            let names: Vec<&str> = names.split(' ').collect();
            let [long, short, english] = names[..] else { continue };
            province = short.to_owned();
            let region = Region { province: province.clone(), district: None, neighbourhood: None };
            all.add(long, &region, false);
            all.add(&english.to_lowercase(), &region, true);
            all.provinces.push((province.clone(), english.to_owned()));
            all.add(short, &region, true);
            // 서울시, 부산시, 세종시; not 광주시, which is a city in 경기.
            if long.ends_with('시') && short != "광주" {
                all.add(&format!("{short}시"), &region, false);
            }
            continue;
        }
        let Some((district, neighbourhoods)) = line.split_once(':') else { continue };
        let full = district.replace('/', " ");
        let region = Region { province: province.clone(), district: Some(full.clone()), neighbourhood: None };
        let last = district.rsplit('/').next().unwrap_or(district);
        all.add(last, &region, false);
        all.add_in_english(last, &region);
        all.districts.push(region.clone());
        for name in neighbourhoods.split_whitespace() {
            let region = Region { neighbourhood: Some(name.to_owned()), ..region.clone() };
            all.add(name, &region, false);
            all.add_in_english(name, &region);
        }
    }
    for (alias, name) in ALIASES {
        let places = all.names.get(*name).map(|named| named.places.clone()).unwrap_or_default();
        for place in places {
            all.add(alias, &place, true);
            all.add_in_english(alias, &place);
        }
    }
    all
});

impl Gazetteer {
    fn add(&mut self, name: &str, place: &Region, short: bool) {
        self.longest = self.longest.max(name.chars().count());
        let named = self.names.entry(name.to_owned()).or_insert_with(|| Named {
            places: Vec::new(),
            short,
            word_too: WORDS_TOO.contains(&name),
        });
        if !named.places.contains(place) {
            named.places.push(place.clone());
        }
    }

    /// Mapo-gu, Mapogu, Mapo gu, and Mapo where that can be nothing else.
    fn add_in_english(&mut self, name: &str, place: &Region) {
        let latin = roman::place(name).to_lowercase();
        if latin.contains('-') {
            for form in [latin.clone(), latin.replace('-', ""), latin.replace('-', " ")] {
                self.add(&form, place, false);
            }
        }
        let bare = latin.split('-').next().unwrap_or(&latin);
        let district = place.neighbourhood.is_none() && bare.len() + 1 >= LONG_ENOUGH;
        if (district || bare.len() >= LONG_ENOUGH) && !OTHER_WORDS.contains(&bare) {
            self.add(bare, place, true);
        }
    }
}

/// Names in Latin letters that are other words, too: they need what they are behind them.
const OTHER_WORDS: &[&str] = &["dong", "jung"];

/// What a province is called in English.
pub(super) fn province_in_english(short: &str) -> String {
    let all: &'static Gazetteer = &GAZETTEER;
    let known = all.provinces.iter().find(|(name, _)| name == short);
    known.map_or_else(|| roman::word(short), |(_, english)| english.clone())
}

/// The longest place name that `text` begins with, and its length in bytes.
pub(super) fn longest_prefix(text: &str) -> Option<(usize, &'static Named)> {
    let all: &'static Gazetteer = &GAZETTEER;
    let ends: Vec<usize> = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(all.longest).collect();
    ends.into_iter().rev().find_map(|end| all.names.get(&text[..end]).map(|named| (end, named)))
}

/// Every district with this last name, in any province.
pub(super) fn districts(name: &str) -> impl Iterator<Item = &'static Region> {
    let all: &'static Gazetteer = &GAZETTEER;
    all.districts.iter().filter(move |region| {
        region.district.as_deref().is_some_and(|full| full.rsplit(' ').next() == Some(name))
    })
}

/// The neighbourhoods of a district that the table knows.
pub(crate) fn neighbourhoods(province: &str, district: &str) -> Vec<&'static str> {
    let all: &'static Gazetteer = &GAZETTEER;
    let mut names: Vec<&'static str> = all
        .names
        .values()
        .flat_map(|named| &named.places)
        .filter(|place| place.province == province && place.district.as_deref() == Some(district))
        .filter_map(|place| place.neighbourhood.as_deref())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_every_province_and_every_district_of_seoul() {
        let provinces: std::collections::BTreeSet<&str> =
            GAZETTEER.names.values().flat_map(|n| &n.places).map(|r| r.province.as_str()).collect();
        assert_eq!(provinces.len(), 17);
        let seoul = GAZETTEER.districts.iter().filter(|r| r.province == "서울").count();
        assert_eq!(seoul, 25);
        assert_eq!(districts("중구").count(), 6);
        assert_eq!(districts("강서구").count(), 2);
    }

    #[test]
    fn every_alias_leads_to_a_place() {
        for (alias, name) in ALIASES {
            assert!(GAZETTEER.names.contains_key(*name), "{alias} → {name}");
        }
    }
}
