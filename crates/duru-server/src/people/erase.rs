//! Erasing everything of a person, so that a crash in the middle loses nothing but time.

use duru::ThreadId;
use duru::memory::{Address, Memory, Namespace, Search};
use duru::store::{Cancel, Entry, EntryKind, EntryQuery, Error, Expect, Put, RunQuery};
use duru::{Clock, SystemClock};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::holdings::PAGE;
use super::{Holdings, People, Person};
use crate::guard::random;

/// The entry with what makes the names of those who were erased unlike anybody else's. Beside the audit log's own.
const SALT: &str = "salt";

/// Where it is written down which erasures have begun. Nobody who needs a key comes here.
const BEGUN: &str = "@erasures";

impl People {
    /// Writes down that everything of a person is to be erased: whatever happens now, it will be.
    ///
    /// # Errors
    /// If the store can't be written.
    pub async fn begin_erasure(&self, name: &str) -> Result<(), Error> {
        let memory = Memory::new(self.stores.memories.clone());
        memory.put([BEGUN], &key(name), &json!({ "name": name })).await.map_err(refused)
    }

    /// What somebody is called, once they are erased, where it must be known that one person did something: the same
    /// whenever it is asked, and nobody's name. Only who has this store, and the name, can tell that they belong together.
    ///
    /// # Errors
    /// If the store can't be used.
    pub async fn pseudonym(&self, name: &str) -> Result<String, Error> {
        let catalog = &self.stores.catalog;
        let mut entry = Entry::new(EntryKind::Audit, SALT);
        let salt = random::<32>().map_err(|error| Error::backend("get random numbers", error))?;
        entry.body.insert("salt".into(), salt.into());
        let there = match catalog.put(entry, Expect::New).await? {
            Put::Stored(entry) => Some(entry),
            Put::Unexpected(there) => there,
        };
        let salt = there.as_ref().and_then(|there| there.body.get("salt")?.as_str()).unwrap_or_default();
        let digest = key(&format!("{salt}\n{name}"));
        Ok(format!("erased-{}", &digest[..12]))
    }

    /// Erasures that have begun and not ended.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn begun_erasures(&self) -> Result<Vec<String>, Error> {
        let within = Namespace::new([BEGUN]).map_err(refused)?;
        let search = Search { within, limit: PAGE, ..Search::default() };
        let hits = self.stores.memories.search(search, SystemClock.now_ms()).await?;
        let name = |value: &Map<String, Value>| value.get("name").and_then(Value::as_str).map(str::to_owned);
        Ok(hits.into_iter().filter_map(|hit| name(&hit.item.value)).collect())
    }

    /// Nothing is left to be erased.
    ///
    /// # Errors
    /// If the store can't be written.
    pub async fn end_erasure(&self, name: &str) -> Result<(), Error> {
        let at = Namespace::new([BEGUN]).and_then(|begun| Address::new(begun, key(name))).map_err(refused)?;
        self.stores.memories.forget(&at, SystemClock.now_ms()).await.map(drop)
    }

    /// Their threads. What others keep of a thread is to go before the thread itself does: once it is gone,
    /// nobody knows whose it was.
    ///
    /// # Errors
    /// If a store can't be read.
    pub async fn threads(&self, who: &Person) -> Result<Vec<ThreadId>, Error> {
        let entries = self.entries(who, EntryKind::Thread).await?;
        let mut threads: Vec<ThreadId> =
            entries.iter().filter_map(|entry| ThreadId::new(&entry.id).ok()).collect();
        threads.extend(self.unlisted(who).await?);
        Ok(threads)
    }

    /// Removes a thread with its checkpoints, events and runs; how many runs. What is under way on it stops.
    ///
    /// # Errors
    /// If a store can't be written. Then its entry still says whose it is.
    pub async fn remove_thread(&self, id: &ThreadId) -> Result<u64, Error> {
        let runs = RunQuery { thread: Some(id.clone()), ..RunQuery::default() };
        let count = self.stores.runs.runs(runs.clone()).await?.len() as u64;
        self.stores.runs.cancel(runs, Cancel::Interrupt).await?;
        self.stores.catalog.remove(EntryKind::Said, id.as_str()).await?;
        // The log of one that no server lists goes as well.
        self.stores.catalog.remove(EntryKind::Thread, id.as_str()).await?;
        Ok(count)
    }

    /// Takes a person's keys away: nothing new comes from them after the second for which servers remember keys.
    ///
    /// # Errors
    /// If a store can't be written.
    pub async fn revoke_all(&self, who: &Person) -> Result<u64, Error> {
        let keys = self.keys(who).await?;
        for key in &keys {
            self.stores.catalog.remove(EntryKind::Key, &key.id).await?;
        }
        Ok(keys.len() as u64)
    }

    /// Removes what there is of a person besides threads and keys. How much it was.
    ///
    /// # Errors
    /// If a store can't be written.
    pub async fn remove_rest(&self, who: &Person) -> Result<Holdings, Error> {
        let catalog = &self.stores.catalog;
        let mut gone = Holdings::default();
        for cron in self.entries(who, EntryKind::Cron).await? {
            gone.crons += u64::from(catalog.remove(EntryKind::Cron, &cron.id).await?);
        }
        for assistant in self.entries(who, EntryKind::Assistant).await? {
            let mut versions = EntryQuery { limit: 10_000, ..EntryQuery::of(EntryKind::AssistantVersion) };
            versions.body.insert("assistant_id".into(), json!(assistant.id));
            for version in catalog.find(versions).await?.entries {
                catalog.remove(EntryKind::AssistantVersion, &version.id).await?;
            }
            gone.assistants += u64::from(catalog.remove(EntryKind::Assistant, &assistant.id).await?);
        }
        for space in self.spaces(who).await? {
            for item in self.items(&space).await? {
                let at = Address::new(item.namespace, item.key).map_err(refused)?;
                gone.items += u64::from(self.stores.memories.forget(&at, SystemClock.now_ms()).await?);
            }
        }
        // What had expired was not counted, and goes as well.
        self.stores.memories.sweep(SystemClock.now_ms()).await?;
        Ok(gone)
    }
}

/// A name may hold anything, a key may not.
fn key(name: &str) -> String {
    hex::encode(Sha256::digest(name.as_bytes()))
}

fn refused(error: duru::memory::Error) -> Error {
    match error {
        duru::memory::Error::Store(error) => error,
        other => Error::backend("keep this in memory", other),
    }
}
