//! Which tables there are, and of which kind their columns are.

use tokio_postgres::Client;
use tokio_postgres::types::Type;

use super::connection;
use super::failure;
use super::foreign::Foreign;
use super::options::Options;
use crate::store::Error;
use crate::{Catalog, ColumnKnowledge, Kind, Table, TableColumn};

/// A column as the database describes it.
pub(super) struct Described {
    pub(super) kind: Kind,
    pub(super) known: ColumnKnowledge,
}

const COLUMNS: &str = "
    SELECT a.attname::text, coalesce(b.typname, t.typname)::text, format_type(a.atttypid, a.atttypmod),
           NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
           (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e
             WHERE e.enumtypid = coalesce(b.oid, t.oid))
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type t ON t.oid = a.atttypid
      LEFT JOIN pg_type b ON b.oid = t.typbasetype
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
     ORDER BY a.attnum";

/// The columns of a table or view; none if there is no such thing.
pub(super) async fn columns(client: &Client, schema: &str, name: &str) -> Result<Vec<Described>, Error> {
    let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 2] =
        [(&schema, Type::TEXT), (&name, Type::TEXT)];
    let rows = client.query_typed(COLUMNS, &values).await.map_err(|e| failure::of(&e))?;
    let described = rows.iter().map(|row| {
        let labels: Option<Vec<String>> = row.try_get(5)?;
        let kind = match labels {
            Some(labels) => Kind::Ordered(labels),
            None => kind(row.try_get(1)?),
        };
        let known = ColumnKnowledge {
            name: row.try_get(0)?,
            data_type: row.try_get(2)?,
            nullable: row.try_get(3)?,
            default: row.try_get(4)?,
            values: Vec::new(),
            samples: Vec::new(),
            empty: false,
        };
        Ok(Described { kind, known })
    });
    described.collect::<Result<_, tokio_postgres::Error>>().map_err(|e| failure::of(&e))
}

/// By PostgreSQL's inner name of a type.
pub(super) fn kind(name: &str) -> Kind {
    match name {
        "int2" | "int4" => Kind::Integer,
        "int8" => Kind::Bigint,
        "numeric" => Kind::Numeric,
        "float4" | "float8" => Kind::Double,
        "text" | "varchar" | "bpchar" | "name" | "citext" => Kind::Text,
        "bool" => Kind::Boolean,
        "timestamptz" => Kind::Timestamp,
        "timestamp" => Kind::LocalTimestamp,
        "date" => Kind::Date,
        "json" | "jsonb" => Kind::Json,
        "uuid" => Kind::Uuid,
        other => Kind::Other(other.to_owned()),
    }
}

/// What may be asked of a database that is used like this. Nothing is made there.
///
/// # Errors
/// If it can't be reached, or lacks a configured table.
pub async fn catalog(url: &str, options: &Options) -> Result<Catalog, Error> {
    let lease = connection::single(connection::parse(url)?, options.connect_timeout).await?;
    load(lease.client(), options).await
}

/// All that may be asked: the lines, and what was configured.
pub(super) async fn load(client: &Client, options: &Options) -> Result<Catalog, Error> {
    let mut catalog = Catalog { tables: Vec::new() };
    if let Some(schema) = &options.logs {
        catalog = Catalog::logs();
        for table in &mut catalog.tables {
            table.schema.clone_from(schema);
        }
    }
    for foreign in &options.tables {
        if catalog.table(&foreign.name).is_some() {
            let reason = format!("two tables are named {}; one of them can't be asked", foreign.name);
            return Err(Error::Failed { reason });
        }
        catalog.tables.push(table(client, foreign).await?);
    }
    Ok(catalog)
}

async fn table(client: &Client, foreign: &Foreign) -> Result<Table, Error> {
    let described = columns(client, &foreign.schema, &foreign.name).await?;
    let known = |name: &String| described.iter().any(|column| column.known.name == *name);
    if described.is_empty() {
        let reason = format!("there is no table or view {}.{}", foreign.schema, foreign.name);
        return Err(Error::Failed { reason });
    }
    if let Some(name) = foreign.hidden.iter().chain(foreign.columns.keys()).find(|name| !known(name)) {
        let reason = format!("{}.{} has no column {name}", foreign.schema, foreign.name);
        return Err(Error::Failed { reason });
    }
    let visible = described.into_iter().filter(|column| !foreign.hidden.contains(&column.known.name));
    let columns = visible.map(|column| {
        let meaning = foreign.columns.get(&column.known.name).cloned().unwrap_or_default();
        TableColumn {
            name: column.known.name,
            kind: column.kind,
            description: meaning.description,
            synonyms: meaning.synonyms,
        }
    });
    Ok(Table {
        schema: foreign.schema.clone(),
        name: foreign.name.clone(),
        columns: columns.collect(),
        soft_delete: foreign.soft_delete.clone(),
        description: foreign.description.clone(),
        synonyms: foreign.synonyms.clone(),
        primary_key: Vec::new(),
        unique: Vec::new(),
        foreign_keys: Vec::new(),
        rows: None,
    })
}
