//! Makes decisions.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use duru_messages::UsageMetadata;
use serde_json::Value;
use tracing::Instrument as _;

use super::ask::{Answer, Asked, Hearing, ask};
use super::counted::counted;
use super::outcome::TIME_OVER;
use super::policy::same;
use super::question::{OpenQuestions, QuestionTime};
use super::ready::Ready;
use super::shape::check;
use super::tape::Tape;
use super::{By, Decision, DecisionPolicies, DecisionPolicy, Outcome, Patience, Prompts, Rendered, Witness};
use crate::{Budget, Choice, Model, Models, Piece, Prices, Until};

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
    patience: Patience,
    /// The time of the question that is answered; every decision has its own, if none was told.
    question: Option<QuestionTime>,
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
    /// Who decides; without it, a model that there is.
    policies: Option<DecisionPolicies>,
    questions: OpenQuestions,
    ready: RwLock<HashMap<TypeId, Arc<Result<Ready, String>>>>,
}

impl Decider {
    fn of(source: Source) -> Self {
        Decider {
            source,
            record: None,
            desk: Arc::default(),
            told: None,
            heard: None,
            most_calls: 2,
            patience: Patience::default(),
            question: None,
        }
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
        Decider { desk: Arc::new(Desk { prompts, prices, ..Desk::default() }), ..self }
    }

    /// The same, and these say who makes which decision. Without them, a model that there is makes all.
    #[must_use]
    pub fn under(self, policies: DecisionPolicies) -> Self {
        let Desk { prompts, prices, .. } = &*self.desk;
        let (prompts, prices) = (prompts.clone(), prices.clone());
        let desk = Desk { prompts, prices, policies: Some(policies), ..Desk::default() };
        Decider { desk: Arc::new(desk), ..self }
    }

    /// The same for people who wait so long.
    #[must_use]
    pub fn waiting(self, patience: Patience) -> Self {
        Decider { patience, ..self }
    }

    /// The same for decisions about one question: all that are made under its name share its time.
    #[must_use]
    pub fn for_question(&self, question: &str) -> Self {
        let time = self.desk.questions.time_of(question, self.patience);
        Decider { question: Some(time), ..self.clone() }
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

    /// The same, and `told`, too, hears of every outcome before whoever asked for it.
    #[must_use]
    pub fn telling(&self, told: impl Fn(&Outcome<Value>) + Send + Sync + 'static) -> Self {
        let before = self.told.clone();
        let both = move |outcome: &Outcome<Value>| {
            if let Some(before) = &before {
                before(outcome);
            }
            told(outcome);
        };
        Decider { told: Some(Arc::new(both)), ..self.clone() }
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

    /// Whether a model may be asked for the decision `D`.
    pub fn has_model<D: Decision>(&self) -> bool {
        self.policy_of::<D>().is_some_and(|policy| policy != DecisionPolicy::Rule)
    }

    /// Who makes the decision `D`, where there is a model for it.
    pub fn policy_of<D: Decision>(&self) -> Option<DecisionPolicy> {
        let name = D::PROMPT.name();
        Some(self.policy(name, self.model(name).ok()?.name()))
    }

    fn policy(&self, decision: &str, model: &str) -> DecisionPolicy {
        self.desk.policies.as_ref().map_or_else(DecisionPolicy::default, |all| all.of(decision, model).0)
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
        let Made { answer, prompt, model, usage, calls, policy } =
            self.make::<D>(input).instrument(span.clone()).await;
        let Settled { answer: (value, by, why), witness } = settle::<D>(input, answer, policy);
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
            policy,
            witness,
        };
        counted(&outcome);
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
                let policy = self.policy(D::PROMPT.name(), model.name());
                if let Some(why) = left_to_rule::<D>(policy, input) {
                    return Made { policy, ..Made::none(prompt, why.to_owned()) };
                }
                let until = self.until::<D>();
                if until.first <= tokio::time::Instant::now() {
                    return Made { policy, ..Made::none(prompt, TIME_OVER.to_owned()) };
                }
                // What does not decide is not shown.
                let heard = self.heard.as_ref().filter(|_| policy.leads());
                let hearing = Hearing { heard, most_calls: self.most_calls, until };
                let Asked { answer, usage, calls } = ask::<D>(model, &rendered, ready, hearing).await;
                let answer = answer.map(|answer| self.keep::<D>(&rendered, model.name(), answer));
                Made { answer, prompt, model: Some(model.name().to_owned()), usage, calls, policy }
            }
            Err(why) => match &self.source {
                Source::Tape(tape) => replay::<D>(tape, &rendered, ready, prompt),
                _ => Made::none(prompt, why),
            },
        }
    }

    /// Until when this decision may wait.
    fn until<D: Decision>(&self) -> Until {
        let time = self.question.unwrap_or_else(|| QuestionTime::starting_now(self.patience));
        Until { first: time.first_word, last: if D::SPEAKS { time.end } else { time.first_word } }
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
    policy: DecisionPolicy,
}

impl<T> Made<T> {
    fn none(prompt: String, why: String) -> Self {
        let (usage, policy) = (UsageMetadata::default(), DecisionPolicy::default());
        Made { answer: Err(why), prompt, model: None, usage, calls: 0, policy }
    }
}

/// Why no model is asked.
fn left_to_rule<D: Decision>(policy: DecisionPolicy, input: &D::Input) -> Option<&'static str> {
    match policy {
        DecisionPolicy::Rule => Some("the rule makes this decision"),
        policy if policy.trusts_certain() && D::is_certain(input) => Some("the rule is certain"),
        _ => None,
    }
}

/// What is decided, and what the other one said.
struct Settled<T> {
    answer: Answer<T>,
    witness: Option<Witness>,
}

/// Who of both decides.
fn settle<D: Decision>(
    input: &D::Input,
    model: Result<Answer<D::Output>, String>,
    policy: DecisionPolicy,
) -> Settled<D::Output> {
    let (said, by, why) = match model {
        Ok(answer) => answer,
        Err(why) => {
            return Settled { answer: (D::by_rule(input), By::Rule, Some(why)), witness: None };
        }
    };
    if !policy.compares() && policy != DecisionPolicy::Witness {
        return Settled { answer: (said, by, why), witness: None };
    }
    let rule = D::by_rule(input);
    // What is no JSON agrees with nothing.
    let (json, other) = (serde_json::to_value(&said).ok(), serde_json::to_value(&rule).ok());
    let agrees = json.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| same(one, other));
    let witness = Some(Witness { agrees, value: json.unwrap_or_default() });
    let why = match (policy, agrees) {
        (_, true) => "rule and model agree",
        (policy, false) if policy.compares() => "rule and model disagree",
        (_, false) => "the model, a witness, says otherwise",
    };
    let value = match policy {
        policy if policy.compares() && !agrees => D::asking(&rule, &said).unwrap_or(rule),
        _ => rule,
    };
    Settled { answer: (value, By::Rule, Some(why.to_owned())), witness }
}

fn key<D: Decision>(rendered: &Rendered) -> String {
    Tape::key(D::PROMPT.name(), rendered.system.as_deref().unwrap_or_default(), &rendered.question)
}

fn replay<D: Decision>(tape: &Tape, rendered: &Rendered, ready: &Ready, prompt: String) -> Made<D::Output> {
    let Some(line) = tape.find(&key::<D>(rendered)) else {
        return Made::none(prompt, "this was not recorded".to_owned());
    };
    let answer = check(line.answer, &ready.validator).map(|value| (value, By::Replay, None));
    let (usage, policy) = (UsageMetadata::default(), DecisionPolicy::default());
    Made { answer, prompt, model: Some(line.model), usage, calls: 0, policy }
}
