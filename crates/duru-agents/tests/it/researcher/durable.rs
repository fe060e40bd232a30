//! A run that dies at any moment goes on, and a conversation outlives the process.

use std::sync::Arc;

use duru::store::Checkpoints;
use duru_agents::researcher::Inquiry;
use duru_llm::decision::Decider;
use duru_store::SqliteStore;

use super::world::{World, answer, said};
use crate::support::dies_at_every_call;

#[tokio::test]
async fn a_run_that_dies_at_any_call_goes_on() {
    let world = World::new().await;
    let question =
        || Inquiry::question("계단 청소는 무슨 요일에 하나요? 그리고 택배 보관 기간은 며칠인가요?");
    let whole = world.researcher().thread("kim").unwrap().invoke(question()).await.unwrap().done().unwrap();
    dies_at_every_call(
        |store| world.researcher_on(store, Decider::by_rules()),
        question,
        |end, when| {
            assert_eq!(said(end), said(&whole), "{when}");
            assert_eq!(end.metadata, whole.metadata, "nothing was counted twice: {when}");
        },
    )
    .await;
}

#[tokio::test]
async fn a_conversation_goes_on_after_a_restart() {
    let world = World::new().await;
    let folder = tempfile::tempdir().unwrap();
    let open =
        || -> Arc<dyn Checkpoints> { Arc::new(SqliteStore::open(folder.path().join("threads.db")).unwrap()) };
    answer(&world.researcher_on(open(), Decider::by_rules()), "kim", "임차권등기명령은 누가 신청하나요?")
        .await;
    let end =
        answer(&world.researcher_on(open(), Decider::by_rules()), "kim", "그 비용은 누가 부담하나요?").await;
    assert!(said(&end).contains("임대인이 부담한다"), "{}", said(&end));
}
