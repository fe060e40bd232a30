//! Calls of the queue that wait travel together, and share nothing else.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use duru::RunId;
use duru::store::{
    Checkpoints, Enqueued, Error, IfBusy, NewRun, Owner, RunQuery, RunStatus, Runs, Settled, Worker,
};
use duru_store::PostgresStore;
use tokio::task::JoinSet;

use crate::pg_proxy::Proxy;
use crate::pg_runs::{LONG, new_run, settled, worker};
use crate::pg_server::{self, open_store};
use crate::{one_row, thread};

const CALLS: u128 = 200;

/// Makes so many calls at once; gives what came of each, in their order.
async fn at_once<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    store: &Arc<PostgresStore>,
    call: impl Fn(Arc<PostgresStore>, u128) -> F,
) -> Vec<T> {
    let mut tasks = JoinSet::new();
    for n in 1..=CALLS {
        let call = call(store.clone(), n);
        tasks.spawn(async move { (n, call.await) });
    }
    let mut given = tasks.join_all().await;
    given.sort_by_key(|(n, _)| *n);
    given.into_iter().map(|(_, given)| given).collect()
}

async fn runs_in(store: &PostgresStore, status: RunStatus) -> usize {
    store.runs(RunQuery { statuses: vec![status], ..RunQuery::default() }).await.unwrap().len()
}

#[tokio::test]
async fn calls_that_wait_share_a_round_trip() {
    let Some(pg) = pg_server::shared() else { return };
    let proxy = Proxy::start(&pg.url).await;
    let store = Arc::new(open_store(&proxy.url, &pg.fresh_schema()).await);
    let round_trips = || proxy.seen.round_trips.load(Ordering::SeqCst);
    let mut before = round_trips();
    let mut few = |what: &str| {
        let now = round_trips();
        assert!(now - before < CALLS as u64 / 4, "{} round trips for {CALLS} calls: {what}", now - before);
        before = now;
    };

    let accepted = at_once(&store, |store, n| async move {
        let claim = (n % 2 == 0).then(|| worker("a"));
        store.enqueue(NewRun { claim, ..new_run(n, &format!("t{n}")) }).await.unwrap()
    });
    for (n, accepted) in (1..).zip(accepted.await) {
        let Enqueued::Accepted { run, stopping } = accepted else { panic!("run {n}: {accepted:?}") };
        let status = if n % 2 == 0 { RunStatus::Running } else { RunStatus::Pending };
        let expected = (RunId::from_u128(n), thread(&format!("t{n}")), status, 0);
        assert_eq!((run.id, run.thread, run.status, stopping.len()), expected);
    }
    few("accept");

    // Threads that are there, and busy.
    let again = at_once(&store, |store, n| async move {
        let if_busy = if n % 2 == 0 { IfBusy::Reject } else { IfBusy::Enqueue };
        store.enqueue(NewRun { if_busy, ..new_run(CALLS + n, &format!("t{n}")) }).await.unwrap()
    });
    for (n, again) in (1..).zip(again.await) {
        assert_eq!(matches!(again, Enqueued::Busy), n % 2 == 0, "run {n}: {again:?}");
        assert_eq!(matches!(again, Enqueued::Accepted { .. }), n % 2 == 1, "run {n}: {again:?}");
    }
    few("accept on threads that are there");

    let counted = at_once(&store, |store, n| async move {
        let last = Settled { remove_thread: n % 4 == 0, ..settled(RunStatus::Success) };
        store.settle(RunId::from_u128(n), 1, last).await.unwrap()
    });
    // Those with an odd number have not begun.
    assert_eq!(counted.await, (1..=CALLS).map(|n| n % 2 == 0).collect::<Vec<_>>());
    few("settle");
    assert_eq!(runs_in(&store, RunStatus::Success).await as u128, CALLS / 4);
    assert_eq!(runs_in(&store, RunStatus::Pending).await as u128, CALLS);

    at_once(&store, |store, n| async move {
        store.commit(one_row(&thread(&format!("t{n}")), None, b"{}")).await.unwrap();
    })
    .await;
    few("commit");
    let removed =
        at_once(
            &store,
            |store, n| async move { store.delete(&thread(&format!("t{}", n * 2))).await.unwrap() },
        );
    assert_eq!(removed.await, (1..=CALLS).map(|n| n * 2 <= CALLS).collect::<Vec<_>>());
    few("delete");
    assert_eq!(store.threads(0, 1000).await.unwrap().len() as u128, CALLS / 2);
}

/// A text that PostgreSQL can't hold is found out when the whole group is sent.
#[tokio::test]
async fn one_that_is_refused_takes_no_neighbour_along() {
    let Some(pg) = pg_server::shared() else { return };
    let store = Arc::new(pg.store().await);
    let is_bad = |n: u128| n.is_multiple_of(50);
    let accepted = at_once(&store, |store, n| async move {
        let owner = Owner::named(if is_bad(n) { "\0" } else { "a" });
        let claim = Some(Worker { owner, lease_ms: LONG });
        store.enqueue(NewRun { claim, ..new_run(n, &format!("t{n}")) }).await
    });
    for (n, accepted) in (1..).zip(accepted.await) {
        match accepted {
            Ok(accepted) => assert!(!is_bad(n) && matches!(accepted, Enqueued::Accepted { .. })),
            Err(error) => assert!(is_bad(n) && matches!(error, Error::Backend { .. }), "run {n}: {error}"),
        }
    }
    let running = runs_in(&store, RunStatus::Running).await as u128;
    assert_eq!(running, CALLS - CALLS / 50);

    let is_bad = |n: u128| n % 40 == 1;
    let counted = at_once(&store, |store, n| async move {
        let thread_status = if is_bad(n) { "\0" } else { "idle" }.to_owned();
        store.settle(RunId::from_u128(n), 1, Settled { thread_status, ..settled(RunStatus::Success) }).await
    });
    let mut ended = 0;
    for (n, counted) in (1..).zip(counted.await) {
        match counted {
            // Those that were refused above are not there.
            Ok(counts) => assert!(!is_bad(n) && counts == (n % 50 != 0), "run {n}"),
            Err(error) => assert!(is_bad(n), "run {n}: {error}"),
        }
        ended += usize::from(!is_bad(n) && n % 50 != 0);
    }
    assert_eq!(runs_in(&store, RunStatus::Success).await, ended);
    assert_eq!(runs_in(&store, RunStatus::Running).await as u128, CALLS / 40);
}
