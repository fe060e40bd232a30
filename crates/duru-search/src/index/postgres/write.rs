//! Changes: each call is one transaction.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};

use super::connection::of;
use super::counts::{Counts, PLACES, lengths, of_family};
use super::nearest::{Nearest, written};
use super::schema::LOCK;
use crate::index::{Error, Passage, Write, packed};
use crate::remark::{Remark, RemarksOf};
use crate::text::Lexicon;

/// How the numbers that rarity and lengths are reckoned from change.
#[derive(Default)]
struct Change {
    passages: i64,
    lengths: [i64; PLACES],
    terms: BTreeMap<i32, i64>,
    /// Terms of passages that are gone.
    left: BTreeSet<i32>,
}

impl Change {
    fn add(&mut self, sign: i64, words: &[i32], counts: &[u8]) {
        self.passages += sign;
        for (sum, length) in self.lengths.iter_mut().zip(lengths(counts)) {
            *sum += sign * i64::from(length);
        }
        for id in words {
            *self.terms.entry(*id).or_default() += sign;
        }
    }
}

/// Begins a transaction that nobody else's changes come between.
pub(super) async fn begin(client: &Client) -> Result<(), Error> {
    let sql = format!("BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_advisory_xact_lock({LOCK})");
    client.batch_execute(&sql).await.map_err(of)
}

pub(super) async fn commit(client: &Client) -> Result<(), Error> {
    client.batch_execute("COMMIT").await.map_err(of)
}

/// All of these, within a transaction.
pub(super) async fn all(
    client: &Client,
    writes: &[Write],
    (lexicon, nearest): (&Lexicon, Option<&Nearest>),
) -> Result<(), Error> {
    let mut change = Change::default();
    let counted: Vec<Vec<Counts>> = writes.iter().map(|write| counts(write, lexicon)).collect();
    let numbers = numbers(client, &counted).await?;
    let number = |term: &str| numbers.get(term).copied().unwrap_or_default();
    let nearest = match (nearest, longest(writes)) {
        (Some(nearest), Some(length)) => {
            nearest.make(client, length).await?;
            Some(nearest)
        }
        _ => None,
    };
    let statement = client.prepare(&put_sql(nearest)).await.map_err(of)?;
    for (write, counted) in writes.iter().zip(&counted) {
        match write {
            Write::Put { document, passages } => {
                remove(client, &document.collection, &document.id, &mut change).await?;
                let access = plain(document.access.label());
                for (place, (passage, counts)) in passages.iter().zip(counted).enumerate() {
                    let (words, packed) = counts.pack(number);
                    put((client, &statement), passage, (place, &access), (&words, &packed)).await?;
                    if document.access.is_shared() {
                        change.add(1, &words, &packed);
                    }
                }
                let sql = "INSERT INTO documents (collection, id, source, record, access) VALUES ($1, $2, $3, $4, $5)";
                let record = plain(serde_json::to_string(document)?);
                let source = plain(document.source.clone());
                client
                    .execute(sql, &[&document.collection, &document.id, &source, &record, &access])
                    .await
                    .map_err(of)?;
            }
            Write::Remove { collection, document } => {
                remove(client, collection, document, &mut change).await?
            }
            Write::Say(remark) => say(client, remark).await?,
            Write::Judge { id, at_ms, standing } => {
                let known = super::read::remarks(client, &RemarksOf::Id(id.clone())).await?;
                for remark in known.into_iter().filter(|remark| remark.at_ms == *at_ms) {
                    say(client, &Remark { standing: standing.clone(), ..remark }).await?;
                }
            }
            Write::Withdraw { id } => {
                client.execute("DELETE FROM remarks WHERE id = $1", &[id]).await.map_err(of)?;
            }
            Write::Unsay { by } => {
                client.execute("DELETE FROM remarks WHERE author = $1", &[by]).await.map_err(of)?;
                for remark in super::read::remarks(client, &RemarksOf::Everybody).await? {
                    if remark.standing.by() == Some(by) {
                        let standing = remark.standing.clone().without_name();
                        say(client, &Remark { standing, ..remark }).await?;
                    }
                }
            }
        }
    }
    settle(client, &change).await
}

async fn say(client: &Client, remark: &Remark) -> Result<(), Error> {
    let sql = "INSERT INTO remarks (id, chunk, author, at_ms, accepted, record) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (id) DO UPDATE SET at_ms = $4, accepted = $5, record = $6";
    let at_ms = i64::try_from(remark.at_ms).unwrap_or(i64::MAX);
    let record = plain(serde_json::to_string(remark)?);
    let author = plain(remark.author.clone());
    client
        .execute(sql, &[&remark.id, &remark.chunk, &author, &at_ms, &remark.is_accepted(), &record])
        .await
        .map_err(of)?;
    Ok(())
}

fn counts(write: &Write, lexicon: &Lexicon) -> Vec<Counts> {
    match write {
        Write::Put { passages, .. } => {
            passages.iter().map(|passage| Counts::of_chunk(&passage.chunk, lexicon)).collect()
        }
        _ => Vec::new(),
    }
}

/// Terms by their numbers; those that are new get one.
async fn numbers(client: &Client, counted: &[Vec<Counts>]) -> Result<HashMap<String, i32>, Error> {
    let terms: BTreeSet<&str> =
        counted.iter().flatten().flat_map(|counts| counts.terms.keys()).map(String::as_str).collect();
    let terms: Vec<&str> = terms.into_iter().collect();
    let insert = "INSERT INTO terms (term) SELECT unnest($1::text[]) ON CONFLICT (term) DO NOTHING";
    client.execute(insert, &[&terms]).await.map_err(of)?;
    let rows =
        client.query("SELECT term, id FROM terms WHERE term = ANY($1)", &[&terms]).await.map_err(of)?;
    Ok(rows.into_iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// How long the vectors are; none if there are none.
fn longest(writes: &[Write]) -> Option<usize> {
    let passages = writes.iter().flat_map(|write| match write {
        Write::Put { passages, .. } => passages.as_slice(),
        _ => &[],
    });
    passages.map(|passage| passage.vector.len()).max().filter(|length| *length > 0)
}

const PUT: &str = "INSERT INTO passages (collection, document, id, place, source, category, title, family, article, \
     pages, words, counts, vector, record, access";

/// Without the extension there is no column `near`.
fn put_sql(nearest: Option<&Nearest>) -> String {
    let values = "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15";
    match nearest {
        Some(nearest) => format!("{PUT}, near) VALUES ({values}, $16::text::{})", nearest.kind()),
        None => format!("{PUT}) VALUES ({values})"),
    }
}

async fn put(
    (client, statement): (&Client, &Statement),
    passage: &Passage,
    (place, access): (usize, &String),
    (words, counts): (&[i32], &[u8]),
) -> Result<(), Error> {
    let chunk = &passage.chunk;
    let place = i32::try_from(place).unwrap_or(i32::MAX);
    let (source, title) = (plain(chunk.source.clone()), plain(chunk.title.clone()));
    let family = of_family(&title);
    let pages: Vec<i64> = chunk.pages().map(i64::from).collect();
    let vector = packed::pack(&passage.vector);
    let near = (!passage.vector.is_empty()).then(|| written(&passage.vector));
    let record = plain(serde_json::to_string(chunk)?);
    let all: [&(dyn ToSql + Sync); 16] = [
        &chunk.collection,
        &chunk.document,
        &chunk.id,
        &place,
        &source,
        &chunk.category,
        &title,
        &family,
        &chunk.article,
        &pages,
        &words,
        &counts,
        &vector,
        &record,
        access,
        &near,
    ];
    client.execute(statement, &all[..statement.params().len()]).await.map_err(of)?;
    Ok(())
}

async fn remove(client: &Client, collection: &str, document: &str, change: &mut Change) -> Result<(), Error> {
    let sql =
        "DELETE FROM passages WHERE collection = $1 AND document = $2 RETURNING words, counts, access = ''";
    for row in client.query(sql, &[&collection, &document]).await.map_err(of)? {
        let (words, counts): (Vec<i32>, Vec<u8>) = (row.get(0), row.get(1));
        change.left.extend(&words);
        // Of what is not shared nothing was counted.
        if row.get(2) {
            change.add(-1, &words, &counts);
        }
    }
    let sql = "DELETE FROM documents WHERE collection = $1 AND id = $2";
    client.execute(sql, &[&collection, &document]).await.map_err(of)?;
    Ok(())
}

async fn settle(client: &Client, change: &Change) -> Result<(), Error> {
    let (ids, sums): (Vec<i32>, Vec<i64>) = change.terms.iter().filter(|(_, sum)| **sum != 0).unzip();
    let sql = "UPDATE terms SET passages = terms.passages + changed.sum \
         FROM unnest($1::integer[], $2::bigint[]) AS changed (id, sum) WHERE terms.id = changed.id";
    client.execute(sql, &[&ids, &sums]).await.map_err(of)?;
    // A word that stands nowhere any more says what stood there.
    let left: Vec<i32> = change.left.iter().copied().collect();
    let sql = "DELETE FROM terms WHERE id = ANY($1) AND passages <= 0 \
         AND NOT EXISTS (SELECT FROM passages WHERE passages.words @> ARRAY[terms.id])";
    client.execute(sql, &[&left]).await.map_err(of)?;
    let sql = "UPDATE meta SET version = version + 1, passages = passages + $1, lengths = \
         ARRAY(SELECT old + new FROM unnest(lengths, $2::bigint[]) AS both_of (old, new))";
    let lengths: &[i64] = &change.lengths;
    client.execute(sql, &[&change.passages, &lengths]).await.map_err(of)?;
    Ok(())
}

/// PostgreSQL takes no NUL character in a text.
fn plain(text: String) -> String {
    if text.contains('\0') { text.replace('\0', " ") } else { text }
}
