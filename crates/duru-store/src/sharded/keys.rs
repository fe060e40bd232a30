//! The names that callers give their requests, across databases.
//!
//! In one database an index sees to it that the same request is accepted once. A
//! request without a thread gets a new one each time it is sent, which may be in
//! another database each time: so the home remembers which thread a key was first
//! seen with, and whoever comes with it again is sent there.

use std::sync::atomic::Ordering;

use duru::ThreadId;
use duru::store::{
    Catalog, Checkpoints as _, Enqueued, Entry, EntryKind, EntryQuery, Error, Expect, NewRun, Put, SortBy,
};
use duru::{Clock, SystemClock};
use serde_json::Value;

use super::ShardedStore;
use crate::shared::corrupt;

/// How long the home remembers.
const REMEMBERED_MS: u64 = 7 * 86_400_000;
/// Those that are older are removed once in so many new ones, as many at a time.
const TIDY_EVERY: u64 = 256;

impl ShardedStore {
    /// Accepts a run that makes its thread, and that the caller may send again.
    pub(super) async fn enqueue_once(&self, mut new: NewRun, key: (String, u64)) -> Result<Enqueued, Error> {
        let (name, digest) = key;
        let id = format!("key {name}");
        let mut entry = Entry::new(EntryKind::Placement, &id);
        entry.status = format!("{digest:016x}");
        entry.body.insert("thread".into(), new.thread.as_str().into());
        entry.due_ms = Some(SystemClock.now_ms() + REMEMBERED_MS);
        let status = entry.status.clone();
        let first = match self.home().ask(|store| Catalog::put(store, entry, Expect::New)).await? {
            Put::Stored(_) => None,
            Put::Unexpected(first) => first,
        };
        let is_first = first.is_none();
        if let Some(first) = first {
            let thread =
                first.body.get("thread").and_then(Value::as_str).and_then(|name| ThreadId::new(name).ok());
            let thread =
                thread.ok_or_else(|| corrupt(format_args!("the key {name:?}"), "it names no thread"))?;
            if self.place(&thread) != self.place(&new.thread) {
                if first.status != status {
                    return Ok(Enqueued::KeyTaken);
                }
                // The same request, and its thread is of our choice: it is the first one's.
                new.thread = thread;
            }
        } else {
            self.tidy_keys().await?;
        }
        let enqueued = self.of(&new.thread).ask(|store| store.enqueue(new)).await?;
        // Nothing was accepted: the key is free.
        if is_first && matches!(enqueued, Enqueued::Busy | Enqueued::NoThread) {
            self.home().ask(|store| store.remove(EntryKind::Placement, &id)).await?;
        }
        Ok(enqueued)
    }

    async fn tidy_keys(&self) -> Result<(), Error> {
        if !self.keys.fetch_add(1, Ordering::Relaxed).is_multiple_of(TIDY_EVERY) {
            return Ok(());
        }
        let old = EntryQuery {
            due_by_ms: Some(SystemClock.now_ms()),
            sort: SortBy::Created,
            ascending: true,
            limit: TIDY_EVERY as usize * 2,
            ..EntryQuery::of(EntryKind::Placement)
        };
        let found = self.home().ask(|store| store.find(old)).await?;
        for entry in found.entries {
            self.home().ask(|store| store.remove(EntryKind::Placement, &entry.id)).await?;
        }
        Ok(())
    }
}
