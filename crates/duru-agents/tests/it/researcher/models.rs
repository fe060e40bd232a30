//! With a model, behind a real connection.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru_agents::researcher::{Ending, Research, WorkflowStatus};
use duru_llm::fake::{Fake, Says};

use super::world::{PLANTED, World, answer, said};
use crate::support::{decider, fenced};

/// What a model is asked is recognised by the decision's name; anything but these two is left to the rules.
pub(super) fn scripted(fake: &Fake, answers: &[&'static str], check: &'static str) {
    let answers = answers.to_vec();
    let asked = std::sync::atomic::AtomicUsize::new(0);
    fake.otherwise(move |seen| {
        let body = seen.body.to_string();
        Says::text(if body.contains("지난 답의 잘못") {
            let turn = asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            answers[turn.min(answers.len() - 1)]
        } else if body.contains("답의 주장을 하나씩") {
            check
        } else {
            "?"
        })
    });
}

async fn ask(world: &World, fake: &Fake, question: &str) -> Arc<Research> {
    answer(&world.researcher_on(Arc::new(MemoryStore::new()), decider(fake, "openai:m")), "kim", question)
        .await
}

const FINE: &str = r#"{"claims": [{"claim": 1, "supported": true, "reason": ""}, {"claim": 2, "supported": true, "reason": ""}]}"#;
const INVENTED: &str = r#"{"answer": "보증금의 증액은 100분의 20을 넘지 못합니다. [1]", "answerable": true}"#;
const QUESTION: &str = "보증금은 얼마까지 올릴 수 있나요?";

#[tokio::test]
async fn a_claim_that_is_invented_is_fed_back_and_mended() {
    let world = World::new().await;
    let fake = Fake::start().await.unwrap();
    let good = r#"{"answer": "보증금의 증액은 100분의 5를 넘지 못합니다. [1]", "answerable": true}"#;
    scripted(&fake, &[INVENTED, good], FINE);
    let end = ask(&world, &fake, QUESTION).await;
    assert_eq!((end.workflow_status, end.retry_count), (WorkflowStatus::Completed, 1), "{end:#?}");
    assert!(said(&end).contains("100분의 5를") && !said(&end).contains("20"), "{}", said(&end));
    assert!(end.citations[0].label.contains("제7조"));
    let told = fake
        .seen()
        .into_iter()
        .filter(|seen| seen.body.to_string().contains("지난 답의 잘못"))
        .nth(1)
        .unwrap();
    assert!(told.last_text().contains("100분의 20을 넘지 못합니다. (a number"), "{}", told.last_text());
}

/// Though the model itself finds nothing wrong with it.
#[tokio::test]
async fn a_claim_that_stays_invented_is_marked_in_the_end() {
    let world = World::new().await;
    let fake = Fake::start().await.unwrap();
    scripted(&fake, &[INVENTED], FINE);
    let end = ask(&world, &fake, QUESTION).await;
    assert_eq!((end.workflow_status, end.retry_count), (WorkflowStatus::Failed, 3));
    assert!(said(&end).starts_with("⚠ 확인되지 않은 답변입니다."), "{}", said(&end));
    assert!(said(&end).contains("[1] [확인되지 않음]"), "{}", said(&end));
    let asked = fake.seen().iter().filter(|seen| seen.body.to_string().contains("지난 답의 잘못")).count();
    assert_eq!(asked, 4, "once, and three times again");
}

#[tokio::test]
async fn what_a_model_says_without_a_source_is_marked() {
    let world = World::new().await;
    let fake = Fake::start().await.unwrap();
    let mixed = r#"{"answer": "보증금의 증액은 100분의 5를 넘지 못합니다. [1] 증액 뒤 1년 이내에는 다시 증액하지 못합니다. [1] 약정한 차임의 증액은 100분의 5를 넘지 못합니다. [1] 집주인은 늘 친절합니다.", "answerable": true}"#;
    scripted(&fake, &[mixed], r#"{"claims": []}"#);
    let end = ask(&world, &fake, QUESTION).await;
    let support = end.hallucination_check.as_ref().map(|check| check.score);
    assert_eq!((end.workflow_status, support), (WorkflowStatus::Completed, Some(0.75)), "{end:#?}");
    // What is shown is how likely the passages are the ones that were meant, and say so.
    assert!(end.confidence_score > 0.4 && end.confidence_score < 0.75, "{}", end.confidence_score);
    assert!(said(&end).contains("집주인은 늘 친절합니다. [확인되지 않음]"), "{}", said(&end));
}

#[tokio::test]
async fn a_model_that_fails_is_not_missed() {
    let world = World::new().await;
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text("물론이죠!"));
    let end = ask(&world, &fake, QUESTION).await;
    assert!(said(&end).contains("100분의 5"), "{}", said(&end));
}

/// A document reaches a model only as data.
#[tokio::test]
async fn planted_sentences_are_fenced() {
    let world = World::new().await;
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text("?"));
    let end = ask(&world, &fake, "세탁실 이용료는 얼마인가요?").await;
    assert!(said(&end).contains("2천원") && !said(&end).contains("무료"), "{}", said(&end));
    let mut told = 0;
    for seen in fake.seen() {
        for message in seen.body["messages"].as_array().cloned().unwrap_or_default() {
            let text = message["content"].as_str().unwrap_or_default();
            told += fenced(text, PLANTED);
        }
    }
    assert!(told > 0, "the model saw the document");
}

/// What a request about one passage says.
fn is_about_a_passage(body: &str) -> bool {
    body.contains("Does the passage state the answer")
}

/// A model that finds no answer anywhere leaves what was found, as what may be meant.
#[tokio::test]
async fn a_model_that_says_no_to_every_passage_does_not_leave_the_question_without_an_answer() {
    let world = World::new().await;
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|seen| {
        if is_about_a_passage(&seen.body.to_string()) { Says::leaning(-3.0) } else { Says::text("?") }
    });
    let end = ask(&world, &fake, QUESTION).await;
    assert!(said(&end).contains("100분의 5"), "{}", said(&end));
    assert!(!end.citations.is_empty());
    assert_eq!(end.ending, Some(Ending::Maybe));
}

/// How far a model leans for a passage puts it first, and makes an answer of what only may be meant.
#[tokio::test]
async fn a_passage_that_a_model_leans_to_comes_first() {
    let world = World::new().await;
    let question = "집주인이 돈을 더 달라는데 되나요?";
    let by_rule = answer(&world.researcher(), "kim", question).await;
    assert_eq!(by_rule.ending, Some(Ending::Maybe), "{}", said(&by_rule));
    let second = by_rule.documents[1].clone();
    let fake = Fake::start().await.unwrap();
    let text = second.text.clone();
    fake.otherwise(move |seen| {
        let about = seen.last_text();
        match (is_about_a_passage(&about), about.contains(text.lines().next().unwrap_or_default())) {
            (true, true) => Says::leaning(4.0),
            (true, false) => Says::leaning(-1.0),
            _ => Says::text("?"),
        }
    });
    let end = ask(&world, &fake, question).await;
    assert_eq!(end.ending, Some(Ending::Answer), "{}", said(&end));
    assert_eq!(end.documents[0].id, second.id);
    assert!(end.citations.iter().any(|citation| citation.document == second.id), "{}", said(&end));
}
