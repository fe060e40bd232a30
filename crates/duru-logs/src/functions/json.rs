//! Operators and functions of `jsonb`.

use std::borrow::Cow;
use std::sync::Arc;

use datafusion::arrow::array::LargeStringBuilder;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int32Array, LargeStringArray, ListBuilder, StringArray,
    StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use serde_json::Value;

use super::clock::Clock;
use super::json_text::{compare_numbers, elements, entries, get, key, plain, string};
use super::scalar::{Call, Function, fails, unsupported};
use crate::columns::JSON;
use duru_sql::Fault;

pub(super) const ALL: &[Function] = &[
    Function {
        name: "pg_json_get",
        returns: |args, _| json_first(args, JSON),
        run: |call| as_json(call, step),
    },
    Function {
        name: "pg_json_get_text",
        returns: |args, _| json_first(args, DataType::Utf8),
        run: |call| as_text(call, step),
    },
    Function {
        name: "pg_json_path",
        returns: |args, _| json_first(args, JSON),
        run: |call| as_json(call, path),
    },
    Function {
        name: "pg_json_path_text",
        returns: |args, _| json_first(args, DataType::Utf8),
        run: |call| as_text(call, path),
    },
    // Keys as arguments.
    Function {
        name: "pg_json_extract",
        returns: |args, _| json_first(args, JSON),
        run: |call| as_json(call, keys),
    },
    Function {
        name: "pg_json_extract_text",
        returns: |args, _| json_first(args, DataType::Utf8),
        run: |call| as_text(call, keys),
    },
    Function { name: "pg_json_has", returns: |args, _| json_first(args, DataType::Boolean), run: has },
    Function {
        name: "pg_json_contains",
        returns: |args, _| json_first(args, DataType::Boolean),
        run: contains,
    },
    // For comparing, grouping and counting what is different.
    Function { name: "pg_json_key", returns: |args, _| json_first(args, JSON), run: keyed },
    Function { name: "pg_json_typeof", returns: |args, _| json_first(args, DataType::Utf8), run: kind },
    Function { name: "pg_json_length", returns: |args, _| json_first(args, DataType::Int32), run: length },
    Function {
        name: "pg_json_keys",
        returns: texts,
        run: |call| {
            lists(call, |json| entries(json).map(|e| e.filter_map(|(k, _)| string(k)).map(Some).collect()))
        },
    },
    Function {
        name: "pg_json_values_text",
        returns: texts,
        run: |call| lists(call, |json| entries(json).map(|e| e.map(|(_, v)| plain(v)).collect())),
    },
    Function {
        name: "pg_json_values",
        returns: jsons,
        run: |call| lists(call, |json| entries(json).map(|e| e.map(|(_, v)| Some(v.into())).collect())),
    },
    Function {
        name: "pg_json_elements_text",
        returns: texts,
        run: |call| lists(call, |json| elements(json).map(|e| e.map(plain).collect())),
    },
    Function {
        name: "pg_json_elements",
        returns: jsons,
        run: |call| lists(call, |json| elements(json).map(|e| e.map(|v| Some(v.into())).collect())),
    },
];

fn json_first(args: &[DataType], result: DataType) -> Result<DataType> {
    match args.first() {
        Some(kind) if *kind == JSON || *kind == DataType::Null => Ok(result),
        _ => Err(unsupported("an operator of JSON on something else")),
    }
}

fn list_of(kind: DataType) -> DataType {
    DataType::List(Arc::new(Field::new("item", kind, true)))
}

fn texts(args: &[DataType], _: &Clock) -> Result<DataType> {
    json_first(args, list_of(DataType::Utf8))
}

fn jsons(args: &[DataType], _: &Clock) -> Result<DataType> {
    json_first(args, list_of(JSON))
}

fn json_column(call: &Call, i: usize) -> Result<LargeStringArray> {
    Ok(call.of_type(i, &JSON)?.as_string::<i64>().clone())
}

/// Finds a part of a row's text.
type Finder = Box<dyn Fn(usize, &str) -> Option<(usize, usize)>>;
type Find = fn(&Call) -> Result<Finder>;

/// A part of a text, as its place in it.
fn place(whole: &str, part: &str) -> (usize, usize) {
    let from = part.as_ptr() as usize - whole.as_ptr() as usize;
    (from, from + part.len())
}

fn member<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    if json.starts_with('[') {
        return key.parse::<i64>().ok().and_then(|n| element(json, n));
    }
    get(json, key)
}

fn element(json: &str, n: i64) -> Option<&str> {
    match usize::try_from(n) {
        Ok(n) => elements(json)?.nth(n),
        // From the end.
        Err(_) => {
            let all: Vec<_> = elements(json)?.collect();
            all.len().checked_sub(usize::try_from(n.unsigned_abs()).ok()?).and_then(|i| all.get(i).copied())
        }
    }
}

/// `->`: by key, or by number.
fn step(call: &Call) -> Result<Finder> {
    if call.args[1].data_type().is_integer() {
        let numbers = call.int(1)?;
        return Ok(Box::new(move |i, json| {
            (numbers.is_valid(i)).then(|| element(json, numbers.value(i)))?.map(|part| place(json, part))
        }));
    }
    let keys = call.text(1)?;
    Ok(Box::new(move |i, json| {
        (keys.is_valid(i)).then(|| get(json, keys.value(i)))?.map(|part| place(json, part))
    }))
}

/// `#>`: by a list of keys, written `{a,b}`.
fn path(call: &Call) -> Result<Finder> {
    let written = call.text(1)?;
    let one = |text: Option<&str>| -> Result<Option<Vec<String>>> { text.map(read_list).transpose() };
    let constant = written.iter().all(|text| text == written.iter().next().flatten());
    let paths: Vec<_> = if constant {
        vec![one(written.iter().next().flatten())?]
    } else {
        written.iter().map(one).collect::<Result<_>>()?
    };
    Ok(Box::new(move |i, json| {
        let keys = paths.get(if constant { 0 } else { i })?.as_ref()?;
        keys.iter().try_fold(json, |json, key| member(json, key)).map(|part| place(json, part))
    }))
}

fn keys(call: &Call) -> Result<Finder> {
    let columns = (1..call.args.len()).map(|i| call.text(i)).collect::<Result<Vec<_>>>()?;
    Ok(Box::new(move |i, json| {
        let step = |json, keys: &StringArray| keys.is_valid(i).then(|| member(json, keys.value(i)))?;
        columns.iter().try_fold(json, step).map(|part| place(json, part))
    }))
}

/// A list of texts as PostgreSQL writes arrays.
fn read_list(text: &str) -> Result<Vec<String>> {
    let inner = text.trim().strip_prefix('{').and_then(|t| t.strip_suffix('}'));
    let inner = inner.ok_or_else(|| fails(Fault::BadValue))?;
    if inner.contains(['"', '\\', '{']) {
        return Err(unsupported("quotes in an array literal"));
    }
    if inner.is_empty() {
        return Ok(Vec::new());
    }
    Ok(inner.split(',').map(|key| key.trim().to_owned()).collect())
}

fn as_json(call: &Call, find: Find) -> Result<ArrayRef> {
    let (column, find) = (json_column(call, 0)?, find(call)?);
    let mut to = LargeStringBuilder::with_capacity(call.rows, call.rows * 16);
    for (i, json) in column.iter().enumerate() {
        to.append_option(json.and_then(|json| find(i, json).map(|(from, end)| &json[from..end])));
    }
    Ok(Arc::new(to.finish()))
}

fn as_text(call: &Call, find: Find) -> Result<ArrayRef> {
    let (column, find) = (json_column(call, 0)?, find(call)?);
    let mut to = StringBuilder::with_capacity(call.rows, call.rows * 16);
    for (i, json) in column.iter().enumerate() {
        to.append_option(json.and_then(|json| find(i, json).and_then(|(from, end)| plain(&json[from..end]))));
    }
    Ok(Arc::new(to.finish()))
}

/// `?`: a key of an object, or a text in an array.
fn has(call: &Call) -> Result<ArrayRef> {
    let (column, keys) = (json_column(call, 0)?, call.text(1)?);
    let one = |json: &str, key: &str| match json.as_bytes().first() {
        Some(b'{') => get(json, key).is_some(),
        Some(b'[') => elements(json)
            .is_some_and(|mut e| e.any(|v| v.starts_with('"') && string(v).as_deref() == Some(key))),
        Some(b'"') => string(json).as_deref() == Some(key),
        _ => false,
    };
    let each = column.iter().zip(keys.iter()).map(|(json, key)| Some(one(json?, key?)));
    Ok(Arc::new(each.collect::<BooleanArray>()))
}

/// `@>`.
fn contains(call: &Call) -> Result<ArrayRef> {
    let (column, parts) = (json_column(call, 0)?, call.of_type(1, &JSON)?);
    let read = |text: &str| serde_json::from_str::<Value>(text).map_err(|_| fails(Fault::BadJson));
    let mut last: Option<(String, Value)> = None;
    let mut result = Vec::with_capacity(call.rows);
    for (json, part) in column.iter().zip(parts.as_string::<i64>()) {
        let (Some(json), Some(part)) = (json, part) else {
            result.push(None);
            continue;
        };
        if last.as_ref().is_none_or(|(text, _)| text != part) {
            last = Some((part.to_owned(), read(part)?));
        }
        let whole = read(json)?;
        result.push(last.as_ref().map(|(_, part)| holds(&whole, part, true)));
    }
    Ok(Arc::new(BooleanArray::from(result)))
}

fn holds(whole: &Value, part: &Value, top: bool) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, part)| whole.get(key).is_some_and(|whole| holds(whole, part, false)))
        }
        (Value::Array(whole), Value::Array(part)) => {
            part.iter().all(|part| whole.iter().any(|whole| holds(whole, part, false)))
        }
        // An array may contain a bare value, at the top only.
        (Value::Array(whole), part) if top && !part.is_object() && !part.is_array() => {
            whole.iter().any(|whole| holds(whole, part, false))
        }
        (Value::Number(a), Value::Number(b)) => compare_numbers(a, b).is_eq(),
        _ => whole == part,
    }
}

fn keyed(call: &Call) -> Result<ArrayRef> {
    let column = json_column(call, 0)?;
    let mut to = LargeStringBuilder::with_capacity(call.rows, call.rows * 16);
    for json in &column {
        match json {
            Some(json) => to.append_value(key(json).ok_or_else(|| fails(Fault::BadJson))?),
            None => to.append_null(),
        }
    }
    Ok(Arc::new(to.finish()))
}

fn kind(call: &Call) -> Result<ArrayRef> {
    let one = |json: &str| match json.as_bytes().first() {
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b'"') => "string",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        _ => "number",
    };
    Ok(Arc::new(json_column(call, 0)?.iter().map(|v| v.map(one)).collect::<StringArray>()))
}

fn length(call: &Call) -> Result<ArrayRef> {
    let one = |json: &str| {
        let count = elements(json).ok_or_else(|| fails(Fault::BadJson))?.count();
        i32::try_from(count).map_err(|_| fails(Fault::OutOfRange))
    };
    let each =
        json_column(call, 0)?.iter().map(|v| v.map(one).transpose()).collect::<Result<Int32Array>>()?;
    Ok(Arc::new(each))
}

/// The parts of a text, where it has such parts.
type Parts<'a> = Option<Vec<Option<Cow<'a, str>>>>;

fn lists(call: &Call, of: fn(&str) -> Parts<'_>) -> Result<ArrayRef> {
    let column = json_column(call, 0)?;
    let is_json = call.returns == &list_of(JSON);
    let mut texts = ListBuilder::new(StringBuilder::new());
    let mut jsons = ListBuilder::new(LargeStringBuilder::new());
    for json in &column {
        let list = match json {
            Some(json) => Some(of(json).ok_or_else(|| fails(Fault::BadJson))?),
            None => None,
        };
        if is_json { jsons.append_option(list) } else { texts.append_option(list) }
    }
    Ok(if is_json { Arc::new(jsons.finish()) } else { Arc::new(texts.finish()) })
}
