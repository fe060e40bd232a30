//! Starts what crons say. Every process on the store looks; a date is seen to once.

use std::sync::Arc;
use std::time::Duration;

use duru::store::{self, Enqueued, Entry, EntryKind, EntryQuery, Expect, NewRun, SortBy};
use duru::{Clock, RunId, SystemClock, ThreadId};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::log_line;
use crate::guard::{KeyScope, Keys};
use crate::hub::Shared;
use crate::scope::{OWNER, TABLES};
use crate::wire::assistant::Assistant;
use crate::wire::cron::{KEY, set_due, set_next};
use crate::wire::run::{On, RunPlan, RunRequest};
use crate::wire::words::OnCompletion;

/// How often to look for dates that have come.
const LOOK: Duration = Duration::from_secs(1);

/// Looks again and again, until the server stops.
pub(super) async fn ticking(hub: Shared) {
    while !hub.pool.is_stopping() {
        if let Err(error) = tick(&hub).await {
            log_line(&error);
        }
        tokio::select! {
            // Processes that were started together need not look together.
            () = tokio::time::sleep(LOOK.mul_f64(0.75 + fastrand::f64() / 2.0)) => {}
            () = hub.pool.stopping.cancelled() => {}
        }
    }
}

/// Starts the runs of all crons whose date has come, and moves those on to
/// their next date. Of several dates that were missed, one run is started.
pub(crate) async fn tick(hub: &Shared) -> Result<(), store::Error> {
    let now_ms = SystemClock.now_ms();
    let due = EntryQuery {
        due_by_ms: Some(now_ms),
        sort: SortBy::Label,
        ascending: true,
        ..EntryQuery::of(EntryKind::Cron)
    };
    loop {
        let found = hub.stores.catalog.find(due.clone()).await?.entries;
        for cron in &found {
            see_to(hub, cron, now_ms).await?;
        }
        if found.len() < due.limit {
            return Ok(());
        }
    }
}

/// The run is accepted first and the cron moved on second: a process that dies in
/// between loses nothing, because whoever looks next asks for the same run under
/// the same key, and gets the one that is there.
async fn see_to(hub: &Shared, found: &Entry, now_ms: u64) -> Result<(), store::Error> {
    // The list may be old by now: the cron may be gone, or moved on by another
    // process whose run is over and forgotten, key and all.
    let Some(cron) = hub.stores.catalog.entry(EntryKind::Cron, &found.id).await? else { return Ok(()) };
    let Some(due_ms) = cron.due_ms.filter(|due| *due <= now_ms) else { return Ok(()) };
    let goes_on = is_somebodys(hub, &cron).await? && start_cron_run(hub, &cron, due_ms).await?;
    let version = cron.version;
    let mut next = cron;
    let moved = set_next(&mut next, now_ms);
    if !goes_on || moved.is_err() {
        log_line(&format_args!("cron {} can't be carried out any more and is switched off", next.id));
        next.body.insert("enabled".into(), false.into());
        set_due(&mut next);
    }
    // Only one of several processes moves it on; a client may also have changed it.
    hub.stores.catalog.put(next, Expect::Version(version)).await?;
    Ok(())
}

/// Whether whoever wants it may still want anything: the key with which it was made or changed last is there, and good
/// for asking; of older ones, any key of its owner. What whoever needs no key made goes on.
async fn is_somebodys(hub: &Shared, cron: &Entry) -> Result<bool, store::Error> {
    let Some(owner) = cron.metadata.get(OWNER).and_then(Value::as_str) else { return Ok(true) };
    let made_with = cron.body.get(KEY).and_then(Value::as_str);
    let keys = Keys::new(Arc::clone(&hub.stores.catalog)).list().await?;
    Ok(keys.iter().any(|key| {
        key.name == owner && key.scopes.allow(KeyScope::Ask) && made_with.is_none_or(|id| key.id == id)
    }))
}

/// Accepts the run of a cron for one of its dates, once however often it is asked
/// to: the date is part of the run's key. False if the cron can never run again,
/// because its assistant or its thread is gone.
async fn start_cron_run(hub: &Shared, cron: &Entry, due_ms: u64) -> Result<bool, store::Error> {
    let text = |name: &str| cron.body.get(name).and_then(Value::as_str);
    let assistant = text("assistant_id").unwrap_or_default();
    let assistant = hub.stores.catalog.entry(EntryKind::Assistant, assistant).await?;
    let Some(assistant) = assistant.and_then(Assistant::from_entry) else { return Ok(false) };
    let Some((plan, mut metadata)) = plan(cron, &assistant) else { return Ok(false) };
    let mut thread_metadata = assistant.names();
    if let Some(owner) = cron.metadata.get(OWNER) {
        metadata.insert(OWNER.into(), owner.clone());
        match cron.metadata.get(TABLES) {
            Some(tables) => metadata.insert(TABLES.into(), tables.clone()),
            None => metadata.remove(TABLES),
        };
        thread_metadata.insert(OWNER.into(), owner.clone());
    }
    let now_ms = SystemClock.now_ms();
    let id = RunId::random(now_ms);
    let given = text("thread_id").map(str::to_owned);
    let make_thread = given.is_none();
    // A thread of the run's own is named after it.
    let Ok(thread) = ThreadId::new(given.unwrap_or_else(|| id.to_string())) else { return Ok(false) };
    let run = NewRun {
        id,
        thread,
        make_thread,
        thread_metadata,
        if_busy: plan.if_busy(),
        payload: serde_json::to_value(&plan).map_err(|error| store::Error::backend("write a run", error))?,
        metadata,
        key: Some((format!("cron-{}-{due_ms}", cron.id), due_ms)),
        after_ms: 0,
        claim: None,
    };
    match hub.stores.runs.enqueue(run).await? {
        Enqueued::NoThread => return Ok(false),
        Enqueued::Busy => {
            log_line(&format_args!("cron {} is skipped once: its thread is busy", cron.id));
        }
        Enqueued::Accepted { stopping, .. } => {
            for run in stopping {
                if let Some(how) = run.cancel {
                    hub.pool.stop_here(run.id, how);
                }
            }
            hub.pool.wake();
        }
        Enqueued::Again(_) | Enqueued::KeyTaken => {}
    }
    Ok(true)
}

/// What a cron's run does, and the notes about it; none if it can't be read any more.
fn plan(cron: &Entry, assistant: &Assistant) -> Option<(RunPlan, Map<String, Value>)> {
    let mut request = RunRequest::deserialize(cron.body.get("payload")?.clone()).ok()?;
    let on_completion = cron.body.get("on_run_completed").filter(|word| !word.is_null());
    request.on_completion = on_completion.map(OnCompletion::deserialize).transpose().ok()?;
    let on = if cron.body.get("thread_id").is_some_and(Value::is_string) { On::Thread } else { On::Nothing };
    let (plan, mut metadata) = request.for_assistant(assistant, on).ok()?;
    metadata.insert("cron_id".into(), cron.id.clone().into());
    Some((plan, metadata))
}

#[cfg(test)]
mod tests {
    use duru::store::{MemoryStore, Put, RunQuery, RunStatus};
    use serde_json::json;

    use super::*;
    use crate::test_hub::hub;
    use crate::wire::assistant::object;

    /// Two processes on one store.
    async fn two_hubs() -> [Shared; 2] {
        let store = Arc::new(MemoryStore::new());
        [hub(&store).await, hub(&store).await]
    }

    async fn cron(hub: &Shared, due_ms: u64, thread: Option<&str>) -> Entry {
        let assistant = hub.graphs.get("count").unwrap().assistant.to_string();
        let body = json!({
            "assistant_id": assistant, "thread_id": thread, "enabled": true, "schedule": "0 0 1 1 *",
            "on_run_completed": "keep",
            "payload": { "assistant_id": assistant, "input": { "n": 1 }, "metadata": { "a": 1 } },
        });
        let entry = Entry { body: object(body), due_ms: Some(due_ms), ..Entry::new(EntryKind::Cron, "c") };
        match hub.stores.catalog.put(entry, Expect::Any).await.unwrap() {
            Put::Stored(entry) => entry,
            Put::Unexpected(_) => panic!("anything was expected"),
        }
    }

    async fn runs(hub: &Shared) -> Vec<duru::store::QueuedRun> {
        hub.stores.runs.runs(RunQuery::default()).await.unwrap()
    }

    #[tokio::test]
    async fn a_date_is_seen_to_once_however_many_processes_look() {
        let [one, two] = two_hubs().await;
        cron(&one, 1000, None).await;
        let (a, b) = tokio::join!(tick(&one), tick(&two));
        a.and(b).unwrap();
        tick(&one).await.unwrap();
        let runs = runs(&one).await;
        assert_eq!(runs.len(), 1);
        assert_eq!((&runs[0].metadata["a"], &runs[0].metadata["cron_id"]), (&json!(1), &json!("c")));
        assert_eq!(RunPlan::of(&runs[0]).unwrap().input, Some(json!({ "n": 1 })));
        let next = one.stores.catalog.entry(EntryKind::Cron, "c").await.unwrap().unwrap();
        assert!(next.due_ms.is_some_and(|due| due > SystemClock.now_ms()), "{next:?}");
    }

    #[tokio::test]
    async fn a_process_that_died_before_moving_on_starts_no_second_run() {
        let [hub, _] = two_hubs().await;
        let entry = cron(&hub, 1000, None).await;
        assert!(start_cron_run(&hub, &entry, 1000).await.unwrap());
        tick(&hub).await.unwrap();
        assert_eq!(runs(&hub).await.len(), 1);
        // Another date is another run.
        cron(&hub, 2000, None).await;
        tick(&hub).await.unwrap();
        assert_eq!(runs(&hub).await.len(), 2);
    }

    #[tokio::test]
    async fn a_worker_carries_out_what_a_cron_says() {
        let [hub, _] = two_hubs().await;
        cron(&hub, 1000, None).await;
        let workers = crate::worker::Pool::start(&hub);
        let wait = async {
            while runs(&hub).await.first().is_none_or(|run| run.status != RunStatus::Success) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), wait).await.expect("it is carried out in time");
        workers.finish().await;
    }

    /// What a key had made to begin by itself went on when the key was long revoked.
    #[tokio::test]
    async fn the_crons_of_a_revoked_key_are_switched_off() {
        use crate::guard::NewKey;
        let [hub, _] = two_hubs().await;
        let keys = Keys::new(Arc::clone(&hub.stores.catalog));
        let made = |name: &str| NewKey { name: name.into(), ..NewKey::default() };
        let (_, lost) = keys.add(made("kim")).await.unwrap();
        keys.add(made("kim")).await.unwrap();
        for (made_with, wanted) in [(Some(&lost.id), true), (None, true)] {
            let mut entry = cron(&hub, 1000, None).await;
            entry.metadata.insert(OWNER.into(), json!("kim"));
            entry.body.insert(KEY.into(), json!(made_with));
            hub.stores.catalog.put(entry.clone(), Expect::Any).await.unwrap();
            assert_eq!(is_somebodys(&hub, &entry).await.unwrap(), wanted);
        }
        let mut entry = hub.stores.catalog.entry(EntryKind::Cron, "c").await.unwrap().unwrap();
        entry.body.insert(KEY.into(), json!(lost.id));
        hub.stores.catalog.put(entry, Expect::Any).await.unwrap();
        // The one that was lost is revoked; the other goes on, and its crons with it.
        keys.revoke(&lost.id).await.unwrap();
        tick(&hub).await.unwrap();
        assert!(runs(&hub).await.is_empty());
        let mut entry = hub.stores.catalog.entry(EntryKind::Cron, "c").await.unwrap().unwrap();
        assert_eq!((entry.due_ms, &entry.body["enabled"]), (None, &json!(false)));
        entry.body.insert(KEY.into(), Value::Null);
        assert!(is_somebodys(&hub, &entry).await.unwrap(), "of an older cron, any key of its owner will do");
        keys.revoke("kim").await.unwrap();
        assert!(!is_somebodys(&hub, &entry).await.unwrap());
        entry.metadata.remove(OWNER);
        assert!(is_somebodys(&hub, &entry).await.unwrap(), "who needs no key has none to lose");
    }

    #[tokio::test]
    async fn a_cron_whose_thread_is_gone_is_switched_off() {
        let [hub, _] = two_hubs().await;
        cron(&hub, 1000, Some("gone")).await;
        tick(&hub).await.unwrap();
        let entry = hub.stores.catalog.entry(EntryKind::Cron, "c").await.unwrap().unwrap();
        assert_eq!((entry.due_ms, &entry.body["enabled"]), (None, &json!(false)));
        assert!(runs(&hub).await.is_empty());
    }
}
