//! What the graph remembers of a person, and of its own decisions.

use std::sync::Arc;

use duru::memory::Memory;
use duru::store::MemoryStore;
use duru_agents::advisor::ab::{Outcome, Place, Tracker};
use duru_agents::advisor::memory::{Book, Notebook};
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::{Advice, Inquiry, Toolbox, graph};
use duru_llm::decision::Decider;
use jiff::SignedDuration;

use super::world::start;

#[tokio::test]
async fn exchanges_and_decisions_outlast_the_thread_and_stay_with_their_person() {
    let store = Arc::new(MemoryStore::new());
    let memory = Memory::new(Arc::clone(&store) as Arc<_>);
    let toolbox = Toolbox::new(&Sources::built_in(jiff::civil::date(2026, 5, 13)))
        .with_memory(Arc::new(Notebook::new(memory.clone())));
    let app = graph(toolbox).unwrap().provide(Decider::by_rules()).on(store);
    let ask = async |thread: &str, user: &str, minutes: i64, text: &str| -> Arc<Advice> {
        let now = start() + SignedDuration::from_mins(minutes);
        let inquiry =
            Inquiry { user: Some(user.to_owned()), now: Some(now.to_string()), ..Inquiry::question(text) };
        app.thread(thread).unwrap().invoke(inquiry).await.unwrap().done().unwrap()
    };
    ask("first", "kim", 0, "노원구 아파트 매매 시세 알려줘").await;
    let reused = ask("first", "kim", 2, "방금 검색한 시세 다시 정리해줘").await;
    assert!(reused.data_reused);
    ask("first", "kim", 4, "최신 시세로 다시 검색해줘").await;

    let (book, tracker) = (Book::new(memory.clone()), Tracker::new(memory));
    assert_eq!(book.list("kim", start()).await.unwrap().len(), 3);
    let outcome =
        async |turn| tracker.get(Place { thread: "first", turn }).await.unwrap().unwrap().actual_result;
    // The wish to search again is evidence about the reuse before it, and about nothing else.
    assert_eq!(outcome(1).await, Outcome::IncorrectSkip);
    assert_eq!(outcome(2).await, Outcome::Unknown);

    let later = ask("second", "kim", 10, "마포구 전세 시세는?").await;
    assert_eq!(later.memories.short_term.len(), 3);
    assert!(!later.memories.searches.is_empty());
    let other = ask("third", "lee", 10, "마포구 전세 시세는?").await;
    assert!(other.memories.short_term.is_empty() && other.memories.searches.is_empty());
}
