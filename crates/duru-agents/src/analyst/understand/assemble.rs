//! From what was read to a whole query.

use jiff::Zoned;

use super::groups;
use super::query::{
    By, Comparison, Field, Filter, Group, Having, Keep, Length, Measure, Op, Order, Period, Query, Stat,
    Test, Than, Unit,
};
use super::reading::Reading;
use super::time::{self, Before};

/// Why no query comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// A condition on groups, and no groups.
    NothingToGroup,
    /// A share of nothing.
    NothingToShare,
    /// Two periods and no word that sets them against each other.
    Periods,
}

/// The query that a question makes by itself.
pub(super) fn assemble(reading: &mut Reading, now: &Zoned) -> Result<Query, Unfit> {
    let mut query = reading.query.clone();
    levels(reading, &mut query);
    query.time = period(reading, &mut query, now)?;
    daily(reading, &mut query);
    // "가장 많았던 시간대는 언제": the stretch of time is the answer.
    if reading.when_only && reading.superlative && !reading.one_line {
        // "에러율이 가장 높았던 시간은", "가장 많았던 때는 언제": as fine as the period allows.
        if query.groups.is_empty() && reading.divided.is_empty() && reading.asked.is_empty() {
            query.groups.push(groups::fitting(query.time.as_ref(), now));
        }
    }
    if reading.when_only && query.groups.iter().any(Group::is_time) {
        query.measures.retain(|measure| *measure != Measure::First);
    }
    dimensions(reading, &mut query)?;
    measures(reading, &mut query)?;
    if reading.trend && !query.groups.iter().any(Group::is_time) && query.compare.is_none()
        || query.cumulative && !query.groups.iter().any(Group::is_time)
    {
        query.groups.insert(0, groups::fitting(query.time.as_ref(), now));
    }
    if !query.groups.is_empty() && query.measures.is_empty() && !query.count_groups {
        query.measures.push(Measure::Count);
    }
    if let Some((op, number)) = reading.percent_than {
        let share = |measure: &&Measure| matches!(measure, Measure::Rate(_) | Measure::Share);
        let measure = query.measures.iter().find(share).ok_or(Unfit::NothingToShare)?.clone();
        query.having.push(Having { measure, op, than: Than::Number(number) });
    }
    if !query.having.is_empty() && query.groups.is_empty() {
        return Err(Unfit::NothingToGroup);
    }
    beside_statistics(reading, &mut query);
    order(reading, &mut query);
    Ok(query)
}

/// "에러 유형" speaks of errors, unless a level or a type was named.
fn levels(reading: &Reading, query: &mut Query) {
    // "에러 … WARN 이상": the range is what counts.
    let ranked = |filter: &Filter| filter.field.name() == "level" && matches!(filter.test, Test::Rank(..));
    if query.filters.iter().any(ranked) {
        query.filters.retain(|filter| filter.field.name() != "level" || ranked(filter));
    }
    let named = query.filter("level").is_some() || query.filter("error_type").is_some();
    if reading.error_said && !named {
        query.filters.push(Filter::is("level", "ERROR"));
    }
}

fn period(reading: &mut Reading, query: &mut Query, now: &Zoned) -> Result<Option<Period>, Unfit> {
    let mut periods = reading.time.periods.clone();
    periods.dedup();
    if reading.quiet {
        return Ok(quiet(query, &periods));
    }
    let keep = match reading.keep {
        Keep::All if reading.both && reading.values("service").len() < 2 => Keep::Both,
        Keep::All if reading.grown => Keep::More,
        Keep::All if reading.shrunk => Keep::Fewer,
        keep => keep,
    };
    let compare = |query: &mut Query, with: Period| query.compare = Some(Comparison { with, keep });
    if let Some(before) = reading.time.before {
        let this = match (periods.first(), before) {
            (Some(period), _) => period.clone(),
            // "직전 1시간" alone is the last hour.
            (None, Before::Length(length)) if !(reading.compared || reading.grown || reading.shrunk) => {
                return Ok(Some(Period::Last(length)));
            }
            (None, Before::Length(length)) => Period::Last(length),
            (None, Before::Unit(unit)) => whole(unit, now),
            (None, Before::Same) => return Err(Unfit::Periods),
        };
        let with = match (&this, before) {
            (Period::Last(length), Before::Length(other)) if *length == other => Period::BeforeLast(other),
            (this, Before::Unit(unit)) => time::earlier(this, Some(unit), now).ok_or(Unfit::Periods)?,
            (this, _) => time::earlier(this, None, now).ok_or(Unfit::Periods)?,
        };
        compare(query, with);
        return Ok(Some(this));
    }
    match periods.as_slice() {
        [] => Ok(None),
        [one] => {
            let one = one.clone();
            if keep != Keep::All && query.compare.is_none() && reading.keep != Keep::All {
                // "새로 나타난 에러 유형": against all that came before.
                let with = match &one {
                    Period::Last(length) => Period::Until(*length),
                    Period::Between { from: Some(from), .. } => {
                        Period::Between { from: None, until: Some(*from) }
                    }
                    _ => return Err(Unfit::Periods),
                };
                compare(query, with);
            }
            Ok(Some(one))
        }
        [first, second] => {
            let (this, other) =
                if starts(first, now) >= starts(second, now) { (first, second) } else { (second, first) };
            let with = match (this, other) {
                // "최근 1시간과 최근 24시간" overlap: no comparison is meant.
                (Period::Last(a), Period::Last(b)) if a != b => {
                    reading.overlap = true;
                    Period::Last(*b)
                }
                (_, other) => other.clone(),
            };
            compare(query, with);
            Ok(Some(this.clone()))
        }
        _ => Err(Unfit::Periods),
    }
}

/// The current day, week or month.
fn whole(unit: Unit, now: &Zoned) -> Period {
    let today = now.date();
    let first = match unit {
        Unit::Week => {
            today.saturating_sub(jiff::Span::new().days(i64::from(today.weekday().to_monday_zero_offset())))
        }
        Unit::Month => today.first_of_month(),
        _ => today,
    };
    let from = first.to_zoned(now.time_zone().clone()).ok().map(|at| at.timestamp());
    Period::Between { from, until: None }
}

fn starts(period: &Period, now: &Zoned) -> i64 {
    let back = |length: &Length, times: i64| {
        let seconds = i64::try_from(time::seconds(*length)).unwrap_or(i64::MAX);
        now.timestamp().as_second().saturating_sub(seconds.saturating_mul(times))
    };
    match period {
        Period::Last(length) => back(length, 1),
        Period::BeforeLast(length) => back(length, 2),
        Period::Between { from, .. } => from.map_or(i64::MIN, |from| from.as_second()),
        Period::Until(_) => i64::MIN,
    }
}

/// "한 건도 없는": the last line is older than the shorter period.
fn quiet(query: &mut Query, periods: &[Period]) -> Option<Period> {
    let lengths: Vec<Length> = periods
        .iter()
        .filter_map(|period| match period {
            Period::Last(length) => Some(*length),
            _ => None,
        })
        .collect();
    let seconds = |length: &Length| time::seconds(*length);
    let since = lengths.iter().min_by_key(|length| seconds(length)).copied();
    let since = since.unwrap_or(Length { amount: 1, unit: Unit::Hour });
    query.having.push(Having { measure: Measure::Last, op: Op::AtMost, than: Than::Ago(since) });
    query.measures.push(Measure::Last);
    if query.groups.is_empty() {
        query.groups.push(Group::Field(Field::column("service")));
    }
    lengths
        .iter()
        .filter(|length| **length != since)
        .max_by_key(|length| seconds(length))
        .map(|length| Period::Last(*length))
}

/// Hours and weekdays of a longer period.
fn daily(reading: &mut Reading, query: &mut Query) {
    // "평일과 주말 비교": every day is one of them, so each day of the week is told apart.
    if reading.time.weekdays.len() >= 7 {
        if !query.groups.contains(&Group::Weekday) {
            query.groups.push(Group::Weekday);
        }
        reading.time.weekdays.clear();
    }
    if let Some((from, until)) = reading.time.hours {
        query.filters.push(Filter { field: Field::column("created_at"), test: Test::Hours(from, until) });
    }
    if !reading.time.weekdays.is_empty() {
        let test = Test::Weekdays(reading.time.weekdays.clone());
        query.filters.push(Filter { field: Field::column("created_at"), test });
    }
}

fn dimensions(reading: &mut Reading, query: &mut Query) -> Result<(), Unfit> {
    let several = |query: &Query, field: &Field| {
        query.filters.iter().any(|filter| {
            &filter.field == field && matches!(&filter.test, Test::OneOf(values) if values.len() > 1)
        })
    };
    let fixed = |query: &Query, field: &Field| {
        query.filters.iter().any(|filter| {
            &filter.field == field && matches!(&filter.test, Test::OneOf(values) if values.len() == 1)
        })
    };
    // Values that are set side by side.
    if reading.compared || reading.each {
        let fields: Vec<Field> = query.filters.iter().map(|filter| filter.field.clone()).collect();
        for field in fields {
            if several(query, &field) && !reading.divided.contains(&field) {
                reading.divided.push(field);
            }
        }
    }
    let all_services = reading.values("service").len();
    if reading.both && all_services > 1 {
        let by = reading.distinct.iter().chain(&reading.named).chain(&reading.asked).find(|field| {
            matches!(
                field.name(),
                "trace_id" | "user_id" | "session_id" | "error_type" | "path" | "client_ip"
            )
        });
        if let Some(by) = by.cloned() {
            query.groups = vec![Group::Field(by.clone())];
            let measure = Measure::Distinct(Field::column("service"));
            query.having.push(Having { measure, op: Op::Equal, than: Than::Number(all_services as f64) });
            query.count_groups = reading.distinct.contains(&by) || reading.counted;
            return Ok(());
        }
    }
    let threshold: Vec<Field> = reading.distinct_having.iter().map(|(field, _, _)| field.clone()).collect();
    let free = |field: &Field| !fixed(query, field) && !threshold.contains(field);
    let divided: Vec<Field> =
        reading.divided.iter().filter(|field| !threshold.contains(field)).cloned().collect();
    let mut asked: Vec<Field> = reading.asked.iter().filter(|field| free(field)).cloned().collect();
    // What is asked of a single line stands in it.
    let of_the_line: Vec<Field> = match reading.one_line {
        true => asked.drain(..).chain(reading.named.drain(..)).collect(),
        false => Vec::new(),
    };
    // "Top 5 users excluding user_042": still by user.
    let ranks = reading.superlative && reading.query.limit.is_some();
    let excluded = |field: &&Field| {
        !ranks
            && query
                .filters
                .iter()
                .any(|filter| filter.field == **field && matches!(filter.test, Test::NoneOf(_)))
    };
    let measured = query.measures.iter().any(|measure| matches!(measure, Measure::Stat(..)));
    let worth_naming = |field: &&Field| {
        // "크롬 사용자의 평균": whose lines they are, not by whom.
        let person = matches!(field.name(), "user_id" | "session_id");
        if person
            && measured
            && !reading.superlative
            && reading.query.limit.is_none()
            && query.having.is_empty()
        {
            return false;
        }
        // Messages and requests are also just lines.
        field.name() != "message"
            || reading.superlative
            || reading.counted
            || reading.spread
            || reading.query.limit.is_some()
    };
    for field in reading.named.iter().filter(|field| free(field) && !excluded(field)).filter(worth_naming) {
        if !divided.contains(field) && !asked.contains(field) {
            asked.push(field.clone());
        }
    }
    asked.retain(|field| !divided.contains(field));
    query.filters.extend(of_the_line.into_iter().map(|field| Filter { field, test: Test::Present }));
    // Values that are counted under a condition are groups.
    let conditional = !reading.distinct_having.is_empty() || !query.having.is_empty();
    if conditional
        && divided.is_empty()
        && asked.is_empty()
        && query.groups.is_empty()
        && let [one] = reading.distinct.as_slice()
    {
        asked.push(one.clone());
        reading.distinct.clear();
        query.count_groups = true;
    }
    for (field, op, number) in &reading.distinct_having {
        let measure = Measure::Distinct(field.clone());
        query.measures.push(measure.clone());
        query.having.push(Having { measure, op: *op, than: Than::Number(*number) });
        query.filters.push(Filter { field: field.clone(), test: Test::Present });
    }
    query.filters.retain(|filter| {
        !(filter.test == Test::Present
            && matches!(
                filter.field.name(),
                "service" | "level" | "environment" | "log_type" | "service_version" | "message"
            ))
    });
    if reading.averaged {
        // Lines for each stretch or value, which is not a group of its own.
        let mut all: Vec<Group> = divided.into_iter().chain(asked).map(Group::Field).collect();
        let each = match query.groups.pop() {
            Some(stretch) => Some(stretch),
            None => {
                let person = |group: &Group| matches!(group, Group::Field(field) if matches!(field.name(), "user_id" | "session_id" | "trace_id" | "client_ip"));
                let place = all.iter().rposition(person).or_else(|| all.len().checked_sub(1));
                place.map(|place| all.remove(place))
            }
        };
        query.measures = vec![Measure::PerValue(each.ok_or(Unfit::NothingToShare)?)];
        query.groups.extend(all);
        return Ok(());
    }
    let parts = query.groups.len() + divided.len();
    let first = reading.superlative || reading.slowest && reading.slowest_said;
    if first && !asked.is_empty() && parts > 0 && query.having.is_empty() {
        query.best_each = query.best_each.or(query.limit).or(Some(1));
        query.limit = None;
    } else if asked.is_empty()
        && parts < 2
        && let Some(best) = query.best_each.take()
    {
        query.limit = Some(best);
    }
    for field in divided.into_iter().chain(asked) {
        let group = Group::Field(field);
        if !query.groups.contains(&group) {
            query.groups.push(group);
        }
    }
    // An API is a path of a backend.
    let by_path = query.groups.contains(&Group::Field(Field::column("path")));
    if reading.api_said && by_path && query.filter("log_type").is_none() && query.filter("service").is_none()
    {
        query.filters.push(Filter::is("log_type", "BACKEND"));
    }
    Ok(())
}

fn measures(reading: &mut Reading, query: &mut Query) -> Result<(), Unfit> {
    for field in &reading.distinct {
        let measure = Measure::Distinct(field.clone());
        if !query.measures.contains(&measure) && !query.count_groups {
            query.measures.push(measure);
        }
    }
    if let Some(field) = reading.rate_of.take()
        && reading.percent
        && !reading.divided.contains(&field)
    {
        let (these, among): (Vec<Filter>, Vec<Filter>) = query.filters.drain(..).partition(is_part);
        query.filters = among;
        if these.is_empty() {
            return Err(Unfit::NothingToShare);
        }
        query.groups.retain(|group| *group != Group::Field(field.clone()));
        query.having.clear();
        (query.count_groups, query.limit, query.order) = (false, None, None);
        query.measures = vec![Measure::RateOf(field, these)];
        return Ok(());
    }
    let has_rate = query.measures.iter().any(|measure| matches!(measure, Measure::Rate(_)));
    if has_rate {
        // The level is what the rate is of, not a condition on all lines.
        query.filters.retain(|filter| filter.field.name() != "level");
    } else if reading.percent {
        share(reading, query)?;
    }
    if query.measures.is_empty() && !query.count_groups {
        let grouped = !query.groups.is_empty();
        match reading.measure_of.take() {
            Some((stat, field)) if grouped || !reading.slowest => {
                query.measures.push(Measure::Stat(stat, field))
            }
            Some((_, field)) if !reading.counted => {
                query.order = Some(Order { by: By::Field(field), descending: !reading.ascending });
            }
            None if reading.slowest && grouped && !reading.counted => {
                query.measures.push(Measure::Stat(Stat::Average, Field::column("duration_ms")));
            }
            None if reading.slowest && !reading.counted && !grouped => {
                query.order = Some(Order {
                    by: By::Field(Field::column("duration_ms")),
                    descending: !reading.ascending,
                });
            }
            _ if grouped || reading.counted || query.compare.is_some() || !query.having.is_empty() => {
                query.measures.push(Measure::Count);
            }
            _ => {}
        }
    } else if reading.counted
        && !query.measures.contains(&Measure::Count)
        && (!query.groups.is_empty()
            || query.measures.iter().all(|it| matches!(it, Measure::First | Measure::Last)))
        && !query.count_groups
        && query.compare.is_none()
    {
        // "건수 상위 10명과 마지막 시각": ranked by how many.
        let moments = query.measures.iter().all(|it| matches!(it, Measure::First | Measure::Last));
        let place = if moments && query.limit.is_some() { 0 } else { query.measures.len() };
        query.measures.insert(place, Measure::Count);
    }
    // What a group must have is shown.
    for having in &query.having {
        let shown = matches!(having.measure, Measure::Count | Measure::Rate(_));
        if shown && !query.measures.contains(&having.measure) && query.compare.is_none() {
            query.measures.push(having.measure.clone());
        }
    }
    if query.cumulative && query.measures.is_empty() {
        query.measures.push(Measure::Count);
    }
    Ok(())
}

/// Beside a statistic of each group: of how many lines it is.
fn beside_statistics(reading: &Reading, query: &mut Query) {
    let Some(Measure::Stat(_, field)) = query.measures.first() else { return };
    let field = field.clone();
    let counted = reading.counted && query.measures.contains(&Measure::Count);
    query.measures.retain(|measure| counted || *measure != Measure::Count);
    let same =
        query.measures.iter().all(|measure| matches!(measure, Measure::Stat(_, other) if *other == field));
    if same && !query.groups.is_empty() && query.compare.is_none() && query.best_each.is_none() {
        query.filters.push(Filter { field, test: Test::Present });
        query.measures.push(Measure::Count);
    }
}

/// Whether a condition says which part of a whole is meant, and not of what whole.
fn is_part(filter: &Filter) -> bool {
    matches!(filter.test, Test::Number(..) | Test::Absent)
        || filter.test == Test::Present && filter.field.name() == "stack_trace"
        || matches!(
            filter.field.name(),
            "level" | "status_code" | "duration_ms" | "error_type" | "cache_hit" | "message"
        )
}

/// "몇 퍼센트가", "share of each": of a whole.
fn share(reading: &Reading, query: &mut Query) -> Result<(), Unfit> {
    let of_each =
        query.groups.iter().any(|group| matches!(group, Group::Field(field) if field.name() == "error_type"));
    let part = is_part;
    if !query.groups.is_empty()
        && (of_each || reading.each || reading.whole || !query.filters.iter().any(part))
    {
        query.measures.insert(0, Measure::Share);
        return Ok(());
    }
    // The narrowest conditions are what is counted; the others say among which.
    let only_level =
        query.filters.iter().filter(|filter| part(filter)).all(|filter| filter.field.name() == "level");
    let (mut these, mut among): (Vec<Filter>, Vec<Filter>) = query
        .filters
        .drain(..)
        .partition(|filter| part(filter) && (only_level || filter.field.name() != "level"));
    if these.is_empty() && query.groups.is_empty() {
        // "GET 요청이 전체의 몇 %": whatever is named is the part.
        std::mem::swap(&mut these, &mut among);
    }
    query.filters = among;
    if these.is_empty() {
        return Err(Unfit::NothingToShare);
    }
    for filter in &these {
        if matches!(filter.field, Field::Meta(_)) || filter.field.name() == "duration_ms" {
            let present = Filter { field: filter.field.clone(), test: Test::Present };
            if !query.filters.contains(&present) {
                query.filters.push(present);
            }
        }
    }
    query.measures.insert(0, Measure::Rate(these));
    Ok(())
}

/// "시간대별" over several days, or of two days beside each other, is by the hour of the day.
pub(super) fn hours_of_day(reading: &Reading, query: &mut Query) {
    let hour = Group::Every(Length { amount: 1, unit: Unit::Hour });
    if !query.groups.contains(&hour) {
        return;
    }
    let long = match &query.time {
        Some(Period::Last(length)) => match length.unit {
            Unit::Hour => length.amount > 48,
            Unit::Day => length.amount > 2,
            Unit::Week | Unit::Month | Unit::Year => true,
            Unit::Second | Unit::Minute => false,
        },
        Some(Period::Between { from: Some(from), until }) => {
            until.is_some_and(|until| until.duration_since(*from).as_hours() > 48)
        }
        None => true,
        _ => false,
    };
    if query.compare.is_some() || reading.hour_slots && long {
        for group in &mut query.groups {
            if *group == hour {
                *group = Group::HourOfDay;
            }
        }
    }
}

fn order(reading: &Reading, query: &mut Query) {
    let grouped = !query.groups.is_empty();
    if query.is_rows() {
        if reading.newest {
            query.order = Some(Order { by: By::Time, descending: true });
        } else if query.order.is_none() {
            let one = query.filters.iter().any(|filter| {
                matches!(filter.field.name(), "trace_id" | "session_id")
                    && matches!(filter.test, Test::OneOf(_))
            });
            if reading.journey || one {
                query.order = Some(Order { by: By::Time, descending: false });
            }
        }
        let by_number = matches!(query.order, Some(Order { by: By::Field(_), .. }));
        if by_number && query.limit.is_none() && !reading.list {
            query.limit = Some(if reading.superlative || reading.slowest_said { 1 } else { 10 });
        }
        return;
    }
    if !grouped {
        query.order = None;
        query.limit = None;
        // One line with both figures, whichever is greater.
        if let Some(compare) = &mut query.compare {
            compare.keep = Keep::All;
        }
        return;
    }
    if query.compare.is_some()
        && (reading.superlative || query.limit.is_some())
        && (reading.grown || reading.shrunk)
    {
        query.order = Some(Order { by: By::Growth, descending: reading.grown });
        if let Some(compare) = &mut query.compare {
            compare.keep = Keep::All;
        }
    } else if reading.superlative || reading.by_measure || reading.slowest || query.limit.is_some() {
        query.order = Some(Order { by: By::Measure(0), descending: !reading.ascending });
    } else if reading.ascending {
        query.order = Some(Order { by: By::Measure(0), descending: false });
    }
    let first = reading.superlative || reading.slowest && reading.slowest_said;
    if first
        && query.limit.is_none()
        && query.best_each.is_none()
        && query.having.is_empty()
        && !reading.by_measure
    {
        query.limit = Some(1);
    }
}
