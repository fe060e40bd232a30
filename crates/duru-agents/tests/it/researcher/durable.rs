//! A run that dies at any moment goes on, and a conversation outlives the process.

use std::sync::Arc;

use duru::store::{Checkpoints, MemoryStore};
use duru::testkit::crash::{CrashStore, Death};
use duru::{Outcome, Unfinished};
use duru_agents::researcher::Inquiry;
use duru_llm::decision::Decider;
use duru_store::SqliteStore;

use super::world::{World, answer, said};

#[tokio::test]
async fn a_run_that_dies_at_any_call_goes_on() {
    let world = World::new().await;
    let question =
        || Inquiry::question("계단 청소는 무슨 요일에 하나요? 그리고 택배 보관 기간은 며칠인가요?");
    let whole = world.researcher().thread("kim").unwrap().invoke(question()).await.unwrap().done().unwrap();
    let mut deaths = 0;
    for death in [Death::Before, Death::After] {
        for nth in 1.. {
            let store: Arc<dyn Checkpoints> = Arc::new(MemoryStore::new());
            let dying = Arc::new(CrashStore::new(Arc::clone(&store), nth, death));
            let first = world.researcher_on(Arc::clone(&dying) as Arc<dyn Checkpoints>, Decider::by_rules());
            let ended = first.thread("kim").unwrap().invoke(question()).await;
            if !dying.died() {
                assert!(matches!(ended, Ok(Outcome::Done(_))));
                break;
            }
            deaths += 1;
            drop(first);
            let second = world.researcher_on(Arc::clone(&store), Decider::by_rules());
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
            let end = run.await.unwrap().done().unwrap();
            assert_eq!(said(&end), said(&whole), "{death:?} {nth}");
            assert_eq!(end.metadata, whole.metadata, "nothing was counted twice: {death:?} {nth}");
        }
    }
    assert!(deaths > 15, "{deaths}");
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
