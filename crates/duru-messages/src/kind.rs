//! Who speaks, and what only that kind of message carries.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{InvalidToolCall, ToolCall, UsageMetadata};

/// Who speaks.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The user.
    Human,
    /// The model.
    Ai(AiFields),
    /// Instructions to the model.
    System,
    /// The answer of a tool.
    Tool(ToolFields),
    /// The answer of a function, the older form of a tool.
    Function,
    /// Not said at all: deletes the message with the same id when merged.
    Remove,
}

/// What only a message of the model carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AiFields {
    /// Tools that the model wants called.
    pub tool_calls: Vec<ToolCall>,
    /// Calls with unreadable arguments.
    pub invalid_tool_calls: Vec<InvalidToolCall>,
    /// Tokens spent, if the provider said so.
    pub usage_metadata: Option<UsageMetadata>,
}

/// What only the answer of a tool carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolFields {
    /// The call that is answered.
    pub tool_call_id: String,
    /// Whether the tool did its work.
    pub status: ToolStatus,
    /// The full result, for code and not for the model; null if there is none.
    pub artifact: Value,
}

/// Whether a tool did its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolStatus {
    /// It did.
    #[default]
    Success,
    /// It failed, and the content says why.
    Error,
}

impl Kind {
    /// The value of `type` in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Human => "human",
            Kind::Ai(_) => "ai",
            Kind::System => "system",
            Kind::Tool(_) => "tool",
            Kind::Function => "function",
            Kind::Remove => "remove",
        }
    }
}
