//! Which time data are asked for: 작년 시세, 2023년 실거래, 최근 3개월. When something was looked at is no such time.

use std::sync::LazyLock;

use duru_language::quantity::{join_numbers, quantity};
use duru_language::time::{self, Timed};
use duru_language::{Token, Unit, segment, words as language};
use jiff::Zoned;
use jiff::civil::date;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{AND, rest_of_word};

/// A time that is over, or a stretch up to now, in days before a fixed day: equal words are equal times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Period {
    pub from_days_ago: Option<i64>,
    /// None: until now.
    pub until_days_ago: Option<i64>,
}

impl Period {
    /// Is it over, so that what holds today is no answer?
    pub fn is_past(&self) -> bool {
        self.until_days_ago.is_some()
    }
}

/// Noon, so that no zone moves a day.
static ANCHOR: LazyLock<Zoned> = LazyLock::new(|| {
    let noon = date(2026, 7, 15).at(12, 0, 0, 0);
    noon.to_zoned(TimeZone::UTC).unwrap_or_default()
});

/// Shorter stretches than this say how new data must be, not of which time.
const SHORT: i64 = 15;

/// What follows a day on which something was looked at, told or talked about: verbs that say what was done then.
#[rustfmt::skip]
const RECALLS: &[&str] = &[
    "본 ", "봤", "보던", "봐둔", "찾은", "찾아준", "찾아 준", "찾았", "알려준", "알려 준", "알려줬", "검색한", "검색했", "조회한", "조회했", "보여준", "보여 준",
    "보여줬", "말한", "말했", "말해준", "얘기한", "얘기했", "이야기한", "이야기했", "물어본", "물어봤", "물었", "받은", "받았", "검토한", "검토했", "검토받", "저장한", "저장해", "뽑은",
    "뽑아준", "정리한", "정리해준", "정리해 준", "설명한", "설명해준", "올린", "올렸", "나눈", "했던", "대화", "나온", "상담", "계산한", "계산해준", "추천한", "추천해준", "그 ",
];

/// Is a time that is named here one at which something was looked at: 지난달에 본?
pub(super) fn recalls(text: &str, at: usize) -> bool {
    let english = text.is_ascii() && [" you ", " we ", "you ", "we "].iter().any(|word| text.contains(word));
    // "지난달에 네가 찾아준": one word may stand between.
    let mut words = text.get(at..).unwrap_or_default().split_inclusive(' ').skip(1);
    english || words.by_ref().take(3).any(|word| RECALLS.iter().any(|verb| word.starts_with(verb)))
}

/// A time long ago that something is set against: 3년 전이랑 비교하면, 두 달 전보다, than three years ago.
fn set_against(text: &str, tokens: &[Token]) -> Option<Period> {
    (0..tokens.len()).find_map(|at| {
        let counted = quantity(tokens, at)?;
        let unit_days = match counted.unit? {
            Unit::Year => 365,
            Unit::Quarter => 91,
            Unit::Month => 30,
            Unit::Week => 7,
            _ => return None,
        };
        // 2013년 is a year of the calendar, and no stretch of so many.
        let amount = (counted.value.fract() == 0.0 && (1.0..=100.0).contains(&counted.value))
            .then_some(counted.value as i64)?;
        let (start, end) = (tokens[at].start, tokens.get(at + counted.tokens - 1)?.end);
        (is_against(text, start, end) && !recalls(text, start)).then(|| {
            let ago = amount * unit_days;
            Period { from_days_ago: Some(ago + unit_days), until_days_ago: Some(ago) }
        })
    })
}

/// Is the length at these bytes so long ago, and something set against that time?
fn is_against(text: &str, start: usize, end: usize) -> bool {
    const THAN: &[&str] = &["than", "with", "to", "against", "versus", "vs", "from"];
    let after = text[end..].trim_start();
    let beside = |rest: &str| AND.contains(&rest) || ["보다", "대비", "엔", "에는", "에비해"].contains(&rest);
    if let Some(rest) = after.strip_prefix('전') {
        let own = rest_of_word(rest, 0);
        let next = rest[own.len()..].trim_start();
        let compared = ["대비", "비해", "비하면", "비교"].iter().any(|word| next.starts_with(word));
        return beside(own) || compared && (own.is_empty() || own == "에");
    }
    let before = text[..start].trim_end();
    after.starts_with("ago") && THAN.iter().any(|word| before.rsplit(' ').next() == Some(*word))
}

/// The times that a text (lower case, single spaces) asks data of.
pub(super) fn find(text: &str) -> Vec<Period> {
    let tokens = join_numbers(segment(text, &[language::general()]));
    let now = &*ANCHOR;
    let day = 86_400;
    let mut periods: Vec<Period> = set_against(text, &tokens).into_iter().collect();
    for span in time::read(&tokens, now) {
        let Timed::Period(period) = span.what else { continue };
        let start = tokens.get(span.tokens.start).map_or(0, |first| first.start);
        if recalls(text, start) {
            continue;
        }
        let ago = |at: jiff::Timestamp| now.timestamp().duration_since(at).as_secs().div_euclid(day);
        let (from, until) = period.bounds(now);
        let until = until.map(ago).filter(|days| *days > 0);
        let from = from.map(ago);
        // Today and this week are what "newest" means; what is still to come is no time of data.
        let stretch = from.map_or(i64::MAX, |from| from - until.unwrap_or(0));
        // 30년 동안 is how long, not when.
        let rolling = until.is_none()
            && !["최근", "지난", "근래", "last", "past", "recent"].iter().any(|word| text.contains(word));
        let ahead = from.is_some_and(|from| from < 0);
        if !ahead && !rolling && (until.is_some() || stretch > SHORT) {
            periods.push(Period { from_days_ago: from, until_days_ago: until });
        }
    }
    periods
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_data_is_told_from_a_time_of_looking() {
        let past = |text: &str| find(text).iter().any(Period::is_past);
        assert!(past("3년 전이랑 비교하면") && !past("두 달 전에 찾은 시세로"));
        for against in [
            "네 달 전보다 올랐어?",
            "스물네 달 전이랑 차이",
            "12년 전과 비교",
            "십이 년 전 대비 상승률",
            "일 년 전에 비하면",
            "is it more than three years ago",
        ] {
            assert!(past(against), "{against}");
        }
        let years = |text: &str| find(text).first().and_then(|period| period.until_days_ago);
        assert_eq!((years("12년 전보다 싸?"), years("삼 년 전보다 싸?")), (Some(12 * 365), Some(3 * 365)));
        assert_ne!(years("2013년 전보다 싸?"), Some(13 * 365));
        assert!(past("작년 시세는 어땠어?") && past("2023년 실거래가") && past("지난달 거래 내역"));
        assert!(!past("작년에 찾아준 조항") && !past("지난달에 본 걸로") && !past("어제 찾아준 시세로"));
        assert!(find("5년 뒤 예상 수익").is_empty() && find("30년 만기로").is_empty());
        assert!(find("오늘 시세").is_empty() && find("10년 보유하면").is_empty());
        let recent = find("최근 3개월 실거래가");
        assert!(recent.len() == 1 && !recent[0].is_past());
    }
}
