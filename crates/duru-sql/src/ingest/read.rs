//! A row as a record.

use serde_json::{Map, Value};

use super::bad::Reason;
use super::fields::{Field, Unit, plain};
use super::mapping::Settings;
use super::{time, values};
use crate::{Level, Record};

/// How deep to look for fields inside of others.
const DEPTH: usize = 3;

/// What was found for a column.
struct Found {
    field: Field,
    rank: i32,
    /// The way to it.
    path: Vec<String>,
}

/// The record that a row means. What means nothing to us goes to its metadata.
pub(super) fn record(mut row: Map<String, Value>, settings: &Settings) -> Result<Record, Reason> {
    let mut found = Vec::new();
    look(&row, settings, "", &mut Vec::new(), &mut found);
    // Of several names for one column the best one counts; the others stay.
    found.sort_by_key(|found| found.rank);
    let mut record = empty(settings);
    let mut have = Have::default();
    let mut metadata = None;
    for Found { field, path, .. } in found {
        if have.contains(field) {
            continue;
        }
        let Some(value) = peek(&row, &path) else { continue };
        if value.is_null() {
            drop(take(&mut row, &path));
            continue;
        }
        let name = || path.join(".");
        match field {
            Field::Id if !settings.keep_ids => continue,
            Field::Id => {
                record.id = Some(id(value).ok_or_else(|| Reason::BadId { field: name() })?);
            }
            Field::CreatedAt => {
                record.created_at = time::parse(value, &settings.timezone)
                    .ok_or_else(|| Reason::BadTime { field: name() })?;
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
            text => {
                let Some(value) = as_text(value) else { continue };
                set(&mut record, text, value);
            }
        }
        have.add(field);
        drop(take(&mut row, &path));
    }
    if !have.contains(Field::CreatedAt) {
        return Err(Reason::NoTime);
    }
    if !have.contains(Field::Message) && record.message.is_empty() {
        // An error without words of its own is one in the words of its type.
        record.message = record.error_type.clone().ok_or(Reason::NoMessage)?;
    }
    let mut rest = metadata.unwrap_or_default();
    for (name, value) in row {
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

fn look(
    map: &Map<String, Value>,
    settings: &Settings,
    prefix: &str,
    path: &mut Vec<String>,
    found: &mut Vec<Found>,
) {
    for (name, value) in map {
        let whole = format!("{prefix}{}", plain(name));
        path.push(name.clone());
        let alias = settings.aliases.get(&whole);
        if let Some((field, rank)) = alias {
            // What is written out is better than what is put together.
            let rank = rank + 100 * (path.len() as i32 - 1) * i32::from(rank >= 0);
            found.push(Found { field, rank, path: path.clone() });
        }
        if let Value::Object(inner) = value
            && path.len() < DEPTH
            && settings.aliases.is_prefix(&whole)
        {
            look(inner, settings, &whole, path, found);
        }
        path.pop();
    }
}

fn peek<'a>(row: &'a Map<String, Value>, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(row.get(first)?, |value, name| value.get(name))
}

fn take(row: &mut Map<String, Value>, path: &[String]) -> Option<Value> {
    match path {
        [] => None,
        [name] => row.remove(name),
        [name, rest @ ..] => take(row.get_mut(name)?.as_object_mut()?, rest),
    }
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
