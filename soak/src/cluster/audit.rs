//! What the databases hold in the end, row by row.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;
use duru::ThreadId;
use duru::store::{Checkpoints, RowQuery};
use duru_store::{PostgresStore, ShardedStore};

use super::nodes::{Cluster, database_url};
use crate::audit::Findings;

/// So many threads are listed at once.
const PAGE: usize = 1_000;

/// The rows of all threads that clients made: each has its checksum and its number, each checkpoint extends the one
/// before it, and each thread is in one database alone.
pub(super) async fn rows(cluster: &Cluster, threads: &[String]) -> Result<(u64, Findings)> {
    let mut findings = Findings::default();
    let urls: BTreeMap<String, String> = (0..)
        .zip(&cluster.databases)
        .map(|(number, database)| (format!("s{number}"), database_url(database)))
        .collect();
    let store = ShardedStore::connect("s0", &urls).await?;
    let mut count = 0;
    for thread in threads {
        let id = ThreadId::new(thread)?;
        let rows = store.rows(&id, RowQuery::default()).await?;
        for row in &rows {
            if let Err(error) = row.verify(&id) {
                findings.wrong += 1;
                findings.told.push(format!("{thread}: {error}"));
            }
        }
        let end = store.head(&id).await?.map_or(0, |head| head.next_seq);
        if rows.last().map_or(0, |row| row.end()) != end {
            findings.lost += 1;
            findings.told.push(format!("{thread}: its rows end before {end}"));
        }
        findings.chain(thread, &rows);
        count += rows.len() as u64;
    }
    let mut places: HashMap<String, u64> = HashMap::new();
    for url in urls.values() {
        let store = PostgresStore::connect(url).await?;
        let mut offset = 0;
        loop {
            let page = store.threads(offset, PAGE).await?;
            page.iter().for_each(|summary| *places.entry(summary.thread.to_string()).or_default() += 1);
            offset += page.len();
            if page.len() < PAGE {
                break;
            }
        }
    }
    for (thread, _) in places.iter().filter(|(_, count)| **count > 1) {
        findings.forks += 1;
        findings.told.push(format!("{thread} is in more than one database"));
    }
    Ok((count, findings))
}
