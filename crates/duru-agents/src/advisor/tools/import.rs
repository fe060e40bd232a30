//! Deals from a CSV file. A bad row is reported by its line; the others are taken.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::synthetic::DealRecord;
use crate::advisor::understand::region;
use crate::advisor::understand::{Deal, Property, Terms};

/// What came of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    pub deals: Vec<DealRecord>,
    pub bad: Vec<BadRow>,
}

/// A row that was left out, and why, in Korean and English.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadRow {
    /// The line in the file, the head being 1.
    pub line: u64,
    pub why: String,
    pub why_en: String,
}

/// The columns, by any of these names.
const COLUMNS: &[(&str, &[&str])] = &[
    ("region", &["region", "지역", "시군구", "주소", "소재지"]),
    ("neighbourhood", &["neighbourhood", "dong", "법정동", "동"]),
    ("property", &["property", "종류", "주택유형", "건물유형"]),
    ("deal", &["deal", "거래", "거래유형", "전월세구분"]),
    ("area", &["area", "전용면적", "전용면적(㎡)", "면적"]),
    ("floor", &["floor", "층"]),
    ("built", &["built", "건축년도", "준공년도"]),
    ("price", &["price", "거래금액(만원)", "거래금액", "보증금(만원)", "보증금", "가격"]),
    ("rent", &["rent", "월세(만원)", "월세금(만원)", "월세"]),
    ("date", &["date", "계약일", "거래일", "계약년월일"]),
];

/// Reads deals; sums are in 10,000 won, as the ministry publishes them.
/// `source` says where the file is from.
pub fn import_deals(csv: &[u8], source: &str) -> Imported {
    let mut imported = Imported::default();
    let text = csv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(csv);
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text);
    let head = match reader.headers() {
        Ok(head) => Head::of(head),
        Err(error) => {
            imported.bad.push(bad(
                1,
                "머리글을 읽을 수 없습니다",
                &format!("the head can't be read: {error}"),
            ));
            return imported;
        }
    };
    for name in ["region", "price", "area", "date"] {
        if head.at(name).is_none() {
            imported.bad.push(bad(
                1,
                &format!("{name} 열이 없습니다"),
                &format!("there is no column {name}"),
            ));
        }
    }
    if !imported.bad.is_empty() {
        return imported;
    }
    for (index, record) in reader.records().enumerate() {
        let after_head = index as u64 + 2;
        let row = match &record {
            Ok(record) => {
                let line = record.position().map_or(after_head, csv::Position::line);
                read(&head, record, line, source).map_err(|(ko, en)| bad(line, &ko, &en))
            }
            Err(error) => {
                let line = error.position().map_or(after_head, csv::Position::line);
                Err(bad(line, "줄을 읽을 수 없습니다", &error.to_string()))
            }
        };
        match row {
            Ok(deal) => imported.deals.push(deal),
            Err(bad) => imported.bad.push(bad),
        }
    }
    imported
}

fn bad(line: u64, why: &str, why_en: &str) -> BadRow {
    BadRow { line, why: why.to_owned(), why_en: why_en.to_owned() }
}

struct Head {
    columns: Vec<(&'static str, usize)>,
}

impl Head {
    fn of(head: &csv::StringRecord) -> Self {
        let place = |names: &[&str]| {
            head.iter().position(|cell| names.contains(&cell.to_lowercase().replace(' ', "").as_str()))
        };
        let columns = COLUMNS.iter().filter_map(|(name, names)| place(names).map(|at| (*name, at))).collect();
        Self { columns }
    }

    fn at(&self, name: &str) -> Option<usize> {
        self.columns.iter().find(|(column, _)| *column == name).map(|(_, at)| *at)
    }

    fn cell<'a>(&self, record: &'a csv::StringRecord, name: &str) -> &'a str {
        self.at(name).and_then(|at| record.get(at)).unwrap_or_default()
    }
}

type Why = (String, String);

fn read(head: &Head, record: &csv::StringRecord, line: u64, source: &str) -> Result<DealRecord, Why> {
    let cell = |name: &'static str| head.cell(record, name);
    let wrong = |what: &str, name: &'static str| {
        (format!("{what} 값을 알 수 없습니다: {:?}", cell(name)), format!("no {name}: {:?}", cell(name)))
    };
    let place = format!("{} {}", cell("region"), cell("neighbourhood"));
    let region = region::find(&place, &[])
        .into_iter()
        .next()
        .map(|place| place.region)
        .ok_or(wrong("지역", "region"))?;
    let man = |name: &'static str| cell(name).replace([',', ' '], "").parse::<u64>().ok();
    let won = |man: u64| man.checked_mul(10_000);
    let price = man("price").filter(|price| *price > 0).and_then(won).ok_or(wrong("금액", "price"))?;
    let monthly_rent = match cell("rent") {
        "" | "-" => 0,
        _ => man("rent").and_then(won).ok_or(wrong("월세", "rent"))?,
    };
    let area = cell("area").parse::<f64>().ok().filter(|area| (1.0..=100_000.0).contains(area));
    let terms = Terms::read(&format!("{} {}", cell("deal"), cell("property")));
    let deal = match terms.deals.first() {
        Some(deal) => *deal,
        None if !cell("deal").is_empty() => return Err(wrong("거래 유형", "deal")),
        None if monthly_rent > 0 => Deal::MonthlyRent,
        None => Deal::Sale,
    };
    Ok(DealRecord {
        id: format!("{source}:{line}"),
        region,
        property: terms.properties.first().copied().unwrap_or(Property::Apartment),
        deal,
        area: area.ok_or(wrong("면적", "area"))?,
        floor: cell("floor").parse().unwrap_or_default(),
        built: cell("built").parse().unwrap_or_default(),
        price,
        monthly_rent,
        date: date(cell("date")).ok_or(wrong("날짜", "date"))?,
        source: source.to_owned(),
    })
}

/// 2026-05-13, 2026.05.13 or 20260513.
fn date(text: &str) -> Option<Date> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let part = |range: std::ops::Range<usize>| digits.get(range)?.parse::<i16>().ok();
    if digits.len() != 8 {
        return None;
    }
    let (month, day) = (i8::try_from(part(4..6)?).ok()?, i8::try_from(part(6..8)?).ok()?);
    Date::new(part(0..4)?, month, day).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_rows_are_taken_and_bad_ones_named_by_line() {
        let file = "\u{feff}시군구,거래유형,전용면적,거래금액(만원),월세(만원),계약일,층\n\
            서울특별시 노원구 상계동,매매,59.9,\"65,000\",,2026-05-01,7\n\
            어딘가,매매,59.9,1,,2026-05-01,7\n\
            서울 마포구,월세,24.5,1000,65,20260502,3\n\
            서울 마포구,매매,0,1000,,20260502,3\n\
            서울 마포구,매매,59,천만,,20260502,3\n\
            서울 마포구,매매,59,1000,,2026-13-02,3\n";
        let imported = import_deals(file.as_bytes(), "파일");
        let lines: Vec<u64> = imported.bad.iter().map(|bad| bad.line).collect();
        assert_eq!(lines, [3, 5, 6, 7]);
        assert_eq!(imported.deals.len(), 2);
        let first = &imported.deals[0];
        assert_eq!((first.price, first.deal), (650_000_000, Deal::Sale));
        assert_eq!(first.region.neighbourhood.as_deref(), Some("상계동"));
        assert_eq!((imported.deals[1].monthly_rent, imported.deals[1].deal), (650_000, Deal::MonthlyRent));
    }

    #[test]
    fn a_file_without_its_columns_or_with_broken_text_is_refused() {
        assert_eq!(import_deals(b"a,b\n1,2\n", "x").bad.len(), 4);
        assert_eq!(import_deals(b"", "x").bad.len(), 4);
        let broken = b"region,price,area,date\n\xff\xfe,1,2,20260101\n";
        assert_eq!(import_deals(broken, "x").bad[0].line, 2);
    }
}
