//! SQLite's full text with BM25 over pairs of syllables: its own tokenisers find no noun inside of a compound.

use std::time::Instant;

use anyhow::Result;
use duru_search::text::bigrams;
use rusqlite::Connection;

use super::{BATCH, Measured, QUESTIONS, corpus, documents};
use crate::measure::Watch;
use crate::store::Folder;

/// As many as our searches look at.
const POOL: i64 = 80;

pub(super) fn measure(chunks: usize) -> Result<Measured> {
    let folder = Folder::new()?;
    let mut database = Connection::open(folder.path().join("fts.db"))?;
    database.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE VIRTUAL TABLE passages USING fts5 (id UNINDEXED, title, body, record UNINDEXED, tokenize = 'unicode61')",
    )?;
    let began = Instant::now();
    let mut all = documents(chunks).flatten().peekable();
    let mut written = 0;
    while all.peek().is_some() {
        let transaction = database.transaction()?;
        {
            let mut insert = transaction.prepare("INSERT INTO passages VALUES (?1, ?2, ?3, ?4)")?;
            for chunk in all.by_ref().take(BATCH) {
                let (title, body) = (bigrams(&chunk.title).join(" "), bigrams(&chunk.text).join(" "));
                insert.execute((&chunk.id, title, body, &chunk.text))?;
                written += 1;
            }
        }
        transaction.commit()?;
    }
    let chunks_per_s = f64::from(written) / began.elapsed().as_secs_f64();
    let mut select = database.prepare(
        "SELECT id, record FROM passages WHERE passages MATCH ?1 ORDER BY bm25(passages) LIMIT ?2",
    )?;
    let questions = corpus::questions(QUESTIONS);
    let mut samples = Vec::new();
    let mut ask = |question: &str| -> Result<f64> {
        let began = Instant::now();
        let terms: Vec<String> = bigrams(question).iter().map(|pair| format!("\"{pair}\"")).collect();
        let found = select.query_map((terms.join(" OR "), POOL), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?;
        anyhow::ensure!(found.collect::<Result<Vec<_>, _>>()?.len() > 1, "nothing was found for {question}");
        Ok(began.elapsed().as_secs_f64() * 1e3)
    };
    ask(&questions[0])?;
    let watch = Watch::start();
    for question in &questions {
        samples.push(ask(question)?);
    }
    let cpu_ms = watch.lap().cpu.as_secs_f64() * 1e3 / QUESTIONS as f64;
    let waits = samples.clone();
    Ok(Measured { samples, waits, index_mib: None, chunks_per_s, cpu_ms, ways: 1.0 })
}
