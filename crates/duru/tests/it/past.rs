//! Looking back, and going back.

use std::sync::Arc;

use duru::store::{self, Commit, Kind, Lease, MemoryStore, RowQuery};
use duru::{
    App, CheckpointId, Cx, END, Error, Graph, HistoryQuery, Keep, Result, Source, State, Thread, ThreadId,
};
use serde_json::json;

#[derive(State, Clone)]
struct Trip {
    #[merge(append)]
    path: Vec<String>,
    #[merge(sum)]
    cost: u32,
    #[merge(ephemeral)]
    hint: String,
    far: bool,
}

async fn step(name: &'static str) -> Result<TripUpdate> {
    Ok(TripUpdate::new().path([name.to_string()]).cost(1).hint(name))
}

fn app() -> App<Trip> {
    let mut g = Graph::<Trip>::new("trip");
    let a = g.node("a", |_: Arc<Trip>, _: Cx| step("a"));
    let b = g.node("b", |_: Arc<Trip>, _: Cx| step("b"));
    let c = g.node("c", |_: Arc<Trip>, _: Cx| step("c"));
    g.start(a).route(a, [b, c], move |s: &Trip| if s.far { c } else { b }).edge(b, END).edge(c, END);
    g.compile().unwrap().on(Arc::new(MemoryStore::new()))
}

async fn walked() -> (App<Trip>, Thread<Trip>) {
    let app = app();
    let thread = app.thread("t").unwrap();
    thread.invoke(TripUpdate::new()).await.unwrap().done().unwrap();
    thread.invoke(TripUpdate::new().far(true)).await.unwrap().done().unwrap();
    (app, thread)
}

fn path(state: &duru::ThreadState) -> String {
    state.decode::<Trip>().unwrap().path.concat()
}

/// The checkpoint whose path is this and whose next node is that.
async fn find(thread: &Thread<Trip>, wanted: &str, next: &[&str]) -> CheckpointId {
    let history = thread.history(100).await.unwrap();
    let found = history.iter().find(|state| path(state) == wanted && state.next() == next);
    found.and_then(|state| state.checkpoint).unwrap()
}

#[tokio::test]
async fn history_pages_and_filters() {
    let (_, thread) = walked().await;
    let all = thread.history(HistoryQuery::new()).await.unwrap();
    let steps: Vec<i64> = all.iter().filter_map(|state| state.step).collect();
    // The moment before an input has a number of its own.
    assert_eq!(steps, [6, 5, 4, 2, 1, 0]);
    let mut paged = Vec::new();
    let mut query = HistoryQuery::new().limit(2);
    loop {
        let page = thread.history(query.clone()).await.unwrap();
        let Some(last) = page.last() else { break };
        query = query.before(last.checkpoint.unwrap());
        paged.extend(page);
    }
    assert_eq!(paged.iter().map(path).collect::<Vec<_>>(), all.iter().map(path).collect::<Vec<_>>());
    let inputs = thread.history(HistoryQuery::new().source(Source::Input)).await.unwrap();
    assert_eq!(inputs.iter().map(path).collect::<Vec<_>>(), ["ab", ""]);
    let run = all[0].run.unwrap();
    let of_run = thread.history(HistoryQuery::new().run(run)).await.unwrap();
    assert_eq!(of_run.iter().filter_map(|state| state.step).collect::<Vec<_>>(), [6, 5, 4]);
}

#[tokio::test]
async fn the_state_at_any_checkpoint_is_what_it_was() {
    let (_, thread) = walked().await;
    let history = thread.history(100).await.unwrap();
    for state in &history {
        let again = thread.state_at(state.checkpoint.unwrap()).await.unwrap();
        assert_eq!(again.values, state.values);
        assert_eq!(again.step, state.step);
    }
    let unknown = thread.state_at(CheckpointId::from_u128(7)).await;
    assert!(matches!(unknown, Err(Error::UnknownCheckpoint { .. })));
}

#[tokio::test]
async fn a_fork_goes_on_from_where_it_went_back_to() {
    let (app, thread) = walked().await;
    let past = find(&thread, "a", &["b"]).await;
    let old_task = thread.state_at(past).await.unwrap().tasks[0].id;
    let forked = thread.fork(past).await.unwrap();
    assert!(forked.checkpoint > thread.history(2).await.unwrap()[1].checkpoint.unwrap());
    let state = thread.state().await.unwrap();
    assert_eq!((path(&state).as_str(), state.next(), state.source), ("a", vec!["b"], Some(Source::Fork)));
    assert_eq!(state.values["hint"], json!("a"), "what lasts one step lasts this step");
    assert_ne!(state.tasks[0].id, old_task, "a fork's tasks act anew");
    let end = thread.go_on().await.unwrap().done().unwrap();
    assert_eq!((end.path.concat().as_str(), end.cost), ("ab", 2));
    // The other branch is still there, and somebody who opens the store anew sees this one.
    assert_eq!(path(&thread.state_at(find(&thread, "abac", &[]).await).await.unwrap()), "abac");
    let cold = app.graph().clone().on(Arc::clone(app.store())).thread("t").unwrap();
    assert_eq!(path(&cold.state().await.unwrap()), "ab");
    let end = cold.invoke(TripUpdate::new().far(true)).await.unwrap().done().unwrap();
    assert_eq!(end.path.concat(), "abac");
    assert_eq!(end.hint, "c");
}

#[tokio::test]
async fn a_reader_follows_the_thread_across_a_fork() {
    let (_, thread) = walked().await;
    thread.fork(find(&thread, "a", &["b"]).await).await.unwrap();
    thread.go_on().await.unwrap().done().unwrap();
    let mut reader = thread.events(0, [duru::Mode::Values]).await.unwrap();
    let mut last = json!(null);
    while let Some(event) = reader.next_ready().await.unwrap() {
        last = event.data;
    }
    assert_eq!(last["path"], json!(["a", "b"]));
}

#[tokio::test]
async fn an_edit_is_as_if_the_node_had_written() {
    let (_, thread) = walked().await;
    let edited = thread.edit("a", TripUpdate::new().path(["edit".to_string()]).far(true)).await.unwrap();
    let state = thread.state().await.unwrap();
    assert_eq!(state.checkpoint, Some(edited.checkpoint));
    assert_eq!((path(&state).as_str(), state.next()), ("abacedit", vec!["c"]), "a's route was asked");
    let end = thread.go_on().await.unwrap().done().unwrap();
    assert_eq!(end.path.concat(), "abaceditc");
    let wrong = thread.edit("nobody", TripUpdate::new()).await;
    assert!(matches!(wrong, Err(Error::Input { ref reason, .. }) if reason.contains("a, b, c")), "{wrong:?}");
}

#[tokio::test]
async fn an_edit_of_the_past_leaves_the_rest_behind() {
    let (_, thread) = walked().await;
    let past = find(&thread, "a", &["b"]).await;
    thread.edit_at(past, "a", TripUpdate::new().path(["x".to_string()]).far(true)).await.unwrap();
    let end = thread.go_on().await.unwrap().done().unwrap();
    assert_eq!((end.path.concat().as_str(), end.cost), ("axc", 2));
    assert_eq!(path(&thread.state().await.unwrap()), "axc");
}

#[tokio::test]
async fn a_copy_is_a_thread_of_its_own() {
    let (app, thread) = walked().await;
    let name = ThreadId::new("copy").unwrap();
    let copy = thread.copy_to(&name).await.unwrap();
    assert_eq!(copy.history(100).await.unwrap().len(), 6);
    copy.invoke(TripUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(path(&copy.state().await.unwrap()), "abacac");
    assert_eq!(path(&thread.state().await.unwrap()), "abac");
    assert!(matches!(thread.copy_to(&name).await, Err(Error::Exists { .. })));
    let nobody = app.thread("nobody").unwrap().copy_to(&ThreadId::new("x").unwrap()).await;
    assert!(matches!(nobody, Err(Error::NothingToResume { .. })));
}

#[tokio::test]
async fn pruning_keeps_the_thread_going() {
    let (app, thread) = walked().await;
    let before = thread.state().await.unwrap();
    let removed = thread.prune(Keep::Latest).await.unwrap();
    assert!(removed > 5, "{removed}");
    let cold = app.graph().clone().on(Arc::clone(app.store())).thread("t").unwrap();
    let after = cold.state().await.unwrap();
    assert_eq!((after.values, after.checkpoint), (before.values, before.checkpoint));
    assert_eq!(cold.history(100).await.unwrap().len(), 1);
    // A reader from before the pruning begins with the whole state.
    let mut reader = cold.events(3, [duru::Mode::Values]).await.unwrap();
    let first = reader.next_ready().await.unwrap().unwrap();
    assert_eq!(first.data["path"], json!(["a", "b", "a", "c"]));
    let end = cold.invoke(TripUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(end.path.concat(), "abacac");
    let again = app.graph().clone().on(Arc::clone(app.store())).thread("t").unwrap();
    assert_eq!(path(&again.state().await.unwrap()), "abacac");
    assert_eq!(again.prune(Keep::Since(0)).await.unwrap(), 0, "nothing is that old");
}

#[tokio::test]
async fn a_rollback_leaves_no_trace_of_the_run() {
    let (app, thread) = walked().await;
    let history = thread.history(100).await.unwrap();
    let (last, first) = (history[0].run.unwrap(), history[5].run.unwrap());
    assert!(matches!(thread.rollback(first).await, Err(Error::NotLast { .. })));
    let next = app.store().head(thread.id()).await.unwrap().unwrap().next_seq;
    thread.rollback(last).await.unwrap();
    assert_eq!(path(&thread.state().await.unwrap()), "ab");
    assert!(matches!(thread.rollback(last).await, Err(Error::UnknownRun { .. })));
    let end = thread.invoke(TripUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(end.path.concat(), "abab");
    let rows =
        app.store().rows(thread.id(), duru::store::RowQuery { from: next, ..Default::default() }).await;
    assert_eq!(rows.unwrap()[0].seq, next, "numbers are never given twice");
}

/// Every row is whole, but one is gone: only the chain of checkpoints tells.
#[tokio::test]
async fn a_checkpoint_that_is_missing_is_noticed() {
    let (app, thread) = walked().await;
    let (store, id) = (app.store(), thread.id());
    let checkpoints = RowQuery { kinds: vec![Kind::Checkpoint], ..RowQuery::default() };
    let rows = store.rows(id, checkpoints).await.unwrap();
    let head = store.head(id).await.unwrap().unwrap();
    let gone = Commit {
        thread: id.clone(),
        incarnation: head.incarnation,
        version: head.version,
        epoch: head.epoch,
        claim: false,
        lease: Lease::default(),
        queued: None,
        status: head.status,
        at_ms: head.updated_ms,
        remove: Some(rows[1].seq..rows[1].end()),
        rows: Vec::new(),
        snapshots: Vec::new(),
        set_timers: Vec::new(),
        clear_timers: Vec::new(),
    };
    thread.state().await.unwrap();
    store.commit(gone).await.unwrap();
    let error = thread.state().await.unwrap_err().to_string();
    assert!(error.contains("is damaged") && error.contains("it follows checkpoint"), "{error}");
    // A run must not go on from a state that is too old, either.
    let error = thread.invoke(TripUpdate::new()).await.map(drop).unwrap_err();
    assert!(matches!(error, Error::Store(store::Error::Corrupt { .. })), "{error}");
}

#[tokio::test]
async fn what_is_remembered_is_what_the_store_says() {
    let app = app();
    // On a thread with a past not everything is at hand, and the store is asked.
    for round in 0..2 {
        for name in ["t", "u"] {
            let thread = app.thread(name).unwrap();
            let seen = thread.log().remember();
            let run = thread.invoke(TripUpdate::new().far(name == "u"));
            let run = if round == 0 { run.on_new_thread() } else { run };
            run.await.unwrap().done().unwrap();
            let (remembered, stored) = (seen.state().await.unwrap(), thread.log().state().await.unwrap());
            assert_eq!(remembered.values, stored.values);
            assert_eq!((remembered.checkpoint, remembered.step), (stored.checkpoint, stored.step));
            assert_eq!((remembered.next(), stored.next()), (Vec::new(), Vec::new()));
        }
    }
}

#[tokio::test]
async fn a_thread_that_is_not_new_stays_as_it_is() {
    let (_, thread) = walked().await;
    let before = thread.log().state().await.unwrap();
    let error = thread.invoke(TripUpdate::new()).on_new_thread().await.err().unwrap();
    assert!(matches!(error, Error::Store(store::Error::Conflict { .. })), "{error}");
    assert_eq!(thread.log().state().await.unwrap().checkpoint, before.checkpoint);
    assert_eq!(thread.invoke(TripUpdate::new()).await.unwrap().done().unwrap().path.len(), 6);
}
