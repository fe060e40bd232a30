//! `@?` and `@@`: the part of PostgreSQL's JSON path language that questions about logs need,
//! in its lax mode. Whatever else a path says is refused.

use std::cmp::Ordering;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, BooleanArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use serde_json::Value;

use super::json_text::compare_numbers;
use super::path_text::read;
use super::scalar::{Call, Function, fails};
use crate::columns::JSON;
use duru_sql::Fault;

pub(super) const ALL: &[Function] = &[
    Function {
        name: "pg_json_path_exists",
        returns: |_, _| Ok(DataType::Boolean),
        run: |call| each(call, |path, json| Some(!path.items(json, json).is_empty())),
    },
    Function {
        name: "pg_json_path_match",
        returns: |_, _| Ok(DataType::Boolean),
        run: |call| {
            each(call, |path, json| match path {
                Path::Predicate(test) => test.holds(json, json),
                // A path that gives something else than true or false says nothing.
                Path::Items(_) => match path.items(json, json).as_slice() {
                    [Value::Bool(one)] => Some(*one),
                    _ => None,
                },
            })
        },
    },
];

/// A path gives items, or is a predicate on the whole.
#[derive(Debug, PartialEq)]
pub(super) enum Path {
    Items(Steps),
    Predicate(Test),
}

/// Where it starts, and the way from there.
#[derive(Debug, PartialEq)]
pub(super) struct Steps {
    /// `$`; otherwise `@`.
    pub(super) from_root: bool,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Key(String),
    AnyKey,
    Index(usize),
    AnyIndex,
    Filter(Test),
}

#[derive(Debug, PartialEq)]
pub(super) enum Test {
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Exists(Steps),
    Compare(Side, Compare, Side),
    StartsWith(Steps, String),
}

#[derive(Debug, PartialEq)]
pub(super) enum Side {
    Steps(Steps),
    Literal(Value),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Compare {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The path is the same in all rows, or read anew where it changes.
fn each(call: &Call, one: fn(&Path, &Value) -> Option<bool>) -> Result<ArrayRef> {
    let (column, paths) = (call.of_type(0, &JSON)?, call.text(1)?);
    let mut last: Option<(&str, Path)> = None;
    let mut result = Vec::with_capacity(call.rows);
    for (json, path) in column.as_string::<i64>().iter().zip(paths.iter()) {
        let (Some(json), Some(text)) = (json, path) else {
            result.push(None);
            continue;
        };
        let path = match &mut last {
            Some((known, path)) if *known == text => path,
            last => &mut last.insert((text, read(text)?)).1,
        };
        let json = serde_json::from_str(json).map_err(|_| fails(Fault::BadJson))?;
        result.push(one(path, &json));
    }
    Ok(Arc::new(BooleanArray::from(result)))
}

impl Path {
    fn items<'v>(&'v self, root: &'v Value, current: &'v Value) -> Vec<&'v Value> {
        match self {
            Self::Items(steps) => steps.items(root, current),
            // A predicate always gives one value: true, false or null.
            Self::Predicate(_) => vec![&Value::Null],
        }
    }
}

impl Steps {
    fn items<'v>(&self, root: &'v Value, current: &'v Value) -> Vec<&'v Value> {
        let start = vec![if self.from_root { root } else { current }];
        self.steps
            .iter()
            .fold(start, |items, step| items.into_iter().flat_map(|item| step.from(root, item)).collect())
    }
}

/// Lax: an array stands for its elements where something else than an array is wanted.
fn unwrapped(value: &Value) -> &[Value] {
    match value {
        Value::Array(list) => list,
        other => std::slice::from_ref(other),
    }
}

impl Step {
    fn from<'v>(&self, root: &'v Value, item: &'v Value) -> Vec<&'v Value> {
        match self {
            Self::Key(key) => unwrapped(item).iter().filter_map(|item| item.as_object()?.get(key)).collect(),
            Self::AnyKey => {
                unwrapped(item).iter().filter_map(Value::as_object).flat_map(|map| map.values()).collect()
            }
            // Lax: anything else is an array of one.
            Self::Index(n) => unwrapped(item).get(*n).into_iter().collect(),
            Self::AnyIndex => unwrapped(item).iter().collect(),
            Self::Filter(test) => {
                unwrapped(item).iter().filter(|item| test.holds(root, item) == Some(true)).collect()
            }
        }
    }
}

impl Test {
    /// None is "unknown".
    fn holds(&self, root: &Value, current: &Value) -> Option<bool> {
        match self {
            Self::And(a, b) => match (a.holds(root, current), b.holds(root, current)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Self::Or(a, b) => match (a.holds(root, current), b.holds(root, current)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Self::Not(test) => test.holds(root, current).map(|holds| !holds),
            Self::Exists(steps) => Some(!steps.items(root, current).is_empty()),
            Self::Compare(left, how, right) => {
                let (left, right) = (left.items(root, current), right.items(root, current));
                any(left.iter().flat_map(|a| right.iter().map(|b| how.of(a, b))))
            }
            Self::StartsWith(steps, start) => {
                let items = steps.items(root, current).into_iter().flat_map(unwrapped);
                any(items.map(|item| item.as_str().map(|text| text.starts_with(start.as_str()))))
            }
        }
    }
}

/// True if one is, else unknown if one is.
fn any(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut unknown = false;
    for one in all {
        match one {
            Some(true) => return Some(true),
            Some(false) => {}
            None => unknown = true,
        }
    }
    if unknown { None } else { Some(false) }
}

impl Side {
    fn items<'v>(&'v self, root: &'v Value, current: &'v Value) -> Vec<&'v Value> {
        match self {
            Self::Steps(steps) => steps.items(root, current).into_iter().flat_map(unwrapped).collect(),
            Self::Literal(value) => vec![value],
        }
    }
}

impl Compare {
    fn of(self, a: &Value, b: &Value) -> Option<bool> {
        let order = match (a, b) {
            (Value::Null, Value::Null) => Ordering::Equal,
            // Null is unequal to everything else, and in no order with it.
            (Value::Null, _) | (_, Value::Null) => return Some(self == Self::Unequal),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Number(a), Value::Number(b)) => compare_numbers(a, b),
            (Value::String(a), Value::String(b)) => a.cmp(b),
            _ => return None,
        };
        Some(match self {
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        })
    }
}
