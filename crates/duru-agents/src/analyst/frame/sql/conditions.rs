//! Columns, conditions and periods.

use duru_language::time::{Length, Period};
use duru_sql::Kind;
use duru_sql::domain::{DomainColumn, Join};
use jiff::Timestamp;

use super::Printer;
use super::from::{keys_agree, path, table_name};
use super::text::{ident, interval, literal, operator, pattern, unit_word};
use crate::analyst::frame::{Column, Compare, Dimension, Filter, Frame, Having, Measure, Stat, Test, Than};

impl Printer<'_> {
    fn described(&self, column: &Column) -> Option<&DomainColumn> {
        self.domain.table(&column.table)?.column(&column.name)
    }

    /// How a column is written.
    pub(super) fn column(&self, column: &Column) -> String {
        let place = if self.tables.several() { format!("{}.", ident(&column.table)) } else { String::new() };
        match self.described(column).and_then(|known| known.key.as_ref()) {
            Some((json, key)) => format!("{place}{}->>{}", ident(json), literal(key)),
            None => format!("{place}{}", ident(&column.name)),
        }
    }

    /// The same, where a number is needed.
    pub(super) fn number(&self, column: &Column) -> String {
        match self.described(column) {
            Some(known) if known.key.is_some() => format!("({})::numeric", self.column(column)),
            _ => self.column(column),
        }
    }

    fn never_null(&self, column: &Column) -> bool {
        self.described(column).is_some_and(|known| !known.nullable)
    }

    pub(super) fn time_column(&self, frame: &Frame) -> Option<(Column, Kind)> {
        let table = self.domain.table(&frame.table)?;
        let name = table.time.as_ref()?;
        Some((Column::new(&table.name, name), table.column(name)?.kind.clone()))
    }

    fn time(&self, frame: &Frame) -> String {
        self.time_column(frame).map(|(column, _)| self.column(&column)).unwrap_or_default()
    }

    pub(super) fn conditions(&self, frame: &Frame) -> Vec<String> {
        let mut all = self.filters(&frame.filters, frame);
        for dimension in &frame.dimensions {
            if let Dimension::Column(column) = dimension
                && !self.never_null(column)
            {
                all.push(format!("{} IS NOT NULL", self.column(column)));
            }
        }
        match (&frame.time, &frame.compare) {
            (Some(now), Some(compare)) => {
                let other = compare.whole.as_ref().unwrap_or(&compare.with);
                all.push(format!("(({}) OR ({}))", self.period(now, frame), self.period(other, frame)));
            }
            (Some(time), None) => all.push(self.period(time, frame)),
            _ => {}
        }
        if let Some(rule) = self.domain.table(&frame.table).and_then(|table| table.soft_delete.clone())
            && !self.tables.several()
        {
            all.push(rule);
        }
        let mut seen = Vec::new();
        all.retain(|condition| {
            let new = !seen.contains(condition);
            seen.push(condition.clone());
            new
        });
        all
    }

    pub(super) fn filter(&self, filter: &Filter, frame: &Frame) -> String {
        let value = self.column(&filter.column);
        let quoted = |values: &[String]| values.iter().map(|value| literal(value)).collect::<Vec<_>>();
        let like = |texts: &[String], joint: &str| {
            let all: Vec<String> =
                texts.iter().map(|text| format!("{value} ILIKE {}", pattern(text, "%", "%"))).collect();
            if all.len() == 1 { all.concat() } else { format!("({})", all.join(joint)) }
        };
        match &filter.test {
            Test::OneOf(values) => match values.as_slice() {
                [one] => format!("{value} = {}", literal(one)),
                _ => format!("{value} IN ({})", quoted(values).join(", ")),
            },
            Test::NoneOf(values) => {
                let none = match values.as_slice() {
                    [one] => format!("{value} <> {}", literal(one)),
                    _ => format!("{value} NOT IN ({})", quoted(values).join(", ")),
                };
                let present = frame
                    .filters
                    .iter()
                    .any(|other| other.column == filter.column && other.test == Test::Present);
                if present || self.never_null(&filter.column) {
                    none
                } else {
                    format!("({none} OR {value} IS NULL)")
                }
            }
            Test::Number(compare, number) => {
                format!("{} {} {number}", self.number(&filter.column), operator(*compare))
            }
            Test::Rank(compare, word) => format!("{value} {} {}", operator(*compare), literal(word)),
            Test::Contains(texts) => like(texts, " OR "),
            Test::ContainsAll(texts) => like(texts, " AND "),
            Test::Lacks(text) => {
                format!("({value} NOT ILIKE {} OR {value} IS NULL)", pattern(text, "%", "%"))
            }
            Test::StartsWith(text) => format!("{value} ILIKE {}", pattern(text, "", "%")),
            Test::EndsWith(text) => format!("{value} ILIKE {}", pattern(text, "%", "")),
            Test::Present => format!("{value} IS NOT NULL"),
            Test::Absent => format!("{value} IS NULL"),
            Test::FirstOf(other) => format!("{value} = ({})", self.first_of(other, &filter.column)),
            Test::SinceFirst(filters, before) => self.since_first(filters, *before, frame),
            Test::Hours(from, until) => {
                let hour = format!("EXTRACT(HOUR FROM {value})");
                let joint = if from < until { "AND" } else { "OR" };
                format!("({hour} >= {from} {joint} {hour} < {until})")
            }
            Test::Weekdays(days) => {
                let days: Vec<String> = days.iter().map(ToString::to_string).collect();
                format!("EXTRACT(ISODOW FROM {value}) IN ({})", days.join(", "))
            }
            Test::Either(filters) => format!("({})", self.filters(filters, frame).join(" OR ")),
            Test::Average(compare) => self.beside_average(&filter.column, *compare),
            Test::During(period) => {
                let kind = self.described(&filter.column).map_or(Kind::Text, |known| known.kind.clone());
                self.during(period, &value, &kind)
            }
            Test::HasRows(some) => self.has_rows(&filter.column.table, *some, frame),
        }
    }

    fn beside_average(&self, column: &Column, compare: Compare) -> String {
        let of = Frame {
            table: column.table.clone(),
            measures: vec![Measure::Stat(Stat::Average, column.clone(), Vec::new())],
            ..Frame::default()
        };
        let average = Printer::new(&of, self.domain, self.zone).grouped(&of);
        format!("{} {} ({average})", self.number(column), operator(compare))
    }

    /// Whether rows of another table belong to a row, along the keys between them.
    fn has_rows(&self, table: &str, some: bool, frame: &Frame) -> String {
        let way = path(self.domain, &frame.table, table).unwrap_or_default();
        let mut at = frame.table.as_str();
        let mut steps: Vec<(&Join, &str)> = Vec::new();
        for join in way {
            at = if join.from == at { &join.to } else { &join.from };
            steps.push((join, at));
        }
        let name = |table: &str| self.domain.table(table).map(table_name).unwrap_or_default();
        let Some(((first, _), rest)) = steps.split_first() else { return "FALSE".into() };
        let mut from = name(table);
        for (place, (join, _)) in rest.iter().enumerate().rev() {
            from.push_str(&format!(" JOIN {} ON {}", name(steps[place].1), keys_agree(join)));
        }
        let not = if some { "" } else { "NOT " };
        format!("{not}EXISTS (SELECT 1 FROM {from} WHERE {})", keys_agree(first))
    }

    fn since_first(&self, filters: &[Filter], before: bool, frame: &Frame) -> String {
        let of = Frame {
            table: frame.table.clone(),
            filters: filters.to_vec(),
            measures: vec![Measure::First],
            ..Frame::default()
        };
        let first = Printer::new(&of, self.domain, self.zone).grouped(&of);
        format!("{} {} ({first})", self.time(frame), if before { "<" } else { ">=" })
    }

    pub(super) fn having(&self, having: &Having, frame: &Frame) -> String {
        let than = match having.than {
            Than::Number(number) => number.to_string(),
            Than::Ago(length) => format!("NOW() - {}", interval(length)),
        };
        format!("{} {} {than}", self.exact(&having.measure, frame), operator(having.compare))
    }

    pub(super) fn dimension(&self, dimension: &Dimension, frame: &Frame) -> String {
        let time = self.time(frame);
        match dimension {
            Dimension::Column(column) => self.column(column),
            Dimension::HourOfDay => format!("EXTRACT(HOUR FROM {time})"),
            Dimension::DayOfWeek => format!("EXTRACT(ISODOW FROM {time})"),
            Dimension::Every(Length { amount: 1, unit }) => {
                format!("date_trunc('{}', {time})", unit_word(*unit))
            }
            Dimension::Every(length) => {
                // Counted from midnight of a Monday, where the asker lives.
                let origin = jiff::civil::date(2001, 1, 1).to_zoned(self.zone.clone());
                let origin = origin.map_or_else(|_| "2001-01-01 00:00:00+00:00".into(), |at| moment(&at));
                format!("date_bin({}, {time}, TIMESTAMPTZ '{origin}')", interval(*length))
            }
        }
    }

    pub(super) fn period(&self, period: &Period, frame: &Frame) -> String {
        let Some((column, kind)) = self.time_column(frame) else { return "TRUE".into() };
        self.during(period, &self.column(&column), &kind)
    }

    fn during(&self, period: &Period, time: &str, kind: &Kind) -> String {
        match period {
            Period::Last(length) if *kind == Kind::Date => {
                format!("{time} >= CURRENT_DATE - {}", interval(*length))
            }
            Period::Last(length) => format!("{time} > NOW() - {}", interval(*length)),
            Period::Range { from, until, .. } => {
                let mut bounds = Vec::new();
                if let Some(from) = from {
                    bounds.push(format!("{time} >= {}", self.instant(*from, kind)));
                }
                match until {
                    Some(until) => bounds.push(format!("{time} < {}", self.instant(*until, kind))),
                    None if *kind == Kind::Date => bounds.push(format!("{time} <= CURRENT_DATE")),
                    None => bounds.push(format!("{time} <= NOW()")),
                }
                bounds.join(" AND ")
            }
        }
    }

    fn instant(&self, at: Timestamp, kind: &Kind) -> String {
        let at = at.to_zoned(self.zone.clone());
        match kind {
            Kind::Date => format!("DATE '{}'", at.strftime("%Y-%m-%d")),
            Kind::LocalTimestamp => format!("TIMESTAMP '{}'", at.strftime("%Y-%m-%d %H:%M:%S")),
            _ => format!("TIMESTAMPTZ '{}'", moment(&at)),
        }
    }
}

/// A period as a query bounds it, whatever its column is.
pub(in crate::analyst) fn span(period: &Period, now: &jiff::Zoned) -> String {
    let bound = |at: &Timestamp| format!("'{}'", moment(&at.to_zoned(now.time_zone().clone())));
    match period {
        Period::Last(length) => format!("> NOW() - {}", interval(*length)),
        Period::Range { from, until, .. } => {
            let from = from.as_ref().map(|from| format!(">= {}", bound(from)));
            let until =
                until.as_ref().map_or_else(|| "<= NOW()".to_owned(), |until| format!("< {}", bound(until)));
            from.into_iter().chain([until]).collect::<Vec<_>>().join(" AND ")
        }
    }
}

fn moment(at: &jiff::Zoned) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S%:z").to_string()
}
