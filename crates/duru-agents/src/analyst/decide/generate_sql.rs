//! Which query answers the question?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct GenerateSql;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SqlAsked {
    pub(crate) question: String,
    pub(crate) now: String,
    pub(crate) timezone: String,
    /// With values out of the data.
    pub(crate) schema: Untrusted,
    /// What words of the question stand for, a line each, with values out of the data.
    pub(crate) hints: Untrusted,
    /// The parser's query, if it covers the whole question: half of one would only be copied.
    pub(crate) draft: Option<Sql>,
    /// What stands where no model answers.
    pub(crate) rule: Sql,
    /// The query that was refused, and why.
    pub(crate) rejected: Option<String>,
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Sql {
    /// How the question was understood, in one line.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub(crate) explanation: String,
    /// None: the question can't be answered.
    #[schemars(length(max = 8000))]
    pub(crate) sql: Option<String>,
    /// Why there is no query.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub(crate) refusal: Option<String>,
}

impl Decision for GenerateSql {
    type Input = SqlAsked;
    type Output = Sql;
    const PROMPT: Prompt = prompt!("analyst/generate_sql", "generate_sql.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 1500 };
    const ASKS: bool = true;

    fn by_rule(asked: &SqlAsked) -> Sql {
        asked.rule.clone()
    }

    fn is_certain(asked: &SqlAsked) -> bool {
        asked.draft.is_some()
    }
}
