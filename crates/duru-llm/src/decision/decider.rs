//! Makes decisions.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use duru_messages::UsageMetadata;
use serde_json::Value;
use tracing::Instrument as _;

use super::ask::{Answer, Asked, Hearing, ask};
use super::ready::Ready;
use super::shape::check;
use super::tape::Tape;
use super::{By, Decision, Outcome, Prompts, Rendered};
use crate::{Budget, Choice, Model, Models, Piece, Prices};

/// Makes decisions with models, from a recording, or by rules alone. It always
/// decides: whatever goes wrong, the rule answers, and the outcome says why.
///
/// Clones share what was worked out for each kind of decision.
#[derive(Clone)]
pub struct Decider {
    source: Source,
    record: Option<Arc<Tape>>,
    desk: Arc<Desk>,
    told: Option<Told>,
    heard: Option<Heard>,
    most_calls: u32,
}

/// Hears a reply while it is written.
pub(super) type Heard = Arc<dyn Fn(&Piece) + Send + Sync>;
type Told = Arc<dyn Fn(&Outcome<Value>) + Send + Sync>;

#[derive(Clone)]
enum Source {
    Rules,
    One(Arc<dyn Model>),
    Models(Models),
    Tape(Arc<Tape>),
}

/// What is the same for every decision, and what was worked out for each kind.
#[derive(Default)]
struct Desk {
    prompts: Prompts,
    prices: Prices,
    ready: RwLock<HashMap<TypeId, Arc<Result<Ready, String>>>>,
}

impl Decider {
    fn of(source: Source) -> Self {
        Decider { source, record: None, desk: Arc::default(), told: None, heard: None, most_calls: 2 }
    }

    /// Decides with `model`.
    pub fn new(model: Arc<dyn Model>) -> Self {
        Decider::of(Source::One(model))
    }

    /// Decides with the model that each decision has.
    pub fn with_models(models: Models) -> Self {
        Decider::of(Source::Models(models))
    }

    /// Decides by rules, because there is no model.
    pub fn by_rules() -> Self {
        Decider::of(Source::Rules)
    }

    /// Decides with `model` and keeps its good answers in `tape`.
    pub fn recording(model: Arc<dyn Model>, tape: Arc<Tape>) -> Self {
        Decider { record: Some(tape), ..Decider::new(model) }
    }

    /// Decides as recorded; what was not recorded, by rule.
    pub fn replaying(tape: Arc<Tape>) -> Self {
        Decider::of(Source::Tape(tape))
    }

    /// The same with prompts of the user's and other prices.
    #[must_use]
    pub fn with(self, prompts: Prompts, prices: Prices) -> Self {
        Decider { desk: Arc::new(Desk { prompts, prices, ready: RwLock::default() }), ..self }
    }

    /// The same for a run that may spend only this. Only [`Models`] have a budget.
    #[must_use]
    pub fn within(&self, budget: &Arc<Budget>) -> Self {
        let source = match &self.source {
            Source::Models(models) => Source::Models(models.within(budget)),
            other => other.clone(),
        };
        Decider { source, ..self.clone() }
    }

    /// The same, and `told` hears of every outcome before whoever asked for it.
    #[must_use]
    pub fn telling(&self, told: impl Fn(&Outcome<Value>) + Send + Sync + 'static) -> Self {
        Decider { told: Some(Arc::new(told)), ..self.clone() }
    }

    /// The same, and `heard` hears the pieces of every reply while it is written.
    /// They are a model's words as they come: JSON that breaks off, that may be
    /// superseded, and that may not fit in the end.
    #[must_use]
    pub fn hearing(&self, heard: impl Fn(&Piece) + Send + Sync + 'static) -> Self {
        Decider { heard: Some(Arc::new(heard)), ..self.clone() }
    }

    /// The same, and a model whose answer does not fit is not asked again: for whoever has only one call left.
    #[must_use]
    pub fn once(&self) -> Self {
        Decider { most_calls: 1, ..self.clone() }
    }

    /// Whether a model would be asked for the decision `D`.
    pub fn has_model<D: Decision>(&self) -> bool {
        self.model(D::PROMPT.name()).is_ok()
    }

    /// The decision `D` about `input`.
    pub async fn decide<D: Decision>(&self, input: &D::Input) -> Outcome<D::Output> {
        let started = Instant::now();
        let name = D::PROMPT.name();
        let span = tracing::info_span!(
            "decision",
            otel.name = %format_args!("decision {name}"),
            duru.decision.name = name,
            duru.decision.by = tracing::field::Empty,
            duru.decision.prompt = tracing::field::Empty,
        );
        let Made { answer, prompt, model, usage, calls } =
            self.make::<D>(input).instrument(span.clone()).await;
        let (value, by, why) = match answer {
            Ok(answer) => answer,
            Err(why) => (D::by_rule(input), By::Rule, Some(why)),
        };
        span.record("duru.decision.by", by.word());
        span.record("duru.decision.prompt", prompt.as_str());
        drop(span);
        let cost = model.as_deref().and_then(|model| self.desk.prices.cost(model, &usage));
        let outcome = Outcome {
            value,
            by,
            why,
            decision: D::PROMPT.name().to_owned(),
            prompt,
            model,
            calls,
            latency: started.elapsed(),
            usage,
            cost,
        };
        if let Some(told) = &self.told {
            told(&outcome.to_json());
        }
        outcome
    }

    async fn make<D: Decision>(&self, input: &D::Input) -> Made<D::Output> {
        let ready = self.ready::<D>();
        let ready = match &*ready {
            Ok(ready) => ready,
            Err(why) => return Made::none(D::PROMPT.version(), why.clone()),
        };
        let prompt = ready.template.version().to_owned();
        let rendered = match serde_json::to_value(input) {
            Ok(input) => ready.template.render(&input),
            Err(error) => return Made::none(prompt, format!("the input is not JSON: {error}")),
        };
        match self.model(D::PROMPT.name()) {
            Ok(model) => {
                let hearing = Hearing { heard: self.heard.as_ref(), most_calls: self.most_calls };
                let Asked { answer, usage, calls } = ask::<D>(model, &rendered, ready, hearing).await;
                let answer = answer.map(|answer| self.keep::<D>(&rendered, model.name(), answer));
                Made { answer, prompt, model: Some(model.name().to_owned()), usage, calls }
            }
            Err(why) => match &self.source {
                Source::Tape(tape) => replay::<D>(tape, &rendered, ready, prompt),
                _ => Made::none(prompt, why),
            },
        }
    }

    /// The model for a decision, or why there is none.
    fn model(&self, decision: &str) -> Result<&dyn Model, String> {
        let unset = || "no model is set".to_owned();
        match &self.source {
            Source::Rules | Source::Tape(_) => Err(unset()),
            Source::One(model) => Ok(&**model),
            Source::Models(models) => match models.of(decision) {
                Choice::Model(model) => Ok(model),
                Choice::Rules => Err(unset()),
                Choice::Unusable(error) => Err(error.to_string()),
            },
        }
    }

    fn ready<D: Decision>(&self) -> Arc<Result<Ready, String>> {
        let kind = TypeId::of::<D>();
        // Entries are added whole and never changed, so a panic elsewhere does not spoil them.
        if let Some(found) = self.desk.ready.read().unwrap_or_else(PoisonError::into_inner).get(&kind) {
            return found.clone();
        }
        let made = Arc::new(Ready::of::<D>(&self.desk.prompts));
        let mut all = self.desk.ready.write().unwrap_or_else(PoisonError::into_inner);
        all.entry(kind).or_insert(made).clone()
    }

    /// An answer that cannot be recorded is still an answer, but it says so.
    fn keep<D: Decision>(
        &self,
        rendered: &Rendered,
        model: &str,
        (value, by, why): Answer<D::Output>,
    ) -> Answer<D::Output> {
        let Some(tape) = &self.record else { return (value, by, why) };
        let recorded = match serde_json::to_value(&value) {
            Ok(json) => tape
                .record(key::<D>(rendered), D::PROMPT.name(), model, json)
                .map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        (value, by, recorded.err().or(why))
    }
}

/// An answer, or why the rule has to give it.
struct Made<T> {
    answer: Result<Answer<T>, String>,
    prompt: String,
    model: Option<String>,
    usage: UsageMetadata,
    calls: u32,
}

impl<T> Made<T> {
    fn none(prompt: String, why: String) -> Self {
        Made { answer: Err(why), prompt, model: None, usage: UsageMetadata::default(), calls: 0 }
    }
}

fn key<D: Decision>(rendered: &Rendered) -> String {
    Tape::key(D::PROMPT.name(), rendered.system.as_deref().unwrap_or_default(), &rendered.question)
}

fn replay<D: Decision>(tape: &Tape, rendered: &Rendered, ready: &Ready, prompt: String) -> Made<D::Output> {
    let Some(line) = tape.find(&key::<D>(rendered)) else {
        return Made::none(prompt, "this was not recorded".to_owned());
    };
    let answer = check(line.answer, &ready.validator).map(|value| (value, By::Replay, None));
    Made { answer, prompt, model: Some(line.model), usage: UsageMetadata::default(), calls: 0 }
}
