//! Which of the documents help to answer a query?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct GradeDocuments;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DocumentsAsked {
    pub(crate) query: Untrusted,
    /// Each with its number.
    pub(crate) documents: Vec<Untrusted>,
    /// By how much of the query they speak of.
    pub(crate) draft: Grades,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Grades {
    #[schemars(length(max = 50))]
    pub(crate) grades: Vec<Grade>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Grade {
    /// Its number.
    pub(crate) document: u32,
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub(crate) reason: String,
    pub(crate) relevant: bool,
}

impl Decision for GradeDocuments {
    type Input = DocumentsAsked;
    type Output = Grades;
    const PROMPT: Prompt = prompt!("researcher/grade_documents", "grade_documents.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 900 };

    fn by_rule(asked: &DocumentsAsked) -> Grades {
        asked.draft.clone()
    }
}
