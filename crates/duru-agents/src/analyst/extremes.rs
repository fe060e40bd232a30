//! Whether what a text calls the most or the least is that.

use duru_sql::Answer;
use serde_json::Value;

use super::chart::{Role, role};
use crate::meaning::sentences;

const MOST: [&str; 11] = [
    "가장 많",
    "가장 높",
    "가장 큰",
    "가장 크",
    "가장 길",
    "가장 느",
    "the most",
    "the highest",
    "the largest",
    "the longest",
    "the slowest",
];
const LEAST: [&str; 10] = [
    "가장 적",
    "가장 낮",
    "가장 작",
    "가장 짧",
    "가장 빠",
    "the fewest",
    "the least",
    "the lowest",
    "the smallest",
    "the shortest",
];

/// Whether every sentence that calls one of the result's groups the most or the least has it right in some column.
/// What names no group, or several, is not judged.
pub(super) fn says_extremes(text: &str, answer: &Answer) -> bool {
    let Some(names) = answer.columns.iter().position(|column| role(column) != Role::Number) else {
        return true;
    };
    let name = |row: &Vec<Value>| row.get(names).and_then(Value::as_str).map(str::to_lowercase);
    let groups: Vec<(String, &Vec<Value>)> =
        answer.rows.iter().filter_map(|row| Some((name(row)?, row))).collect();
    let figures = (0..answer.columns.len()).filter(|at| role(&answer.columns[*at]) == Role::Number);
    let figures: Vec<usize> = figures.collect();
    text.lines().flat_map(sentences).all(|sentence| {
        let sentence = sentence.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| sentence.contains(word));
        let largest = match (has(&MOST), has(&LEAST)) {
            (true, false) => true,
            (false, true) => false,
            _ => return true,
        };
        let mut named =
            groups.iter().filter(|(name, _)| !name.is_empty() && sentence.contains(name.as_str()));
        let (Some((_, row)), None) = (named.next(), named.next()) else { return true };
        figures.is_empty() || figures.iter().any(|at| is_extreme(row, *at, &groups, largest))
    })
}

fn is_extreme(row: &[Value], at: usize, groups: &[(String, &Vec<Value>)], largest: bool) -> bool {
    let Some(value) = row.get(at).and_then(Value::as_f64) else { return false };
    let mut all = groups.iter().filter_map(|(_, row)| row.get(at)?.as_f64());
    if largest { all.all(|other| other <= value) } else { all.all(|other| other >= value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::testing::answer;

    #[test]
    fn the_most_is_the_most() {
        let result = answer("service:text count:bigint", &["payment-api 152", "order-api 40", "web-app 3"]);
        for (text, holds) in [
            ("payment-api가 152건으로 가장 많습니다. web-app은 3건입니다.", true),
            ("order-api가 40건으로 가장 많습니다.", false),
            ("web-app이 가장 적습니다.", true),
            ("payment-api has the fewest errors.", false),
            ("payment-api has the most errors.", true),
            ("에러가 가장 많은 시간대를 살펴보세요.", true),
        ] {
            assert_eq!(says_extremes(text, &result), holds, "{text}");
        }
    }
}
