//! Functions of text.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, LargeStringBuilder, StringArray, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use serde_json::Value;

use super::cast::print;
use super::clock::Clock;
use super::json_text;
use super::scalar::{Call, Function, fails, unsupported};
use crate::columns::JSON;
use duru_sql::Fault;

pub(super) const ALL: &[Function] = &[
    Function { name: "pg_cat", returns: joined, run: cat },
    Function { name: "pg_format", returns: |_, _| Ok(DataType::Utf8), run: format_text },
    Function { name: "pg_split_part", returns: |_, _| Ok(DataType::Utf8), run: split_part },
    Function { name: "pg_left", returns: |_, _| Ok(DataType::Utf8), run: |call| ends(call, true) },
    Function { name: "pg_right", returns: |_, _| Ok(DataType::Utf8), run: |call| ends(call, false) },
    Function { name: "pg_hex", returns: |_, _| Ok(DataType::Utf8), run: hex },
];

/// `||`: of JSON and JSON, or of text and anything but lists.
fn joined(args: &[DataType], _: &Clock) -> Result<DataType> {
    match args {
        [a, b] if *a == JSON && *b == JSON => Ok(JSON),
        [a, b] if *a == JSON || *b == JSON => Err(unsupported("JSON joined with text")),
        [a, b] if [a, b].iter().any(|kind| matches!(kind, DataType::List(_))) => {
            Err(unsupported("lists joined"))
        }
        [a, b] if ![a, b].iter().any(|kind| matches!(kind, DataType::Utf8 | DataType::Null)) => {
            Err(fails(Fault::WrongTypes))
        }
        [_, _] => Ok(DataType::Utf8),
        _ => Err(fails(Fault::WrongTypes)),
    }
}

fn cat(call: &Call) -> Result<ArrayRef> {
    if call.returns == &JSON {
        return merge(call);
    }
    let a = print(&call.args[0], call.clock, "true")?;
    let b = print(&call.args[1], call.clock, "true")?;
    Ok(Arc::new(a.iter().zip(b.iter()).map(|(a, b)| Some(format!("{}{}", a?, b?))).collect::<StringArray>()))
}

fn merge(call: &Call) -> Result<ArrayRef> {
    let (a, b) = (call.args[0].as_string::<i64>(), call.args[1].as_string::<i64>());
    let mut to = LargeStringBuilder::new();
    for pair in a.iter().zip(b) {
        let (Some(a), Some(b)) = pair else {
            to.append_null();
            continue;
        };
        let read = |text: &str| serde_json::from_str::<Value>(text).map_err(|_| fails(Fault::BadJson));
        let merged = match (read(a)?, read(b)?) {
            (Value::Object(mut a), Value::Object(b)) => {
                a.extend(b);
                Value::Object(a)
            }
            (Value::Array(mut a), Value::Array(b)) => {
                a.extend(b);
                Value::Array(a)
            }
            _ => return Err(unsupported("joining other JSON than two objects or two arrays")),
        };
        to.append_value(json_text::of_value(&merged));
    }
    Ok(Arc::new(to.finish()))
}

fn format_text(call: &Call) -> Result<ArrayRef> {
    let patterns = call.text(0)?;
    let values =
        call.args[1..].iter().map(|column| print(column, call.clock, "t")).collect::<Result<Vec<_>>>()?;
    let mut to = StringBuilder::new();
    for i in 0..call.rows {
        if patterns.is_null(i) {
            to.append_null();
            continue;
        }
        let (mut text, mut next) = (String::new(), 0);
        let mut rest = patterns.value(i);
        while let Some(at) = rest.find('%') {
            text.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('%') {
                text.push('%');
                rest = after;
            } else if let Some(after) = rest.strip_prefix('s') {
                let value = values.get(next).ok_or_else(|| fails(Fault::BadValue))?;
                text.push_str(if value.is_valid(i) { value.value(i) } else { "" });
                next += 1;
                rest = after;
            } else {
                return Err(unsupported("format() with anything but %s"));
            }
        }
        text.push_str(rest);
        to.append_value(text);
    }
    Ok(Arc::new(to.finish()))
}

fn split_part(call: &Call) -> Result<ArrayRef> {
    let (by, which) = (call.text(1)?, call.int(2)?);
    call.each_text(|i, text| {
        if by.is_null(i) || which.is_null(i) {
            return Ok(None);
        }
        let parts: Vec<&str> =
            if by.value(i).is_empty() { vec![text] } else { text.split(by.value(i)).collect() };
        let index = match which.value(i) {
            0 => return Err(fails(Fault::BadValue)),
            n @ 1.. => usize::try_from(n - 1).ok(),
            n => usize::try_from(n.unsigned_abs()).ok().and_then(|back| parts.len().checked_sub(back)),
        };
        Ok(Some(index.and_then(|i| parts.get(i)).copied().unwrap_or_default().to_owned()))
    })
}

/// `left` and `right`; a negative number leaves so many out at the other end.
fn ends(call: &Call, left: bool) -> Result<ArrayRef> {
    let counts = call.int(1)?;
    call.each_text(|i, text| {
        if counts.is_null(i) {
            return Ok(None);
        }
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        let n = counts.value(i);
        let n = usize::try_from(if n < 0 { length + n } else { n.min(length) }).unwrap_or(0);
        let skipped = if left { 0 } else { usize::try_from(length).unwrap_or(0) - n };
        Ok(Some(text.chars().skip(skipped).take(n).collect()))
    })
}

fn hex(call: &Call) -> Result<ArrayRef> {
    if call.args[0].data_type() != &DataType::Binary {
        return Err(unsupported("encode() of something that is not bytes"));
    }
    let each = call.args[0].as_binary::<i32>().iter().map(|v| v.map(hex::encode));
    Ok(Arc::new(each.collect::<StringArray>()))
}
