//! Places: provinces, districts and neighbourhoods of Korea, by any of the
//! names people use for them.

mod aliases_tables;
mod compared;
mod find;
mod gazetteer;
mod roman;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use compared::is_compared;
pub use find::{PlaceMention, find};
pub(crate) use gazetteer::neighbourhoods;

/// A place, as precisely as it was named.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Region {
    /// The province's short name: 서울, 부산, 경기.
    pub province: String,
    /// The district, with its city where it has one: 강남구, 성남시 분당구.
    pub district: Option<String>,
    /// The neighbourhood: 역삼동.
    pub neighbourhood: Option<String>,
}

/// How the place that data are about lies to the place that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Same,
    /// The data are about a place that contains the asked one.
    Wider,
    /// The data are about a part of the asked place.
    Narrower,
    Elsewhere,
}

impl Region {
    /// How `data` lies to this region.
    pub fn relation(&self, data: &Region) -> Relation {
        let same = self.province == data.province;
        let levels = [(&self.district, &data.district), (&self.neighbourhood, &data.neighbourhood)];
        if !same {
            return Relation::Elsewhere;
        }
        for (asked, held) in levels {
            match (asked, held) {
                (Some(asked), Some(held)) if asked == held => {}
                (Some(asked), Some(held)) => {
                    // A city and one of its districts.
                    return if asked.starts_with(&format!("{held} ")) {
                        Relation::Wider
                    } else if held.starts_with(&format!("{asked} ")) {
                        Relation::Narrower
                    } else {
                        Relation::Elsewhere
                    };
                }
                (Some(_), None) => return Relation::Wider,
                (None, Some(_)) => return Relation::Narrower,
                (None, None) => {}
            }
        }
        Relation::Same
    }

    /// The name a person would use: the last part, and before it the province
    /// where the name alone would be taken for a district of Seoul or of
    /// several cities.
    pub fn name(&self) -> String {
        if let Some(neighbourhood) = &self.neighbourhood {
            return neighbourhood.clone();
        }
        let Some(district) = &self.district else { return self.province.clone() };
        let last = district.rsplit(' ').next().unwrap_or(district);
        let homonyms = gazetteer::districts(last).count();
        if homonyms > 1 && self.province != "서울" {
            format!("{} {last}", self.province)
        } else {
            last.to_owned()
        }
    }

    /// The whole in Latin letters, the smallest part first: Gongdeok-dong, Mapo-gu, Seoul.
    pub fn in_english(&self) -> String {
        let neighbourhood = self.neighbourhood.iter().map(|name| roman::place(name));
        let district = self.district.iter().flat_map(|name| name.rsplit(' ')).map(roman::place);
        let province = gazetteer::province_in_english(&self.province);
        neighbourhood.chain(district).chain([province]).collect::<Vec<_>>().join(", ")
    }

    /// The name a person would use in English, with what it lies in where that tells it from others.
    pub fn name_in_english(&self) -> String {
        match (&self.neighbourhood, &self.district) {
            (Some(name), _) => roman::place(name),
            (None, Some(district)) if self.name().contains(' ') => {
                let last = district.rsplit(' ').next().unwrap_or(district);
                format!("{}, {}", roman::place(last), gazetteer::province_in_english(&self.province))
            }
            (None, Some(district)) => roman::place(district.rsplit(' ').next().unwrap_or(district)),
            (None, None) => gazetteer::province_in_english(&self.province),
        }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.province)?;
        for part in [&self.district, &self.neighbourhood].into_iter().flatten() {
            write!(f, " {part}")?;
        }
        Ok(())
    }
}
