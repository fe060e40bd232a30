//! A thread is more than its name: part of the contract.
#![allow(clippy::unwrap_used)]

use super::contract::{Store, fresh, next, refused, rows, snapshot, thread};
use crate::store::{Commit, Error, RowQuery};
use crate::{Incarnation, Namespace};

pub(super) async fn a_thread_made_again_is_another_one(store: Store) {
    let t = thread("t");
    let made = async |number: u64| {
        let first = Commit {
            incarnation: Incarnation::from_u64(number),
            claim: true,
            rows: rows(&t, 0, &[1, 2]),
            snapshots: vec![snapshot(&t, "", 1)],
            ..fresh(&t)
        };
        store.commit(first).await.unwrap()
    };
    let of =
        |number: u64| RowQuery { incarnation: Some(Incarnation::from_u64(number)), ..RowQuery::default() };
    let old = made(11).await;
    assert_eq!((old.incarnation.as_u64(), old.version, old.epoch), (11, 1, 1));
    assert_eq!(store.rows(&t, of(11)).await.unwrap().len(), 2);
    assert!(store.delete(&t).await.unwrap());
    assert!(matches!(store.rows(&t, of(11)).await, Err(Error::Deleted { thread }) if thread == t));
    refused(&store, next(&t, old), "it is at version 0, not 1").await;

    // The same name, version, epoch and numbers: only the incarnation tells them apart.
    let new = made(i64::MAX as u64).await;
    assert_eq!((new.version, new.epoch, new.next_seq), (old.version, old.epoch, old.next_seq));
    assert_eq!(store.head(&t).await.unwrap(), Some(new));
    let another = "it was deleted, and its name is another thread's";
    let late = Commit { rows: rows(&t, 3, &[1]), ..next(&t, old) };
    refused(&store, late.clone(), another).await;
    refused(&store, Commit { claim: true, ..late.clone() }, another).await;
    refused(&store, Commit { remove: Some(0..3), rows: Vec::new(), ..late }, another).await;
    // A second first commit is one too many, whatever it calls itself.
    refused(&store, fresh(&t), "it is at version 1, not 0").await;
    for query in [of(11), RowQuery { from: 99, ..of(11) }, RowQuery { limit: Some(0), ..of(11) }] {
        assert!(matches!(store.rows(&t, query).await, Err(Error::Deleted { .. })));
    }
    assert_eq!(store.rows(&t, of(i64::MAX as u64)).await.unwrap().len(), 2);
    assert_eq!(store.rows(&t, RowQuery { from: 99, ..of(i64::MAX as u64) }).await.unwrap(), []);
    let head = store.commit(Commit { rows: rows(&t, 3, &[1]), ..next(&t, new) }).await.unwrap();
    assert_eq!((head.incarnation, head.version), (new.incarnation, 2));
    assert_eq!(store.threads(0, 9).await.unwrap()[0].head, head);
    assert!(store.delete(&t).await.unwrap());
    assert_eq!(store.snapshot(&t, &Namespace::root(), None).await.unwrap(), None);
}

pub(super) async fn removals_are_counted(store: Store) {
    let t = thread("t");
    let mut head = store.commit(Commit { rows: rows(&t, 0, &[1, 1, 1]), ..fresh(&t) }).await.unwrap();
    for (removals, range) in [(0, None), (1, Some(0..1)), (1, None), (2, Some(1..2)), (2, None)] {
        head = store.commit(Commit { remove: range, ..next(&t, head) }).await.unwrap();
        assert_eq!(head.removals, removals);
        assert_eq!(store.head(&t).await.unwrap(), Some(head));
    }
    let stale = Commit { remove: Some(0..9), epoch: 5, ..next(&t, head) };
    assert!(matches!(store.commit(stale).await, Err(Error::Conflict { .. })));
    assert_eq!(store.head(&t).await.unwrap(), Some(head));
}
