//! Who decides: a model, a rule, or both, by what was measured.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::measured::{self, Evidence, MeasuredPolicy};
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
    /// The same, unless the rule is certain; then no model is asked.
    AgreeUnlessCertain,
    /// The rule; the model is asked and compared with it.
    Witness,
}

impl DecisionPolicy {
    const ALL: [DecisionPolicy; 6] = [
        DecisionPolicy::Model,
        DecisionPolicy::Rule,
        DecisionPolicy::UnlessCertain,
        DecisionPolicy::Agree,
        DecisionPolicy::AgreeUnlessCertain,
        DecisionPolicy::Witness,
    ];

    /// All of them as they are written, for messages.
    pub fn words() -> String {
        Self::ALL.map(Self::word).join(", ")
    }

    /// Whether what the model says is used as it is.
    pub fn leads(self) -> bool {
        matches!(self, DecisionPolicy::Model | DecisionPolicy::UnlessCertain)
    }

    /// Whether what both say is compared, and the person asked where they differ.
    pub fn compares(self) -> bool {
        matches!(self, DecisionPolicy::Agree | DecisionPolicy::AgreeUnlessCertain)
    }

    /// Whether no model is asked where the rule is certain.
    pub fn trusts_certain(self) -> bool {
        matches!(self, DecisionPolicy::UnlessCertain | DecisionPolicy::AgreeUnlessCertain)
    }

    /// As it is written in settings.
    pub fn word(self) -> &'static str {
        match self {
            DecisionPolicy::Model => "model",
            DecisionPolicy::Rule => "rule",
            DecisionPolicy::UnlessCertain => "unless_certain",
            DecisionPolicy::Agree => "agree",
            DecisionPolicy::AgreeUnlessCertain => "agree_unless_certain",
            DecisionPolicy::Witness => "witness",
        }
    }

    /// By its word; in full words, too.
    pub fn from_word(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase().replace('-', "_");
        let text = match text.as_str() {
            "model_unless_rule_certain" => "unless_certain",
            "both_agree_else_ask" => "agree",
            word => word,
        };
        Self::ALL.into_iter().find(|policy| policy.word() == text)
    }
}

impl fmt::Display for DecisionPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Why a decision is made as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyReason<'a> {
    /// The user says so, with this variable.
    Set(&'a str),
    /// It was measured.
    Measured(&'a Evidence),
    /// The user measured it; it is in the file of `DURU_POLICIES`.
    MeasuredHere(&'a Evidence),
    /// Nothing was measured, so that the model is a witness.
    Unmeasured,
}

/// Who makes which decision.
///
/// `DURU_POLICY` says it for all, `DURU_POLICY_RESEARCHER` for an agent and `DURU_POLICY_RESEARCHER_QUERY_ROUTER` for
/// one decision: `model`, `rule`, `unless_certain`, `agree`, `agree_unless_certain` or `witness`. Where nothing is set, what the user measured counts
/// (`DURU_POLICIES`, a file), then what we measured of the model's class, and where nothing was measured the model is a witness.
#[derive(Clone, Debug, Default)]
pub struct DecisionPolicies {
    set: HashMap<String, (DecisionPolicy, String)>,
    here: Vec<MeasuredPolicy>,
    measured: Vec<MeasuredPolicy>,
}

const POLICY: &str = "DURU_POLICY";
const POLICIES: &str = "DURU_POLICIES";

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
                let policy = DecisionPolicy::from_word(&text)
                    .ok_or_else(|| SetupError::Policy { variable: variable.clone(), value: text })?;
                set.insert(decision.to_owned(), (policy, variable));
            }
        }
        let here = match get(POLICIES).filter(|file| !file.trim().is_empty()) {
            Some(file) => measured::read(Path::new(file.trim()), registry)
                .map_err(|reason| SetupError::Policies { file, reason })?,
            None => Vec::new(),
        };
        Ok(Self { set, here, measured: registry.measured().to_vec() })
    }

    /// The same, and one decision is made so, whatever else is said; `because` is what says it.
    #[must_use]
    pub fn but(mut self, decision: &str, policy: DecisionPolicy, because: &str) -> Self {
        self.set.insert(decision.to_owned(), (policy, because.to_owned()));
        self
    }

    /// Who makes a decision with a model of this name, and why.
    pub fn of(&self, decision: &str, model: &str) -> (DecisionPolicy, PolicyReason<'_>) {
        if let Some((policy, variable)) = self.set.get(decision) {
            return (*policy, PolicyReason::Set(variable));
        }
        if let Some(line) = measured::find(&self.here, decision, model) {
            return (line.policy, PolicyReason::MeasuredHere(&line.evidence));
        }
        match measured::find(&self.measured, decision, model) {
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
    fn answers_agree_where_they_decide_the_same() {
        let one = json!({"reason": "a", "teams": ["search"], "confidence": 0.9, "limit": null});
        assert!(same(&one, &json!({"reason": "b", "teams": ["search"], "confidence": 0.1})));
        assert!(!same(&one, &json!({"reason": "a", "teams": ["search", "analysis"]})));
        assert!(!same(&json!({"sql": "SELECT 1"}), &json!({"sql": null})));
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for policy in DecisionPolicy::ALL {
            assert_eq!(DecisionPolicy::from_word(policy.word()), Some(policy));
            assert_eq!(serde_json::to_value(policy).unwrap(), policy.word());
        }
        assert_eq!(DecisionPolicy::from_word(" Unless-Certain "), Some(DecisionPolicy::UnlessCertain));
        assert_eq!(
            DecisionPolicy::from_word("model_unless_rule_certain"),
            Some(DecisionPolicy::UnlessCertain)
        );
        assert_eq!(DecisionPolicy::from_word("both_agree_else_ask"), Some(DecisionPolicy::Agree));
        assert_eq!(DecisionPolicy::from_word("both"), None);
    }
}
