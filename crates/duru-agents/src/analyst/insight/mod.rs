//! What a result says, in a few sentences that answer the question in its language. Every number in them is in the
//! result, or follows from it as `numbers::derived` says.

mod compared;
mod coverage;
mod groups;
mod over_time;
mod rows;
mod single;
mod topic;

use duru_sql::guard::Lang;
use duru_sql::{Answer, moment};
use serde_json::Value;

use self::topic::Figure;
pub(super) use self::topic::Topic;
use super::buckets::with_zeros;
use super::chart::{Chart, ChartKind, Role, role};

/// So many sentences are read.
const SENTENCES: usize = 4;

/// Two to four sentences on a result that has `count` rows in all, by the names of its columns alone.
pub fn insight(answer: &Answer, count: u64, lang: Lang) -> String {
    insight_on(answer, Chart::of(answer), count, &Topic::of_columns(answer, lang))
}

/// The same in the question's words, with the picture that is drawn of it: where nothing was written counts, too.
pub(super) fn insight_on(answer: &Answer, chart: Option<Chart>, count: u64, topic: &Topic) -> String {
    let filled = chart.as_ref().and_then(|chart| with_zeros(answer, chart));
    let count =
        filled.as_ref().map_or(count, |filled| count + (filled.rows.len() - answer.rows.len()) as u64);
    let answer = &legible(filled.as_ref().unwrap_or(answer));
    let mut sentences = match (chart, answer.rows.as_slice()) {
        (_, []) => nothing(topic),
        (None, [row]) if is_figures(answer) => single::sentences(answer, row, topic),
        (Some(chart), _) => match chart.kind {
            ChartKind::Line => over_time::sentences(answer, &chart, count, topic),
            ChartKind::Bar => groups::sentences(answer, &chart, count, topic),
        },
        (None, _) => rows::sentences(answer, count, topic),
    };
    sentences.truncate(SENTENCES);
    sentences.join(" ")
}

/// Whether a row is made of figures, and no row of a table.
fn is_figures(answer: &Answer) -> bool {
    let columns = || answer.columns.iter();
    let figures = columns().filter(|column| matches!(role(column), Role::Number | Role::Time)).count();
    columns().any(|column| role(column) == Role::Number)
        && figures * 2 >= answer.columns.len()
        && !columns().any(|column| column.name == "id")
        || columns().all(|column| matches!(column.name.as_str(), "first_at" | "last_at"))
}

/// The same with its moments as people write them.
fn legible(answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    let days = answer.only_days();
    for value in answer.rows.iter_mut().flatten() {
        if let Some(moment) = value.as_str().and_then(|text| moment(text, days)) {
            *value = Value::String(moment);
        }
    }
    answer
}

fn pick<T>(lang: Lang, ko: T, en: T) -> T {
    match lang {
        Lang::Ko => ko,
        Lang::En => en,
    }
}

fn nothing(topic: &Topic) -> Vec<String> {
    let (lang, rows) = (topic.lang, topic.rows(2));
    vec![
        pick(
            lang,
            format!("조건에 맞는 {} 없습니다.", topic::with_particle(&rows, ("이", "가"))),
            format!("No {rows} fit."),
        ),
        pick(
            lang,
            "기간을 넓히거나 조건을 줄여 다시 물어보세요.",
            "Ask again with a longer period or fewer conditions.",
        )
        .to_owned(),
    ]
}

/// Whether rows are missing: what is said of the others is said of those that are shown.
fn is_part(answer: &Answer, count: u64) -> bool {
    (answer.rows.len() as u64) < count
}

/// Whether the rows come in this order of a number, so that the first one is the first of all.
fn ordered(answer: &Answer, y: usize, descending: bool) -> bool {
    let values: Vec<f64> = answer.rows.iter().filter_map(|row| row.get(y)?.as_f64()).collect();
    values.len() == answer.rows.len()
        && values.windows(2).all(|pair| if descending { pair[0] >= pair[1] } else { pair[0] <= pair[1] })
}

/// Said before what holds only of the rows that are shown.
fn of_shown(part: bool, lang: Lang) -> &'static str {
    match (part, lang) {
        (false, _) => "",
        (true, Lang::Ko) => "보이는 행 가운데 ",
        (true, Lang::En) => "Of the rows shown, ",
    }
}

fn direction(from: f64, to: f64) -> (&'static str, &'static str) {
    match to.partial_cmp(&from) {
        Some(std::cmp::Ordering::Greater) => ("늘었습니다", "rose"),
        Some(std::cmp::Ordering::Less) => ("줄었습니다", "fell"),
        _ => ("그대로입니다", "is unchanged"),
    }
}

fn index(answer: &Answer, name: &str) -> Option<usize> {
    answer.columns.iter().position(|column| column.name == name)
}

/// What a row is called: its place in the picture.
fn name(answer: &Answer, chart: &Chart, row: &[Value], lang: Lang) -> String {
    let cell =
        |column: &str| index(answer, column).and_then(|at| row.get(at)).map(|value| shown(value, lang));
    let parts = [cell(&chart.x), chart.series.as_deref().and_then(cell)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What to do where a number tells of trouble.
fn advice(label: &str, lang: Lang) -> Option<String> {
    let label = label.to_lowercase();
    let (ko, en) = if label.contains("error") || label.contains("fail") {
        (
            "높은 쪽의 오류 유형과 직전 배포를 먼저 확인해 보세요.",
            "Look at the error types and the last release of the highest first.",
        )
    } else if ["p50", "p9", "avg", "duration", "ms"].iter().any(|word| label.contains(word)) {
        (
            "느린 쪽의 경로와 외부 호출을 먼저 확인해 보세요.",
            "Look at the paths and outside calls of the slowest first.",
        )
    } else {
        return None;
    };
    Some(pick(lang, ko, en).to_owned())
}

fn rows_of(answer: &Answer, topic: &Topic) -> Vec<String> {
    rows::sentences(answer, answer.rows.len() as u64, topic)
}

/// A value as people read it.
pub(super) fn shown(value: &Value, lang: Lang) -> String {
    match value {
        Value::Null => pick(lang, "없음".into(), "none".into()),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_u64() {
            Some(whole) => grouped(whole),
            None => rounded(number),
        },
        other => other.to_string(),
    }
}

/// Three places are enough for people.
fn rounded(number: &serde_json::Number) -> String {
    match number.as_f64() {
        Some(value) if number.is_f64() => {
            let text = format!("{value:.3}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => number.to_string(),
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The same of digits.
fn grouped_text(digits: &str) -> String {
    match digits.parse() {
        Ok(whole) => grouped(whole),
        Err(_) => digits.to_owned(),
    }
}

#[cfg(test)]
mod tests;
