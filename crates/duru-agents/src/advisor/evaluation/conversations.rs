//! Measuring whole conversations: what each answer must say, must not say, and must at least mention.

use std::sync::Arc;

use duru::Outcome;
use duru::store::MemoryStore;
use duru_llm::decision::Decider;
use serde::{Deserialize, Serialize};

use super::Share;
use crate::advisor::{AdviceStatus, Inquiry, Toolbox, graph};

/// What somebody says one after another.
#[derive(Clone, Debug, Deserialize)]
pub struct Conversation {
    pub id: String,
    pub turns: Vec<Turn>,
}

/// One question, and what its answer is judged by.
#[derive(Clone, Debug, Deserialize)]
pub struct Turn {
    pub user: String,
    /// Of every group one must be said.
    #[serde(default)]
    pub must: Vec<Vec<String>>,
    /// None of these may be said.
    #[serde(default)]
    pub must_not: Vec<String>,
    /// Of every group one must be mentioned, be it only as missing.
    #[serde(default)]
    pub parts: Vec<Vec<String>>,
}

/// A turn as it was answered and judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    pub id: String,
    /// From 1.
    pub turn: usize,
    pub user: String,
    pub answer: String,
    pub status: Option<AdviceStatus>,
    pub facts: Share,
    /// The groups of which nothing was said.
    pub missing: Vec<Vec<String>>,
    pub contradictions: Vec<String>,
    pub unmentioned: Vec<Vec<String>>,
    /// Why there is no answer, where there is none.
    pub failed: Option<String>,
}

/// The score of a set of conversations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    pub conversations: usize,
    pub turns: usize,
    pub facts: Share,
    /// Turns that say something that must not be said.
    pub contradictions: Share,
    /// Parts that were mentioned.
    pub parts: Share,
    pub failed: usize,
}

impl Score {
    pub fn add(&mut self, judged: &[Judged], conversation: &Conversation) {
        self.conversations += 1;
        for (turn, one) in conversation.turns.iter().zip(judged) {
            self.turns += 1;
            self.facts.hits += one.facts.hits;
            self.facts.of += one.facts.of;
            self.contradictions.count(!one.contradictions.is_empty());
            self.parts.of += turn.parts.len();
            self.parts.hits += turn.parts.len() - one.unmentioned.len();
            self.failed += usize::from(one.failed.is_some());
        }
    }
}

/// Has the conversation, with whoever decides, and judges every answer.
pub async fn talk(conversation: &Conversation, toolbox: &Toolbox, decider: &Decider) -> Vec<Judged> {
    let advisor = match graph(toolbox.clone()) {
        Ok(graph) => graph.provide(decider.clone()).on(Arc::new(MemoryStore::new())),
        Err(error) => return vec![failed(conversation, 0, error.to_string())],
    };
    let mut judged = Vec::new();
    for (at, turn) in conversation.turns.iter().enumerate() {
        let end = match advisor.thread("talk") {
            Ok(thread) => thread.invoke(Inquiry::question(turn.user.as_str())).await,
            Err(error) => {
                judged.push(failed(conversation, at, error.to_string()));
                continue;
            }
        };
        let one = match end {
            Ok(Outcome::Done(end)) => {
                let answer =
                    end.final_response.as_ref().map(|answer| answer.text.clone()).unwrap_or_default();
                Judged { status: Some(end.status), ..judge(conversation, at, answer) }
            }
            Ok(other) => failed(conversation, at, format!("{other:?}")),
            Err(error) => failed(conversation, at, error.to_string()),
        };
        judged.push(one);
    }
    judged
}

fn failed(conversation: &Conversation, at: usize, why: String) -> Judged {
    Judged { failed: Some(why), ..judge(conversation, at, String::new()) }
}

fn judge(conversation: &Conversation, at: usize, answer: String) -> Judged {
    let turn = conversation.turns.get(at);
    let plain = bare(&answer);
    let says = |text: &String| plain.contains(&bare(text));
    let none_of = |groups: &[Vec<String>]| -> Vec<Vec<String>> {
        groups.iter().filter(|group| !group.iter().any(says)).cloned().collect()
    };
    let must = turn.map_or(&[][..], |turn| &turn.must);
    let missing = none_of(must);
    let contradictions = turn.map_or(&[][..], |turn| &turn.must_not).iter().filter(|text| says(text));
    Judged {
        id: conversation.id.clone(),
        turn: at + 1,
        user: turn.map(|turn| turn.user.clone()).unwrap_or_default(),
        status: None,
        facts: Share { hits: must.len() - missing.len(), of: must.len() },
        missing,
        contradictions: contradictions.cloned().collect(),
        unmentioned: none_of(turn.map_or(&[][..], |turn| &turn.parts)),
        failed: None,
        answer,
    }
}

/// Small letters without spaces, and without the commas that stand between digits.
fn bare(text: &str) -> String {
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let between = |at: usize| digit(at.checked_sub(1)) && digit(Some(at + 1));
    let kept = letters.iter().enumerate().filter(|(at, c)| !(**c == ',' && between(*at)));
    kept.flat_map(|(_, c)| c.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_and_commas_between_digits_do_not_count() {
        let turn: Turn = serde_json::from_str(
            r#"{"user":"x","must":[["1,234만 원","없음"],["LTV"]],"must_not":["30년"],"parts":[["취득세"],["복비"]]}"#,
        )
        .unwrap();
        let conversation = Conversation { id: "a".to_owned(), turns: vec![turn] };
        let judged = judge(&conversation, 0, "한도 1234만원, ltv. 취득세 30 년".to_owned());
        assert_eq!(judged.facts, Share { hits: 2, of: 2 });
        assert_eq!(judged.contradictions, ["30년"]);
        assert_eq!(judged.unmentioned, [["복비"]]);
    }
}
