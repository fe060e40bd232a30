//! What strangers to the code wrote: they are answered no worse than when they were last learnt from. How they were
//! answered the first time stands in `eval/` (the READMEs of `reuse` and `conversations`).

use duru_agents::advisor::Toolbox;
use duru_agents::advisor::evaluation::conversations::{Conversation, Score, talk};
use duru_llm::decision::Decider;

use super::sufficiency::measure;
use super::world::sources;

#[test]
fn nothing_is_used_again_that_strangers_would_have_searched_for() {
    for cases in [
        include_str!("../../../../../eval/reuse/first_reuse_cases.jsonl"),
        include_str!("../../../../../eval/reuse/sixth_cases.jsonl"),
    ] {
        let (score, wrong) = measure(cases);
        eprintln!("{score:?}\n{}", wrong.join("\n"));
        assert_eq!(score.unsafe_reuse.hits, 0);
        assert!(score.decision.value() >= 0.92 && score.intent.value() >= 0.95);
        assert!(score.lost_reuse.value() <= 0.10);
    }
}

async fn talks(lines: &str) -> Score {
    let toolbox = Toolbox::new(&sources());
    let mut score = Score::default();
    for line in lines.lines().filter(|line| !line.is_empty()) {
        let conversation: Conversation = serde_json::from_str(line).expect("a conversation");
        let judged = talk(&conversation, &toolbox, &Decider::by_rules()).await;
        for one in &judged {
            let wrong = (&one.missing, &one.contradictions, &one.unmentioned);
            if wrong != (&vec![], &vec![], &vec![]) {
                eprintln!("{} {} {}: {wrong:?}", one.id, one.turn, one.user);
            }
        }
        score.add(&judged, &conversation);
    }
    eprintln!("{score:?}");
    score
}

#[tokio::test]
async fn the_first_conversations_are_had_no_worse_than_before() {
    let score = talks(include_str!("../../../../../eval/conversations/first_conversations.jsonl")).await;
    assert!(score.facts.hits >= 190 && score.parts.hits >= 70 && score.failed == 0, "{score:?}");
    assert_eq!(score.contradictions.hits, 0, "{score:?}");
}

#[tokio::test]
async fn the_second_conversations_are_had_no_worse_than_before() {
    let score = talks(include_str!("../../../../../eval/conversations/second_conversations.jsonl")).await;
    assert!(score.facts.hits >= 211 && score.parts.hits >= 101 && score.failed == 0, "{score:?}");
    assert_eq!(score.contradictions.hits, 0, "{score:?}");
}

#[tokio::test]
async fn the_third_conversations_are_had_no_worse_than_before() {
    let score = talks(include_str!("../../../../../eval/conversations/third_conversations.jsonl")).await;
    assert!(score.facts.hits >= 218 && score.parts.hits >= 80 && score.failed == 0, "{score:?}");
    assert_eq!(score.contradictions.hits, 0, "{score:?}");
}

#[tokio::test]
async fn the_fourth_conversations_are_had_no_worse_than_before() {
    let score = talks(include_str!("../../../../../eval/conversations/fourth_conversations.jsonl")).await;
    assert!(score.facts.hits >= 150 && score.parts.hits >= 62 && score.failed == 0, "{score:?}");
    assert_eq!(score.contradictions.hits, 0, "{score:?}");
}
