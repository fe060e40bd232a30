//! Threads whose time is over.

use std::time::Duration;

use duru::store::{EntryKind, EntryQuery, Expect, SortBy};
use duru::{Clock, Keep, SystemClock, ThreadId};

use crate::error::{ApiResult, log_line};
use crate::hub::Shared;
use crate::routes::remove_thread;
use crate::wire::thread::status;
use crate::wire::ttl::{self, Then};

/// How often to look. Nobody counts on the second.
const LOOK: Duration = Duration::from_secs(30);

/// Looks again and again, until the server stops.
pub(super) async fn sweeping(hub: Shared) {
    while !hub.pool.is_stopping() {
        if let Err(error) = sweep(&hub, SystemClock.now_ms()).await {
            log_line(&error.detail());
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK.mul_f64(0.75 + fastrand::f64() / 2.0)) => {}
            () = hub.pool.stopping.cancelled() => {}
        }
    }
}

/// Does what was asked for with threads whose time is over. One with a run under way is left for later.
async fn sweep(hub: &Shared, now_ms: u64) -> ApiResult<()> {
    let due = EntryQuery {
        due_by_ms: Some(now_ms),
        sort: SortBy::Created,
        ascending: true,
        ..EntryQuery::of(EntryKind::Thread)
    };
    for entry in hub.stores.catalog.find(due).await?.entries {
        let Ok(id) = ThreadId::new(&entry.id) else { continue };
        match ttl::then(&entry).filter(|_| status(&entry) != "busy") {
            None => {}
            Some(Then::Delete) => remove_thread(hub, &id).await?,
            Some(Then::KeepLatest) => {
                hub.log(&id).prune(Keep::Latest).await?;
                let version = entry.version;
                let kept = duru::store::Entry { due_ms: None, ..entry };
                // Another expiry that was set meanwhile counts.
                hub.stores.catalog.put(kept, Expect::Version(version)).await?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use duru::HistoryQuery;
    use duru::store::{Entry, MemoryStore};
    use serde_json::json;

    use super::*;
    use crate::test_hub::hub;
    use crate::wire::ttl::Ttl;

    async fn thread(hub: &Shared, name: &str, status: &str, ttl: Option<serde_json::Value>) -> ThreadId {
        let id = ThreadId::new(name).unwrap();
        let mut entry = Entry { status: status.into(), ..Entry::new(EntryKind::Thread, name) };
        if let Some(ttl) = ttl {
            serde_json::from_value::<Ttl>(ttl).unwrap().set(&mut entry, 0).unwrap();
        }
        hub.stores.catalog.put(entry, Expect::New).await.unwrap();
        for n in 0..3 {
            let edit = duru::Edit::of(Some(json!({ "n": n }))).as_node("add");
            hub.thread("count", &id).unwrap().edit(edit).await.unwrap();
        }
        id
    }

    #[tokio::test]
    async fn threads_go_when_their_time_is_over_and_not_before() {
        let hub = hub(&Arc::new(MemoryStore::new())).await;
        let gone = thread(&hub, "gone", "idle", Some(json!(1))).await;
        let busy = thread(&hub, "busy", "busy", Some(json!(1))).await;
        let later = thread(&hub, "later", "idle", Some(json!(10))).await;
        let ever = thread(&hub, "ever", "idle", None).await;
        let short = thread(&hub, "short", "idle", Some(json!({ "ttl": 1, "strategy": "keep_latest" }))).await;
        let states = async |id: &ThreadId| hub.log(id).history(HistoryQuery::new()).await.unwrap().len();
        let known =
            async |id: &ThreadId| hub.stores.catalog.entry(EntryKind::Thread, id.as_str()).await.unwrap();
        sweep(&hub, 59_999).await.unwrap();
        assert_eq!(states(&gone).await, 3, "a moment too early");
        // Twice: what was done is not done again.
        sweep(&hub, 60_000).await.unwrap();
        sweep(&hub, 60_000).await.unwrap();
        assert!(known(&gone).await.is_none() && states(&gone).await == 0);
        for id in [&busy, &later, &ever] {
            assert!(known(id).await.is_some() && states(id).await == 3, "{id}");
        }
        let kept = known(&short).await.unwrap();
        assert_eq!((states(&short).await, kept.due_ms), (1, None));
        assert_eq!(hub.log(&short).state().await.unwrap().values["n"], 2);
    }
}
