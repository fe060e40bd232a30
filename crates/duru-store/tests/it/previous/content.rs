//! What a fixture holds: one thread of every kind, memory, the catalog and the queue. Fixtures of older versions are
//! compared with what was read from them when they were written, so [`described`] names only what stays as it is.

use std::sync::Arc;
use std::time::Duration;

use duru::memory::{Memory, Search};
use duru::store::{
    Cancel, Catalog, Checkpoints, Claim, Enqueued, Entry, EntryKind, EntryQuery, Expect, IfBusy, Memories,
    NewRun, Owner, RunQuery, RunStatus, Runs, Settled, SortBy, Worker,
};
use duru::{Compiled, Cx, Deadline, END, Graph, Keep, Mode, NodeError, Result, RunId, State, Thread};
use serde_json::{Map, Value, json};

use crate::thread;

/// Everything that one backend keeps.
pub(super) trait Store: Checkpoints + Memories + Catalog + Runs {}
impl<S: Checkpoints + Memories + Catalog + Runs> Store for S {}

#[derive(State, Clone, Debug)]
pub(super) struct Note {
    #[merge(append)]
    lines: Vec<String>,
    #[merge(sum)]
    total: u64,
    wish: String,
}

#[derive(State, Clone, Debug)]
struct Inner {
    #[merge(append)]
    heard: Vec<String>,
}

fn wish(word: &str) -> NoteUpdate {
    NoteUpdate::new().wish(word.to_owned())
}

/// Ten years: no test waits for it.
const DEADLINE: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

async fn write(note: Arc<Note>, cx: Cx) -> Result<NoteUpdate> {
    cx.emit(json!({ "writes": note.total }))?;
    let stamp: String = cx.effect("stamp", |_| async { Ok("stamped".to_owned()) }).await?;
    // Long enough that the log of a loop comes to a snapshot.
    let line =
        format!("{} {stamp} {}", note.total, "가나다 ".repeat(if note.wish == "loop" { 80 } else { 1 }));
    Ok(NoteUpdate::new().lines([line]).total(1u64))
}

/// The graph of every thread of a fixture. What is written once must find its nodes again.
pub(super) fn graph() -> Compiled<Note> {
    let mut g = Graph::<Inner>::new("inner");
    let hear = g.node("hear", |_: Arc<Inner>, cx: Cx| async move {
        let name: String = cx.interrupt("who?")?;
        Ok(InnerUpdate::new().heard([name]))
    });
    g.start(hear).edge(hear, END);
    let inner = g.compile().unwrap();

    let mut g = Graph::<Note>::new("fixture");
    let write = g.node("write", write);
    let ask = g.node("ask", |_: Arc<Note>, cx: Cx| async move {
        let yes: bool = cx.interrupt_until("go on?", Deadline::after(DEADLINE, false))?;
        Ok(NoteUpdate::new().lines([format!("answered {yes}")]))
    });
    let fail = g.node("fail", |note: Arc<Note>, _: Cx| async move {
        if note.wish == "fail" {
            return Err(NodeError::msg("as wished"));
        }
        Ok(NoteUpdate::new().lines(["did not fail".to_owned()]))
    });
    let nested = g.subgraph(
        "nested",
        &inner,
        |note: &Note| InnerUpdate::new().heard([note.wish.clone()]),
        |inner: Arc<Inner>| NoteUpdate::new().lines([inner.heard.join(" and ")]),
    );
    g.start(write);
    g.route(
        write,
        [write.into(), ask.into(), fail.into(), nested.into(), END],
        move |note: &Note| match note.wish.as_str() {
            "loop" if note.total < 60 => write.into(),
            "ask" => ask.into(),
            "fail" => fail.into(),
            "nest" => nested.into(),
            _ => END,
        },
    );
    g.edge(ask, END).edge(fail, END).edge(nested, END);
    g.compile().unwrap()
}

pub(super) fn of<S: Store>(store: &Arc<S>, name: &str) -> Thread<Note> {
    let store: Arc<dyn Checkpoints> = store.clone();
    graph().on(store).thread(name).unwrap()
}

/// Writes everything into an empty store.
pub(super) async fn fill<S: Store>(store: &Arc<S>) {
    for name in ["finished", "edited", "forked", "rolled back", "pruned"] {
        for turn in ["one", "two"] {
            of(store, name).invoke(wish(turn)).await.unwrap().done().unwrap();
        }
    }
    of(store, "edited").edit("write", NoteUpdate::new().lines(["by hand".to_owned()])).await.unwrap();
    let forked = of(store, "forked");
    let first = forked.history(100).await.unwrap().last().and_then(|state| state.checkpoint).unwrap();
    forked.fork(first).await.unwrap();
    forked.go_on().await.unwrap().done().unwrap();
    let undone = of(store, "rolled back");
    undone.rollback(undone.state().await.unwrap().run.unwrap()).await.unwrap();
    of(store, "pruned").prune(Keep::Latest).await.unwrap();
    of(store, "long").invoke(wish("loop")).await.unwrap().done().unwrap();
    for (name, word) in [("waits", "ask"), ("waits inside", "nest")] {
        assert_eq!(of(store, name).invoke(wish(word)).await.unwrap().questions().len(), 1);
    }
    drop(of(store, "failed").invoke(wish("fail")).await.unwrap());
    fill_memory(store).await;
    fill_catalog(store).await;
    fill_queue(store).await;
}

async fn fill_memory<S: Store>(store: &Arc<S>) {
    let memories: Arc<dyn Memories> = store.clone();
    let memory = Memory::new(memories);
    memory.put(["people", "kim"], "home", &json!({ "city": "서울", "rooms": 3 })).await.unwrap();
    memory.put(["people", "park"], "home", &json!({ "city": "Busan" })).await.unwrap();
    memory.put_for(["people", "kim"], "mood", &json!({ "is": "good" }), DEADLINE).await.unwrap();
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

async fn fill_catalog<S: Store>(store: &Arc<S>) {
    for (kind, id, due_ms) in [
        (EntryKind::Thread, "finished", None),
        (EntryKind::Thread, "waits", Some(4_000_000_000_000)),
        (EntryKind::Assistant, "helper", None),
        (EntryKind::AssistantVersion, "helper:1", None),
        (EntryKind::Cron, "every morning", Some(4_000_000_000_000)),
        (EntryKind::Key, "key of kim", None),
        (EntryKind::Said, "finished", None),
    ] {
        let entry = Entry {
            status: "idle".into(),
            label: "이름표".into(),
            metadata: object(json!({ "owner": "kim" })),
            body: object(json!({ "schedule": "0 8 * * *", "text": "one two" })),
            due_ms,
            ..Entry::new(kind, id)
        };
        Catalog::put(&**store, entry, Expect::New).await.unwrap();
    }
    let mut helper = store.entry(EntryKind::Assistant, "helper").await.unwrap().unwrap();
    helper.metadata.insert("changed".into(), json!(true));
    Catalog::put(&**store, helper, Expect::Version(1)).await.unwrap();
}

async fn fill_queue<S: Store>(store: &Arc<S>) {
    let accept = async |number: u128, name: &str| {
        let run = NewRun {
            id: RunId::from_u128(number),
            thread: thread(name),
            make_thread: true,
            thread_metadata: object(json!({ "graph_id": "fixture" })),
            payload: json!({ "input": { "wish": "one" } }),
            metadata: object(json!({ "owner": "kim" })),
            if_busy: IfBusy::Enqueue,
            key: Some((format!("request {number}"), 7)),
            after_ms: 0,
            claim: None,
        };
        assert!(matches!(store.enqueue(run).await.unwrap(), Enqueued::Accepted { .. }));
    };
    let worker = Worker { owner: Owner::named("worker of the version before"), lease_ms: 1 };
    let claim = Claim { worker: worker.clone(), limit: 10, gone: Vec::new(), most_deaths: 5 };
    for (number, status) in [(1, RunStatus::Success), (2, RunStatus::Error)] {
        accept(number, "queued").await;
        assert_eq!(store.claim(claim.clone()).await.unwrap().runs.len(), 1);
        let outcome = (status == RunStatus::Error).then(|| json!({ "error": "Odd", "message": "이상함" }));
        let settled = Settled { status, outcome, thread_status: "idle".into(), remove_thread: false };
        assert!(store.settle(RunId::from_u128(number), 1, settled).await.unwrap());
    }
    accept(3, "queued").await;
    accept(4, "queued").await;
    store
        .cancel(RunQuery { ids: vec![RunId::from_u128(4)], ..RunQuery::default() }, Cancel::Interrupt)
        .await
        .unwrap();
    assert_eq!(store.claim(claim).await.unwrap().runs.len(), 1, "one is under way when its worker dies");
    accept(5, "queued").await;
}

/// Everything of a store, as it is read through the engine.
pub(super) async fn described<S: Store>(store: &Arc<S>) -> Value {
    let mut threads = Map::new();
    for summary in store.threads(0, 1000).await.unwrap() {
        let thread = of(store, summary.thread.as_str());
        threads.insert(summary.thread.to_string(), thread_of(store, &thread).await);
    }
    let mut entries = Vec::new();
    for kind in EntryKind::ALL {
        let query = EntryQuery { sort: SortBy::Id, ascending: true, ..EntryQuery::of(kind) };
        for entry in store.find(query).await.unwrap().entries {
            entries.push(json!([
                kind.as_str(),
                entry.id,
                entry.status,
                entry.label,
                entry.metadata,
                entry.body,
                entry.due_ms,
                entry.version,
                entry.created_ms,
                entry.updated_ms,
            ]));
        }
    }
    let mut runs: Vec<Value> = Vec::new();
    for run in store.runs(RunQuery::default()).await.unwrap() {
        runs.push(json!([
            run.id.as_u128() as u64,
            run.thread.as_str(),
            run.status.as_str(),
            run.payload,
            run.metadata,
            run.outcome,
            run.attempt,
            run.deaths,
            run.owner.as_str(),
            run.cancel.map(Cancel::as_str),
        ]));
    }
    let memories: Arc<dyn Memories> = store.clone();
    let hits = Memory::new(memories).search(Search { limit: 100, ..Search::default() }).await.unwrap();
    let mut memory: Vec<Value> = hits
        .iter()
        .map(|hit| json!([hit.item.namespace.to_string(), hit.item.key, hit.item.value]))
        .collect();
    memory.sort_by_key(Value::to_string);
    let timers: Vec<Value> = store
        .due(u64::MAX >> 1, None, 100)
        .await
        .unwrap()
        .iter()
        .map(|t| json!([t.thread.as_str(), t.at_ms]))
        .collect();
    json!({ "threads": threads, "entries": entries, "runs": runs, "memory": memory, "timers": timers })
}

async fn thread_of<S: Store>(store: &Arc<S>, thread: &Thread<Note>) -> Value {
    let head = store.head(thread.id()).await.unwrap().unwrap();
    let state = thread.state().await.unwrap();
    let mut reader = thread.events(0, Mode::ALL).await.unwrap();
    let mut events = Vec::new();
    while let Some(event) = reader.next_ready().await.unwrap() {
        events.push(json!([event.seq, event.mode.as_str(), event.ns.as_str()]));
    }
    let mut history = Vec::new();
    for past in thread.history(1000).await.unwrap() {
        let at = thread.state_at(past.checkpoint.unwrap()).await.unwrap();
        history.push(json!([
            past.checkpoint,
            past.parent,
            past.step,
            past.source.map(|source| source.as_str()),
            past.run,
            past.at_ms,
            past.next(),
            at.values.get("total"),
            at.values.get("lines").and_then(Value::as_array).map(Vec::len),
        ]));
    }
    json!({
        "head": [head.version, head.epoch, head.next_seq, head.status.as_str(), head.created_ms, head.updated_ms],
        "values": state.values, "next": state.next(), "asks": state.questions().len(),
        "events": events, "history": history,
    })
}

/// New input that wishes for nothing.
pub(super) fn forgiving() -> NoteUpdate {
    wish("nothing")
}
