//! Whether two answers have the same rows: columns in any order and under any name, more of them allowed.

use duru_sql::Answer;
use serde_json::Value;

/// So many ways to lay columns over each other are tried.
const WAYS: usize = 500;

/// A value as it is compared.
#[derive(Debug, Clone, PartialEq)]
enum Cell {
    Nothing,
    Flag(bool),
    Number(f64),
    Text(String),
}

/// The rows of an answer as they are compared.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::eval) struct Rows(Vec<Vec<Cell>>);

impl Rows {
    pub(in crate::eval) fn of(answer: &Answer) -> Self {
        Self(answer.rows.iter().map(|row| row.iter().map(Cell::of).collect()).collect())
    }
}

impl Cell {
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Nothing,
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Number(number) => Self::Number(rounded(number.as_f64().unwrap_or_default())),
            Value::String(text) => Self::text(text.trim()),
            other => Self::Text(other.to_string()),
        }
    }

    fn text(text: &str) -> Self {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if digits(whole.trim_start_matches('-')) && digits(part) {
            return Self::Number(rounded(text.parse().unwrap_or_default()));
        }
        // A moment without its zone; the beginning of a day is that day.
        let moment = text.len() >= 19 && text.as_bytes()[10] == b'T' && text.as_bytes()[4] == b'-';
        if moment && text.is_char_boundary(19) {
            let (moment, rest) = text.split_at(19);
            let fraction: String = rest.chars().take_while(|c| *c == '.' || c.is_ascii_digit()).collect();
            let fraction = fraction.trim_end_matches(['0', '.']);
            if moment.ends_with("T00:00:00") && fraction.is_empty() {
                return Self::Text(moment[..10].to_owned());
            }
            return Self::Text(format!("{moment}{fraction}"));
        }
        Self::Text(text.to_owned())
    }

    fn close(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a == b || (a - b).abs() <= 1e-4 * a.abs().max(b.abs()),
            _ => self == other,
        }
    }

    fn key(&self) -> String {
        format!("{self:?}")
    }
}

/// To five digits, so that sums in another order are the same.
fn rounded(number: f64) -> f64 {
    if number == 0.0 || number.abs() >= 1e15 {
        return number + 0.0;
    }
    format!("{number:.4e}").parse().unwrap_or(number)
}

/// Whether the found rows are the accepted ones.
pub(in crate::eval) fn same(found: &Rows, gold: &Rows, ordered: bool) -> bool {
    let (Some(first), Some(have)) = (gold.0.first(), found.0.first()) else {
        return gold.0.is_empty() && found.0.is_empty();
    };
    if found.0.len() != gold.0.len() || have.len() < first.len() {
        return false;
    }
    let sorted = |rows: &Rows, column: usize| {
        let mut cells: Vec<Cell> =
            rows.0.iter().map(|row| row.get(column).cloned().unwrap_or(Cell::Nothing)).collect();
        cells.sort_by_key(Cell::key);
        cells
    };
    let columns: Vec<Vec<Cell>> = (0..have.len()).map(|column| sorted(found, column)).collect();
    let mut fitting = Vec::new();
    for column in 0..first.len() {
        let wanted = sorted(gold, column);
        let fits = |cells: &Vec<Cell>| wanted.iter().zip(cells).all(|(a, b)| a.close(b));
        fitting.push((0..columns.len()).filter(|at| fits(&columns[*at])).collect::<Vec<usize>>());
    }
    let mut tried = 0;
    any_way(&fitting, &mut Vec::new(), &mut tried, &|way| {
        let laid = found.0.iter().map(|row| way.iter().map(|at| row[*at].clone()).collect()).collect();
        equal(laid, gold.0.clone(), ordered)
    })
}

/// Tries every choice of one column each, no column twice.
fn any_way(
    fitting: &[Vec<usize>],
    way: &mut Vec<usize>,
    tried: &mut usize,
    fits: &dyn Fn(&[usize]) -> bool,
) -> bool {
    let Some(next) = fitting.get(way.len()) else {
        *tried += 1;
        return fits(way);
    };
    for at in next {
        if *tried > WAYS {
            return false;
        }
        if !way.contains(at) {
            way.push(*at);
            if any_way(fitting, way, tried, fits) {
                return true;
            }
            way.pop();
        }
    }
    false
}

fn equal(mut found: Vec<Vec<Cell>>, mut gold: Vec<Vec<Cell>>, ordered: bool) -> bool {
    if !ordered {
        let key = |row: &Vec<Cell>| row.iter().map(Cell::key).collect::<Vec<_>>();
        found.sort_by_cached_key(key);
        gold.sort_by_cached_key(key);
    }
    found.iter().zip(&gold).all(|(a, b)| a.iter().zip(b).all(|(a, b)| a.close(b)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows(rows: Value) -> Rows {
        let rows = rows.as_array().unwrap().iter();
        Rows(rows.map(|row| row.as_array().unwrap().iter().map(Cell::of).collect()).collect())
    }

    #[test]
    fn rows_are_the_same_whatever_their_columns_are_called_and_however_they_stand() {
        let gold = rows(json!([["a", 1], ["b", 2]]));
        assert!(same(&rows(json!([[2, "b"], [1, "a"]])), &gold, false));
        assert!(
            same(&rows(json!([["a", "x", 1.00001], ["b", "y", 2]])), &gold, false),
            "more columns, close numbers"
        );
        assert!(!same(&rows(json!([["a", 2], ["b", 1]])), &gold, false), "the same columns, other rows");
        assert!(!same(&rows(json!([["b", 2], ["a", 1]])), &gold, true), "another order");
        assert!(!same(&rows(json!([["a", 1]])), &gold, false));
        assert!(same(&rows(json!([])), &rows(json!([])), false) && !same(&rows(json!([])), &gold, false));
        assert!(same(
            &rows(json!([["2026-01-02T00:00:00+00:00", "1.50"]])),
            &rows(json!([["2026-01-02", 1.5]])),
            false
        ));
        assert!(!same(&rows(json!([[true]])), &rows(json!([[1]])), false));
    }
}
