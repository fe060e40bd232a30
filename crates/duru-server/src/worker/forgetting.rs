//! What other processes have removed goes from memory here, too. Nothing of it is ever shown, since a thread is known by
//! more than its name; but what was deleted is not to lie around, either.

use std::collections::HashMap;
use std::time::Duration;

use duru::store::{EntryKind, EntryQuery, SortBy};
use duru::{Incarnation, ThreadId};

use crate::error::{ApiResult, log_line};
use crate::hub::Shared;

/// How often to look.
const LOOK: Duration = Duration::from_secs(30);
/// So many threads are asked for at once.
const PAGE: usize = 500;

/// Looks again and again, until the server stops.
pub(super) async fn forgetting(hub: Shared) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOK.mul_f64(0.75 + fastrand::f64() / 2.0)) => {}
            () = hub.pool.stopping.cancelled() => return,
        }
        if let Err(error) = forget(&hub).await {
            log_line(&error.detail());
        }
    }
}

async fn forget(hub: &Shared) -> ApiResult<()> {
    let texts = hub.said.in_memory_now();
    for some in texts.chunks(PAGE) {
        let there = listed(hub, some.iter().map(|(id, _)| id.clone()).collect()).await?;
        for (id, of) in some.iter().filter(|(id, of)| there.get(id) != Some(of)) {
            hub.said.drop_text(id, *of);
        }
    }
    let warm: Vec<ThreadId> = hub.graphs.any().map(|app| app.warm_threads()).unwrap_or_default();
    for some in warm.chunks(PAGE) {
        let there = listed(hub, some.iter().map(ThreadId::to_string).collect()).await?;
        for id in some.iter().filter(|id| !there.contains_key(id.as_str())) {
            hub.log(id).forget();
        }
    }
    Ok(())
}

/// Those of the threads that are there, and which they are.
async fn listed(hub: &Shared, ids: Vec<String>) -> ApiResult<HashMap<String, Incarnation>> {
    let query = EntryQuery { sort: SortBy::Id, limit: ids.len(), ids, ..EntryQuery::of(EntryKind::Thread) };
    let found = hub.stores.catalog.find(query).await?.entries;
    Ok(found.into_iter().map(|entry| (entry.id, entry.incarnation)).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use duru::store::{Catalog as _, Entry, Expect, MemoryStore};
    use serde_json::json;

    use super::*;
    use crate::test_hub::hub;

    #[tokio::test]
    async fn what_another_process_removed_does_not_stay_in_memory() {
        let store = Arc::new(MemoryStore::new());
        let hub = hub(&store).await;
        for name in ["kept", "gone", "made again"] {
            let thread = hub.graphs.any().unwrap().thread(ThreadId::new(name).unwrap());
            drop(thread.invoke(json!({ "topic": name })).unwrap().await.unwrap());
            store.put(Entry::new(EntryKind::Thread, name), Expect::New).await.unwrap();
        }
        let all = store.find(EntryQuery::of(EntryKind::Thread)).await.unwrap().entries;
        assert_eq!(hub.said.of(&hub, &all).await.unwrap().len(), 3);
        let at_hand = || (hub.graphs.any().unwrap().warm_threads().len(), hub.said.in_memory_now().len());
        forget(&hub).await.unwrap();
        assert_eq!(at_hand(), (3, 3));
        store.remove(EntryKind::Thread, "gone").await.unwrap();
        store.remove(EntryKind::Thread, "made again").await.unwrap();
        store.put(Entry::new(EntryKind::Thread, "made again"), Expect::New).await.unwrap();
        forget(&hub).await.unwrap();
        let texts: Vec<String> = hub.said.in_memory_now().into_iter().map(|(id, _)| id).collect();
        assert_eq!(texts, ["kept"]);
        assert!(!hub.graphs.any().unwrap().warm_threads().iter().any(|id| id.as_str() == "gone"));
    }
}
