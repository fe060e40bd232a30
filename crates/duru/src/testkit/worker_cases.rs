//! What every queue must do about workers and their leases: part of its contract.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use super::contract::{fresh, next, rows, thread};
use super::runs_contract::{LONG, Seams, accept, claim, numbers, run, settled, worker};
use crate::RunId;
use crate::store::{Commit, Error, HeldRun, Lease, NewRun, Owner, RunStatus};

fn ids(held: &[HeldRun]) -> Vec<u128> {
    let mut ids: Vec<u128> = held.iter().map(|run| run.id.as_u128()).collect();
    ids.sort_unstable();
    ids
}

pub(super) async fn a_sign_of_life_keeps_all_runs_of_a_worker(seams: Seams) {
    let a = worker("a", 3000);
    for n in 1..=3 {
        accept(&seams, NewRun { claim: Some(a.clone()), ..run(n, &format!("t{n}")) }).await;
    }
    accept(&seams, NewRun { claim: Some(worker("c", LONG)), ..run(4, "u") }).await;
    // For longer than the lease lasts; a busy machine may take its time for a few of them.
    for _ in 0..16 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        // One renewal for all of them, and none is named.
        assert_eq!(ids(&seams.runs.renew(&a, &[]).await.unwrap()), [1, 2, 3]);
        assert!(claim(&seams, worker("b", LONG), 9).await.runs.is_empty());
    }
    let mut owners = seams.runs.owners().await.unwrap();
    owners.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    assert_eq!(owners, [Owner::named("a"), Owner::named("c")]);
    assert!(seams.runs.settle(RunId::from_u128(2), 1, settled(RunStatus::Success)).await.unwrap());
    assert_eq!(ids(&seams.runs.renew(&a, &[]).await.unwrap()), [1, 3]);
}

pub(super) async fn a_worker_gives_up_what_it_never_heard_of(seams: Seams) {
    // The answer to this claim is lost.
    let a = worker("a", 200);
    accept(&seams, NewRun { claim: Some(a.clone()), ..run(1, "t") }).await;
    accept(&seams, NewRun { claim: Some(worker("a", LONG)), ..run(2, "u") }).await;
    let unknown = [(RunId::from_u128(1), 1), (RunId::from_u128(2), 1), (RunId::from_u128(9), 1)];
    tokio::time::sleep(Duration::from_millis(250)).await;
    let held = seams.runs.renew(&worker("a", LONG), &[]).await.unwrap();
    let overdue: Vec<u128> = held.iter().filter(|run| run.overdue).map(|run| run.id.as_u128()).collect();
    assert_eq!((ids(&held), overdue), (vec![1, 2], vec![1]));
    // It may still hear of the second one. Of another attempt nothing is said.
    let other = [(RunId::from_u128(1), 2)];
    assert_eq!(ids(&seams.runs.renew(&worker("a", LONG), &other).await.unwrap()), [1, 2]);
    assert_eq!(ids(&seams.runs.renew(&worker("a", LONG), &unknown).await.unwrap()), [2]);
    let claimed = claim(&seams, worker("b", LONG), 9).await.runs;
    assert_eq!((numbers(&claimed), claimed[0].attempt), (vec![1], 2));
    // Nobody gives up another's.
    assert!(seams.runs.renew(&worker("c", LONG), &unknown).await.unwrap().is_empty());
    assert_eq!(ids(&seams.runs.renew(&worker("b", LONG), &[]).await.unwrap()), [1]);
}

pub(super) async fn a_run_under_way_keeps_its_thread_while_its_worker_lives(seams: Seams) {
    let t = thread("t");
    let by = |owner: &str, ttl_ms| Lease { owner: Owner::named(owner), ttl_ms, instead_of: None };
    let a = worker("a", LONG);
    accept(&seams, NewRun { claim: Some(a.clone()), ..run(1, "t") }).await;
    // A lease of the thread that is over at once.
    let first = Commit { claim: true, lease: by("a", 1), rows: rows(&t, 0, &[1]), ..fresh(&t) };
    let head = seams.checkpoints.commit(first).await.unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    let claims = |head| Commit { claim: true, lease: by("b", LONG), ..next(&t, head) };
    match seams.checkpoints.commit(claims(head)).await {
        Err(Error::Owned { owner, for_ms, .. }) => {
            assert_eq!(owner, Owner::named("a"));
            assert!((1..=LONG).contains(&for_ms), "{for_ms}");
        }
        other => panic!("its worker lives, and it was taken: {other:?}"),
    }
    // The worker itself goes on.
    let head = seams.checkpoints.commit(Commit { lease: by("a", 1), ..next(&t, head) }).await.unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    // Once its run is over, nothing is kept.
    assert!(seams.runs.settle(RunId::from_u128(1), 1, settled(RunStatus::Success)).await.unwrap());
    let head = seams.checkpoints.commit(claims(head)).await.unwrap();
    let zombie = Commit { lease: by("a", LONG), ..next(&t, head) };
    let zombie = Commit { epoch: zombie.epoch - 1, ..zombie };
    assert!(matches!(seams.checkpoints.commit(zombie).await, Err(Error::Conflict { .. })));
}

pub(super) async fn the_status_of_runs_is_told_without_them(seams: Seams) {
    accept(&seams, NewRun { claim: Some(worker("a", LONG)), ..run(1, "t") }).await;
    accept(&seams, run(2, "t")).await;
    let asked = [1, 2, 9].map(RunId::from_u128);
    let mut told = seams.runs.statuses(&asked).await.unwrap();
    told.sort_by_key(|(run, _)| run.as_u128());
    assert_eq!(told, [(asked[0], RunStatus::Running), (asked[1], RunStatus::Pending)]);
    assert!(seams.runs.statuses(&[]).await.unwrap().is_empty());
}
