//! What was measured of models: who should make a decision, and what that rests on.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{DecisionPolicy, Registry};

/// Models that were measured as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelClass {
    /// At most four thousand million parameters, as its name says.
    Small,
    /// One of a provider's that has only large ones.
    Large,
    /// All others.
    Unknown,
}

/// A name says how large a model is in thousand millions of parameters; up to here it is small.
const SMALL: f64 = 4.0;

/// Those who serve models of their own, far larger than what a desk can hold.
const HOSTED: [&str; 2] = ["anthropic:", "openai:"];

impl ModelClass {
    /// The class of a model, by its name: `ollama:qwen2.5:1.5b` is small, `anthropic:claude-…` large.
    pub fn of(model: &str) -> Self {
        let name = model.to_lowercase();
        let parts = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
        let mut sizes = parts.filter_map(|part| part.strip_suffix('b')?.parse::<f64>().ok());
        match sizes.next_back() {
            Some(size) if size <= SMALL => ModelClass::Small,
            None if HOSTED.iter().any(|provider| name.starts_with(provider)) => ModelClass::Large,
            _ => ModelClass::Unknown,
        }
    }

    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            ModelClass::Small => "small",
            ModelClass::Large => "large",
            ModelClass::Unknown => "unknown",
        }
    }
}

/// One line of a table: who makes a decision with a model or with models of a class, and what that rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredPolicy {
    /// With which models.
    #[serde(flatten)]
    pub of: MeasuredOf,
    /// Which decision.
    pub decision: String,
    /// Who makes it.
    pub policy: DecisionPolicy,
    /// What was measured.
    pub evidence: Evidence,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeasuredOf {
    /// Models of a class.
    Class(ModelClass),
    /// This one, by its name.
    Model(String),
}

impl MeasuredOf {
    fn is(&self, model: &str) -> bool {
        match self {
            MeasuredOf::Class(class) => *class == ModelClass::of(model),
            MeasuredOf::Model(name) => name == model,
        }
    }
}

/// What a policy rests on: the same questions, answered by rule and with the model in the place of the rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// How many questions.
    pub questions: u32,
    /// Wrong by rule, right with the model.
    pub won: u32,
    /// Right by rule, wrong with the model.
    pub lost: u32,
    /// When.
    pub date: String,
    /// Which model and which questions, and what was seen, in Korean.
    pub ko: String,
    /// The same in English.
    pub en: String,
}

impl Evidence {
    /// All of it in Korean.
    pub fn in_korean(&self) -> String {
        let Evidence { questions, won, lost, date, ko, .. } = self;
        format!("{questions}문항에서 얻음 {won}, 잃음 {lost} ({date}; {ko})")
    }

    /// All of it in English.
    pub fn in_english(&self) -> String {
        let Evidence { questions, won, lost, date, en, .. } = self;
        format!("of {questions} questions {won} won, {lost} lost ({date}; {en})")
    }
}

/// The line about a decision with this model: one about the very model goes before one about its class.
pub(super) fn find<'a>(
    lines: &'a [MeasuredPolicy],
    decision: &str,
    model: &str,
) -> Option<&'a MeasuredPolicy> {
    let of = |exact: bool| {
        lines.iter().find(|line| {
            line.decision == decision && matches!(line.of, MeasuredOf::Model(_)) == exact && line.of.is(model)
        })
    };
    of(true).or_else(|| of(false))
}

/// A table of the user's, which `duru eval … --write-policy` writes.
pub(super) fn read(file: &Path, registry: &Registry) -> Result<Vec<MeasuredPolicy>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let lines: Vec<MeasuredPolicy> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    match lines.iter().find(|line| registry.find(&line.decision).is_none()) {
        Some(line) => Err(format!("there is no decision {:?}", line.decision)),
        None => Ok(lines),
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
            ("ollama:qwen3:8b", ModelClass::Unknown),
            ("ollama:llama3.2", ModelClass::Unknown),
            ("anthropic:claude-sonnet-4-5-20250929", ModelClass::Large),
            ("openai:gpt-5.1", ModelClass::Large),
        ] {
            assert_eq!(ModelClass::of(name), class, "{name}");
        }
    }

    #[test]
    fn what_was_measured_of_the_very_model_goes_before_its_class() {
        let line = |of: serde_json::Value, policy: &str| {
            let mut line = json!({
                "decision": "a/b", "policy": policy,
                "evidence": { "questions": 10, "won": 3, "lost": 1, "date": "2026-11-17", "ko": "열", "en": "ten" },
            });
            line.as_object_mut().unwrap().extend(of.as_object().unwrap().clone());
            serde_json::from_value::<MeasuredPolicy>(line).unwrap()
        };
        let lines = [
            line(json!({ "class": "small" }), "rule"),
            line(json!({ "model": "ollama:qwen2.5:1.5b" }), "model"),
        ];
        let policy = |model| find(&lines, "a/b", model).map(|line| line.policy);
        assert_eq!(policy("ollama:qwen2.5:1.5b"), Some(DecisionPolicy::Model));
        assert_eq!(policy("ollama:other:1.5b"), Some(DecisionPolicy::Rule));
        assert_eq!(policy("ollama:llama3.2"), None);
        assert_eq!(lines[1].evidence.in_english(), "of 10 questions 3 won, 1 lost (2026-11-17; ten)");
        let written = serde_json::to_value(&lines[1]).unwrap();
        assert_eq!(written["model"], "ollama:qwen2.5:1.5b");
        assert_eq!(serde_json::from_value::<MeasuredPolicy>(written).unwrap(), lines[1]);
    }
}
