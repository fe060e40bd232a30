//! What do a contract's clauses mean for the person?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct ReadContract;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ContractAsked {
    pub(crate) question: Untrusted,
    pub(crate) contract: Untrusted,
    /// What the rules found, one line each.
    pub(crate) findings: Vec<Untrusted>,
    pub(crate) language: String,
    pub(crate) draft: ContractAdvice,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ContractAdvice {
    #[schemars(length(max = 8), inner(length(max = 600)))]
    pub(crate) advice: Vec<String>,
}

impl Decision for ReadContract {
    type Input = ContractAsked;
    type Output = ContractAdvice;
    const PROMPT: Prompt = prompt!("advisor/contract_analysis", "contract_analysis.md");
    const LIMITS: Limits = Limits { temperature: 0.3, max_tokens: 800 };

    fn by_rule(asked: &ContractAsked) -> ContractAdvice {
        asked.draft.clone()
    }
}
