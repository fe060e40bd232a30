//! What a passage tells, sentence by sentence; a row of a table is one, too.

use std::sync::LazyLock;

use regex::Regex;

use super::facts::numbers;
use super::sentences::sentences;

/// The sentences of a text. A row of a table is told with the names of its columns.
pub(super) fn told(text: &str) -> Vec<String> {
    told_in(text).into_iter().map(|(_, sentence)| sentence).collect()
}

/// What is told, each with the stretch of the text that tells it.
pub(super) fn told_in(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut columns: Option<Vec<&str>> = None;
    for line in text.lines() {
        let Some(cells) = cells(line) else {
            columns = None;
            found.extend(sentences(line).into_iter().map(|sentence| (sentence, sentence.to_owned())));
            continue;
        };
        match &columns {
            None => columns = Some(cells),
            Some(_) if cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':'))) => {}
            Some(columns) => {
                let said = columns.iter().zip(&cells).filter(|(_, cell)| !cell.is_empty());
                let said: Vec<String> = said.map(|(column, cell)| format!("{column} {cell}")).collect();
                found.push((line.trim(), format!("{}.", said.join(", ").trim())));
            }
        }
    }
    found
}

/// The cells of a table's row.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inside.split('|').map(str::trim).collect())
}

/// The amounts of money in a text, in won.
pub(super) fn amounts(text: &str) -> Vec<f64> {
    let won = |number: String| number.strip_prefix('#')?.strip_suffix('원')?.parse().ok();
    numbers(text).into_iter().filter_map(won).collect()
}

static BOUND: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"([0-9][0-9.,억천백만 ]*원?)\s*(이상|초과|미만|이하)").ok());

/// Whether one of the amounts lies within the bounds that a sentence sets; nothing if it sets none.
pub(super) fn within(sentence: &str, asked: &[f64]) -> Option<bool> {
    let bounds = BOUND.as_ref()?.captures_iter(sentence).filter_map(|found| {
        let bound = *amounts(&found[1]).first()?;
        Some((bound, found[2].to_owned()))
    });
    let bounds: Vec<(f64, String)> = bounds.collect();
    if bounds.is_empty() || asked.is_empty() {
        return None;
    }
    let keeps = |amount: f64, (bound, word): &(f64, String)| match word.as_str() {
        "이상" => amount >= *bound,
        "초과" => amount > *bound,
        "미만" => amount < *bound,
        _ => amount <= *bound,
    };
    Some(asked.iter().any(|amount| bounds.iter().all(|bound| keeps(*amount, bound))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_told_with_its_columns() {
        let text = "한도이다. 둘째다.\n\n| 거래 | 금액 | 요율 |\n|---|---|---|\n| 매매 | 2억원 이상 9억원 미만 | 0.4% |\n끝.";
        assert_eq!(
            told(text),
            ["한도이다.", "둘째다.", "거래 매매, 금액 2억원 이상 9억원 미만, 요율 0.4%.", "끝."]
        );
    }

    #[test]
    fn bounds_are_kept_or_not() {
        let row = "금액 2억원 이상 9억원 미만, 요율 0.4%.";
        assert_eq!(within(row, &amounts("5억짜리 아파트")), Some(true));
        assert_eq!(within(row, &amounts("9억 아파트")), Some(false));
        assert_eq!(within(row, &[]), None);
        assert_eq!(within("30일 안에 신고한다.", &amounts("5억")), None);
    }
}
