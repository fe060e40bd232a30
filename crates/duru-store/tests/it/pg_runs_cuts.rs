//! Connections that are cut around changes of the queue and the catalog: nothing
//! is lost, and nothing happens twice.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use duru::RunId;
use duru::store::{
    Catalog, Claim, Enqueued, Entry, EntryKind, Expect, IfBusy, NewRun, Put, RunQuery, RunStatus, Runs,
    Settled,
};
use tokio::task::JoinSet;

use crate::pg_cuts::{CUTS, stores};
use crate::pg_runs::{new_run, settled, worker};
use crate::pg_server;

#[tokio::test]
async fn no_run_is_lost_or_accepted_twice() {
    const THREADS: u128 = 4;
    const RUNS: u128 = 25;
    let Some(pg) = pg_server::shared() else { return };
    let (proxy, store, beside) = stores(pg).await;
    proxy.cut(|nth| (nth % 3 > 0).then(|| CUTS[(nth / 3) as usize % 3]));
    let store = Arc::new(store);
    let mut tasks = JoinSet::new();
    for t in 0..THREADS {
        let store = store.clone();
        tasks.spawn(async move {
            for n in 0..RUNS {
                let id = t * RUNS + n + 1;
                // What was accepted must not seem to stand in its own way.
                let if_busy = if n == 0 { IfBusy::Reject } else { IfBusy::Enqueue };
                let key = (n % 2 == 0).then(|| (id.to_string(), 1));
                let claim = (n == 0).then(|| worker("a"));
                let new = NewRun { if_busy, key, claim, ..new_run(id, &format!("t{t}")) };
                let Enqueued::Accepted { run, .. } = store.enqueue(new).await.unwrap() else {
                    panic!("run {n} of thread {t} is not accepted");
                };
                let status = if n == 0 { RunStatus::Running } else { RunStatus::Pending };
                assert_eq!((run.id, run.status), (RunId::from_u128(id), status));
            }
            let first = RunId::from_u128(t * RUNS + 1);
            assert!(store.settle(first, 1, settled(RunStatus::Success)).await.unwrap());
            assert!(store.forget(first, None).await.unwrap());
            let other = THREADS * RUNS + t + 1;
            let new = NewRun { claim: Some(worker("a")), ..new_run(other, &format!("gone{t}")) };
            assert!(matches!(store.enqueue(new).await.unwrap(), Enqueued::Accepted { .. }));
            let last = Settled { remove_thread: true, ..settled(RunStatus::Success) };
            assert!(store.settle(RunId::from_u128(other), 1, last).await.unwrap());
            let name = format!("a{t}");
            let put = store.put(Entry::new(EntryKind::Assistant, name.as_str()), Expect::New).await.unwrap();
            assert!(matches!(&put, Put::Stored(entry) if entry.version == 1), "{put:?}");
            assert!(store.remove(EntryKind::Assistant, &name).await.unwrap());
        });
    }
    tasks.join_all().await;
    for t in 0..THREADS {
        let of = RunQuery { thread: Some(crate::thread(&format!("t{t}"))), ..RunQuery::default() };
        let found: Vec<u128> =
            beside.runs(of).await.unwrap().iter().rev().map(|run| run.id.as_u128()).collect();
        assert_eq!(found, (t * RUNS + 2..=(t + 1) * RUNS).collect::<Vec<_>>());
        let entry = beside.entry(EntryKind::Thread, &format!("t{t}")).await.unwrap().unwrap();
        // Once for each run, and once for the one that ended.
        assert_eq!((entry.status.as_str(), u128::from(entry.version)), ("busy", RUNS + 1));
    }
    let gone = beside.entry(EntryKind::Thread, "gone0").await.unwrap();
    assert_eq!(gone, None);
    let ask = Claim { worker: worker("b"), limit: 9, gone: Vec::new(), most_deaths: 3 };
    assert_eq!(beside.claim(ask).await.unwrap().runs.len() as u128, THREADS);
    let cuts = proxy.seen.cuts.load(Ordering::SeqCst);
    assert!(cuts >= 100, "only {cuts} cuts");
}
