//! A program's decisions, without their types: to list, to show, to check at the start.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::Value;

use super::form::form;
use super::ready::fields;
use super::template::Template;
use super::{Decider, Decision, Limits, MeasuredPolicy, Outcome, Prompt, Prompts, Rendered, TemplateError};
use crate::http::InOrder;

/// The decisions of a program. Each is added once, with what people want to know of it.
///
/// ```
/// # use duru_llm::decision::{Decision, Limits, Prompt};
/// use duru_llm::decision::{About, Prompts, Registry, Words};
/// # #[derive(serde::Serialize, schemars::JsonSchema)]
/// # struct Line { text: String }
/// # #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// # struct Verdict { severe: bool }
/// # struct Severity;
/// # impl Decision for Severity {
/// #     type Input = Line;
/// #     type Output = Verdict;
/// #     const PROMPT: Prompt = Prompt::new("analyst/severity", "How bad is this?\n{{ text }}");
/// #     const LIMITS: Limits = Limits { temperature: 0.1, max_tokens: 100 };
/// #     fn by_rule(line: &Line) -> Verdict { Verdict { severe: line.text.contains("FATAL") } }
/// # }
/// let registry = Registry::new().with::<Severity>(About {
///     asks: Words { ko: "로그 한 줄이 심각한가?", en: "Is a log line severe?" },
///     rule: Words { ko: "FATAL이 있으면 그렇다", en: "It is if it says FATAL" },
///     example: Line { text: "FATAL: out of disk".into() },
/// });
/// let entry = registry.find("analyst/severity").expect("it was added");
/// let rendered = entry.render(&Prompts::default())?;
/// assert_eq!(rendered.question, "How bad is this?\nFATAL: out of disk");
/// # Ok::<(), duru_llm::decision::TemplateError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Vec<Entry>,
    measured: Vec<MeasuredPolicy>,
}

/// What people want to know of a decision.
#[derive(Clone, Debug)]
pub struct About<I> {
    /// What is asked.
    pub asks: Words,
    /// How the rule answers.
    pub rule: Words,
    /// An input to show the prompt with.
    pub example: I,
}

/// The same in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// In Korean.
    pub ko: &'static str,
    /// In English.
    pub en: &'static str,
}

/// A decision of a registry.
#[derive(Clone, Debug)]
pub struct Entry {
    prompt: Prompt,
    /// How a model is asked.
    pub limits: Limits,
    /// What is asked.
    pub asks: Words,
    /// How the rule answers.
    pub rule: Words,
    /// The JSON schema of its answers, as a model is given it.
    pub schema: Value,
    /// The example, as JSON.
    pub example: Value,
    /// What the rule says of the example, as JSON.
    pub by_rule: Value,
    pub(super) fields: Vec<String>,
    asks_where_both_differ: bool,
    decided: Decided,
}

/// The decision about the example, by whoever decides.
#[derive(Clone)]
struct Decided(Arc<dyn Fn(Decider) -> BoxFuture<'static, Outcome<Value>> + Send + Sync>);

impl fmt::Debug for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decided(…)")
    }
}

impl Registry {
    /// None yet.
    pub fn new() -> Self {
        Registry::default()
    }

    /// These and `D`.
    #[must_use]
    pub fn with<D: Decision>(mut self, about: About<D::Input>) -> Self {
        // What is no JSON is shown as null; a decision with such an input is left to its rule.
        let by_rule = serde_json::to_value(D::by_rule(&about.example)).unwrap_or_default();
        let example = serde_json::to_value(&about.example).unwrap_or_default();
        let input = Arc::new(about.example);
        let decided = Decided(Arc::new(move |decider: Decider| {
            let input = Arc::clone(&input);
            async move { decider.decide::<D>(&input).await.to_json() }.boxed()
        }));
        self.entries.push(Entry {
            prompt: D::PROMPT,
            limits: D::LIMITS,
            asks: about.asks,
            rule: about.rule,
            schema: form::<D::Output>(),
            example,
            by_rule,
            fields: fields::<D>(),
            asks_where_both_differ: D::ASKS,
            decided,
        });
        self
    }

    /// These and those of another.
    #[must_use]
    pub fn and(mut self, other: Registry) -> Self {
        self.entries.extend(other.entries);
        self.measured.extend(other.measured);
        self
    }

    /// The same with what was measured of models.
    #[must_use]
    pub fn measured_as(mut self, measured: Vec<MeasuredPolicy>) -> Self {
        self.measured.extend(measured);
        self
    }

    /// What was measured of models.
    pub fn measured(&self) -> &[MeasuredPolicy] {
        &self.measured
    }

    /// The decision of this name.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name() == name)
    }
}

impl<'a> IntoIterator for &'a Registry {
    type Item = &'a Entry;
    type IntoIter = std::slice::Iter<'a, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl Entry {
    /// Its name, the agent's included.
    pub fn name(&self) -> &'static str {
        self.prompt.name()
    }

    /// Whether the person is asked where rule and model differ.
    pub fn asks_where_both_differ(&self) -> bool {
        self.asks_where_both_differ
    }

    /// The agent that makes it, if its name has one.
    pub fn agent(&self) -> Option<&'static str> {
        self.prompt.agent()
    }

    /// The version of the prompt that is used.
    pub fn version(&self, prompts: &Prompts) -> String {
        prompts
            .find(self.name())
            .map_or_else(|| self.prompt.version(), |template| template.version().to_owned())
    }

    /// The prompt that is used, with the example in it.
    pub fn render(&self, prompts: &Prompts) -> Result<Rendered, TemplateError> {
        let template = prompts.find(self.name()).map_or_else(|| self.template().map(Arc::new), Ok)?;
        Ok(template.render(&self.example))
    }

    /// The decision about the example, without its type.
    pub async fn decide(&self, decider: &Decider) -> Outcome<Value> {
        (self.decided.0)(decider.clone()).await
    }

    /// The answers that its prompt shows as examples, as they are written there.
    pub fn shown_answers(&self) -> Vec<&'static str> {
        self.prompt.text().lines().filter_map(|line| line.strip_prefix("답: ")).collect()
    }

    /// The form of an answer as its prompt shows it: the line that is an object and no example.
    pub fn shown_form(&self) -> Option<&'static str> {
        self.prompt.text().lines().find(|line| line.starts_with("{\""))
    }

    /// Whether providers that have a strict mode can be held to the schema.
    pub fn can_be_strict(&self) -> bool {
        crate::provider::strict(&self.schema).is_some()
    }

    /// The schema as it is sent, its properties in order.
    pub fn schema_text(&self) -> String {
        // It fails only for what a JSON value can't be.
        serde_json::to_string(&InOrder(&self.schema)).unwrap_or_default()
    }

    /// The built-in prompt, read.
    pub(super) fn template(&self) -> Result<Template, TemplateError> {
        Template::read(self.name(), self.prompt.text())
    }
}
