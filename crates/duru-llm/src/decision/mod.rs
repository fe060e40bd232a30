//! Typed decisions: what is asked, what may be answered, and the rule that
//! answers when no model does.
//!
//! ```
//! use std::sync::Arc;
//! use duru_llm::Scripted;
//! use duru_llm::decision::{By, Decider, Decision, Limits, Prompt, Untrusted};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, JsonSchema)]
//! struct Line { text: Untrusted }
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
//! struct Verdict { severe: bool }
//!
//! /// Is a log line worth waking somebody up for?
//! struct Severity;
//!
//! impl Decision for Severity {
//!     type Input = Line;
//!     type Output = Verdict;
//!     const PROMPT: Prompt = Prompt::new("severity", "Judge log lines.\n---\nHow bad is this?\n{{ text }}");
//!     const LIMITS: Limits = Limits { temperature: 0.1, max_tokens: 100 };
//!     fn by_rule(line: &Line) -> Verdict { Verdict { severe: line.text.as_str().contains("FATAL") } }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let line = Line { text: Untrusted::new("FATAL: out of disk") };
//! let model = Arc::new(Scripted::new([Ok("```json\n{\"severe\": true,}\n```")]));
//! let outcome = Decider::new(model).decide::<Severity>(&line).await;
//! assert_eq!((outcome.value.severe, outcome.by), (true, By::Repaired));
//!
//! let outcome = Decider::by_rules().decide::<Severity>(&line).await;
//! assert_eq!((outcome.value.severe, outcome.by), (true, By::Rule));
//! # }
//! ```

mod ask;
mod counted;
mod decider;
mod form;
mod measured;
mod outcome;
mod policy;
mod prompt;
mod prompts;
mod question;
mod ready;
mod registry;
mod repair;
mod setup;
mod shape;
mod show;
mod tape;
mod template;
mod untrusted;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use decider::Decider;
pub use measured::{Evidence, MeasuredOf, MeasuredPolicy, ModelClass};
pub use outcome::{By, Outcome, Witness};
pub use policy::{DecisionPolicies, DecisionPolicy, PolicyReason};
pub use prompt::Prompt;
pub use prompts::{Prompts, PromptsError};
pub use question::Patience;
pub use registry::{About, Entry, Registry, Words};
pub use setup::{Setup, SetupError};
pub use tape::{Tape, TapeError};
pub use template::{Rendered, TemplateError};
pub use untrusted::Untrusted;

/// One kind of decision.
pub trait Decision: 'static {
    /// What it is made from. Text that others wrote is [`Untrusted`].
    type Input: Serialize + JsonSchema + Send + Sync + 'static;
    /// What is decided: an object, whose JSON schema the model is given.
    type Output: Serialize + DeserializeOwned + JsonSchema;
    /// What is asked.
    const PROMPT: Prompt;
    /// How it is asked.
    const LIMITS: Limits;

    /// Whether its answer is what the person reads, from the first piece on. All others must be made before the first
    /// word of an answer.
    const SPEAKS: bool = false;

    /// Whether it is answered with yes or no, and how far a model leans to either counts more than which of them it says:
    /// [`Decision::lean`] is told.
    const LEANS: bool = false;

    /// Whether its agent compares by itself what rule and model say, and asks the person where they differ.
    const ASKS: bool = false;

    /// The answer without a model, after a failed call, or after an unfit reply.
    fn by_rule(input: &Self::Input) -> Self::Output;

    /// Whether the rule's answer is sure to be right.
    fn is_certain(_input: &Self::Input) -> bool {
        false
    }

    /// Puts down how far the model leans to a yes; not called where its provider does not tell.
    fn lean(_value: &mut Self::Output, _leaning: f32) {}

    /// The answer that makes its agent ask the person, where rule and model disagree; `None` if it can't ask, and the
    /// rule's answer stands.
    fn asking(_rule: &Self::Output, _model: &Self::Output) -> Option<Self::Output> {
        None
    }
}

/// How a model is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// How freely it chooses its words.
    pub temperature: f32,
    /// The most tokens of the answer.
    pub max_tokens: u32,
}

/// Whether the prompt of `D` can be rendered: it is complete, and every variable
/// in it is a field of the input. [`Registry::prompts`] asks this of all at once.
pub fn check<D: Decision>() -> Result<(), TemplateError> {
    let name = D::PROMPT.name();
    template::Template::read(name, D::PROMPT.text())?.check(name, &ready::fields::<D>())
}
