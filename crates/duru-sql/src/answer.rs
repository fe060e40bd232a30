//! What a query gave.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Kind;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    pub columns: Vec<Column>,
    /// Times as ISO 8601 with offset, numbers as JSON numbers.
    pub rows: Vec<Vec<Value>>,
    /// Which limit cut the rows short, if one did.
    pub cut: Option<Cap>,
    pub took: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
}

/// A limit that a result ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    Rows,
    Bytes,
}
