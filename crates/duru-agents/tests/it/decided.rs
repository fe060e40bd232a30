//! A run's decisions are in its stream while it runs, and in its log for ever after.

use std::sync::Arc;

use duru::store::{Checkpoints, MemoryStore};
use duru::{Cx, END, Graph, Mode, Result, State, ThreadId, ThreadLog};
use duru_agents::decided;
use duru_agents::researcher::{QueryRouter, QueryType, ToRoute};
use duru_llm::decision::{By, Decider, Outcome};
use duru_llm::fake::{Fake, Says};
use duru_llm::{Budget, Models, Policy, Scripted};
use duru_store::SqliteStore;
use serde_json::Value;

#[derive(State, Clone)]
struct Talk {
    question: String,
    simple: bool,
}

async fn route(talk: Arc<Talk>, cx: Cx) -> Result<TalkUpdate> {
    let decider = decided::decider(&cx)?;
    let outcome = decider.decide::<QueryRouter>(&ToRoute::new(&talk.question, [])).await?;
    cx.emit("something else")?;
    Ok(TalkUpdate::new().simple(outcome.value.query_type == QueryType::Simple))
}

fn graph(decider: Decider) -> duru::Compiled<Talk> {
    let mut g = Graph::<Talk>::new("talk");
    let route = g.node("route", route);
    g.start(route).edge(route, END);
    g.compile().unwrap().provide(decider)
}

/// What the thread's log says was decided.
async fn kept(store: Arc<dyn Checkpoints>, thread: &str) -> Vec<Outcome<Value>> {
    let log = ThreadLog::new(store, ThreadId::new(thread).unwrap());
    let mut events = log.events(0, [Mode::Custom]).await.unwrap();
    let mut found = Vec::new();
    while let Some(event) = events.next_ready().await.unwrap() {
        found.extend(decided::read(&event));
    }
    found
}

async fn check(store: Arc<dyn Checkpoints>) {
    let answer = r#"{"query_type": "simple", "reason": "인사뿐이다."}"#;
    let scripted = Arc::new(Scripted::new([Ok(answer)]));
    let app = graph(Decider::new(scripted)).on(store.clone());
    let thread = app.thread("kim").unwrap();
    let mut stream =
        thread.invoke(TalkUpdate::new().question("안녕하세요")).stream([Mode::Custom]).await.unwrap();
    let mut seen = Vec::new();
    while let Some(event) = stream.next().await.unwrap() {
        seen.extend(decided::read(&event));
    }
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].by, seen[0].decision.as_str()), (By::Model, "researcher/query_router"));
    assert_eq!(seen[0].value["query_type"], "simple");
    assert_eq!(seen[0].model.as_deref(), Some("scripted"));
    assert!(seen[0].usage.total_tokens > 0);

    // The script is over: the rule answers the second run, and the log says why.
    thread.invoke(TalkUpdate::new().question("연차는 며칠?")).await.unwrap().done().unwrap();
    let kept = kept(store, "kim").await;
    assert_eq!(kept[0], seen[0]);
    assert_eq!(kept.iter().map(|outcome| outcome.by).collect::<Vec<_>>(), [By::Model, By::Rule]);
    assert!(kept[1].why.as_deref().is_some_and(|why| why.contains("script is over")), "{kept:?}");
}

#[tokio::test]
async fn outcomes_are_streamed_and_kept_in_memory() {
    check(Arc::new(MemoryStore::new())).await;
}

#[tokio::test]
async fn outcomes_are_streamed_and_kept_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("threads.db");
    check(Arc::new(SqliteStore::open(&path).unwrap())).await;
    // By another process, with no graph at hand.
    assert_eq!(kept(Arc::new(SqliteStore::open(&path).unwrap()), "kim").await.len(), 2);
}

#[tokio::test]
async fn a_run_that_may_spend_nothing_is_left_to_the_rules() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text(r#"{"query_type": "rag_required", "reason": ""}"#));
    let models = Models::read(|name| fake.variable(name), [], Policy::default());
    let store = Arc::new(MemoryStore::new());
    let app = graph(Decider::with_models(models)).on(store.clone());
    let run = app.thread("poor").unwrap().invoke(TalkUpdate::new().question("연차는 며칠?"));
    run.provide(Budget::unlimited().with_calls(0)).await.unwrap().done().unwrap();
    let kept = kept(store, "poor").await;
    assert!(
        kept[0].by == By::Rule && kept[0].why.as_deref().is_some_and(|why| why.contains("budget")),
        "{kept:?}"
    );
    assert!(fake.seen().is_empty());
}
