//! What was decided, by whom, and why.

use std::time::Duration;

use duru_messages::UsageMetadata;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::DecisionPolicy;

/// Why a model is not asked when the time of the question is over.
pub(super) const TIME_OVER: &str = "the time of the question was over";

/// What was decided, by whom, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome<T> {
    /// The decision.
    pub value: T,
    /// Who answered.
    pub by: By,
    /// Why it was not simply the model: what was wrong with its reply, or why there was none.
    pub why: Option<String>,
    /// Which decision, the agent's name included.
    pub decision: String,
    /// Which version of its prompt.
    pub prompt: String,
    /// Which model was asked, if any.
    pub model: Option<String>,
    /// How often it was asked: twice, if its first answer did not fit.
    #[serde(default)]
    pub calls: u32,
    /// How long it took; in JSON in microseconds.
    #[serde(rename = "latency_us", with = "micros")]
    pub latency: Duration,
    /// The tokens of all that was asked.
    pub usage: UsageMetadata,
    /// What they cost in US dollars, if a model answered and its price is known.
    pub cost: Option<f64>,
    /// Who was to decide.
    #[serde(default)]
    pub policy: DecisionPolicy,
    /// What the other one said, where both were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
}

/// The answer of the one that did not decide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// Whether it decides the same.
    pub agrees: bool,
    /// What it is.
    pub value: Value,
}

impl<T> Outcome<T> {
    /// Why a model that was to decide did not. A witness that says nothing changes nothing.
    pub fn failure(&self) -> Option<&str> {
        let missed = self.by == By::Rule
            && self.calls > 0
            && self.witness.is_none()
            && self.policy != DecisionPolicy::Witness;
        missed.then(|| self.why.as_deref().unwrap_or_default())
    }

    /// Why the rule answered in the place of a model that was to decide: the model failed, or there was no time left to
    /// ask it. What a policy leaves to the rule is none.
    pub fn fallback(&self) -> Option<&str> {
        let model_decides = !matches!(self.policy, DecisionPolicy::Rule | DecisionPolicy::Witness);
        let late = self.by == By::Rule && model_decides && self.why.as_deref() == Some(TIME_OVER);
        self.failure().or_else(|| late.then_some(TIME_OVER))
    }
}

impl<T: Serialize> Outcome<T> {
    /// Without the type of its value.
    pub(super) fn to_json(&self) -> Outcome<Value> {
        Outcome {
            // A value that is no JSON is not shown.
            value: serde_json::to_value(&self.value).unwrap_or_default(),
            by: self.by,
            why: self.why.clone(),
            decision: self.decision.clone(),
            prompt: self.prompt.clone(),
            model: self.model.clone(),
            calls: self.calls,
            latency: self.latency,
            usage: self.usage.clone(),
            cost: self.cost,
            policy: self.policy,
            witness: self.witness.clone(),
        }
    }
}

/// Who made a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum By {
    /// The model, at once.
    Model,
    /// The model, after its syntax was repaired or it was asked again.
    Repaired,
    /// The rule.
    Rule,
    /// A recording of a model.
    Replay,
}

impl By {
    /// As it is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            By::Model => "model",
            By::Repaired => "repaired",
            By::Rule => "rule",
            By::Replay => "replay",
        }
    }
}

mod micros {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_micros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fallback_is_what_a_model_was_to_decide_and_did_not() {
        let outcome = |policy, calls, why: &str| Outcome {
            value: (),
            by: By::Rule,
            why: Some(why.to_owned()),
            decision: "a/b".to_owned(),
            prompt: String::new(),
            model: None,
            calls,
            latency: Duration::ZERO,
            usage: UsageMetadata::default(),
            cost: None,
            policy,
            witness: None,
        };
        let fallback = |policy, calls, why| outcome(policy, calls, why).fallback().map(str::to_owned);
        let model = DecisionPolicy::Model;
        assert_eq!(fallback(model, 1, "no reply").as_deref(), Some("no reply"));
        assert_eq!(fallback(model, 0, TIME_OVER).as_deref(), Some(TIME_OVER), "it was not even asked");
        assert_eq!(fallback(model, 0, "no model is set"), None);
        assert_eq!(fallback(DecisionPolicy::Rule, 0, "the rule makes this decision"), None);
        assert_eq!(fallback(DecisionPolicy::UnlessCertain, 0, "the rule is certain"), None);
        assert_eq!(fallback(DecisionPolicy::Witness, 1, "no reply"), None, "the rule was to decide");
        let compared = Outcome {
            witness: Some(Witness { agrees: false, value: Value::Null }),
            ..outcome(DecisionPolicy::Agree, 1, "rule and model disagree")
        };
        assert_eq!(compared.fallback(), None);
    }
}
