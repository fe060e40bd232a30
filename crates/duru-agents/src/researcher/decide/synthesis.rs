//! What do the documents answer?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Synthesise;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SynthesisAsked {
    pub(crate) question: Untrusted,
    /// Each with its number.
    pub(crate) documents: Vec<Untrusted>,
    /// Where documents contradict each other.
    pub(crate) conflicts: Vec<Untrusted>,
    /// What was wrong with the last answer.
    pub(crate) feedback: Vec<Untrusted>,
    pub(crate) language: String,
    /// The best supported sentences.
    pub(crate) draft: Synthesis,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Synthesis {
    /// Whether the documents answer the question. It is said before the answer, which is shown while it is written.
    pub(crate) answerable: bool,
    /// With a citation behind every sentence.
    #[schemars(length(max = 8000))]
    pub(crate) answer: String,
}

impl Decision for Synthesise {
    type Input = SynthesisAsked;
    type Output = Synthesis;
    const PROMPT: Prompt = prompt!("researcher/synthesis", "synthesis.md");
    const LIMITS: Limits = Limits { temperature: 0.2, max_tokens: 1500 };
    const SPEAKS: bool = true;

    fn by_rule(asked: &SynthesisAsked) -> Synthesis {
        asked.draft.clone()
    }
}
