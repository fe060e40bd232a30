//! Which values a search lets pass.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::Error;
use super::item::{MAX_DEPTH, is_shallow, kind};

/// Conditions on fields, all of which a value must meet.
///
/// A filter is a JSON object of fields and what they must be: a value, which
/// must be equal, or operators: `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`. A
/// field within a field is named with a dot, or by an object within the filter.
///
/// - Numbers are equal by value: `1` is `1.0`.
/// - A field that is missing is `null`.
/// - `$ne` passes whatever `$eq` does not, missing fields too.
/// - The others compare a number with a number or a string with a string (by
///   code points, so that dates like `2024-05-01` sort right); anything else,
///   they don't pass.
///
/// ```
/// use duru::memory::Filter;
/// use serde_json::json;
///
/// let filter = Filter::parse(json!({"kind": "note", "by.age": {"$gte": 18, "$lt": 65}}))?;
/// assert!(filter.passes(json!({"kind": "note", "by": {"age": 40}}).as_object().unwrap()));
/// assert!(!filter.passes(json!({"kind": "note", "by": {}}).as_object().unwrap()));
/// assert!(Filter::parse(json!({"age": {"$near": 3}})).is_err());
/// # Ok::<_, duru::memory::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Filter(Vec<(Vec<String>, Test)>);

#[derive(Debug, Clone)]
enum Test {
    Equal(Value),
    Unequal(Value),
    /// A number or a string, and how a value may stand to it.
    Ordered(Value, fn(Ordering) -> bool),
    Object,
}

impl Filter {
    /// Reads a filter.
    pub fn parse(filter: Value) -> Result<Self, Error> {
        let mut conditions = Vec::new();
        if !is_shallow(&filter, MAX_DEPTH) {
            return Err(refusal(&[], format!("it is nested deeper than {MAX_DEPTH}")));
        }
        match filter {
            Value::Object(fields) => fields_of(&[], fields, &mut conditions)?,
            Value::Null => {}
            other => return Err(refusal(&[], format!("it is {}, not an object", kind(&other)))),
        }
        Ok(Self(conditions))
    }

    /// Whether everything passes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a value meets all conditions.
    pub fn passes(&self, value: &Map<String, Value>) -> bool {
        self.0.iter().all(|(path, test)| test.passes(at(value, path)))
    }
}

fn refusal(path: &[String], reason: String) -> Error {
    let at = if path.is_empty() { "the filter".to_owned() } else { format!("{:?}", path.join(".")) };
    Error::Filter { at, reason }
}

fn fields_of(
    path: &[String],
    fields: Map<String, Value>,
    into: &mut Vec<(Vec<String>, Test)>,
) -> Result<(), Error> {
    for (field, wanted) in fields {
        let path = [path, &[field]].concat();
        if path.last().is_some_and(|field| field.starts_with('$')) {
            return Err(refusal(&path, "an operator belongs into the object of a field".to_owned()));
        }
        match wanted {
            Value::Object(inner) if inner.keys().any(|key| key.starts_with('$')) => {
                for (operator, operand) in inner {
                    into.push((path.clone(), test(&path, &operator, operand)?));
                }
            }
            Value::Object(inner) => {
                into.push((path.clone(), Test::Object));
                fields_of(&path, inner, into)?;
            }
            value => into.push((path, Test::Equal(value))),
        }
    }
    Ok(())
}

fn test(path: &[String], operator: &str, operand: Value) -> Result<Test, Error> {
    let order = match operator {
        "$eq" => return Ok(Test::Equal(operand)),
        "$ne" => return Ok(Test::Unequal(operand)),
        "$gt" => Ordering::is_gt,
        "$gte" => Ordering::is_ge,
        "$lt" => Ordering::is_lt,
        "$lte" => Ordering::is_le,
        _ => {
            let reason = format!("there is no operator {operator:?}; use $eq, $ne, $gt, $gte, $lt or $lte");
            return Err(refusal(path, reason));
        }
    };
    match operand {
        Value::Number(_) | Value::String(_) => Ok(Test::Ordered(operand, order)),
        other => {
            let reason = format!("{operator} compares with a number or a string, not with {}", kind(&other));
            Err(refusal(path, reason))
        }
    }
}

impl Test {
    fn passes(&self, value: Option<&Value>) -> bool {
        let value = value.unwrap_or(&Value::Null);
        match self {
            Self::Equal(wanted) => equal(value, wanted),
            Self::Unequal(wanted) => !equal(value, wanted),
            Self::Ordered(bound, order) => match (value, bound) {
                (Value::Number(a), Value::Number(b)) => compare(a, b).is_some_and(order),
                (Value::String(a), Value::String(b)) => order(a.cmp(b)),
                _ => false,
            },
            Self::Object => value.is_object(),
        }
    }
}

/// The field at a path. Each part of the path is a field's name, dots and all,
/// or else a path of its own.
fn at<'a>(value: &'a Map<String, Value>, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    let found = field(value, first)?;
    if rest.is_empty() { Some(found) } else { at(found.as_object()?, rest) }
}

fn field<'a>(value: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    if let Some(found) = value.get(name) {
        return Some(found);
    }
    let (first, rest) = name.split_once('.')?;
    field(value.get(first)?.as_object()?, rest)
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b).is_some_and(Ordering::is_eq),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

/// By value, without rounding.
fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    let whole = |n: &Number| n.as_i64().map(i128::from).or_else(|| n.as_u64().map(i128::from));
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => mixed(a, b.as_f64()?),
        (None, Some(b)) => mixed(b, a.as_f64()?).map(Ordering::reverse),
        (None, None) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// A whole number is at most one rounding away from its float: where those are
/// equal, the float is whole too and its exact value decides.
fn mixed(whole: i128, float: f64) -> Option<Ordering> {
    let rough = (whole as f64).partial_cmp(&float)?;
    Some(rough.then_with(|| whole.cmp(&(float as i128))))
}
