//! Messages in a stream: pieces as they come, and whole ones that no piece
//! announced.

use std::collections::{HashMap, HashSet};

use duru_messages::{ChunkAccumulator, MessageChunk};
use serde_json::{Map, Value, json};

use super::sse::Frame;

/// The kinds of message that are shown whole.
const KINDS: [&str; 6] = ["ai", "human", "system", "tool", "function", "chat"];

/// What was shown of messages so far, in a run.
#[derive(Default)]
pub(super) struct Shown {
    ids: HashSet<String>,
    announced: HashSet<String>,
    partial: HashMap<String, ChunkAccumulator>,
}

/// Which forms are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Forms {
    /// `messages`: `[piece, metadata]`.
    pub(super) tuple: bool,
    /// `messages/partial` and `messages/complete`: whole so far.
    pub(super) whole: bool,
}

impl Shown {
    /// A piece of a message.
    pub(super) fn piece(&mut self, piece: &Value, metadata: Map<String, Value>, forms: Forms) -> Vec<Frame> {
        let id = piece.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.ids.insert(id.clone());
        let mut frames = Vec::new();
        if forms.whole {
            frames.extend(self.announce(&id, &metadata));
            let parsed = MessageChunk::from_value(piece.clone());
            let partial = self.partial.entry(id).or_default();
            if let Ok(chunk) = &parsed {
                partial.push(chunk);
            }
            let message = serde_json::to_value(partial.snapshot()).unwrap_or_default();
            frames.push(Frame::new("messages/partial", &json!([message])));
        }
        if forms.tuple {
            frames.push(Frame::new("messages", &json!([piece, metadata])));
        }
        frames
    }

    /// What a node wrote: the messages in it that were not shown in pieces.
    pub(super) fn written(
        &mut self,
        update: &Value,
        metadata: &Map<String, Value>,
        forms: Forms,
    ) -> Vec<Frame> {
        let mut frames = Vec::new();
        for message in messages(update) {
            let id = message.get("id").and_then(Value::as_str).unwrap_or_default();
            if !self.ids.insert(id.to_owned()) {
                continue;
            }
            if forms.whole {
                frames.extend(self.announce(id, metadata));
                frames.push(Frame::new("messages/complete", &json!([message])));
            }
            if forms.tuple {
                frames.push(Frame::new("messages", &json!([message, metadata])));
            }
        }
        frames
    }

    fn announce(&mut self, id: &str, metadata: &Map<String, Value>) -> Option<Frame> {
        let new = self.announced.insert(id.to_owned());
        new.then(|| Frame::new("messages/metadata", &json!({ id: { "metadata": metadata } })))
    }
}

/// Whether this is a whole message.
pub(super) fn is_message(value: &Value) -> bool {
    let kind = value.get("type").and_then(Value::as_str);
    kind.is_some_and(|kind| KINDS.contains(&kind)) && value.get("content").is_some()
}

/// The messages in what a node wrote: an object of fields, or several.
pub(super) fn messages(update: &Value) -> Vec<&Value> {
    match update {
        Value::Object(fields) => fields
            .values()
            .flat_map(|field| match field {
                Value::Array(items) => items.as_slice(),
                one => std::slice::from_ref(one),
            })
            .filter(|value| is_message(value))
            .collect(),
        Value::Array(several) => several.iter().flat_map(messages).collect(),
        _ => Vec::new(),
    }
}
