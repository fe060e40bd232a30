//! A question that leans on the one before it.

use jiff::Zoned;

use super::Turn;
use super::assemble::{self, Unfit};
use super::query::{Field, Filter, Group, Having, Measure, Query, Test, Than};
use super::reading::Reading;
use super::scan::{Scan, re};
use super::time;

/// What a reference stands for could not be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lost {
    Reference(Field),
    Unfit(Unfit),
}

/// Whether the question needs the one before it.
pub(super) fn leans(reading: &Reading) -> bool {
    if reading.leans || !reading.references.is_empty() {
        return true;
    }
    // What names neither a time nor whom it is about goes on with what was talked about.
    let own = ["service", "user_id", "trace_id", "session_id", "service_version", "client_ip"];
    if reading.time.periods.is_empty()
        && reading.time.before.is_none()
        && !reading.all_time
        && !reading.every_service
        && !own.iter().any(|name| reading.query.filter(name).is_some())
    {
        return true;
    }
    let shaped = reading.counted
        || reading.rows
        || reading.list
        || reading.journey
        || reading.trend
        || !reading.query.measures.is_empty()
        || reading.measure_of.is_some()
        || !reading.distinct.is_empty()
        || has_groups(reading);
    !(is_whole(reading) || reading.subject && shaped)
}

/// A person or request is named, and what they did is asked.
fn is_whole(reading: &Reading) -> bool {
    let named = |field: &str| reading.query.filter(field).is_some();
    (named("trace_id") || named("user_id") || named("session_id"))
        && (reading.journey || has_groups(reading) || !reading.query.measures.is_empty())
        || reading.slowest && reading.plain_subject
}

pub(super) fn has_groups(reading: &Reading) -> bool {
    !reading.query.groups.is_empty()
        || !reading.divided.is_empty()
        || !reading.asked.is_empty()
        || !reading.named.is_empty()
}

/// The earlier query with what the question changes of it.
pub(super) fn merge(turn: &Turn, reading: &mut Reading, scan: &Scan, now: &Zoned) -> Result<Query, Lost> {
    let before = &turn.query;
    let references = resolve(turn, reading)?;
    let fields: Vec<&Field> = references.iter().map(|filter| &filter.field).collect();
    // A dimension that is fixed now divides nothing.
    reading.asked.retain(|field| !fields.contains(&field));
    reading.named.retain(|field| {
        !fields.contains(&field)
            && !(before
                .filters
                .iter()
                .any(|filter| &filter.field == field && matches!(filter.test, Test::OneOf(_))))
    });
    // "그 전날은?": the period before the one that was asked about.
    let compared = reading.compared || reading.grown || reading.shrunk;
    if let (Some(earlier), Some(time), [], false) =
        (reading.time.before, &before.time, reading.time.periods.as_slice(), compared)
    {
        let unit = match earlier {
            time::Before::Unit(unit) => Some(unit),
            _ => None,
        };
        if let Some(period) = time::earlier(time, unit, now) {
            reading.time.before = None;
            reading.time.periods.push(period);
        }
    }
    // "1초 이상인 것만" of groups whose average was shown: the groups are meant, not the lines.
    if !before.groups.is_empty() && !has_groups(reading) {
        let shown = |filter: &Filter| {
            let Test::Number(op, number) = filter.test else { return None };
            let measure = before
                .measures
                .iter()
                .find(|measure| matches!(measure, Measure::Stat(_, field) if *field == filter.field))?;
            Some(Having { measure: measure.clone(), op, than: Than::Number(number) })
        };
        let conditions: Vec<Having> = reading.query.filters.iter().filter_map(shown).collect();
        reading.query.filters.retain(|filter| shown(filter).is_none());
        reading.later.extend(conditions);
    }
    if let Some((op, number)) = reading.percent_than.take()
        && let Some(measure) =
            before.measures.iter().find(|it| matches!(it, Measure::Rate(_) | Measure::Share))
    {
        reading.later.push(Having { measure: measure.clone(), op, than: Than::Number(number) });
    }
    // "비율로 보여줘": the same groups, as parts of a whole.
    if reading.percent
        && !has_groups(reading)
        && reading.query.filters.is_empty()
        && !before.groups.is_empty()
    {
        reading.percent = false;
        reading.measure(Measure::Share);
    }
    // "느린 순으로": the same groups, by how long they take.
    if reading.slowest
        && !has_groups(reading)
        && !before.groups.is_empty()
        && reading.query.measures.is_empty()
        && reading.measure_of.is_none()
    {
        reading.measure(Measure::Stat(super::query::Stat::Average, Field::column("duration_ms")));
        reading.by_measure = true;
    }
    let new = assemble::assemble(reading, now).map_err(Lost::Unfit)?;
    let regrouped = has_groups(reading) && !new.groups.is_empty();
    let only_counted = new.measures == [Measure::Count] && !reading.counted;
    let remeasured = !(new.measures.is_empty() || only_counted);
    let mut query = before.clone();
    if new.time.is_some() {
        query.time = new.time.clone();
        query.compare = new.compare.clone();
    }
    for filter in new.filters.iter().chain(&references) {
        let without = matches!(filter.test, Test::NoneOf(_));
        query
            .filters
            .retain(|old| old.field != filter.field || without && !matches!(old.test, Test::NoneOf(_)));
        query.filters.push(filter.clone());
    }
    // New lines, not those of the level before.
    let shaped = regrouped || remeasured || reading.rows || reading.list;
    if reading.plain_subject && shaped && new.filter("level").is_none() && !reading.among {
        query.filters.retain(|filter| filter.field.name() != "level");
    }
    let listed = reading.plain_subject || before.groups.is_empty() && !reading.counted && !remeasured;
    if reading.rows && !regrouped && !remeasured || reading.list && listed && !regrouped {
        query.groups.clear();
        query.measures.clear();
        query.having.clear();
        query.order = new.order.clone();
        query.limit = new.limit;
        query.count_groups = false;
        return Ok(query);
    }
    let fixed = |group: &Group, filters: &[Filter]| matches!(group, Group::Field(field) if filters.iter().any(|filter| &filter.field == field));
    if regrouped {
        let adding = scan
            .said(re!(r"별로도|별도|추가로|까지\s*나눠|\balso\b|\bas\s+well\b|\bfurther\b|\bthen\s+by\b"));
        if !adding {
            query.groups.clear();
        }
        for group in &new.groups {
            if !query.groups.contains(group) {
                query.groups.push(group.clone());
            }
        }
        query.best_each = new.best_each;
        query.count_groups = false;
        if query.measures.is_empty() {
            query.measures = vec![Measure::Count];
        }
        query.having = new.having.clone();
        query.order = None;
        query.limit = None;
    }
    query.groups.retain(|group| !fixed(group, &references));
    if regrouped {
        // What divides the answer is no longer fixed to one value.
        let kept = |filter: &Filter| new.filters.contains(filter) || references.contains(filter);
        let groups = query.groups.clone();
        query.filters.retain(|filter| {
            let one = matches!(&filter.test, Test::OneOf(values) if values.len() == 1);
            !one || kept(filter) || !groups.contains(&Group::Field(filter.field.clone()))
        });
    }
    if new.measures.iter().any(|measure| matches!(measure, Measure::Rate(_))) {
        query.filters.retain(|filter| filter.field.name() != "level");
    }
    if remeasured {
        query.filters.retain(|filter| filter.test != Test::Present || new.filters.contains(filter));
        query.measures = new.measures.clone();
        query.order = None;
        query.having = new.having.clone();
        query.count_groups = new.count_groups;
        if !regrouped && reading.counted && before.is_rows() {
            query.limit = None;
        }
    }
    if query.measures.is_empty() && !query.groups.is_empty() {
        query.measures = vec![Measure::Count];
    }
    if !new.having.is_empty() {
        query.having = new.having.clone();
    }
    query.having.append(&mut reading.later);
    if new.order.is_some() || reading.ascending || reading.by_measure {
        query.order = new.order.clone();
    }
    if reading.superlative && !query.groups.is_empty() && new.limit.is_none() && references.is_empty() {
        query.limit = Some(1);
    }
    if new.limit.is_some() {
        query.limit = new.limit;
    }
    if !references.is_empty() && !regrouped && query.groups.is_empty() {
        query.limit = None;
        query.order = None;
    }
    query.cumulative |= new.cumulative;
    if new.cumulative && !query.groups.iter().any(Group::is_time) {
        query.groups = new.groups.clone();
    }
    Ok(query)
}

/// What "그 서비스" and "그중 제일 많은 서비스" stand for.
fn resolve(turn: &Turn, reading: &mut Reading) -> Result<Vec<Filter>, Lost> {
    if reading.among && reading.superlative {
        let groups = |field: &&Field| turn.query.groups.contains(&Group::Field((*field).clone()));
        let all = reading.named.len() + reading.asked.len() + reading.divided.len();
        let found = reading.named.iter().chain(&reading.asked).find(groups).cloned();
        if let Some(field) = found
            && (all > 1
                || !reading.query.measures.is_empty()
                || !reading.query.groups.is_empty()
                || reading.rows
                || reading.plain_subject)
        {
            reading.references.push(field);
            reading.superlative = false;
        }
    }
    let mut filters = Vec::new();
    for field in reading.references.clone() {
        let old = turn.query.filters.iter().find(|filter| filter.field == field);
        let grouped = turn.query.groups.contains(&Group::Field(field.clone()));
        if let Some(old) = old {
            filters.push(old.clone());
        } else if grouped {
            let known = turn.top.iter().find(|(known, _)| *known == field);
            let test = match known {
                Some((_, value)) => Test::OneOf(vec![value.clone()]),
                None => Test::FirstOf(Box::new(turn.query.clone())),
            };
            filters.push(Filter { field, test });
        } else if field.name() == "error_type" && turn.query.filter("level").is_some() {
            // "그 에러" after errors in general: the same errors.
        } else {
            return Err(Lost::Reference(field));
        }
    }
    Ok(filters)
}
