//! Which way a question goes.

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::researcher::small_talk;

/// Does a question need documents, the conversation so far, or neither?
#[derive(Debug, Clone, Copy)]
pub struct QueryRouter;

/// What the router looks at.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ToRoute {
    /// What was asked.
    pub question: Untrusted,
    /// The last turns of the conversation, the oldest first.
    pub history: Vec<Untrusted>,
}

/// The way of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// Why, in one sentence.
    #[schemars(length(max = 500))]
    pub reason: String,
    /// Which way.
    pub query_type: QueryType,
}

/// The ways that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QueryType {
    /// Greetings and small talk: no document helps.
    Simple,
    /// The documents have to be searched.
    RagRequired,
    /// It cannot be understood without the conversation.
    HistoryRequired,
}

impl ToRoute {
    /// A question after these turns.
    pub fn new<'a>(question: &str, history: impl IntoIterator<Item = &'a str>) -> Self {
        ToRoute {
            question: Untrusted::new(question),
            history: history.into_iter().map(Untrusted::new).collect(),
        }
    }
}

impl Decision for QueryRouter {
    type Input = ToRoute;
    type Output = Route;
    const PROMPT: Prompt = prompt!("researcher/query_router", "query_router.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 200 };

    fn by_rule(input: &ToRoute) -> Route {
        let question = input.question.as_str();
        let (query_type, reason) = if small_talk::is_only_small_talk(question) {
            (QueryType::Simple, "there is nothing in it but small talk")
        } else if !input.history.is_empty() && small_talk::points_back(question) {
            (QueryType::HistoryRequired, "it points back at the conversation")
        } else {
            (QueryType::RagRequired, "it stands alone and asks for something")
        };
        Route { query_type, reason: reason.to_owned() }
    }
}
