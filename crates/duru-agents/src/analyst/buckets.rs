//! Buckets of time in which nothing was written: a query has no row for them, and a picture must show that there was
//! nothing.

use duru_sql::{Answer, Column, Kind};
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan, Zoned};
use serde_json::Value;

use super::chart::{Chart, ChartKind};

/// More than so many say nothing.
const MOST: usize = 2000;

/// Whether what has no row counts as zero: numbers of lines do, averages do not.
pub(super) fn is_count(column: &Column) -> bool {
    let name = column.name.to_lowercase();
    let whole = matches!(column.kind, Kind::Integer | Kind::Bigint);
    let counts = ["count", "n", "cnt", "total", "errors", "requests", "logs", "lines"];
    whole
        && (counts.contains(&name.as_str())
            || name.ends_with("_count")
            || name.starts_with("count_")
            || name.starts_with("distinct_")
            || name.contains("건수"))
}

/// What a query asked for, as far as its buckets go.
pub(super) struct Bucketing<'a> {
    pub(super) sql: &'a str,
    pub(super) zone: &'a TimeZone,
    /// From when until when, if that is known.
    pub(super) range: Option<(Timestamp, Timestamp)>,
}

impl Bucketing<'_> {
    /// The moments of a line's buckets without a row, written as the query writes the others.
    pub(super) fn empty(&self, answer: &Answer, chart: &Chart) -> Vec<String> {
        self.missing(answer, chart).unwrap_or_default()
    }

    fn missing(&self, answer: &Answer, chart: &Chart) -> Option<Vec<String>> {
        // Of a part of the rows nobody knows which buckets the others are in.
        let is_part = answer.cut.is_some() || self.sql.to_uppercase().contains(" LIMIT ");
        if chart.kind != ChartKind::Line || !chart.zero || is_part {
            return None;
        }
        let step = step(self.sql)?;
        let x = answer.columns.iter().position(|column| column.name == chart.x)?;
        let kind = &answer.columns.get(x)?.kind;
        let known: Option<Vec<Zoned>> = answer.rows.iter().map(|row| self.read(row.get(x)?, kind)).collect();
        let mut known = known?;
        known.sort_by_key(Zoned::timestamp);
        known.dedup_by_key(|at| at.timestamp());
        let (mut at, mut last) = (known.first()?.clone(), known.last()?.clone());
        let mut steps = 0;
        if let Some((from, until)) = self.range {
            while at.timestamp() > from && steps < MOST {
                at = at.checked_sub(step).ok()?;
                steps += 1;
            }
            loop {
                let next = last.checked_add(step).ok()?;
                if next.timestamp() >= until || steps >= MOST {
                    break;
                }
                last = next;
                steps += 1;
            }
        }
        let mut empty = Vec::new();
        let mut known = known.iter().peekable();
        while at <= last {
            match known.peek() {
                Some(next) if next.timestamp() <= at.timestamp() => drop(known.next()),
                _ => empty.push(written(&at, kind)),
            }
            at = at.checked_add(step).ok()?;
            if empty.len() > MOST {
                return None;
            }
        }
        // A row that lies on none of the steps: these are other buckets than we think.
        known.next().is_none().then_some(empty)
    }

    fn read(&self, value: &Value, kind: &Kind) -> Option<Zoned> {
        let text = value.as_str()?;
        match kind {
            Kind::Timestamp => Some(text.parse::<Timestamp>().ok()?.to_zoned(self.zone.clone())),
            Kind::LocalTimestamp => text.parse::<DateTime>().ok()?.to_zoned(self.zone.clone()).ok(),
            Kind::Date => text.parse::<Date>().ok()?.to_zoned(self.zone.clone()).ok(),
            _ => None,
        }
    }
}

fn written(at: &Zoned, kind: &Kind) -> String {
    let form = match kind {
        Kind::Date => "%Y-%m-%d",
        Kind::LocalTimestamp => "%Y-%m-%dT%H:%M:%S",
        _ => "%Y-%m-%dT%H:%M:%S%:z",
    };
    at.strftime(form).to_string()
}

/// `date_trunc('hour', …)` or `date_bin(INTERVAL '5 minutes', …)`, whoever wrote the query.
fn step(sql: &str) -> Option<Span> {
    let sql = sql.to_lowercase();
    let quoted =
        |after: &str| sql.split_once(after)?.1.split_once('\'')?.1.split_once('\'').map(|(word, _)| word);
    if let Some(unit) = quoted("date_trunc(") {
        return length(1, unit);
    }
    let (amount, unit) = quoted("date_bin(")?.trim().split_once(' ')?;
    length(amount.parse().ok()?, unit)
}

fn length(amount: i64, unit: &str) -> Option<Span> {
    Some(match unit.trim().trim_end_matches('s') {
        "second" => amount.seconds(),
        "minute" => amount.minutes(),
        "hour" => amount.hours(),
        "day" => amount.days(),
        "week" => amount.weeks(),
        "month" => amount.months(),
        "quarter" => (amount * 3).months(),
        "year" => amount.years(),
        _ => return None,
    })
}

/// The rows of a line with a zero in every empty bucket; none if there are none, or where several lines share them.
pub fn with_zeros(answer: &Answer, chart: &Chart) -> Option<Answer> {
    if chart.empty.is_empty() || chart.series.is_some() {
        return None;
    }
    let place = |name: &String| answer.columns.iter().position(|column| column.name == *name);
    let (x, ys) = (place(&chart.x)?, chart.y.iter().filter_map(place).collect::<Vec<_>>());
    let mut filled = answer.clone();
    for moment in &chart.empty {
        let cell = |at| match at {
            at if at == x => moment.as_str().into(),
            at if ys.contains(&at) => 0.into(),
            _ => Value::Null,
        };
        filled.rows.push((0..answer.columns.len()).map(cell).collect());
    }
    let moment =
        |row: &Vec<Value>| row[x].as_str().map(|text| (text.parse::<Timestamp>().ok(), text.to_owned()));
    filled.rows.sort_by_key(moment);
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::testing::answer;

    fn empty(sql: &str, rows: &[&str], range: Option<(&str, &str)>) -> Vec<String> {
        let answer = answer("hour:timestamp count:bigint", rows);
        let chart = Chart::of(&answer).unwrap();
        let range = range.map(|(from, until)| (from.parse().unwrap(), until.parse().unwrap()));
        let zone = TimeZone::get("Asia/Seoul").unwrap();
        Bucketing { sql, zone: &zone, range }.empty(&answer, &chart)
    }

    const HOURS: &str =
        "SELECT date_trunc('hour', created_at) AS hour, COUNT(*) AS count FROM logs GROUP BY 1";

    #[test]
    fn hours_without_a_line_are_found_between_the_others_and_up_to_the_ends() {
        let rows = ["2026-01-01T10:00:00+09:00 3", "2026-01-01T12:00:00+09:00 4"];
        assert_eq!(empty(HOURS, &rows, None), ["2026-01-01T11:00:00+09:00"]);
        let range = Some(("2026-01-01T08:30:00+09:00", "2026-01-01T14:00:00+09:00"));
        let hours = ["08", "09", "11", "13"].map(|hour| format!("2026-01-01T{hour}:00:00+09:00"));
        assert_eq!(empty(HOURS, &rows, range), hours);
    }

    #[test]
    fn other_lengths_are_read_from_the_query_and_what_is_cut_is_left_alone() {
        let bins = "SELECT date_bin(INTERVAL '10 minutes', created_at, TIMESTAMPTZ '2001-01-01') AS hour, COUNT(*) AS count FROM logs GROUP BY 1";
        let rows = ["2026-01-01T10:00:00+09:00 3", "2026-01-01T10:30:00+09:00 4"];
        assert_eq!(empty(bins, &rows, None).len(), 2);
        assert_eq!(empty(&format!("{bins} LIMIT 2"), &rows, None), [""; 0]);
        assert_eq!(empty("SELECT hour, count FROM logs", &rows, None), [""; 0]);
        // Half an hour lies on no hour.
        assert_eq!(empty(HOURS, &rows, None), [""; 0]);
    }

    #[test]
    fn an_average_of_nothing_is_not_zero() {
        let answer = answer(
            "hour:timestamp avg_duration:double",
            &["2026-01-01T10:00:00+09:00 3.5", "2026-01-01T12:00:00+09:00 4.5"],
        );
        let chart = Chart::of(&answer).unwrap();
        let bucketing = Bucketing { sql: HOURS, zone: &TimeZone::UTC, range: None };
        assert!(!chart.zero && bucketing.empty(&answer, &chart).is_empty());
    }

    #[test]
    fn rows_of_nothing_stand_where_they_belong() {
        let answer = answer(
            "hour:timestamp count:bigint",
            &["2026-01-01T10:00:00+09:00 3", "2026-01-01T12:00:00+09:00 4"],
        );
        let chart = Chart { empty: vec!["2026-01-01T11:00:00+09:00".into()], ..Chart::of(&answer).unwrap() };
        let filled = with_zeros(&answer, &chart).unwrap();
        assert_eq!(
            filled.rows.iter().map(|row| row[1].clone()).collect::<Vec<_>>(),
            [3, 0, 4].map(Value::from)
        );
    }
}
