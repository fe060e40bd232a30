//! Replies of models that are kept in a file and given again to the same request: a measurement is made again at no cost,
//! and where there is no model at all.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use duru_messages::{ChunkAccumulator, Kind, Message, MessageChunk, ToolCallChunk};
use futures_util::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_128;

use crate::{Error, Model, Piece, Pieces, Reply, Request};

/// Replies by the whole request, in a file of one JSON line each.
///
/// `FILE` is asked first, and what it does not have is asked of the model and added; of `replay:FILE` nothing is asked
/// that it does not have.
#[derive(Debug)]
pub(crate) struct Replies {
    path: PathBuf,
    /// A request that was not recorded is not made.
    only: bool,
    known: Mutex<HashMap<String, Message>>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    model: String,
    message: Message,
}

impl Replies {
    /// The variable that names the file.
    pub(crate) const VARIABLE: &str = "DURU_REPLIES";

    pub(crate) fn open(setting: &str) -> Result<Replies, Error> {
        let (path, only) = match setting.strip_prefix("replay:") {
            Some(path) => (path, true),
            None => (setting, false),
        };
        let wrong = |reason: String| Error::Setting {
            variable: Self::VARIABLE.into(),
            reason: format!("{path}: {reason}"),
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !only => String::new(),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let mut known = HashMap::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let line: Line =
                serde_json::from_str(line).map_err(|error| wrong(format!("line {}: {error}", at + 1)))?;
            known.insert(line.key, line.message);
        }
        Ok(Replies { path: PathBuf::from(path), only, known: Mutex::new(known) })
    }

    fn find(&self, key: &str) -> Option<Message> {
        self.known().get(key).cloned()
    }

    /// Adds a reply. One line is one write, so that a crash leaves whole lines.
    fn add(&self, key: String, model: &str, message: Message) {
        let line = Line { key, model: model.to_owned(), message };
        let mut known = self.known();
        if let Err(error) = append(&self.path, &line) {
            // The reply is good all the same; it is only asked for again the next time.
            tracing::warn!(file = %self.path.display(), %error, "a model's reply could not be kept");
        }
        known.insert(line.key, line.message);
    }

    // Every change leaves a state that holds, so a panic elsewhere does not spoil it.
    fn known(&self) -> MutexGuard<'_, HashMap<String, Message>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn append(path: &Path, line: &Line) -> std::io::Result<()> {
    let text = serde_json::to_string(line)?;
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{text}\n").as_bytes())
}

/// All that a reply depends on.
fn key(model: &str, request: &Request) -> String {
    let Request { messages, system, tools, schema, temperature, max_tokens, leaning, until: _ } = request;
    let tools: Vec<Value> =
        tools.iter().map(|tool| json!([tool.name, tool.description, tool.parameters])).collect();
    let schema = schema.as_ref().map(|schema| json!([schema.name, schema.schema]));
    let mut all = json!([model, system, messages, tools, schema, temperature, max_tokens]);
    // Only where it is wanted: the keys of all others stay as they are in files that were written before.
    if let Some(all) = all.as_array_mut().filter(|_| *leaning) {
        all.push("leaning".into());
    }
    format!("{:032x}", xxh3_128(all.to_string().as_bytes()))
}

/// A model whose replies are kept.
pub(crate) struct Kept {
    model: Arc<dyn Model>,
    replies: Arc<Replies>,
}

impl Kept {
    pub(crate) fn new(model: Arc<dyn Model>, replies: Arc<Replies>) -> Self {
        Kept { model, replies }
    }
}

#[async_trait]
impl Model for Kept {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn stream(&self, request: &Request) -> Result<Pieces, Error> {
        let key = key(self.name(), request);
        if let Some(message) = self.replies.find(&key) {
            return Ok(Pieces::new(stream::iter([Ok(Piece::Chunk(in_one_go(&message)))])));
        }
        if self.replies.only {
            let (model, file) = (self.name().to_owned(), self.replies.path.display().to_string());
            return Err(Error::NotRecorded { model, file });
        }
        let pieces = self.model.stream(request).await?;
        let (replies, name) = (self.replies.clone(), self.name().to_owned());
        let mut joined = ChunkAccumulator::new();
        Ok(Pieces::new(pieces.inspect(move |piece| match piece {
            Ok(Piece::Chunk(chunk)) => {
                joined.push(chunk);
                if chunk.is_last() {
                    let whole = std::mem::replace(&mut joined, ChunkAccumulator::new());
                    replies.add(key.clone(), &name, whole.finish());
                }
            }
            Ok(Piece::Superseded { .. }) => joined = ChunkAccumulator::new(),
            Err(_) => {}
        })))
    }

    async fn reply(&self, request: &Request) -> Result<Reply, Error> {
        self.stream(request).await?.collect().await
    }
}

fn in_one_go(message: &Message) -> MessageChunk {
    let id = message.id.clone().unwrap_or_else(|| "kept".to_owned());
    let mut chunk = MessageChunk::text(id, message.text().into_owned()).last();
    if let Kind::Ai(ai) = &message.kind {
        for (number, call) in (0..).zip(&ai.tool_calls) {
            let mut begun =
                ToolCallChunk::begin(number, call.id.clone().unwrap_or_default(), call.name.clone());
            begun.args = Some(Value::Object(call.args.clone()).to_string());
            chunk = chunk.with_tool_call(begun);
        }
    }
    chunk.usage_metadata = message.usage().cloned();
    chunk.response_metadata = message.response_metadata.clone();
    chunk
}
