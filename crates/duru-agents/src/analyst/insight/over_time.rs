//! Figures over time: when they peak, and where they go.

use duru_sql::Answer;
use duru_sql::guard::Lang;
use serde_json::Value;

use super::topic::Topic;
use super::{Figure, advice, direction, groups, index, is_part, name, of_shown, pick, rows_of, shown};
use crate::analyst::chart::Chart;

pub(super) fn sentences(answer: &Answer, chart: &Chart, count: u64, topic: &Topic) -> Vec<String> {
    let lang = topic.lang;
    let Some((label, y)) = chart.y.first().and_then(|y| Some((y, index(answer, y)?))) else {
        return rows_of(answer, topic);
    };
    let Some((high, low)) = groups::ends(answer, y) else { return rows_of(answer, topic) };
    let (highs, lows) = (groups::at(answer, y, high), groups::at(answer, y, low));
    let value =
        |row: &[Value]| topic.with_unit(y, &row.get(y).map(|value| shown(value, lang)).unwrap_or_default());
    let (most, least) = (value(highs[0]), value(lows[0]));
    let part = is_part(answer, count);
    let what = topic.label(y);
    if high == low && !part {
        return vec![pick(
            lang,
            format!("전 구간에서 {} 같습니다 ({most}).", super::topic::with_particle(&what, ("이", "가"))),
            format!("The {what} is the same throughout ({most})."),
        )];
    }
    let when = |rows: &[&Vec<Value>]| {
        let first = name(answer, chart, rows[0], lang);
        match rows.len() {
            1 => first,
            all => pick(lang, format!("{first} 등 {all}번"), format!("{first}, {all} times in all,")),
        }
    };
    let (ko_most, ko_least) = match topic.figure(y) {
        Figure::Count(_) => ("가장 많은", "가장 적은"),
        _ => ("가장 높은", "가장 낮은"),
    };
    let shown_only = of_shown(part, lang);
    let the = if shown_only.is_empty() { "The" } else { "the" };
    let mut sentences = vec![pick(
        lang,
        format!(
            "{shown_only}{} {ko_most} 때는 {}({most}), {ko_least} 때는 {}({least})입니다.",
            super::topic::with_particle(&what, ("이", "가")),
            when(&highs),
            when(&lows),
        ),
        format!(
            "{shown_only}{the} {what} peaks at {} ({most}) and is lowest at {} ({least}).",
            when(&highs),
            when(&lows),
        ),
    )];
    // Several series have no common way, and the last row that is shown need not be the last.
    if chart.series.is_none() && !part {
        sentences.extend(way(answer, y, lang));
    }
    sentences.extend(advice(label, lang));
    sentences
}

/// From the first to the last, as a whole, and lately.
fn way(answer: &Answer, y: usize, lang: Lang) -> Vec<String> {
    let values: Vec<(f64, String)> = answer
        .rows
        .iter()
        .filter_map(|row| row.get(y).and_then(|value| Some((value.as_f64()?, shown(value, lang)))))
        .collect();
    let ([(from, first), ..], [.., (to, last)]) = (values.as_slice(), values.as_slice()) else {
        return Vec::new();
    };
    let (ko, en) = direction(*from, *to);
    let mut sentences = vec![pick(
        lang,
        format!("처음과 끝을 비교하면 {ko} ({first} → {last})."),
        format!("From the first to the last it {en}: {first} to {last}."),
    )];
    if values.len() >= 6 {
        // Whether it is a trend or a single peak.
        let (early, late) = values.split_at(values.len() / 2);
        let mean =
            |part: &[(f64, String)]| part.iter().map(|(value, _)| value).sum::<f64>() / part.len() as f64;
        let (early, late) = (mean(early), mean(late));
        let (ko, en) = if late > early * 1.1 {
            (
                "뒤쪽 절반이 앞쪽 절반보다 대체로 높아 오르는 흐름입니다.",
                "The later half is higher on the whole: it is rising.",
            )
        } else if late < early * 0.9 {
            (
                "뒤쪽 절반이 앞쪽 절반보다 대체로 낮아 내리는 흐름입니다.",
                "The later half is lower on the whole: it is falling.",
            )
        } else {
            ("앞뒤 절반의 수준은 비슷합니다.", "Both halves are about the same.")
        };
        sentences.push(pick(lang, ko, en).to_owned());
    } else if let [.., (before, shown), (now, _)] = values.as_slice()
        && values.len() > 2
    {
        let (ko, en) = direction(*before, *now);
        sentences.push(pick(
            lang,
            format!("마지막 값은 바로 앞({shown})보다 {ko}."),
            format!("Against the one before ({shown}) the last {en}."),
        ));
    }
    sentences
}
