//! Tool calls of a node, as events of the `tools` stream.

use std::fmt::Display;

use serde::Serialize;
use serde_json::json;
use serde_json::value::to_raw_value;

use super::Cx;
use crate::error::{NodeError, Result};
use crate::log::Item;

/// A tool call that has begun. [`ToolCall::finished`] or [`ToolCall::failed`]
/// reports its end; without either, as when the tool asks a person, the call is
/// still under way.
#[must_use = "readers of the stream wait for the end of the call"]
pub struct ToolCall {
    cx: Cx,
    id: String,
}

impl Cx {
    /// Reports on the `tools` stream that a tool is called: its id, its name and
    /// its input.
    ///
    /// ```
    /// # use duru::{Cx, Result, State}; use std::sync::Arc;
    /// # #[derive(State, Clone)] struct Trip { weather: String }
    /// async fn look(_: Arc<Trip>, cx: Cx) -> Result<TripUpdate> {
    ///     let call = cx.tool("call_1", "get_weather", serde_json::json!({"city": "Seoul"}))?;
    ///     let weather = "sunny";
    ///     call.finished(weather)?;
    ///     Ok(TripUpdate::new().weather(weather))
    /// }
    /// ```
    pub fn tool(&self, id: impl Into<String>, name: &str, input: impl Serialize) -> Result<ToolCall> {
        let call = ToolCall { cx: self.clone(), id: id.into() };
        call.tell("tool-started", [("tool_name", json!(name)), ("input", json(&input)?)])?;
        Ok(call)
    }
}

impl ToolCall {
    /// A piece of what it gives, as it comes.
    pub fn piece(&self, text: &str) -> Result<()> {
        self.tell("tool-output-delta", [("delta", text.into())])
    }

    /// It is over, and gave this.
    pub fn finished(self, output: impl Serialize) -> Result<()> {
        self.tell("tool-finished", [("output", json(&output)?)])
    }

    /// It failed.
    pub fn failed(self, why: impl Display) -> Result<()> {
        self.tell("tool-error", [("message", why.to_string().into())])
    }

    fn tell<const N: usize>(&self, what: &str, more: [(&str, serde_json::Value); N]) -> Result<()> {
        let mut event = json!({ "event": what, "tool_call_id": self.id });
        for (name, value) in more {
            event[name] = value;
        }
        self.cx.push(Item::Tool(to_raw_value(&event).map_err(NodeError::fatal)?))
    }
}

fn json(value: &impl Serialize) -> Result<serde_json::Value> {
    serde_json::to_value(value).map_err(NodeError::fatal)
}
