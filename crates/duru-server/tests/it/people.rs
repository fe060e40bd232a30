//! What is kept of people: erased whole, even if it is cut off in the middle; and what is too old.

use std::sync::Arc;
use std::time::Duration;

use duru::memory::Memory;
use duru::store::{
    Catalog, Entry, EntryKind, EntryQuery, Expect, MemoryStore, RunQuery, RunStatus, Runs, Settled,
};
use duru::store::{Checkpoints, Commit, IfBusy, Lease, NewRun, Owner, Status, Worker};
use duru::{RunId, ThreadId};
use duru_server::{Keys, NewKey, People, Person, Retention, Stores, Sweep};
use duru_store::SqliteStore;
use serde_json::{Map, Value, json};

fn owned(name: &str) -> Map<String, Value> {
    Map::from_iter([("owner".to_owned(), json!(name))])
}

/// Threads with a log and a run each, an item, an assistant, a cron and a key.
async fn furnish<S: Checkpoints + Runs + Catalog + duru::store::Memories>(store: &Arc<S>, name: &str) {
    for n in 0..3_u128 {
        let thread = ThreadId::new(format!("{name}-{n}")).unwrap();
        let commit = Commit {
            thread: thread.clone(),
            incarnation: duru::Incarnation::random(),
            version: 0,
            epoch: 0,
            claim: true,
            lease: Lease { owner: Owner::named("w"), ttl_ms: 0, instead_of: None },
            queued: None,
            status: Status::Idle,
            at_ms: 1,
            remove: None,
            rows: Vec::new(),
            snapshots: Vec::new(),
            set_timers: Vec::new(),
            clear_timers: Vec::new(),
        };
        store.commit(commit).await.unwrap();
        let number = xxh(name) + n;
        let new = NewRun {
            id: RunId::from_u128(number),
            thread,
            make_thread: true,
            thread_metadata: owned(name),
            payload: json!({}),
            metadata: owned(name),
            if_busy: IfBusy::Enqueue,
            key: None,
            after_ms: 0,
            claim: Some(Worker { owner: Owner::named("w"), lease_ms: 60_000 }),
        };
        store.enqueue(new).await.unwrap();
        let settled = Settled {
            status: RunStatus::Success,
            outcome: None,
            thread_status: "idle".to_owned(),
            remove_thread: false,
        };
        assert!(store.settle(RunId::from_u128(number), 1, settled).await.unwrap());
    }
    for (kind, id) in [(EntryKind::Assistant, "a"), (EntryKind::Cron, "c")] {
        let entry = Entry { metadata: owned(name), ..Entry::new(kind, format!("{name}-{id}")) };
        Catalog::put(&**store, entry, Expect::New).await.unwrap();
    }
    let memory = Memory::new(store.clone());
    memory.put(["@", name, "notes"], "n", &json!({ "text": "secret" })).await.unwrap();
    Keys::new(store.clone()).add(NewKey { name: name.to_owned(), ..NewKey::default() }).await.unwrap();
}

fn xxh(name: &str) -> u128 {
    name.bytes().fold(7, |sum, byte| sum * 256 + u128::from(byte)) * 16
}

async fn erase(people: &People, name: &str) {
    let who = Person::Named(name.to_owned());
    people.begin_erasure(name).await.unwrap();
    people.revoke_all(&who).await.unwrap();
    for thread in people.threads(&who).await.unwrap() {
        people.remove_thread(&thread).await.unwrap();
    }
    people.remove_rest(&who).await.unwrap();
    people.end_erasure(name).await.unwrap();
}

async fn one_person_is_erased_and_nobody_else<S>(store: Arc<S>)
where
    S: Checkpoints + Runs + Catalog + duru::store::Memories,
{
    furnish(&store, "kim").await;
    furnish(&store, "lee").await;
    let people = People::new(Stores::of(store.clone()));
    let kim = Person::Named("kim".to_owned());
    let lee = Person::Named("lee".to_owned());
    let all = people.holdings(&kim).await.unwrap();
    assert_eq!((all.threads, all.runs, all.assistants, all.crons, all.items, all.keys), (3, 3, 1, 1, 1, 1));

    // Begun, and cut off after the first thread.
    people.begin_erasure("kim").await.unwrap();
    let first = people.threads(&kim).await.unwrap().remove(0);
    people.remove_thread(&first).await.unwrap();
    assert_eq!(people.begun_erasures().await.unwrap(), ["kim"], "somebody will go on");

    for _ in 0..2 {
        erase(&people, "kim").await;
        assert_eq!(people.holdings(&kim).await.unwrap(), duru_server::Holdings::default());
    }
    assert!(people.begun_erasures().await.unwrap().is_empty());
    assert_eq!(people.holdings(&lee).await.unwrap(), all, "nobody else's");
    for n in 0..3 {
        let head = store.head(&ThreadId::new(format!("kim-{n}")).unwrap()).await.unwrap();
        assert_eq!(head, None, "checkpoints go with their thread");
    }
    let left = store.runs(RunQuery::default()).await.unwrap();
    assert!(left.iter().all(|run| run.metadata == owned("lee")) && left.len() == 3);
}

#[tokio::test]
async fn one_person_is_erased_in_memory() {
    one_person_is_erased_and_nobody_else(Arc::new(MemoryStore::new())).await;
}

#[tokio::test]
async fn one_person_is_erased_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("a.db")).unwrap();
    one_person_is_erased_and_nobody_else(Arc::new(store)).await;
}

#[tokio::test]
async fn one_person_is_erased_on_postgres() {
    let Some(server) = crate::pg_server::shared() else { return };
    one_person_is_erased_and_nobody_else(Arc::new(server.store().await)).await;
}

#[tokio::test]
async fn what_is_too_old_goes_and_what_is_under_way_stays() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(folder.path().join("a.db")).unwrap());
    furnish(&store, "kim").await;
    let busy = Entry { status: "busy".into(), ..Entry::new(EntryKind::Thread, "busy") };
    store.put(busy, Expect::New).await.unwrap();
    let people = People::new(Stores::of(store.clone()));
    let now = Sweep::Remove { rest: Duration::ZERO };
    let all = |age| Retention { threads: Some(age), runs: Some(age), events: Some(age) };

    let young = people.sweep(&all(Duration::from_secs(3600)), now).await.unwrap();
    assert_eq!((young.threads, young.runs, young.events), (0, 0, 0));
    tokio::time::sleep(Duration::from_millis(20)).await;
    let age = Duration::from_millis(5);
    let told = people.sweep(&all(age), Sweep::Count).await.unwrap();
    assert_eq!((told.threads, told.runs, told.events), (3, 3, 3), "only said");
    let only = Retention { runs: Some(age), ..Retention::default() };
    assert_eq!(people.sweep(&only, now).await.unwrap().runs, 3);
    let gone = people.sweep(&all(age), now).await.unwrap();
    assert_eq!((gone.threads, gone.runs), (3, 0));
    let left = store.find(EntryQuery::of(EntryKind::Thread)).await.unwrap();
    assert_eq!(left.entries.len(), 1, "the busy one");
    assert_eq!(people.sweep(&all(age), now).await.unwrap(), duru_server::Swept::default());
}
