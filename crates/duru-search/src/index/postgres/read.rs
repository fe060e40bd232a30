//! Finding passages, by words and by vectors.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};

use super::connection::of;
use super::counts::{Asked, PLACES, pair, rarity, score, word};
use crate::access::Reach;
use crate::document::{Chunk, Document};
use crate::index::packed::Matrix;
use crate::index::{Error, Filter, Query, Scored, Within};
use crate::remark::{Remark, RemarksOf};

/// Passages with the rarest terms of a question are scored, about so many.
const CANDIDATES: u64 = 4_000;

/// And never more than so many.
const MOST: i64 = 20_000;

/// Even common terms are looked for, if the question has no others.
const LEAST_TERMS: usize = 3;

/// A filter as conditions, numbered from `first` on.
pub(super) struct Conditions {
    pub(super) sql: String,
    values: Vec<Box<dyn ToSql + Send + Sync>>,
}

impl Conditions {
    /// For these labels, or for all where there are none.
    pub(super) fn of(filter: &Filter, labels: Option<Vec<String>>, first: usize) -> Self {
        let mut all = Self { sql: String::new(), values: Vec::new() };
        let wanted = [
            ("collection", &filter.collection),
            ("source", &filter.source),
            ("category", &filter.category),
            ("article", &filter.article),
        ];
        let mut number = first;
        match labels {
            // So written out, an index of what is shared can be used.
            Some(labels) if labels.iter().all(String::is_empty) => all.sql.push_str(" AND access = ''"),
            Some(labels) => {
                all.sql.push_str(&format!(" AND access = ANY(${number})"));
                all.values.push(Box::new(labels));
                number += 1;
            }
            None => {}
        }
        for (column, value) in wanted {
            if let Some(value) = value {
                all.sql.push_str(&format!(" AND {column} = ${number}"));
                all.values.push(Box::new(value.clone()));
                number += 1;
            }
        }
        if let Some(title) = &filter.title {
            // A decree's own name stands for the decree alone.
            all.sql.push_str(&format!(" AND (family = ${number} OR title = ${number})"));
            all.values.push(Box::new(title.clone()));
            number += 1;
        }
        if !filter.within.is_empty() {
            let (mut documents, mut titles) = (Vec::new(), Vec::new());
            for place in &filter.within {
                match place {
                    // A document's id is made of its collection's name, too.
                    Within::Document { id, .. } => documents.push(id.clone()),
                    Within::Title(title) => titles.push(title.clone()),
                }
            }
            let (ids, names) = (number, number + 1);
            all.sql.push_str(&format!(
                " AND (document = ANY(${ids}) OR family = ANY(${names}) OR title = ANY(${names}))"
            ));
            all.values.push(Box::new(documents));
            all.values.push(Box::new(titles));
            number += 2;
        }
        if let Some(pages) = &filter.pages {
            all.sql.push_str(&format!(
                " AND EXISTS (SELECT FROM unnest(pages) AS one (page) WHERE one.page BETWEEN ${number} AND ${})",
                number + 1
            ));
            all.values.push(Box::new(i64::from(*pages.start())));
            all.values.push(Box::new(i64::from(*pages.end())));
        }
        all
    }

    pub(super) fn with<'a>(&'a self, before: &[&'a (dyn ToSql + Sync)]) -> Vec<&'a (dyn ToSql + Sync)> {
        let own = self.values.iter().map(|value| -> &(dyn ToSql + Sync) { &**value });
        before.iter().copied().chain(own).collect()
    }
}

pub(super) async fn by_words(
    client: &Client,
    query: &Query,
    (filter, reach): (&Filter, &Reach),
    limit: usize,
) -> Result<Vec<Scored>, Error> {
    let mut weights: HashMap<String, f32> = HashMap::new();
    let words = query.words.iter().map(|item| (word(&item.term), item.weight));
    for (term, weight) in words.chain(query.pairs.iter().map(|item| (pair(&item.term), item.weight))) {
        let known = weights.entry(term).or_default();
        *known = known.max(weight);
    }
    let (total, usual) = usual(client).await?;
    let terms: Vec<&str> = weights.keys().map(String::as_str).collect();
    let select = "SELECT id, term, passages FROM terms WHERE term = ANY($1)";
    let mut known: Vec<(i32, String, u64)> = client
        .query(select, &[&terms])
        .await
        .map_err(of)?
        .iter()
        .map(|row| (row.get(0), row.get(1), row.get::<_, i64>(2).unsigned_abs()))
        // A term of nothing that is shared finds nothing there.
        .filter(|(_, _, passages)| *passages > 0 || *reach != Reach::Shared)
        .collect();
    known.sort_by_key(|(id, _, passages)| (*passages, *id));
    let asked: Vec<Asked> = known
        .iter()
        .map(|(id, term, with)| Asked {
            id: *id,
            weight: weights[term.as_str()],
            rarity: rarity(total, *with),
        })
        .collect();
    let rare = looked_for(&known.iter().map(|(id, _, passages)| (*id, *passages)).collect::<Vec<_>>());
    let conditions = Conditions::of(filter, in_reach(reach), 3);
    let sql = format!("SELECT id, counts FROM passages WHERE words && $1{} LIMIT $2", conditions.sql);
    let rows = client.query(&sql, &conditions.with(&[&rare, &MOST])).await.map_err(of)?;
    let mut scores: HashMap<String, f32> = HashMap::new();
    for row in rows {
        *scores.entry(row.get(0)).or_default() += score(row.get(1), &asked, &usual);
    }
    let mut best: Vec<Scored> = scores.into_iter().map(|(id, score)| Scored { id, score }).collect();
    best.retain(|scored| scored.score > 0.0);
    best.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    best.truncate(limit);
    Ok(best)
}

/// The terms by whose passages candidates are found, of all that are asked for and the number of shared passages with each,
/// the rarest first. What only private passages have is looked for besides and takes no other term's place: which shared
/// passages are found does not depend on what somebody keeps for themselves.
fn looked_for(known: &[(i32, u64)]) -> Vec<i32> {
    let (shared, private): (Vec<_>, Vec<_>) = known.iter().partition(|(_, passages)| *passages > 0);
    let mut all: Vec<i32> = private.into_iter().map(|(id, _)| id).collect();
    let mut reached = 0;
    for (count, (id, passages)) in shared.into_iter().enumerate() {
        if count >= LEAST_TERMS && reached + passages > CANDIDATES {
            break;
        }
        reached += passages;
        all.push(id);
    }
    all
}

/// How many passages there are, and the mean length of each place.
async fn usual(client: &Client) -> Result<(u64, [f32; PLACES]), Error> {
    let row = client.query_one("SELECT passages, lengths FROM meta", &[]).await.map_err(of)?;
    let (passages, sums): (i64, Vec<i64>) = (row.get(0), row.get(1));
    let mut usual = [0.0; PLACES];
    for (mean, sum) in usual.iter_mut().zip(sums) {
        *mean = sum as f32 / passages.max(1) as f32;
    }
    Ok((passages.unsigned_abs(), usual))
}

/// The labels of what is in reach, that of what is shared among them; none where everything is.
pub(super) fn in_reach(reach: &Reach) -> Option<Vec<String>> {
    Some([String::new()].into_iter().chain(reach.labels()?).collect())
}

/// Passages that are not shared, and in reach: their number is counted when it is asked for, and never kept.
const PRIVATE: &str = "access <> '' AND ($1::text[] IS NULL OR access = ANY($1))";

pub(super) async fn frequencies(
    client: &Client,
    reach: &Reach,
    pairs: &[String],
) -> Result<(u64, Vec<u64>), Error> {
    let (mut total, _) = usual(client).await?;
    let terms: Vec<String> = pairs.iter().map(|term| pair(term)).collect();
    let select = "SELECT term, passages FROM terms WHERE term = ANY($1)";
    let rows = client.query(select, &[&terms]).await.map_err(of)?;
    let mut found: HashMap<String, u64> =
        rows.iter().map(|row| (row.get(0), row.get::<_, i64>(1).unsigned_abs())).collect();
    if *reach != Reach::Shared {
        let labels = reach.labels();
        let count = format!("SELECT count(*) FROM passages WHERE {PRIVATE}");
        let row = client.query_one(&count, &[&labels]).await.map_err(of)?;
        total += row.get::<_, i64>(0).unsigned_abs();
        let count = format!(
            "SELECT terms.term, count(*) FROM passages JOIN terms ON terms.id = ANY(passages.words) \
             WHERE {PRIVATE} AND terms.term = ANY($2) GROUP BY terms.term"
        );
        for row in client.query(&count, &[&labels, &terms]).await.map_err(of)? {
            *found.entry(row.get(0)).or_default() += row.get::<_, i64>(1).unsigned_abs();
        }
    }
    Ok((total, terms.iter().map(|term| found.get(term).copied().unwrap_or(0)).collect()))
}

/// Every vector, as it was at some version, by the passages' numbers.
pub(super) struct Vectors {
    pub(super) version: i64,
    numbers: Vec<i64>,
    matrix: Matrix,
}

pub(super) async fn version(client: &Client) -> Result<i64, Error> {
    Ok(client.query_one("SELECT version FROM meta", &[]).await.map_err(of)?.get(0))
}

pub(super) async fn vectors(client: &Client) -> Result<Vectors, Error> {
    // Whatever is written between the two is read again next time: the version is the older one.
    let version = version(client).await?;
    let rows = client.query("SELECT number, vector FROM passages ORDER BY number", &[]).await.map_err(of)?;
    let mut vectors = Vectors { version, numbers: Vec::new(), matrix: Matrix::default() };
    for row in rows {
        let at = u32::try_from(vectors.numbers.len()).unwrap_or(u32::MAX);
        vectors.matrix.push(at, row.get(1))?;
        vectors.numbers.push(row.get(0));
    }
    Ok(vectors)
}

pub(super) async fn by_vector(
    client: &Client,
    vectors: &Arc<Vectors>,
    vector: &[f32],
    (filter, reach, limit): (&Filter, &Reach, usize),
) -> Result<Vec<Scored>, Error> {
    let mut hidden: HashSet<i64> = HashSet::new();
    let allowed: Option<HashSet<i64>> = if *filter == Filter::default() {
        if let Some(labels) = reach.labels() {
            let sql = "SELECT number FROM passages WHERE access <> '' AND access <> ALL($1)";
            let rows = client.query(sql, &[&labels]).await.map_err(of)?;
            hidden.extend(rows.iter().map(|row| row.get::<_, i64>(0)));
        }
        None
    } else {
        let conditions = Conditions::of(filter, in_reach(reach), 1);
        let sql = format!("SELECT number FROM passages WHERE true{}", conditions.sql);
        let rows = client.query(&sql, &conditions.with(&[])).await.map_err(of)?;
        Some(rows.iter().map(|row| row.get(0)).collect())
    };
    let mut best: Vec<(f32, i64)> = Vec::new();
    vectors.matrix.scan(vector, |at, score| {
        let Some(number) = vectors.numbers.get(at as usize) else { return };
        if !hidden.contains(number) && allowed.as_ref().is_none_or(|allowed| allowed.contains(number)) {
            best.push((score, *number));
        }
    })?;
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    best.truncate(limit);
    let numbers: Vec<i64> = best.iter().map(|(_, number)| *number).collect();
    let rows = client
        .query("SELECT number, id FROM passages WHERE number = ANY($1)", &[&numbers])
        .await
        .map_err(of)?;
    let ids: HashMap<i64, String> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    // One that was removed meanwhile is gone.
    let found =
        best.into_iter().filter_map(|(score, number)| Some(Scored { id: ids.get(&number)?.clone(), score }));
    Ok(found.collect())
}

/// Rows that are in reach, where that is the first value.
const REACHED: &str = "($1::text[] IS NULL OR access = ANY($1))";

pub(super) async fn documents(
    client: &Client,
    reach: &Reach,
    collection: Option<&str>,
) -> Result<Vec<Document>, Error> {
    let sql =
        format!("SELECT record FROM documents WHERE {REACHED} AND ($2::text IS NULL OR collection = $2)");
    let rows = client.query(&sql, &[&in_reach(reach), &collection]).await.map_err(of)?;
    let mut found = rows.iter().map(record).collect::<Result<Vec<Document>, _>>()?;
    found.sort_by(|a, b| (&a.collection, &a.source).cmp(&(&b.collection, &b.source)));
    Ok(found)
}

pub(super) async fn passages(client: &Client, reach: &Reach, document: &str) -> Result<Vec<Chunk>, Error> {
    let sql =
        format!("SELECT record FROM passages WHERE {REACHED} AND document = $2 ORDER BY collection, place");
    let rows = client.query(&sql, &[&in_reach(reach), &document]).await.map_err(of)?;
    rows.iter().map(record).collect()
}

pub(super) async fn chunks(client: &Client, reach: &Reach, ids: &[String]) -> Result<Vec<Chunk>, Error> {
    let mut found: HashMap<String, Chunk> = HashMap::new();
    let sql = format!("SELECT record FROM passages WHERE {REACHED} AND id = ANY($2)");
    for row in client.query(&sql, &[&in_reach(reach), &ids]).await.map_err(of)? {
        let chunk: Chunk = record(&row)?;
        found.insert(chunk.id.clone(), chunk);
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

pub(super) async fn remarks(client: &Client, which: &RemarksOf) -> Result<Vec<Remark>, Error> {
    let (condition, value) = match which {
        RemarksOf::Everybody => ("$1::text IS NULL", None),
        RemarksOf::Viewer(viewer) => ("accepted OR (author = $1 AND author <> '')", viewer.as_ref()),
        RemarksOf::Author(author) => ("author = $1", Some(author)),
        RemarksOf::Passage(chunk) => ("chunk = $1", Some(chunk)),
        RemarksOf::Id(id) => ("id = $1", Some(id)),
    };
    let sql = format!("SELECT record FROM remarks WHERE {condition} ORDER BY at_ms DESC, id");
    client.query(&sql, &[&value]).await.map_err(of)?.iter().map(record).collect()
}

fn record<T: for<'a> serde::Deserialize<'a>>(row: &Row) -> Result<T, Error> {
    Ok(serde_json::from_str(row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_keep_for_themselves_takes_no_place_among_the_terms_that_are_looked_for() {
        let shared: Vec<(i32, u64)> = (1..=6).map(|id| (id, 3_000)).collect();
        let alone = looked_for(&shared);
        assert_eq!(alone, [1, 2, 3]);
        let mut both: Vec<(i32, u64)> = (10..20).map(|id| (id, 0)).collect();
        both.extend(&shared);
        let found = looked_for(&both);
        assert!(alone.iter().all(|id| found.contains(id)), "{found:?}");
        assert_eq!(found.len(), alone.len() + 10);
    }
}
