//! The cells of a result, for terminals and for spreadsheets.

use duru_sql::{Answer, moment};
use serde_json::Value;

use crate::show::{Align, lined_up, widest};
use crate::text::{clean, clean_lines, shorten};

/// A cell wider than this is cut on a terminal.
const WIDEST: usize = 80;

/// A value as a person reads it.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The same as a terminal shows it: at most three places, and moments as people write them.
pub(super) fn brief(value: &Value, only_days: bool) -> String {
    match value.as_f64() {
        Some(number) if value.is_f64() => {
            let text = format!("{number:.3}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => value.as_str().and_then(|text| moment(text, only_days)).unwrap_or_else(|| cell(value)),
    }
}

/// The rows, a line each, with tabs between the cells.
pub(super) fn plain(answer: &Answer) -> String {
    let line = |row: &Vec<Value>| {
        format!("{}\n", row.iter().map(|value| clean(&cell(value))).collect::<Vec<_>>().join("\t"))
    };
    answer.rows.iter().map(line).collect()
}

/// Rows under their names; numbers to the right.
pub(super) fn table(answer: &Answer) -> String {
    let days = answer.only_days();
    let shown = |row: &Vec<Value>| row.iter().map(|value| cut(&brief(value, days))).collect();
    let head = answer.columns.iter().map(|column| clean(&column.name)).collect();
    let mut rows: Vec<Vec<String>> = std::iter::once(head).chain(answer.rows.iter().map(shown)).collect();
    let columns = 0..answer.columns.len();
    let rule = columns.clone().map(|column| "─".repeat(widest(&rows, column))).collect();
    rows.insert(1, rule);
    let align = |column: usize| match answer.rows.iter().any(|row| row[column].is_number()) {
        true => Align::Right,
        false => Align::Left,
    };
    lined_up(&rows, &columns.map(align).collect::<Vec<_>>())
}

fn cut(text: &str) -> String {
    shorten(&clean(text), WIDEST)
}

/// The rows as CSV. A text that a spreadsheet would take for a formula is marked as text.
pub(super) fn csv(answer: &Answer) -> String {
    let quoted = |text: &str| {
        if text.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    let harmless = |value: &Value| match value {
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => format!("'{text}"),
        other => cell(other),
    };
    // Line ends within a cell are fine in quotes; nothing else that a terminal would obey is.
    let quoted = |text: &str| quoted(&clean_lines(text));
    let mut text = String::new();
    let head: Vec<String> = answer.columns.iter().map(|column| quoted(&column.name)).collect();
    text.push_str(&format!("{}\n", head.join(",")));
    for row in &answer.rows {
        let cells: Vec<String> = row.iter().map(|value| quoted(&harmless(value))).collect();
        text.push_str(&format!("{}\n", cells.join(",")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use duru_sql::{Column, Kind};
    use serde_json::json;
    use std::time::Duration;

    fn answer() -> Answer {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        Answer {
            columns: vec![column("이름", Kind::Text), column("n", Kind::Bigint)],
            rows: vec![vec![json!("=1+1, \"x\""), json!(-5)], vec![json!("\u{1b}[31m결제"), json!(1200)]],
            cut: None,
            took: Duration::ZERO,
        }
    }

    #[test]
    fn columns_line_up_and_escapes_are_gone() {
        let text = table(&answer());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "이름          n");
        assert_eq!(lines[2], "=1+1, \"x\"    -5");
        assert_eq!(lines[3], "[31m결제   1200");
    }

    #[test]
    fn no_cell_is_a_formula() {
        assert_eq!(csv(&answer()).lines().nth(1), Some("\"'=1+1, \"\"x\"\"\",-5"));
    }
}
