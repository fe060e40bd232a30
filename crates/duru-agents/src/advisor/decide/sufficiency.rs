//! Is what is known enough to answer?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::sufficiency::DataSource;
use crate::advisor::understand::DataKind;

pub(crate) struct JudgeSufficiency;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SufficiencyAsked {
    pub(crate) question: Untrusted,
    pub(crate) required: Vec<DataKind>,
    /// What there is of each kind: place, conditions, number, age, tier.
    pub(crate) evidence: Vec<Untrusted>,
    /// What was said, numbered.
    pub(crate) history: Vec<Untrusted>,
    pub(crate) draft: Sufficient,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Sufficient {
    #[schemars(length(max = 500))]
    pub(crate) reasoning: String,
    pub(crate) is_sufficient: bool,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) confidence: f32,
    pub(crate) data_source: DataSource,
    #[serde(default)]
    #[schemars(length(max = 4))]
    pub(crate) missing_data_types: Vec<DataKind>,
}

impl Decision for JudgeSufficiency {
    type Input = SufficiencyAsked;
    type Output = Sufficient;
    const PROMPT: Prompt = prompt!("advisor/sufficiency", "sufficiency.md");
    const LIMITS: Limits = Limits { temperature: 0.1, max_tokens: 500 };

    fn by_rule(asked: &SufficiencyAsked) -> Sufficient {
        asked.draft.clone()
    }
}
