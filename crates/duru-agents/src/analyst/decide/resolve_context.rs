//! What does the question mean, given what was said before?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct ResolveContext;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ContextAsked {
    pub(crate) question: String,
    /// The last questions, oldest first.
    pub(crate) before: Vec<String>,
    /// Names out of the data.
    pub(crate) focus: Untrusted,
    /// What the parser makes of it, if it understood the whole.
    pub(crate) draft: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Resolved {
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub(crate) reason: String,
    #[schemars(length(max = 1000))]
    pub(crate) resolved_question: String,
    /// Whether the question leaned on the conversation.
    pub(crate) needed: bool,
}

impl Decision for ResolveContext {
    type Input = ContextAsked;
    type Output = Resolved;
    const PROMPT: Prompt = prompt!("analyst/resolve_context", "resolve_context.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 300 };

    fn by_rule(asked: &ContextAsked) -> Resolved {
        let resolved_question = asked.draft.clone().unwrap_or_else(|| asked.question.clone());
        Resolved { needed: resolved_question != asked.question, resolved_question, reason: String::new() }
    }

    fn is_certain(asked: &ContextAsked) -> bool {
        asked.draft.is_some()
    }
}
