//! Is an answer good enough to be given?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct GradeAnswer;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AnswerAsked {
    pub(crate) question: Untrusted,
    pub(crate) answer: Untrusted,
    /// By what of the question the answer and the documents speak of.
    pub(crate) draft: Marks,
}

/// Each from nothing to one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Marks {
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub(crate) reason: String,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) completeness: f32,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) relevance: f32,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) clarity: f32,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) accuracy: f32,
    #[serde(default)]
    #[schemars(length(max = 5), inner(length(max = 300)))]
    pub(crate) suggestions: Vec<String>,
}

impl Decision for GradeAnswer {
    type Input = AnswerAsked;
    type Output = Marks;
    const PROMPT: Prompt = prompt!("researcher/answer_grader", "answer_grader.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 500 };

    fn by_rule(asked: &AnswerAsked) -> Marks {
        asked.draft.clone()
    }
}
