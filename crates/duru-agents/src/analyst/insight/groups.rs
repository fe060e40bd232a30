//! Groups: which has the most, who shares that place, and of what it is how much.

use duru_sql::Answer;
use serde_json::Value;

use super::coverage::CountedRows;
use super::topic::{Figure, Topic, with_particle};
use super::{advice, grouped, index, is_part, name, of_shown, ordered, pick, rows_of, shown};
use crate::analyst::chart::Chart;
use crate::analyst::numbers;

/// So many that share a place are named.
const NAMED: usize = 3;

pub(super) fn sentences(answer: &Answer, chart: &Chart, count: u64, topic: &Topic) -> Vec<String> {
    let lang = topic.lang;
    let Some((label, y)) = chart.y.first().and_then(|y| Some((y, index(answer, y)?))) else {
        return rows_of(answer, topic);
    };
    let Some((high, low)) = ends(answer, y) else { return rows_of(answer, topic) };
    let part = is_part(answer, count);
    let firsts = at(answer, y, high);
    let amount = |row: &[Value]| topic.with_unit(y, &row.get(y).map(|v| shown(v, lang)).unwrap_or_default());
    // Of a part in order, those that follow are no higher, but one may be as high as the last one shown.
    let unordered = part && !ordered(answer, y, true);
    let first = of_shown(unordered, lang);
    let mut sentences = Vec::new();
    if high == low && !part && answer.rows.len() > 1 {
        let count = grouped(answer.rows.len() as u64);
        let value = amount(firsts[0]);
        return vec![pick(
            lang,
            format!("{count}개 항목이 모두 같습니다 (각각 {value})."),
            format!("All {count} have the same {} ({value} each).", topic.label(y)),
        )];
    }
    sentences.extend(top(&firsts, answer, chart, y, topic).map(|said| format!("{first}{said}")));
    if firsts.len() == 1 {
        sentences.extend(part_of_sum(answer, y, firsts[0], count, topic));
    }
    sentences.extend(grown(answer, chart, y, count, topic));
    // What is lowest may not be shown.
    let lasts = at(answer, y, low);
    if (!part || ordered(answer, y, false)) && lasts.len() == 1 {
        let (who, value) = (name(answer, chart, lasts[0], lang), amount(lasts[0]));
        let (ko, en) = least(topic.figure(y));
        sentences.push(pick(
            lang,
            format!("{ko} 것은 {who}({value})입니다."),
            format!("{who} has the {en} ({value})."),
        ));
    }
    sentences.extend(advice(label, lang));
    sentences
}

/// Of how many the first has how much: of all rows only where nothing kept any out.
fn part_of_sum(answer: &Answer, y: usize, first: &[Value], count: u64, topic: &Topic) -> Option<String> {
    // Numbers that a table has of its own, such as its greatest ones, add up to nothing.
    if !matches!(topic.figure(y), Figure::Count(_)) {
        return None;
    }
    let (sum, share) = numbers::share(answer, y, first, count)?;
    let (what, fit) = (topic.counted(y, sum), if sum == 1 { "fits" } else { "fit" });
    let sum = grouped(sum);
    let (ko, en) = match topic.rows_of(y) {
        _ if !topic.has_all_groups => {
            (format!("표에 보이는 항목을 더한 {sum}건"), format!("the {sum} that the rows shown add up to"))
        }
        CountedRows::All => (format!("전체 {what} {sum}건"), format!("all {sum} {what}")),
        CountedRows::Fitting | CountedRows::Unknown => {
            (format!("조건에 맞는 {what} {sum}건"), format!("the {sum} {what} that {fit}"))
        }
    };
    Some(pick(topic.lang, format!("{ko}의 {share}%입니다."), format!("That is {share} % of {en}.")))
}

/// Who is first, alone or with others.
fn top(firsts: &[&Vec<Value>], answer: &Answer, chart: &Chart, y: usize, topic: &Topic) -> Option<String> {
    let lang = topic.lang;
    let value = firsts.first()?.get(y).map(|value| topic.with_unit(y, &shown(value, lang)))?;
    let names: Vec<String> = firsts.iter().take(NAMED).map(|row| name(answer, chart, row, lang)).collect();
    let (ko, en) = most(topic.figure(y));
    let what = match topic.figure(y) {
        Figure::Count(_) => topic.counted(y, 2),
        _ => topic.label(y),
    };
    let group = topic.group.as_deref().map(|group| format!("{group} 가운데 ")).unwrap_or_default();
    let said = match (names.as_slice(), firsts.len()) {
        ([one], 1) => pick(
            lang,
            match topic.figure(y) {
                Figure::Count(_) => format!("{group}{} {ko} ({value}).", with_particle(one, ("이", "가"))),
                _ => format!(
                    "{group}{} 가장 높은 것은 {one}({value})입니다.",
                    with_particle(&what, ("이", "가"))
                ),
            },
            format!("{one} has the {en} {what} ({value})."),
        ),
        (names, all) if all > NAMED => pick(
            lang,
            format!("{group}{} 등 {all}개가 똑같이 {ko} (각각 {value}).", names.join(", ")),
            format!("{} and others, {all} in all, tie for the {en} {what} ({value} each).", names.join(", ")),
        ),
        (names, _) => pick(
            lang,
            format!("{group}{} 똑같이 {ko} (각각 {value}).", with_particle(&names.join(", "), ("이", "가"))),
            format!("{} tie for the {en} {what} ({value} each).", names.join(" and ")),
        ),
    };
    Some(said)
}

fn most(figure: &Figure) -> (&'static str, &'static str) {
    match figure {
        Figure::Count(_) => ("가장 많습니다", "most"),
        _ => ("가장 높습니다", "highest"),
    }
}

fn least(figure: &Figure) -> (&'static str, &'static str) {
    match figure {
        Figure::Count(_) => ("가장 적은", "fewest"),
        _ => ("가장 낮은", "lowest"),
    }
}

/// Of two periods, which group grew most.
fn grown(answer: &Answer, chart: &Chart, y: usize, count: u64, topic: &Topic) -> Option<String> {
    let lang = topic.lang;
    let (now, before) = numbers::periods(answer).into_iter().find(|(now, _)| *now == y)?;
    let by = |row: &Vec<Value>| Some(row.get(now)?.as_f64()? - row.get(before)?.as_f64()?);
    let rows = answer.rows.iter().filter_map(|row| Some((by(row)?, row))).filter(|(by, _)| *by > 0.0);
    let (most, row) = rows.reduce(|best, row| if row.0 > best.0 { row } else { best })?;
    if answer.rows.iter().filter(|row| by(row) == Some(most)).count() > 1 {
        return None;
    }
    let amount = |at: usize| topic.with_unit(at, &row.get(at).map(|v| shown(v, lang)).unwrap_or_default());
    let (first, who) = (of_shown(is_part(answer, count), lang), name(answer, chart, row, lang));
    Some(pick(
        lang,
        format!("{first}가장 많이 늘어난 것은 {who}({} → {})입니다.", amount(before), amount(now)),
        format!("{first}{who} grew most ({} to {}).", amount(before), amount(now)),
    ))
}

/// The highest and the lowest number.
pub(super) fn ends(answer: &Answer, y: usize) -> Option<(f64, f64)> {
    let numbers = || answer.rows.iter().filter_map(|row| row.get(y)?.as_f64());
    Some((numbers().reduce(f64::max)?, numbers().reduce(f64::min)?))
}

/// The rows with this number.
pub(super) fn at(answer: &Answer, y: usize, number: f64) -> Vec<&Vec<Value>> {
    answer.rows.iter().filter(|row| row.get(y).and_then(Value::as_f64) == Some(number)).collect()
}
