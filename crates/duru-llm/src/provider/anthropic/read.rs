//! A reply in Anthropic's form.

use std::collections::HashMap;

use duru_messages::{MessageChunk, ToolCallChunk, UsageMetadata};
use serde_json::{Map, Value, json};

use super::wire::{Block, Delta, Event, Start, Usage, Whole};
use crate::provider::reading::{Reader, Trouble, fresh_id, parse, without_nul};

/// A reply as far as it was read.
#[derive(Default)]
pub(super) struct Reading {
    id: String,
    model: Option<String>,
    /// The tool whose input is the answer, if the answer has a form.
    answer: Option<String>,
    answered: bool,
    blocks: HashMap<u64, Open>,
    calls: u64,
    usage: Usage,
    citations: Vec<Value>,
    stop: Option<String>,
}

/// What the deltas of a block add to.
#[derive(Clone, Copy)]
enum Open {
    Text,
    /// The answer's JSON, which becomes text.
    Answer,
    Call(u64),
    Ignored,
}

impl Reading {
    pub(super) fn new(answer: Option<String>) -> Self {
        Reading { id: fresh_id(), answer, ..Default::default() }
    }

    fn start(&mut self, start: Start) -> Vec<MessageChunk> {
        if let Some(id) = start.id.filter(|id| !id.is_empty()) {
            self.id = id;
        }
        self.model = start.model;
        self.usage = start.usage;
        Vec::new()
    }

    fn open(&mut self, index: u64, block: Block) -> Vec<MessageChunk> {
        let (open, chunks) = match block {
            Block::Text { text, citations } => {
                self.citations.extend(citations.unwrap_or_default());
                (Open::Text, self.text(text))
            }
            Block::ToolUse { name, input, .. } if self.answer.as_ref() == Some(&name) => {
                self.answered = true;
                (Open::Answer, self.text(arguments(input)))
            }
            Block::ToolUse { id, name, input } => {
                let number = self.calls;
                self.calls += 1;
                let mut call = ToolCallChunk::begin(number, id, name);
                call.args = Some(arguments(input));
                (Open::Call(number), vec![MessageChunk::new(&self.id).with_tool_call(call)])
            }
            Block::Other => (Open::Ignored, Vec::new()),
        };
        self.blocks.insert(index, open);
        chunks
    }

    fn delta(&mut self, index: u64, delta: Delta) -> Result<Vec<MessageChunk>, Trouble> {
        let Some(open) = self.blocks.get(&index).copied() else {
            return Err(Trouble::Format(format!("block {index} goes on but never began")));
        };
        match (open, delta) {
            (Open::Text, Delta::Text { text }) => Ok(self.text(text)),
            (Open::Answer, Delta::Input { partial_json }) => Ok(self.text(partial_json)),
            (Open::Call(number), Delta::Input { partial_json }) => {
                let more = ToolCallChunk::more(number, partial_json);
                Ok(vec![MessageChunk::new(&self.id).with_tool_call(more)])
            }
            // No words, but a sign of life.
            (Open::Ignored, Delta::Thinking {}) => Ok(vec![MessageChunk::new(&self.id)]),
            (_, Delta::Citation { citation }) => {
                self.citations.push(citation);
                Ok(Vec::new())
            }
            (Open::Ignored, _) | (_, Delta::Other | Delta::Thinking {}) => Ok(Vec::new()),
            (_, Delta::Text { .. } | Delta::Input { .. }) => {
                Err(Trouble::Format(format!("block {index} goes on as something else")))
            }
        }
    }

    fn text(&self, text: String) -> Vec<MessageChunk> {
        let text = without_nul(text);
        if text.is_empty() { Vec::new() } else { vec![MessageChunk::text(&self.id, text)] }
    }

    fn stopped(&mut self, reason: Option<String>, usage: Usage) {
        self.stop = reason.or(self.stop.take());
        // These counts are of the whole reply and not of a piece.
        self.usage.output_tokens = usage.output_tokens.or(self.usage.output_tokens);
        self.usage.input_tokens = usage.input_tokens.or(self.usage.input_tokens);
    }

    fn last(&mut self) -> MessageChunk {
        let mut metadata = Map::new();
        if let Some(model) = &self.model {
            metadata.insert("model_name".into(), model.as_str().into());
        }
        // A call that is the answer waits for no tool.
        let stop = self.stop.as_deref().unwrap_or("unknown");
        let done = self.answered && self.calls == 0 && stop == "tool_use";
        metadata.insert("stop_reason".into(), if done { "end_turn" } else { stop }.into());
        if !self.citations.is_empty() {
            metadata.insert("citations".into(), std::mem::take(&mut self.citations).into());
        }
        let mut chunk = MessageChunk::new(&self.id).with_usage(self.usage.sum()).last();
        chunk.response_metadata = metadata;
        chunk
    }
}

impl Reader for Reading {
    fn event(&mut self, data: &str) -> Result<Vec<MessageChunk>, Trouble> {
        match parse(data)? {
            Event::MessageStart { message } => Ok(self.start(message)),
            Event::ContentBlockStart { index, content_block } => Ok(self.open(index, content_block)),
            Event::ContentBlockDelta { index, delta } => self.delta(index, delta),
            Event::MessageDelta { delta, usage } => {
                self.stopped(delta.stop_reason, usage);
                Ok(Vec::new())
            }
            Event::MessageStop => Ok(vec![self.last()]),
            Event::Error { error } => Err(Trouble::Reported { kind: error.kind, message: error.message }),
            Event::Other => Ok(Vec::new()),
        }
    }

    fn end(&mut self) -> Result<Vec<MessageChunk>, Trouble> {
        Err(Trouble::NoEnd)
    }

    fn whole(&mut self, body: &str) -> Result<Vec<MessageChunk>, Trouble> {
        match parse(body)? {
            Whole::Message { content, stop_reason, start } => {
                let mut chunks = self.start(start);
                for (index, block) in (0..).zip(content) {
                    chunks.extend(self.open(index, block));
                }
                self.stop = stop_reason;
                chunks.push(self.last());
                Ok(chunks)
            }
            Whole::Error { error } => Err(Trouble::Reported { kind: error.kind, message: error.message }),
        }
    }
}

/// A streamed call begins with empty input and writes it afterwards.
fn arguments(input: Map<String, Value>) -> String {
    if input.is_empty() { String::new() } else { Value::Object(input).to_string() }
}

impl Usage {
    /// What was read from or written to a cache was also part of the prompt.
    fn sum(&self) -> UsageMetadata {
        let (read, written) =
            (self.cache_read_input_tokens.unwrap_or(0), self.cache_creation_input_tokens.unwrap_or(0));
        let input = self.input_tokens.unwrap_or(0).saturating_add(read).saturating_add(written);
        let mut usage = UsageMetadata::new(input, self.output_tokens.unwrap_or(0));
        if read + written > 0 {
            let details = json!({"cache_read": read, "cache_creation": written});
            usage.details.insert("input_token_details".into(), details);
        }
        usage
    }
}
