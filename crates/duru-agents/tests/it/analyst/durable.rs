//! A run that dies at any moment goes on, and a question waits for its answer.

use std::sync::Arc;

use duru::store::{Checkpoints, MemoryStore};
use duru::testkit::crash::{CrashStore, Death};
use duru::{Outcome, Unfinished};
use duru_llm::decision::Decider;
use duru_store::SqliteStore;

use super::world::{World, asks, number};

#[tokio::test]
async fn a_run_that_dies_at_any_call_goes_on() {
    let Some(world) = World::new().await else { return };
    let question = || asks("payment-api 최근 1시간 에러 몇 건?");
    let mut deaths = 0;
    for death in [Death::Before, Death::After] {
        for nth in 1.. {
            let store: Arc<dyn Checkpoints> = Arc::new(MemoryStore::new());
            let dying = Arc::new(CrashStore::new(Arc::clone(&store), nth, death));
            let first = world.analyst_on(Arc::clone(&dying) as Arc<dyn Checkpoints>, Decider::by_rules());
            let ended = first.thread("kim").unwrap().invoke(question()).await;
            if !dying.died() {
                assert!(matches!(ended, Ok(Outcome::Done(_))));
                break;
            }
            deaths += 1;
            drop(first);
            let second = world.analyst_on(Arc::clone(&store), Decider::by_rules());
            let thread = second.thread("kim").unwrap();
            let state = thread.state().await.unwrap();
            let run = if state.checkpoint.is_none() {
                // It died before anything was acknowledged: the question is asked again.
                thread.invoke(question()).on_unfinished(Unfinished::Discard)
            } else if state.next().is_empty() {
                continue;
            } else {
                thread.go_on()
            };
            assert_eq!(number(&run.await.unwrap().done().unwrap()), 5, "{death:?} {nth}");
        }
    }
    assert!(deaths > 15, "{deaths}");
}

#[tokio::test]
async fn a_clarification_survives_a_restart() {
    let Some(world) = World::new().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let open =
        || -> Arc<dyn Checkpoints> { Arc::new(SqliteStore::open(folder.path().join("threads.db")).unwrap()) };
    {
        let analyst = world.analyst_on(open(), Decider::by_rules());
        let paused =
            analyst.thread("kim").unwrap().invoke(asks("최근 1시간 에러 로그 보여줘")).await.unwrap();
        assert!(matches!(paused, Outcome::Paused(_)));
    }
    let analyst = world.analyst_on(open(), Decider::by_rules());
    let thread = analyst.thread("kim").unwrap();
    let end = thread.resume(serde_json::json!({ "service": "payment-api" })).await.unwrap().done().unwrap();
    assert_eq!(end.formatted_results.as_ref().unwrap().count, 5);
}
