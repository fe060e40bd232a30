//! Makes the question stand alone.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use serde_json::json;

use super::query_router::TURNS;
use super::shared;
use crate::decided;
use crate::researcher::decide::{EnhanceContext, Enhanced, LeaningAsked};
use crate::researcher::plan::topic;
use crate::researcher::state::{Research, ResearchUpdate};
use crate::researcher::subject::content_words;

pub(in crate::researcher) async fn context_enhancement(s: Arc<Research>, cx: Cx) -> Result<ResearchUpdate> {
    let draft = s.turns.last().map_or_else(|| s.query.clone(), |before| leaning(before, &s.query));
    let asked = LeaningAsked {
        question: Untrusted::new(s.query.as_str()),
        history: shared::untrusted(s.history(TURNS)),
        draft: Untrusted::new(draft.as_str()),
    };
    let Enhanced { question, reason } = decided::decider(&cx)?.decide::<EnhanceContext>(&asked).await?.value;
    let question = if question.trim().is_empty() { draft } else { question };
    let statistics = json!({ "enhanced_query": question, "reason": reason });
    Ok(shared::report(cx.node(), question.as_str(), statistics).enhanced_query(question))
}

/// The question with what the last one was about before it; the last one itself if it says nothing of its own.
pub(in crate::researcher) fn leaning(before: &str, question: &str) -> String {
    if content_words(question).is_empty() {
        return before.to_owned();
    }
    match topic(before, question) {
        topic if topic.is_empty() => question.to_owned(),
        topic => format!("{topic} {question}"),
    }
}
