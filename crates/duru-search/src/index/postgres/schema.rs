//! The tables, and when they are made anew.

use tokio_postgres::Client;

use super::connection::of;
use crate::document::{Chunk, Document};
use crate::index::seam::has_no_meaning;
use crate::index::{Error, Passage, Write, packed};
use crate::remark::Remark;
use crate::text::Lexicon;

/// The form of the tables. A change of them, or of how text falls into terms, raises it; what an older program wrote is
/// then written again from its records.
const FORMAT: i32 = 5;

/// Held while anything is made or changed, so that counts stay right.
pub(super) const LOCK: i64 = 0x6475_7275_7365_6172;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS meta (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    format integer NOT NULL, embedder text NOT NULL, lexicon text NOT NULL,
    version bigint NOT NULL DEFAULT 0, passages bigint NOT NULL DEFAULT 0,
    lengths bigint[] NOT NULL DEFAULT '{0,0,0,0,0,0}');
CREATE TABLE IF NOT EXISTS documents (
    collection text NOT NULL, id text NOT NULL, source text NOT NULL, record text NOT NULL,
    access text NOT NULL DEFAULT '',
    PRIMARY KEY (collection, id));
CREATE TABLE IF NOT EXISTS terms (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, term text NOT NULL UNIQUE, passages bigint NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS passages (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    collection text NOT NULL, document text NOT NULL, id text NOT NULL, place integer NOT NULL,
    source text NOT NULL, category text, title text NOT NULL, family text NOT NULL, article text, pages bigint[],
    words integer[] NOT NULL, counts bytea NOT NULL, vector bytea NOT NULL, record text NOT NULL,
    access text NOT NULL DEFAULT '');
CREATE INDEX IF NOT EXISTS passages_words ON passages USING gin (words);
CREATE INDEX IF NOT EXISTS passages_id ON passages (id);
CREATE INDEX IF NOT EXISTS passages_document ON passages (collection, document);
CREATE TABLE IF NOT EXISTS remarks (
    id text PRIMARY KEY, chunk text NOT NULL, author text NOT NULL, at_ms bigint NOT NULL, accepted boolean NOT NULL,
    record text NOT NULL);
CREATE INDEX IF NOT EXISTS remarks_chunk ON remarks (chunk);
CREATE INDEX IF NOT EXISTS remarks_author ON remarks (author);
CREATE INDEX IF NOT EXISTS remarks_accepted ON remarks (accepted) WHERE accepted;
";

/// Until the fourth format everything was shared, and stood among the neighbours.
const SHARED_UNTIL_NOW: &str = "
ALTER TABLE documents ADD COLUMN IF NOT EXISTS access text NOT NULL DEFAULT '';
ALTER TABLE passages ADD COLUMN IF NOT EXISTS access text NOT NULL DEFAULT '';
ALTER TABLE passages DROP COLUMN IF EXISTS near;
";

/// Until the fifth only the page was a column on which a passage began, and the others were looked for in its record.
const FIRST_PAGE_UNTIL_NOW: &str = "
ALTER TABLE passages ADD COLUMN IF NOT EXISTS pages bigint[];
ALTER TABLE passages DROP COLUMN IF EXISTS page;
";

const PRIVATE: &str = "CREATE INDEX IF NOT EXISTS passages_private ON passages (access) WHERE access <> ''";

/// What has to be done before the index can be used.
pub(super) enum Found {
    Ready,
    /// Everything there was, to be written again; the tables are empty.
    Stale(Vec<Write>),
}

/// Makes the tables if there are none. Runs inside of a transaction that holds the lock.
pub(super) async fn prepare(
    client: &Client,
    schema: &str,
    embedder: &str,
    lexicon: &Lexicon,
) -> Result<Found, Error> {
    client.batch_execute(&format!("CREATE SCHEMA IF NOT EXISTS {schema}; {TABLES}")).await.map_err(of)?;
    let ours = lexicon.fingerprint().to_string();
    let insert = "INSERT INTO meta (format, embedder, lexicon) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    client.execute(insert, &[&FORMAT, &embedder, &ours]).await.map_err(of)?;
    let row = client.query_one("SELECT format, embedder, lexicon FROM meta", &[]).await.map_err(of)?;
    let (format, theirs, lexicon): (i32, String, String) = (row.get(0), row.get(1), row.get(2));
    if format > FORMAT {
        return Err(Error::Newer { folder: schema.into(), format: format.unsigned_abs() });
    }
    if format < 4 {
        client.batch_execute(SHARED_UNTIL_NOW).await.map_err(of)?;
    }
    if format < 5 {
        client.batch_execute(FIRST_PAGE_UNTIL_NOW).await.map_err(of)?;
    }
    client.batch_execute(PRIVATE).await.map_err(of)?;
    let without_meaning = has_no_meaning(&theirs, embedder);
    if theirs != embedder && !without_meaning {
        return Err(Error::OtherEmbedder { ours: embedder.to_owned(), theirs });
    }
    if format == FORMAT && lexicon == ours && !without_meaning {
        return Ok(Found::Ready);
    }
    let mut writes = everything(client).await?;
    if without_meaning {
        writes.iter_mut().for_each(Write::forget_vectors);
    }
    let again = "TRUNCATE documents, terms, passages, remarks; DROP TABLE IF EXISTS feedback";
    client.batch_execute(again).await.map_err(of)?;
    let mark =
        "UPDATE meta SET format = $1, lexicon = $2, embedder = $3, passages = 0, lengths = '{0,0,0,0,0,0}'";
    client.execute(mark, &[&FORMAT, &ours, &embedder]).await.map_err(of)?;
    Ok(Found::Stale(writes))
}

/// Records and vectors have had their names since the first format.
async fn everything(client: &Client) -> Result<Vec<Write>, Error> {
    let mut writes = Vec::new();
    for row in client.query("SELECT record FROM documents", &[]).await.map_err(of)? {
        let document: Document = serde_json::from_str(row.get(0))?;
        let select =
            "SELECT record, vector FROM passages WHERE collection = $1 AND document = $2 ORDER BY place";
        let rows = client.query(select, &[&document.collection, &document.id]).await.map_err(of)?;
        let passage = |row: tokio_postgres::Row| -> Result<Passage, Error> {
            let chunk: Chunk = serde_json::from_str(row.get(0))?;
            Ok(Passage { chunk, vector: packed::unpack(row.get(1)) })
        };
        let passages = rows.into_iter().map(passage).collect::<Result<_, _>>()?;
        writes.push(Write::Put { document, passages });
    }
    let chunks: Vec<&Chunk> = writes
        .iter()
        .flat_map(|write| match write {
            Write::Put { passages, .. } => passages.as_slice(),
            _ => &[],
        })
        .map(|passage| &passage.chunk)
        .collect();
    // Until the third format, whatever was said stood in a table of another name.
    let older = client.query_one("SELECT to_regclass('feedback') IS NOT NULL", &[]).await.map_err(of)?;
    let table = if older.get(0) { "feedback" } else { "remarks" };
    let mut remarks = Vec::new();
    for row in client.query(&format!("SELECT record FROM {table}"), &[]).await.map_err(of)? {
        let remark: Remark = serde_json::from_str(row.get(0))?;
        let is_meant = |chunk: &&&Chunk| chunk.id == remark.chunk && chunk.collection == remark.collection;
        let passage = chunks.iter().find(is_meant).copied();
        remarks.push(Write::Say(remark.brought_up(passage)));
    }
    writes.append(&mut remarks);
    Ok(writes)
}
