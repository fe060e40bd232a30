//! What every queue and catalog must do. A backend's tests run [`CASES`], each
//! on an empty store.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! use std::sync::Arc;
//! use duru::store::MemoryStore;
//! use duru::testkit::runs_contract::{Seams, check};
//!
//! check(async || Seams::of(Arc::new(MemoryStore::new()))).await;
//! # }
//! ```
// These are tests, though another crate calls them.
#![allow(clippy::unwrap_used)]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use super::catalog_cases::*;
use super::worker_cases::*;
use crate::store::{
    Cancel, Catalog, Checkpoints, Claim, Claimed, Enqueued, EntryKind, IfBusy, NewRun, Owner, QueuedRun,
    RunQuery, RunStatus, Runs, Settled, Worker,
};
use crate::{RunId, ThreadId};

/// An empty store under test.
#[derive(Clone)]
pub struct Seams {
    /// Its queue.
    pub runs: Arc<dyn Runs>,
    /// Its catalog.
    pub catalog: Arc<dyn Catalog>,
    /// Its threads.
    pub checkpoints: Arc<dyn Checkpoints>,
}

impl Seams {
    /// Of a backend that has all of them.
    pub fn of<S: Runs + Catalog + Checkpoints>(store: Arc<S>) -> Self {
        Self { runs: store.clone(), catalog: store.clone(), checkpoints: store }
    }
}

/// A case: panics when the store breaks the contract.
pub type Case = fn(Seams) -> Pin<Box<dyn Future<Output = ()> + Send>>;

macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        /// Every case under its name.
        pub const CASES: &[(&str, Case)] = &[$((stringify!($name), |store| Box::pin($name(store)))),*];
    };
}

cases! {
    a_run_is_accepted_claimed_and_settled,
    a_run_can_begin_with_its_acceptance,
    runs_of_a_thread_follow_one_another,
    a_thread_is_made_or_missed,
    the_same_key_gives_the_same_run,
    a_busy_thread_rejects,
    others_are_interrupted_or_rolled_back,
    a_delayed_run_waits_and_holds_up_nobody,
    a_silent_worker_loses_its_run,
    a_sign_of_life_keeps_all_runs_of_a_worker,
    a_worker_gives_up_what_it_never_heard_of,
    a_run_under_way_keeps_its_thread_while_its_worker_lives,
    the_status_of_runs_is_told_without_them,
    a_dead_worker_is_replaced_at_once,
    a_run_that_kills_its_workers_is_given_up,
    a_run_that_was_given_up_can_be_tried_again,
    a_run_is_given_back_without_blame,
    a_run_takes_its_thread_along,
    cancelling_tells_the_worker,
    cancelling_what_waits_ends_it,
    what_was_accepted_first_is_claimed_first,
    who_has_no_room_is_told_how_many_wait_and_how_long,
    runs_are_listed_latest_first,
    runs_are_forgotten,
    old_runs_are_listed_oldest_first,
    many_workers_share_without_overlap,
    racing_rejects_have_one_winner,
    an_entry_is_put_read_and_removed,
    an_entry_is_changed_by_one_of_many,
    entries_are_filtered,
    entries_are_sorted_and_paged,
    containment_is_that_of_json,
    a_removed_thread_takes_its_runs_and_its_log_along,
    odd_texts_come_back_as_they_were,
    an_entry_made_again_is_another_one,
    a_run_that_is_gone_makes_no_thread,
}

/// Runs every case, each on a store of its own, and panics with the names of
/// those that failed.
pub async fn check(make: impl AsyncFn() -> Seams) {
    let mut failed = Vec::new();
    for (name, case) in CASES {
        if tokio::spawn(case(make().await)).await.is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "the store breaks the contract: {}", failed.join(", "));
}

pub(super) const LONG: u64 = 600_000;

pub(super) fn run(n: u128, thread: &str) -> NewRun {
    NewRun {
        id: RunId::from_u128(n),
        thread: ThreadId::new(thread).unwrap(),
        make_thread: true,
        thread_metadata: object(json!({"graph_id": "g"})),
        payload: json!({"n": n as u64, "글": "가"}),
        metadata: object(json!({"who": "kim"})),
        if_busy: IfBusy::Enqueue,
        key: None,
        after_ms: 0,
        claim: None,
    }
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

pub(super) fn worker(name: &str, lease_ms: u64) -> Worker {
    Worker { owner: Owner::named(name), lease_ms }
}

pub(super) async fn accept(seams: &Seams, run: NewRun) -> QueuedRun {
    match seams.runs.enqueue(run).await.unwrap() {
        Enqueued::Accepted { run, .. } => run,
        other => panic!("not accepted: {other:?}"),
    }
}

pub(super) async fn claim(seams: &Seams, worker: Worker, limit: usize) -> Claimed {
    seams.runs.claim(Claim { worker, limit, gone: Vec::new(), most_deaths: 3 }).await.unwrap()
}

/// What there is to claim, as soon as there is something.
async fn claimed_at_last(seams: &Seams, worker: Worker) -> Vec<QueuedRun> {
    loop {
        let claimed = claim(seams, worker.clone(), 9).await.runs;
        if !claimed.is_empty() {
            return claimed;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub(super) fn numbers(runs: &[QueuedRun]) -> Vec<u128> {
    runs.iter().map(|run| run.id.as_u128()).collect()
}

pub(super) fn settled(status: RunStatus) -> Settled {
    Settled {
        status,
        outcome: Some(json!({"ended": status.as_str()})),
        thread_status: "idle".into(),
        remove_thread: false,
    }
}

async fn get(seams: &Seams, n: u128) -> Option<QueuedRun> {
    let query = RunQuery { ids: vec![RunId::from_u128(n)], ..RunQuery::default() };
    seams.runs.runs(query).await.unwrap().pop()
}

async fn thread_status(seams: &Seams, thread: &str) -> String {
    seams.catalog.entry(EntryKind::Thread, thread).await.unwrap().unwrap().status
}

async fn a_run_is_accepted_claimed_and_settled(seams: Seams) {
    let accepted = accept(&seams, run(1, "t")).await;
    assert_eq!((accepted.status, accepted.attempt), (RunStatus::Pending, 0));
    assert_eq!(accepted.payload, json!({"n": 1, "글": "가"}));
    assert_eq!(accepted.metadata, object(json!({"who": "kim"})));
    assert!(accepted.created_ms > 0);
    assert_eq!(get(&seams, 1).await, Some(accepted.clone()));
    assert_eq!(thread_status(&seams, "t").await, "busy");

    let claimed = claim(&seams, worker("a", LONG), 5).await;
    assert_eq!(claimed.runs.len(), 1);
    assert_eq!((claimed.dead.len(), claimed.waiting), (0, 0));
    let mine = &claimed.runs[0];
    assert_eq!((mine.status, mine.attempt, mine.owner.as_str()), (RunStatus::Running, 1, "a"));
    assert_eq!(mine.payload, accepted.payload);
    // Nobody else gets it.
    assert_eq!(claim(&seams, worker("b", LONG), 5).await, Claimed::default());

    assert!(!seams.runs.settle(mine.id, 2, settled(RunStatus::Error)).await.unwrap());
    assert!(seams.runs.settle(mine.id, 1, settled(RunStatus::Success)).await.unwrap());
    // Said once, it is said.
    assert!(!seams.runs.settle(mine.id, 1, settled(RunStatus::Error)).await.unwrap());
    let done = get(&seams, 1).await.unwrap();
    assert_eq!((done.status, done.outcome), (RunStatus::Success, Some(json!({"ended": "success"}))));
    assert_eq!(thread_status(&seams, "t").await, "idle");
    assert_eq!(claim(&seams, worker("b", LONG), 5).await, Claimed::default());
}

async fn a_run_can_begin_with_its_acceptance(seams: Seams) {
    let now = |n, t| NewRun { claim: Some(worker("a", LONG)), ..run(n, t) };
    let first = accept(&seams, now(1, "t")).await;
    assert_eq!((first.status, first.attempt, first.owner.as_str()), (RunStatus::Running, 1, "a"));
    // The thread is busy by now; another one is not.
    assert_eq!(accept(&seams, now(2, "t")).await.status, RunStatus::Pending);
    assert_eq!(accept(&seams, now(3, "u")).await.status, RunStatus::Running);
    assert_eq!(accept(&seams, NewRun { after_ms: LONG, ..now(4, "v") }).await.status, RunStatus::Pending);
    assert!(seams.runs.settle(first.id, 1, settled(RunStatus::Success)).await.unwrap());
    assert_eq!(numbers(&claim(&seams, worker("b", LONG), 9).await.runs), [2]);
}

async fn runs_of_a_thread_follow_one_another(seams: Seams) {
    for (n, t) in [(1, "t"), (2, "t"), (3, "u"), (4, "t"), (5, "u")] {
        accept(&seams, run(n, t)).await;
    }
    let first = claim(&seams, worker("a", LONG), 1).await;
    assert_eq!((numbers(&first.runs), first.waiting), (vec![1], 1));
    assert_eq!(numbers(&claim(&seams, worker("b", LONG), 9).await.runs), [3]);
    assert!(claim(&seams, worker("b", LONG), 9).await.runs.is_empty());
    assert!(seams.runs.settle(RunId::from_u128(1), 1, settled(RunStatus::Error)).await.unwrap());
    assert_eq!(thread_status(&seams, "t").await, "busy");
    let next = claim(&seams, worker("a", LONG), 9).await;
    assert_eq!(numbers(&next.runs), [2]);
    assert!(seams.runs.settle(RunId::from_u128(2), 1, settled(RunStatus::Success)).await.unwrap());
    assert_eq!(numbers(&claim(&seams, worker("a", LONG), 9).await.runs), [4]);
    assert!(seams.runs.settle(RunId::from_u128(4), 1, settled(RunStatus::Success)).await.unwrap());
    assert_eq!(thread_status(&seams, "t").await, "idle");
}

async fn a_thread_is_made_or_missed(seams: Seams) {
    let strict = NewRun { make_thread: false, ..run(1, "t") };
    assert_eq!(seams.runs.enqueue(strict.clone()).await.unwrap(), Enqueued::NoThread);
    assert_eq!(get(&seams, 1).await, None);
    accept(&seams, run(2, "t")).await;
    let more = NewRun { thread_metadata: object(json!({"graph_id": "h", "x": [1]})), ..strict };
    accept(&seams, more).await;
    let entry = seams.catalog.entry(EntryKind::Thread, "t").await.unwrap().unwrap();
    assert_eq!(entry.metadata, object(json!({"graph_id": "h", "x": [1]})));
    assert_eq!(entry.version, 2);
}

async fn the_same_key_gives_the_same_run(seams: Seams) {
    let keyed = |n, digest| NewRun { key: Some(("k".into(), digest)), ..run(n, "t") };
    let first = accept(&seams, keyed(1, u64::MAX)).await;
    assert_eq!(seams.runs.enqueue(keyed(2, u64::MAX)).await.unwrap(), Enqueued::Again(first));
    assert_eq!(seams.runs.enqueue(keyed(3, 8)).await.unwrap(), Enqueued::KeyTaken);
    // Also when it is over.
    claim(&seams, worker("a", LONG), 1).await;
    assert!(seams.runs.settle(RunId::from_u128(1), 1, settled(RunStatus::Success)).await.unwrap());
    let again = seams.runs.enqueue(keyed(4, u64::MAX)).await.unwrap();
    assert!(matches!(again, Enqueued::Again(run) if run.status == RunStatus::Success));
    assert_eq!(seams.runs.runs(RunQuery::default()).await.unwrap().len(), 1);

    // Ten at once.
    let mut racing = JoinSet::new();
    for n in 10..20 {
        let (runs, new) = (seams.runs.clone(), NewRun { key: Some(("race".into(), 1)), ..run(n, "u") });
        racing.spawn(async move { runs.enqueue(new).await.unwrap() });
    }
    let all = racing.join_all().await;
    let ids: Vec<RunId> = all
        .iter()
        .map(|enqueued| match enqueued {
            Enqueued::Accepted { run, .. } | Enqueued::Again(run) => run.id,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(all.iter().filter(|enqueued| matches!(enqueued, Enqueued::Accepted { .. })).count(), 1);
}

async fn a_busy_thread_rejects(seams: Seams) {
    let reject = |n| NewRun { if_busy: IfBusy::Reject, ..run(n, "t") };
    accept(&seams, reject(1)).await;
    assert_eq!(seams.runs.enqueue(reject(2)).await.unwrap(), Enqueued::Busy);
    claim(&seams, worker("a", LONG), 1).await;
    assert_eq!(seams.runs.enqueue(reject(2)).await.unwrap(), Enqueued::Busy);
    assert!(seams.runs.settle(RunId::from_u128(1), 1, settled(RunStatus::Success)).await.unwrap());
    accept(&seams, reject(2)).await;
}

async fn others_are_interrupted_or_rolled_back(seams: Seams) {
    for how in [Cancel::Interrupt, Cancel::Rollback] {
        let (base, t) = if how == Cancel::Interrupt { (10, "t") } else { (20, "u") };
        accept(&seams, NewRun { claim: Some(worker("a", LONG)), ..run(base, t) }).await;
        accept(&seams, run(base + 1, t)).await;
        let new = NewRun { if_busy: IfBusy::Cancel(how), claim: Some(worker("a", LONG)), ..run(base + 2, t) };
        let Enqueued::Accepted { run: new, stopping } = seams.runs.enqueue(new).await.unwrap() else {
            panic!()
        };
        // It waits for the one under way to stop.
        assert_eq!(new.status, RunStatus::Pending);
        assert_eq!(numbers(&stopping), [base]);
        assert_eq!(stopping[0].cancel, Some(how));
        let stopping_now = seams.runs.stopping(&Owner::named("a")).await.unwrap();
        assert_eq!(
            stopping_now.iter().map(|run| (run.id, run.cancel)).collect::<Vec<_>>(),
            [(RunId::from_u128(base), Some(how))]
        );
        match (how, get(&seams, base + 1).await) {
            (Cancel::Interrupt, Some(run)) => assert_eq!(run.status, RunStatus::Cancelled),
            (Cancel::Rollback, None) => {}
            (_, other) => panic!("{other:?}"),
        }
        assert!(claim(&seams, worker("b", LONG), 9).await.runs.is_empty());
        if how == Cancel::Interrupt {
            assert!(seams.runs.settle(stopping[0].id, 1, settled(RunStatus::Cancelled)).await.unwrap());
        } else {
            assert!(seams.runs.forget(stopping[0].id, Some(1)).await.unwrap());
        }
        assert_eq!(numbers(&claim(&seams, worker("b", LONG), 9).await.runs), [base + 2]);
    }
}

async fn a_delayed_run_waits_and_holds_up_nobody(seams: Seams) {
    let (began, delay) = (Instant::now(), Duration::from_millis(400));
    accept(&seams, NewRun { after_ms: 400, ..run(1, "t") }).await;
    accept(&seams, run(2, "t")).await;
    assert_eq!(numbers(&claim(&seams, worker("a", LONG), 9).await.runs), [2]);
    assert!(seams.runs.settle(RunId::from_u128(2), 1, settled(RunStatus::Success)).await.unwrap());
    assert_eq!(numbers(&claimed_at_last(&seams, worker("a", LONG)).await), [1]);
    assert!(began.elapsed() + Duration::from_millis(20) > delay, "it did not wait");
}

async fn a_silent_worker_loses_its_run(seams: Seams) {
    accept(&seams, run(1, "t")).await;
    accept(&seams, run(2, "t")).await;
    let (began, lease) = (Instant::now(), Duration::from_millis(300));
    assert_eq!(claim(&seams, worker("a", 300), 1).await.runs.len(), 1);
    let claimed = claimed_at_last(&seams, worker("b", LONG)).await;
    assert!(began.elapsed() + Duration::from_millis(20) > lease, "it was taken away");
    assert_eq!(numbers(&claimed), [1]);
    assert_eq!((claimed[0].attempt, claimed[0].deaths, claimed[0].owner.as_str()), (2, 1, "b"));
    // The first one has nothing more to say.
    assert!(seams.runs.renew(&worker("a", LONG), &[]).await.unwrap().is_empty());
    assert!(!seams.runs.settle(RunId::from_u128(1), 1, settled(RunStatus::Error)).await.unwrap());
    assert!(!seams.runs.forget(RunId::from_u128(1), Some(1)).await.unwrap());
    assert!(seams.runs.settle(RunId::from_u128(1), 2, settled(RunStatus::Success)).await.unwrap());
}

async fn a_dead_worker_is_replaced_at_once(seams: Seams) {
    accept(&seams, NewRun { claim: Some(worker("a", LONG)), ..run(1, "t") }).await;
    let gone = vec![Owner::named("x"), Owner::named("a")];
    let ask = Claim { worker: worker("b", LONG), limit: 9, gone, most_deaths: 3 };
    let claimed = seams.runs.claim(ask).await.unwrap().runs;
    assert_eq!((numbers(&claimed), claimed[0].attempt), (vec![1], 2));
}

async fn a_run_that_kills_its_workers_is_given_up(seams: Seams) {
    accept(&seams, run(1, "t")).await;
    accept(&seams, run(2, "t")).await;
    for attempt in 1..=3 {
        let claimed = claim(&seams, worker("a", 30), 9).await;
        assert_eq!((numbers(&claimed.runs), claimed.runs[0].attempt), (vec![1], attempt));
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    let claimed = claim(&seams, worker("a", LONG), 9).await;
    assert_eq!((numbers(&claimed.runs), numbers(&claimed.dead)), (vec![2], vec![1]));
    let dead = get(&seams, 1).await.unwrap();
    assert_eq!((dead.status, dead.deaths), (RunStatus::Dead, 3));
}

async fn a_run_that_was_given_up_can_be_tried_again(seams: Seams) {
    accept(&seams, run(1, "t")).await;
    let id = RunId::from_u128(1);
    assert!(!seams.runs.retry(id).await.unwrap(), "it waits anyway");
    for _ in 1..=3 {
        claim(&seams, worker("a", 30), 9).await;
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    assert_eq!(numbers(&claim(&seams, worker("a", LONG), 9).await.dead), vec![1]);
    assert_eq!(thread_status(&seams, "t").await, "error");
    accept(&seams, run(2, "t")).await;
    assert!(seams.runs.retry(id).await.unwrap());
    assert!(!seams.runs.retry(id).await.unwrap(), "once is enough");
    assert_eq!(thread_status(&seams, "t").await, "busy");
    let again = claim(&seams, worker("b", LONG), 9).await.runs;
    assert_eq!((numbers(&again), again[0].attempt, again[0].deaths), (vec![1], 4, 0));
    assert!(!seams.runs.retry(id).await.unwrap(), "it is under way");
    assert!(seams.runs.settle(id, 4, settled(RunStatus::Success)).await.unwrap());
    assert_eq!(numbers(&claim(&seams, worker("b", LONG), 9).await.runs), vec![2]);
    assert!(!seams.runs.retry(id).await.unwrap(), "it is done");
    assert!(!seams.runs.retry(RunId::from_u128(9)).await.unwrap(), "there is none");
}

async fn a_run_is_given_back_without_blame(seams: Seams) {
    accept(&seams, NewRun { claim: Some(worker("a", LONG)), ..run(1, "t") }).await;
    assert!(
        seams
            .runs
            .settle(RunId::from_u128(1), 1, Settled { outcome: None, ..settled(RunStatus::Pending) })
            .await
            .unwrap()
    );
    assert_eq!(thread_status(&seams, "t").await, "busy");
    let claimed = claim(&seams, worker("b", LONG), 9).await.runs;
    assert_eq!((numbers(&claimed), claimed[0].attempt, claimed[0].deaths), (vec![1], 2, 0));
}

async fn a_run_takes_its_thread_along(seams: Seams) {
    accept(&seams, NewRun { claim: Some(worker("a", LONG)), key: Some(("k".into(), 1)), ..run(1, "t") })
        .await;
    accept(&seams, run(2, "t")).await;
    accept(&seams, NewRun { claim: Some(worker("a", LONG)), ..run(3, "u") }).await;
    let last = Settled { remove_thread: true, ..settled(RunStatus::Success) };
    let settle =
        async |n, attempt| seams.runs.settle(RunId::from_u128(n), attempt, last.clone()).await.unwrap();
    // Not the caller's to say: it is another's, or it has not begun.
    assert!(!settle(1, 2).await);
    assert!(!settle(2, 0).await);
    assert_eq!(numbers(&seams.runs.runs(RunQuery::default()).await.unwrap()), [3, 2, 1]);
    assert!(settle(1, 1).await);
    assert_eq!(numbers(&seams.runs.runs(RunQuery::default()).await.unwrap()), [3]);
    assert_eq!(seams.catalog.entry(EntryKind::Thread, "t").await.unwrap(), None);
    assert_eq!(thread_status(&seams, "u").await, "busy");
    assert!(!settle(1, 1).await);
    // Its thread and its key are free again.
    accept(&seams, NewRun { key: Some(("k".into(), 2)), ..run(4, "t") }).await;
}

async fn cancelling_tells_the_worker(seams: Seams) {
    accept(&seams, NewRun { claim: Some(worker("a", LONG)), ..run(1, "t") }).await;
    let query = RunQuery { ids: vec![RunId::from_u128(1)], ..RunQuery::default() };
    let stopped = seams.runs.cancel(query.clone(), Cancel::Interrupt).await.unwrap();
    assert_eq!((numbers(&stopped), stopped[0].status), (vec![1], RunStatus::Running));
    let kept = seams.runs.renew(&worker("a", LONG), &[]).await.unwrap();
    assert_eq!((kept[0].attempt, kept[0].cancel), (1, Some(Cancel::Interrupt)));
    assert_eq!(seams.runs.stopping(&Owner::named("a")).await.unwrap(), kept);
    assert!(seams.runs.stopping(&Owner::named("b")).await.unwrap().is_empty());
    assert!(seams.runs.settle(RunId::from_u128(1), 1, settled(RunStatus::Cancelled)).await.unwrap());
    // What is over can't be stopped.
    assert!(seams.runs.cancel(query, Cancel::Interrupt).await.unwrap().is_empty());
}

async fn cancelling_what_waits_ends_it(seams: Seams) {
    accept(&seams, run(1, "t")).await;
    accept(&seams, NewRun { after_ms: LONG, ..run(2, "u") }).await;
    accept(&seams, run(3, "v")).await;
    let all = RunQuery { statuses: vec![RunStatus::Pending], ..RunQuery::default() };
    let of = |thread| RunQuery { thread: Some(ThreadId::new(thread).unwrap()), ..all.clone() };
    let stopped = seams.runs.cancel(of("t"), Cancel::Interrupt).await.unwrap();
    assert_eq!((numbers(&stopped), stopped[0].status), (vec![1], RunStatus::Cancelled));
    assert_eq!(thread_status(&seams, "t").await, "interrupted");
    assert_eq!(seams.runs.cancel(of("u"), Cancel::Rollback).await.unwrap().len(), 1);
    assert_eq!(get(&seams, 2).await, None);
    assert_eq!(numbers(&claim(&seams, worker("a", LONG), 9).await.runs), [3]);
}

async fn what_was_accepted_first_is_claimed_first(seams: Seams) {
    for (n, thread) in [(1, "u"), (2, "t"), (3, "v"), (4, "w")] {
        accept(&seams, run(n, thread)).await;
    }
    for n in 1..=4 {
        assert_eq!(numbers(&claim(&seams, worker("a", LONG), 1).await.runs), [n]);
    }
}

async fn who_has_no_room_is_told_how_many_wait_and_how_long(seams: Seams) {
    let told = async |limit| {
        let claimed = claim(&seams, worker("a", LONG), limit).await;
        (numbers(&claimed.runs), claimed.waiting, claimed.waited_ms)
    };
    accept(&seams, NewRun { after_ms: LONG, ..run(1, "later") }).await;
    assert_eq!(told(0).await, (vec![], 0, 0), "what is not due does not wait");
    for (n, thread) in [(2, "t"), (3, "u"), (4, "t"), (5, "v")] {
        accept(&seams, run(n, thread)).await;
    }
    // One of each thread.
    loop {
        let (taken, waiting, waited_ms) = told(0).await;
        assert_eq!((taken, waiting), (vec![], 3));
        if waited_ms >= 30 {
            assert!(waited_ms < LONG, "{waited_ms}");
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Which of them first, only a single database knows.
    let (taken, waiting, waited_ms) = told(1).await;
    assert_eq!((taken.len(), waiting), (1, 2));
    assert!(waited_ms > 0, "those that are left wait as well");
    let (taken, waiting, waited_ms) = told(9).await;
    assert_eq!((taken.len(), waiting, waited_ms), (2, 0, 0));
}

async fn runs_are_listed_latest_first(seams: Seams) {
    for n in 1..=6 {
        accept(&seams, run(n, if n % 2 == 0 { "t" } else { "u" })).await;
    }
    claim(&seams, worker("a", LONG), 9).await;
    let list = async |query| numbers(&seams.runs.runs(query).await.unwrap());
    assert_eq!(list(RunQuery::default()).await, [6, 5, 4, 3, 2, 1]);
    let t = RunQuery { thread: Some(ThreadId::new("t").unwrap()), ..RunQuery::default() };
    assert_eq!(list(t.clone()).await, [6, 4, 2]);
    assert_eq!(list(RunQuery { offset: 1, limit: Some(1), ..t.clone() }).await, [4]);
    assert_eq!(list(RunQuery { statuses: vec![RunStatus::Running], ..RunQuery::default() }).await, [2, 1]);
    assert_eq!(list(RunQuery { ids: vec![RunId::from_u128(1)], ..t }).await, [0_u128; 0]);
    let two = vec![RunId::from_u128(3), RunId::from_u128(5), RunId::from_u128(99)];
    assert_eq!(list(RunQuery { ids: two, ..RunQuery::default() }).await, [5, 3]);
}

async fn runs_are_forgotten(seams: Seams) {
    accept(&seams, NewRun { claim: Some(worker("a", LONG)), key: Some(("k".into(), 1)), ..run(1, "t") })
        .await;
    assert!(!seams.runs.forget(RunId::from_u128(1), None).await.unwrap());
    assert!(seams.runs.settle(RunId::from_u128(1), 1, settled(RunStatus::Success)).await.unwrap());
    assert!(seams.runs.forget(RunId::from_u128(1), None).await.unwrap());
    assert!(!seams.runs.forget(RunId::from_u128(1), None).await.unwrap());
    assert_eq!(get(&seams, 1).await, None);
    // Its key is free again.
    accept(&seams, NewRun { key: Some(("k".into(), 2)), ..run(2, "t") }).await;
}

async fn old_runs_are_listed_oldest_first(seams: Seams) {
    for n in 1..=3 {
        accept(&seams, run(n, "t")).await;
    }
    let old = async |time| {
        let query = RunQuery { older_than_ms: Some(time), limit: Some(2), ..RunQuery::default() };
        numbers(&seams.runs.runs(query).await.unwrap())
    };
    assert_eq!(old(1_000).await, [0_u128; 0]);
    let last = get(&seams, 3).await.unwrap().updated_ms;
    assert_eq!(old(last + 1).await, [1, 2]);
    assert!(!old(last).await.contains(&3));
}

async fn many_workers_share_without_overlap(seams: Seams) {
    for n in 1..=60 {
        accept(&seams, run(n, &format!("t{}", n % 20))).await;
    }
    let mut workers = JoinSet::new();
    for name in ["a", "b", "c", "d"] {
        let seams = seams.clone();
        workers.spawn(async move {
            let mut done = Vec::new();
            for _ in 0..200 {
                let claimed = claim(&seams, worker(name, LONG), 3).await;
                for run in &claimed.runs {
                    tokio::task::yield_now().await;
                    assert!(
                        seams.runs.settle(run.id, run.attempt, settled(RunStatus::Success)).await.unwrap()
                    );
                    done.push((run.thread.clone(), run.id));
                }
                if done.len() >= 60 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            done
        });
    }
    let all: Vec<(ThreadId, RunId)> = workers.join_all().await.into_iter().flatten().collect();
    let mut ids: Vec<u128> = all.iter().map(|(_, id)| id.as_u128()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=60).collect::<Vec<u128>>());
}

async fn racing_rejects_have_one_winner(seams: Seams) {
    let mut racing = JoinSet::new();
    for n in 1..=8 {
        let (runs, new) = (seams.runs.clone(), NewRun { if_busy: IfBusy::Reject, ..run(n, "t") });
        racing.spawn(async move { runs.enqueue(new).await.unwrap() });
    }
    let all = racing.join_all().await;
    assert_eq!(all.iter().filter(|enqueued| matches!(enqueued, Enqueued::Accepted { .. })).count(), 1);
    assert_eq!(all.iter().filter(|enqueued| matches!(enqueued, Enqueued::Busy)).count(), 7);
}
