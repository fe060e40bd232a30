//! What every store must do. A backend's tests run [`check`] with a function
//! that makes an empty store; each case gets its own.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! use std::sync::Arc;
//! use duru::store::MemoryStore;
//!
//! duru::testkit::contract::check(async || Arc::new(MemoryStore::new()) as _).await;
//! # }
//! ```
// These are tests, though another crate calls them.
#![allow(clippy::unwrap_used)]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::incarnation_cases::*;
use super::lease_cases::*;
use crate::store::{
    Checkpoints, Commit, Error, FORMAT, Head, Kind, Lease, Row, RowQuery, Seq, Snapshot, Status,
    ThreadSummary, Timer,
};
use crate::{CheckpointId, Incarnation, InterruptId, Namespace, RunId, Source, ThreadId};

/// A store under test; empty.
pub type Store = Arc<dyn Checkpoints>;

/// A case: panics when the store breaks the contract.
pub type Case = fn(Store) -> Pin<Box<dyn Future<Output = ()> + Send>>;

macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        /// Every case under its name, for backends that want a test for each.
        pub const CASES: &[(&str, Case)] = &[$((stringify!($name), |store| Box::pin($name(store)))),*];
    };
}

cases! {
    an_unknown_thread_has_nothing,
    the_first_commit_makes_the_thread,
    a_commit_without_rows_moves_the_version,
    a_stale_version_is_refused,
    a_foreign_epoch_is_refused,
    a_claim_fences_the_old_owner,
    a_gap_is_refused,
    a_refused_commit_changes_nothing,
    rows_match_a_naive_model,
    rows_of_absurd_bounds,
    rows_survive_bit_by_bit,
    snapshots_are_the_newest_at_or_before,
    timers_are_set_replaced_and_cleared,
    timers_come_earliest_first,
    threads_come_latest_first,
    similar_names_are_different_threads,
    removed_rows_are_gone_and_their_numbers_too,
    a_deleted_thread_is_gone,
    racing_commits_have_one_winner,
    many_threads_commit_at_once,
    seals_hold,
    a_lease_keeps_others_off,
    a_lease_is_given_back,
    a_lease_ends_by_itself_and_the_old_owner_can_write_no_more,
    every_commit_renews_the_lease,
    a_dead_owner_is_replaced_at_once,
    a_deleted_thread_leaves_no_lease,
    rows_are_found_by_run_and_by_checkpoint,
    a_thread_made_again_is_another_one,
    removals_are_counted,
}

/// Runs every case, each on a store of its own, and panics with the names of
/// those that failed.
pub async fn check(make: impl AsyncFn() -> Store) {
    let mut failed = Vec::new();
    for (name, case) in CASES {
        if tokio::spawn(case(make().await)).await.is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "the store breaks the contract: {}", failed.join(", "));
}

async fn an_unknown_thread_has_nothing(store: Store) {
    let ghost = thread("ghost");
    assert_eq!(store.head(&ghost).await.unwrap(), None);
    assert_eq!(store.rows(&ghost, RowQuery::default()).await.unwrap(), []);
    assert_eq!(store.snapshot(&ghost, &Namespace::root(), None).await.unwrap(), None);
    assert_eq!(store.due(u64::MAX, None, 10).await.unwrap(), []);
    assert_eq!(store.threads(0, 10).await.unwrap(), []);
    assert!(!store.delete(&ghost).await.unwrap());
}

async fn the_first_commit_makes_the_thread(store: Store) {
    let t = thread("t");
    let head = store.commit(Commit { rows: rows(&t, 0, &[2, 3]), ..fresh(&t) }).await.unwrap();
    let expected = Head {
        incarnation: Incarnation::from_u64(7),
        version: 1,
        epoch: 0,
        next_seq: 5,
        removals: 0,
        status: Status::Busy,
        created_ms: 1000,
        updated_ms: 1000,
    };
    assert_eq!(head, expected);
    assert_eq!(store.head(&t).await.unwrap(), Some(expected));

    let second = Commit { status: Status::Paused, at_ms: 2000, rows: rows(&t, 5, &[1]), ..next(&t, head) };
    let head = store.commit(second).await.unwrap();
    let expected = Head { version: 2, next_seq: 6, status: Status::Paused, updated_ms: 2000, ..expected };
    assert_eq!(head, expected);
    assert_eq!(store.head(&t).await.unwrap(), Some(expected));

    let mut head = head;
    for status in Status::ALL {
        head = store.commit(Commit { status, ..next(&t, head) }).await.unwrap();
        assert_eq!(store.head(&t).await.unwrap().unwrap().status, status);
    }
}

async fn a_commit_without_rows_moves_the_version(store: Store) {
    let t = thread("t");
    let head = store.commit(fresh(&t)).await.unwrap();
    assert_eq!((head.version, head.next_seq), (1, 0));
    let head = store.commit(next(&t, head)).await.unwrap();
    assert_eq!((head.version, head.next_seq), (2, 0));
    let head = store.commit(Commit { rows: rows(&t, 0, &[1]), ..next(&t, head) }).await.unwrap();
    assert_eq!((head.version, head.next_seq), (3, 1));
    assert_eq!(store.rows(&t, RowQuery::default()).await.unwrap().len(), 1);
}

async fn a_stale_version_is_refused(store: Store) {
    let t = thread("t");
    refused(&store, Commit { version: 1, ..fresh(&t) }, "it is at version 0, not 1").await;
    assert_eq!(store.head(&t).await.unwrap(), None);
    let head = full_thread(&store, &t).await;
    for version in [0, head.version - 1, head.version + 1, u64::MAX] {
        let reason = format!("it is at version {}, not {version}", head.version);
        refused(&store, Commit { version, ..loaded(&t, head) }, &reason).await;
    }
}

async fn a_foreign_epoch_is_refused(store: Store) {
    let t = thread("t");
    refused(&store, Commit { epoch: 1, ..fresh(&t) }, "its owner is number 0, not 1").await;
    assert_eq!(store.head(&t).await.unwrap(), None);
    let head = full_thread(&store, &t).await;
    for epoch in [head.epoch + 1, u64::MAX] {
        let reason = format!("its owner is number {}, not {epoch}", head.epoch);
        refused(&store, Commit { epoch, ..loaded(&t, head) }, &reason).await;
    }
}

async fn a_claim_fences_the_old_owner(store: Store) {
    let t = thread("t");
    let old = full_thread(&store, &t).await;
    let new = store.commit(Commit { claim: true, ..next(&t, old) }).await.unwrap();
    assert_eq!((new.version, new.epoch, new.next_seq), (old.version + 1, old.epoch + 1, old.next_seq));
    assert_eq!(store.head(&t).await.unwrap(), Some(new));

    let reason = format!("it is at version {}, not {}", new.version, old.version);
    refused(&store, loaded(&t, old), &reason).await;
    // Knowing the version does not help: the epoch is another's.
    let reason = format!("its owner is number {}, not {}", new.epoch, old.epoch);
    refused(&store, Commit { epoch: old.epoch, ..loaded(&t, new) }, &reason).await;
    refused(&store, Commit { epoch: old.epoch, claim: true, ..loaded(&t, new) }, &reason).await;

    let head = store.commit(loaded(&t, new)).await.unwrap();
    assert_eq!((head.version, head.epoch), (new.version + 1, new.epoch));
    // A thread may be claimed by its first commit, too.
    let claimed = store.commit(Commit { claim: true, ..fresh(&thread("u")) }).await.unwrap();
    assert_eq!((claimed.version, claimed.epoch), (1, 1));
}

async fn a_gap_is_refused(store: Store) {
    let t = thread("t");
    refused(&store, Commit { rows: rows(&t, 1, &[1]), ..fresh(&t) }, "its next event is 0, not 1").await;
    assert_eq!(store.head(&t).await.unwrap(), None);
    let head = full_thread(&store, &t).await;
    let n = head.next_seq;
    for seq in [0, n - 1, n + 1, 1 << 40] {
        let commit = Commit { rows: rows(&t, seq, &[1, 2]), ..loaded(&t, head) };
        refused(&store, commit, &format!("its next event is {n}, not {seq}")).await;
    }
    for (second, expected) in [(n + 2, n + 3), (n + 4, n + 3), (n, n + 3)] {
        let rows = [rows(&t, n, &[3]), rows(&t, second, &[1])].concat();
        let commit = Commit { rows, ..loaded(&t, head) };
        refused(&store, commit, &format!("its next event is {expected}, not {second}")).await;
    }
    // The version counts before the epoch, and the epoch before the rows.
    let commit = Commit { version: 0, epoch: 9, rows: rows(&t, 99, &[1]), ..next(&t, head) };
    refused(&store, commit, &format!("it is at version {}, not 0", head.version)).await;
    let commit = Commit { epoch: 9, rows: rows(&t, 99, &[1]), ..next(&t, head) };
    refused(&store, commit, &format!("its owner is number {}, not 9", head.epoch)).await;
}

async fn a_refused_commit_changes_nothing(store: Store) {
    let t = thread("t");
    // Nor does it make a thread.
    let rows = [rows(&t, 0, &[1]), rows(&t, 5, &[1])].concat();
    let commit = Commit {
        rows,
        snapshots: vec![snapshot(&t, "", 0)],
        set_timers: vec![(interrupt(1), 5)],
        ..fresh(&t)
    };
    refused(&store, commit, "its next event is 1, not 5").await;
    an_unknown_thread_has_nothing(store.clone()).await;

    let head = full_thread(&store, &t).await;
    let others = full_thread(&store, &thread("other")).await;
    let mut broken = loaded(&t, head);
    broken.rows.last_mut().unwrap().seq += 1;
    let seq = head.next_seq;
    refused(&store, broken, &format!("its next event is {}, not {}", seq + 2, seq + 3)).await;
    // And nothing that was refused stands in the way of the right one.
    store.commit(loaded(&t, head)).await.unwrap();
    store.commit(loaded(&thread("other"), others)).await.unwrap();
}

async fn rows_match_a_naive_model(store: Store) {
    let mut random = fastrand::Rng::with_seed(20_240_229);
    let threads = ["가", "a", "b"].map(thread);
    // Some that a sloppy comparison takes for each other.
    let namespaces =
        ["", "sub:1", "SUB:1", "sub_1", "%", "sub:1|deep:2", "하위:3"].map(Namespace::from_stored);
    let mut models: [Vec<Row>; 3] = Default::default();
    let mut heads: [Option<Head>; 3] = [None; 3];
    for _ in 0..60 {
        let i = random.usize(..threads.len());
        let t = &threads[i];
        let mut seq = heads[i].map_or(0, |head| head.next_seq);
        let mut new = Vec::new();
        for _ in 0..random.usize(..4) {
            let mut row = row(t, seq, random.u32(1..6));
            row.ns = namespaces[random.usize(..namespaces.len())].clone();
            row.kind = Kind::ALL[random.usize(..Kind::ALL.len())];
            row.run = RunId::from_u128(random.u128(..4));
            if row.kind == Kind::Checkpoint {
                // A copy of a thread has the same ones.
                row.checkpoint = Some(CheckpointId::from_u128(random.u128(..20)));
                row.source = Some(Source::ALL[random.usize(..3)]);
            }
            row.seal(t);
            seq = row.end();
            new.push(row);
        }
        models[i].extend(new.iter().cloned());
        let base = heads[i].map_or_else(|| fresh(t), |head| next(t, head));
        heads[i] = Some(store.commit(Commit { rows: new, ..base }).await.unwrap());
    }
    for _ in 0..900 {
        let i = random.usize(..threads.len());
        let end = heads[i].map_or(0, |head| head.next_seq);
        let kinds = [0, 1, 2, 7][random.usize(..4)];
        let query = RowQuery {
            ns: random.bool().then(|| namespaces[random.usize(..namespaces.len())].clone()),
            kinds: random.choose_multiple(Kind::ALL, kinds),
            from: if random.bool() { 0 } else { random.u64(..end + 4) },
            until: random.bool().then(|| random.u64(..end + 4)),
            limit: random.bool().then(|| random.usize(..12)),
            newest_first: random.bool(),
            run: (random.u8(..4) == 0).then(|| RunId::from_u128(random.u128(..5))),
            checkpoint: (random.u8(..8) == 0).then(|| CheckpointId::from_u128(random.u128(..21))),
            source: (random.u8(..8) == 0).then(|| Source::ALL[random.usize(..4)]),
            incarnation: random.bool().then(|| Incarnation::from_u64(7)),
        };
        let expected = naive(&models[i], &query);
        assert_eq!(store.rows(&threads[i], query.clone()).await.unwrap(), expected, "{query:?}");
    }
}

fn naive(rows: &[Row], query: &RowQuery) -> Vec<Row> {
    let mut found = rows.to_vec();
    found.retain(|row| {
        row.end() > query.from
            && query.until.is_none_or(|until| row.seq < until)
            && query.ns.as_ref().is_none_or(|ns| row.ns == *ns)
            && (query.kinds.is_empty() || query.kinds.contains(&row.kind))
            && query.run.is_none_or(|run| row.run == run)
            && query.checkpoint.is_none_or(|id| row.checkpoint == Some(id))
            && query.source.is_none_or(|source| row.source == Some(source))
    });
    if query.newest_first {
        found.reverse();
    }
    found.truncate(query.limit.unwrap_or(usize::MAX));
    found
}

async fn rows_of_absurd_bounds(store: Store) {
    let t = thread("t");
    let head = full_thread(&store, &t).await;
    full_thread(&store, &thread("u")).await;
    let all = store.rows(&t, RowQuery::default()).await.unwrap();
    assert_eq!(all.last().unwrap().end(), head.next_seq);
    for far in [head.next_seq, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 33, i64::MAX as u64, u64::MAX] {
        let until = RowQuery { until: Some(far), limit: Some(usize::MAX), ..RowQuery::default() };
        assert_eq!(store.rows(&t, until).await.unwrap(), all, "until {far}");
        for newest_first in [false, true] {
            let from = RowQuery { from: far, newest_first, ..RowQuery::default() };
            assert_eq!(store.rows(&t, from).await.unwrap(), [], "from {far}");
        }
    }
    let backwards = RowQuery { from: head.next_seq - 1, until: Some(1), ..RowQuery::default() };
    assert_eq!(store.rows(&t, backwards).await.unwrap(), []);
}

async fn rows_survive_bit_by_bit(store: Store) {
    let t = thread("대화 '하나'; -- 🦀 é");
    let every_byte: Vec<u8> = (0..=255).collect();
    let payloads = [
        Vec::new(),
        vec![0],
        "{\"말\":\"안녕하세요\\u0000\"}".as_bytes().to_vec(),
        every_byte.clone(),
        every_byte.repeat(500),
    ];
    let times = [0, 1, 1 << 53, i64::MAX as u64 - 1, i64::MAX as u64];
    let numbers = [0, 1, u128::MAX, 1 << 127, 0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10];
    let checksums = [0, 1, u64::MAX, 1 << 63, i64::MAX as u64];
    let mut all = Vec::new();
    let mut snapshots = Vec::new();
    let mut seq = 0;
    for i in 0..payloads.len() {
        let ns = Namespace::from_stored(["", "요약:0|b:1", "a'b\"c", "%_", "A"][i]);
        let kind = Kind::ALL[i];
        let row = Row {
            seq,
            events: [1, 2, 65_536, 1, 7][i],
            ns: ns.clone(),
            kind,
            run: RunId::from_u128(numbers[i]),
            checkpoint: (i != 1).then(|| CheckpointId::from_u128(numbers[4 - i])),
            source: (i != 2).then_some(Source::ALL[i]),
            at_ms: times[i],
            format: [0, 1, 2, 65_536, i32::MAX as u32][i],
            payload: payloads[i].clone(),
            checksum: checksums[i],
        };
        snapshots.push(Snapshot {
            ns,
            seq,
            format: row.format,
            payload: row.payload.clone(),
            checksum: checksums[i],
        });
        seq = row.end();
        all.push(row);
    }
    let commit = Commit { rows: all.clone(), snapshots: snapshots.clone(), at_ms: times[4], ..fresh(&t) };
    let head = store.commit(commit).await.unwrap();
    assert_eq!((head.created_ms, head.updated_ms), (times[4], times[4]));
    assert_eq!(store.head(&t).await.unwrap(), Some(head));
    assert_eq!(store.rows(&t, RowQuery::default()).await.unwrap(), all);
    for snapshot in snapshots {
        assert_eq!(store.snapshot(&t, &snapshot.ns, None).await.unwrap(), Some(snapshot));
    }
    let listed = store.threads(0, 2).await.unwrap();
    assert_eq!(listed, [ThreadSummary { thread: t, head }]);
}

async fn snapshots_are_the_newest_at_or_before(store: Store) {
    let t = thread("t");
    let (root, sub) = (Namespace::root(), Namespace::from_stored("sub:1"));
    let commit = Commit {
        rows: rows(&t, 0, &[1; 10]),
        snapshots: vec![snapshot(&t, "", 2), snapshot(&t, "sub:1", 3)],
        ..fresh(&t)
    };
    let head = store.commit(commit).await.unwrap();
    let commit =
        Commit { rows: rows(&t, 10, &[1; 10]), snapshots: vec![snapshot(&t, "", 12)], ..next(&t, head) };
    store.commit(commit).await.unwrap();
    full_thread(&store, &thread("u")).await;

    let cases = [
        (&root, None, Some(12)),
        (&root, Some(u64::MAX), Some(12)),
        (&root, Some(12), Some(12)),
        (&root, Some(11), Some(2)),
        (&root, Some(2), Some(2)),
        (&root, Some(1), None),
        (&root, Some(0), None),
        (&sub, None, Some(3)),
        (&sub, Some(3), Some(3)),
        (&sub, Some(2), None),
    ];
    for (ns, until, expected) in cases {
        let expected = expected.map(|seq| snapshot(&t, ns.as_str(), seq));
        assert_eq!(store.snapshot(&t, ns, until).await.unwrap(), expected, "{ns:?} until {until:?}");
    }
    let other = Namespace::from_stored("sub:2");
    assert_eq!(store.snapshot(&t, &other, None).await.unwrap(), None);
}

async fn timers_are_set_replaced_and_cleared(store: Store) {
    let t = thread("t");
    let set =
        |timers: &[(u128, u64)]| timers.iter().map(|(id, at)| (interrupt(*id), *at)).collect::<Vec<_>>();
    let due = async |now| {
        let timers = store.due(now, None, 100).await.unwrap();
        timers.into_iter().map(|timer| (timer.interrupt, timer.at_ms)).collect::<Vec<_>>()
    };
    let commit = Commit { set_timers: set(&[(1, 500), (2, 300), (u128::MAX, 400)]), ..fresh(&t) };
    let head = store.commit(commit).await.unwrap();
    assert_eq!(due(299).await, []);
    assert_eq!(due(300).await, set(&[(2, 300)]));
    assert_eq!(due(u64::MAX).await, set(&[(2, 300), (u128::MAX, 400), (1, 500)]));

    // A deadline can move, in both directions.
    let head =
        store.commit(Commit { set_timers: set(&[(1, 100), (2, 900)]), ..next(&t, head) }).await.unwrap();
    assert_eq!(due(800).await, set(&[(1, 100), (u128::MAX, 400)]));
    // Reading does not clear.
    assert_eq!(due(800).await.len(), 2);

    let clear = vec![interrupt(1), interrupt(77)];
    let head = store.commit(Commit { clear_timers: clear, ..next(&t, head) }).await.unwrap();
    assert_eq!(due(u64::MAX).await, set(&[(u128::MAX, 400), (2, 900)]));
    // Set and cleared by the same commit: cleared.
    let commit = Commit { set_timers: set(&[(5, 1)]), clear_timers: vec![interrupt(5)], ..next(&t, head) };
    store.commit(commit).await.unwrap();
    assert_eq!(due(u64::MAX).await.len(), 2);

    // The same question of another thread is another timer.
    let u = thread("u");
    let head = store.commit(Commit { set_timers: set(&[(2, 50)]), ..fresh(&u) }).await.unwrap();
    assert_eq!(due(u64::MAX).await, set(&[(2, 50), (u128::MAX, 400), (2, 900)]));
    store.commit(Commit { clear_timers: vec![interrupt(2)], ..next(&u, head) }).await.unwrap();
    assert_eq!(due(u64::MAX).await.len(), 2);
    assert!(store.delete(&t).await.unwrap());
    assert_eq!(due(u64::MAX).await, []);
}

async fn timers_come_earliest_first(store: Store) {
    let mut expected = Vec::new();
    for (i, name) in ["나", "b", "가", "a", "B"].iter().enumerate() {
        let t = thread(name);
        let set_timers: Vec<_> = (0..6)
            .map(|j: u128| (interrupt((j << 120) | (6 - j)), [700, 100, 700][(i + j as usize) % 3]))
            .collect();
        for (interrupt, at_ms) in &set_timers {
            expected.push(Timer { thread: t.clone(), interrupt: *interrupt, at_ms: *at_ms });
        }
        store.commit(Commit { set_timers, ..fresh(&t) }).await.unwrap();
    }
    expected.sort_by(|a, b| (a.at_ms, &a.thread, a.interrupt).cmp(&(b.at_ms, &b.thread, b.interrupt)));
    for limit in [0, 1, 7, 29, 30, 31, usize::MAX] {
        let due = store.due(700, None, limit).await.unwrap();
        assert_eq!(due, expected[..limit.min(expected.len())], "at most {limit}");
    }
    assert_eq!(store.due(699, None, 100).await.unwrap(), expected[..10]);
    // Page by page, with those of one moment on both sides of a page's end.
    for limit in [1, 4, 11] {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = store.due(700, after.as_ref(), limit).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.clone());
            found.extend(page);
        }
        assert_eq!(found, expected, "{limit} at a time");
    }
}

async fn threads_come_latest_first(store: Store) {
    let mut expected = Vec::new();
    // Moments apart, and days.
    const DAY: u64 = 86_400_000;
    let times = [("d", 30), ("a", 10), ("나", 20), ("b", 20), ("가", 20), ("c", 20), ("B", 20)];
    let later = [("e", DAY), ("f", 9 * DAY), ("g", DAY + 1), ("A", 9 * DAY), ("h", 3 * DAY)];
    for (name, at_ms) in times.into_iter().chain(later) {
        let t = thread(name);
        // When it was made says nothing about when it was last written.
        let made_ms = if expected.len() % 2 == 0 { 5 } else { at_ms };
        let head = store.commit(Commit { at_ms: made_ms, ..fresh(&t) }).await.unwrap();
        let head = store.commit(Commit { at_ms, ..next(&t, head) }).await.unwrap();
        expected.push(ThreadSummary { thread: t, head });
    }
    expected.sort_by(|a, b| (b.head.updated_ms, &a.thread).cmp(&(a.head.updated_ms, &b.thread)));
    for offset in [0, 1, 3, 6, 11, 12, 13, usize::MAX] {
        for limit in [0, 1, 2, 12, usize::MAX] {
            let page: Vec<_> = expected.iter().skip(offset).take(limit).cloned().collect();
            assert_eq!(store.threads(offset, limit).await.unwrap(), page, "{limit} from {offset}");
        }
    }
    // Written last, listed first.
    let last = expected.last().unwrap().clone();
    store.commit(Commit { at_ms: 99 * DAY, ..next(&last.thread, last.head) }).await.unwrap();
    assert_eq!(store.threads(0, 1).await.unwrap()[0].thread, last.thread);
}

async fn similar_names_are_different_threads(store: Store) {
    let long = "l".repeat(254);
    let names = ["a", "A", "a ", " a", "á", "a\u{301}", "%", "_", "a%", "1", "01", "1.0", "null", "ａ"];
    let names: Vec<ThreadId> = names
        .iter()
        .map(|name| thread(name))
        .chain([thread(&format!("{long}1")), thread(&format!("{long}2"))])
        .collect();
    for (i, t) in names.iter().enumerate() {
        let rows = rows(t, 0, &vec![1; i + 1]);
        store.commit(Commit { rows, ..fresh(t) }).await.unwrap();
    }
    for (i, t) in names.iter().enumerate() {
        let rows = store.rows(t, RowQuery::default()).await.unwrap();
        assert_eq!(rows.len(), i + 1, "{t}");
        rows.iter().for_each(|row| row.verify(t).unwrap());
    }
    assert!(store.delete(&names[0]).await.unwrap());
    assert_eq!(store.threads(0, 100).await.unwrap().len(), names.len() - 1);
}

async fn removed_rows_are_gone_and_their_numbers_too(store: Store) {
    let (t, other) = (thread("t"), thread("other"));
    store.commit(Commit { rows: rows(&other, 0, &[1, 1, 1]), ..fresh(&other) }).await.unwrap();
    let first = Commit {
        rows: rows(&t, 0, &[1, 2, 1, 3]),
        snapshots: vec![snapshot(&t, "", 1), snapshot(&t, "a", 3), snapshot(&t, "", 4)],
        ..fresh(&t)
    };
    let head = store.commit(first).await.unwrap();
    let seqs = async |query: RowQuery| -> Vec<Seq> {
        store.rows(&t, query).await.unwrap().iter().map(|row| row.seq).collect()
    };

    // A removal that is refused removes nothing.
    let stale = Commit { remove: Some(0..7), version: head.version + 1, ..next(&t, head) };
    assert!(matches!(store.commit(stale).await, Err(Error::Conflict { .. })));
    assert_eq!(seqs(RowQuery::default()).await, [0, 1, 3, 4]);

    // From the front, together with a new snapshot inside what stays.
    let front = Commit { remove: Some(0..3), snapshots: vec![snapshot(&t, "", 3)], ..next(&t, head) };
    let head = store.commit(front).await.unwrap();
    assert_eq!(seqs(RowQuery::default()).await, [3, 4]);
    assert_eq!(seqs(RowQuery { from: 1, ..RowQuery::default() }).await, [3, 4]);
    let root = Namespace::root();
    assert_eq!(store.snapshot(&t, &root, Some(2)).await.unwrap(), None);
    assert_eq!(store.snapshot(&t, &root, Some(3)).await.unwrap().map(|s| s.seq), Some(3));

    // From the end: what follows gets new numbers.
    let back = Commit { remove: Some(4..head.next_seq), rows: rows(&t, 7, &[2]), ..next(&t, head) };
    let head = store.commit(back).await.unwrap();
    assert_eq!(head.next_seq, 9);
    assert_eq!(seqs(RowQuery::default()).await, [3, 7]);
    assert_eq!(store.snapshot(&t, &root, None).await.unwrap().map(|s| s.seq), Some(3));
    assert_eq!(store.rows(&other, RowQuery::default()).await.unwrap().len(), 3, "others keep theirs");
}

async fn a_deleted_thread_is_gone(store: Store) {
    let (t, u) = (thread("t"), thread("u"));
    full_thread(&store, &u).await;
    let old = full_thread(&store, &t).await;
    let others = everything(&store, &u).await;
    assert!(store.delete(&t).await.unwrap());
    assert!(!store.delete(&t).await.unwrap());
    assert_eq!(store.head(&t).await.unwrap(), None);
    assert_eq!(store.rows(&t, RowQuery::default()).await.unwrap(), []);
    assert_eq!(store.snapshot(&t, &Namespace::root(), None).await.unwrap(), None);
    assert!(store.due(u64::MAX, None, 100).await.unwrap().iter().all(|timer| timer.thread == u));
    let left = everything(&store, &u).await;
    assert_eq!((left.head, &left.rows, &left.snapshot), (others.head, &others.rows, &others.snapshot));
    assert_eq!(left.threads.len(), 1);

    // Its old owner can't bring it back, and a new one begins at the start.
    let reason = format!("it is at version 0, not {}", old.version);
    refused(&store, loaded(&t, old), &reason).await;
    let head = store.commit(Commit { at_ms: 7, rows: rows(&t, 0, &[1]), ..fresh(&t) }).await.unwrap();
    assert_eq!((head.version, head.epoch, head.next_seq, head.created_ms), (1, 0, 1, 7));
    assert_eq!(store.rows(&t, RowQuery::default()).await.unwrap().len(), 1);
    assert_eq!(store.snapshot(&t, &Namespace::root(), None).await.unwrap(), None);
    assert!(store.due(u64::MAX, None, 100).await.unwrap().iter().all(|timer| timer.thread == u));
}

async fn racing_commits_have_one_winner(store: Store) {
    const VERSIONS: u64 = 40;
    let t = thread("t");
    let mut racers = JoinSet::new();
    for racer in 0..4_u128 {
        let (store, t) = (store.clone(), t.clone());
        racers.spawn(async move {
            let mut won = Vec::new();
            for version in 0..VERSIONS {
                let mut row = row(&t, version, 1);
                row.run = RunId::from_u128(racer);
                row.seal(&t);
                let base = Commit { version, ..fresh(&t) };
                match store.commit(Commit { rows: vec![row], ..base }).await {
                    Ok(head) => {
                        assert_eq!(head.version, version + 1);
                        won.push(version);
                    }
                    Err(Error::Conflict { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
                // Somebody has won this version, and the next can be tried.
                assert!(store.head(&t).await.unwrap().unwrap().version > version);
            }
            (racer, won)
        });
    }
    let mut winners = vec![None; VERSIONS as usize];
    while let Some(result) = racers.join_next().await {
        let (racer, won) = result.unwrap();
        for version in won {
            let before = winners[version as usize].replace(racer);
            assert_eq!(before, None, "version {version} was won twice");
        }
    }
    let head = store.head(&t).await.unwrap().unwrap();
    assert_eq!((head.version, head.next_seq), (VERSIONS, VERSIONS));
    let wrote: Vec<_> = store
        .rows(&t, RowQuery::default())
        .await
        .unwrap()
        .iter()
        .map(|row| Some(row.run.as_u128()))
        .collect();
    assert_eq!(wrote, winners);
}

async fn many_threads_commit_at_once(store: Store) {
    let mut tasks = JoinSet::new();
    for i in 0..100 {
        let store = store.clone();
        tasks.spawn(async move {
            let t = thread(&format!("thread {i}"));
            let mut head = store.commit(Commit { rows: rows(&t, 0, &[2]), ..fresh(&t) }).await.unwrap();
            for _ in 0..4 {
                // A refusal amid the others does not take them along.
                let stale = store.commit(Commit { version: 0, ..loaded(&t, head) }).await;
                assert!(matches!(stale, Err(Error::Conflict { .. })), "{stale:?}");
                let rows = rows(&t, head.next_seq, &[2]);
                head = store.commit(Commit { rows, ..next(&t, head) }).await.unwrap();
            }
        });
    }
    while let Some(result) = tasks.join_next().await {
        result.unwrap();
    }
    let threads = store.threads(0, 1000).await.unwrap();
    assert_eq!(threads.len(), 100);
    for ThreadSummary { thread: t, head } in threads {
        assert_eq!((head.version, head.next_seq), (5, 10));
        assert_eq!(store.rows(&t, RowQuery::default()).await.unwrap(), rows(&t, 0, &[2; 5]));
    }
}

async fn seals_hold(store: Store) {
    let t = thread("봉인");
    full_thread(&store, &t).await;
    for stored in store.rows(&t, RowQuery::default()).await.unwrap() {
        stored.verify(&t).unwrap();
        assert!(stored.verify(&thread("another")).is_err());
        for i in 0..stored.payload.len() {
            let mut row = stored.clone();
            row.payload[i] ^= 1 << (i % 8);
            assert!(matches!(row.verify(&t), Err(Error::Corrupt { .. })));
        }
        let newer = Row { format: FORMAT + 1, ..stored.clone() };
        assert!(matches!(newer.verify(&t), Err(Error::Newer { .. })));
    }
    let mut stored = store.snapshot(&t, &Namespace::root(), None).await.unwrap().unwrap();
    stored.verify(&t).unwrap();
    stored.payload[0] ^= 0x80;
    assert!(matches!(stored.verify(&t), Err(Error::Corrupt { .. })));
}

/// All that a store shows of a thread.
#[derive(Debug, PartialEq)]
struct Everything {
    head: Option<Head>,
    rows: Vec<Row>,
    snapshot: Option<Snapshot>,
    timers: Vec<Timer>,
    threads: Vec<ThreadSummary>,
}

async fn everything(store: &Store, t: &ThreadId) -> Everything {
    Everything {
        head: store.head(t).await.unwrap(),
        rows: store.rows(t, RowQuery::default()).await.unwrap(),
        snapshot: store.snapshot(t, &Namespace::root(), None).await.unwrap(),
        timers: store.due(u64::MAX, None, 1000).await.unwrap(),
        threads: store.threads(0, 1000).await.unwrap(),
    }
}

/// The store refuses the commit for this reason and nothing has changed.
pub(super) async fn refused(store: &Store, commit: Commit, why: &str) {
    let t = commit.thread.clone();
    let before = everything(store, &t).await;
    match store.commit(commit).await {
        Err(Error::Conflict { thread, reason }) => assert_eq!((thread, reason.as_str()), (t.clone(), why)),
        other => panic!("not refused because {why:?}: {other:?}"),
    }
    assert_eq!(everything(store, &t).await, before);
}

pub(super) fn thread(name: &str) -> ThreadId {
    ThreadId::new(name).unwrap()
}

fn interrupt(number: u128) -> InterruptId {
    format!("{number:032x}").parse().unwrap()
}

/// A sealed row.
fn row(t: &ThreadId, seq: Seq, events: u32) -> Row {
    let mut row = Row {
        seq,
        events,
        ns: Namespace::root(),
        kind: Kind::Task,
        run: RunId::from_u128(1),
        checkpoint: None,
        source: None,
        at_ms: 1000,
        format: FORMAT,
        payload: format!("{{\"행\":{seq}}}").into_bytes(),
        checksum: 0,
    };
    row.seal(t);
    row
}

/// Rows that follow each other, each of so many events.
pub(super) fn rows(t: &ThreadId, first: Seq, events: &[u32]) -> Vec<Row> {
    let mut seq = first;
    let next = |events: &u32| {
        let row = row(t, seq, *events);
        seq = row.end();
        row
    };
    events.iter().map(next).collect()
}

pub(super) fn snapshot(t: &ThreadId, ns: &str, seq: Seq) -> Snapshot {
    let payload = format!("{{\"seq\":{seq}}}").into_bytes();
    let mut snapshot = Snapshot { ns: Namespace::from_stored(ns), seq, format: FORMAT, payload, checksum: 0 };
    snapshot.seal(t);
    snapshot
}

/// A first commit with nothing in it.
pub(super) fn fresh(t: &ThreadId) -> Commit {
    Commit {
        thread: t.clone(),
        incarnation: Incarnation::from_u64(7),
        version: 0,
        epoch: 0,
        claim: false,
        lease: Lease::default(),
        queued: None,
        status: Status::Busy,
        at_ms: 1000,
        remove: None,
        rows: Vec::new(),
        snapshots: Vec::new(),
        set_timers: Vec::new(),
        clear_timers: Vec::new(),
    }
}

/// A commit that extends `head`, with nothing in it.
pub(super) fn next(t: &ThreadId, head: Head) -> Commit {
    Commit { incarnation: head.incarnation, version: head.version, epoch: head.epoch, ..fresh(t) }
}

/// A commit that extends `head` and changes everything there is.
fn loaded(t: &ThreadId, head: Head) -> Commit {
    Commit {
        status: Status::Failed,
        at_ms: 9000,
        rows: rows(t, head.next_seq, &[2, 3]),
        snapshots: vec![snapshot(t, "", head.next_seq)],
        set_timers: vec![(interrupt(1), 1), (interrupt(9), 90)],
        clear_timers: vec![interrupt(2)],
        ..next(t, head)
    }
}

/// A thread with some of everything, at version 2.
async fn full_thread(store: &Store, t: &ThreadId) -> Head {
    let first = Commit {
        rows: rows(t, 0, &[1, 4]),
        snapshots: vec![snapshot(t, "", 1)],
        set_timers: vec![(interrupt(1), 10), (interrupt(2), 20)],
        ..fresh(t)
    };
    let head = store.commit(first).await.unwrap();
    store.commit(Commit { rows: rows(t, 5, &[3]), ..next(t, head) }).await.unwrap()
}
