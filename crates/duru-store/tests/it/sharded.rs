//! Threads over several databases: the contracts, and what they can't say.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use duru::store::{
    Catalog, Checkpoints, Claim, Enqueued, Entry, EntryKind, EntryQuery, Error, Expect, IfBusy, Memories,
    MemoryStore, NewRun, Owner, RunQuery, RunStatus, Runs, Settled, SortBy, Worker,
};
use duru::testkit::runs_contract::{self, Seams};
use duru::testkit::{contract, memory_contract, readers_contract};
use duru::{RunId, ThreadId};
use duru_store::{Backend, PostgresOptions, ShardedStore};
use serde_json::{Map, Value};

use crate::pg_server::{self, Server};
use crate::{one_row, thread};

/// A store over two empty databases.
async fn two() -> Option<Arc<ShardedStore>> {
    let pg = pg_server::shared()?;
    let stores: Vec<(&str, Arc<dyn Backend>)> =
        vec![("east", Arc::new(pg.store().await)), ("west", Arc::new(pg.store().await))];
    Some(Arc::new(ShardedStore::over("east", stores).await.unwrap()))
}

/// The same in memory.
async fn in_memory() -> (Arc<ShardedStore>, [Arc<MemoryStore>; 2]) {
    let both = [Arc::new(MemoryStore::new()), Arc::new(MemoryStore::new())];
    let stores: Vec<(&str, Arc<dyn Backend>)> = vec![("east", both[0].clone()), ("west", both[1].clone())];
    (Arc::new(ShardedStore::over("east", stores).await.unwrap()), both)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contract() {
    let Some(_) = two().await else { return };
    contract::check(async || two().await.unwrap() as Arc<dyn Checkpoints>).await;
}

/// Every case takes two databases: in two halves, which run at once.
async fn half_of_the_contract_of_the_queue_and_the_catalog(half: usize) {
    let Some(_) = two().await else { return };
    for (name, case) in runs_contract::CASES.iter().skip(half).step_by(2) {
        // Only within one database: what was accepted first is not known across them.
        if *name != "what_was_accepted_first_is_claimed_first" {
            println!("{name}");
            case(Seams::of(two().await.unwrap())).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contract_of_the_queue_and_the_catalog() {
    half_of_the_contract_of_the_queue_and_the_catalog(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_other_half_of_the_contract_of_the_queue_and_the_catalog() {
    half_of_the_contract_of_the_queue_and_the_catalog(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contract_of_readers() {
    let Some(_) = two().await else { return };
    readers_contract::check(async || two().await.unwrap() as Arc<dyn Checkpoints>).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contract_of_memory() {
    memory_contract::check(async || in_memory().await.0 as Arc<dyn Memories>).await;
}

/// A thread that is in this database.
fn thread_in(store: &ShardedStore, shard: &str) -> ThreadId {
    let mut all = (0..).map(|n| thread(&format!("t{n}")));
    all.find(|thread| store.shard_of(thread) == shard).unwrap()
}

fn new_run(thread: &ThreadId) -> NewRun {
    NewRun {
        id: RunId::on(thread, 1_700_000_000_000),
        thread: thread.clone(),
        make_thread: true,
        thread_metadata: Map::new(),
        payload: Value::Null,
        metadata: Map::new(),
        if_busy: IfBusy::Enqueue,
        key: None,
        after_ms: 0,
        claim: None,
    }
}

fn ask(limit: usize) -> Claim {
    let worker = Worker { owner: Owner::named("a"), lease_ms: 600_000 };
    Claim { worker, limit, gone: Vec::new(), most_deaths: 3 }
}

#[tokio::test]
async fn threads_are_in_both_and_lists_are_whole() {
    let (store, both) = in_memory().await;
    for n in 0..40 {
        let t = thread(&format!("t{n:02}"));
        Catalog::put(&*store, Entry::new(EntryKind::Thread, t.as_str()), Expect::New).await.unwrap();
        store.commit(one_row(&t, None, b"{}")).await.unwrap();
        store.enqueue(new_run(&t)).await.unwrap();
    }
    for one in &both {
        let there = one.threads(0, 99).await.unwrap().len();
        assert!((5..=35).contains(&there), "{there} of 40 threads are in one of two places");
    }
    let mut names = Vec::new();
    for page in 0..6 {
        let query = EntryQuery {
            sort: SortBy::Id,
            ascending: true,
            offset: page * 7,
            limit: 7,
            ..EntryQuery::of(EntryKind::Thread)
        };
        let found = store.find(query).await.unwrap();
        assert_eq!(found.total, 40);
        names.extend(found.entries.into_iter().map(|entry| entry.id));
    }
    assert_eq!(names, (0..40).map(|n| format!("t{n:02}")).collect::<Vec<_>>());
    let mut runs = Vec::new();
    for page in 0..5 {
        let query = RunQuery { offset: page * 9, limit: Some(9), ..RunQuery::default() };
        runs.extend(store.runs(query).await.unwrap().into_iter().map(|run| run.thread));
    }
    runs.sort();
    runs.dedup();
    assert_eq!(runs.len(), 40, "every run is on one page");
    // All that there is room for, wherever it is; what is left is told.
    let claimed = store.claim(ask(25)).await.unwrap();
    assert_eq!((claimed.runs.len(), claimed.waiting), (25, 15));
    assert_eq!(store.claim(ask(64)).await.unwrap().runs.len(), 15);
}

/// A request without a thread gets another one, and may come to another database, each time it is sent.
#[tokio::test]
async fn the_same_key_gives_the_same_run_wherever_its_thread_would_be() {
    let (store, _) = in_memory().await;
    let keyed =
        |shard, digest| NewRun { key: Some(("k".into(), digest)), ..new_run(&thread_in(&store, shard)) };
    let Enqueued::Accepted { run: first, .. } = store.enqueue(keyed("west", 7)).await.unwrap() else {
        panic!()
    };
    for shard in ["east", "west"] {
        assert_eq!(store.enqueue(keyed(shard, 7)).await.unwrap(), Enqueued::Again(first.clone()));
        assert_eq!(store.enqueue(keyed(shard, 8)).await.unwrap(), Enqueued::KeyTaken);
    }
    assert_eq!(store.runs(RunQuery::default()).await.unwrap().len(), 1);
    // Whoever died between the two: the key is known, and no run has it.
    let mut entry = Entry::new(EntryKind::Placement, "key lost");
    entry.status = format!("{:016x}", 9);
    entry.body.insert("thread".into(), thread_in(&store, "west").as_str().into());
    Catalog::put(&*store, entry, Expect::New).await.unwrap();
    let again = NewRun { key: Some(("lost".into(), 9)), ..new_run(&thread_in(&store, "east")) };
    let Enqueued::Accepted { run, .. } = store.enqueue(again).await.unwrap() else { panic!() };
    assert_eq!(store.shard_of(&run.thread), "west");
}

/// Ids that nobody made for a thread are found, too: those of the version before.
#[tokio::test]
async fn runs_are_found_by_any_id() {
    let (store, _) = in_memory().await;
    for (n, shard) in [(1, "east"), (2, "west"), (3, "east"), (4, "west")] {
        let t = thread(&format!("{}-{n}", thread_in(&store, shard)));
        store.enqueue(NewRun { id: RunId::from_u128(n), ..new_run(&t) }).await.unwrap();
    }
    let ids: Vec<RunId> = (1..=5).map(RunId::from_u128).collect();
    assert_eq!(store.statuses(&ids).await.unwrap().len(), 4);
    let found = store.runs(RunQuery { ids: ids.clone(), ..RunQuery::default() }).await.unwrap();
    assert_eq!(found.len(), 4);
    for run in store.claim(ask(9)).await.unwrap().runs {
        let settled = Settled {
            status: RunStatus::Success,
            outcome: None,
            thread_status: "idle".into(),
            remove_thread: false,
        };
        assert!(store.settle(run.id, run.attempt, settled.clone()).await.unwrap());
        assert!(!store.settle(run.id, run.attempt, settled).await.unwrap());
        assert!(Runs::forget(&*store, run.id, None).await.unwrap());
    }
    assert!(store.statuses(&ids).await.unwrap().is_empty());
}

/// A database is who it says it is.
#[tokio::test]
async fn databases_that_are_exchanged_or_foreign_are_refused() {
    let stores: Vec<Arc<MemoryStore>> = (0..4).map(|_| Arc::new(MemoryStore::new())).collect();
    let open = async |home: &str, named: &[(&'static str, usize)]| {
        let stores = named.iter().map(|(name, n)| (*name, stores[*n].clone() as Arc<dyn Backend>)).collect();
        ShardedStore::over(home, stores).await
    };
    let refused = async |home: &str, named: &[(&'static str, usize)], why: &str| {
        let error = open(home, named).await.err().unwrap().to_string();
        assert!(error.contains(why), "{error}");
    };
    refused("c", &[("a", 0), ("b", 1)], "the home \"c\" is not one of them").await;
    refused("a", &[("a", 0), ("a", 1)], "is there twice").await;
    refused("a", &[("a", 0), ("b c", 1)], "is no name").await;
    open("a", &[("a", 0), ("b", 1)]).await.unwrap();
    open("a", &[("a", 0), ("b", 1)]).await.unwrap();
    refused("a", &[("a", 0), ("b", 0)], "is shard \"a\"").await;
    refused("a", &[("a", 1), ("b", 0)], "is shard \"b\" of another installation").await;
    open("c", &[("c", 2)]).await.unwrap();
    refused("a", &[("a", 0), ("b", 2)], "is shard \"c\" of another installation").await;
    stores[3].commit(one_row(&thread("t"), None, b"{}")).await.unwrap();
    refused("a", &[("a", 0), ("b", 1), ("d", 3)], "has threads already").await;
    // One that was in use becomes a home: what it has stays there.
    let store = open("d", &[("d", 3), ("e", 2)]).await;
    assert!(store.is_err(), "that one is another installation's");
    let store = ShardedStore::over(
        "d",
        vec![("d", stores[3].clone() as _), ("e", Arc::new(MemoryStore::new()) as _)],
    );
    let store = store.await.unwrap();
    assert_eq!(store.threads(0, 9).await.unwrap().len(), 1);
    assert!((0..99).all(|n| store.shard_of(&thread(&format!("t{n}"))) == "d"));
}

/// What the map names and nobody has configured: its threads are an error that says so, those of the others are not.
#[tokio::test]
async fn a_shard_that_is_not_configured_takes_nobody_along() {
    let (whole, both) = in_memory().await;
    let (here, gone) = (thread_in(&whole, "east"), thread_in(&whole, "west"));
    whole.enqueue(new_run(&here)).await.unwrap();
    let store = ShardedStore::over("east", vec![("east", both[0].clone() as _)]).await.unwrap();
    let error = store.head(&gone).await.unwrap_err().to_string();
    assert!(error.contains("shard \"west\"") && error.contains("name it there again"), "{error}");
    assert!(store.enqueue(new_run(&gone)).await.is_err());
    store.commit(one_row(&here, None, b"{}")).await.unwrap();
    assert_eq!(store.claim(ask(9)).await.unwrap().runs.len(), 1);
    // A list without them would not be true.
    assert!(matches!(store.threads(0, 9).await, Err(Error::Backend { .. })));
    assert_eq!(store.shards().into_iter().filter(|(_, trouble)| trouble.is_some()).count(), 1);
}

/// One of two servers goes away and comes back, also before the first start.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_away_takes_nobody_along() {
    if pg_server::shared().is_none() {
        return;
    }
    let folders = [(); 2].map(|()| tempfile::Builder::new().prefix("duru-pg-").tempdir().unwrap());
    let servers = folders.each_ref().map(|folder| Server::start(folder.path()));
    let [east, mut west] = servers;
    let databases = BTreeMap::from([("east".to_owned(), east.url()), ("west".to_owned(), west.url())]);
    let open = async || {
        let options = PostgresOptions { patience: Duration::from_millis(200), ..PostgresOptions::default() };
        ShardedStore::connect_with("east", &databases, options).await.unwrap()
    };
    let store = open().await;
    let (here, there) = (thread_in(&store, "east"), thread_in(&store, "west"));
    for t in [&here, &there] {
        store.enqueue(new_run(t)).await.unwrap();
    }
    tokio::task::block_in_place(|| west.stop());
    let error = store.head(&there).await.unwrap_err().to_string();
    assert!(error.contains("shard \"west\""), "{error}");
    store.commit(one_row(&here, None, b"{}")).await.unwrap();
    let claimed = store.claim(ask(9)).await.unwrap();
    assert_eq!(claimed.runs.iter().map(|run| &run.thread).collect::<Vec<_>>(), [&here]);
    let worker = ask(1).worker;
    assert!(store.renew(&worker, &[]).await.is_err(), "what the worker holds elsewhere is not known");
    assert!(store.find(EntryQuery::of(EntryKind::Thread)).await.is_err(), "it would not be whole");
    assert_eq!(store.due(u64::MAX, None, 9).await.unwrap(), []);

    // Somebody starts while it is away.
    let later = open().await;
    assert!(later.head(&there).await.is_err());
    assert_eq!(later.head(&here).await.unwrap().unwrap().version, 1);

    tokio::task::block_in_place(|| west.resume());
    for store in [&store, &later] {
        while store.shards().iter().any(|(_, trouble)| trouble.is_some()) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(store.find(EntryQuery::of(EntryKind::Thread)).await.unwrap().total, 2);
    }
    let claimed = later.claim(ask(9)).await.unwrap();
    assert_eq!(claimed.runs.iter().map(|run| &run.thread).collect::<Vec<_>>(), [&there], "nothing is lost");
}
