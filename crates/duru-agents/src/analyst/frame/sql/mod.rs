//! Frames as PostgreSQL's SQL. Every name and value is quoted here and nowhere else.

mod conditions;
mod from;
mod measures;
mod text;

use duru_sql::domain::Domain;
use jiff::tz::TimeZone;

use super::{By, Column, Dimension, Filter, Frame, Keep, Measure, Order, Window};
pub(in crate::analyst) use conditions::span;
use from::Tables;
pub(in crate::analyst) use from::{columns, hops, multiplies};
use text::{direction, ident};

/// Rows are shown so many at a time.
const ROWS: u32 = 100;

/// The query that answers a frame, with times as they are in this zone.
pub fn print(frame: &Frame, domain: &Domain, zone: &TimeZone) -> String {
    Printer::new(frame, domain, zone).query(frame)
}

/// One condition as it stands in a query of its table.
pub(in crate::analyst) fn condition(filter: &Filter, domain: &Domain, zone: &TimeZone) -> String {
    let frame = Frame { table: filter.column.table.clone(), ..Frame::default() };
    Printer::new(&frame, domain, zone).filter(filter, &frame)
}

struct Printer<'a> {
    domain: &'a Domain,
    zone: &'a TimeZone,
    tables: Tables<'a>,
}

impl<'a> Printer<'a> {
    fn new(frame: &Frame, domain: &'a Domain, zone: &'a TimeZone) -> Self {
        Self { domain, zone, tables: Tables::of(frame, domain) }
    }

    fn query(&self, frame: &Frame) -> String {
        if frame.is_rows() {
            return self.rows(frame);
        }
        if frame.best_each.is_some() && frame.dimensions.len() > 1 {
            return self.best_each(frame);
        }
        if let Some(Measure::PerValue(each)) = frame.measures.first() {
            return self.per_value(frame, each);
        }
        if frame.both_ends && !frame.dimensions.is_empty() {
            return self.both_ends(frame);
        }
        let inner = self.grouped(frame);
        if frame.count_groups {
            return format!("SELECT COUNT(*) AS count FROM ({inner}) AS found");
        }
        match frame.window {
            Some(window) => self.window(frame, window, &inner),
            None => inner,
        }
    }

    fn rows(&self, frame: &Frame) -> String {
        let Some(table) = self.domain.table(&frame.table) else { return String::new() };
        let mut columns: Vec<String> = Vec::new();
        let mut add = |text: String| {
            if !columns.contains(&text) {
                columns.push(text);
            }
        };
        let usual: Vec<Column> = if table.show.is_empty() && frame.show.is_empty() {
            table
                .columns
                .iter()
                .filter(|column| column.key.is_none())
                .map(|column| Column::new(&table.name, &column.name))
                .collect()
        } else {
            table.show.iter().map(|name| Column::new(&table.name, name)).collect()
        };
        let filtered = frame.filters.iter().filter(|_| !table.show.is_empty()).map(|filter| &filter.column);
        for column in usual.iter().chain(&frame.show).chain(filtered) {
            add(self.named(column));
        }
        let mut conditions = self.conditions(frame);
        let time = table.time.as_ref().map(|time| self.column(&Column::new(&table.name, time)));
        let order = match &frame.order {
            Some(order) => match &order.by {
                By::Column(column) => {
                    add(self.named(column));
                    conditions.push(format!("{} IS NOT NULL", self.column(column)));
                    Some(format!("{}{}", self.number(column), direction(order.descending)))
                }
                _ => time.map(|time| format!("{time}{}", direction(order.descending))),
            },
            None => time.map(|time| format!("{time} DESC")),
        };
        let mut limit = frame.limit.or(table.time.as_ref().map(|_| ROWS));
        // Of things that are equally great, all are the greatest.
        if let (Some(Order { by: By::Column(column), descending }), Some(1), None) =
            (&frame.order, limit, &table.time)
        {
            let (end, number) = (if *descending { "MAX" } else { "MIN" }, self.number(column));
            let within = self.where_clause(&conditions);
            conditions
                .push(format!("{number} = (SELECT {end}({number}) FROM {}{within})", self.tables.from()));
            limit = None;
        }
        let place = self.where_clause(&conditions);
        let order = order.map(|order| format!(" ORDER BY {order}")).unwrap_or_default();
        // Things are few, and all of them are wanted; lines of a log are not.
        let limit = limit.map(|limit| format!(" LIMIT {limit}")).unwrap_or_default();
        let distinct = if self.tables.several() && order.is_empty() { "DISTINCT " } else { "" };
        format!("SELECT {distinct}{} FROM {}{place}{order}{limit}", columns.join(", "), self.tables.from())
    }

    fn where_clause(&self, conditions: &[String]) -> String {
        if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) }
    }

    /// A column under its own name.
    fn named(&self, column: &Column) -> String {
        let (expression, name) = (self.column(column), ident(column.short()));
        if expression == name { expression } else { format!("{expression} AS {name}") }
    }

    fn grouped(&self, frame: &Frame) -> String {
        let mut sql = self.ungraded(frame);
        if !frame.dimensions.is_empty() && !frame.count_groups && frame.window.is_none() {
            sql.push_str(&format!(" ORDER BY {}", self.order(frame, None)));
            if let Some(limit) = frame.limit {
                sql.push_str(&format!(" LIMIT {limit}"));
            }
        }
        sql
    }

    /// Groups and their figures, in no order.
    fn ungraded(&self, frame: &Frame) -> String {
        let mut columns = Vec::new();
        for (place, dimension) in frame.dimensions.iter().enumerate() {
            columns.push(format!("{} AS {}", self.dimension(dimension, frame), name_of(dimension, place)));
        }
        let (now, then) = self.two_periods(frame);
        for measure in &frame.measures {
            let name = measures::name(measure);
            if then.is_empty() {
                columns.push(format!("{} AS {}", self.measure(measure, "", frame), ident(&name)));
            } else {
                columns.push(format!(
                    "{} AS {}",
                    self.measure(measure, &now, frame),
                    ident(&format!("{name}_now"))
                ));
                columns.push(format!(
                    "{} AS {}",
                    self.measure(measure, &then, frame),
                    ident(&format!("{name}_before"))
                ));
                if let Some(whole) = frame.compare.as_ref().and_then(|compare| compare.whole.as_ref()) {
                    let whole = self.period(whole, frame);
                    columns.push(format!(
                        "{} AS {}",
                        self.measure(measure, &whole, frame),
                        ident(&format!("{name}_before_whole"))
                    ));
                }
            }
        }
        let place = self.where_clause(&self.conditions(frame));
        let mut sql = format!("SELECT {} FROM {}{place}", columns.join(", "), self.tables.from());
        if !frame.dimensions.is_empty() {
            let places: Vec<String> = (1..=frame.dimensions.len()).map(|place| place.to_string()).collect();
            sql.push_str(&format!(" GROUP BY {}", places.join(", ")));
        }
        let having = self.having_clause(frame, &now, &then);
        if !having.is_empty() {
            sql.push_str(&format!(" HAVING {}", having.join(" AND ")));
        }
        sql
    }

    fn having_clause(&self, frame: &Frame, now: &str, then: &str) -> Vec<String> {
        let mut all: Vec<String> = frame.having.iter().map(|having| self.having(having, frame)).collect();
        if !frame.none_of.is_empty() {
            let none: Vec<String> = frame.none_of.iter().map(|filter| self.filter(filter, frame)).collect();
            all.push(format!("COUNT(*) FILTER (WHERE {}) = 0", none.join(" AND ")));
        }
        if !frame.some_of.is_empty() {
            all.push(format!(
                "COUNT(*) FILTER (WHERE {}) > 0",
                self.filters(&frame.some_of, frame).join(" AND ")
            ));
        }
        if let Some(period) = &frame.silent {
            all.push(format!("COUNT(*) FILTER (WHERE {}) = 0", self.period(period, frame)));
        }
        if let Some(column) = &frame.all_of {
            let count = frame.filter(&column.name).map_or(2, |filter| match &filter.test {
                super::Test::OneOf(values) => values.len(),
                _ => 2,
            });
            all.push(format!("COUNT(DISTINCT {}) = {count}", self.column(column)));
        }
        all.extend(self.kept(frame, now, then));
        all
    }

    /// The conditions that tell the two periods of a comparison apart.
    fn two_periods(&self, frame: &Frame) -> (String, String) {
        match (&frame.time, &frame.compare) {
            (Some(now), Some(compare)) => (self.period(now, frame), self.period(&compare.with, frame)),
            _ => (String::new(), String::new()),
        }
    }

    fn kept(&self, frame: &Frame, now: &str, then: &str) -> Vec<String> {
        let Some(compare) = &frame.compare else { return Vec::new() };
        let measure = frame.measures.first().unwrap_or(&Measure::Count);
        let (a, b) = (self.measure(measure, now, frame), self.measure(measure, then, frame));
        let rows = |period: &str, sign: &str| format!("COUNT(*) FILTER (WHERE {period}) {sign} 0");
        match compare.keep {
            Keep::All => Vec::new(),
            Keep::More => vec![format!("{a} > {b}")],
            Keep::Fewer => vec![format!("{a} < {b}")],
            Keep::Times(compare, factor) => vec![format!("{a} {} {factor} * {b}", text::operator(compare))],
            Keep::Both => vec![rows(now, ">"), rows(then, ">")],
            Keep::New => vec![rows(now, ">"), rows(then, "=")],
            Keep::Gone => vec![rows(now, "="), rows(then, ">")],
        }
    }

    /// By what groups are ordered; `reversed` for the other end.
    fn order(&self, frame: &Frame, reversed: Option<()>) -> String {
        let groups: Vec<String> = (1..=frame.dimensions.len()).map(|place| place.to_string()).collect();
        let groups = groups.join(", ");
        let (now, then) = self.two_periods(frame);
        let time = frame.dimensions.iter().any(Dimension::is_time);
        let (by, descending) = match &frame.order {
            Some(order) => (order.by.clone(), order.descending),
            None if time || frame.measures.is_empty() => (By::Time, false),
            None if then.is_empty() => (By::Measure(0), true),
            None => (By::Growth, true),
        };
        let descending = descending != reversed.is_some();
        match by {
            By::Growth | By::GrowthRate if !then.is_empty() => {
                let measure = frame.measures.first().unwrap_or(&Measure::Count);
                let (a, b) = (self.measure(measure, &now, frame), self.measure(measure, &then, frame));
                let growth = if by == By::Growth {
                    format!("{a} - {b}")
                } else {
                    format!("({a} - {b}) / NULLIF({b}, 0)::numeric")
                };
                format!("{growth}{} NULLS LAST, {groups}", direction(descending))
            }
            By::Measure(place) if place < frame.measures.len() => {
                let step = match &frame.compare {
                    None => 1,
                    Some(compare) => 2 + usize::from(compare.whole.is_some()),
                };
                let place = frame.dimensions.len() + place * step + 1;
                format!("{place}{} NULLS LAST, {groups}", direction(descending))
            }
            By::Column(column) if frame.dimensions.contains(&Dimension::Column(column.clone())) => {
                let place = frame.dimensions.iter().position(|one| *one == Dimension::Column(column.clone()));
                format!("{}{}", place.unwrap_or(0) + 1, direction(descending))
            }
            _ if descending => format!("1 DESC, {groups}"),
            _ => groups,
        }
    }

    /// So many from each end of the order.
    fn both_ends(&self, frame: &Frame) -> String {
        let limit = frame.limit.unwrap_or(1);
        let inner = self.ungraded(frame);
        let (first, last) = (self.order(frame, None), self.order(frame, Some(())));
        format!(
            "SELECT * FROM ({inner} ORDER BY {first} LIMIT {limit}) AS first_ones UNION ALL SELECT * FROM ({inner} ORDER BY {last} LIMIT {limit}) AS last_ones"
        )
    }

    /// The best of the last dimension within each of the others.
    fn best_each(&self, frame: &Frame) -> String {
        let names: Vec<String> =
            frame.dimensions.iter().enumerate().map(|(place, one)| name_of(one, place)).collect();
        let groups: Vec<String> = frame.dimensions.iter().map(|one| self.dimension(one, frame)).collect();
        let measure = frame.measures.first().unwrap_or(&Measure::Count);
        let (value, name) = (self.measure(measure, "", frame), ident(&measures::name(measure)));
        let columns: Vec<String> =
            groups.iter().zip(&names).map(|(group, name)| format!("{group} AS {name}")).collect();
        let direction = direction(frame.order.as_ref().is_none_or(|order| order.descending));
        let places: Vec<String> = (1..=groups.len()).map(|place| place.to_string()).collect();
        let (last, parts) = groups
            .split_last()
            .map_or((String::new(), String::new()), |(last, parts)| (last.clone(), parts.join(", ")));
        format!(
            "SELECT {}, {name} FROM (SELECT {}, {value} AS {name}, ROW_NUMBER() OVER (PARTITION BY {parts} ORDER BY {value}{direction} NULLS LAST, {last}) AS place FROM {}{} GROUP BY {}) AS ranked WHERE place <= {} ORDER BY {}, {name}{direction} NULLS LAST",
            names.join(", "),
            columns.join(", "),
            self.tables.from(),
            self.where_clause(&self.conditions(frame)),
            places.join(", "),
            frame.best_each.unwrap_or(1),
            names[..names.len() - 1].join(", "),
        )
    }

    fn per_value(&self, frame: &Frame, each: &Dimension) -> String {
        let mut inner: Vec<String> = Vec::new();
        let mut outer: Vec<String> = Vec::new();
        for (place, dimension) in frame.dimensions.iter().enumerate() {
            let name = name_of(dimension, place);
            inner.push(format!("{} AS {name}", self.dimension(dimension, frame)));
            outer.push(name);
        }
        let mut conditions = self.conditions(frame);
        if let Dimension::Column(column) = each {
            conditions.push(format!("{} IS NOT NULL", self.column(column)));
        }
        inner.push(format!("{} AS value_of, COUNT(*) AS rows_of", self.dimension(each, frame)));
        let places: Vec<String> = (1..=frame.dimensions.len() + 1).map(|place| place.to_string()).collect();
        let mut sql = format!(
            "SELECT {}AVG(rows_of) AS average FROM (SELECT {} FROM {}{} GROUP BY {}) AS found",
            outer.iter().map(|name| format!("{name}, ")).collect::<String>(),
            inner.join(", "),
            self.tables.from(),
            self.where_clause(&conditions),
            places.join(", ")
        );
        if !outer.is_empty() {
            sql.push_str(&format!(" GROUP BY {} ORDER BY average DESC", outer.join(", ")));
            if let Some(limit) = frame.limit {
                sql.push_str(&format!(" LIMIT {limit}"));
            }
        }
        sql
    }

    fn window(&self, frame: &Frame, window: Window, inner: &str) -> String {
        let names: Vec<String> =
            frame.dimensions.iter().enumerate().map(|(place, one)| name_of(one, place)).collect();
        let first = names.first().cloned().unwrap_or_default();
        let rest = names.get(1..).unwrap_or_default();
        let parts =
            if rest.is_empty() { String::new() } else { format!("PARTITION BY {} ", rest.join(", ")) };
        let measure = ident(&frame.measures.first().map(measures::name).unwrap_or_default());
        let (function, range, name) = match window {
            Window::Cumulative => ("SUM", String::new(), "cumulative".to_owned()),
            Window::Moving(count) => {
                let before = count.saturating_sub(1);
                (
                    "AVG",
                    format!(" ROWS BETWEEN {before} PRECEDING AND CURRENT ROW"),
                    format!("moving_average_{count}"),
                )
            }
        };
        format!(
            "SELECT {}, {measure}, {function}({measure}) OVER ({parts}ORDER BY {first}{range}) AS {name} FROM ({inner}) AS found ORDER BY {}",
            names.join(", "),
            names.join(", "),
        )
    }

    /// One value: the column's in the first row of another frame's answer.
    fn first_of(&self, frame: &Frame, column: &Column) -> String {
        let mut one = frame.clone();
        one.dimensions = vec![Dimension::Column(column.clone())];
        one.limit = Some(1);
        if one.measures.is_empty() {
            one.measures.push(Measure::Count);
        }
        let inner = Printer::new(&one, self.domain, self.zone).grouped(&one);
        format!("SELECT {} FROM ({inner}) AS first_of", ident(column.short()))
    }

    fn filters(&self, filters: &[Filter], frame: &Frame) -> Vec<String> {
        filters.iter().map(|filter| self.filter(filter, frame)).collect()
    }
}

fn name_of(dimension: &Dimension, place: usize) -> String {
    match dimension {
        Dimension::Column(column) => ident(column.short()),
        Dimension::Every(_) if place == 0 => "bucket".into(),
        Dimension::Every(_) => format!("bucket_{}", place + 1),
        Dimension::HourOfDay => "hour_of_day".into(),
        Dimension::DayOfWeek => "weekday".into(),
    }
}
