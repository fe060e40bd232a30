//! Which tables and columns may be asked, and which rows of them count as deleted.

use serde::{Deserialize, Serialize};

use crate::Level;

/// The tables that may be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalog {
    pub tables: Vec<Table>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// PostgreSQL's schema, `public` unless told.
    #[serde(default = "public")]
    pub schema: String,
    pub name: String,
    /// In the order of `SELECT *`.
    pub columns: Vec<TableColumn>,
    /// A condition on the table's own columns that every visible row fulfils,
    /// such as `deleted = FALSE`; none: all rows are visible.
    #[serde(default)]
    pub soft_delete: Option<String>,
    /// What the table holds, for people and for models.
    #[serde(default)]
    pub description: Option<String>,
    /// Other words for it in questions.
    #[serde(default)]
    pub synonyms: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableColumn {
    pub name: String,
    pub kind: Kind,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub synonyms: Vec<String>,
}

/// What a column holds, as far as guard and stores tell kinds apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Integer,
    Bigint,
    Numeric,
    Double,
    Text,
    Boolean,
    /// With time zone.
    Timestamp,
    /// Without.
    LocalTimestamp,
    Date,
    Json,
    Uuid,
    /// Words with an order, such as [`Level`]: lowest first.
    Ordered(Vec<String>),
    /// Any other type, by PostgreSQL's name for it.
    Other(String),
}

fn public() -> String {
    "public".into()
}

impl Catalog {
    /// The product's own table: `logs`, with its 21 columns.
    pub fn logs() -> Self {
        let level = Kind::Ordered(Level::ALL.iter().map(|level| level.word().to_owned()).collect());
        let columns = [
            ("id", Kind::Bigint),
            ("created_at", Kind::Timestamp),
            ("level", level),
            ("log_type", Kind::Text),
            ("service", Kind::Text),
            ("environment", Kind::Text),
            ("service_version", Kind::Text),
            ("trace_id", Kind::Text),
            ("user_id", Kind::Text),
            ("session_id", Kind::Text),
            ("error_type", Kind::Text),
            ("message", Kind::Text),
            ("stack_trace", Kind::Text),
            ("path", Kind::Text),
            ("method", Kind::Text),
            ("action_type", Kind::Text),
            ("function_name", Kind::Text),
            ("file_path", Kind::Text),
            ("duration_ms", Kind::Numeric),
            ("deleted", Kind::Boolean),
            ("metadata", Kind::Json),
        ];
        let columns = columns
            .map(|(name, kind)| TableColumn {
                name: name.into(),
                kind,
                description: None,
                synonyms: Vec::new(),
            })
            .into();
        let table = Table {
            schema: public(),
            name: "logs".into(),
            columns,
            soft_delete: Some("deleted = FALSE".into()),
            description: None,
            synonyms: Vec::new(),
        };
        Self { tables: vec![table] }
    }

    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl Table {
    pub fn column(&self, name: &str) -> Option<&TableColumn> {
        self.columns.iter().find(|column| column.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logs_table_has_its_21_columns() {
        let catalog = Catalog::logs();
        let logs = catalog.table("logs").unwrap();
        assert_eq!(logs.columns.len(), 21);
        assert_eq!(logs.column("duration_ms").unwrap().kind, Kind::Numeric);
    }
}
