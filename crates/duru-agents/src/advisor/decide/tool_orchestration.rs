//! Which tools does a team use, with what?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::tools::Team;
use crate::advisor::understand::DataKind;

pub(crate) struct ChooseTools;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ToolsAsked {
    pub(crate) question: Untrusted,
    pub(crate) team: Team,
    pub(crate) scope: Vec<DataKind>,
    /// The tools there are: cost, seconds, quality, what they need.
    pub(crate) tools: Vec<String>,
    /// Those that ran, and with what.
    pub(crate) used: Vec<Untrusted>,
    pub(crate) draft: ToolPlan,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ToolPlan {
    #[schemars(length(max = 6))]
    pub(crate) tools: Vec<ToolWish>,
    #[serde(default)]
    #[schemars(length(max = 12))]
    pub(crate) left_out: Vec<LeftOut>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ToolWish {
    #[schemars(length(max = 100))]
    pub(crate) tool: String,
    #[serde(default)]
    #[schemars(length(max = 8), inner(length(max = 100)))]
    pub(crate) keywords: Vec<String>,
    /// At most so many results.
    #[serde(default)]
    pub(crate) limit: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct LeftOut {
    #[schemars(length(max = 100))]
    pub(crate) tool: String,
    #[schemars(length(max = 300))]
    pub(crate) why: String,
}

impl Decision for ChooseTools {
    type Input = ToolsAsked;
    type Output = ToolPlan;
    const PROMPT: Prompt = prompt!("advisor/tool_orchestration", "tool_orchestration.md");
    const LIMITS: Limits = Limits { temperature: 0.1, max_tokens: 800 };

    fn by_rule(asked: &ToolsAsked) -> ToolPlan {
        asked.draft.clone()
    }
}
