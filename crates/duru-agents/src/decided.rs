//! Decisions as a part of a run: each is seen in its stream and kept in its log.

use duru::{Cx, Event, Mode, Result};
use duru_llm::Budget;
use duru_llm::decision::{Decider, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The decider of the node's run, whose every outcome becomes an event of the
/// `custom` stream. Such events are rows of the thread's log: they are there
/// for whoever watches, and for whoever asks later who decided and why.
///
/// The graph or the run provides the [`Decider`], and a [`Budget`] if the run
/// may spend only so much.
///
/// ```
/// # use std::sync::Arc; use duru::{Cx, Result, State};
/// use duru_agents::decided;
/// use duru_agents::researcher::{QueryRouter, QueryType, ToRoute};
/// # #[derive(State, Clone)] struct Talk { question: String, simple: bool }
///
/// async fn route(talk: Arc<Talk>, cx: Cx) -> Result<TalkUpdate> {
///     let outcome = decided::decider(&cx)?.decide::<QueryRouter>(&ToRoute::new(&talk.question, [])).await;
///     Ok(TalkUpdate::new().simple(outcome.value.query_type == QueryType::Simple))
/// }
/// ```
pub fn decider(cx: &Cx) -> Result<Decider> {
    let mut decider = Decider::clone(&*cx.get::<Decider>()?);
    if let Ok(budget) = cx.get::<Budget>() {
        decider = decider.within(&budget);
    }
    let cx = cx.clone();
    Ok(decider.telling(move |outcome| {
        // It fails only for what is no JSON, and an outcome without its type is JSON.
        let _ = cx.emit(Said { kind: KIND, outcome });
    }))
}

/// The outcome that an event tells of, if it is such an event.
pub fn read(event: &Event) -> Option<Outcome<Value>> {
    let told = (event.mode == Mode::Custom).then(|| Heard::deserialize(&event.data).ok()).flatten()?;
    (told.kind == KIND).then_some(told.outcome)
}

const KIND: &str = "decision";

#[derive(Serialize)]
struct Said<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    outcome: &'a Outcome<Value>,
}

#[derive(Deserialize)]
struct Heard {
    #[serde(rename = "type")]
    kind: String,
    #[serde(flatten)]
    outcome: Outcome<Value>,
}
