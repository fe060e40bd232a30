//! Answers what asks for no document.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;

use super::super::decide::{DirectResponse, TalkAsked};
use super::super::sentences::without_citations;
use super::super::small_talk::thanks;
use super::super::state::{Research, ResearchUpdate, WorkflowStatus};
use super::super::words;
use super::query_router::TURNS;
use super::shared;
use crate::decided;
use crate::links::without_links;
use duru_messages::Message;

pub(in super::super) async fn direct_response(s: Arc<Research>, cx: Cx) -> Result<ResearchUpdate> {
    let lang = s.lang();
    let said = if s.query.is_empty() {
        words::nothing_asked(lang)
    } else {
        let asked = TalkAsked {
            question: Untrusted::new(s.query.as_str()),
            history: shared::untrusted(s.history(TURNS)),
            language: lang.name().to_owned(),
            draft: if thanks(&s.query) { words::welcome(lang) } else { words::small_talk(lang) },
        };
        let said = decided::decider(&cx)?.decide::<DirectResponse>(&asked).await?.value.answer;
        // Nothing was looked up: there is nothing to cite and nowhere to lead.
        let said = without_citations(&without_links(&said, &s.query));
        if said.is_empty() { asked.draft } else { said }
    };
    // It is no turn that a later question could lean on.
    Ok(ResearchUpdate::new()
        .current_node(cx.node())
        .messages([Message::ai(said.as_str())])
        .final_answer(Some(said))
        .workflow_status(WorkflowStatus::Completed))
}
