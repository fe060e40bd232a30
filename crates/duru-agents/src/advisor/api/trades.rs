//! The client: the deals of a district in a month, page by page.

use std::time::Duration;

use http::Uri;
use jiff::civil::Date;

use super::Error;
use super::codes_tables::lawd_code;
use super::endpoint::{Contract, Endpoint};
use super::http::Http;
use super::key::Key;
use super::xml::{self, Page};
use crate::advisor::tools::{BadRow, DealRecord, Imported};
use crate::advisor::understand::Deal;
use crate::advisor::understand::region::Region;

const KEY: &str = "DURU_MOLIT_KEY";
const ADDRESS: &str = "DURU_MOLIT_URL";
const USUAL: &str = "https://apis.data.go.kr/1613000";
/// Once the address was that of one service.
const OLD: [&str; 2] = ["/getRTMSDataSvcAptTradeDev", "/RTMSDataSvcAptTradeDev"];

/// How long and how much one question may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For one page.
    pub time: Duration,
    /// Of one page.
    pub bytes: usize,
    pub rows: usize,
    pub pages: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), bytes: 8 << 20, rows: 1_000, pages: 20 }
    }
}

/// The ministry's public services of deals.
pub struct Trades {
    base: Uri,
    key: Key,
    limits: Limits,
    http: Http,
}

impl Trades {
    /// As the settings say: none without `DURU_MOLIT_KEY`; another address
    /// than the ministry's with `DURU_MOLIT_URL`.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, Error> {
        let set = |name| get(name).filter(|value| !value.trim().is_empty());
        let Some(key) = set(KEY) else { return Ok(None) };
        Self::new(&set(ADDRESS).unwrap_or_else(|| USUAL.to_owned()), &key, Limits::default()).map(Some)
    }

    pub fn new(address: &str, key: &str, limits: Limits) -> Result<Self, Error> {
        let bad = |variable, reason: &str| Error::Setting { variable, reason: reason.to_owned() };
        let key = Key::new(key).ok_or_else(|| bad(KEY, "it is blank or not ASCII"))?;
        let short = |address: &str, end: &&str| address.strip_suffix(*end).unwrap_or(address).to_owned();
        let address = OLD
            .iter()
            .fold(address.trim().trim_end_matches('/').to_owned(), |address, end| short(&address, end));
        let base: Uri = address.parse().map_err(|_| bad(ADDRESS, "it is no address"))?;
        if !matches!(base.scheme_str(), Some("http" | "https")) || base.query().is_some() {
            return Err(bad(ADDRESS, "it must begin with http:// or https:// and have no question mark"));
        }
        Ok(Self { http: Http::new(&base, limits)?, base, key, limits })
    }

    /// The deals of a month in the district of a region, of one service; those
    /// of its neighbourhood, if it is one. Items that can't be read are listed
    /// by their number; cancelled deals are left out.
    pub async fn deals(
        &self,
        of: Endpoint,
        region: &Region,
        year: i16,
        month: i8,
    ) -> Result<Imported, Error> {
        let code = lawd_code(region).ok_or_else(|| Error::UnknownDistrict { region: region.to_string() })?;
        let mut imported = Imported::default();
        let mut read = 0;
        for number in 1..=self.limits.pages {
            let page = self.page(of, code, (year, month), number).await?;
            let (count, total) = (page.items.len(), page.total.unwrap_or_default());
            for item in &page.items {
                read += 1;
                match self.deal(of, region, code, (year, month), item, read) {
                    Ok(deal) => imported.deals.extend(deal),
                    Err((why, why_en)) => imported.bad.push(BadRow { line: read, why, why_en }),
                }
            }
            // The total alone is not believed: a page without items is the last.
            if count == 0 || read as usize >= total {
                return Ok(imported);
            }
        }
        let most = self.limits.pages * self.limits.rows;
        Err(Error::TooMuch { server: self.http.server(), limit: format!("{most} deals") })
    }

    async fn page(
        &self,
        of: Endpoint,
        code: &str,
        (year, month): (i16, i8),
        number: usize,
    ) -> Result<Page, Error> {
        let uri = format!(
            "{}/{}?serviceKey={}&LAWD_CD={code}&DEAL_YMD={year:04}{month:02}&numOfRows={}&pageNo={number}",
            self.base.to_string().trim_end_matches('/'),
            of.path(),
            self.key.encoded(),
            self.limits.rows
        );
        let server = self.http.server();
        let bad =
            |reason: String| Error::BadReply { server: self.http.server(), reason: self.key.hide(&reason) };
        let uri: Uri = uri.parse().map_err(|_| bad("the address is not one".to_owned()))?;
        let bytes = self.http.get(uri, &self.key).await?;
        let page = xml::read(&bytes).map_err(bad)?;
        let message = self.key.hide(&page.message);
        match page.code.as_deref() {
            Some("000" | "00") => Ok(page),
            // No data is an answer.
            Some("03" | "003") => Ok(Page { items: Vec::new(), total: Some(0), ..page }),
            Some("20" | "30" | "31" | "32" | "33") => Err(Error::WrongKey { server, message }),
            Some("22") => Err(Error::Quota { server, message }),
            Some(code) => Err(Error::Refused { server, code: self.key.hide(code), message }),
            None => Err(bad("it has no result code".to_owned())),
        }
    }

    /// The deal of an item; none if it was cancelled or lies elsewhere.
    fn deal(
        &self,
        of: Endpoint,
        region: &Region,
        code: &str,
        (year, month): (i16, i8),
        item: &std::collections::BTreeMap<String, String>,
        number: u64,
    ) -> Result<Option<DealRecord>, (String, String)> {
        let field = |name: &str| item.get(name).map(String::as_str).unwrap_or_default();
        let wrong = |what: &str, name: &str| {
            let text = self.key.hide(field(name));
            (format!("{what} 값을 알 수 없습니다: {text:?}"), format!("no {name}: {text:?}"))
        };
        // "O" stands for a deal that was cancelled (해제).
        if field("cdealType") == "O" {
            return Ok(None);
        }
        let neighbourhood = field("umdNm").split_whitespace().next().map(str::to_owned);
        if region.neighbourhood.is_some()
            && !same_place(region.neighbourhood.as_deref(), neighbourhood.as_deref())
        {
            return Ok(None);
        }
        // In units of 10,000 won.
        let sum = |name: &str| {
            let man: Option<u64> = field(name).replace([',', ' '], "").parse().ok();
            man.and_then(|man| man.checked_mul(10_000)).ok_or_else(|| wrong("금액", name))
        };
        let (deal, price, monthly_rent) = match of.contract {
            Contract::Sale => (Deal::Sale, sum("dealAmount")?, 0),
            Contract::Lease => match sum("monthlyRent")? {
                0 => (Deal::Jeonse, sum("deposit")?, 0),
                // A rent may come without a deposit.
                rent => (Deal::MonthlyRent, sum("deposit")?, rent),
            },
        };
        if price == 0 && monthly_rent == 0 {
            return Err(wrong("금액", if of.contract == Contract::Sale { "dealAmount" } else { "deposit" }));
        }
        let area: f64 = field("excluUseAr").parse().map_err(|_| wrong("면적", "excluUseAr"))?;
        if !(1.0..=100_000.0).contains(&area) {
            return Err(wrong("면적", "excluUseAr"));
        }
        let part = |name: &str, default: i16| match field(name) {
            "" => Some(default),
            text => text.parse::<i16>().ok(),
        };
        let date = || {
            let month = i8::try_from(part("dealMonth", i16::from(month))?).ok()?;
            let day = i8::try_from(part("dealDay", 0)?).ok()?;
            Date::new(part("dealYear", year)?, month, day).ok()
        };
        Ok(Some(DealRecord {
            id: format!("MOLIT-{}-{code}-{year:04}{month:02}-{number}", of.tag()),
            region: Region { neighbourhood, ..region.clone() },
            property: of.property(),
            deal,
            area,
            floor: field("floor").parse().unwrap_or_default(),
            built: field("buildYear").parse().unwrap_or_default(),
            price,
            monthly_rent,
            date: date().ok_or_else(|| wrong("날짜", "dealDay"))?,
            source: of.source().to_owned(),
        }))
    }
}

/// 성수동 and 성수동1가 are one place to those who ask.
fn same_place(asked: Option<&str>, found: Option<&str>) -> bool {
    match (asked, found) {
        (Some(asked), Some(found)) => found.starts_with(asked),
        _ => false,
    }
}
