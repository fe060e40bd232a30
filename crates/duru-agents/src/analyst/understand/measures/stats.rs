//! Averages, percentiles and the like.

use crate::analyst::understand::lexicon;
use crate::analyst::understand::query::{Field, Group, Measure, Stat};
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{Scan, re};
use crate::analyst::understand::vocabulary::Vocabulary;

/// Averages, percentiles and the like.
pub(in crate::analyst::understand) fn stats(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    let per_value = re!(
        r"(?:평균|\baverage\b|\bmean\b|\bavg\b)\s*(?:number\s+of\s+|count\s+of\s+)?(?:로그|요청|에러|오류|경고|logs?|requests?|errors?|warnings?|events?)\s*(?:의\s*)?(?:수|개수|건수|횟수|count|lines?)?\s*(?:per\b)?"
    );
    let counted_average = scan.find(per_value).filter(|found| {
        found.get(0).contains('수') || found.get(0).contains("per") || found.get(0).contains("number")
    });
    // "하루 평균 몇 건", "how many a day on average".
    let counted_average = counted_average.or_else(|| {
        let how_many = scan.has(re!(
            r"몇\s*(?:건|번|개|회|줄)|건\s*수|(?:^|\s)수(?:\s|$|[?는를가은])|\bhow\s+many\b|\bnumber\s+of\b"
        ));
        let stretch = reading.query.groups.iter().any(Group::is_time);
        let average = scan.find(re!(r"평균(?:적으로)?|\bon\s+average\b|\baverages?\b"))?;
        (how_many && stretch).then_some(average)
    });
    let mut said: Vec<(usize, Stat)> = Vec::new();
    let mut field = lexicon::take_number_field(scan, vocabulary);
    let summed = field.as_ref().is_some_and(|field| matches!(field, Field::Meta(_)));
    while let Some(found) = scan.take(re!(
        r"\bp\s?(\d{2}(?:\.\d+)?)\b|\b(\d{2}(?:\.\d+)?)(?:th|st|nd|rd)?\s*[- ]?(?:번째\s*)?(?:percentiles?|백분위수?|퍼센타일|분위수?)|(?:percentile|백분위수?|퍼센타일)\s*(\d{2})|(중앙값|중간값|중위(?:값|수)?|\bmedian\b)|(평균(?:값|적(?:인|으로)?)?|\baverages?\b|\bmean\b|\bavg\b)|(표준\s*편차|\bstandard\s+deviations?\b|\bstddev\b|\bstd\s*dev\b)"
    )) {
        let number = [found.get(1), found.get(2), found.get(3)].concat();
        let word = if !number.is_empty() {
            number
        } else if found.has(4) {
            "median".into()
        } else if found.has(5) {
            "mean".into()
        } else {
            "stddev".into()
        };
        if let Some(stat) = stat(&word) {
            said.push((found.start, stat));
        }
    }
    if counted_average.is_some() && field.is_none() {
        // Of lines, not of a number: how many for each value; the groups say of what.
        reading.counted = true;
        reading.averaged = true;
        return;
    }
    if field.is_some() || !said.is_empty() {
        while let Some(found) = scan.take(re!(
            r"(최장|최댓값|최대값?|최대치|최고(?:값|치)?|\bmax(?:imum)?\b|\blongest\b|\bworst\b)|(최단|최솟값|최소값?|최소치|최저(?:값|치)?|\bmin(?:imum)?\b|\bshortest\b|\bfastest\b)"
        )) {
            said.push((found.start, if found.has(1) { Stat::Maximum } else { Stat::Minimum }));
        }
    }
    if field.is_some()
        && !summed
        && let Some(found) = scan.take(re!(r"합계|총합|합산|합(?:은|을|이|[\s?.,]|$)|\bsum\b"))
    {
        said.push((found.start, Stat::Sum));
    }
    if summed && let Some(found) = scan.take(re!(r"합계|총합|총액|총|합산|합|\bsum\b|\btotal\b")) {
        said.push((found.start, Stat::Sum));
    }
    if said.is_empty() {
        if let Some(field) = field.take() {
            // "응답시간이 가장 긴", "느린": by this number; alone, its average.
            reading.slowest |= reading.superlative
                || scan.has(re!(r"가장|제일|느린|오래|긴|높은|\bhighest\b|\blargest\b|\bslow"));
            let stat = if scan.has(re!(r"분포|\bdistribution\b")) { None } else { Some(Stat::Average) };
            if let Some(stat) = stat {
                reading.measure_of = Some((stat, field));
            }
        }
        return;
    }
    let mut field = field.unwrap_or_else(|| Field::column("duration_ms"));
    // The time of an external service is not that of the whole request.
    let external = reading.query.filter("external_api").is_some()
        || scan.has(re!(r"외부\s*(?:api|연동|서비스)|\bexternal[\s_]*(?:api|service|provider)"));
    if external && field == Field::column("duration_ms") && vocabulary.has_key("external_ms") {
        field = Field::Meta("external_ms".into());
    }
    said.sort_by_key(|(start, _)| *start);
    for (_, stat) in said {
        reading.measure(Measure::Stat(stat, field.clone()));
    }
}

pub(super) fn stat(word: &str) -> Option<Stat> {
    Some(match word {
        "평균" | "average" | "mean" | "avg" | "averages" => Stat::Average,
        "최대" | "최댓값" | "최대값" | "최고" | "max" | "maximum" | "longest" => Stat::Maximum,
        "최소" | "최솟값" | "최소값" | "min" | "minimum" | "shortest" => Stat::Minimum,
        "합계" | "총합" | "합" | "총" | "sum" | "total" => Stat::Sum,
        "표준편차" | "표준 편차" | "standard deviation" | "stddev" | "std" => Stat::Deviation,
        "중앙값" | "중간값" | "중위값" | "중위수" | "median" => Stat::Percentile(0.5),
        word => {
            let digits = word.trim_start_matches('p').trim_end_matches("th").trim();
            let part: f64 = digits.parse().ok()?;
            if !(0.0..100.0).contains(&part) {
                return None;
            }
            Stat::Percentile((part * 10.0).round() / 1000.0)
        }
    })
}
