//! Changing threads from outside, beginning at earlier moments, and threads of the version before.

use std::sync::Arc;

use duru::store::{Checkpoints as _, Commit, Kind, Lease, MemoryStore, RowQuery, Status};
use duru::{
    App, Compiled, Cx, END, Edit, Error, Graph, HistoryQuery, Namespace, Result, Source, State, Thread,
    ThreadId,
};
use serde_json::{Value, json};

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

fn node(g: &mut Graph<Trip>, name: &'static str) -> duru::Node {
    g.node(name, move |_: Arc<Trip>, _: Cx| async move {
        Ok(TripUpdate::new().path([name.to_owned()]).cost(1u32).hint(name))
    })
}

async fn ask(_: Arc<Trip>, cx: Cx) -> Result<TripUpdate> {
    let answer: String = cx.interrupt("where?")?;
    Ok(TripUpdate::new().path([answer]))
}

fn app() -> App<Trip> {
    let mut g = Graph::<Trip>::new("trip");
    let [a, b, c] = ["a", "b", "c"].map(|name| node(&mut g, name));
    g.start(a).route(a, [b, c], move |s: &Trip| if s.far { c } else { b }).edge(b, END).edge(c, END);
    g.compile().unwrap().on(Arc::new(MemoryStore::new()))
}

fn path(state: &duru::ThreadState) -> String {
    state.decode::<Trip>().unwrap().path.concat()
}

async fn walked() -> (App<Trip>, Thread<Trip>) {
    let app = app();
    let thread = app.thread("t").unwrap();
    thread.invoke(TripUpdate::new()).await.unwrap().done().unwrap();
    (app, thread)
}

/// A thread as somebody sees it who opens the store anew.
fn cold(app: &App<Trip>) -> Thread<Trip> {
    app.graph().clone().on(Arc::clone(app.store())).thread("t").unwrap()
}

#[tokio::test]
async fn a_run_begins_at_an_earlier_checkpoint_without_a_trace_of_what_came_after() {
    let (app, thread) = walked().await;
    let history = thread.history(10).await.unwrap();
    let at = history.iter().find(|state| path(state) == "a").unwrap().checkpoint.unwrap();
    let end = thread.invoke(TripUpdate::new().far(true)).at(at).await.unwrap().done().unwrap();
    assert_eq!((end.path.concat().as_str(), end.cost, end.hint.as_str()), ("aac", 3, "c"));
    let state = cold(&app).state().await.unwrap();
    assert_eq!((path(&state).as_str(), &state.values["cost"]), ("aac", &json!(3)));
    let sources: Vec<Source> =
        thread.history(10).await.unwrap().iter().filter_map(|state| state.source).collect();
    assert!(!sources.contains(&Source::Fork), "{sources:?}");
    // A reader sees what the state becomes, whatever it was before.
    let mut reader = cold(&app).events(0, [duru::Mode::Values]).await.unwrap();
    let mut last = Value::Null;
    while let Some(event) = reader.next_ready().await.unwrap() {
        last = event.data;
    }
    assert_eq!(last["path"], json!(["a", "a", "c"]));
    let unknown = thread.invoke(TripUpdate::new()).at(duru::CheckpointId::from_u128(7)).await;
    assert!(matches!(unknown, Err(Error::UnknownCheckpoint { .. })));
}

#[tokio::test]
async fn the_moment_before_an_input_is_seen_and_gone_back_to() {
    let (app, thread) = walked().await;
    thread.invoke(TripUpdate::new().far(true)).await.unwrap().done().unwrap();
    let all = thread.history(HistoryQuery::new().with_inputs()).await.unwrap();
    let seen: Vec<(String, Vec<&str>)> = all.iter().map(|state| (path(state), state.next())).collect();
    assert_eq!(seen[3], ("ab".to_owned(), vec!["__start__"]));
    assert_eq!(seen[7], (String::new(), vec!["__start__"]));
    assert_eq!(all[7].values, *json!({ "path": [], "cost": 0 }).as_object().unwrap());
    for state in &all {
        let again = thread.state_at(state.checkpoint.unwrap()).await.unwrap();
        assert_eq!((&again.values, again.next(), again.step), (&state.values, state.next(), state.step));
    }
    // In pages of any size, the same.
    for size in 1..4 {
        let (mut paged, mut query) = (Vec::new(), HistoryQuery::new().with_inputs().limit(size));
        loop {
            let page = thread.history(query.clone()).await.unwrap();
            let Some(last) = page.last() else { break };
            query = query.before(last.checkpoint.unwrap());
            paged.extend(page.iter().map(|state| state.checkpoint.unwrap()));
        }
        assert_eq!(paged, all.iter().map(|state| state.checkpoint.unwrap()).collect::<Vec<_>>(), "{size}");
    }
    // What is forgotten is not made up.
    let copy = thread.copy_to(&ThreadId::new("copy").unwrap()).await.unwrap();
    let failing = copy.invoke(TripUpdate::new()).pause_before(["a"]).await.unwrap();
    assert!(matches!(failing, duru::Outcome::Breakpoint(_)));
    copy.prune(duru::Keep::Latest).await.unwrap();
    let left = copy.history(HistoryQuery::new().with_inputs()).await.unwrap();
    assert_eq!((left.len(), left[0].next()), (1, vec!["a"]));
    // The first question again: what it was is taken in anew.
    thread.fork(all[7].checkpoint.unwrap()).await.unwrap();
    assert_eq!(cold(&app).state().await.unwrap().next(), ["__start__"]);
    let end = cold(&app).go_on().await.unwrap().done().unwrap();
    assert_eq!(end.path.concat(), "ab");
}

#[tokio::test]
async fn an_input_waits_until_somebody_goes_on() {
    let app = app().graph().clone().erased().on(Arc::new(MemoryStore::new()));
    let thread = app.thread(ThreadId::new("t").unwrap());
    thread.edit(Edit::of(Some(json!({ "far": true }))).as_node("__input__")).await.unwrap();
    let state = thread.log().state().await.unwrap();
    assert_eq!((state.next(), state.source), (vec!["__start__"], Some(Source::Input)));
    let end = thread.go_on().await.unwrap().done().unwrap();
    assert_eq!(end["path"], json!(["a", "c"]));
    let path = thread.log().path(None).await.unwrap();
    assert_eq!(path.visits().map(|(node, _)| node).collect::<Vec<_>>(), ["a", "c"], "an input is no node");
    // Another input takes its place.
    thread.edit(Edit::of(Some(json!({ "far": true }))).as_node("__input__")).await.unwrap();
    let end = thread.invoke(json!({ "far": false })).unwrap().on_unfinished(duru::Unfinished::Discard);
    assert_eq!(end.await.unwrap().done().unwrap()["path"], json!(["a", "c", "a", "b"]));
}

/// Three graphs, each in the one before; the innermost asks.
fn deep(embed: bool) -> Compiled<Trip> {
    let everything = |s: &Trip| TripUpdate::new().path(s.path.clone());
    let mut g = Graph::<Trip>::new("inner");
    let (x, asks, y) = (node(&mut g, "x"), g.node("ask", ask), node(&mut g, "y"));
    g.start(x).edge(x, asks).edge(asks, y);
    let mut graph = g.compile().unwrap();
    for name in ["middle", "outer"] {
        let mut g = Graph::<Trip>::new(name);
        let (before, after) = (node(&mut g, "before"), node(&mut g, "after"));
        let inner = match embed {
            true => g.embed("in", &graph),
            false => {
                g.subgraph("in", &graph, |_: &Trip| TripUpdate::new(), move |s: Arc<Trip>| everything(&s))
            }
        };
        g.start(before).edge(before, inner).edge(inner, after);
        graph = g.compile().unwrap();
    }
    graph
}

#[tokio::test]
async fn a_graph_two_levels_down_is_changed_and_goes_on_from_that() {
    for embed in [true, false] {
        let app = deep(embed).erased().on(Arc::new(MemoryStore::new()));
        let thread = app.thread(ThreadId::new("t").unwrap());
        let asked = thread.invoke(json!({})).unwrap().await.unwrap();
        assert_eq!(asked.questions().len(), 1);
        let inside = async |ns: &Namespace| {
            let state = thread.log().within(ns.clone()).state().await.unwrap();
            ns.child(&state.tasks[0].node, state.tasks[0].id)
        };
        let middle = inside(&Namespace::root()).await;
        let inner = inside(&middle).await;
        let edit = Edit::of(Some(json!({ "path": ["edited"] }))).as_node("ask").within(inner.clone());
        thread.edit(edit).await.unwrap();
        let log = thread.log().within(inner.clone());
        assert_eq!(log.state().await.unwrap().next(), ["y"]);
        assert_eq!(log.parents().await.unwrap().len(), 2);
        // Nobody waits any more: whoever goes on needs no answer. Also where the store is opened anew.
        let again = app.graph().clone().on(Arc::clone(app.store())).thread(ThreadId::new("t").unwrap());
        let end = again.go_on().await.unwrap().done().unwrap();
        let expected = ["before", "before", "x", "edited", "y", "after", "after"];
        assert_eq!(end["path"], json!(expected), "embed: {embed}");
        let late = thread.edit(Edit::of(None).within(inner)).await;
        assert!(matches!(late, Err(Error::NoSubgraph { .. })), "{late:?}");
    }
}

#[tokio::test]
async fn an_answer_after_a_change_reaches_whoever_asks_instead() {
    let mut g = Graph::<Trip>::new("flat");
    let (a, asks) = (node(&mut g, "a"), g.node("ask", ask));
    g.start(a).edge(a, asks);
    let app = g.compile().unwrap().erased().on(Arc::new(MemoryStore::new()));
    let thread = app.thread(ThreadId::new("t").unwrap());
    let asked = thread.invoke(json!({})).unwrap().await.unwrap();
    assert_eq!(asked.questions().len(), 1);
    thread.edit(Edit::of(Some(json!({ "path": ["edited"] })))).await.unwrap();
    // What does not fit what is asked is asked for again, and not for ever wrong.
    let outcome = thread.resume(json!(3)).await.unwrap();
    assert_eq!(outcome.questions().len(), 1);
    let end = thread.resume(json!("home")).await.unwrap().done().unwrap();
    assert_eq!(end["path"], json!(["a", "edited", "home"]));
    let edit = Edit::of(Some(json!({ "path": ["once more"] }))).as_node("a");
    thread.edit(edit).await.unwrap();
    let end = thread.resume(json!("there")).await.unwrap().done().unwrap();
    assert_eq!(end["path"], json!(["a", "edited", "home", "once more", "there"]));
    assert!(matches!(thread.resume(json!("again")).await, Err(Error::NothingToResume { .. })));
}

/// The rows of a thread as the version before wrote them: what a step began with was in what it set.
async fn as_before(app: &App<Trip>) -> Arc<MemoryStore> {
    let (id, store) = (ThreadId::new("t").unwrap(), Arc::new(MemoryStore::new()));
    let mut rows = app.store().rows(&id, RowQuery::default()).await.unwrap();
    for row in rows.iter_mut().filter(|row| row.kind == Kind::Checkpoint) {
        let mut payload: Value = serde_json::from_slice(&row.payload).unwrap();
        let record = payload.as_object_mut().unwrap();
        if let Some(Value::Array(base)) = record.remove("base") {
            let keeps = |entry: &Value| record.contains_key("reset") || entry[2].is_array();
            let base: Vec<Value> = base.into_iter().filter(keeps).collect();
            let set = record.entry("set").or_insert_with(|| json!([]));
            set.as_array_mut().unwrap().splice(0..0, base);
        }
        row.payload = serde_json::to_vec(&payload).unwrap();
        row.seal(&id);
    }
    let commit = Commit {
        thread: id,
        incarnation: duru::Incarnation::random(),
        version: 0,
        epoch: 0,
        claim: true,
        lease: Lease::default(),
        queued: None,
        status: Status::Idle,
        at_ms: 0,
        remove: None,
        rows,
        snapshots: Vec::new(),
        set_timers: Vec::new(),
        clear_timers: Vec::new(),
    };
    store.commit(commit).await.unwrap();
    store
}

#[tokio::test]
async fn a_thread_of_the_version_before_opens_and_goes_on() {
    let (app, thread) = walked().await;
    let history = thread.history(10).await.unwrap();
    let at = history.iter().find(|state| path(state) == "a").unwrap().checkpoint.unwrap();
    thread.fork(at).await.unwrap();
    thread.go_on().await.unwrap().done().unwrap();
    let old = app.graph().clone().on(as_before(&app).await).thread("t").unwrap();
    let seen = |states: &[duru::ThreadState]| -> Vec<(String, Option<i64>)> {
        states.iter().map(|state| (path(state), state.step)).collect()
    };
    let (then, now) = (thread.history(20).await.unwrap(), old.history(20).await.unwrap());
    assert_eq!(seen(&now), seen(&then));
    assert_eq!(old.state().await.unwrap().values, thread.state().await.unwrap().values);
    // What was before its first input is not written down: nothing is.
    let all = old.history(HistoryQuery::new().with_inputs()).await.unwrap();
    let first = all.last().unwrap();
    assert_eq!((first.next(), first.values.len()), (vec!["__start__"], 0));
    let end = old.invoke(TripUpdate::new().far(true)).at(first.checkpoint.unwrap()).await.unwrap();
    assert_eq!(end.done().unwrap().path.concat(), "ac");
    let end = old.invoke(TripUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!((end.path.concat().as_str(), end.cost), ("acac", 4));
}
