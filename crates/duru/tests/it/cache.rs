//! Nodes that need not run again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use duru::store::MemoryStore;
use duru::{App, Command, Cx, END, Graph, Mode, NodeError, Outcome, State, TokioClock};
use serde_json::json;

#[derive(State, Clone)]
struct Price {
    item: String,
    #[merge(append)]
    seen: Vec<String>,
    broken: bool,
}

/// `look` is slow and kept by item; it sends two workers, which are kept too.
fn app(store: &Arc<MemoryStore>, looked: &Arc<AtomicU32>, clock: TokioClock) -> App<Price> {
    let mut g = Graph::<Price>::new("prices");
    let count = Arc::clone(looked);
    let work = g.worker("work", move |item: String, _: Cx| {
        count.fetch_add(100, Ordering::SeqCst);
        async move { Ok(PriceUpdate::new().seen([format!("worked {item}")])) }
    });
    let count = Arc::clone(looked);
    let look = g.node("look", move |s: Arc<Price>, _: Cx| {
        count.fetch_add(1, Ordering::SeqCst);
        async move {
            if s.broken {
                return Err(NodeError::msg("broken"));
            }
            Ok(Command::update(PriceUpdate::new().seen([format!("looked {}", s.item)]))
                .goto(work.send(s.item.clone())))
        }
    });
    g.cache(look, |s: &Price| s.item.clone(), Some(Duration::from_secs(60)));
    g.cache_worker(work, |item: &String| item.clone(), None);
    g.start(look).may_go(look, [work]).edge(work, END);
    g.compile().unwrap().clock(clock).memories(store.clone()).on(store.clone())
}

#[tokio::test(start_paused = true)]
async fn a_kept_result_is_used_until_its_time_is_over() {
    let (store, runs) = (Arc::new(MemoryStore::new()), Arc::new(AtomicU32::new(0)));
    let clock = TokioClock::starting_at(1_000_000);
    let ran = || runs.swap(0, Ordering::SeqCst);
    let look = async |app: &App<Price>, thread: &str, item: &str| {
        let input = PriceUpdate::new().item(item);
        app.thread(thread).unwrap().invoke(input).await.unwrap().done().unwrap().seen.clone()
    };
    let first = app(&store, &runs, clock);
    let expected = ["looked pear", "worked pear"];
    assert_eq!(look(&first, "a", "pear").await, expected);
    assert_eq!(ran(), 101);
    // Another thread, and another process: writes and where to go are the same.
    let second = app(&store, &runs, clock);
    assert_eq!(look(&second, "b", "pear").await, expected);
    assert_eq!(ran(), 0);
    assert_eq!(look(&second, "c", "plum").await, ["looked plum", "worked plum"]);
    assert_eq!(ran(), 101);
    tokio::time::advance(Duration::from_secs(61)).await;
    assert_eq!(look(&second, "d", "pear").await, expected);
    assert_eq!(ran(), 1, "the worker's result is kept for ever");
}

#[tokio::test(start_paused = true)]
async fn failures_are_not_kept_and_kept_results_say_so() {
    let (store, runs) = (Arc::new(MemoryStore::new()), Arc::new(AtomicU32::new(0)));
    let app = app(&store, &runs, TokioClock::starting_at(1_000_000));
    let input = || PriceUpdate::new().item("fig");
    let broken = app.thread("a").unwrap().invoke(input().broken(true)).await.unwrap();
    assert!(matches!(broken, Outcome::Failed(_)));
    app.thread("b").unwrap().invoke(input()).await.unwrap().done().unwrap();
    let mut stream = app.thread("c").unwrap().invoke(input()).stream([Mode::Updates]).await.unwrap();
    let mut events = Vec::new();
    while let Some(event) = stream.next().await.unwrap() {
        events.push(event.data);
    }
    let kept = json!({"look": {"seen": ["looked fig"]}, "__metadata__": {"cached": true}});
    assert!(events.contains(&kept), "{events:?}");
    assert_eq!(runs.load(Ordering::SeqCst), 102);
}
