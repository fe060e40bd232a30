//! What a result says, in a few sentences. Every number in them is in the result, or follows from
//! it as `numbers::derived` says.

use duru_sql::guard::Lang;
use duru_sql::{Answer, moment};
use serde_json::Value;

use super::buckets::with_zeros;
use super::chart::{Chart, ChartKind, Role, role};
use super::numbers;

/// So many sentences are read.
const SENTENCES: usize = 4;

/// Who wrote which rows mostly, worth a sentence.
const TELLING: [&str; 3] = ["service", "error_type", "level"];

/// Two to four sentences on a result that has `count` rows in all.
pub fn insight(answer: &Answer, count: u64, lang: Lang) -> String {
    insight_on(answer, Chart::of(answer), count, lang)
}

/// The same with the picture that is drawn of it: where nothing was written counts, too.
pub(super) fn insight_on(answer: &Answer, chart: Option<Chart>, count: u64, lang: Lang) -> String {
    let filled = chart.as_ref().and_then(|chart| with_zeros(answer, chart));
    let count =
        filled.as_ref().map_or(count, |filled| count + (filled.rows.len() - answer.rows.len()) as u64);
    let answer = &legible(filled.as_ref().unwrap_or(answer));
    let mut sentences = match (chart, answer.rows.as_slice()) {
        (_, []) => nothing(lang),
        (None, [row]) if answer.columns.iter().any(|column| role(column) == Role::Number) => {
            one(answer, row, lang)
        }
        (Some(chart), _) => match chart.kind {
            ChartKind::Line => over_time(answer, &chart, count, lang),
            ChartKind::Bar => groups(answer, &chart, count, lang),
        },
        (None, _) => rows(answer, count, lang),
    };
    sentences.truncate(SENTENCES);
    sentences.join(" ")
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

fn pick(lang: Lang, ko: String, en: String) -> String {
    match lang {
        Lang::Ko => ko,
        Lang::En => en,
    }
}

/// What a column of numbers is called in a Korean sentence; one that a person named keeps its name.
fn in_korean(label: &str) -> &str {
    match label {
        "count" => "건수",
        "error_rate" => "에러율",
        "average" => "평균",
        "cumulative" => "누적",
        other => other,
    }
}

fn nothing(lang: Lang) -> Vec<String> {
    vec![
        pick(lang, "조건에 맞는 로그가 없습니다.".into(), "No log line fits.".into()),
        pick(
            lang,
            "기간을 넓히거나 조건을 줄여 다시 물어보세요.".into(),
            "Ask again with a longer period or fewer conditions.".into(),
        ),
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

/// What a figure of a comparison is called: of this period, or of the one it is compared with.
fn period_in_korean(name: &str) -> String {
    match (name.strip_suffix("_now"), name.strip_suffix("_before")) {
        (Some(what), _) => format!("이번 기간 {}", in_korean(what)),
        (_, Some(what)) => format!("비교 기간 {}", in_korean(what)),
        _ => name.to_owned(),
    }
}

/// One row of numbers.
fn one(answer: &Answer, row: &[Value], lang: Lang) -> Vec<String> {
    let cells: Vec<String> = answer
        .columns
        .iter()
        .zip(row)
        .map(|(column, value)| {
            let name = pick(lang, period_in_korean(&column.name), column.name.clone());
            format!("{name} {}", shown(value, lang))
        })
        .collect();
    let cells = cells.join(", ");
    let mut sentences = vec![pick(lang, format!("결과는 {cells}입니다."), format!("The result is {cells}."))];
    for (now, before) in numbers::periods(answer) {
        sentences.extend(changed(row.get(now), row.get(before), lang));
    }
    if row.iter().all(|value| value.is_null() || value.as_f64() == Some(0.0)) {
        sentences.push(pick(
            lang,
            "이 조건에 해당하는 로그가 없다는 뜻입니다.".into(),
            "No log line fits these conditions.".into(),
        ));
    }
    sentences
}

/// How a figure changed from the earlier period to the later.
fn changed(now: Option<&Value>, before: Option<&Value>, lang: Lang) -> Option<String> {
    let (now, before) = (now?.as_f64()?, before?.as_f64()?);
    let (ko, en) = direction(before, now);
    let by = numbers::change(now, before)
        .map(|percent| pick(lang, format!(" {percent}%"), format!(" by {percent} %")));
    let by = by.filter(|_| now != before).unwrap_or_default();
    Some(pick(lang, format!("이전 기간보다{by} {ko}."), format!("Against the period before it {en}{by}.")))
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

/// The rows with the highest and the lowest number.
fn extremes(answer: &Answer, y: usize) -> Option<(&Vec<Value>, &Vec<Value>)> {
    let numbered = || answer.rows.iter().filter_map(|row| Some((row.get(y)?.as_f64()?, row)));
    let high = numbered().reduce(|best, row| if row.0 > best.0 { row } else { best })?;
    let low = numbered().reduce(|best, row| if row.0 < best.0 { row } else { best })?;
    Some((high.1, low.1))
}

/// What a row is called: its place in the picture.
fn name(answer: &Answer, chart: &Chart, row: &[Value], lang: Lang) -> String {
    let cell =
        |column: &str| index(answer, column).and_then(|at| row.get(at)).map(|value| shown(value, lang));
    let parts = [cell(&chart.x), chart.series.as_deref().and_then(cell)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn over_time(answer: &Answer, chart: &Chart, count: u64, lang: Lang) -> Vec<String> {
    let Some((label, y)) = chart.y.first().and_then(|y| Some((y, index(answer, y)?))) else {
        return rows_of(answer, lang);
    };
    let Some((high, low)) = extremes(answer, y) else { return rows_of(answer, lang) };
    let value = |row: &[Value]| row.get(y).map(|value| shown(value, lang)).unwrap_or_default();
    let at = |row: &[Value]| name(answer, chart, row, lang);
    let part = is_part(answer, count);
    if value(high) == value(low) && !part {
        return vec![pick(
            lang,
            format!("전 구간에서 {} 값이 {}로 같습니다.", in_korean(label), value(high)),
            format!("{label} is {} throughout.", value(high)),
        )];
    }
    let mut sentences = vec![pick(
        lang,
        format!(
            "{}{} 값이 가장 높은 때는 {}({}), 가장 낮은 때는 {}({})입니다.",
            of_shown(part, lang),
            in_korean(label),
            at(high),
            value(high),
            at(low),
            value(low)
        ),
        format!(
            "{}{label} peaks at {} ({}) and is lowest at {} ({}).",
            of_shown(part, lang),
            at(high),
            value(high),
            at(low),
            value(low)
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
        format!("처음과 끝을 비교하면 {first}에서 {last}로 {ko}."),
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
        sentences.push(pick(lang, ko.into(), en.into()));
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

fn groups(answer: &Answer, chart: &Chart, count: u64, lang: Lang) -> Vec<String> {
    let Some((label, y)) = chart.y.first().and_then(|y| Some((y, index(answer, y)?))) else {
        return rows_of(answer, lang);
    };
    let Some((high, low)) = extremes(answer, y) else { return rows_of(answer, lang) };
    let value = |row: &[Value]| row.get(y).map(|value| shown(value, lang)).unwrap_or_default();
    let at = |row: &[Value]| name(answer, chart, row, lang);
    let part = is_part(answer, count);
    let first = of_shown(part && !ordered(answer, y, true), lang);
    let mut sentences = vec![pick(
        lang,
        format!("{first}{} 값이 가장 큰 항목은 {}({})입니다.", in_korean(label), at(high), value(high)),
        format!("{first}{} has the highest {label} ({}).", at(high), value(high)),
    )];
    if let Some((sum, share)) = numbers::share(answer, y, high, count) {
        let sum = grouped(sum);
        sentences.push(pick(
            lang,
            format!("전체 {sum}의 {share}%를 차지합니다."),
            format!("That is {share} % of all {sum}."),
        ));
    }
    if let Some((now, before)) = numbers::periods(answer).into_iter().find(|(now, _)| *now == y) {
        let grown = |row: &&Vec<Value>| Some(row.get(now)?.as_f64()? - row.get(before)?.as_f64()?);
        let most = answer.rows.iter().filter(|row| grown(row).is_some_and(|by| by > 0.0));
        if let Some(row) =
            most.max_by(|a, b| grown(a).partial_cmp(&grown(b)).unwrap_or(std::cmp::Ordering::Equal))
        {
            let earlier = row.get(before).map(|value| shown(value, lang)).unwrap_or_default();
            sentences.push(pick(
                lang,
                format!(
                    "{}가장 많이 늘어난 항목은 {}({earlier}에서 {}로)입니다.",
                    of_shown(part, lang),
                    at(row),
                    value(row)
                ),
                format!("{}{} grew most ({earlier} to {}).", of_shown(part, lang), at(row), value(row)),
            ));
        }
    }
    // What is lowest may not be shown.
    let lowest = !part || ordered(answer, y, false);
    if lowest && value(high) == value(low) {
        sentences.push(pick(lang, "모든 항목의 값이 같습니다.".into(), "All have the same value.".into()));
    } else if lowest {
        sentences.push(pick(
            lang,
            format!("가장 작은 항목은 {}({})입니다.", at(low), value(low)),
            format!("{} has the lowest ({}).", at(low), value(low)),
        ));
    }
    sentences.extend(advice(label, lang));
    sentences
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
    Some(pick(lang, ko.into(), en.into()))
}

fn rows_of(answer: &Answer, lang: Lang) -> Vec<String> {
    rows(answer, answer.rows.len() as u64, lang)
}

fn rows(answer: &Answer, count: u64, lang: Lang) -> Vec<String> {
    let mut sentences = vec![pick(lang, format!("{}건을 찾았습니다.", grouped(count)), {
        let lines = if count == 1 { "line" } else { "lines" };
        format!("{} {lines} found.", grouped(count))
    })];
    let part = is_part(answer, count);
    for column in TELLING {
        if let Some(word) = index(answer, column).and_then(|at| most(answer, at)) {
            sentences.push(pick(
                lang,
                format!("{}{column} 중에서는 {word}이(가) 가장 많습니다.", of_shown(part, lang)),
                format!(
                    "{} have the {column} {word}.",
                    if part { "Most of the rows shown" } else { "Most of them" }
                ),
            ));
            break;
        }
    }
    if let Some(at) = index(answer, "created_at") {
        let times: Vec<&str> = answer.rows.iter().filter_map(|row| row.get(at)?.as_str()).collect();
        // Of a part in another order, the newest need not be there.
        if let Some(newest) = times.iter().max().filter(|newest| !part || times.first() == Some(newest)) {
            sentences.push(pick(
                lang,
                format!("가장 최근 기록은 {newest}입니다."),
                format!("The newest is of {newest}."),
            ));
        }
    }
    sentences
}

/// The word that most of the rows have, if there are several words and one wins.
fn most(answer: &Answer, at: usize) -> Option<&str> {
    let mut words: Vec<&str> = answer.rows.iter().filter_map(|row| row.get(at)?.as_str()).collect();
    words.sort_unstable();
    let mut runs: Vec<(usize, &str)> = words.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0])).collect();
    runs.sort_unstable_by(|a, b| b.cmp(a));
    match runs.as_slice() {
        [(most, word), (next, _), ..] if most > next => Some(word),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::super::numbers::invented;
    use super::super::testing::answer;
    use super::*;

    fn all() -> Vec<Answer> {
        vec![
            answer("count:bigint", &["12345"]),
            answer("count:bigint", &["0"]),
            answer(
                "hour:timestamp errors:bigint",
                &["2026-01-01T00:00:00+09:00 3", "2026-01-01T01:00:00+09:00 4"],
            ),
            answer("service:text p95_ms:double", &["a 3.25", "b 4.5", "c -"]),
            answer("service:text n:bigint", &["a 3", "b 3"]),
            answer(
                "created_at:timestamp service:text message:text",
                &["2026-01-01T00:00:00Z a x", "2026-01-01T00:00:01Z a y", "2026-01-01T00:00:02Z b z"],
            ),
            answer("service:text n:bigint", &[]),
            answer("service:text count:bigint", &["a 30", "b 60", "c 10"]),
            answer("count_now:bigint count_before:bigint", &["30 24"]),
            answer(
                "hour:timestamp count:bigint",
                &[
                    "2026-01-01T00:00:00Z 3",
                    "2026-01-01T01:00:00Z 4",
                    "2026-01-01T02:00:00Z 5",
                    "2026-01-01T03:00:00Z 7",
                    "2026-01-01T04:00:00Z 9",
                    "2026-01-01T05:00:00Z 8",
                ],
            ),
        ]
    }

    #[test]
    fn every_number_is_in_the_result() {
        for answer in all() {
            for lang in [Lang::Ko, Lang::En] {
                let text = insight(&answer, answer.rows.len() as u64, lang);
                assert_eq!(
                    invented(&text, "", &answer, answer.rows.len() as u64),
                    Vec::<String>::new(),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn of_a_part_only_what_holds_of_the_whole_is_said_of_it() {
        // 3 of 9 rows, the highest first: what comes after is lower still.
        let sorted = answer("service:text error_rate:double", &["a 30.5", "b 20.5", "c 10.5"]);
        let text = insight(&sorted, 9, Lang::Ko);
        assert!(text.starts_with("에러율 값이 가장 큰 항목은 a(30.5)입니다."), "{text}");
        assert!(!text.contains("가장 작은"), "{text}");
        // In another order a higher one may follow.
        let loose = answer("service:text error_rate:double", &["a 10.5", "b 30.5", "c 20.5"]);
        assert!(insight(&loose, 9, Lang::En).starts_with("Of the rows shown, b has the highest"));
        let lines = &all()[5];
        let text = insight(lines, 900, Lang::Ko);
        assert!(text.contains("보이는 행 가운데 service 중에서는 a"), "{text}");
        assert!(!text.contains("가장 최근 기록"), "{text}");
        let times = &all()[9];
        let text = insight(times, 900, Lang::En);
        assert!(text.starts_with("Of the rows shown, count peaks") && !text.contains("the last"), "{text}");
    }

    #[test]
    fn it_says_what_stands_out() {
        let text = |at: usize| insight(&all()[at], all()[at].rows.len() as u64, Lang::Ko);
        assert_eq!(text(0), "결과는 count 12,345입니다.");
        assert!(text(2).contains("2026-01-01 01:00(4)") && text(2).contains("늘었습니다"), "{}", text(2));
        assert!(text(3).starts_with("p95_ms 값이 가장 큰 항목은 b(4.5)입니다."), "{}", text(3));
        assert!(text(5).starts_with("3건을 찾았습니다. service 중에서는 a"), "{}", text(5));
        assert!(insight(&all()[6], 0, Lang::En).starts_with("No log line fits."));
        assert!(text(7).contains("전체 100의 60%"), "{}", text(7));
        assert!(text(8).contains("이전 기간보다 25% 늘었습니다."), "{}", text(8));
        assert!(text(9).contains("오르는 흐름"), "{}", text(9));
    }
}
