//! What there is of a person.

use duru::ThreadId;
use duru::memory::{Namespace, NamespaceQuery, Search};
use duru::store::{Entry, EntryKind, EntryQuery, Error, RunQuery, SortBy};
use duru::{Clock, SystemClock};
use serde::Serialize;
use serde_json::json;

use super::{People, Person};
use crate::scope::{OWNER, PEOPLE, place};

/// So many are read at once.
pub(super) const PAGE: usize = 200;

/// How many things there are of a person, or were before they were erased.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Holdings {
    /// Conversations, with their checkpoints and events.
    pub threads: u64,
    /// What was asked in them.
    pub runs: u64,
    /// Assistants that they made.
    pub assistants: u64,
    /// Runs that begin by themselves.
    pub crons: u64,
    /// What they keep in the store.
    pub items: u64,
    /// Keys to the server.
    pub keys: u64,
}

impl People {
    /// Counts what there is of a person.
    ///
    /// # Errors
    /// If a store can't be read.
    pub async fn holdings(&self, who: &Person) -> Result<Holdings, Error> {
        let mut found = Holdings::default();
        for entry in self.entries(who, EntryKind::Thread).await? {
            found.threads += 1;
            if let Ok(thread) = ThreadId::new(&entry.id) {
                let query = RunQuery { thread: Some(thread), ..RunQuery::default() };
                found.runs += self.stores.runs.runs(query).await?.len() as u64;
            }
        }
        found.threads += self.unlisted(who).await?.len() as u64;
        found.assistants = self.entries(who, EntryKind::Assistant).await?.len() as u64;
        found.crons = self.entries(who, EntryKind::Cron).await?.len() as u64;
        found.keys = self.keys(who).await?.len() as u64;
        for space in self.spaces(who).await? {
            found.items += self.items(&space).await?.len() as u64;
        }
        Ok(found)
    }

    /// Their entries of a kind. What comes with the program is nobody's to have.
    pub(super) async fn entries(&self, who: &Person, kind: EntryKind) -> Result<Vec<Entry>, Error> {
        let mut query = EntryQuery { sort: SortBy::Id, ascending: true, limit: PAGE, ..EntryQuery::of(kind) };
        if let Person::Named(name) = who {
            query.metadata.insert(OWNER.into(), json!(name));
        }
        let mut all = Vec::new();
        loop {
            let found = self.stores.catalog.find(query.clone()).await?;
            let last = found.entries.len() < PAGE;
            query.offset += found.entries.len();
            // Anybody can say of what is theirs that the system made it.
            let ours = |entry: &Entry| {
                *who == Person::Nobody && entry.metadata.get("created_by") == Some(&json!("system"))
            };
            let theirs = |entry: &Entry| who.has(entry) && !ours(entry);
            all.extend(found.entries.into_iter().filter(theirs));
            if last {
                return Ok(all);
            }
        }
    }

    /// Threads that no server made, such as those of a command: nobody's.
    pub(super) async fn unlisted(&self, who: &Person) -> Result<Vec<ThreadId>, Error> {
        let mut all = Vec::new();
        if *who != Person::Nobody {
            return Ok(all);
        }
        for page in 0.. {
            let threads = self.stores.checkpoints.threads(page * PAGE, PAGE).await?;
            let last = threads.len() < PAGE;
            for found in threads {
                if self.stores.catalog.entry(EntryKind::Thread, found.thread.as_str()).await?.is_none() {
                    all.push(found.thread);
                }
            }
            if last {
                break;
            }
        }
        Ok(all)
    }

    pub(super) async fn keys(&self, who: &Person) -> Result<Vec<Entry>, Error> {
        let Person::Named(name) = who else { return Ok(Vec::new()) };
        let query = EntryQuery { limit: 10_000, ..EntryQuery::of(EntryKind::Key) };
        let mut keys = self.stores.catalog.find(query).await?.entries;
        keys.retain(|key| key.label == *name);
        Ok(keys)
    }

    /// Where their items are.
    pub(super) async fn spaces(&self, who: &Person) -> Result<Vec<Namespace>, Error> {
        let ours = |label: &str| label.starts_with(PEOPLE) || OURS.contains(&label);
        match who {
            Person::Named(name) => Ok(Namespace::new(place(name)).ok().into_iter().collect()),
            Person::Nobody => {
                let query = NamespaceQuery { max_depth: Some(1), limit: 10_000, ..NamespaceQuery::default() };
                let mut all = self.stores.memories.namespaces(query, SystemClock.now_ms()).await?;
                all.retain(|space| space.labels().next().is_some_and(|label| !ours(label)));
                Ok(all)
            }
        }
    }

    /// The items of a namespace and of all within it.
    pub(super) async fn items(&self, space: &Namespace) -> Result<Vec<duru::memory::Item>, Error> {
        let mut all = Vec::new();
        for page in 0.. {
            let search =
                Search { within: space.clone(), limit: PAGE, offset: page * PAGE, ..Search::default() };
            let hits = self.stores.memories.search(search, SystemClock.now_ms()).await?;
            let last = hits.len() < PAGE;
            all.extend(hits.into_iter().map(|hit| hit.item));
            if last {
                break;
            }
        }
        Ok(all)
    }
}

/// What programs on these stores keep for themselves, each under a person's name where it is one's.
const OURS: [&str; 2] = ["advisor", "duru-doctor"];
