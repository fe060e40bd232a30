//! A reply of Responses: events that each say what they are, or one object.

use std::collections::HashMap;

use duru_messages::{MessageChunk, ToolCallChunk, UsageMetadata};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::provider::reading::{Reader, Trouble, fresh_id, parse, without_nul};

/// A reply as far as it was read.
#[derive(Default)]
pub(super) struct Reading {
    id: Option<String>,
    model: Option<String>,
    /// The number of the call that an item of the output is.
    calls: HashMap<u64, u64>,
    refused: bool,
}

/// Kinds that are not listed are passed over: the interface adds new ones.
#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
enum Event {
    #[serde(rename = "response.created")]
    Created { response: Response },
    #[serde(rename = "response.output_item.added")]
    Added { output_index: u64, item: Item },
    #[serde(rename = "response.output_text.delta")]
    Text { delta: String },
    #[serde(rename = "response.refusal.delta")]
    Refusal { delta: String },
    #[serde(rename = "response.function_call_arguments.delta")]
    Arguments { output_index: u64, delta: String },
    #[serde(rename = "response.reasoning_summary_text.delta", alias = "response.reasoning_text.delta")]
    Reasoning {},
    #[serde(
        rename = "response.completed",
        alias = "response.incomplete",
        alias = "response.failed",
        alias = "response.cancelled"
    )]
    Over { response: Response },
    #[serde(rename = "error")]
    Error { code: Option<String>, message: Option<String>, error: Option<Reported> },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct Response {
    id: Option<String>,
    model: Option<String>,
    status: Option<String>,
    #[serde(default)]
    output: Vec<Item>,
    usage: Option<Usage>,
    error: Option<Reported>,
    incomplete_details: Option<Incomplete>,
}

#[derive(Debug, Deserialize)]
struct Incomplete {
    reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Reported {
    code: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    message: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    Message {
        #[serde(default)]
        content: Vec<Part>,
    },
    FunctionCall {
        call_id: String,
        name: String,
        arguments: Option<String>,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part {
    OutputText {
        text: String,
    },
    Refusal {
        refusal: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct Usage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    total_tokens: Option<u64>,
    input_tokens_details: Option<Value>,
    output_tokens_details: Option<Value>,
}

impl Reading {
    fn id(&mut self) -> String {
        self.id.get_or_insert_with(fresh_id).clone()
    }

    fn begins(&mut self, response: &Response) {
        self.id = self.id.take().or_else(|| response.id.clone().filter(|id| !id.is_empty()));
        self.model = response.model.clone().or(self.model.take());
    }

    fn text(&mut self, text: String) -> Vec<MessageChunk> {
        let text = without_nul(text);
        if text.is_empty() { Vec::new() } else { vec![MessageChunk::text(self.id().as_str(), text)] }
    }

    fn call(&mut self, index: u64, id: String, name: String, arguments: Option<String>) -> MessageChunk {
        let number = self.calls.len() as u64;
        self.calls.insert(index, number);
        let mut call = ToolCallChunk::begin(number, id, name);
        call.args = arguments;
        MessageChunk::new(self.id().as_str()).with_tool_call(call)
    }

    /// What a reply says in one go.
    fn output(&mut self, output: Vec<Item>) -> Vec<MessageChunk> {
        let mut chunks = Vec::new();
        for (index, item) in (0..).zip(output) {
            match item {
                Item::Message { content } => {
                    for part in content {
                        match part {
                            Part::OutputText { text } => chunks.extend(self.text(text)),
                            Part::Refusal { refusal } => {
                                self.refused = true;
                                chunks.extend(self.text(refusal));
                            }
                            Part::Other => {}
                        }
                    }
                }
                Item::FunctionCall { call_id, name, arguments } => {
                    chunks.push(self.call(index, call_id, name, arguments));
                }
                Item::Other => {}
            }
        }
        chunks
    }

    fn over(&mut self, response: Response) -> Result<Vec<MessageChunk>, Trouble> {
        if let Some(error) = response.error {
            return Err(reported(error.code.or(error.kind), error.message));
        }
        let reason = response.incomplete_details.and_then(|details| details.reason);
        let finish = match (response.status.as_deref(), reason.as_deref()) {
            _ if self.refused => "refusal",
            (_, Some("max_output_tokens")) => "length",
            (_, Some(other)) => other,
            (Some("completed"), None) if self.calls.is_empty() => "stop",
            (Some("completed"), None) => "tool_calls",
            (status, None) => {
                return Err(reported(
                    status.map(str::to_owned),
                    Some("the response did not complete".into()),
                ));
            }
        };
        let mut metadata = Map::from_iter([("finish_reason".to_owned(), finish.into())]);
        if let Some(model) = &self.model {
            metadata.insert("model_name".into(), model.as_str().into());
        }
        let mut chunk = MessageChunk::new(self.id().as_str()).last();
        chunk.usage_metadata = response.usage.map(Usage::sum);
        chunk.response_metadata = metadata;
        Ok(vec![chunk])
    }
}

impl Reader for Reading {
    fn event(&mut self, data: &str) -> Result<Vec<MessageChunk>, Trouble> {
        match parse(data)? {
            Event::Created { response } => {
                self.begins(&response);
                Ok(Vec::new())
            }
            Event::Added { output_index, item: Item::FunctionCall { call_id, name, arguments } } => {
                Ok(vec![self.call(output_index, call_id, name, arguments)])
            }
            Event::Text { delta } => Ok(self.text(delta)),
            Event::Refusal { delta } => {
                self.refused = true;
                Ok(self.text(delta))
            }
            Event::Arguments { output_index, delta } => match self.calls.get(&output_index) {
                Some(number) => {
                    let more = ToolCallChunk::more(*number, delta);
                    Ok(vec![MessageChunk::new(self.id().as_str()).with_tool_call(more)])
                }
                None => Err(Trouble::Format(format!("call {output_index} goes on but never began"))),
            },
            // No words, but a sign of life.
            Event::Reasoning {} => Ok(vec![MessageChunk::new(self.id().as_str())]),
            Event::Over { response } => {
                self.begins(&response);
                self.over(response)
            }
            Event::Error { code, message, error } => {
                let error = error.unwrap_or_default();
                Err(reported(code.or(error.code).or(error.kind), message.or(error.message)))
            }
            Event::Added { .. } | Event::Other => Ok(Vec::new()),
        }
    }

    fn end(&mut self) -> Result<Vec<MessageChunk>, Trouble> {
        Err(Trouble::NoEnd)
    }

    fn whole(&mut self, body: &str) -> Result<Vec<MessageChunk>, Trouble> {
        let mut response: Response = parse(body)?;
        self.begins(&response);
        let mut chunks = self.output(std::mem::take(&mut response.output));
        chunks.extend(self.over(response)?);
        Ok(chunks)
    }
}

fn reported(kind: Option<String>, message: Option<String>) -> Trouble {
    let kind = kind.unwrap_or_default();
    Trouble::Reported { message: message.unwrap_or_else(|| kind.clone()), kind }
}

impl Usage {
    fn sum(self) -> UsageMetadata {
        let mut usage = UsageMetadata::new(self.input_tokens.unwrap_or(0), self.output_tokens.unwrap_or(0));
        usage.total_tokens = self.total_tokens.unwrap_or(usage.total_tokens);
        let of = |details: Option<Value>, name: &str| details.and_then(|details| details[name].as_u64());
        if let Some(cached) = of(self.input_tokens_details, "cached_tokens").filter(|cached| *cached > 0) {
            usage.details.insert("input_token_details".into(), json!({"cache_read": cached}));
        }
        if let Some(thought) =
            of(self.output_tokens_details, "reasoning_tokens").filter(|thought| *thought > 0)
        {
            usage.details.insert("output_token_details".into(), json!({"reasoning": thought}));
        }
        usage
    }
}
