//! The client of Kakao's Local service: where a place is, and what lies around a point.

use std::time::Duration;

use http::Uri;
use serde::Deserialize;

use super::Error;
use super::http::Http;
use super::key::{Key, encode};
use super::trades::Limits;
use crate::advisor::tools::{NearbyPlace, Point};
use crate::advisor::understand::Facility;
use crate::advisor::understand::region::Region;

const KEY: &str = "DURU_KAKAO_KEY";
const ADDRESS: &str = "DURU_KAKAO_URL";
const USUAL: &str = "https://dapi.kakao.com";
const SCHEME: &str = "KakaoAK";
/// The service gives no more than so many of one search, 15 to a page.
const LIMITS: Limits = Limits { time: Duration::from_secs(5), bytes: 1 << 20, rows: 15, pages: 3 };

/// What its places say of their origin.
pub(super) const SOURCE: &str = "카카오 로컬 (Kakao Local)";

/// One search of the service; of schools one finds all kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// By the code of a category (category_group_code).
    Category(&'static str),
    /// By a word, where there is no category: parks.
    Word(&'static str),
}

impl Group {
    pub(super) fn of(facility: Facility) -> Self {
        match facility {
            Facility::Subway => Self::Category("SW8"),
            Facility::Elementary | Facility::Middle | Facility::High => Self::Category("SC4"),
            Facility::Hospital => Self::Category("HP8"),
            Facility::Park => Self::Word("공원"),
            Facility::Shop => Self::Category("MT1"),
            Facility::Convenience => Self::Category("CS2"),
        }
    }
}

/// What lies around a point, of one group.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    pub(super) found: Vec<Place>,
    /// How many there are in all, as the service counts.
    total: usize,
    /// All were read.
    whole: bool,
}

/// A place as the service has it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// "교육,학문 > 학교 > 초등학교".
    category: String,
    place: NearbyPlace,
}

impl Around {
    /// Those of one kind, how many there are, and whether there may be more.
    pub(super) fn of(&self, facility: Facility) -> (Vec<NearbyPlace>, usize, bool) {
        let last = |place: &&Place, word: &str| {
            place.category.rsplit('>').next().is_some_and(|last| last.trim().contains(word))
        };
        let wanted = match facility {
            Facility::Elementary => Some("초등학교"),
            Facility::Middle => Some("중학교"),
            Facility::High => Some("고등학교"),
            // By the word alone come shops that are named after a park, too.
            Facility::Park => Some("공원"),
            _ => None,
        };
        let of = self.found.iter().filter(|place| wanted.is_none_or(|word| last(place, word)));
        let places: Vec<NearbyPlace> = of.map(|place| place.place.clone()).collect();
        let count = if wanted.is_some() { places.len() } else { self.total.max(places.len()) };
        (places, count, wanted.is_some() && !self.whole)
    }
}

#[derive(Deserialize)]
struct Reply {
    #[serde(default)]
    meta: Meta,
    documents: Vec<Document>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta {
    total_count: usize,
    is_end: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    id: String,
    place_name: String,
    category_name: String,
    /// In metres, as text.
    distance: String,
    /// Longitude and latitude, as text.
    x: String,
    y: String,
}

impl Document {
    fn point(&self) -> Option<Point> {
        let (latitude, longitude): (f64, f64) = (self.y.parse().ok()?, self.x.parse().ok()?);
        (latitude.abs() <= 90.0 && longitude.abs() <= 180.0).then_some(Point { latitude, longitude })
    }

    /// None where nobody knows how far it is, or what it is called.
    fn place(&self, centre: Point) -> Option<Place> {
        let said = self.distance.trim().parse::<u32>().ok();
        let metres = said.or_else(|| Some(centre.metres_to(self.point()?).round() as u32))?;
        let name: String = self.place_name.chars().filter(|c| !c.is_control()).take(60).collect();
        (!name.trim().is_empty()).then(|| Place {
            category: self.category_name.clone(),
            place: NearbyPlace { id: format!("KAKAO-{}", self.id), name, name_en: None, metres },
        })
    }
}

/// Kakao's Local service.
pub struct Places {
    base: Uri,
    key: Key,
    limits: Limits,
    http: Http,
}

impl Places {
    /// As the settings say: none without `DURU_KAKAO_KEY`; another address than Kakao's with `DURU_KAKAO_URL`.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, Error> {
        let set = |name| get(name).filter(|value| !value.trim().is_empty());
        let Some(key) = set(KEY) else { return Ok(None) };
        Self::new(&set(ADDRESS).unwrap_or_else(|| USUAL.to_owned()), &key, LIMITS).map(Some)
    }

    pub fn new(address: &str, key: &str, limits: Limits) -> Result<Self, Error> {
        let bad = |variable, reason: &str| Error::Setting { variable, reason: reason.to_owned() };
        let key = Key::new(key).ok_or_else(|| bad(KEY, "it is blank or not ASCII"))?;
        let base: Uri =
            address.trim().trim_end_matches('/').parse().map_err(|_| bad(ADDRESS, "it is no address"))?;
        if !matches!(base.scheme_str(), Some("http" | "https")) || base.query().is_some() {
            return Err(bad(ADDRESS, "it must begin with http:// or https:// and have no question mark"));
        }
        Ok(Self { http: Http::new(&base, limits)?, base, key, limits })
    }

    /// Where a place is; its district where the service does not know the neighbourhood.
    pub(super) async fn centre(&self, region: &Region) -> Result<Option<Point>, Error> {
        let whole = Region { neighbourhood: None, ..region.clone() };
        for place in [region, &whole] {
            let query = format!("query={}&size=1", encode(&place.to_string()));
            let reply = self.ask("address", &query).await?;
            if let Some(point) = reply.documents.first().and_then(Document::point) {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }

    /// What lies around a point, the nearest first; schools to the last page, of others the first says how many.
    pub(super) async fn around(&self, group: Group, centre: Point, radius: u32) -> Result<Around, Error> {
        let Point { latitude, longitude } = centre;
        let (what, group) = match group {
            Group::Category(code) => ("category", format!("category_group_code={code}")),
            Group::Word(word) => ("keyword", format!("query={}", encode(word))),
        };
        let pages = if group.ends_with("SC4") || what == "keyword" { self.limits.pages } else { 1 };
        let mut around = Around::default();
        for page in 1..=pages {
            let size = self.limits.rows;
            let query = format!(
                "{group}&x={longitude}&y={latitude}&radius={radius}&sort=distance&page={page}&size={size}"
            );
            let reply = self.ask(what, &query).await?;
            around.total = reply.meta.total_count;
            around.found.extend(reply.documents.iter().filter_map(|document| document.place(centre)));
            // A page without places is the last, whatever the service says of it.
            if reply.meta.is_end || reply.documents.is_empty() {
                around.whole = true;
                break;
            }
        }
        Ok(around)
    }

    async fn ask(&self, what: &str, query: &str) -> Result<Reply, Error> {
        let server = self.http.server();
        let bad =
            |reason: String| Error::BadReply { server: self.http.server(), reason: self.key.hide(&reason) };
        let base = self.base.to_string();
        let uri = format!("{}/v2/local/search/{what}.json?{query}", base.trim_end_matches('/'));
        let uri: Uri = uri.parse().map_err(|_| bad("the address is not one".to_owned()))?;
        let bytes = match self.http.get_as(uri, SCHEME, &self.key).await {
            Err(Error::Status { status: status @ (401 | 403), .. }) => {
                return Err(Error::WrongKey { server, message: format!("status {status}") });
            }
            Err(Error::Status { status: 429, .. }) => {
                return Err(Error::Quota { server, message: "status 429".to_owned() });
            }
            answer => answer?,
        };
        serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))
    }
}
