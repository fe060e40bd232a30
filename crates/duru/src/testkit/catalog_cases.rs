//! What every catalog must do: part of the contract.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use serde_json::json;
use tokio::task::JoinSet;

use super::contract::{fresh, next, rows, thread};
use super::runs_contract::{Seams, accept, object, run};
use crate::Incarnation;
use crate::store::{
    Catalog, Commit, Entry, EntryKind, EntryQuery, Error, Expect, Put, RunQuery, SortBy, contains,
};

async fn put(catalog: &Arc<dyn Catalog>, entry: Entry, expect: Expect) -> Entry {
    match catalog.put(entry, expect).await.unwrap() {
        Put::Stored(entry) => entry,
        other @ Put::Unexpected(_) => panic!("{other:?}"),
    }
}

pub(super) async fn an_entry_is_put_read_and_removed(Seams { catalog, .. }: Seams) {
    assert_eq!(catalog.entry(EntryKind::Cron, "a").await.unwrap(), None);
    let new = Entry {
        status: "on".into(),
        label: "매일".into(),
        metadata: object(json!({"누가": ["kim", {"deep": null}]})),
        body: object(json!({"z": 1, "a": [1.5, true]})),
        due_ms: Some(77),
        ..Entry::new(EntryKind::Cron, "a")
    };
    let stored = put(&catalog, new.clone(), Expect::New).await;
    assert_eq!(stored.version, 1);
    assert!(stored.created_ms > 0 && stored.updated_ms == stored.created_ms);
    assert_ne!(stored.incarnation, Incarnation::NONE);
    let expected = Entry {
        incarnation: stored.incarnation,
        version: 1,
        created_ms: stored.created_ms,
        updated_ms: stored.updated_ms,
        ..new
    };
    assert_eq!(stored, expected);
    assert_eq!(catalog.entry(EntryKind::Cron, "a").await.unwrap(), Some(stored.clone()));
    // Of another kind it is another one.
    assert_eq!(catalog.entry(EntryKind::Assistant, "a").await.unwrap(), None);

    assert_eq!(
        catalog.put(stored.clone(), Expect::New).await.unwrap(),
        Put::Unexpected(Some(stored.clone()))
    );
    let changed = Entry { status: "off".into(), due_ms: None, ..stored.clone() };
    let changed = put(&catalog, changed, Expect::Any).await;
    assert_eq!((changed.version, changed.created_ms), (2, stored.created_ms));
    assert_eq!(changed.incarnation, stored.incarnation);
    assert!(catalog.remove(EntryKind::Cron, "a").await.unwrap());
    assert!(!catalog.remove(EntryKind::Cron, "a").await.unwrap());
    assert_eq!(catalog.put(changed, Expect::Version(2)).await.unwrap(), Put::Unexpected(None));
}

pub(super) async fn an_entry_is_changed_by_one_of_many(Seams { catalog, .. }: Seams) {
    let first = put(&catalog, Entry::new(EntryKind::Assistant, "a"), Expect::New).await;
    let mut racing = JoinSet::new();
    for n in 0..8 {
        let (catalog, first) = (catalog.clone(), first.clone());
        racing.spawn(async move {
            let mine = Entry { label: n.to_string(), ..first };
            matches!(catalog.put(mine, Expect::Version(1)).await.unwrap(), Put::Stored(_))
        });
    }
    assert_eq!(racing.join_all().await.into_iter().filter(|won| *won).count(), 1);
    assert_eq!(catalog.entry(EntryKind::Assistant, "a").await.unwrap().unwrap().version, 2);
}

pub(super) async fn entries_are_filtered(Seams { catalog, .. }: Seams) {
    for (id, status, metadata, body, due) in [
        ("a", "idle", json!({"graph_id": "g", "n": 1}), json!({"of": "x"}), Some(10)),
        ("b", "busy", json!({"graph_id": "g", "n": 2, "deep": {"k": [1, 2]}}), json!({"of": "y"}), Some(20)),
        ("c", "idle", json!({"graph_id": "h'\"; --"}), json!({"of": "x"}), None),
    ] {
        let entry = Entry {
            status: status.into(),
            metadata: object(metadata),
            body: object(body),
            due_ms: due,
            ..Entry::new(EntryKind::Thread, id)
        };
        put(&catalog, entry, Expect::New).await;
    }
    put(&catalog, Entry::new(EntryKind::Cron, "d"), Expect::New).await;
    let of = EntryQuery { sort: SortBy::Id, ascending: true, ..EntryQuery::of(EntryKind::Thread) };
    let find = async |query: EntryQuery| {
        let found = catalog.find(query).await.unwrap();
        assert_eq!(found.total, found.entries.len());
        found.entries.into_iter().map(|entry| entry.id).collect::<Vec<String>>().join(" ")
    };
    assert_eq!(find(of.clone()).await, "a b c");
    assert_eq!(find(EntryQuery { ids: vec!["c".into(), "a".into(), "d".into()], ..of.clone() }).await, "a c");
    assert_eq!(find(EntryQuery { status: Some("idle".into()), ..of.clone() }).await, "a c");
    for (metadata, expected) in [
        (json!({"graph_id": "g"}), "a b"),
        (json!({"graph_id": "g", "n": 2}), "b"),
        (json!({"deep": {"k": [2]}}), "b"),
        (json!({"deep": {"k": [3]}}), ""),
        (json!({"graph_id": "h'\"; --"}), "c"),
        (json!({"missing": null}), ""),
    ] {
        assert_eq!(find(EntryQuery { metadata: object(metadata), ..of.clone() }).await, expected);
    }
    assert_eq!(find(EntryQuery { body: object(json!({"of": "x"})), ..of.clone() }).await, "a c");
    assert_eq!(find(EntryQuery { due_by_ms: Some(15), ..of.clone() }).await, "a");
    assert_eq!(find(EntryQuery { due_by_ms: Some(20), ..of }).await, "a b");
}

pub(super) async fn entries_are_sorted_and_paged(Seams { catalog, .. }: Seams) {
    for (id, label, status) in [("a", "z", "2"), ("b", "y", "1"), ("c", "x", "2")] {
        let entry =
            Entry { label: label.into(), status: status.into(), ..Entry::new(EntryKind::Assistant, id) };
        put(&catalog, entry, Expect::New).await;
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    }
    let a = catalog.entry(EntryKind::Assistant, "a").await.unwrap().unwrap();
    put(&catalog, a, Expect::Any).await;
    let find = async |sort, ascending, offset, limit| {
        let query = EntryQuery { sort, ascending, offset, limit, ..EntryQuery::of(EntryKind::Assistant) };
        let found = catalog.find(query).await.unwrap();
        assert_eq!(found.total, 3);
        found.entries.into_iter().map(|entry| entry.id).collect::<String>()
    };
    assert_eq!(find(SortBy::Created, false, 0, 9).await, "cba");
    assert_eq!(find(SortBy::Created, true, 0, 9).await, "abc");
    assert_eq!(find(SortBy::Updated, false, 0, 9).await, "acb");
    assert_eq!(find(SortBy::Label, true, 0, 9).await, "cba");
    assert_eq!(find(SortBy::Status, false, 0, 9).await, "acb");
    assert_eq!(find(SortBy::Id, false, 1, 1).await, "b");
    assert_eq!(find(SortBy::Id, false, 5, 1).await, "");
    assert_eq!(find(SortBy::Id, true, 0, 0).await, "");
}

pub(super) async fn containment_is_that_of_json(Seams { catalog, .. }: Seams) {
    let whole = json!({"a": {"b": [1, {"c": "x"}], "n": 1.0}, "null": null, "list": []});
    put(
        &catalog,
        Entry { metadata: object(whole.clone()), ..Entry::new(EntryKind::Thread, "t") },
        Expect::New,
    )
    .await;
    for (part, expected) in [
        (json!({}), true),
        (json!({"a": {}}), true),
        (json!({"a": {"b": []}}), true),
        (json!({"a": {"b": [{"c": "x"}]}}), true),
        (json!({"a": {"b": [{"c": "y"}]}}), false),
        (json!({"a": {"b": 1}}), false),
        (json!({"a": {"n": 1}}), true),
        (json!({"null": null}), true),
        (json!({"null": 0}), false),
        (json!({"list": {}}), false),
        (json!({"a": "x"}), false),
    ] {
        assert_eq!(contains(&whole, &part), expected, "{part}");
        let query = EntryQuery { metadata: object(part.clone()), ..EntryQuery::of(EntryKind::Thread) };
        assert_eq!(catalog.find(query).await.unwrap().total, usize::from(expected), "{part}");
    }
}

pub(super) async fn a_removed_thread_takes_its_runs_and_its_log_along(seams: Seams) {
    let store = &seams.checkpoints;
    let (t, u) = (thread("t"), thread("u"));
    for (number, thread) in [(1, &t), (2, &u)] {
        accept(&seams, run(number, thread.as_str())).await;
        store.commit(Commit { rows: rows(thread, 0, &[1]), ..fresh(thread) }).await.unwrap();
    }
    // What has the same name and is something else takes nothing along.
    put(&seams.catalog, Entry::new(EntryKind::Said, "t"), Expect::New).await;
    assert!(seams.catalog.remove(EntryKind::Said, "t").await.unwrap());
    assert!(store.head(&t).await.unwrap().is_some());
    assert!(seams.catalog.remove(EntryKind::Thread, "t").await.unwrap());
    let left = seams.runs.runs(RunQuery::default()).await.unwrap();
    assert_eq!(left.iter().map(|run| run.id.as_u128()).collect::<Vec<_>>(), [2]);
    assert_eq!(store.head(&t).await.unwrap(), None);
    assert!(store.head(&u).await.unwrap().is_some());
    // Also where no entry tells of it.
    store.commit(Commit { rows: rows(&t, 0, &[1]), ..fresh(&t) }).await.unwrap();
    assert!(!seams.catalog.remove(EntryKind::Thread, "t").await.unwrap());
    assert_eq!(store.head(&t).await.unwrap(), None);
}

pub(super) async fn odd_texts_come_back_as_they_were(seams: Seams) {
    let odd =
        json!({"": "\u{1f600} \\ \" ' \n\t\u{7f}", "숫자": [0, -1, 9007199254740993_u64, 1e-7, u64::MAX]});
    let entry = Entry {
        metadata: object(odd.clone()),
        body: object(odd.clone()),
        label: "'; DROP TABLE runs; --".into(),
        ..Entry::new(EntryKind::Assistant, "이름 %_")
    };
    let stored = put(&seams.catalog, entry.clone(), Expect::New).await;
    assert_eq!((stored.metadata, stored.body), (entry.metadata, entry.body));
    let found = seams.catalog.entry(EntryKind::Assistant, "이름 %_").await.unwrap().unwrap();
    assert_eq!((&found.metadata, &found.body), (&object(odd.clone()), &object(odd.clone())));
    let mut new = run(1, "t");
    new.payload = json!({"deep": odd});
    new.metadata = object(json!({"k": odd}));
    let accepted = accept(&seams, new.clone()).await;
    assert_eq!((accepted.payload, accepted.metadata), (new.payload, new.metadata));
}

pub(super) async fn an_entry_made_again_is_another_one(seams: Seams) {
    let catalog = &seams.catalog;
    let old = put(catalog, Entry::new(EntryKind::Thread, "t"), Expect::New).await;
    assert!(catalog.remove(EntryKind::Thread, "t").await.unwrap());
    let new = Entry { label: "new".into(), ..Entry::new(EntryKind::Thread, "t") };
    let new = put(catalog, new, Expect::New).await;
    assert_eq!(new.version, old.version);
    assert_ne!(new.incarnation, old.incarnation);
    // A change based on a read of the first does not change the second.
    let late = Entry { label: "late".into(), ..old };
    assert_eq!(catalog.put(late, Expect::Version(1)).await.unwrap(), Put::Unexpected(Some(new.clone())));
    let changed = put(catalog, Entry { label: "newer".into(), ..new.clone() }, Expect::Version(1)).await;
    assert_eq!((changed.incarnation, changed.version), (new.incarnation, 2));
    assert_eq!(catalog.entry(EntryKind::Thread, "t").await.unwrap(), Some(changed.clone()));
    // One that comes with a run is no exception.
    assert!(catalog.remove(EntryKind::Thread, "t").await.unwrap());
    accept(&seams, run(1, "t")).await;
    let made = catalog.entry(EntryKind::Thread, "t").await.unwrap().unwrap();
    assert_ne!(made.incarnation, Incarnation::NONE);
    assert_ne!(made.incarnation, changed.incarnation);
}

pub(super) async fn a_run_that_is_gone_makes_no_thread(seams: Seams) {
    let store = &seams.checkpoints;
    let accepted = accept(&seams, run(1, "t")).await;
    let first = Commit {
        queued: Some(accepted.id),
        rows: rows(&accepted.thread, 0, &[1]),
        ..fresh(&accepted.thread)
    };
    // Its thread was removed before it wrote anything.
    assert!(seams.catalog.remove(EntryKind::Thread, "t").await.unwrap());
    let Err(Error::Conflict { reason, .. }) = store.commit(first.clone()).await else {
        panic!("it was made")
    };
    assert_eq!(reason, format!("run {} was removed from the queue", accepted.id));
    assert_eq!(store.head(&accepted.thread).await.unwrap(), None);

    let again = accept(&seams, run(2, "t")).await;
    let head = store.commit(Commit { queued: Some(again.id), ..first.clone() }).await.unwrap();
    assert_eq!(head.version, 1);
    // It may go on: the thread was removed with what it wrote, or it was not.
    assert!(seams.runs.forget(again.id, None).await.is_ok());
    let more =
        Commit { queued: Some(again.id), rows: rows(&again.thread, 1, &[1]), ..next(&again.thread, head) };
    assert_eq!(store.commit(more).await.unwrap().version, 2);
    // Who is in no queue makes threads as ever.
    assert!(store.delete(&again.thread).await.unwrap());
    assert_eq!(store.commit(Commit { queued: None, ..first }).await.unwrap().version, 1);
}
