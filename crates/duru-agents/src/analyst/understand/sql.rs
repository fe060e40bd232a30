//! The tree as PostgreSQL's SQL. Every value is quoted here and nowhere else.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::query::{
    By, Field, Filter, Group, Having, Keep, Length, Measure, Op, Order, Period, Query, Stat, Test, Than, Unit,
};

const TABLE: &str = "logs";
/// Lines are shown so many at a time.
const ROWS: u32 = 100;

/// Columns that every line has: nothing is lost by not asking whether they are there.
const NEVER_NULL: &[&str] =
    &["id", "created_at", "level", "log_type", "service", "environment", "service_version", "message"];

pub(super) fn print(query: &Query, zone: &TimeZone) -> String {
    Printer { zone }.query(query)
}

struct Printer<'a> {
    zone: &'a TimeZone,
}

impl Printer<'_> {
    fn query(&self, query: &Query) -> String {
        if query.is_rows() {
            return self.rows(query);
        }
        if query.best_each.is_some() && query.groups.len() > 1 {
            return self.best_each(query);
        }
        if let Some(Measure::PerValue(each)) = query.measures.first() {
            return self.per_value(query, each);
        }
        let inner = self.grouped(query);
        if query.count_groups {
            return format!("SELECT COUNT(*) AS count FROM ({inner}) AS found");
        }
        if query.cumulative {
            let groups = query.groups.iter().enumerate().map(|(place, group)| name_of(group, place));
            let groups: Vec<String> = groups.collect();
            let first = groups.first().cloned().unwrap_or_default();
            let rest = groups.get(1..).unwrap_or_default();
            let parts =
                if rest.is_empty() { String::new() } else { format!("PARTITION BY {} ", rest.join(", ")) };
            let measure = query.measures.first().map(measure_name).unwrap_or_default();
            return format!(
                "SELECT {}, {measure}, SUM({measure}) OVER ({parts}ORDER BY {first}) AS cumulative FROM ({inner}) AS found ORDER BY {}",
                groups.join(", "),
                groups.join(", "),
            );
        }
        inner
    }

    fn rows(&self, query: &Query) -> String {
        let mut columns: Vec<String> =
            ["id", "created_at", "level", "service", "message"].map(Into::into).into();
        let mut add = |field: &Field| {
            let text = match field {
                Field::Column(name) => ident(name),
                Field::Meta(key) => format!("{} AS {}", expression(field), ident(key)),
            };
            if !columns.contains(&text) {
                columns.push(text);
            }
        };
        query.filters.iter().for_each(|filter| add(&filter.field));
        let mut conditions = self.conditions(query);
        let order = match &query.order {
            Some(Order { by: By::Field(field), descending }) => {
                add(field);
                conditions.push(format!("{} IS NOT NULL", expression(field)));
                format!("{}{}", number_if_meta(field), direction(*descending))
            }
            Some(Order { descending, .. }) => format!("created_at{}", direction(*descending)),
            None => "created_at DESC".into(),
        };
        format!(
            "SELECT {} FROM {TABLE} WHERE {} ORDER BY {order} LIMIT {}",
            columns.join(", "),
            conditions.join(" AND "),
            query.limit.unwrap_or(ROWS)
        )
    }

    fn grouped(&self, query: &Query) -> String {
        let mut columns = Vec::new();
        for (place, group) in query.groups.iter().enumerate() {
            columns.push(format!("{} AS {}", self.group(group), name_of(group, place)));
        }
        let (now, then) = self.two_periods(query);
        for measure in &query.measures {
            let name = measure_name(measure);
            if then.is_empty() {
                columns.push(format!("{} AS {name}", self.measure(measure, "")));
            } else {
                columns.push(format!("{} AS {name}_now", self.measure(measure, &now)));
                columns.push(format!("{} AS {name}_before", self.measure(measure, &then)));
            }
        }
        let conditions = self.conditions(query);
        let mut sql =
            format!("SELECT {} FROM {TABLE} WHERE {}", columns.join(", "), conditions.join(" AND "));
        if !query.groups.is_empty() {
            let places: Vec<String> = (1..=query.groups.len()).map(|place| place.to_string()).collect();
            sql.push_str(&format!(" GROUP BY {}", places.join(", ")));
        }
        let mut having: Vec<String> = query.having.iter().map(|having| self.having(having)).collect();
        having.extend(self.kept(query, &now, &then));
        if !having.is_empty() {
            sql.push_str(&format!(" HAVING {}", having.join(" AND ")));
        }
        if !query.groups.is_empty() && !query.count_groups && !query.cumulative {
            sql.push_str(&format!(" ORDER BY {}", self.order(query, &now, &then)));
            if let Some(limit) = query.limit {
                sql.push_str(&format!(" LIMIT {limit}"));
            }
        }
        sql
    }

    /// The conditions that tell the two periods of a comparison apart.
    fn two_periods(&self, query: &Query) -> (String, String) {
        match (&query.time, &query.compare) {
            (Some(now), Some(compare)) => (self.period(now), self.period(&compare.with)),
            _ => (String::new(), String::new()),
        }
    }

    fn kept(&self, query: &Query, now: &str, then: &str) -> Vec<String> {
        let Some(compare) = &query.compare else { return Vec::new() };
        let measure = query.measures.first().unwrap_or(&Measure::Count);
        let (a, b) = (self.measure(measure, now), self.measure(measure, then));
        match compare.keep {
            Keep::All => Vec::new(),
            Keep::More => vec![format!("{a} > {b}")],
            Keep::Fewer => vec![format!("{a} < {b}")],
            Keep::Times(op, factor) => vec![format!("{a} {} {factor} * {b}", operator(op))],
            Keep::Both => {
                vec![format!("COUNT(*) FILTER (WHERE {now}) > 0 AND COUNT(*) FILTER (WHERE {then}) > 0")]
            }
            Keep::New => {
                vec![format!("COUNT(*) FILTER (WHERE {now}) > 0 AND COUNT(*) FILTER (WHERE {then}) = 0")]
            }
            Keep::Gone => {
                vec![format!("COUNT(*) FILTER (WHERE {now}) = 0 AND COUNT(*) FILTER (WHERE {then}) > 0")]
            }
        }
    }

    fn order(&self, query: &Query, now: &str, then: &str) -> String {
        let groups: Vec<String> = (1..=query.groups.len()).map(|place| place.to_string()).collect();
        let groups = groups.join(", ");
        let time = query.groups.iter().any(Group::is_time);
        let (by, descending) = match &query.order {
            Some(order) => (order.by.clone(), order.descending),
            None if time || query.measures.is_empty() => (By::Time, false),
            None => (By::Measure(0), true),
        };
        match by {
            By::Growth if !then.is_empty() => {
                let measure = query.measures.first().unwrap_or(&Measure::Count);
                let (a, b) = (self.measure(measure, now), self.measure(measure, then));
                format!("{a} - {b}{} NULLS LAST, {groups}", direction(descending))
            }
            By::Measure(place) if place < query.measures.len() => {
                let step = if then.is_empty() { 1 } else { 2 };
                let place = query.groups.len() + place * step + 1;
                format!("{place}{} NULLS LAST, {groups}", direction(descending))
            }
            _ if descending => format!("1 DESC, {groups}"),
            _ => groups,
        }
    }

    /// The best of the last group within each of the others.
    fn best_each(&self, query: &Query) -> String {
        let names: Vec<String> =
            query.groups.iter().enumerate().map(|(place, group)| name_of(group, place)).collect();
        let groups: Vec<String> = query.groups.iter().map(|group| self.group(group)).collect();
        let measure = query.measures.first().unwrap_or(&Measure::Count);
        let (value, name) = (self.measure(measure, ""), measure_name(measure));
        let columns: Vec<String> =
            groups.iter().zip(&names).map(|(group, name)| format!("{group} AS {name}")).collect();
        let direction = direction(query.order.as_ref().is_none_or(|order| order.descending));
        let places: Vec<String> = (1..=groups.len()).map(|place| place.to_string()).collect();
        let (last, parts) = groups
            .split_last()
            .map_or((String::new(), String::new()), |(last, parts)| (last.clone(), parts.join(", ")));
        format!(
            "SELECT {}, {name} FROM (SELECT {}, {value} AS {name}, ROW_NUMBER() OVER (PARTITION BY {parts} ORDER BY {value}{direction} NULLS LAST, {last}) AS place FROM {TABLE} WHERE {} GROUP BY {}) AS ranked WHERE place <= {} ORDER BY {}, {name}{direction} NULLS LAST",
            names.join(", "),
            columns.join(", "),
            self.conditions(query).join(" AND "),
            places.join(", "),
            query.best_each.unwrap_or(1),
            names[..names.len() - 1].join(", "),
        )
    }

    fn per_value(&self, query: &Query, each: &Group) -> String {
        let mut inner: Vec<String> = Vec::new();
        let mut outer: Vec<String> = Vec::new();
        for (place, group) in query.groups.iter().enumerate() {
            let name = name_of(group, place);
            inner.push(format!("{} AS {name}", self.group(group)));
            outer.push(name);
        }
        let mut conditions = self.conditions(query);
        if let Group::Field(field) = each {
            conditions.push(format!("{} IS NOT NULL", expression(field)));
        }
        inner.push(format!("{} AS value_of, COUNT(*) AS lines", self.group(each)));
        let places: Vec<String> = (1..=query.groups.len() + 1).map(|place| place.to_string()).collect();
        let mut sql = format!(
            "SELECT {}AVG(lines) AS average FROM (SELECT {} FROM {TABLE} WHERE {} GROUP BY {}) AS found",
            outer.iter().map(|name| format!("{name}, ")).collect::<String>(),
            inner.join(", "),
            conditions.join(" AND "),
            places.join(", ")
        );
        if !outer.is_empty() {
            sql.push_str(&format!(" GROUP BY {} ORDER BY average DESC", outer.join(", ")));
            if let Some(limit) = query.limit {
                sql.push_str(&format!(" LIMIT {limit}"));
            }
        }
        sql
    }

    fn conditions(&self, query: &Query) -> Vec<String> {
        let mut all: Vec<String> = query.filters.iter().map(|filter| self.filter(filter)).collect();
        for group in &query.groups {
            if let Group::Field(field) = group
                && !never_null(field)
            {
                all.push(format!("{} IS NOT NULL", expression(field)));
            }
        }
        match (&query.time, &query.compare) {
            (Some(now), Some(compare)) => {
                all.push(format!("(({}) OR ({}))", self.period(now), self.period(&compare.with)));
            }
            (Some(time), None) => all.push(self.period(time)),
            _ => {}
        }
        all.push("deleted = FALSE".into());
        let mut seen = Vec::new();
        all.retain(|condition| {
            let new = !seen.contains(condition);
            seen.push(condition.clone());
            new
        });
        all
    }

    fn filter(&self, filter: &Filter) -> String {
        let value = expression(&filter.field);
        let quoted = |values: &[String]| values.iter().map(|value| literal(value)).collect::<Vec<_>>();
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
                if never_null(&filter.field) { none } else { format!("({none} OR {value} IS NULL)") }
            }
            Test::Number(op, number) => {
                format!("{} {} {number}", number_if_meta(&filter.field), operator(*op))
            }
            Test::Rank(op, word) => format!("{value} {} {}", operator(*op), literal(word)),
            Test::Contains(texts) => {
                let any: Vec<String> =
                    texts.iter().map(|text| format!("{value} ILIKE {}", pattern(text, "%"))).collect();
                if any.len() == 1 { any.concat() } else { format!("({})", any.join(" OR ")) }
            }
            Test::ContainsAll(texts) => {
                let all: Vec<String> =
                    texts.iter().map(|text| format!("{value} ILIKE {}", pattern(text, "%"))).collect();
                all.join(" AND ")
            }
            Test::Lacks(text) => format!("{value} NOT ILIKE {}", pattern(text, "%")),
            // Texts are searched for whatever their case.
            Test::StartsWith(text) if filter.field.name() == "message" => {
                format!("{value} ILIKE {}", pattern(text, ""))
            }
            Test::StartsWith(text) => format!("{value} LIKE {}", pattern(text, "")),
            Test::Present => format!("{value} IS NOT NULL"),
            Test::Absent => format!("{value} IS NULL"),
            Test::FirstOf(query) => format!("{value} = ({})", self.first_of(query, &filter.field)),
            Test::Hours(from, until) => {
                let hour = "EXTRACT(HOUR FROM created_at)";
                if from < until {
                    format!("({hour} >= {from} AND {hour} < {until})")
                } else {
                    format!("({hour} >= {from} OR {hour} < {until})")
                }
            }
            Test::Weekdays(days) => {
                let days: Vec<String> = days.iter().map(ToString::to_string).collect();
                format!("EXTRACT(ISODOW FROM created_at) IN ({})", days.join(", "))
            }
        }
    }

    /// One value: the field's in the first row of the query's answer.
    fn first_of(&self, query: &Query, field: &Field) -> String {
        let mut one = query.clone();
        one.groups.retain(|group| matches!(group, Group::Field(other) if other == field));
        one.limit = Some(1);
        let place = query.order.clone().unwrap_or(Order { by: By::Measure(0), descending: true });
        let (now, then) = self.two_periods(query);
        let measure = match place.by {
            By::Measure(place) => query.measures.get(place),
            _ => query.measures.first(),
        };
        let measure = self.measure(measure.unwrap_or(&Measure::Count), &now);
        let mut having: Vec<String> = one.having.iter().map(|having| self.having(having)).collect();
        having.extend(self.kept(&one, &now, &then));
        let having =
            if having.is_empty() { String::new() } else { format!(" HAVING {}", having.join(" AND ")) };
        format!(
            "SELECT {} FROM {TABLE} WHERE {} GROUP BY 1{having} ORDER BY {measure}{} NULLS LAST, 1 LIMIT 1",
            expression(field),
            self.conditions(&one).join(" AND "),
            direction(place.descending),
        )
    }

    fn having(&self, having: &Having) -> String {
        let than = match having.than {
            Than::Number(number) => number.to_string(),
            Than::Ago(length) => format!("NOW() - {}", interval(length)),
        };
        format!("{} {} {than}", self.exact(&having.measure), operator(having.op))
    }

    /// A measure to be compared: not rounded.
    fn exact(&self, measure: &Measure) -> String {
        match measure {
            Measure::Rate(filters) => self.rate(filters, ""),
            other => self.measure(other, ""),
        }
    }

    fn rate(&self, filters: &[Filter], only: &str) -> String {
        let conditions: Vec<String> = filters.iter().map(|filter| self.filter(filter)).collect();
        let all = if only.is_empty() { String::new() } else { format!(" FILTER (WHERE {only})") };
        let these = [conditions.join(" AND ").as_str(), only]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(" AND ");
        format!("100.0 * COUNT(*) FILTER (WHERE {these}) / NULLIF(COUNT(*){all}, 0)")
    }

    fn measure(&self, measure: &Measure, only: &str) -> String {
        let filter = if only.is_empty() { String::new() } else { format!(" FILTER (WHERE {only})") };
        match measure {
            Measure::Count => format!("COUNT(*){filter}"),
            Measure::Distinct(field) => format!("COUNT(DISTINCT {}){filter}", expression(field)),
            Measure::CountOf(filters) => {
                let mut all: Vec<String> = filters.iter().map(|filter| self.filter(filter)).collect();
                if !only.is_empty() {
                    all.push(only.into());
                }
                format!("COUNT(*) FILTER (WHERE {})", all.join(" AND "))
            }
            Measure::Rate(filters) => format!("ROUND({}, 2)", self.rate(filters, only)),
            Measure::RateOf(field, filters) => {
                let all: Vec<String> = filters.iter().map(|one| self.filter(one)).collect();
                let these = [all.join(" AND "), only.to_owned()];
                let these: Vec<String> = these.into_iter().filter(|text| !text.is_empty()).collect();
                let value = expression(field);
                format!(
                    "ROUND(100.0 * COUNT(DISTINCT {value}) FILTER (WHERE {}) / NULLIF(COUNT(DISTINCT {value}){filter}, 0), 2)",
                    these.join(" AND ")
                )
            }
            Measure::Share => format!("ROUND(100.0 * COUNT(*){filter} / SUM(COUNT(*){filter}) OVER (), 2)"),
            Measure::Stat(stat, field) => {
                let value = number_if_meta(field);
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
            Measure::First => format!("MIN(created_at){filter}"),
            Measure::Last => format!("MAX(created_at){filter}"),
            Measure::Span => format!("EXTRACT(EPOCH FROM MAX(created_at){filter} - MIN(created_at){filter})"),
            Measure::Age => format!("ROUND(EXTRACT(EPOCH FROM NOW() - MAX(created_at){filter}) / 60, 1)"),
            // Only ever alone, as a query of its own.
            Measure::PerValue(each) => {
                format!("COUNT(*){filter}::numeric / NULLIF(COUNT(DISTINCT {}){filter}, 0)", self.group(each))
            }
        }
    }

    fn group(&self, group: &Group) -> String {
        match group {
            Group::Field(field) => expression(field),
            Group::HourOfDay => "EXTRACT(HOUR FROM created_at)".into(),
            Group::Weekday => "EXTRACT(ISODOW FROM created_at)".into(),
            Group::Every(Length { amount: 1, unit }) => {
                format!("date_trunc('{}', created_at)", unit_word(*unit))
            }
            Group::Every(length) => {
                // Counted from midnight of a Monday, where the asker lives.
                let origin = jiff::civil::date(2001, 1, 1).to_zoned(self.zone.clone());
                let origin = origin.map_or_else(|_| "2001-01-01 00:00:00+00:00".into(), |at| moment(&at));
                format!("date_bin({}, created_at, TIMESTAMPTZ '{origin}')", interval(*length))
            }
        }
    }

    fn period(&self, period: &Period) -> String {
        match period {
            Period::Last(length) => format!("created_at > NOW() - {}", interval(*length)),
            Period::BeforeLast(length) => {
                let double = Length { amount: length.amount * 2, unit: length.unit };
                format!(
                    "created_at > NOW() - {} AND created_at <= NOW() - {}",
                    interval(double),
                    interval(*length)
                )
            }
            Period::Until(length) => format!("created_at <= NOW() - {}", interval(*length)),
            Period::Between { from, until } => {
                let mut bounds = Vec::new();
                if let Some(from) = from {
                    bounds.push(format!("created_at >= {}", self.instant(*from)));
                }
                match until {
                    Some(until) => bounds.push(format!("created_at < {}", self.instant(*until))),
                    None => bounds.push("created_at <= NOW()".into()),
                }
                bounds.join(" AND ")
            }
        }
    }

    fn instant(&self, at: Timestamp) -> String {
        format!("TIMESTAMPTZ '{}'", moment(&at.to_zoned(self.zone.clone())))
    }
}

fn moment(at: &jiff::Zoned) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S%:z").to_string()
}

fn never_null(field: &Field) -> bool {
    matches!(field, Field::Column(name) if NEVER_NULL.contains(&name.as_str()))
}

/// How a field is written.
fn expression(field: &Field) -> String {
    match field {
        Field::Column(name) => ident(name),
        Field::Meta(key) => format!("metadata->>{}", literal(key)),
    }
}

/// The same, where a number is needed.
fn number_if_meta(field: &Field) -> String {
    match field {
        Field::Column(name) => ident(name),
        Field::Meta(key) => format!("(metadata->>{})::numeric", literal(key)),
    }
}

fn ident(name: &str) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', "''"))
}

/// A pattern in which the text stands for itself.
fn pattern(text: &str, before: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    literal(&format!("{before}{text}%"))
}

fn interval(length: Length) -> String {
    let plural = if length.amount == 1 { "" } else { "s" };
    format!("INTERVAL '{} {}{plural}'", length.amount, unit_word(length.unit))
}

fn unit_word(unit: Unit) -> &'static str {
    match unit {
        Unit::Second => "second",
        Unit::Minute => "minute",
        Unit::Hour => "hour",
        Unit::Day => "day",
        Unit::Week => "week",
        Unit::Month => "month",
        Unit::Year => "year",
    }
}

fn operator(op: Op) -> &'static str {
    match op {
        Op::More => ">",
        Op::AtLeast => ">=",
        Op::Less => "<",
        Op::AtMost => "<=",
        Op::Equal => "=",
    }
}

fn direction(descending: bool) -> &'static str {
    if descending { " DESC" } else { "" }
}

fn name_of(group: &Group, place: usize) -> String {
    match group {
        Group::Field(field) => ident(field.name()),
        Group::Every(_) if place == 0 => "bucket".into(),
        Group::Every(_) => format!("bucket_{}", place + 1),
        Group::HourOfDay => "hour_of_day".into(),
        Group::Weekday => "weekday".into(),
    }
}

/// "status_5xx", of the codes from 500 on.
fn class_of(filter: &Filter) -> Option<String> {
    match &filter.test {
        Test::Number(Op::AtLeast, number) if filter.field.name() == "status_code" => {
            Some(format!("status_{}xx", (number / 100.0) as u32))
        }
        _ => None,
    }
}

fn measure_name(measure: &Measure) -> String {
    let of = |word: &str, field: &Field| ident(&format!("{word}_{}", field.name().trim_end_matches("_ms")));
    match measure {
        Measure::Count => "count".into(),
        Measure::Distinct(field) => ident(&format!("distinct_{}", field.name())),
        Measure::CountOf(filters) => match filters.first() {
            Some(Filter { test: Test::OneOf(values), .. }) => {
                ident(&format!("{}_count", values.join("_").to_ascii_lowercase()))
            }
            Some(filter) => {
                class_of(filter).map_or_else(|| "count_of".into(), |class| format!("{class}_count"))
            }
            None => "count_of".into(),
        },
        Measure::Rate(filters) => match filters.first() {
            Some(Filter { test: Test::OneOf(values), field }) if field.name() == "level" => {
                ident(&format!("{}_rate", values.join("_").to_ascii_lowercase()))
            }
            Some(filter) if filters.len() == 2 => {
                class_of(filter).map_or_else(|| "rate".into(), |class| format!("{class}_rate"))
            }
            _ => "rate".into(),
        },
        Measure::RateOf(field, _) => ident(&format!("{}_rate", field.name())),
        Measure::Share => "percent".into(),
        Measure::Stat(Stat::Average, field) => of("avg", field),
        Measure::Stat(Stat::Minimum, field) => of("min", field),
        Measure::Stat(Stat::Maximum, field) => of("max", field),
        Measure::Stat(Stat::Sum, field) => of("sum", field),
        Measure::Stat(Stat::Deviation, field) => of("stddev", field),
        Measure::Stat(Stat::Percentile(part), field) => {
            let part = (part * 1000.0).round() / 10.0;
            of(&format!("p{}", part.to_string().replace('.', "_")), field)
        }
        Measure::First => "first_at".into(),
        Measure::Last => "last_at".into(),
        Measure::Span => "seconds".into(),
        Measure::Age => "minutes_ago".into(),
        Measure::PerValue(_) => "average".into(),
    }
}
