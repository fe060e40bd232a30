//! Writes down what was said in threads, so that the first search of a server that has just started is as quick as any.

use std::time::{Duration, Instant};

use duru::store::{Entry, EntryKind, EntryQuery, SortBy};
use duru::{Clock, SystemClock};
use futures_util::future::try_join_all;

use super::kept::write;
use crate::error::{ApiResult, log_line};
use crate::hub::Shared;

/// How often to look for threads that have changed.
const LOOK: Duration = Duration::from_secs(5);
/// A thread is left alone for so long after a change: more may follow, and those that nobody has named are gone by then.
const QUIET: Duration = Duration::from_secs(60);
/// So many threads are looked at together.
const PAGE: usize = 500;
/// So many texts are written together.
const TOGETHER: usize = 16;
/// After that, nothing is done for so many times as long as it took: runs come first.
const REST: u32 = 4;

/// Keeps what was said at hand, until the server stops: first all of it, then what changes.
pub(crate) async fn keeping(hub: Shared) {
    tokio::select! {
        () = keep(&hub) => {}
        () = hub.pool.stopped() => {}
    }
}

async fn keep(hub: &Shared) {
    if let Err(error) = begin(hub, QUIET).await {
        log_line(&error.detail());
    }
    loop {
        tokio::time::sleep(LOOK).await;
        if let Err(error) = go_on(hub, QUIET).await {
            log_line(&error.detail());
        }
    }
}

fn all(kind: EntryKind, sort: SortBy) -> EntryQuery {
    EntryQuery { sort, limit: PAGE, ..EntryQuery::of(kind) }
}

/// Looks at every thread, newest first, and then for texts whose thread is gone.
async fn begin(hub: &Shared, quiet: Duration) -> ApiResult<()> {
    let mut query = all(EntryKind::Thread, SortBy::Created);
    let before = SystemClock.now_ms().saturating_sub(u64::try_from(quiet.as_millis()).unwrap_or(u64::MAX));
    loop {
        let mut page = hub.stores.catalog.find(query.clone()).await?.entries;
        let is_last = page.len() < PAGE;
        page.extract_if(.., |thread| thread.updated_ms > before)
            .for_each(|thread| hub.said.changed(&thread.id));
        write_down(hub, &page).await?;
        query.offset += PAGE;
        if is_last {
            return clear(hub).await;
        }
    }
}

/// Looks at the threads that this process knows to have changed, and that are quiet since.
async fn go_on(hub: &Shared, quiet: Duration) -> ApiResult<()> {
    for ids in hub.said.changed_before(quiet).chunks(PAGE) {
        let query = EntryQuery { ids: ids.to_vec(), ..all(EntryKind::Thread, SortBy::Id) };
        write_down(hub, &hub.stores.catalog.find(query).await?.entries).await?;
    }
    Ok(())
}

async fn write_down(hub: &Shared, threads: &[Entry]) -> ApiResult<()> {
    // What is under way changes once more.
    let threads: Vec<&Entry> = threads.iter().filter(|thread| thread.status != "busy").collect();
    let texts = hub.said.in_catalog(hub, &threads).await?;
    let missing: Vec<&Entry> =
        threads.into_iter().zip(texts).filter(|(_, text)| text.is_none()).map(|(thread, _)| thread).collect();
    for some in missing.chunks(TOGETHER) {
        let from = Instant::now();
        let mut writes = Vec::with_capacity(some.len());
        for thread in some {
            writes.push((*thread, hub.said.read(hub, thread).await?));
        }
        // Stores that write to a disk do so once for all of them.
        let writes = writes.iter().map(|(thread, text)| write(&*hub.stores.catalog, thread, text));
        try_join_all(writes).await?;
        tokio::time::sleep(from.elapsed() * REST).await;
    }
    Ok(())
}

/// Removes texts whose thread is gone: its removal may have been cut off.
async fn clear(hub: &Shared) -> ApiResult<()> {
    let catalog = &hub.stores.catalog;
    let mut query = all(EntryKind::Said, SortBy::Id);
    loop {
        let texts = catalog.find(query.clone()).await?.entries;
        let ids: Vec<String> = texts.into_iter().map(|text| text.id).collect();
        let threads = EntryQuery { ids: ids.clone(), ..all(EntryKind::Thread, SortBy::Id) };
        let threads = if ids.is_empty() { Vec::new() } else { catalog.find(threads).await?.entries };
        let mut stay = PAGE;
        for id in ids.iter().filter(|id| threads.iter().all(|thread| thread.id != **id)) {
            catalog.remove(EntryKind::Said, id).await?;
            stay -= 1;
        }
        query.offset += stay;
        if ids.len() < PAGE {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use duru::store::{Catalog as _, Expect, MemoryStore};
    use serde_json::json;

    use super::*;
    use crate::said::Wanted;
    use crate::test_hub::hub;

    /// A thread in which something was said.
    async fn thread(hub: &Shared, id: &str, topic: &str) {
        let app = hub.graphs.any().unwrap();
        let thread = app.thread(duru::ThreadId::new(id).unwrap());
        drop(thread.invoke(json!({ "topic": topic })).unwrap().await.unwrap());
        hub.stores.catalog.put(Entry::new(EntryKind::Thread, id), Expect::Any).await.unwrap();
    }

    async fn found(hub: &Shared, words: &str) -> Vec<String> {
        let wanted = Wanted::read(words).unwrap();
        let threads = hub.stores.catalog.find(all(EntryKind::Thread, SortBy::Id)).await.unwrap().entries;
        let texts = hub.said.of(hub, &threads).await.unwrap();
        let hits = threads.iter().zip(&texts).filter(|(_, text)| wanted.find(text).is_some());
        let mut ids: Vec<String> = hits.map(|(thread, _)| thread.id.clone()).collect();
        ids.sort();
        ids
    }

    #[tokio::test]
    async fn a_server_that_has_just_started_reads_what_is_written_down_and_no_states() {
        let store = Arc::new(MemoryStore::new());
        let first = hub(&store).await;
        thread(&first, "a", "결제 오류").await;
        thread(&first, "b", "Search").await;
        begin(&first, Duration::ZERO).await.unwrap();
        // What was written down is told from what is made anew by a word that no state has.
        let mut written = store.entry(EntryKind::Said, "a").await.unwrap().unwrap();
        assert_eq!(written.body["text"], "결제 오류");
        written.body.insert("text".into(), "written down".into());
        store.put(written, Expect::Any).await.unwrap();
        let second = hub(&store).await;
        assert_eq!(found(&second, "written").await, ["a"]);
        assert_eq!(found(&second, "search").await, ["b"]);
        // Of a thread that has changed since, it is worth nothing.
        thread(&first, "a", "환불").await;
        assert_eq!(found(&second, "written").await, [""; 0]);
        assert_eq!(found(&second, "환불").await, ["a"]);
    }

    #[tokio::test]
    async fn what_changes_is_written_down_once_it_is_quiet_and_goes_with_its_thread() {
        let store = Arc::new(MemoryStore::new());
        let hub = hub(&store).await;
        begin(&hub, Duration::ZERO).await.unwrap();
        thread(&hub, "a", "결제 오류").await;
        hub.said.changed("a");
        go_on(&hub, Duration::from_secs(3600)).await.unwrap();
        assert_eq!(store.entry(EntryKind::Said, "a").await.unwrap(), None, "more may follow");
        go_on(&hub, Duration::ZERO).await.unwrap();
        assert!(store.entry(EntryKind::Said, "a").await.unwrap().is_some());
        // Somebody was cut off after they had removed the thread.
        store.remove(EntryKind::Thread, "a").await.unwrap();
        begin(&hub, Duration::ZERO).await.unwrap();
        assert_eq!(store.entry(EntryKind::Said, "a").await.unwrap(), None);
        // Gone before it was written down: nothing is written.
        let gone = Entry::new(EntryKind::Thread, "gone");
        let text = hub.said.read(&hub, &gone).await.unwrap();
        write(&*hub.stores.catalog, &gone, &text).await.unwrap();
        assert_eq!(store.entry(EntryKind::Said, "gone").await.unwrap(), None);
    }

    #[tokio::test]
    async fn what_was_said_in_a_removed_thread_is_not_found_in_the_next_of_its_name() {
        let store = Arc::new(MemoryStore::new());
        let (first, second) = (hub(&store).await, hub(&store).await);
        thread(&first, "a", "kim's secret").await;
        begin(&first, Duration::ZERO).await.unwrap();
        assert_eq!(found(&second, "secret").await, ["a"]);
        // Another process removes it, and somebody else makes it again; what was written down is left over.
        store.remove(EntryKind::Thread, "a").await.unwrap();
        thread(&first, "a", "nothing").await;
        for hub in [&second, &hub(&store).await] {
            assert_eq!(found(hub, "secret").await, [""; 0]);
            assert_eq!(found(hub, "nothing").await, ["a"]);
        }
    }
}
