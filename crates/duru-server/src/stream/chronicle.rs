//! The stream mode `events`: starts, pieces and ends of a run, its nodes and its
//! models, one within the other.

use std::collections::HashMap;

use duru_messages::{ChunkAccumulator, MessageChunk};
use serde_json::{Map, Value, json};

use super::sse::Frame;

/// What has begun and not ended yet.
#[derive(Default)]
pub(super) struct Chronicle {
    graph: Value,
    /// The node of every task under way.
    nodes: HashMap<String, String>,
    models: HashMap<String, ChunkAccumulator>,
}

impl Chronicle {
    fn frame(
        kind: &str,
        name: &Value,
        data: &Value,
        (id, parents): (&Value, &[&Value]),
        about: &Map<String, Value>,
    ) -> Frame {
        Frame::new(
            "events",
            &json!({
                "event": kind, "name": name, "data": data, "run_id": id, "parent_ids": parents, "tags": [],
                "metadata": about,
            }),
        )
    }

    pub(super) fn begin(&mut self, about: &Map<String, Value>, begin: &Value) -> Option<Frame> {
        if !self.graph.is_null() {
            return None;
        }
        self.graph = begin["graph"].clone();
        let data = json!({ "input": {} });
        Some(Self::frame("on_chain_start", &self.graph, &data, (&about["run_id"], &[]), about))
    }

    pub(super) fn end(&mut self, about: &Map<String, Value>, output: Option<&Value>) -> Vec<Frame> {
        let data = json!({ "output": output });
        vec![Self::frame("on_chain_end", &self.graph, &data, (&about["run_id"], &[]), about)]
    }

    /// A task that starts or ends.
    pub(super) fn task(&mut self, about: &Map<String, Value>, task: &Value) -> Vec<Frame> {
        let (id, name, run) = (&task["id"], &task["node"], &about["run_id"]);
        let within = (id, &[run][..]);
        if task["type"] == "start" {
            let node = name.as_str().unwrap_or_default().to_owned();
            self.nodes.insert(id.as_str().unwrap_or_default().to_owned(), node);
            return vec![Self::frame(
                "on_chain_start",
                name,
                &json!({ "input": task["input"] }),
                within,
                about,
            )];
        }
        self.nodes.remove(id.as_str().unwrap_or_default());
        let mut frames = self.models_end(about);
        let output = json!({ "output": task["result"] });
        frames.push(Self::frame("on_chain_stream", name, &json!({ "chunk": task["result"] }), within, about));
        frames.push(Self::frame("on_chain_end", name, &output, within, about));
        frames
    }

    /// A piece of what a model says.
    pub(super) fn piece(&mut self, about: &Map<String, Value>, piece: &Value) -> Vec<Frame> {
        let id = piece["id"].as_str().unwrap_or_default().to_owned();
        let (model, name, run) = (&piece["id"], json!("model"), &about["run_id"]);
        let mut frames = Vec::new();
        if !self.models.contains_key(&id) {
            frames.push(Self::frame(
                "on_chat_model_start",
                &name,
                &json!({ "input": {} }),
                (model, &[run]),
                about,
            ));
        }
        let said = self.models.entry(id.clone()).or_default();
        let chunk = MessageChunk::from_value(piece.clone());
        if let Ok(chunk) = &chunk {
            said.push(chunk);
        }
        frames.push(Self::frame(
            "on_chat_model_stream",
            &name,
            &json!({ "chunk": piece }),
            (model, &[run]),
            about,
        ));
        if chunk.is_ok_and(|chunk| chunk.is_last()) {
            frames.extend(self.model_ends(&id, about));
        }
        frames
    }

    /// Models that never said their last word end with the node that asked them.
    fn models_end(&mut self, about: &Map<String, Value>) -> Vec<Frame> {
        let ids: Vec<String> = self.models.keys().cloned().collect();
        ids.iter().filter_map(|id| self.model_ends(id, about)).collect()
    }

    fn model_ends(&mut self, id: &str, about: &Map<String, Value>) -> Option<Frame> {
        let said = serde_json::to_value(self.models.remove(id)?.finish()).unwrap_or_default();
        let within = (&json!(id), &[&about["run_id"]][..]);
        Some(Self::frame("on_chat_model_end", &json!("model"), &json!({ "output": said }), within, about))
    }
}
