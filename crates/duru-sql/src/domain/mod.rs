//! What questions can be about, as data: tables with their words, values, keys, and named measures.
//!
//! A domain is read from what a store knows of its tables, and from a [`Description`]: words for tables, columns and
//! values, in any language, that a person or the product writes in TOML. Nothing here knows a certain table.

mod build;
mod check;
mod describe;
mod names;
mod suggested;

use serde::{Deserialize, Serialize};

pub use build::spelled;
pub use check::Misfit;
pub use describe::{
    ColumnDescription, Description, DescriptionError, NamedCondition, NamedMeasure, TableDescription,
};

use crate::Kind;

/// Tables that one question may be about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Domain {
    pub tables: Vec<DomainTable>,
    pub joins: Vec<Join>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DomainTable {
    pub schema: String,
    pub name: String,
    /// What a row is called.
    pub nouns: Vec<String>,
    pub description: Option<String>,
    pub columns: Vec<DomainColumn>,
    pub conditions: Vec<NamedCondition>,
    pub measures: Vec<NamedMeasure>,
    pub primary_key: Vec<String>,
    /// When a row was.
    pub time: Option<String>,
    /// How long a row took.
    pub duration: Option<String>,
    /// Whose row it is, where people are counted.
    pub person: Option<String>,
    /// Texts that words of a question are looked for in.
    pub text: Option<String>,
    /// What rows are shown by.
    pub show: Vec<String>,
    /// What tells rows apart so much that one asks for it before listing them.
    pub identify: Option<String>,
    pub rows: u64,
    /// The condition that visible rows fulfil.
    pub soft_delete: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DomainColumn {
    /// The column's name; of a key within a JSON column `column.key`.
    pub name: String,
    pub kind: Kind,
    /// The JSON column and the key within it.
    pub key: Option<(String, String)>,
    pub nullable: bool,
    /// No row has a value here.
    pub empty: bool,
    pub nouns: Vec<String>,
    pub description: Option<String>,
    /// Numbers: what they are in, such as `ms`.
    pub unit: Option<String>,
    /// Values that questions may name, most frequent first, with other words for them.
    pub values: Vec<KnownValue>,
    /// Numbers are names, not amounts.
    pub code: bool,
    /// The rows of one value are one story, told in their order.
    pub journey: bool,
    /// Values are only meant where the column is named beside them.
    pub quiet: bool,
    /// The column that tells how long it took where this one is asked about.
    pub duration: Option<String>,
    /// What naming the column by one of the words says of the rows.
    pub implies: Option<NamedCondition>,
    /// Some of the values of a column that has too many to name.
    pub samples: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownValue {
    pub value: String,
    #[serde(default)]
    pub words: Vec<String>,
}

/// Rows of one table that belong to a row of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Join {
    pub from: String,
    pub from_columns: Vec<String>,
    pub to: String,
    pub to_columns: Vec<String>,
}

impl Domain {
    pub fn table(&self, name: &str) -> Option<&DomainTable> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl DomainTable {
    pub fn column(&self, name: &str) -> Option<&DomainColumn> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl DomainColumn {
    pub fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Integer | Kind::Bigint | Kind::Numeric | Kind::Double)
    }

    pub fn is_time(&self) -> bool {
        matches!(self.kind, Kind::Timestamp | Kind::LocalTimestamp | Kind::Date)
    }
}
