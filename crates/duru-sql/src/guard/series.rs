//! How many rows `generate_series` gives.

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr};

use super::refusal::{Refusal, Rule};
use super::size::TABLE_ROWS;
use super::walk::{Result, constant, string};

const MOST: u64 = 100_000;

/// By the arguments where they are constants, else a guess.
pub(super) fn rows(args: &[FunctionArg]) -> Result<u64> {
    let exprs: Vec<&Expr> = args
        .iter()
        .filter_map(|arg| match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
            _ => None,
        })
        .collect();
    let (start, stop, step) = match exprs.as_slice() {
        [start, stop] => (*start, *stop, None),
        [start, stop, step] => (*start, *stop, Some(*step)),
        _ => return Err(Refusal::new(Rule::Function, "generate_series")),
    };
    let endless =
        |expr: &Expr| string(expr).is_some_and(|text| text.to_ascii_lowercase().contains("infinity"));
    let rows = if endless(start) || endless(stop) {
        Some(u64::MAX)
    } else if let (Some(start), Some(stop)) = (constant(start), constant(stop)) {
        let step = step.map_or(Some(1.0), constant).filter(|step| *step != 0.0);
        step.map(|step| ((stop - start) / step).abs() as u64 + 1)
    } else {
        let step = step.and_then(string).and_then(seconds);
        match (string(start).and_then(days), string(stop).and_then(days), step) {
            (Some(start), Some(stop), Some(step)) => {
                Some((((stop - start).abs() + 1.0) * 86_400.0 / step).ceil() as u64)
            }
            // A step below a second makes too many of any span that is worth a look.
            (_, _, Some(step)) if step < 1.0 => Some(u64::MAX),
            // The bounds can't be known; those of numbers that are, are checked.
            _ => {
                let far = |expr| constant(expr).is_some_and(|number: f64| number.abs() > MOST as f64);
                (far(start) || far(stop)).then_some(u64::MAX)
            }
        }
    };
    match rows {
        None => Ok(TABLE_ROWS / 10),
        Some(rows) if rows <= MOST => Ok(rows.max(1)),
        Some(_) => Err(Refusal::new(Rule::TooLarge, format!("generate_series > {MOST}"))),
    }
}

/// The day of a date or a timestamp, counted from any fixed one.
fn days(text: &str) -> Option<f64> {
    let date: jiff::civil::Date = text.get(..10)?.parse().ok()?;
    let since = date.since(jiff::civil::date(2000, 1, 1)).ok()?;
    Some(f64::from(since.get_days()))
}

/// The seconds of an interval such as `1 hour`.
fn seconds(text: &str) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let split = text.find(|character: char| character.is_ascii_alphabetic())?;
    let number: f64 = text[..split].trim().parse().ok()?;
    let unit = text[split..].trim_end_matches('s');
    let one = match unit {
        "microsecond" | "u" => 1e-6,
        "millisecond" | "m" => 1e-3,
        "second" | "sec" => 1.0,
        "minute" | "min" => 60.0,
        "hour" | "h" => 3_600.0,
        "day" | "d" => 86_400.0,
        "week" | "w" => 604_800.0,
        "month" | "mon" => 2_592_000.0,
        "year" | "y" => 31_536_000.0,
        _ => return None,
    };
    (number != 0.0).then_some(number.abs() * one)
}
