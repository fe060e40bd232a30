//! Sentences are shown as each is verified, and what takes the place of what was shown says so.

use std::sync::Arc;
use std::time::Duration;

use duru::store::MemoryStore;
use duru::{Mode, Outcome};
use duru_agents::decided;
use duru_agents::researcher::{Inquiry, Research, WorkflowStatus};
use duru_llm::fake::{Fake, Says};
use serde_json::Value;

use super::world::World;
use crate::support::decider;

const QUESTION: &str = "보증금은 얼마까지 올릴 수 있나요?";

/// What a run showed: pieces of messages by id, and names of decisions, in their order.
#[derive(Debug, PartialEq)]
enum Shown {
    Piece(String, String),
    Decided(String),
}

async fn watched(answers: &'static [&'static str], check: &'static str) -> (Vec<Shown>, Arc<Research>) {
    let world = World::new().await;
    let fake = Fake::start().await.unwrap();
    let asked = std::sync::atomic::AtomicUsize::new(0);
    fake.otherwise(move |seen| {
        let body = seen.body.to_string();
        if body.contains("지난 답의 잘못") {
            let turn = asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            // Slowly, a few letters at a time.
            let pause = Duration::from_millis(2);
            return Says { pause, ..Says::text(answers[turn.min(answers.len() - 1)]) };
        }
        Says::text(if body.contains("답의 주장을 하나씩") { check } else { "?" })
    });
    let researcher = world.researcher_on(Arc::new(MemoryStore::new()), decider(&fake, "openai:m"));
    let run = researcher.thread("kim").unwrap().invoke(Inquiry::question(QUESTION));
    let mut stream = run.stream([Mode::Messages, Mode::Custom]).await.unwrap();
    let mut shown = Vec::new();
    while let Some(event) = stream.next().await.unwrap() {
        if let Some(outcome) = decided::read(&event) {
            shown.push(Shown::Decided(outcome.decision));
        } else if event.mode == Mode::Messages {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            shown.push(Shown::Piece(text(&event.data[0]["id"]), text(&event.data[0]["content"])));
        }
    }
    match stream.outcome().await.unwrap() {
        Outcome::Done(end) => (shown, end),
        other => panic!("not done: {other:?}"),
    }
}

fn joined(shown: &[Shown]) -> String {
    let pieces = shown.iter().filter_map(|shown| match shown {
        Shown::Piece(_, text) => Some(text.as_str()),
        Shown::Decided(_) => None,
    });
    pieces.collect()
}

const FINE: &str = r#"{"claims": []}"#;

#[tokio::test]
async fn the_first_verified_sentence_is_shown_while_the_rest_is_written() {
    let (shown, end) = watched(
        &[r#"{"answerable": true, "answer": "보증금의 증액은 100분의 5를 넘지 못합니다. [1] 증액을 한 뒤 1년 이내에는 다시 증액하지 못합니다. [1]"}"#],
        FINE,
    )
    .await;
    let first = shown.iter().position(|shown| matches!(shown, Shown::Piece(_, text) if !text.is_empty()));
    let decided = shown.iter().position(|shown| *shown == Shown::Decided("researcher/synthesis".into()));
    assert!(first.unwrap() < decided.unwrap(), "it was shown before the reply was whole: {shown:#?}");
    let Shown::Piece(_, first) = &shown[first.unwrap()] else { panic!() };
    assert!(first.ends_with("보증금의 증액은 100분의 5를 넘지 못합니다. [1]"), "{first}");
    // All pieces are one message, the one that is kept.
    let message = end.messages.last().unwrap();
    assert_eq!(joined(&shown), message.text());
    for piece in &shown {
        assert!(!matches!(piece, Shown::Piece(id, _) if Some(id) != message.id.as_ref()), "{piece:?}");
    }
    assert_eq!(end.workflow_status, WorkflowStatus::Completed);
}

/// Nothing follows its only sentence, which therefore is whole when the text ends: it waits neither for the rest of the
/// reply nor for what models say about it.
#[tokio::test]
async fn an_answer_of_one_sentence_is_shown_before_it_is_graded() {
    let (shown, end) = watched(
        &[r#"{"answerable": true, "answer": "보증금의 증액은 100분의 5를 넘지 못합니다. [1]"}"#],
        FINE,
    )
    .await;
    let first = shown.iter().position(|shown| matches!(shown, Shown::Piece(_, text) if !text.is_empty()));
    let decided = shown.iter().position(|shown| *shown == Shown::Decided("researcher/synthesis".into()));
    assert!(first.unwrap() < decided.unwrap(), "{shown:#?}");
    assert_eq!(joined(&shown), end.messages.last().unwrap().text());
}

#[tokio::test]
async fn a_claim_that_is_invented_is_not_shown_before_it_is_marked() {
    let (shown, end) = watched(
        &[r#"{"answerable": true, "answer": "보증금의 증액은 100분의 5를 넘지 못합니다. [1] 증액을 한 뒤 1년 이내에는 다시 증액하지 못합니다. [1] 약정한 차임의 증액은 100분의 5를 넘지 못합니다. [1] 위반하면 900만원을 냅니다. [1]"}"#],
        FINE,
    )
    .await;
    let text = joined(&shown);
    let message = end.messages.last().unwrap();
    assert_eq!(text, message.text());
    assert!(text.contains("900만원을 냅니다. [1] [확인되지 않음]"), "{text}");
    for piece in &shown {
        assert!(
            !matches!(piece, Shown::Piece(_, text) if text.contains("900만원") && !text.contains("[확인되지 않음]"))
        );
    }
}

/// The first reply begins well and goes wrong; the second says it in other words.
#[tokio::test]
async fn an_answer_that_takes_the_place_of_what_was_shown_says_so() {
    let (shown, end) = watched(
        &[
            r#"{"answerable": true, "answer": "보증금의 증액은 100분의 5를 넘지 못합니다. [1] 위반하면 900만원을 냅니다. [1] 위반하면 800만원도 냅니다. [1]"}"#,
            r#"{"answerable": true, "answer": "약정한 차임이나 보증금의 증액은 100분의 5를 넘지 못한다. [1]"}"#,
        ],
        FINE,
    )
    .await;
    let text = joined(&shown);
    let (before, after) = text.split_once("다음 답으로 바꿉니다").expect("it says so");
    assert!(before.starts_with("보증금의 증액은 100분의 5를") && !before.contains("900"), "{before}");
    let message = end.messages.last().unwrap();
    assert!(after.ends_with(&*message.text()), "{after}");
    assert!(!message.text().contains("바꿉니다") && end.final_answer.is_some());
}

/// A reply that says only in the end whether there is an answer is not shown before.
#[tokio::test]
async fn nothing_is_shown_of_an_answer_that_may_be_none() {
    let (shown, end) = watched(
        &[r#"{"answer": "보증금의 증액은 100분의 5를 넘지 못합니다. [1]", "answerable": false}"#],
        FINE,
    )
    .await;
    assert_eq!(joined(&shown), "");
    assert!(end.citations.is_empty());
}
