//! Figures.

use super::Printer;
use crate::analyst::frame::{Column, Filter, Frame, Measure, Stat, Test};

impl Printer<'_> {
    /// A figure; `only`: of the rows of one period.
    pub(super) fn measure(&self, measure: &Measure, only: &str, frame: &Frame) -> String {
        match measure {
            Measure::Rate(filters) => format!("ROUND({}, 2)", self.rate(filters, only, frame)),
            other => self.plain(other, only, frame),
        }
    }

    /// A figure that is compared with a number: not rounded.
    pub(super) fn exact(&self, measure: &Measure, frame: &Frame) -> String {
        match measure {
            Measure::Rate(filters) => self.rate(filters, "", frame),
            other => self.plain(other, "", frame),
        }
    }

    fn rate(&self, filters: &[Filter], only: &str, frame: &Frame) -> String {
        let these = self.where_all(filters, only, frame);
        let all = where_only(only);
        format!("100.0 * COUNT(*) FILTER (WHERE {these}) / NULLIF(COUNT(*){all}, 0)")
    }

    /// Conditions and a period, as one.
    fn where_all(&self, filters: &[Filter], only: &str, frame: &Frame) -> String {
        let mut all = self.filters(filters, frame);
        all.extend((!only.is_empty()).then(|| only.to_owned()));
        if all.is_empty() { "TRUE".into() } else { all.join(" AND ") }
    }

    fn plain(&self, measure: &Measure, only: &str, frame: &Frame) -> String {
        let filter = where_only(only);
        let with = |filters: &[Filter]| {
            if filters.is_empty() {
                filter.clone()
            } else {
                where_only(&self.where_all(filters, only, frame))
            }
        };
        let time = self.time_column(frame).map(|(column, _)| self.column(&column)).unwrap_or_default();
        match measure {
            Measure::Count => format!("COUNT(*){filter}"),
            Measure::Distinct(column, filters) => {
                format!("COUNT(DISTINCT {}){}", self.column(column), with(filters))
            }
            Measure::CountOf(filters) => format!("COUNT(*){}", with(filters)),
            Measure::Rate(filters) => self.rate(filters, only, frame),
            Measure::RateOf(column, filters) => {
                let (value, these) = (self.column(column), self.where_all(filters, only, frame));
                format!(
                    "ROUND(100.0 * COUNT(DISTINCT {value}) FILTER (WHERE {these}) / NULLIF(COUNT(DISTINCT {value}){filter}, 0), 2)"
                )
            }
            Measure::Share => format!("ROUND(100.0 * COUNT(*){filter} / SUM(COUNT(*){filter}) OVER (), 2)"),
            Measure::Stat(stat, column, filters) => self.stat(*stat, column, &with(filters)),
            Measure::First => format!("MIN({time}){filter}"),
            Measure::Last => format!("MAX({time}){filter}"),
            Measure::Span => format!("EXTRACT(EPOCH FROM MAX({time}){filter} - MIN({time}){filter})"),
            Measure::Age => format!("ROUND(EXTRACT(EPOCH FROM NOW() - MAX({time}){filter}) / 60, 1)"),
            // Only ever alone, as a query of its own.
            Measure::PerValue(each) => {
                format!(
                    "COUNT(*){filter}::numeric / NULLIF(COUNT(DISTINCT {}){filter}, 0)",
                    self.dimension(each, frame)
                )
            }
            Measure::Ratio(one, other, percent) => {
                let (one, other) = (self.plain(one, only, frame), self.plain(other, only, frame));
                match percent {
                    true => format!("ROUND(100.0 * {one} / NULLIF({other}, 0), 2)"),
                    false => format!("({one})::numeric / NULLIF({other}, 0)"),
                }
            }
            Measure::Difference(one, other) => {
                format!("{} - {}", self.plain(one, only, frame), self.plain(other, only, frame))
            }
            Measure::Named(_, expression) => expression.clone(),
        }
    }

    fn stat(&self, stat: Stat, column: &Column, filter: &str) -> String {
        let value = self.number(column);
        match stat {
            Stat::Average => format!("AVG({value}){filter}"),
            Stat::Minimum => format!("MIN({value}){filter}"),
            Stat::Maximum => format!("MAX({value}){filter}"),
            Stat::Sum => format!("SUM({value}){filter}"),
            Stat::Deviation => format!("STDDEV({value}){filter}"),
            Stat::Percentile(part) => {
                format!("PERCENTILE_CONT({part}) WITHIN GROUP (ORDER BY {value}){filter}")
            }
        }
    }
}

fn where_only(only: &str) -> String {
    if only.is_empty() { String::new() } else { format!(" FILTER (WHERE {only})") }
}

/// What a figure's column is called.
pub(super) fn name(measure: &Measure) -> String {
    let of = |word: &str, column: &Column| format!("{word}_{}", column.short().trim_end_matches("_ms"));
    match measure {
        Measure::Count => "count".into(),
        Measure::Distinct(column, filters) => format!("{}distinct_{}", prefix(filters), column.short()),
        Measure::CountOf(filters) => format!("{}count", prefix(filters)),
        Measure::Rate(filters) => format!("{}rate", prefix(filters)),
        Measure::RateOf(column, _) => format!("{}_rate", column.short()),
        Measure::Share => "percent".into(),
        Measure::Stat(stat, column, filters) => {
            let word = match stat {
                Stat::Average => "avg".into(),
                Stat::Minimum => "min".into(),
                Stat::Maximum => "max".into(),
                Stat::Sum => "sum".into(),
                Stat::Deviation => "stddev".into(),
                Stat::Percentile(part) => {
                    format!("p{}", ((part * 1000.0).round() / 10.0).to_string().replace('.', "_"))
                }
            };
            format!("{}{}", prefix(filters), of(&word, column))
        }
        Measure::First => "first_at".into(),
        Measure::Last => "last_at".into(),
        Measure::Span => "seconds".into(),
        Measure::Age => "minutes_ago".into(),
        Measure::PerValue(_) => "average".into(),
        Measure::Ratio(one, other, _) => format!("{}_per_{}", name(one), name(other)),
        Measure::Difference(one, other) => format!("{}_less_{}", name(one), name(other)),
        Measure::Named(name, _) => name.clone(),
    }
}

/// `error_`, of a figure of errors only.
fn prefix(filters: &[Filter]) -> String {
    match filters.first().map(|filter| (&filter.test, filter.column.short())) {
        Some((Test::OneOf(values), _)) => format!("{}_", values.join("_").to_lowercase()),
        Some((Test::Number(_, number), column)) => format!("{column}_{number}_"),
        Some((_, column)) => format!("{column}_"),
        None => String::new(),
    }
}
