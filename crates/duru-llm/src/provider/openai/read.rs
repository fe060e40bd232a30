//! A reply in OpenAI's form.

use duru_messages::{MessageChunk, ToolCallChunk, UsageMetadata};
use serde_json::{Map, Value, json};

use super::leaning::leaning;
use super::wire::{Call, Completion, Delta, Usage};
use crate::Reply;
use crate::provider::reading::{Reader, Trouble, fresh_id, parse, without_nul};

/// A reply as far as it was read.
pub(super) struct Reading {
    id: Option<String>,
    model: Option<String>,
    usage: Option<Usage>,
    finish: Option<String>,
    leaning: Option<f64>,
}

impl Reading {
    pub(super) fn new() -> Self {
        Reading { id: None, model: None, usage: None, finish: None, leaning: None }
    }

    fn piece(&mut self, json: &str) -> Result<Vec<MessageChunk>, Trouble> {
        let piece: Completion = parse(json)?;
        if let Some(error) = piece.error.filter(|error| !error.is_null()) {
            return Err(reported(&error));
        }
        // Some servers repeat the id, some change it: clients join by the first.
        let id = self.id.get_or_insert_with(|| piece.id.filter(|id| !id.is_empty()).unwrap_or_else(fresh_id));
        self.model = piece.model.or(self.model.take());
        self.usage = piece.usage.or(self.usage.take());
        // Only one choice is ever asked for.
        let Some(choice) = piece.choices.into_iter().next() else { return Ok(Vec::new()) };
        let places = choice.logprobs.and_then(|likelihoods| likelihoods.content).unwrap_or_default();
        self.leaning = self.leaning.or_else(|| leaning(&places));
        let mut refused = false;
        let mut chunks = Vec::new();
        if let Some(Delta { content, refusal, reasoning_content, reasoning, tool_calls }) = choice.delta {
            refused = refusal.as_ref().is_some_and(|text| !text.is_empty());
            let text = without_nul(content.unwrap_or_default() + &refusal.unwrap_or_default());
            let calls: Vec<_> = tool_calls.unwrap_or_default().into_iter().map(call).collect();
            if !text.is_empty() || !calls.is_empty() {
                let mut chunk = MessageChunk::text(id.as_str(), text);
                chunk.tool_call_chunks = calls;
                chunks.push(chunk);
            } else if reasoning_content.or(reasoning).is_some_and(|thought| !thought.is_null()) {
                // No words, but a sign of life.
                chunks.push(MessageChunk::new(id.as_str()));
            }
        }
        let finish = choice.finish_reason.filter(|reason| !reason.is_empty());
        if refused {
            self.finish = Some("refusal".into());
        } else if self.finish.as_deref() != Some("refusal") {
            self.finish = finish.or(self.finish.take());
        }
        Ok(chunks)
    }

    /// A reply has ended when it says why; `[DONE]` alone may hide that it was cut.
    fn last(&mut self) -> Result<Vec<MessageChunk>, Trouble> {
        let Some(finish) = self.finish.take() else { return Err(Trouble::NoEnd) };
        let mut metadata = Map::new();
        if let Some(model) = &self.model {
            metadata.insert("model_name".into(), model.as_str().into());
        }
        metadata.insert("finish_reason".into(), finish.into());
        if let Some(leaning) = self.leaning {
            metadata.insert(Reply::LEANING.into(), leaning.into());
        }
        let mut chunk = MessageChunk::new(self.id.get_or_insert_with(fresh_id).as_str()).last();
        chunk.usage_metadata = self.usage.take().map(Usage::sum);
        chunk.response_metadata = metadata;
        Ok(vec![chunk])
    }
}

impl Reader for Reading {
    fn event(&mut self, data: &str) -> Result<Vec<MessageChunk>, Trouble> {
        if data.trim() == "[DONE]" { self.last() } else { self.piece(data) }
    }

    fn end(&mut self) -> Result<Vec<MessageChunk>, Trouble> {
        self.last()
    }

    fn whole(&mut self, body: &str) -> Result<Vec<MessageChunk>, Trouble> {
        let mut chunks = self.piece(body)?;
        chunks.extend(self.last()?);
        Ok(chunks)
    }
}

fn call(call: Call) -> ToolCallChunk {
    let (name, arguments) =
        call.function.map_or((None, None), |function| (function.name, function.arguments));
    let args = arguments.filter(|arguments| !arguments.is_null()).map(|arguments| match arguments {
        Value::String(text) => text,
        other => other.to_string(),
    });
    ToolCallChunk { name, args, id: call.id, index: call.index }
}

fn reported(error: &Value) -> Trouble {
    let text = |key: &str| error[key].as_str().map(str::to_owned);
    let kind = text("type").or_else(|| text("code")).unwrap_or_default();
    let message = text("message").unwrap_or_else(|| error.to_string());
    Trouble::Reported { kind, message }
}

impl Usage {
    fn sum(self) -> UsageMetadata {
        let mut usage =
            UsageMetadata::new(self.prompt_tokens.unwrap_or(0), self.completion_tokens.unwrap_or(0));
        usage.total_tokens = self.total_tokens.unwrap_or(usage.total_tokens);
        let cached = self.prompt_tokens_details.and_then(|details| details["cached_tokens"].as_u64());
        if let Some(cached) = cached.filter(|cached| *cached > 0) {
            usage.details.insert("input_token_details".into(), json!({"cache_read": cached}));
        }
        let thought = self.completion_tokens_details.and_then(|details| details["reasoning_tokens"].as_u64());
        if let Some(thought) = thought.filter(|thought| *thought > 0) {
            usage.details.insert("output_token_details".into(), json!({"reasoning": thought}));
        }
        usage
    }
}
