//! Answers what asks for no document.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;

use super::query_router::TURNS;
use super::shared;
use crate::decided;
use crate::links::without_links;
use crate::researcher::decide::{DirectResponse, TalkAsked};
use crate::researcher::sentences::{sentences, without_citations};
use crate::researcher::small_talk::thanks;
use crate::researcher::state::{Research, ResearchUpdate, WorkflowStatus};
use crate::researcher::words;
use crate::spoken::{Spoken, Telling, Verdict};

pub(in crate::researcher) async fn direct_response(s: Arc<Research>, cx: Cx) -> Result<ResearchUpdate> {
    let lang = s.lang();
    let telling = Telling::new(sentences, {
        let query = s.query.clone();
        move |_, sentence| match bare(sentence, &query) == sentence {
            true => Verdict::Told(sentence.to_owned()),
            false => Verdict::Held,
        }
    });
    let spoken = Spoken::new(&cx, "answer", telling);
    let said = if s.query.is_empty() {
        words::nothing_asked(lang)
    } else {
        let asked = TalkAsked {
            question: Untrusted::new(s.query.as_str()),
            history: shared::untrusted(s.history(TURNS)),
            language: lang.name().to_owned(),
            draft: if thanks(&s.query) { words::welcome(lang) } else { words::small_talk(lang) },
        };
        let decider = spoken.listen(decided::decider(&cx)?);
        let said = decider.decide::<DirectResponse>(&asked).await?.value.answer;
        let said = bare(&said, &s.query);
        spoken.settle(if said.is_empty() { asked.draft } else { said })
    };
    // It is no turn that a later question could lean on.
    Ok(ResearchUpdate::new()
        .current_node(cx.node())
        .messages([spoken.finish(said.clone())?])
        .final_answer(Some(said))
        .workflow_status(WorkflowStatus::Completed))
}

/// Nothing was looked up: there is nothing to cite and nowhere to lead.
fn bare(said: &str, query: &str) -> String {
    without_citations(&without_links(said, query))
}
