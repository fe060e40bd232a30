//! Who decides: a model, a rule, or both, by what was measured.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Entry, Registry, SetupError};

/// Who makes a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DecisionPolicy {
    /// The model; the rule where it fails.
    #[default]
    Model,
    /// The rule. No model is asked.
    Rule,
    /// The model, unless the rule is certain; then no model is asked.
    UnlessCertain,
    /// Both: where they disagree, the person is asked if the decision can, or else the rule's answer stands.
    Agree,
    /// The rule; the model is asked and compared with it.
    Witness,
}

impl DecisionPolicy {
    const ALL: [DecisionPolicy; 5] = [
        DecisionPolicy::Model,
        DecisionPolicy::Rule,
        DecisionPolicy::UnlessCertain,
        DecisionPolicy::Agree,
        DecisionPolicy::Witness,
    ];

    /// As it is written in settings.
    pub fn word(self) -> &'static str {
        match self {
            DecisionPolicy::Model => "model",
            DecisionPolicy::Rule => "rule",
            DecisionPolicy::UnlessCertain => "unless_certain",
            DecisionPolicy::Agree => "agree",
            DecisionPolicy::Witness => "witness",
        }
    }

    fn read(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase().replace('-', "_");
        Self::ALL.into_iter().find(|policy| policy.word() == text)
    }
}

impl fmt::Display for DecisionPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Models that were measured as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelClass {
    /// At most four thousand million parameters, as its name says.
    Small,
    /// All others, of which nothing was measured.
    Unmeasured,
}

/// A name says how large a model is in thousand millions of parameters; up to here it is small.
const SMALL: f64 = 4.0;

impl ModelClass {
    /// The class of a model, by its name: `ollama:qwen2.5:1.5b` is small.
    pub fn of(model: &str) -> Self {
        let name = model.to_lowercase();
        let parts = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
        let mut sizes = parts.filter_map(|part| part.strip_suffix('b')?.parse::<f64>().ok());
        match sizes.next_back() {
            Some(size) if size <= SMALL => ModelClass::Small,
            _ => ModelClass::Unmeasured,
        }
    }

    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            ModelClass::Small => "small",
            ModelClass::Unmeasured => "unmeasured",
        }
    }
}

/// One line of the table: who makes a decision with models of a class, and what that rests on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredPolicy {
    /// Models of which class.
    pub class: ModelClass,
    /// Which decision.
    pub decision: String,
    /// Who makes it.
    pub policy: DecisionPolicy,
    /// What was measured, in Korean and in English.
    pub evidence: Evidence,
}

/// What a policy rests on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// In Korean.
    pub ko: String,
    /// In English.
    pub en: String,
}

/// Why a decision is made as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyReason<'a> {
    /// The user says so, with this variable.
    Set(&'a str),
    /// It was measured.
    Measured(&'a Evidence),
    /// Nothing was measured, so that the model is a witness.
    Unmeasured,
}

/// Who makes which decision.
///
/// `DURU_POLICY` says it for all, `DURU_POLICY_RESEARCHER` for an agent and `DURU_POLICY_RESEARCHER_QUERY_ROUTER` for
/// one decision: `model`, `rule`, `unless_certain`, `agree` or `witness`. Where nothing is set, what was measured of the
/// model's class counts, and where nothing was measured the model is a witness.
#[derive(Clone, Debug, Default)]
pub struct DecisionPolicies {
    set: HashMap<String, (DecisionPolicy, String)>,
    measured: Vec<MeasuredPolicy>,
}

const POLICY: &str = "DURU_POLICY";

impl DecisionPolicies {
    pub(super) fn read(
        get: impl Fn(&str) -> Option<String>,
        registry: &Registry,
    ) -> Result<Self, SetupError> {
        let mut set = HashMap::new();
        for decision in registry.into_iter().map(Entry::name) {
            let found = Self::variables(decision)
                .find_map(|name| Some((get(&name).filter(|text| !text.trim().is_empty())?, name)));
            if let Some((text, variable)) = found {
                let policy = DecisionPolicy::read(&text)
                    .ok_or_else(|| SetupError::Policy { variable: variable.clone(), value: text })?;
                set.insert(decision.to_owned(), (policy, variable));
            }
        }
        Ok(Self { set, measured: registry.measured().to_vec() })
    }

    /// Who makes a decision with a model of this name, and why.
    pub fn of(&self, decision: &str, model: &str) -> (DecisionPolicy, PolicyReason<'_>) {
        if let Some((policy, variable)) = self.set.get(decision) {
            return (*policy, PolicyReason::Set(variable));
        }
        let class = ModelClass::of(model);
        let measured = self.measured.iter().find(|line| line.class == class && line.decision == decision);
        match measured {
            Some(line) => (line.policy, PolicyReason::Measured(&line.evidence)),
            None => (DecisionPolicy::Witness, PolicyReason::Unmeasured),
        }
    }

    /// The variables that may say who makes a decision, the closest first.
    pub fn variables(decision: &str) -> impl Iterator<Item = String> {
        let name = |text: &str| {
            let text: String =
                text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            format!("{POLICY}_{}", text.to_ascii_uppercase())
        };
        let agent = decision.split_once('/').map(|(agent, _)| name(agent));
        [Some(name(decision)), agent, Some(POLICY.to_owned())].into_iter().flatten()
    }
}

/// What tells why or how sure, which two that agree need not put alike.
const ASIDE: [&str; 5] = ["reason", "reasoning", "reasons", "explanation", "confidence"];

/// Whether two answers decide the same.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let decides = |name: &&String| !ASIDE.contains(&name.as_str());
            let names = one.keys().chain(other.keys()).filter(decides);
            names.into_iter().all(|name| {
                same(one.get(name).unwrap_or(&Value::Null), other.get(name).unwrap_or(&Value::Null))
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::String(one), Value::String(other)) => one.trim() == other.trim(),
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_models_class_is_in_its_name() {
        for (name, class) in [
            ("ollama:qwen2.5:1.5b", ModelClass::Small),
            ("openai-compatible:qwen2.5-coder-1.5b-instruct", ModelClass::Small),
            ("ollama:qwen3:8b", ModelClass::Unmeasured),
            ("ollama:llama3.2", ModelClass::Unmeasured),
            ("anthropic:claude-sonnet-4-5-20250929", ModelClass::Unmeasured),
        ] {
            assert_eq!(ModelClass::of(name), class, "{name}");
        }
    }

    #[test]
    fn answers_agree_where_they_decide_the_same() {
        let one = json!({"reason": "a", "teams": ["search"], "confidence": 0.9, "limit": null});
        assert!(same(&one, &json!({"reason": "b", "teams": ["search"], "confidence": 0.1})));
        assert!(!same(&one, &json!({"reason": "a", "teams": ["search", "analysis"]})));
        assert!(!same(&json!({"sql": "SELECT 1"}), &json!({"sql": null})));
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for policy in DecisionPolicy::ALL {
            assert_eq!(DecisionPolicy::read(policy.word()), Some(policy));
            assert_eq!(serde_json::to_value(policy).unwrap(), policy.word());
        }
        assert_eq!(DecisionPolicy::read(" Unless-Certain "), Some(DecisionPolicy::UnlessCertain));
        assert_eq!(DecisionPolicy::read("both"), None);
    }
}
