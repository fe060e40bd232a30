//! The manner of graphs whose custom events have a `type`: each such event is a frame.

use std::sync::Arc;

use async_trait::async_trait;
use duru::memory::Memory;
use duru::{Event, Mode, ThreadId};
use serde_json::{Map, Value, json};

use super::Frame;
use super::manner::{Ended, Manner, Query};
use crate::{ApiError, Runs};

/// Every custom event of a graph with a `type` is a frame of that type; pieces
/// of messages are `token`s. A client sends `query {text, interactive}`,
/// `interrupt_response {interrupt_id, value or arguments}` and `cancel`.
#[derive(Debug, Clone)]
pub struct Progress {
    graph: String,
    text: &'static str,
    asked: Vec<&'static str>,
    noted: Vec<(&'static str, &'static str)>,
}

impl Progress {
    /// Of a graph whose input has the text of a query in the field `text`, and
    /// whether somebody can be asked in `interactive`.
    pub fn new(graph: impl Into<String>, text: &'static str) -> Self {
        Self { graph: graph.into(), text, asked: Vec::new(), noted: Vec::new() }
    }

    /// Events of these types are not shown, because the question that follows says the same.
    pub fn asked_as(mut self, kinds: impl IntoIterator<Item = &'static str>) -> Self {
        self.asked.extend(kinds);
        self
    }

    /// A frame of this type is kept for the run, where its nodes look for it: in
    /// the memory across threads, under the namespace of the type and the thread
    /// and the key that a field of the frame names.
    pub fn noting(mut self, kind: &'static str, field: &'static str) -> Self {
        self.noted.push((kind, field));
        self
    }
}

/// Details of model decisions are for debugging.
const FOR_DEBUGGING: &str = "decision";

#[async_trait]
impl Manner for Progress {
    fn graph(&self) -> &str {
        &self.graph
    }

    fn query(&self, frame: &Map<String, Value>) -> Result<Query, String> {
        let text = frame.get("text").or_else(|| frame.get("query")).and_then(Value::as_str).map(str::trim);
        let text = text.filter(|text| !text.is_empty()).ok_or("text: what is asked is missing")?;
        // Somebody sits at the other end of a socket unless it says otherwise.
        let interactive = match frame.get("interactive") {
            None | Some(Value::Null) => true,
            Some(Value::Bool(interactive)) => *interactive,
            Some(_) => return Err("interactive: true or false".to_owned()),
        };
        let mut input = Map::from_iter([(self.text.to_owned(), text.into())]);
        input.insert("interactive".into(), interactive.into());
        Ok(Query { thread: None, input: Value::Object(input) })
    }

    fn answer(&self, frame: &Map<String, Value>) -> Value {
        if let Some(value) = frame.get("value") {
            return value.clone();
        }
        frame.get("arguments").map_or(Value::Null, |arguments| json!({ "arguments": arguments }))
    }

    fn frame(&self, event: &Event, debug: bool) -> Option<Frame> {
        match event.mode {
            Mode::Custom => {
                let frame = Frame::typed(&event.data)?;
                let hidden = self.asked.contains(&frame.kind()) || (frame.kind() == FOR_DEBUGGING && !debug);
                (!hidden).then_some(frame)
            }
            Mode::Messages => token(&event.data).map(|text| Frame::new("token", json!({ "text": text }))),
            Mode::Runs if event.ns.is_root() && event.data["type"] == "begin" => {
                Some(Frame::new("run_start", json!({ "run_id": event.run.to_string() })))
            }
            _ => None,
        }
    }

    fn ended(&self, ended: Ended) -> Option<Frame> {
        let status = match ended {
            Ended::Done(_) => "done",
            Ended::Asks => "waiting",
            Ended::Stopped => "cancelled",
            Ended::Failed { name, message } => {
                return Some(Frame::new(
                    "error",
                    json!({ "code": "run_failed", "error": name, "message": message,
                            "what_to_do": "다시 물어보세요. / Ask again." }),
                ));
            }
        };
        Some(Frame::new("run_end", json!({ "status": status })))
    }

    async fn other(
        &self,
        runs: &Runs,
        thread: &ThreadId,
        kind: &str,
        frame: &Map<String, Value>,
    ) -> Result<bool, ApiError> {
        let Some((kind, field)) = self.noted.iter().find(|(noted, _)| *noted == kind) else {
            return Ok(false);
        };
        let key = frame.get(*field).and_then(Value::as_str).filter(|key| !key.is_empty());
        let key = key.ok_or_else(|| ApiError::invalid(format!("{field}: which one is missing")))?;
        let memory = Memory::new(Arc::clone(runs.memories()));
        let kept = memory.put([*kind, thread.as_str()], key, frame).await;
        kept.map_err(|error| ApiError::invalid(error.to_string()))?;
        Ok(true)
    }
}

/// The text of a piece of a model's answer.
pub fn token(piece: &Value) -> Option<String> {
    let chunk = duru_messages::MessageChunk::from_value(piece.get(0)?.clone()).ok()?;
    let text = chunk.content.text();
    (!text.is_empty()).then(|| text.into_owned())
}
