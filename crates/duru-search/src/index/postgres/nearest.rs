//! Vectors in the database, where its extension `vector` (pgvector) is installed: a column beside the packed bytes, which
//! stay what everything else is made from. Without it, vectors are compared in this process.

use tokio_postgres::Client;

use super::connection::of;
use super::read::Conditions;
use crate::access::Reach;
use crate::index::{Error, Filter, Scored, packed};

/// An index over longer vectors can't be made; they are compared one by one, in the database.
const LONGEST_INDEXED: usize = 2_000;

/// So many neighbours an approximate search looks at, at least and at most.
const LOOKED_AT: std::ops::RangeInclusive<usize> = 200..=1_000;

/// The extension.
pub(super) struct Nearest {
    /// A quoted name: whoever made the extension chose it.
    schema: String,
    /// There is an access method for nearest neighbours.
    indexed: bool,
}

const FIND: &str = "SELECT quote_ident(nspname), EXISTS (SELECT FROM pg_am WHERE amname = 'hnsw') \
     FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'";

/// The extension, if the database has it or lets us make it. Runs inside of a transaction that holds the lock.
pub(super) async fn find(client: &Client) -> Result<Option<Nearest>, Error> {
    let mut found = client.query_opt(FIND, &[]).await.map_err(of)?;
    if found.is_none() {
        let available = "SELECT FROM pg_available_extensions WHERE name = 'vector'";
        if client.query_opt(available, &[]).await.map_err(of)?.is_none() {
            return Ok(None);
        }
        client.batch_execute("SAVEPOINT extension").await.map_err(of)?;
        // Who may not make it goes on without.
        if client.batch_execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public").await.is_err() {
            client.batch_execute("ROLLBACK TO SAVEPOINT extension").await.map_err(of)?;
        }
        found = client.query_opt(FIND, &[]).await.map_err(of)?;
    }
    Ok(found.map(|row| Nearest { schema: row.get(0), indexed: row.get(1) }))
}

/// How long the column's vectors are; none if there is no column yet.
async fn length(client: &Client) -> Result<Option<usize>, Error> {
    let sql = "SELECT atttypmod FROM pg_attribute \
         WHERE attrelid = 'passages'::regclass AND attname = 'near' AND NOT attisdropped";
    let row = client.query_opt(sql, &[]).await.map_err(of)?;
    Ok(row.and_then(|row| usize::try_from(row.get::<_, i32>(0)).ok()))
}

impl Nearest {
    /// The type, by its full name.
    pub(super) fn kind(&self) -> String {
        format!("{}.vector", self.schema)
    }

    /// Fills the column for passages that were written without it.
    pub(super) async fn catch_up(&self, client: &Client) -> Result<(), Error> {
        let sql = "SELECT octet_length(vector) - 4 FROM passages WHERE octet_length(vector) > 4 LIMIT 1";
        let Some(row) = client.query_opt(sql, &[]).await.map_err(of)? else { return Ok(()) };
        self.make(client, usize::try_from(row.get::<_, i32>(0)).unwrap_or_default()).await?;
        let sql = "SELECT number, vector FROM passages WHERE near IS NULL AND octet_length(vector) > 4";
        let fill = format!("UPDATE passages SET near = $2::text::{} WHERE number = $1", self.kind());
        for row in client.query(sql, &[]).await.map_err(of)? {
            let (number, bytes): (i64, Vec<u8>) = (row.get(0), row.get(1));
            let vector = written(&packed::unpack(&bytes));
            client.execute(&fill, &[&number, &vector]).await.map_err(of)?;
        }
        Ok(())
    }

    /// Makes the column for vectors of this length, if there is none.
    pub(super) async fn make(&self, client: &Client, wanted: usize) -> Result<(), Error> {
        match length(client).await? {
            Some(known) if known == wanted => return Ok(()),
            Some(expected) => return Err(Error::Length { expected, found: wanted }),
            None => {}
        }
        let mut sql = format!("ALTER TABLE passages ADD COLUMN near {}({wanted});", self.kind());
        if self.indexed && wanted <= LONGEST_INDEXED {
            let by = format!("near {}.vector_ip_ops", self.schema);
            // Whatever is not shared takes no place among the neighbours of what is.
            sql.push_str(&format!(
                "CREATE INDEX passages_near ON passages USING hnsw ({by}) WHERE access = '';"
            ));
        }
        client.batch_execute(&sql).await.map_err(of)
    }

    pub(super) async fn by_vector(
        &self,
        client: &Client,
        vector: &[f32],
        (filter, reach, limit): (&Filter, &Reach, usize),
    ) -> Result<Vec<Scored>, Error> {
        match length(client).await? {
            None => return Ok(Vec::new()),
            Some(expected) if expected != vector.len() => {
                return Err(Error::Length { expected, found: vector.len() });
            }
            Some(_) => {}
        }
        let distance = format!("near OPERATOR({}.<#>) $1::text::{}", self.schema, self.kind());
        let sql = |conditions: &Conditions| {
            format!(
                "SELECT id, ({distance})::real, number FROM passages WHERE near IS NOT NULL{} \
                 ORDER BY {distance} LIMIT $2",
                conditions.sql
            )
        };
        let shared = Conditions::of(filter, Some(vec![String::new()]), 3);
        // What passes a filter may be far from the nearest of all: then every one is compared.
        let how = if *filter == Filter::default() {
            format!("hnsw.ef_search = {}", limit.clamp(*LOOKED_AT.start(), *LOOKED_AT.end()))
        } else {
            "enable_indexscan = off".to_owned()
        };
        client.batch_execute(&format!("BEGIN; SET LOCAL {how}")).await.map_err(of)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let vector = written(vector);
        let mut rows = client.query(&sql(&shared), &shared.with(&[&vector, &limit])).await.map_err(of)?;
        client.batch_execute("COMMIT").await.map_err(of)?;
        // These are few, and compared one by one.
        let labels = reach.labels().unwrap_or_default();
        if !labels.is_empty() {
            let private = Conditions::of(filter, Some(labels), 3);
            rows.extend(client.query(&sql(&private), &private.with(&[&vector, &limit])).await.map_err(of)?);
        }
        let mut found: Vec<(f32, i64, String)> =
            rows.iter().map(|row| (-row.get::<_, f32>(1), row.get(2), row.get(0))).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(found.into_iter().map(|(score, _, id)| Scored { id, score }).collect())
    }
}

/// A vector as the extension reads it.
pub(super) fn written(vector: &[f32]) -> String {
    let numbers = vector.iter().map(|number| if number.is_finite() { *number } else { 0.0 });
    format!("[{}]", numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(","))
}
