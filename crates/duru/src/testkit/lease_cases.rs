//! What every store must do about owners and their leases: part of its contract.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use super::contract::{Store, fresh, next, rows, thread};
use crate::store::{Commit, Error, Lease, Owner, RowQuery, Status};

/// Long enough that no test sees its end.
const LONG: u64 = 600_000;

fn lease(owner: &str, ttl_ms: u64) -> Lease {
    Lease { owner: Owner::named(owner), ttl_ms, instead_of: None }
}

/// Who is said to own the thread; none if the commit was written.
async fn owner_in_the_way(store: &Store, commit: Commit) -> Option<(String, u64)> {
    match store.commit(commit).await {
        Ok(_) => None,
        Err(Error::Owned { owner, for_ms, .. }) => Some((owner.as_str().to_owned(), for_ms)),
        Err(other) => panic!("neither written nor owned: {other}"),
    }
}

pub(super) async fn a_lease_keeps_others_off(store: Store) {
    let t = thread("t");
    let first = Commit { claim: true, lease: lease("a", LONG), rows: rows(&t, 0, &[1]), ..fresh(&t) };
    let head = store.commit(first).await.unwrap();

    for other in
        [lease("b", LONG), Lease::default(), Lease { instead_of: Some(Owner::named("c")), ..lease("b", 1) }]
    {
        let commit = Commit { claim: true, lease: other, rows: rows(&t, 1, &[1]), ..next(&t, head) };
        let (owner, for_ms) = owner_in_the_way(&store, commit).await.unwrap();
        assert_eq!(owner, "a");
        assert!((1..=LONG).contains(&for_ms), "{for_ms}");
    }
    // Also where version and epoch do not fit: who owns it is what helps.
    let stale = Commit { claim: true, lease: lease("b", LONG), version: 7, epoch: 9, ..fresh(&t) };
    assert!(owner_in_the_way(&store, stale).await.is_some());
    // Nothing was written, and everybody can read.
    assert_eq!(store.head(&t).await.unwrap(), Some(head));
    assert_eq!(store.rows(&t, RowQuery::default()).await.unwrap().len(), 1);
    // Its owner goes on, and may begin anew.
    let head = store.commit(Commit { lease: lease("a", LONG), ..next(&t, head) }).await.unwrap();
    let again = Commit { claim: true, lease: lease("a", LONG), ..next(&t, head) };
    assert_eq!(store.commit(again).await.unwrap().epoch, head.epoch + 1);
}

pub(super) async fn a_lease_is_given_back(store: Store) {
    let t = thread("t");
    let head = store.commit(Commit { claim: true, lease: lease("a", LONG), ..fresh(&t) }).await.unwrap();
    let last = Commit { status: Status::Idle, lease: lease("a", 0), ..next(&t, head) };
    let head = store.commit(last).await.unwrap();
    let claim = Commit { claim: true, lease: lease("b", LONG), ..next(&t, head) };
    assert_eq!(owner_in_the_way(&store, claim).await, None);
}

pub(super) async fn a_lease_ends_by_itself_and_the_old_owner_can_write_no_more(store: Store) {
    let t = thread("t");
    let old = store.commit(Commit { claim: true, lease: lease("a", 50), ..fresh(&t) }).await.unwrap();
    let claim = Commit { claim: true, lease: lease("b", LONG), ..next(&t, old) };
    let mut waited = 0;
    while let Some((_, for_ms)) = owner_in_the_way(&store, claim.clone()).await {
        assert!(for_ms <= 50, "{for_ms}");
        waited += 1;
        assert!(waited < 200, "the lease never ends");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let zombie = Commit { lease: lease("a", LONG), rows: rows(&t, 0, &[1]), ..next(&t, old) };
    assert!(matches!(store.commit(zombie).await, Err(Error::Conflict { .. })));
    // Nor has it got its lease back by trying.
    let new = store.head(&t).await.unwrap().unwrap();
    let claim = Commit { claim: true, lease: lease("a", LONG), ..next(&t, new) };
    assert_eq!(owner_in_the_way(&store, claim).await.unwrap().0, "b");
}

pub(super) async fn every_commit_renews_the_lease(store: Store) {
    let t = thread("t");
    let mut head = store.commit(Commit { claim: true, lease: lease("a", 1000), ..fresh(&t) }).await.unwrap();
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(600)).await;
        head = store.commit(Commit { lease: lease("a", 1000), ..next(&t, head) }).await.unwrap();
    }
    let claim = Commit { claim: true, lease: lease("b", LONG), ..next(&t, head) };
    let (_, for_ms) = owner_in_the_way(&store, claim).await.unwrap();
    assert!(for_ms > 400, "{for_ms}");
}

pub(super) async fn a_dead_owner_is_replaced_at_once(store: Store) {
    let t = thread("t");
    let head = store.commit(Commit { claim: true, lease: lease("a", LONG), ..fresh(&t) }).await.unwrap();
    let instead = Lease { instead_of: Some(Owner::named("a")), ..lease("b", LONG) };
    let claim = Commit { claim: true, lease: instead, ..next(&t, head) };
    assert_eq!(owner_in_the_way(&store, claim).await, None);
    let head = store.head(&t).await.unwrap().unwrap();
    let claim = Commit { claim: true, lease: lease("c", LONG), ..next(&t, head) };
    assert_eq!(owner_in_the_way(&store, claim).await.unwrap().0, "b");
}

pub(super) async fn a_deleted_thread_leaves_no_lease(store: Store) {
    let t = thread("t");
    store.commit(Commit { claim: true, lease: lease("a", LONG), ..fresh(&t) }).await.unwrap();
    assert!(store.delete(&t).await.unwrap());
    assert_eq!(
        owner_in_the_way(&store, Commit { claim: true, lease: lease("b", 1), ..fresh(&t) }).await,
        None
    );
}

pub(super) async fn rows_are_found_by_run_and_by_checkpoint(store: Store) {
    let t = thread("t");
    let mut all = rows(&t, 0, &[1, 1, 1, 1]);
    for (i, row) in (0..).zip(&mut all) {
        row.run = crate::RunId::from_u128(i / 2);
        row.checkpoint = (i > 0).then(|| crate::CheckpointId::from_u128(i));
        row.seal(&t);
    }
    store.commit(Commit { rows: all.clone(), ..fresh(&t) }).await.unwrap();
    let find = async |query| store.rows(&t, query).await.unwrap();
    let of_run = RowQuery { run: Some(crate::RunId::from_u128(1)), ..RowQuery::default() };
    assert_eq!(find(of_run.clone()).await, all[2..]);
    assert_eq!(find(RowQuery { limit: Some(1), newest_first: true, ..of_run }).await, all[3..]);
    let at = |n| RowQuery { checkpoint: Some(crate::CheckpointId::from_u128(n)), ..RowQuery::default() };
    assert_eq!(find(at(2)).await, all[2..3]);
    assert_eq!(find(at(9)).await, []);
}
