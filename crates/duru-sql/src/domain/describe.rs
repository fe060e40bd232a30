//! What people write of their tables: words, units, named measures.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Descriptions of tables, as TOML.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    #[serde(default)]
    pub table: BTreeMap<String, TableDescription>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TableDescription {
    pub description: Option<String>,
    /// What a row is called, in any language.
    pub nouns: Vec<String>,
    /// What a model suggests to call a row. It counts where nobody's own word says the same.
    pub suggested: Vec<String>,
    pub time: Option<String>,
    pub duration: Option<String>,
    pub person: Option<String>,
    pub text: Option<String>,
    pub show: Vec<String>,
    pub identify: Option<String>,
    /// Columns that may not be asked.
    pub hidden: Vec<String>,
    /// Columns that may be asked though they look like secrets.
    pub allowed: Vec<String>,
    /// The condition that visible rows fulfil, in place of what was found; empty: all rows are visible.
    pub soft_delete: Option<String>,
    pub column: BTreeMap<String, ColumnDescription>,
    pub condition: Vec<NamedCondition>,
    pub measure: Vec<NamedMeasure>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ColumnDescription {
    pub description: Option<String>,
    pub nouns: Vec<String>,
    /// What a model suggests to call it, as of a table.
    pub suggested: Vec<String>,
    pub unit: Option<String>,
    /// For a key of a JSON column whose values are not known: that they are numbers.
    pub number: bool,
    /// Its numbers are names, not amounts: they are grouped by, not averaged.
    pub code: bool,
    /// Its rows, in their order, are one story: a trace, a session.
    pub journey: bool,
    /// Its values are only meant where the column is named beside them.
    pub quiet: bool,
    /// Where this column is asked about, how long something took is told by this other one.
    pub duration: Option<String>,
    /// What a noun of this column says of the rows by itself: an error type is one of errors.
    pub implies: Option<NamedCondition>,
    /// Other words for values.
    pub values: BTreeMap<String, Vec<String>>,
}

/// A condition on rows that has a name: 느린 요청, big spenders.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NamedCondition {
    pub words: Vec<String>,
    pub column: String,
    pub is: Vec<String>,
    pub at_least: Option<f64>,
    pub below: Option<f64>,
    pub contains: Vec<String>,
}

/// A figure that has a name: error rate, revenue.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NamedMeasure {
    pub words: Vec<String>,
    /// Of a hundred rows, how many fulfil this.
    pub share: Option<NamedCondition>,
    /// Any aggregate, as SQL over the table's columns.
    pub expression: Option<String>,
    /// The name of the figure's column.
    pub name: String,
}

/// Why a description can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptionError {
    #[error("the description is no TOML of tables: {0}")]
    Toml(String),
}

impl Description {
    /// Reads TOML.
    ///
    /// # Errors
    /// When it is none, or has keys that mean nothing.
    pub fn read(text: &str) -> Result<Self, DescriptionError> {
        toml::from_str(text).map_err(|error| DescriptionError::Toml(error.to_string()))
    }

    /// What people wrote themselves, without what a model suggested.
    #[must_use]
    pub fn without_suggestions(mut self) -> Self {
        for table in self.table.values_mut() {
            table.suggested.clear();
            table.column.values_mut().for_each(|column| column.suggested.clear());
        }
        self
    }

    /// The product's own log table.
    pub fn logs() -> Self {
        // A test reads it, so that it can't fail here.
        Self::read(include_str!("logs.toml")).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_products_own_description_is_read() {
        let logs = Description::read(include_str!("logs.toml")).unwrap();
        assert!(logs.table["logs"].column.len() > 15);
        assert!(
            Description::read("[table.x]\nnoun = []").is_err(),
            "an unknown key is an error, not ignored"
        );
    }
}
