//! A row as a record.

use serde_json::{Map, Value};

use super::bad::Reason;
use super::fields::{Container, Field, Unit, add_plain};
use super::mapping::Settings;
use super::time::{Scan, TimeContext, TimeFault, scan};
use super::values;
use crate::{Level, Record};

/// How deep to look for fields inside of others.
const DEPTH: usize = 3;

/// Added to the rank of a name that stands alone inside of an object.
const ALONE: i32 = 1_000;

/// Added to the rank of what is taken last.
const LAST: i32 = 10_000;

/// What was found for a column.
struct Found {
    field: Field,
    rank: i32,
    /// Which of the row's cells it is in.
    cell: usize,
    /// The way to it inside of that.
    inner: Vec<String>,
}

/// A row's names and values. What was taken is null.
struct Cells(Vec<(String, Value)>);

/// The value that tells a row's time.
pub(super) fn time_of(row: &Map<String, Value>, settings: &Settings) -> Option<Value> {
    let mut cells = Cells(row.clone().into_iter().collect());
    cells.join_date_and_time(settings);
    let found = cells.fields(settings);
    let time = found.iter().find(|found| found.field == Field::CreatedAt)?;
    cells.peek(time).cloned()
}

/// The columns that a row's names mean, and the names that mean none.
pub(super) fn columns(
    row: &Map<String, Value>,
    settings: &Settings,
) -> (Vec<(&'static str, String)>, Vec<String>) {
    let cells = Cells(row.clone().into_iter().collect());
    let mut have = Have::default();
    let (mut columns, mut taken) = (Vec::new(), Vec::new());
    for place in cells.fields(settings) {
        let empty = cells.peek(&place).is_none_or(|value| value.is_null() || *value == "");
        let wanted = place.field != Field::Id || settings.keep_ids;
        if wanted && !empty && !have.contains(place.field) {
            have.add(place.field);
            columns.push((place.field.column(), cells.name(&place)));
            taken.push(place.cell);
        }
    }
    let rest =
        cells.0.iter().enumerate().filter(|(cell, (_, value))| !taken.contains(cell) && !value.is_null());
    (columns, rest.map(|(_, (name, _))| name.clone()).collect())
}

/// The record that a row means. What means nothing to us goes to its metadata.
pub(super) fn record(
    row: Map<String, Value>,
    settings: &Settings,
    times: &TimeContext,
) -> Result<Record, Reason> {
    let mut cells = Cells(row.into_iter().collect());
    cells.join_date_and_time(settings);
    let found = cells.fields(settings);
    let mut record = empty(settings);
    let mut have = Have::default();
    let mut metadata = None;
    for place in found {
        let field = place.field;
        if have.contains(field) {
            continue;
        }
        let Some(value) = cells.peek(&place) else { continue };
        if value.is_null() {
            drop(cells.take(&place));
            continue;
        }
        let name = || cells.name(&place);
        match field {
            Field::Id if !settings.keep_ids => continue,
            Field::Id => {
                record.id = Some(id(value).ok_or_else(|| Reason::BadId { field: name() })?);
            }
            Field::CreatedAt => {
                record.created_at = times.read(value).map_err(|fault| {
                    let field = name();
                    match fault {
                        TimeFault::Unreadable => Reason::BadTime { field },
                        TimeFault::Ambiguous => Reason::AmbiguousTime { field },
                        TimeFault::Implausible => Reason::ImplausibleTime { field },
                    }
                })?;
            }
            Field::Level => {
                record.level = level(value, settings).ok_or_else(|| Reason::BadLevel { field: name() })?;
            }
            Field::LogType => {
                record.log_type = value
                    .as_str()
                    .and_then(values::log_type)
                    .ok_or_else(|| Reason::BadLogType { field: name() })?;
            }
            Field::Duration(unit) => {
                record.duration_us =
                    Some(values::duration(value, unit).ok_or_else(|| Reason::BadDuration { field: name() })?);
            }
            Field::Deleted => record.deleted = values::is_true(value),
            Field::Metadata => match object(value) {
                Some(map) => metadata = Some(map),
                None => continue,
            },
            // Structures are no text, and an empty one is none.
            _ if matches!(value, Value::Array(_) | Value::Object(_)) || *value == "" => continue,
            text => {
                if let Some(value) = cells.take(&place).and_then(into_text) {
                    set(&mut record, text, value);
                }
                have.add(field);
                continue;
            }
        }
        have.add(field);
        drop(cells.take(&place));
    }
    if !have.contains(Field::CreatedAt) {
        return Err(Reason::NoTime);
    }
    if !have.contains(Field::Message) && record.message.is_empty() {
        // An error without words of its own is one in the words of its type.
        record.message = record.error_type.clone().ok_or(Reason::NoMessage)?;
    }
    let mut rest = metadata.unwrap_or_default();
    for (name, value) in cells.0 {
        let emptied = value.as_object().is_some_and(Map::is_empty);
        if !value.is_null() && !emptied {
            rest.entry(name).or_insert(value);
        }
    }
    record.metadata = (!rest.is_empty()).then_some(rest);
    settings.masks.apply(&mut record);
    Ok(record)
}

fn empty(settings: &Settings) -> Record {
    let text = |field| settings.defaults.texts.get(&field).cloned();
    let or = |field, other: &str| text(field).unwrap_or_else(|| other.to_owned());
    Record {
        id: None,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        level: settings.defaults.level,
        log_type: settings.defaults.log_type,
        service: or(Field::Service, "unknown"),
        environment: or(Field::Environment, "production"),
        service_version: or(Field::ServiceVersion, "unknown"),
        trace_id: text(Field::TraceId),
        user_id: text(Field::UserId),
        session_id: text(Field::SessionId),
        error_type: text(Field::ErrorType),
        message: or(Field::Message, ""),
        stack_trace: text(Field::StackTrace),
        path: text(Field::Path),
        method: text(Field::Method),
        action_type: text(Field::ActionType),
        function_name: text(Field::FunctionName),
        file_path: text(Field::FilePath),
        duration_us: None,
        deleted: false,
        metadata: None,
    }
}

impl Cells {
    /// Puts a date and a time of day that stand in two cells into the first of them.
    fn join_date_and_time(&mut self, settings: &Settings) {
        let text =
            |value: &Value, fits: fn(&str) -> bool| value.as_str().is_some_and(|text| fits(text.trim()));
        // Seldom there, so the cheap question first.
        if !self.0.iter().any(|(_, value)| text(value, is_time_of_day)) {
            return;
        }
        let times = |(name, _): &(String, Value)| {
            let known = settings.aliases.get(&super::fields::plain(name));
            matches!(known, Some((Field::CreatedAt, _)))
        };
        let mut of_time = (0..self.0.len()).filter(|at| times(&self.0[*at]));
        let Some(date) = of_time.find(|at| text(&self.0[*at].1, is_date)) else { return };
        let mut others = (0..self.0.len()).filter(|at| *at != date && times(&self.0[*at]));
        let Some(time) = others.find(|at| text(&self.0[*at].1, is_time_of_day)) else { return };
        let part = |at: usize| self.0[at].1.as_str().unwrap_or_default().trim();
        let joined = format!("{} {}", part(date), part(time));
        self.0[time].1 = Value::Null;
        self.0[date].1 = Value::String(joined);
    }

    fn fields(&self, settings: &Settings) -> Vec<Found> {
        let (mut found, mut plain) = (Vec::with_capacity(self.0.len()), String::new());
        for (cell, (name, value)) in self.0.iter().enumerate() {
            plain.clear();
            add_plain(&mut plain, name);
            if let Some((field, rank)) = settings.aliases.get(&plain) {
                // What is left of it once all others have theirs.
                let rank = if field == Field::Metadata { rank + LAST } else { rank };
                found.push(Found { field, rank, cell, inner: Vec::new() });
            }
            if let Value::Object(inside) = value {
                let container = Container::of(&plain);
                if container.is_some() || settings.aliases.is_prefix(&plain) {
                    look(inside, settings, (&plain, container), (cell, &mut Vec::new()), &mut found);
                }
            }
        }
        // Of several names for one column the best one counts; the others stay.
        found.sort_by_key(|found| found.rank);
        found
    }

    fn peek(&self, place: &Found) -> Option<&Value> {
        place.inner.iter().try_fold(&self.0.get(place.cell)?.1, |value, name| value.get(name))
    }

    fn take(&mut self, place: &Found) -> Option<Value> {
        let value = &mut self.0.get_mut(place.cell)?.1;
        let Some((last, way)) = place.inner.split_last() else { return Some(value.take()) };
        way.iter().try_fold(value, |value, name| value.get_mut(name))?.as_object_mut()?.remove(last)
    }

    fn name(&self, place: &Found) -> String {
        let first = self.0.get(place.cell).map(|(name, _)| name.as_str());
        first.into_iter().chain(place.inner.iter().map(String::as_str)).collect::<Vec<_>>().join(".")
    }
}

fn look(
    map: &Map<String, Value>,
    settings: &Settings,
    (prefix, container): (&str, Option<Container>),
    (cell, inner): (usize, &mut Vec<String>),
    found: &mut Vec<Found>,
) {
    let aliases = &settings.aliases;
    for (name, value) in map {
        let mut whole = prefix.to_owned();
        add_plain(&mut whole, name);
        inner.push(name.clone());
        let depth = inner.len() as i32;
        if let Some((field, rank)) = aliases.get(&whole) {
            // What is written out is better than what is put together.
            let rank = rank + 100 * depth * i32::from(rank >= 0);
            found.push(Found { field, rank, cell, inner: inner.clone() });
        }
        let own = &whole[prefix.len()..];
        if let (Some(container), Some((field, rank))) = (container, aliases.get(own))
            && container.holds(field)
            && fits(field, value, settings)
        {
            found.push(Found { field, rank: rank + ALONE + 100 * depth, cell, inner: inner.clone() });
        }
        if let Value::Object(inside) = value
            && inner.len() + 1 < DEPTH
        {
            let within = Container::of(own);
            if within.is_some() || aliases.is_prefix(&whole) {
                look(inside, settings, (&whole, within), (cell, inner), found);
            } else if container.is_some() && aliases.is_prefix(own) {
                look(inside, settings, (own, None), (cell, inner), found);
            }
        }
        inner.pop();
    }
}

/// Whether a value is of the kind that a column has.
fn fits(field: Field, value: &Value, settings: &Settings) -> bool {
    match field {
        Field::CreatedAt => match value {
            Value::String(text) => matches!(scan(text.trim()), Scan::Time(_)),
            Value::Number(number) => number.as_f64().is_some_and(|number| number >= 1e9),
            _ => false,
        },
        Field::Level => level(value, settings).is_some(),
        Field::LogType => value.as_str().and_then(values::log_type).is_some(),
        Field::Duration(unit) => values::duration(value, unit).is_some(),
        Field::Path | Field::Method => value.is_string(),
        _ => as_text(value).is_some(),
    }
}

/// `14:30:00`, perhaps with a fraction or an offset, and no date before it; `143000`.
fn is_time_of_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    (5..=20).contains(&bytes.len())
        && bytes[0].is_ascii_digit()
        && (bytes[2] == b':'
            || bytes[1] == b':'
            || (bytes.len() == 6 && bytes.iter().all(u8::is_ascii_digit)))
}

fn is_date(text: &str) -> bool {
    (6..=11).contains(&text.len()) && text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(':')
}

/// Columns that have their value. All durations are one.
#[derive(Default)]
struct Have(Vec<Field>);

impl Have {
    fn contains(&self, field: Field) -> bool {
        self.0.contains(&one(field))
    }

    fn add(&mut self, field: Field) {
        self.0.push(one(field));
    }
}

fn one(field: Field) -> Field {
    if matches!(field, Field::Duration(_)) { Field::Duration(Unit::Milliseconds) } else { field }
}

fn id(value: &Value) -> Option<i64> {
    let id = match value {
        Value::Number(number) => number.as_i64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    (id > 0).then_some(id)
}

fn level(value: &Value, settings: &Settings) -> Option<Level> {
    let word = as_text(value)?;
    settings.levels.get(&word.trim().to_lowercase()).copied().or_else(|| values::level(&word))
}

fn object(value: &Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(map) => Some(map.clone()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// As [`as_text`], without a copy.
fn into_text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        other => as_text(&other),
    }
}

/// Structures are no text: they are looked into, or left to the metadata.
fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(it) => Some(it.to_string()),
        _ => None,
    }
}

fn set(record: &mut Record, field: Field, value: String) {
    match field {
        Field::Service => record.service = value,
        Field::Environment => record.environment = value,
        Field::ServiceVersion => record.service_version = value,
        Field::Message => record.message = value,
        Field::TraceId => record.trace_id = Some(value),
        Field::UserId => record.user_id = Some(value),
        Field::SessionId => record.session_id = Some(value),
        Field::ErrorType => record.error_type = Some(value),
        Field::StackTrace => record.stack_trace = Some(value),
        Field::Path => record.path = Some(value),
        Field::Method => record.method = Some(value),
        Field::ActionType => record.action_type = Some(value),
        Field::FunctionName => record.function_name = Some(value),
        Field::FilePath => record.file_path = Some(value),
        // The others are no texts, and were taken before.
        _ => {}
    }
}
