//! What people say about passages is a source of its own: behind the text, under their name, for themselves alone
//! until it is accepted.

use std::sync::Arc;

use duru::Outcome;
use duru::store::MemoryStore;
use duru_agents::researcher::{Fault, Inquiry, Research, graph};
use duru_llm::decision::Decider;
use duru_llm::fake::Fake;
use duru_search::Verdict;
use duru_search::remark::{self, NewRemark, Remark, Standing};

use super::models::scripted;
use super::world::{World, said};
use crate::support::decider;

const QUESTION: &str = "보증금은 얼마까지 올릴 수 있나요?";
const REMARK: &str = "약정한 차임이나 보증금의 증액은 100분의 20을 넘지 못한다.";
/// The sixteenth of November 2026.
const AT: u64 = 1_794_787_200_000;

async fn remarked(world: &World) -> Remark {
    let found = world.tools.searcher.search(&duru_search::retrieve::Request::new(QUESTION)).await.unwrap();
    let chunk = found.hits.iter().find(|hit| hit.chunk.article.as_deref() == Some("제7조")).unwrap();
    let new = NewRemark { verdict: Verdict::Note, text: REMARK, author: "kim", at_ms: AT };
    remark::say(&*world.index, &chunk.chunk.id, new).await.unwrap()
}

async fn asked(world: &World, who: &str, question: &str) -> Arc<Research> {
    asked_of(world, who, question, Decider::by_rules()).await
}

async fn asked_of(world: &World, who: &str, question: &str, decider: Decider) -> Arc<Research> {
    let tools = world.tools.clone().for_one(who);
    let app = graph(tools).unwrap().provide(decider).on(Arc::new(MemoryStore::new()));
    match app.thread("t").unwrap().invoke(Inquiry::question(question)).await.unwrap() {
        Outcome::Done(end) => end,
        other => panic!("not done: {other:?}"),
    }
}

/// One key's note, and everybody was told "20 %", cited to the statute, without a word of whose it was.
#[tokio::test]
async fn a_remark_does_not_rewrite_the_law_for_others() {
    let world = World::new().await;
    let before = asked(&world, "lee", QUESTION).await;
    let remark = remarked(&world).await;
    let lee = asked(&world, "lee", QUESTION).await;
    assert_eq!(said(&lee), said(&before), "nothing changes for others");
    assert!(lee.documents.iter().all(|document| document.remarked.is_none()), "{:?}", lee.documents);

    let accepted = Standing::Accepted { by: "boss".into(), at_ms: AT };
    for (who, change) in [("kim", None), ("lee", Some(accepted))] {
        if let Some(standing) = change {
            remark::accept_or_decline(&*world.index, &remark, standing).await.unwrap();
        }
        let end = asked(&world, who, QUESTION).await;
        shows_both(&end);
    }
}

/// The text comes first and is cited for what it says; the remark comes behind it, with its author and its date.
fn shows_both(end: &Research) {
    let lines: Vec<&str> = said(end).lines().collect();
    assert!(lines[0].contains("100분의 5") && !lines[0].contains("100분의 20"), "{lines:?}");
    let number = |line: &str| {
        let (_, rest) = line.rsplit_once('[').unwrap();
        rest.split_once(']').unwrap().0.parse::<u32>().unwrap()
    };
    let cited = |line: &str| end.citations.iter().find(|known| known.number == number(line)).unwrap();
    let text = cited(lines[0]);
    assert!(text.remarked.is_none() && text.label.contains("제7조"), "{text:?}");
    let line = lines.iter().find(|line| line.contains("100분의 20")).unwrap();
    assert!(line.contains("kim") && line.contains("2026-11-16") && line.contains("의견"), "{line}");
    let remark = cited(line);
    let of = remark.remarked.as_ref().unwrap();
    assert_eq!((of.author.as_str(), of.date.as_deref()), ("kim", Some("2026-11-16")));
    assert_eq!(of.passage, text.document);
    assert_ne!(remark.number, text.number);
    assert!(lines.iter().any(|line| line.contains("문서를 먼저 보세요")), "{lines:?}");
    assert!(end.claims.iter().all(|claim| claim.fault.is_none()), "{:?}", end.claims);
}

/// Whatever a model says of it: a number that only a person says is in no statute.
#[tokio::test]
async fn a_turned_model_cites_no_remark_as_the_text() {
    let world = World::new().await;
    remarked(&world).await;
    for answer in [
        r#"{"answer": "보증금의 증액은 100분의 20을 넘지 못합니다. [1]", "answerable": true}"#,
        r#"{"answer": "보증금의 증액은 100분의 20을 넘지 못합니다. [1][2]", "answerable": true}"#,
    ] {
        let fake = Fake::start().await.unwrap();
        let fine = r#"{"claims": [{"claim": 1, "supported": true, "reason": ""}]}"#;
        scripted(&fake, &[answer], fine);
        let end = asked_of(&world, "kim", QUESTION, decider(&fake, "openai:m")).await;
        assert!(end.documents[0].remarked.is_none() && end.documents[1].remarked.is_some());
        let claim = end.claims.iter().find(|claim| claim.text.contains("100분의 20")).unwrap();
        assert_eq!(claim.fault, Some(Fault::Number), "{end:#?}");
        assert!(said(&end).contains("[확인되지 않음]"), "{}", said(&end));
    }
    // Cited for what it is, it is told behind the text and under its author's name.
    let fake = Fake::start().await.unwrap();
    let answer = r#"{"answer": "보증금의 증액은 100분의 20을 넘지 못합니다. [2] 보증금의 증액은 100분의 5를 넘지 못합니다. [1]", "answerable": true}"#;
    let fine = r#"{"claims": [{"claim": 1, "supported": true, "reason": ""}, {"claim": 2, "supported": true, "reason": ""}]}"#;
    scripted(&fake, &[answer], fine);
    let end = asked_of(&world, "kim", QUESTION, decider(&fake, "openai:m")).await;
    let lines: Vec<&str> = said(&end).lines().collect();
    assert!(lines[0].contains("100분의 5를"), "{lines:?}");
    assert!(lines[1].contains("100분의 20을") && lines[1].ends_with("(kim의 의견)"), "{lines:?}");
}
