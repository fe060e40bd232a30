//! Whether two answers have the same rows: columns in any order and under any name, more of them allowed.

use std::cmp::Ordering;

use serde_json::Value;

use crate::Answer;

/// So many ways to lay columns over each other are tried.
const WAYS: usize = 500;

/// Up to so many rows, each is looked for among all.
const PAIRED: usize = 1_000;

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
pub struct Rows(Vec<Vec<Cell>>);

impl Rows {
    pub fn of(answer: &Answer) -> Self {
        Self(answer.rows.iter().map(|row| row.iter().map(Cell::of).collect()).collect())
    }

    /// Whether they say anything: no rows, or nothing but zeros in one, many queries give.
    pub fn say_something(&self) -> bool {
        let empty = |cell: &Cell| matches!(cell, Cell::Nothing) || *cell == Cell::Number(0.0);
        match self.0.as_slice() {
            [] => false,
            [row] => !row.iter().all(empty),
            _ => true,
        }
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

    fn close(&self, other: &Self, enough: Closeness) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => {
                a == b || (a - b).abs() <= enough.absolute.max(enough.relative * a.abs().max(b.abs()))
            }
            _ => self == other,
        }
    }

    /// Numbers by their size, so that rounding does not change their order.
    fn order(&self, other: &Self) -> Ordering {
        let kind = |cell: &Self| match cell {
            Self::Nothing => 0,
            Self::Flag(_) => 1,
            Self::Number(_) => 2,
            Self::Text(_) => 3,
        };
        match (self, other) {
            (Self::Flag(a), Self::Flag(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => kind(self).cmp(&kind(other)),
        }
    }
}

/// How near numbers are that count as the same.
#[derive(Debug, Clone, Copy)]
pub struct Closeness {
    pub relative: f64,
    pub absolute: f64,
}

/// To five digits, so that sums in another order are the same.
fn rounded(number: f64) -> f64 {
    if number == 0.0 || number.abs() >= 1e15 {
        return number + 0.0;
    }
    format!("{number:.4e}").parse().unwrap_or(number)
}

/// Whether the found rows are the accepted ones.
pub fn same(found: &Rows, gold: &Rows, ordered: bool) -> bool {
    same_within(found, gold, ordered, Closeness { relative: 1e-4, absolute: 0.0 })
}

/// The same where numbers may differ more.
pub fn same_within(found: &Rows, gold: &Rows, ordered: bool, enough: Closeness) -> bool {
    let (Some(first), Some(have)) = (gold.0.first(), found.0.first()) else {
        return gold.0.is_empty() && found.0.is_empty();
    };
    if found.0.len() != gold.0.len() || have.len() < first.len() {
        return false;
    }
    let sorted = |rows: &Rows, column: usize| {
        let mut cells: Vec<Cell> =
            rows.0.iter().map(|row| row.get(column).cloned().unwrap_or(Cell::Nothing)).collect();
        cells.sort_by(Cell::order);
        cells
    };
    let columns: Vec<Vec<Cell>> = (0..have.len()).map(|column| sorted(found, column)).collect();
    let mut fitting = Vec::new();
    for column in 0..first.len() {
        let wanted = sorted(gold, column);
        let fits = |cells: &Vec<Cell>| wanted.iter().zip(cells).all(|(a, b)| a.close(b, enough));
        fitting.push((0..columns.len()).filter(|at| fits(&columns[*at])).collect::<Vec<usize>>());
    }
    let mut tried = 0;
    any_way(&fitting, &mut Vec::new(), &mut tried, &|way| {
        let laid = found.0.iter().map(|row| way.iter().map(|at| row[*at].clone()).collect()).collect();
        equal(laid, gold.0.clone(), ordered, enough)
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

fn equal(mut found: Vec<Vec<Cell>>, mut gold: Vec<Vec<Cell>>, ordered: bool, enough: Closeness) -> bool {
    let close = |a: &[Cell], b: &[Cell]| a.iter().zip(b).all(|(a, b)| a.close(b, enough));
    if !ordered {
        let order = |a: &Vec<Cell>, b: &Vec<Cell>| {
            let unequal = a.iter().zip(b).map(|(a, b)| a.order(b)).find(|order| order.is_ne());
            unequal.unwrap_or(Ordering::Equal)
        };
        found.sort_by(order);
        gold.sort_by(order);
    }
    if found.iter().zip(&gold).all(|(a, b)| close(a, b)) {
        return true;
    }
    // Where rounding has made several first columns equal, their rows may stand in another order.
    !ordered
        && found.len() <= PAIRED
        && gold.iter().all(|row| {
            let place = found.iter().position(|other| close(other, row));
            place.map(|place| found.swap_remove(place)).is_some()
        })
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

    #[test]
    fn rounded_numbers_are_the_same_in_any_order_where_that_is_near_enough() {
        let gold = rows(json!([[9.996, "b"], [10.004, "a"], [33.333, "c"]]));
        let found = rows(json!([[33.33, "c"], [10.0, "a"], [10.0, "b"]]));
        let near = Closeness { relative: 1e-3, absolute: 0.0101 };
        assert!(same_within(&found, &gold, false, near));
        assert!(!same_within(&found, &gold, true, near));
        assert!(!same(&found, &gold, false));
    }
}
