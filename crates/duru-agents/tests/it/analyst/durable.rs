//! A run that dies at any moment goes on, and a question waits for its answer.

use std::sync::Arc;

use duru::Outcome;
use duru::store::Checkpoints;
use duru_llm::decision::Decider;
use duru_store::SqliteStore;

use super::world::{World, asks, number};
use crate::support::dies_at_every_call;

#[tokio::test]
async fn a_run_that_dies_at_any_call_goes_on() {
    let Some(world) = World::new().await else { return };
    let question = || asks("payment-api 최근 1시간 에러 몇 건?");
    dies_at_every_call(
        |store| world.analyst_on(store, Decider::by_rules()),
        question,
        |end, when| assert_eq!(number(end), 5, "{when}"),
    )
    .await;
}

#[tokio::test]
async fn a_clarification_survives_a_restart() {
    let Some(world) = World::new().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let open =
        || -> Arc<dyn Checkpoints> { Arc::new(SqliteStore::open(folder.path().join("threads.db")).unwrap()) };
    {
        let analyst = world.analyst_on(open(), Decider::by_rules());
        let paused = analyst.thread("kim").unwrap().invoke(asks("에러 로그 보여줘")).await.unwrap();
        assert!(matches!(paused, Outcome::Paused(_)));
    }
    let analyst = world.analyst_on(open(), Decider::by_rules());
    let thread = analyst.thread("kim").unwrap();
    let end = thread.resume(serde_json::json!({ "service": "payment-api" })).await.unwrap().done().unwrap();
    assert_eq!(end.formatted_results.as_ref().unwrap().count, 9);
}
