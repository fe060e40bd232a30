//! Which tables and columns may be asked, and which rows of them count as deleted.

use schemars::JsonSchema;
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
    /// In the order of `SELECT *`; in JSON also `{"name": "type", …}`.
    #[serde(deserialize_with = "columns")]
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
    #[serde(default)]
    pub primary_key: Vec<String>,
    /// Other columns whose values together no two rows have.
    #[serde(default)]
    pub unique: Vec<Vec<String>>,
    #[serde(default)]
    pub foreign_keys: Vec<ForeignKey>,
    /// How many rows it has, where somebody counted or guessed.
    #[serde(default)]
    pub rows: Option<u64>,
}

/// Columns whose values are those of a row of another table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignKey {
    pub columns: Vec<String>,
    /// The other table's schema, `public` unless told.
    #[serde(default = "public")]
    pub schema: String,
    pub table: String,
    pub to: Vec<String>,
    /// Nobody declared it: names, types and values say so.
    #[serde(default)]
    pub inferred: bool,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
            primary_key: vec!["id".into()],
            unique: Vec::new(),
            foreign_keys: Vec::new(),
            rows: None,
        };
        Self { tables: vec![table] }
    }

    /// Reads `{"tables": [{"name", "schema", "soft_delete", "columns"}]}`.
    ///
    /// # Errors
    /// When it is no such JSON, or a table can't be asked as it is given.
    pub fn read_json(json: &str) -> Result<Self, CatalogError> {
        let catalog: Self = serde_json::from_str(json)?;
        for (index, table) in catalog.tables.iter().enumerate() {
            let same = |other: &Table| other.name == table.name && other.schema == table.schema;
            if catalog.tables[..index].iter().any(same) {
                return Err(CatalogError::Twice(table.name.clone()));
            }
            if table.columns.is_empty() {
                return Err(CatalogError::NoColumns(table.name.clone()));
            }
        }
        Ok(catalog)
    }

    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }
}

/// Why a catalog can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    #[error("the catalog is no JSON of tables: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the table {0} is listed twice")]
    Twice(String),
    #[error("the table {0} has no columns")]
    NoColumns(String),
}

/// Columns as a list with all that is known of them, or as names with types,
/// whose order is that of the table.
struct Columns;

impl<'de> serde::de::Visitor<'de> for Columns {
    type Value = Vec<TableColumn>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of columns, or an object of names and types")
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut columns = Vec::new();
        while let Some(column) = list.next_element()? {
            columns.push(column);
        }
        Ok(columns)
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut columns = Vec::new();
        while let Some((name, word)) = map.next_entry::<String, String>()? {
            let kind = Kind::of(&word);
            columns.push(TableColumn { name, kind, description: None, synonyms: Vec::new() });
        }
        Ok(columns)
    }
}

fn columns<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<TableColumn>, D::Error> {
    from.deserialize_any(Columns)
}

impl Kind {
    /// The kind of a type by PostgreSQL's name for it.
    pub fn of(data_type: &str) -> Self {
        let word = data_type.trim().to_ascii_lowercase();
        let base = word.split('(').next().unwrap_or_default().trim();
        match base {
            "smallint" | "integer" | "int" | "int2" | "int4" | "serial" => Self::Integer,
            "bigint" | "int8" | "bigserial" => Self::Bigint,
            "numeric" | "decimal" => Self::Numeric,
            "double precision" | "float8" | "real" | "float4" | "float" => Self::Double,
            "text" | "varchar" | "character varying" | "char" | "character" | "bpchar" => Self::Text,
            "boolean" | "bool" => Self::Boolean,
            "timestamptz" | "timestamp with time zone" => Self::Timestamp,
            "timestamp" | "timestamp without time zone" => Self::LocalTimestamp,
            "date" => Self::Date,
            "json" | "jsonb" => Self::Json,
            "uuid" => Self::Uuid,
            _ => Self::Other(base.to_owned()),
        }
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
    fn a_catalog_is_read_in_both_forms() {
        let short = r#"{"tables": [{"name": "t", "schema": "s", "soft_delete": "gone = FALSE",
            "columns": {"b": "varchar(10)", "gone": "boolean", "a": "money"}}]}"#;
        let catalog = Catalog::read_json(short).unwrap();
        let columns: Vec<_> = catalog.tables[0].columns.iter().map(|c| (&*c.name, c.kind.clone())).collect();
        let money = Kind::Other("money".into());
        // In the order of the text: that of `SELECT *`.
        assert_eq!(columns, [("b", Kind::Text), ("gone", Kind::Boolean), ("a", money)]);
        let rich = serde_json::to_string(&Catalog::logs()).unwrap();
        assert_eq!(Catalog::read_json(&rich).unwrap(), Catalog::logs());
        assert!(matches!(Catalog::read_json("{}"), Err(CatalogError::Json(_))));
        let empty = r#"{"tables": [{"name": "t", "columns": {}}]}"#;
        assert!(matches!(Catalog::read_json(empty), Err(CatalogError::NoColumns(_))));
    }

    #[test]
    fn the_logs_table_has_its_21_columns() {
        let catalog = Catalog::logs();
        let logs = catalog.table("logs").unwrap();
        assert_eq!(logs.columns.len(), 21);
        assert_eq!(logs.column("duration_ms").unwrap().kind, Kind::Numeric);
    }
}
