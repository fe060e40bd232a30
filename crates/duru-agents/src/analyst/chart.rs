//! Which picture fits a result: decided by its shape alone.

use duru_sql::{Answer, Column, Kind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::buckets::is_count;

/// More bars than this say nothing.
const MOST_BARS: usize = 50;

/// A picture of a result, for whoever draws: its columns by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Chart {
    pub kind: ChartKind,
    pub x: String,
    pub y: Vec<String>,
    /// One line or group of bars for each value of this column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
    /// Whether what has no row is zero: what is drawn are numbers of lines.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zero: bool,
    /// The moments of buckets that have no row at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub empty: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChartKind {
    /// Over time.
    Line,
    /// Of groups.
    Bar,
}

/// What a column is in a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Time,
    Number,
    Name,
    /// Nothing that could be drawn.
    Other,
}

pub(super) fn role(column: &Column) -> Role {
    match column.kind {
        Kind::Timestamp | Kind::LocalTimestamp | Kind::Date => Role::Time,
        Kind::Integer | Kind::Bigint | Kind::Numeric | Kind::Double => Role::Number,
        Kind::Text | Kind::Ordered(_) | Kind::Boolean => Role::Name,
        Kind::Json | Kind::Uuid | Kind::Other(_) => Role::Other,
    }
}

impl Chart {
    /// Line for time buckets, bars for groups, none for rows and single numbers.
    pub fn of(answer: &Answer) -> Option<Self> {
        if answer.rows.len() < 2 {
            return None;
        }
        let named = |wanted: Role| {
            let columns = answer.columns.iter().filter(move |column| role(column) == wanted);
            columns.map(|column| column.name.clone()).collect::<Vec<_>>()
        };
        let (times, names, numbers) = (named(Role::Time), named(Role::Name), named(Role::Number));
        // Whole rows have a number of their own, and more than a picture has room for.
        let rows = numbers.iter().any(|name| name == "id") || named(Role::Other).len() + names.len() > 2;
        if rows || numbers.is_empty() {
            return None;
        }
        let mut names = names.into_iter();
        let count = |y: &String| answer.columns.iter().any(|column| column.name == *y && is_count(column));
        let chart = |kind, x, series: Option<String>| {
            let y = of_one_scale(numbers.clone(), series.is_some());
            let zero = y.iter().all(count);
            Some(Self { kind, x, y, series, zero, empty: Vec::new() })
        };
        match <[String; 1]>::try_from(times) {
            Ok([x]) => {
                let series = names.next();
                if names.next().is_some() {
                    return None;
                }
                chart(ChartKind::Line, x, series)
            }
            Err(none) if none.is_empty() && answer.rows.len() <= MOST_BARS => {
                let x = names.next()?;
                let series = names.next();
                chart(ChartKind::Bar, x, series)
            }
            Err(_) => None,
        }
    }
}

/// Several numbers beside each other, unless series are that already.
fn of_one_scale(mut numbers: Vec<String>, series: bool) -> Vec<String> {
    if series {
        numbers.truncate(1);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::testing::answer;

    #[test]
    fn the_shape_decides() {
        let hours =
            answer("hour:timestamp errors:bigint", &["2026-01-01T00:00:00Z 3", "2026-01-01T01:00:00Z 4"]);
        let chart = Chart::of(&hours).unwrap();
        assert_eq!(
            (chart.kind, chart.x.as_str(), chart.y),
            (ChartKind::Line, "hour", vec!["errors".to_owned()])
        );

        let groups = answer("service:text level:text n:bigint", &["a ERROR 3", "b ERROR 4"]);
        let chart = Chart::of(&groups).unwrap();
        assert_eq!((chart.kind, chart.series.as_deref()), (ChartKind::Bar, Some("level")));

        let rows = answer(
            "id:bigint created_at:timestamp message:text",
            &["1 2026-01-01T00:00:00Z x", "2 2026-01-01T00:00:00Z y"],
        );
        assert_eq!(Chart::of(&rows), None);
        assert_eq!(Chart::of(&answer("count:bigint", &["3"])), None);
    }
}
