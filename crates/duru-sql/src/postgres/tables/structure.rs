//! Which tables a role may read, with their columns and keys, in three questions to the catalog.

use std::collections::BTreeMap;

use tokio_postgres::{Client, Row};

use super::checks;
use crate::domain::Description;
use crate::postgres::{catalog, failure};
use crate::store::Error;
use crate::tables::{TableNote, looks_secret, soft_delete_rule};
use crate::{ColumnKnowledge, ForeignKey, Kind, Table, TableColumn};

/// Everything but what belongs to the system, to extensions, or to us. Partitions are read through their table.
const TABLES: &str = "
    SELECT c.oid::int8, n.nspname::text, c.relname::text, c.relkind::text, c.reltuples::float8,
           pg_catalog.obj_description(c.oid, 'pg_class'),
           has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
       AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname NOT IN ('information_schema', 'duru_logs')
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_class'::regclass
                        AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY n.nspname <> 'public', n.nspname, c.relname";

const COLUMNS: &str = "
    SELECT a.attrelid::int8, a.attname::text, coalesce(b.typname, t.typname)::text,
           format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
           (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e
             WHERE e.enumtypid = coalesce(b.oid, t.oid)),
           col_description(a.attrelid, a.attnum),
           has_column_privilege(a.attrelid, a.attnum, 'SELECT')
      FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      LEFT JOIN pg_catalog.pg_type b ON b.oid = t.typbasetype
      LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = ANY($1::int8[]::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY a.attrelid, a.attnum";

const CONSTRAINTS: &str = "
    SELECT k.conrelid::int8, k.contype::text, pg_get_constraintdef(k.oid),
           ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(num, place)
                   JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num ORDER BY u.place),
           k.confrelid::int8,
           ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u(num, place)
                   JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num ORDER BY u.place)
      FROM pg_catalog.pg_constraint k
     WHERE k.conrelid = ANY($1::int8[]::oid[]) AND k.contype IN ('p', 'u', 'f', 'c')
     ORDER BY k.conrelid, k.contype, k.conname";

const INDEXES: &str = "
    SELECT i.indrelid::int8, pg_get_indexdef(i.indexrelid),
           i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL,
           ARRAY(SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS u(num, place)
                   JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.num
                  WHERE u.place <= i.indnkeyatts ORDER BY u.place)
      FROM pg_catalog.pg_index i
     WHERE i.indrelid = ANY($1::int8[]::oid[]) AND i.indisvalid ORDER BY i.indexrelid";

/// A table as the catalog describes it.
pub(super) struct FoundTable {
    oid: i64,
    pub(super) table: Table,
    pub(super) columns: Vec<ColumnKnowledge>,
    /// All names, also of columns that are left out.
    pub(super) names: Vec<String>,
    pub(super) indexes: Vec<String>,
    /// By the server's statistics; none where there are none.
    pub(super) rows: Option<u64>,
}

/// All that the role may read, and what is to be said of it.
pub(super) async fn read(
    client: &Client,
    description: &Description,
) -> Result<(Vec<FoundTable>, Vec<TableNote>), Error> {
    let mut notes = Vec::new();
    let mut found = tables(client, &mut notes).await?;
    let oids: Vec<i64> = found.iter().map(|one| one.oid).collect();
    let by_oid = async |sql: &str| client.query(sql, &[&oids]).await.map_err(|error| failure::of(&error));
    let (columns, constraints, indexes) =
        tokio::try_join!(by_oid(COLUMNS), by_oid(CONSTRAINTS), by_oid(INDEXES))?;
    let sql = |error: tokio_postgres::Error| failure::of(&error);
    for row in &columns {
        add_column(&mut found, row).map_err(sql)?;
    }
    add_constraints(&mut found, &constraints).map_err(sql)?;
    for row in &indexes {
        add_index(&mut found, row).map_err(sql)?;
    }
    for one in &mut found {
        hide(one, description, &mut notes);
    }
    found.retain(|one| !one.table.columns.is_empty());
    Ok((found, notes))
}

async fn tables(client: &Client, notes: &mut Vec<TableNote>) -> Result<Vec<FoundTable>, Error> {
    let rows = client.query(TABLES, &[]).await.map_err(|error| failure::of(&error))?;
    let mut found: Vec<FoundTable> = Vec::new();
    let mut unreadable = Vec::new();
    for row in &rows {
        let one = table(row).map_err(|error| failure::of(&error))?;
        let readable: bool = row.try_get(6).map_err(|error| failure::of(&error))?;
        let full = format!("{}.{}", one.table.schema, one.table.name);
        let bad = |name: &str| name.contains(['"', '\\']);
        if !readable {
            unreadable.push(full);
        } else if found.iter().any(|before| before.table.name == one.table.name) {
            notes.push(TableNote::SameName { table: full });
        } else if bad(&one.table.name) || bad(&one.table.schema) {
            notes.push(TableNote::BadName { table: full });
        } else {
            found.push(one);
        }
    }
    if !unreadable.is_empty() {
        notes.push(TableNote::NotReadable { tables: unreadable });
    }
    Ok(found)
}

fn table(row: &Row) -> Result<FoundTable, tokio_postgres::Error> {
    let kind: &str = row.try_get(3)?;
    let rows: f64 = row.try_get(4)?;
    let table = Table {
        schema: row.try_get(1)?,
        name: row.try_get(2)?,
        columns: Vec::new(),
        soft_delete: None,
        description: row.try_get(5)?,
        synonyms: Vec::new(),
        primary_key: Vec::new(),
        unique: Vec::new(),
        foreign_keys: Vec::new(),
        rows: None,
    };
    let is_view = matches!(kind, "v" | "f");
    let rows = (rows >= 0.0 && !is_view).then_some(rows as u64);
    Ok(FoundTable {
        oid: row.try_get(0)?,
        table,
        columns: Vec::new(),
        names: Vec::new(),
        indexes: Vec::new(),
        rows,
    })
}

fn at(found: &mut [FoundTable], oid: i64) -> Option<&mut FoundTable> {
    found.iter_mut().find(|one| one.oid == oid)
}

fn add_column(found: &mut [FoundTable], row: &Row) -> Result<(), tokio_postgres::Error> {
    let readable: bool = row.try_get(8)?;
    let Some(one) = at(found, row.try_get(0)?).filter(|_| readable) else { return Ok(()) };
    let labels: Option<Vec<String>> = row.try_get(6)?;
    let name: String = row.try_get(1)?;
    let values = labels.clone().unwrap_or_default();
    let kind = match labels {
        Some(labels) => Kind::Ordered(labels),
        None => catalog::kind(row.try_get(2)?),
    };
    let description = row.try_get(7)?;
    one.table.columns.push(TableColumn { name: name.clone(), kind, description, synonyms: Vec::new() });
    one.columns.push(ColumnKnowledge {
        name,
        data_type: row.try_get(3)?,
        nullable: row.try_get(4)?,
        default: row.try_get(5)?,
        values,
        empty: false,
        samples: Vec::new(),
    });
    Ok(())
}

fn add_constraints(found: &mut [FoundTable], rows: &[Row]) -> Result<(), tokio_postgres::Error> {
    let names: BTreeMap<i64, (String, String)> =
        found.iter().map(|one| (one.oid, (one.table.schema.clone(), one.table.name.clone()))).collect();
    for row in rows {
        let kind: &str = row.try_get(1)?;
        let columns: Vec<String> = row.try_get(3)?;
        let target: i64 = row.try_get(4)?;
        let to: Vec<String> = row.try_get(5)?;
        let Some(one) = at(found, row.try_get(0)?) else { continue };
        match kind {
            "p" => one.table.primary_key = columns,
            "u" => one.table.unique.push(columns),
            "f" => {
                if let Some((schema, table)) = names.get(&target).cloned() {
                    one.table.foreign_keys.push(ForeignKey { columns, schema, table, to, inferred: false });
                }
            }
            _ => {
                let listed = match columns.as_slice() {
                    [column] => checks::listed(row.try_get(2)?, column),
                    _ => None,
                };
                let column =
                    columns.first().and_then(|name| one.columns.iter_mut().find(|c| c.name == *name));
                if let (Some(listed), Some(column)) = (listed, column) {
                    column.values = listed;
                }
            }
        }
    }
    Ok(())
}

fn add_index(found: &mut [FoundTable], row: &Row) -> Result<(), tokio_postgres::Error> {
    let Some(one) = at(found, row.try_get(0)?) else { return Ok(()) };
    one.indexes.push(row.try_get(1)?);
    let unique: bool = row.try_get(2)?;
    let columns: Vec<String> = row.try_get(3)?;
    let known = columns.is_empty() || one.table.primary_key == columns || one.table.unique.contains(&columns);
    if unique && !known {
        one.table.unique.push(columns);
    }
    Ok(())
}

/// Leaves out what nobody should see, and finds which rows count as deleted.
fn hide(one: &mut FoundTable, description: &Description, notes: &mut Vec<TableNote>) {
    let words = description.table.get(&one.table.name).cloned().unwrap_or_default();
    let name = one.table.name.clone();
    one.names = one.columns.iter().map(|column| column.name.clone()).collect();
    let mut secret = Vec::new();
    one.table.columns.retain(|column| {
        let looks = looks_secret(&column.name, &column.kind) && !words.allowed.contains(&column.name);
        if looks {
            secret.push(column.name.clone());
        }
        let named = !column.name.contains(['"', '\\']);
        !looks && named && !words.hidden.contains(&column.name)
    });
    let table = &one.table;
    one.columns.retain(|column| table.column(&column.name).is_some());
    let visible = |names: &[String]| names.iter().all(|name| table.column(name).is_some());
    let keys: Vec<ForeignKey> =
        table.foreign_keys.iter().filter(|key| visible(&key.columns)).cloned().collect();
    let unique: Vec<Vec<String>> = table.unique.iter().filter(|key| visible(key)).cloned().collect();
    let primary = if visible(&table.primary_key) { table.primary_key.clone() } else { Vec::new() };
    (one.table.foreign_keys, one.table.unique, one.table.primary_key) = (keys, unique, primary);
    one.table.soft_delete = match words.soft_delete {
        Some(rule) => Some(rule).filter(|rule| !rule.trim().is_empty()),
        None => soft_delete_rule(&one.table.columns),
    };
    if let Some(rule) = &one.table.soft_delete {
        notes.push(TableNote::SoftDelete { table: name.clone(), rule: rule.clone() });
    }
    if !secret.is_empty() {
        notes.push(TableNote::Secret { table: name, columns: secret });
    }
}
