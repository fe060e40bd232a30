//! Which numbers a text claims, and whether a result has them.

use std::collections::HashSet;

use duru_sql::Answer;
use serde_json::Value;

/// Numbers in `text` that are neither in the result nor its count of rows, nor derived from it, nor in the question:
/// whoever asks for the five slowest may be told of the five slowest.
pub fn invented(text: &str, question: &str, answer: &Answer, count: u64) -> Vec<String> {
    let mut known: HashSet<String> = HashSet::from([count.to_string(), answer.rows.len().to_string()]);
    known.extend(numbers(question));
    known.extend(derived(answer, count).iter().map(|number| plain(number)));
    for column in &answer.columns {
        known.extend(numbers(&column.name));
    }
    for value in answer.rows.iter().flatten() {
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::String(text) => known.extend(numbers(text)),
            Value::Number(number) => {
                let exact = number.to_string();
                if let Some(number) = number.as_f64() {
                    // People round, and leave the sign to a word.
                    known.extend((0..=3).map(|places| plain(&format!("{:.places$}", number.abs()))));
                }
                known.insert(plain(&exact));
            }
            nested => known.extend(numbers(&nested.to_string())),
        }
    }
    numbers(text).into_iter().filter(|number| !known.contains(number)).collect()
}

/// What may be said of a result though it stands nowhere in it, and nothing else: the sum of a column
/// of counts and each row's share of it, by how much and by how many of a hundred a figure of two periods changed, and
/// how many rows share the highest or the lowest place.
pub(super) fn derived(answer: &Answer, count: u64) -> Vec<String> {
    let mut all = Vec::new();
    for column in 0..answer.columns.len() {
        for row in &answer.rows {
            if let Some((sum, share)) = share(answer, column, row, count) {
                all.extend([sum.to_string(), share]);
            }
        }
    }
    for (now, before) in periods(answer) {
        let both = |row: &Vec<Value>| change(row.get(now)?.as_f64()?, row.get(before)?.as_f64()?);
        all.extend(answer.rows.iter().filter_map(both));
        let by = |row: &Vec<Value>| Some(difference(row.get(now)?.as_f64()?, row.get(before)?.as_f64()?));
        all.extend(answer.rows.iter().filter_map(by));
    }
    for column in 0..answer.columns.len() {
        let numbers = || answer.rows.iter().filter_map(|row| row.get(column)?.as_f64());
        let ends = [numbers().reduce(f64::max), numbers().reduce(f64::min)].into_iter().flatten();
        let shared = ends.map(|end| numbers().filter(|number| *number == end).count());
        all.extend(shared.filter(|count| *count > 1).map(|count| count.to_string()));
    }
    all
}

/// By how much two figures differ, without the sign.
pub(super) fn difference(now: f64, before: f64) -> String {
    plain(&format!("{:.3}", (now - before).abs()))
}

/// The sum of a column of counts, and of how many of a hundred this row is. Only where the whole
/// result is there, and where a sum means something: not of rates and averages.
pub(super) fn share(answer: &Answer, column: usize, row: &[Value], count: u64) -> Option<(u64, String)> {
    let name = &answer.columns.get(column)?.name;
    let whole = answer.rows.len() as u64 == count && count > 1;
    if !whole || !(name == "count" || name.ends_with("_count") || name == "count_now") {
        return None;
    }
    let value = |row: &[Value]| row.get(column).and_then(Value::as_u64);
    let sum: u64 = answer.rows.iter().filter_map(|row| value(row)).sum();
    let part = value(row)?;
    (sum > 0).then(|| (sum, rounded(100.0 * part as f64 / sum as f64)))
}

/// Which columns hold the figures of a later and an earlier period.
pub(super) fn periods(answer: &Answer) -> Vec<(usize, usize)> {
    let place = |name: &str| answer.columns.iter().position(|column| column.name == name);
    let pair = |(at, column): (usize, &duru_sql::Column)| {
        Some((at, place(&format!("{}_before", column.name.strip_suffix("_now")?))?))
    };
    answer.columns.iter().enumerate().filter_map(pair).collect()
}

/// By how many of a hundred, without the sign.
pub(super) fn change(now: f64, before: f64) -> Option<String> {
    (before > 0.0).then(|| rounded(100.0 * (now - before).abs() / before))
}

fn rounded(percent: f64) -> String {
    plain(&format!("{percent:.1}"))
}

/// The numbers in a text, without separators of thousands and idle zeros.
fn numbers(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if !chars[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < chars.len()
            && (chars[at].is_ascii_digit()
                || (matches!(chars[at], ',' | '.') && chars.get(at + 1).is_some_and(char::is_ascii_digit)))
        {
            at += 1;
        }
        let number: String = chars[start..at].iter().collect();
        // Commas that don't part thousands part numbers.
        let thousands = number.split(',').skip(1).all(|part| part.split('.').next().map_or(0, str::len) == 3);
        if thousands {
            found.push(plain(&number.replace(',', "")));
        } else {
            found.extend(number.split(',').map(plain));
        }
    }
    found
}

fn plain(number: &str) -> String {
    let number = number.trim_start_matches('-');
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let whole = whole.trim_start_matches('0');
    let (whole, part) = (if whole.is_empty() { "0" } else { whole }, part.trim_end_matches('0'));
    if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::testing::answer;

    #[test]
    fn a_number_from_nowhere_is_found() {
        let result = answer("service:text p95:double", &["api-2 1234.567", "b 5.0"]);
        let claims = |text: &str| invented(text, "", &result, 2);
        assert!(claims("api-2의 p95는 1,234.57ms, b는 5, 모두 2건").is_empty());
        assert_eq!(claims("약 30 % 높고 1,235, 7건"), ["30", "7"]);
        assert_eq!(claims("1,2,9"), ["1", "9"]);
        let asked = "최근 3시간의 500 에러";
        assert!(invented("최근 3시간의 500 에러는 2건입니다.", asked, &result, 2).is_empty());
        assert_eq!(invented("최근 4시간의 에러는 2건입니다.", asked, &result, 2), ["4"]);
    }
}
