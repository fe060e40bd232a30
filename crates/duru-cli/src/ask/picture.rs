//! A result as a picture of characters.

use duru_agents::analyst::{Chart, ChartKind, with_zeros};
use duru_sql::Answer;
use serde_json::Value;

use super::cells::brief;
use crate::text::{clean, pad, width};

/// How many columns the longest bar takes.
const BAR: usize = 30;
/// More points than this do not fit on a line.
const POINTS: usize = 80;
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Bars for groups, a sparkline for time; nothing where neither fits.
pub(super) fn picture(answer: &Answer, chart: &Chart) -> Option<String> {
    let at = |name: &str| answer.columns.iter().position(|column| column.name == name);
    let (x, y) = (at(&chart.x)?, at(chart.y.first()?)?);
    let series = chart.series.as_deref().and_then(at);
    let days = answer.only_days();
    // When nothing was written there is no row, and yet there is something to see.
    let filled = with_zeros(answer, chart);
    let rows = filled.as_ref().map_or(&answer.rows, |filled| &filled.rows);
    let points: Vec<(String, f64, &Value)> = rows
        .iter()
        .filter_map(|row| {
            let name = series.map_or(String::new(), |at| format!(" · {}", brief(&row[at], days)));
            let value = row.get(y)?;
            Some((format!("{}{name}", brief(row.get(x)?, days)), value.as_f64()?, value))
        })
        .collect();
    let most = points.iter().map(|(_, value, _)| *value).fold(0.0_f64, f64::max);
    if points.iter().any(|(_, value, _)| *value < 0.0) || points.is_empty() {
        return None;
    }
    match (chart.kind, series) {
        (ChartKind::Line, None) if points.len() <= POINTS => Some(sparkline(&points, most)),
        (ChartKind::Bar, _) => Some(bars(&points, most)),
        _ => None,
    }
}

fn bars(points: &[(String, f64, &Value)], most: f64) -> String {
    let widest = points.iter().map(|(name, ..)| width(&clean(name))).max().unwrap_or_default();
    let mut text = String::new();
    for (name, value, shown) in points {
        text.push_str(&format!(
            "{}  {} {}\n",
            pad(&clean(name), widest),
            bar(*value, most),
            brief(shown, false)
        ));
    }
    text
}

/// Rounded to an eighth of a column; what is not nothing is seen.
fn bar(value: f64, most: f64) -> String {
    let share = if most > 0.0 { value / most } else { 0.0 };
    let eighths = ((share * (BAR * 8) as f64).round() as usize).max(usize::from(value > 0.0));
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn sparkline(points: &[(String, f64, &Value)], most: f64) -> String {
    let least = points.iter().map(|(_, value, _)| *value).fold(most, f64::min);
    let height = |value: f64| {
        let share = if most > least { (value - least) / (most - least) } else { 0.0 };
        HEIGHTS[((share * 7.0).round() as usize).min(7)]
    };
    let line: String = points.iter().map(|(_, value, _)| height(*value)).collect();
    let named = |wanted: f64| points.iter().find(|(_, value, _)| *value == wanted);
    let end = |point: Option<&(String, f64, &Value)>| {
        point.map_or(String::new(), |(name, _, value)| format!("{} ({})", brief(value, false), clean(name)))
    };
    format!("{line}\n▁ {}  █ {}\n", end(named(least)), end(named(most)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use duru_sql::{Column, Kind};
    use serde_json::json;
    use std::time::Duration;

    fn answer(kind: Kind, rows: &[(&str, i64)]) -> Answer {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let rows = rows.iter().map(|(name, n)| vec![json!(name), json!(n)]).collect();
        Answer {
            columns: vec![column("x", kind), column("n", Kind::Bigint)],
            rows,
            cut: None,
            took: Duration::ZERO,
        }
    }

    #[test]
    fn groups_are_bars_whose_length_is_their_share() {
        let answer = answer(Kind::Text, &[("결제", 16), ("b", 8), ("c", 1), ("d", 0)]);
        let text = picture(&answer, &Chart::of(&answer).unwrap()).unwrap();
        let lengths: Vec<usize> = text.lines().map(|line| line.matches('█').count()).collect();
        assert_eq!(lengths, [30, 15, 1, 0]);
        assert!(text.starts_with("결제  █") && text.contains("\nb     █"), "{text}");
    }

    #[test]
    fn time_is_a_line() {
        let answer = answer(Kind::Timestamp, &[("2026-01-01", 1), ("2026-01-02", 9), ("2026-01-03", 5)]);
        let text = picture(&answer, &Chart::of(&answer).unwrap()).unwrap();
        assert_eq!(text, "▁█▅\n▁ 1 (2026-01-01)  █ 9 (2026-01-02)\n");
    }

    #[test]
    fn a_day_without_a_line_is_a_zero() {
        let answer = answer(Kind::Timestamp, &[("2026-01-01T00:00:00Z", 8), ("2026-01-03T00:00:00Z", 8)]);
        let chart = Chart { empty: vec!["2026-01-02T00:00:00Z".into()], ..Chart::of(&answer).unwrap() };
        assert!(picture(&answer, &chart).unwrap().starts_with("█▁█\n▁ 0"), "{:?}", picture(&answer, &chart));
    }
}
