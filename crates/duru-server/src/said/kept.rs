//! The texts of threads, where they can be had quickly.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use duru::store::{self, Catalog, Entry, EntryKind, EntryQuery, Expect, SortBy};
use duru::{Incarnation, ThreadId};

use super::text::Text;
use crate::error::ApiResult;
use crate::hub::Shared;

/// So many bytes are kept in memory.
const ROOM: usize = 64 << 20;
/// So many texts are read at once.
const PAGE: usize = 500;
/// Of more threads that changed it is not remembered: searches and the next start find them.
const MOST_CHANGED: usize = 20_000;
/// Under which name the catalog has a text.
const TEXT: &str = "text";
/// The same for what the thread may be called.
const TITLE: &str = "title";

/// The texts of threads. To make one, all of a thread's state is read, which takes seconds for thousands of them: so
/// they are kept in memory, as far as there is room, and in the catalog, from where a page of them is one read.
/// Both say of which version of its thread a text is, and of another one it is worth nothing.
#[derive(Default)]
pub(crate) struct Said {
    kept: Mutex<Kept>,
    /// When threads last changed, as far as this process knows; to be written down.
    changed: Mutex<HashMap<String, Instant>>,
}

#[derive(Default)]
struct Kept {
    texts: HashMap<String, (Edition, Arc<Text>)>,
    bytes: usize,
}

/// Of which thread, and which version of it, a text is. A thread that was
/// removed and made again has the same name, and may have the same version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edition(Incarnation, u64);

impl Edition {
    fn of(thread: &Entry) -> Self {
        Self(thread.incarnation, thread.version)
    }

    /// As the catalog writes it.
    fn label(self) -> String {
        format!("{:x}.{}", self.0.as_u64(), self.1)
    }
}

impl Kept {
    fn insert(&mut self, thread: &Entry, text: &Arc<Text>) {
        self.remove(&thread.id);
        if self.bytes + text.bytes() > ROOM {
            // Every other one goes: to look which ones are wanted least would cost more than to read them again.
            let mut stays = false;
            self.texts.retain(|_, _| {
                stays = !stays;
                stays
            });
            self.bytes = self.texts.values().map(|(_, text)| text.bytes()).sum();
        }
        self.bytes += text.bytes();
        self.texts.insert(thread.id.clone(), (Edition::of(thread), Arc::clone(text)));
    }

    fn remove(&mut self, id: &str) {
        if let Some((_, old)) = self.texts.remove(id) {
            self.bytes -= old.bytes();
        }
    }
}

impl Said {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Nothing panics half-way through a change.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The texts of threads, in the threads' order.
    pub(crate) async fn of(&self, hub: &Shared, threads: &[Entry]) -> ApiResult<Vec<Arc<Text>>> {
        let mut texts = self.in_memory(threads);
        let missing: Vec<usize> = (0..threads.len()).filter(|at| texts[*at].is_none()).collect();
        for some in missing.chunks(PAGE) {
            let wanted: Vec<&Entry> = some.iter().map(|at| &threads[*at]).collect();
            for (at, text) in some.iter().zip(self.in_catalog(hub, &wanted).await?) {
                texts[*at] = text;
            }
        }
        let mut all = Vec::with_capacity(threads.len());
        for (thread, text) in threads.iter().zip(texts) {
            all.push(match text {
                Some(text) => text,
                None => self.read(hub, thread).await?,
            });
        }
        Ok(all)
    }

    fn in_memory(&self, threads: &[Entry]) -> Vec<Option<Arc<Text>>> {
        let kept = self.lock();
        let of = |thread: &Entry| {
            let (edition, text) = kept.texts.get(&thread.id)?;
            (*edition == Edition::of(thread)).then(|| Arc::clone(text))
        };
        threads.iter().map(of).collect()
    }

    /// Those that the catalog has of threads as they are now, which are in memory from then on.
    pub(super) async fn in_catalog(
        &self,
        hub: &Shared,
        threads: &[&Entry],
    ) -> Result<Vec<Option<Arc<Text>>>, store::Error> {
        let query = EntryQuery {
            ids: threads.iter().map(|thread| thread.id.clone()).collect(),
            sort: SortBy::Id,
            limit: threads.len(),
            ..EntryQuery::of(EntryKind::Said)
        };
        let mut found: HashMap<String, Entry> = HashMap::new();
        if !threads.is_empty() {
            let entries = hub.whole().stores.catalog.find(query).await?.entries;
            found.extend(entries.into_iter().map(|entry| (entry.id.clone(), entry)));
        }
        let mut kept = self.lock();
        let mut of = |thread: &&Entry| {
            let mut entry = found.remove(&thread.id)?;
            let mut part = |name| Some(entry.body.remove(name)?.as_str()?.to_owned());
            // One that an earlier version wrote has no title: it is made anew.
            let text = Arc::new(Text::new(part(TEXT)?, part(TITLE)?));
            (entry.label == Edition::of(thread).label()).then(|| {
                kept.insert(thread, &text);
                text
            })
        };
        Ok(threads.iter().map(&mut of).collect())
    }

    /// Makes the text of a thread from its state.
    pub(super) async fn read(&self, hub: &Shared, thread: &Entry) -> ApiResult<Arc<Text>> {
        let text = Arc::new(match ThreadId::new(&thread.id) {
            Ok(id) => Text::of(&thread.metadata, &hub.log(&id).state().await?.values),
            Err(_) => Text::new(String::new(), String::new()),
        });
        self.lock().insert(thread, &text);
        Ok(text)
    }

    /// The threads whose texts are in memory.
    pub(crate) fn in_memory_now(&self) -> Vec<(String, Incarnation)> {
        self.lock().texts.iter().map(|(id, (Edition(of, _), _))| (id.clone(), *of)).collect()
    }

    /// Forgets the text of a thread, here only: another process has removed the thread.
    pub(crate) fn drop_text(&self, thread: &str, of: Incarnation) {
        let mut kept = self.lock();
        if kept.texts.get(thread).is_some_and(|(Edition(known, _), _)| *known == of) {
            kept.remove(thread);
        }
    }

    /// A thread has changed: what was said in it is to be written down.
    pub(crate) fn changed(&self, thread: &str) {
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        if changed.len() < MOST_CHANGED {
            changed.insert(thread.to_owned(), Instant::now());
        }
    }

    /// Takes the threads that have been quiet for so long.
    pub(super) fn changed_before(&self, quiet: Duration) -> Vec<String> {
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        changed.extract_if(|_, at| at.elapsed() >= quiet).map(|(thread, _)| thread).collect()
    }

    /// Forgets what was said in a thread: it is gone, or says something else now.
    pub(crate) async fn forget(&self, catalog: &dyn Catalog, thread: &str) -> Result<(), store::Error> {
        self.lock().remove(thread);
        catalog.remove(EntryKind::Said, thread).await.map(drop)
    }
}

/// Writes down what was said in a thread, unless the thread goes meanwhile.
pub(super) async fn write(catalog: &dyn Catalog, thread: &Entry, text: &Text) -> Result<(), store::Error> {
    let mut entry = Entry::new(EntryKind::Said, &thread.id);
    entry.label = Edition::of(thread).label();
    entry.body.insert(TEXT.to_owned(), text.said().into());
    entry.body.insert(TITLE.to_owned(), text.title().into());
    catalog.put(entry, Expect::Any).await?;
    if catalog.entry(EntryKind::Thread, &thread.id).await?.is_none() {
        catalog.remove(EntryKind::Said, &thread.id).await?;
    }
    Ok(())
}
