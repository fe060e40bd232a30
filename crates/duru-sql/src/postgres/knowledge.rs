//! What is known of the tables, from a cache that follows changes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use duru_postgres::Pool;
use tokio_postgres::Client;
use tokio_postgres::types::Type;
use tokio_util::sync::CancellationToken;

use super::query::Runner;
use super::{catalog, connection, failure, hints, names};
use crate::store::{Asking, Error, Knowledge, Limits, TableKnowledge};
use crate::{Answer, Catalog, Kind, Table};

/// Changes are not looked for more often than this.
const PAUSE: Duration = Duration::from_secs(1);

/// For people who look at examples, not for reading.
const EXAMPLE: Limits = Limits { time: Duration::from_secs(5), rows: 3, value_bytes: 500, bytes: 64 << 10 };

/// Every ALTER writes the rows of what it alters anew, so their transaction ids tell.
const FINGERPRINT: &str = "
    SELECT md5(coalesce(string_agg(part, ',' ORDER BY part), '')) FROM (
        SELECT a.attrelid || ':' || a.attnum || ':' || a.xmin AS part
          FROM unnest($1, $2) AS wanted(schema, name)
          JOIN pg_namespace n ON n.nspname = wanted.schema
          JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        UNION ALL
        SELECT i.indexrelid || ':' || i.xmin
          FROM unnest($1, $2) AS wanted(schema, name)
          JOIN pg_namespace n ON n.nspname = wanted.schema
          JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
          JOIN pg_index i ON i.indrelid = c.oid
    ) parts";

#[derive(Default)]
pub(super) struct Cache {
    known: Mutex<Option<Known>>,
    /// One at a time gathers; the others wait for what it finds.
    gathering: tokio::sync::Mutex<()>,
}

#[derive(Clone)]
struct Known {
    knowledge: Arc<Knowledge>,
    structure: String,
    data: String,
    gathered: Instant,
    checked: Instant,
}

impl Cache {
    fn get(&self) -> Option<Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn put(&self, known: Known) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
    }
}

/// What it takes to find out.
pub(super) struct Source<'a> {
    pub(super) pool: &'a Pool,
    pub(super) runner: &'a Runner,
    pub(super) catalog: &'a Catalog,
    /// How old may what changes with the data be.
    pub(super) age: Duration,
}

impl Source<'_> {
    /// `data` is the store's version.
    pub(super) async fn knowledge(&self, cache: &Cache, data: &str) -> Result<Arc<Knowledge>, Error> {
        let _gathering = cache.gathering.lock().await;
        let known = cache.get();
        if let Some(known) = known.as_ref().filter(|known| known.checked.elapsed() < PAUSE) {
            return Ok(Arc::clone(&known.knowledge));
        }
        let lease = connection::lease(self.pool).await?;
        let structure = fingerprint(lease.client(), self.catalog).await?;
        if let Some(mut known) = known.filter(|known| known.structure == structure)
            && (known.data == data || known.gathered.elapsed() < self.age)
        {
            lease.give_back();
            known.checked = Instant::now();
            cache.put(known.clone());
            return Ok(known.knowledge);
        }
        let mut tables = Vec::new();
        for table in &self.catalog.tables {
            tables.push(self.table(lease.client(), table).await?);
        }
        lease.give_back();
        let knowledge = Arc::new(Knowledge { tables });
        let now = Instant::now();
        cache.put(Known {
            knowledge: Arc::clone(&knowledge),
            structure,
            data: data.to_owned(),
            gathered: now,
            checked: now,
        });
        Ok(knowledge)
    }

    async fn table(&self, client: &Client, table: &Table) -> Result<TableKnowledge, Error> {
        let described = catalog::columns(client, &table.schema, &table.name).await?;
        let mut columns: Vec<_> = described.into_iter().map(|column| column.known).collect();
        columns.retain(|column| table.column(&column.name).is_some());
        let indexes = indexes(client, table).await?;
        let time = time_column(table, &indexes);
        let newest = self.newest(table, time).await?;
        let mut values = hints::values(self.runner, table, time).await?;
        for column in &mut columns {
            let hints = values.remove(&column.name).unwrap_or_default();
            (column.values, column.samples) = (hints.values, hints.samples);
        }
        let estimated_rows = estimated_rows(client, table).await?;
        hints::mark_empty(self.runner, table, estimated_rows, &mut columns).await?;
        columns.extend(hints::keys(self.runner, table, time).await?);
        Ok(TableKnowledge { table: table.clone(), columns, indexes, estimated_rows, newest })
    }

    async fn newest(&self, table: &Table, time: Option<&str>) -> Result<Answer, Error> {
        let columns: Vec<_> = table.columns.iter().map(|column| names::quoted(&column.name)).collect();
        let order = time.map(|time| format!(" ORDER BY {} DESC NULLS LAST", names::quoted(time)));
        let sql = format!(
            "SELECT {} FROM {}{} LIMIT 3",
            columns.join(", "),
            live(table),
            order.unwrap_or_default()
        );
        self.runner.run(&sql, &asking(EXAMPLE)).await
    }
}

pub(super) fn asking(limits: Limits) -> Asking {
    Asking { timezone: "UTC".into(), limits, cancel: CancellationToken::new(), who: None }
}

/// The table and the condition for its visible rows.
pub(super) fn live(table: &Table) -> String {
    let name = names::table(&table.schema, &table.name);
    match &table.soft_delete {
        Some(condition) => format!("{name} WHERE ({condition})"),
        None => name,
    }
}

/// By which a table's rows are newest: a time that leads an index, else any time.
fn time_column<'a>(table: &'a Table, indexes: &[String]) -> Option<&'a str> {
    let is_time = |kind: &Kind| matches!(kind, Kind::Timestamp | Kind::LocalTimestamp | Kind::Date);
    let times: Vec<&str> = table
        .columns
        .iter()
        .filter(|column| is_time(&column.kind))
        .map(|column| column.name.as_str())
        .collect();
    let leads = |name: &str| {
        let start = format!("({name}");
        let quoted = format!("(\"{name}\"");
        indexes.iter().any(|index| {
            [&start, &quoted].iter().any(|start| {
                index.split_once(start.as_str()).is_some_and(|(_, rest)| rest.starts_with([' ', ',', ')']))
            })
        })
    };
    times.iter().find(|name| leads(name)).or(times.first()).copied()
}

async fn fingerprint(client: &Client, catalog: &Catalog) -> Result<String, Error> {
    let schemas: Vec<&str> = catalog.tables.iter().map(|table| table.schema.as_str()).collect();
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 2] =
        [(&schemas, Type::TEXT_ARRAY), (&names, Type::TEXT_ARRAY)];
    let rows = client.query_typed(FINGERPRINT, &values).await.map_err(|e| failure::of(&e))?;
    rows.first().map_or(Ok(String::new()), |row| row.try_get(0)).map_err(|e| failure::of(&e))
}

async fn indexes(client: &Client, table: &Table) -> Result<Vec<String>, Error> {
    let sql = "SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i \
         JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname = $1 AND c.relname = $2 ORDER BY i.indexrelid";
    let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 2] =
        [(&table.schema, Type::TEXT), (&table.name, Type::TEXT)];
    let rows = client.query_typed(sql, &values).await.map_err(|e| failure::of(&e))?;
    rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(|e| failure::of(&e))
}

/// By the planner, who also knows of views, and of tables without statistics.
async fn estimated_rows(client: &Client, table: &Table) -> Result<u64, Error> {
    let plan = client.query(&format!("EXPLAIN SELECT FROM {}", live(table)), &[]).await;
    let plan = plan.map_err(|e| failure::of(&e))?;
    let first: &str = plan.first().map_or(Ok(""), |row| row.try_get(0)).map_err(|e| failure::of(&e))?;
    let rows = first.split_once(" rows=").and_then(|(_, rest)| rest.split_whitespace().next());
    Ok(rows.and_then(|rows| rows.parse().ok()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_rows_are_by_a_time_that_leads_an_index() {
        let catalog = Catalog::logs();
        let logs = catalog.table("logs").unwrap();
        let index = "CREATE INDEX i ON public.logs USING btree (created_at DESC, id DESC)".to_owned();
        assert_eq!(time_column(logs, &[index]), Some("created_at"));
        assert_eq!(time_column(logs, &[]), Some("created_at"));
    }
}
