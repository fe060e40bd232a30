//! The queue and the catalog on PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use duru::RunId;
use duru::store::{
    Cancel, Catalog, Claim, Claimed, Enqueued, Entry, EntryKind, EntryQuery, Expect, IfBusy, MemoryStore,
    NewRun, Owner, Put, QueuedRun, RunQuery, RunStatus, Runs, Settled, Worker,
};
use duru::testkit::runs_contract::{self, Seams};
use serde_json::{Map, Value, json};

use crate::{pg_server, thread};

pub(crate) const LONG: u64 = 600_000;

pub(crate) fn worker(name: &str) -> Worker {
    Worker { owner: Owner::named(name), lease_ms: LONG }
}

pub(crate) fn new_run(n: u128, on: &str) -> NewRun {
    NewRun {
        id: RunId::from_u128(n),
        thread: thread(on),
        make_thread: true,
        thread_metadata: Map::new(),
        payload: json!({"n": n.to_string()}),
        metadata: Map::new(),
        if_busy: IfBusy::Enqueue,
        key: None,
        after_ms: 0,
        claim: None,
    }
}

pub(crate) fn settled(status: RunStatus) -> Settled {
    let outcome = Some(json!(status.as_str()));
    Settled { status, outcome, thread_status: "idle".into(), remove_thread: false }
}

/// Numbers that say what to do next, the same for the same seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contract() {
    let Some(pg) = pg_server::shared() else { return };
    runs_contract::check(async || Seams::of(Arc::new(pg.store().await))).await;
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// PostgreSQL's own numbers know no `-0.0`, and take `1e16` for an integer.
#[tokio::test]
async fn numbers_come_back_as_they_were_written() {
    let Some(pg) = pg_server::shared() else { return };
    let store = pg.store().await;
    let odd =
        object(json!({"n": [1e16, -0.0, 1.0, 5e-324, f64::MAX, i64::MIN, u64::MAX], "nested": {"": {}}}));
    let entry = Entry { metadata: odd.clone(), body: odd.clone(), ..Entry::new(EntryKind::Thread, "t") };
    assert!(matches!(store.put(entry, Expect::New).await.unwrap(), Put::Stored(_)));
    let text = |object: &Map<String, Value>| serde_json::to_string(object).unwrap();
    let more = object(json!({"new": -0.0, "nested": 1e20}));
    let new = NewRun { thread_metadata: more, metadata: odd.clone(), ..new_run(1, "t") };
    let Enqueued::Accepted { run, .. } = store.enqueue(new).await.unwrap() else { panic!() };
    assert_eq!(text(&run.metadata), text(&odd));
    let found = store.entry(EntryKind::Thread, "t").await.unwrap().unwrap();
    assert_eq!(text(&found.body), text(&odd));
    let mut expected = odd;
    expected.insert("nested".into(), json!(1e20));
    expected.insert("new".into(), json!(-0.0));
    assert_eq!(text(&found.metadata), text(&expected));
}

#[tokio::test]
async fn what_postgres_cannot_keep_is_refused_or_kept_as_text() {
    let Some(pg) = pg_server::shared() else { return };
    let store = pg.store().await;
    let nul = object(json!({"k": ["a\0b"]}));
    for entry in [
        Entry { metadata: nul.clone(), ..Entry::new(EntryKind::Cron, "c") },
        Entry { body: object(json!({"\0": 1})), ..Entry::new(EntryKind::Cron, "c") },
    ] {
        let error = store.put(entry, Expect::Any).await.unwrap_err().to_string();
        assert!(error.contains("U+0000") && error.contains("change the catalog"), "{error}");
    }
    let refused = NewRun { thread_metadata: nul.clone(), ..new_run(1, "t") };
    assert!(store.enqueue(refused).await.unwrap_err().to_string().contains("U+0000"));
    let refused = Entry { label: "\0".into(), ..Entry::new(EntryKind::Cron, "c") };
    assert!(store.put(refused, Expect::Any).await.is_err());
    let query = EntryQuery { metadata: nul.clone(), ..EntryQuery::of(EntryKind::Cron) };
    assert_eq!(store.find(query).await.unwrap().total, 0);
    // Nobody looks into these.
    let new = NewRun { metadata: nul.clone(), payload: json!(nul), ..new_run(1, "t") };
    let Enqueued::Accepted { run, .. } = store.enqueue(new).await.unwrap() else { panic!() };
    assert_eq!((run.payload, run.metadata), (json!(nul), nul));
}

/// What does not depend on the clock.
fn timeless(runs: Vec<QueuedRun>) -> Vec<QueuedRun> {
    let timeless = |run| QueuedRun { created_ms: 0, updated_ms: 0, ..run };
    runs.into_iter().map(timeless).collect()
}

async fn step(store: &(impl Runs + Catalog), seed: u64) -> String {
    let mut dice = Dice(seed);
    let on = format!("t{}", dice.below(4));
    let how = if dice.below(2) == 0 { Cancel::Interrupt } else { Cancel::Rollback };
    let said = match dice.below(14) {
        0..5 => {
            let if_busy = match dice.below(6) {
                0 => IfBusy::Reject,
                1 => IfBusy::Cancel(how),
                _ => IfBusy::Enqueue,
            };
            let new = NewRun {
                if_busy,
                make_thread: dice.below(4) > 0,
                key: (dice.below(4) == 0).then(|| (format!("k{}", dice.below(9)), dice.below(2))),
                after_ms: if dice.below(4) == 0 { LONG } else { 0 },
                claim: (dice.below(3) == 0).then(|| worker("a")),
                ..new_run(u128::from(seed), &on)
            };
            match store.enqueue(new).await.unwrap() {
                Enqueued::Accepted { run, stopping } => {
                    format!("{:?} {:?}", timeless(vec![run]), timeless(stopping))
                }
                Enqueued::Again(run) => format!("again {:?}", timeless(vec![run])),
                other => format!("{other:?}"),
            }
        }
        5..7 => {
            let gone = if dice.below(3) == 0 { vec![Owner::named("a")] } else { Vec::new() };
            let name = if dice.below(2) == 0 { "a" } else { "b" };
            let limit = dice.below(4) as usize;
            let ask = Claim { worker: worker(name), limit, gone, most_deaths: 2 };
            let claimed = store.claim(ask).await.unwrap();
            let (runs, dead) = (timeless(claimed.runs), timeless(claimed.dead));
            format!("{:?}", Claimed { runs, dead, waited_ms: 0, ..claimed })
        }
        choice => {
            // Something that is there, in the order in which all stores list them.
            let all = store.runs(RunQuery { limit: Some(30), ..RunQuery::default() }).await.unwrap();
            let Some(run) = all.get(dice.below(30) as usize) else { return String::new() };
            match choice {
                7..10 => {
                    let status = RunStatus::ALL[[0, 2, 2, 3, 5][dice.below(5) as usize]];
                    format!("{:?}", store.settle(run.id, run.attempt, settled(status)).await.unwrap())
                }
                10 => {
                    let attempt = (dice.below(2) == 0).then_some(run.attempt);
                    format!("{:?}", store.forget(run.id, attempt).await.unwrap())
                }
                11 => format!(
                    "{:?}",
                    timeless(
                        store
                            .cancel(RunQuery { ids: vec![run.id], ..RunQuery::default() }, how)
                            .await
                            .unwrap()
                    )
                ),
                12 if dice.below(8) == 0 => {
                    format!("{:?}", store.remove(EntryKind::Thread, &on).await.unwrap())
                }
                12 => {
                    let of = RunQuery { thread: Some(thread(&on)), ..RunQuery::default() };
                    format!("{:?}", timeless(store.cancel(of, how).await.unwrap()))
                }
                _ => {
                    let mut kept = store.renew(&worker("a"), &[(run.id, run.attempt)]).await.unwrap();
                    kept.sort_by_key(|held| held.id.as_u128());
                    format!("{kept:?}")
                }
            }
        }
    };
    let all = timeless(store.runs(RunQuery::default()).await.unwrap());
    let found = store.find(EntryQuery::of(EntryKind::Thread)).await.unwrap();
    let mut entries: Vec<_> = found.entries.into_iter().map(|e| (e.id, e.status, e.version)).collect();
    entries.sort();
    format!("{said}\n{all:?}\n{entries:?}")
}

#[tokio::test]
async fn random_operations_give_the_same_as_in_memory() {
    let Some(pg) = pg_server::shared() else { return };
    for round in 1..=8_u64 {
        let (memory, postgres) = (MemoryStore::new(), pg.store().await);
        for n in 0..150 {
            // Spread over all bits: dice from seeds side by side begin alike.
            let seed = (round * 1_000 + n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (expected, found) = (step(&memory, seed).await, step(&postgres, seed).await);
            assert_eq!(expected, found, "round {round}, step {n}");
        }
    }
}

/// Its calls are still there, and what it says counts.
#[tokio::test]
async fn a_program_of_the_version_before_keeps_its_runs_beside_this_one() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let store = pg_server::open_store(&pg.url, &schema).await;
    let old = Worker { owner: Owner::named("old"), lease_ms: 5000 };
    let run = NewRun { claim: Some(old), ..new_run(1, "t") };
    assert!(matches!(store.enqueue(run).await.unwrap(), Enqueued::Accepted { .. }));
    let (client, connection) = tokio_postgres::connect(&pg.url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let renew = format!(
        "SELECT id FROM \"{schema}\".renew_runs('old', 5000, \
         ARRAY['00000000-0000-0000-0000-000000000001']::uuid[], ARRAY[1]::bigint[])"
    );
    let ask = || Claim { worker: worker("b"), limit: 9, gone: Vec::new(), most_deaths: 3 };
    for _ in 0..12 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(client.query(&renew, &[]).await.unwrap().len(), 1);
        assert!(store.claim(ask()).await.unwrap().runs.is_empty(), "it was taken away");
    }
    while store.claim(ask()).await.unwrap().runs.is_empty() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(client.query(&renew, &[]).await.unwrap().is_empty());
}
