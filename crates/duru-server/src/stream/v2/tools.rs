//! Calls of tools: told by nodes as they happen, or else read out of the messages that they leave.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::blocks;
use super::map::Frames;

/// The calls of a run.
#[derive(Default)]
pub(super) struct ToolCalls {
    /// What the model asked for, by the id of the call.
    asked: HashMap<String, Value>,
    begun: HashSet<String>,
    over: HashSet<String>,
}

impl ToolCalls {
    /// What a node tells.
    pub(super) fn told(&mut self, frames: &mut Frames<'_>) {
        let data = frames.event.data.clone();
        let id = data["tool_call_id"].as_str().unwrap_or_default().to_owned();
        match data["event"].as_str() {
            // It may begin again, where it stopped to ask somebody.
            Some("tool-started") => drop(self.begun.insert(id)),
            Some("tool-finished" | "tool-error") => drop(self.over.insert(id)),
            _ => {}
        }
        frames.here("tools", data);
    }

    /// A message that a node wrote: a model's, which calls, or a tool's, which answers.
    pub(super) fn written(&mut self, node: &str, message: &Value, frames: &mut Frames<'_>) {
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            if let Some(id) = call["id"].as_str() {
                self.asked.insert(id.to_owned(), call.clone());
            }
        }
        let Some(id) = message["tool_call_id"].as_str().filter(|_| message["type"] == "tool") else { return };
        if !self.over.insert(id.to_owned()) {
            return;
        }
        let asked = self.asked.remove(id).unwrap_or_default();
        let ns = &frames.event.ns;
        if self.begun.insert(id.to_owned()) {
            let name = if message["name"].is_null() { &asked["name"] } else { &message["name"] };
            let name = name.as_str().unwrap_or_default();
            let started = json!({
                "event": "tool-started", "tool_call_id": id, "tool_name": name, "input": asked["args"],
            });
            frames.add("tools", ns, Some(node), started);
        }
        let ended = match message["status"] == "error" {
            true => {
                json!({ "event": "tool-error", "tool_call_id": id, "message": text(&message["content"]) })
            }
            false => {
                json!({ "event": "tool-finished", "tool_call_id": id, "output": blocks::message(message) })
            }
        };
        frames.add("tools", ns, Some(node), ended);
    }
}

fn text(content: &Value) -> String {
    content.as_str().map_or_else(|| content.to_string(), str::to_owned)
}
