//! Decisions as a part of a run: each is recorded with the task that made it, seen in the run's stream, and kept in
//! its log.

use duru::{Cx, Event, Mode, Result};
use duru_llm::decision::{Decider, Decision, DecisionPolicy, Outcome};
use duru_llm::{Budget, Piece};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128;

/// The decider of a node, the one way in which nodes decide.
///
/// What it decides is recorded with the node's task: where the task runs again, because a person has answered, a try
/// failed or the process died, the same decision holds and no model is asked again. A model that would answer
/// something else by then can't make a node forget what it has asked a person.
///
/// Every outcome becomes an event of the `custom` stream, too. Such events are rows of the thread's log: they are
/// there for whoever watches, and for whoever asks later who decided and why.
///
/// The graph or the run provides the [`Decider`], and a [`Budget`] if the run may spend only so much.
///
/// ```
/// # use std::sync::Arc; use duru::{Cx, Result, State};
/// use duru_agents::decided;
/// use duru_agents::researcher::{QueryRouter, QueryType, ToRoute};
/// # #[derive(State, Clone)] struct Talk { question: String, simple: bool }
///
/// async fn route(talk: Arc<Talk>, cx: Cx) -> Result<TalkUpdate> {
///     let outcome = decided::decider(&cx)?.decide::<QueryRouter>(&ToRoute::new(&talk.question, [])).await?;
///     Ok(TalkUpdate::new().simple(outcome.value.query_type == QueryType::Simple))
/// }
/// ```
pub struct NodeDecider {
    cx: Cx,
    decider: Decider,
}

/// The decider of a node.
pub fn decider(cx: &Cx) -> Result<NodeDecider> {
    let mut decider = Decider::clone(&*cx.get::<Decider>()?);
    if let Ok(budget) = cx.get::<Budget>() {
        decider = decider.within(&budget);
    }
    // A run is a question, however many nodes decide in it.
    decider = decider.for_question(&cx.run().to_string());
    let telling = cx.clone();
    let decider = decider.telling(move |outcome| {
        // It fails only for what is no JSON, which an outcome without its type is, and after the run's end.
        let _ = telling.emit(Said { kind: KIND, outcome });
    });
    Ok(NodeDecider { cx: cx.clone(), decider })
}

impl NodeDecider {
    /// The same by rules alone.
    #[must_use]
    pub fn by_rules(self) -> Self {
        Self { decider: Decider::by_rules(), ..self }
    }

    /// The same, and a model whose answer does not fit is not asked again: for whoever has only one call left.
    #[must_use]
    pub fn once(self) -> Self {
        Self { decider: self.decider.once(), ..self }
    }

    /// The same, and `heard` hears the pieces of every reply while it is written; see [`Decider::hearing`]. Of a
    /// decision that was made before there is nothing to hear.
    #[must_use]
    pub fn hearing(self, heard: impl Fn(&Piece) + Send + Sync + 'static) -> Self {
        Self { decider: self.decider.hearing(heard), ..self }
    }

    /// Who makes the decision `D`, where there is a model for it.
    pub fn policy_of<D: Decision>(&self) -> Option<DecisionPolicy> {
        self.decider.policy_of::<D>()
    }

    /// The decision `D` about `input`: the recorded one, if this task has made it before.
    pub async fn decide<D: Decision>(&self, input: &D::Input) -> Result<Outcome<D::Output>> {
        let Ok(json) = serde_json::to_string(input) else {
            // Without its input there is no telling whether it is the same decision; the rule answers.
            return Ok(self.decider.decide::<D>(input).await);
        };
        let key = format!("{}:{:032x}", D::PROMPT.name(), xxh3_128(json.as_bytes()));
        let decide = |_| async { Ok(serde_json::to_value(self.decider.decide::<D>(input).await)?) };
        // What a model says costs money and is never the same again; a rule says the same at no cost.
        let recorded: Value = if self.decider.has_model::<D>() {
            self.cx.effect(&key, decide).await?
        } else {
            self.cx.memo(&key, || decide(String::new())).await?
        };
        match serde_json::from_value(recorded) {
            Ok(outcome) => Ok(outcome),
            // A version before this one decided in another form.
            Err(_) => Ok(self.decider.decide::<D>(input).await),
        }
    }
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
