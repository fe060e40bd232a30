//! Threads in several databases.

mod catalog;
mod keys;
mod map;
mod memories;
mod merge;
mod runs;
mod shard;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use async_trait::async_trait;
use duru::store::{
    Checkpoints, Commit, Error, Head, LogPosition, LogUpdate, Row, RowQuery, Seq, Snapshot, ThreadSummary,
    Timer,
};
use duru::{Namespace, ThreadId};
use futures_util::future::join_all;

use map::BucketMap;
use merge::merged;
pub use shard::Backend;
use shard::{Asked, Open, Shard};

use crate::{PostgresOptions, PostgresStore};

/// Threads in several databases, each with its runs, its log and its entry in one
/// of them: what is one transaction in one database is one here. Which thread is
/// where follows from its name and a map that the home keeps; whatever belongs to
/// no thread (assistants, crons, keys, memory across threads) is in the home.
///
/// A database that is away takes nobody along: calls about its threads fail and
/// say so, and workers go on with what is elsewhere. Lists of all threads or runs
/// are an error then. They would be wrong, and whoever erases or counts by them
/// would never know.
///
/// Runs are claimed in the order of their acceptance within a database, not across them.
pub struct ShardedStore {
    shards: Vec<Arc<Shard>>,
    home: usize,
    /// The shard of each bucket.
    buckets: Vec<usize>,
    /// Who comes first at the next claim.
    turn: AtomicUsize,
    /// How many keys were written down, see [`keys`].
    keys: AtomicU64,
}

impl ShardedStore {
    /// Opens databases by their names and URLs. The home must be there; others may come later.
    ///
    /// ```no_run
    /// use std::collections::BTreeMap;
    /// use duru_store::ShardedStore;
    ///
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// let databases = BTreeMap::from([
    ///     ("north".to_owned(), "postgres://db-1/duru".to_owned()),
    ///     ("south".to_owned(), "postgres://db-2/duru".to_owned()),
    /// ]);
    /// let store = ShardedStore::connect("north", &databases).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn connect(home: &str, databases: &BTreeMap<String, String>) -> Result<Self, Error> {
        Self::connect_with(home, databases, PostgresOptions::default()).await
    }

    /// The same in another way than the usual.
    pub async fn connect_with(
        home: &str,
        databases: &BTreeMap<String, String>,
        options: PostgresOptions,
    ) -> Result<Self, Error> {
        let connect = |url: &String| -> Open {
            let (url, options) = (url.clone(), options.clone());
            Box::new(move || {
                let (url, options) = (url.clone(), options.clone());
                Box::pin(async move {
                    Ok(Arc::new(PostgresStore::connect_with(&url, options).await?) as Arc<dyn Backend>)
                })
            })
        };
        Self::open(home, databases.iter().map(|(name, url)| (name.as_str(), connect(url))).collect()).await
    }

    /// Over stores that are open.
    pub async fn over(home: &str, stores: Vec<(&str, Arc<dyn Backend>)>) -> Result<Self, Error> {
        let opened = |store: Arc<dyn Backend>| -> Open {
            Box::new(move || {
                let store = store.clone();
                Box::pin(async move { Ok(store) })
            })
        };
        Self::open(home, stores.into_iter().map(|(name, store)| (name, opened(store))).collect()).await
    }

    async fn open(home: &str, places: Vec<(&str, Open)>) -> Result<Self, Error> {
        let names = checked(home, &places)?;
        let mut openings: BTreeMap<&str, Open> = places.into_iter().collect();
        let refused = || Error::backend("open the shards", format!("there is no shard {home:?}"));
        let home_open = openings.remove(home).ok_or_else(refused)?;
        let home_store = home_open().await?;
        let map = Arc::new(BucketMap::of(&*home_store, home, &names).await?);
        map.recognise(&*home_store, home, true).await?;
        let opened: Open = Box::new(move || {
            let store = home_store.clone();
            Box::pin(async move { Ok(store) })
        });
        let mut shards = vec![Shard::new(home, Some(opened))];
        for (name, open) in openings {
            shards.push(Shard::new(name, Some(recognised(open, map.clone(), name.to_owned()))));
        }
        // What the map names and nobody has said how to reach.
        for name in map.names() {
            if !shards.iter().any(|shard| shard.name == *name) {
                shards.push(Shard::new(name, None));
            }
        }
        for started in join_all(shards.iter().map(Shard::start)).await {
            match started {
                Ok(()) => {}
                Err(Error::Backend { action, .. }) if !action.starts_with(map::OPEN) => {}
                // Not away, but wrong: nothing that time could mend.
                Err(error) => return Err(error),
            }
        }
        let place = |bucket| shards.iter().position(|shard| shard.name == *map.name_of(bucket)).unwrap_or(0);
        let buckets = (0..ThreadId::BUCKETS).map(place).collect();
        Ok(Self { shards, home: 0, buckets, turn: AtomicUsize::new(0), keys: AtomicU64::new(0) })
    }

    /// The names of all databases, and why each can't be asked, where that is so.
    pub fn shards(&self) -> Vec<(Arc<str>, Option<String>)> {
        self.shards.iter().map(|shard| (shard.name.clone(), shard.trouble())).collect()
    }

    /// The name of the database that has a thread.
    pub fn shard_of(&self, thread: &ThreadId) -> &str {
        &self.of(thread).name
    }

    fn of(&self, thread: &ThreadId) -> &Arc<Shard> {
        &self.shards[self.buckets[usize::from(thread.bucket())]]
    }

    fn home(&self) -> &Arc<Shard> {
        &self.shards[self.home]
    }

    /// Asks all of them at once.
    async fn ask_all<'a, T>(
        &'a self,
        ask: impl Fn(&'a dyn Backend) -> Asked<'a, T>,
    ) -> Vec<Result<T, Error>> {
        join_all(self.shards.iter().map(|shard| shard.ask_soon(&ask))).await
    }

    /// What all of them say; an error if one does not answer.
    async fn all<'a, T>(&'a self, ask: impl Fn(&'a dyn Backend) -> Asked<'a, T>) -> Result<Vec<T>, Error> {
        self.ask_all(ask).await.into_iter().collect()
    }

    /// What those say that answer; an error if none does.
    async fn present<'a, T>(
        &'a self,
        ask: impl Fn(&'a dyn Backend) -> Asked<'a, T>,
    ) -> Result<Vec<T>, Error> {
        answers(self.ask_all(ask).await)
    }
}

/// What those say that answer; an error if none does.
fn answers<T>(all: Vec<Result<T, Error>>) -> Result<Vec<T>, Error> {
    let (mut said, mut failed) = (Vec::new(), None);
    for answer in all {
        match answer {
            Ok(answer) => said.push(answer),
            Err(error) => failed = Some(error),
        }
    }
    match failed {
        Some(error) if said.is_empty() => Err(error),
        _ => Ok(said),
    }
}

/// Opens a place, and looks whether it is the right one.
fn recognised(open: Open, map: Arc<BucketMap>, name: String) -> Open {
    let open = Arc::new(open);
    Box::new(move || {
        let (open, map, name) = (open.clone(), map.clone(), name.clone());
        Box::pin(async move {
            let store = open().await?;
            map.recognise(&*store, &name, false).await?;
            Ok(store)
        })
    })
}

/// The names in order, if they can be names and no two are alike.
fn checked(home: &str, places: &[(&str, Open)]) -> Result<Vec<Arc<str>>, Error> {
    let refused = |why: String| Err(Error::backend("open the shards", why));
    let mut names: Vec<Arc<str>> = places.iter().map(|(name, _)| (*name).into()).collect();
    names.sort();
    for name in &names {
        let fine = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 63 || !name.chars().all(fine) {
            return refused(format!("{name:?} is no name: use letters, digits, - and _"));
        }
    }
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return refused(format!("{:?} is there twice", twice[0]));
    }
    if !names.iter().any(|name| **name == *home) {
        return refused(format!("the home {home:?} is not one of them"));
    }
    Ok(names)
}

#[async_trait]
impl Checkpoints for ShardedStore {
    fn place(&self, thread: &ThreadId) -> usize {
        self.buckets[usize::from(thread.bucket())]
    }

    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.of(thread).ask(|store| store.head(thread)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        self.of(&commit.thread).ask(|store| store.commit(commit)).await
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.of(thread).ask(|store| store.rows(thread, query)).await
    }

    async fn updates_since(&self, known: &[LogPosition]) -> Result<Vec<LogUpdate>, Error> {
        let mut parts: BTreeMap<usize, Vec<LogPosition>> = BTreeMap::new();
        for position in known {
            parts.entry(self.place(&position.thread)).or_default().push(position.clone());
        }
        let asked = parts.iter().map(|(n, part)| self.shards[*n].ask_soon(|store| store.updates_since(part)));
        let updates: Vec<_> = join_all(asked).await.into_iter().collect::<Result<_, _>>()?;
        Ok(updates.into_iter().flatten().collect())
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.of(thread).ask(|store| store.snapshot(thread, ns, until)).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        let lists = self.present(|store| store.due(now_ms, after, limit)).await?;
        Ok(merged(lists, 0, limit, |a, b| {
            (a.at_ms, &a.thread, a.interrupt).cmp(&(b.at_ms, &b.thread, b.interrupt))
        }))
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        let most = offset.saturating_add(limit);
        let lists = self.all(|store| store.threads(0, most)).await?;
        Ok(merged(lists, offset, limit, |a, b| {
            (b.head.updated_ms, &a.thread).cmp(&(a.head.updated_ms, &b.thread))
        }))
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.of(thread).ask(|store| store.delete(thread)).await
    }
}
