//! Several processes' worth of workers on one queue.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use duru::RunId;
use duru::store::{Claim, Enqueued, NewRun, QueuedRun, RunQuery, RunStatus, Runs};
use duru_store::PostgresStore;
use tokio::task::JoinSet;

use crate::pg_runs::{Dice, new_run, settled, worker};
use crate::pg_server::{self, open_store};

const RUNS: u64 = 300;
const THREADS: u64 = 40;

/// What all workers saw.
#[derive(Default)]
struct Seen {
    /// Each run is asked for twice, under one key.
    asked: AtomicU64,
    accepted: AtomicU64,
    done: AtomicU64,
    under_way: Mutex<HashMap<String, RunId>>,
    /// Of each thread, the runs as they were first claimed.
    begun: Mutex<HashMap<String, Vec<RunId>>>,
    times_done: Mutex<HashMap<RunId, u32>>,
}

impl Seen {
    fn begin(&self, run: &QueuedRun) {
        let thread = run.thread.to_string();
        let other = self.under_way.lock().unwrap().insert(thread.clone(), run.id);
        assert_eq!(other, None, "two runs at once on {thread}");
        if run.attempt == 1 {
            self.begun.lock().unwrap().entry(thread).or_default().push(run.id);
        }
    }

    fn end(&self, run: &QueuedRun) {
        assert_eq!(self.under_way.lock().unwrap().remove(run.thread.as_str()), Some(run.id));
    }
}

async fn accept(store: &PostgresStore, seen: &Seen, name: &str, dice: &mut Dice) -> Option<QueuedRun> {
    let nth = seen.asked.fetch_add(1, Ordering::SeqCst);
    if nth >= 2 * RUNS {
        return None;
    }
    // Half of the keys are fought for on two threads.
    let (of, second) = (nth / 2, nth % 2);
    let on = (of * 7 + if of % 2 == 0 { second } else { 0 }) % THREADS;
    let claim = (dice.below(3) == 0).then(|| worker(name));
    let new =
        NewRun { key: Some((of.to_string(), 1)), claim, ..new_run(u128::from(nth) + 1, &format!("t{on}")) };
    match store.enqueue(new).await.unwrap() {
        Enqueued::Accepted { run, .. } => {
            seen.accepted.fetch_add(1, Ordering::SeqCst);
            Some(run).filter(|run| run.status == RunStatus::Running)
        }
        Enqueued::Again(_) => None,
        other => panic!("{other:?}"),
    }
}

async fn work(store: Arc<PostgresStore>, seen: Arc<Seen>, name: String, seed: u64) {
    let mut dice = Dice(seed);
    let mut mine: Vec<QueuedRun> = Vec::new();
    while seen.done.load(Ordering::SeqCst) < RUNS {
        match dice.below(4) {
            0 => {
                let begun = accept(&store, &seen, &name, &mut dice).await;
                begun.iter().for_each(|run| seen.begin(run));
                mine.extend(begun);
            }
            1 => {
                let limit = dice.below(4) as usize + 1;
                let ask = Claim { worker: worker(&name), limit, gone: Vec::new(), most_deaths: 3 };
                let claimed = store.claim(ask).await.unwrap();
                assert!(claimed.dead.is_empty() && claimed.runs.len() <= limit);
                claimed.runs.iter().for_each(|run| seen.begin(run));
                mine.extend(claimed.runs);
                tokio::time::sleep(Duration::from_millis(dice.below(3))).await;
            }
            _ if mine.is_empty() => tokio::task::yield_now().await,
            2 if dice.below(4) == 0 => {
                assert_eq!(store.renew(&worker(&name), &[]).await.unwrap().len(), mine.len());
            }
            _ => {
                let run = mine.swap_remove(dice.below(mine.len() as u64) as usize);
                let back = dice.below(10) == 0;
                seen.end(&run);
                let status = if back { RunStatus::Pending } else { RunStatus::Success };
                assert!(store.settle(run.id, run.attempt, settled(status)).await.unwrap());
                if !back {
                    *seen.times_done.lock().unwrap().entry(run.id).or_default() += 1;
                    seen.done.fetch_add(1, Ordering::SeqCst);
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_of_two_processes_never_get_in_each_others_way() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let stores = [Arc::new(open_store(&pg.url, &schema).await), Arc::new(open_store(&pg.url, &schema).await)];
    let seen = Arc::new(Seen::default());
    let mut workers = JoinSet::new();
    for i in 0..8_u64 {
        let store = stores[i as usize % 2].clone();
        workers.spawn(work(store, seen.clone(), format!("w{i}"), 0x9e37_79b9 * (i + 1)));
    }
    workers.join_all().await;
    assert_eq!(seen.accepted.load(Ordering::SeqCst), RUNS);
    let times_done = seen.times_done.lock().unwrap().clone();
    assert_eq!((times_done.len() as u64, times_done.values().max()), (RUNS, Some(&1)));
    assert!(seen.under_way.lock().unwrap().is_empty());
    let mut accepted: HashMap<String, Vec<RunId>> = HashMap::new();
    for run in stores[0].runs(RunQuery::default()).await.unwrap().into_iter().rev() {
        assert_eq!(run.status, RunStatus::Success);
        accepted.entry(run.thread.to_string()).or_default().push(run.id);
    }
    assert_eq!(*seen.begun.lock().unwrap(), accepted, "not in the order in which they were accepted");
}

/// Signs of life at every moment at which somebody looks for lost runs.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_not_lost_while_it_is_renewed() {
    let Some(pg) = pg_server::shared() else { return };
    let store = Arc::new(pg.store().await);
    let lease = duru::store::Worker { lease_ms: 2_000, ..worker("a") };
    for n in 1..=10 {
        let new = NewRun { claim: Some(lease.clone()), ..new_run(n, &format!("t{n}")) };
        assert!(matches!(store.enqueue(new).await.unwrap(), Enqueued::Accepted { .. }));
    }
    let looked = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for task in 0..4 {
        let (store, lease, looked) = (store.clone(), lease.clone(), looked.clone());
        tasks.spawn(async move {
            // As long as anybody looks, however slow the one or the other is.
            while task % 2 == 0 && looked.load(Ordering::SeqCst) < 300 {
                assert_eq!(store.renew(&lease, &[]).await.unwrap().len(), 10);
            }
            for _ in 0..150 * (task % 2) {
                let ask = Claim { worker: worker("b"), limit: 9, gone: Vec::new(), most_deaths: 3 };
                assert!(store.claim(ask).await.unwrap().runs.is_empty());
                looked.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    tasks.join_all().await;
}
