//! Messages piece by piece: each begins, has blocks one after the other, and ends.

use duru_messages::{ChunkAccumulator, MessageChunk, ToolCallChunk};
use serde_json::{Value, json};

use super::blocks::{block, kind, of_ai};

/// A message on its way.
#[derive(Default)]
pub(super) struct Open {
    whole: ChunkAccumulator,
    /// The block that is written now.
    current: Option<Block>,
    next: usize,
}

/// A block on its way.
struct Block {
    index: usize,
    /// As it is so far.
    content: Value,
}

/// The first frame of a message.
pub(super) fn start(id: &str) -> Value {
    json!({ "event": "message-start", "role": "ai", "id": id })
}

impl Open {
    /// What a piece adds.
    pub(super) fn piece(&mut self, piece: &MessageChunk) -> Vec<Value> {
        self.whole.push(piece);
        let mut out = Vec::new();
        match &piece.content {
            duru_messages::Content::Text(text) if text.is_empty() => {}
            duru_messages::Content::Text(text) => {
                self.grow(&json!({ "type": "text", "text": text }), &mut out)
            }
            duru_messages::Content::Blocks(blocks) => {
                for part in blocks {
                    self.grow(&block(part), &mut out);
                }
            }
        }
        for call in &piece.tool_call_chunks {
            self.call(call, &mut out);
        }
        out
    }

    /// A part of what is said: more of the block before it, or a new one.
    fn grow(&mut self, part: &Value, out: &mut Vec<Value>) {
        let (field, delta) = match kind(part) {
            "text" => ("text", "text-delta"),
            "reasoning" => ("reasoning", "reasoning-delta"),
            // Calls come in a form of their own besides.
            "tool_use" | "tool_call" | "tool_call_chunk" | "input_json_delta" => return,
            _ => {
                self.begin(part.clone(), out);
                return self.finish_block(out);
            }
        };
        let same = |block: &Block| {
            kind(&block.content) == field
                && (part["index"].is_null() || block.content["index"] == part["index"])
        };
        if !self.current.as_ref().is_some_and(same) {
            let mut empty = json!({ "type": field, field: "" });
            if !part["index"].is_null() {
                empty["index"] = part["index"].clone();
            }
            self.begin(empty, out);
        }
        let more = part[field].as_str().unwrap_or_default();
        self.append(field, more, &json!({ "type": delta, field: more }), out);
    }

    fn call(&mut self, piece: &ToolCallChunk, out: &mut Vec<Value>) {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let same = |block: &Block| {
            kind(&block.content) == "tool_call_chunk"
                && piece.index.is_none_or(|index| block.content["index"] == index)
                && match said(&piece.id) {
                    Some(id) => block.content["id"] == id.as_str(),
                    None => piece.index.is_some() || said(&piece.name).is_none(),
                }
        };
        if !self.current.as_ref().is_some_and(same) {
            let empty = json!({
                "type": "tool_call_chunk", "id": piece.id, "name": piece.name, "args": "", "index": piece.index,
            });
            self.begin(empty, out);
        }
        if let Some(args) = said(&piece.args) {
            self.append("args", &args, &json!({ "type": "tool-call-delta", "args": args }), out);
        }
    }

    fn append(&mut self, field: &str, more: &str, delta: &Value, out: &mut Vec<Value>) {
        if let Some(Block { index, content }) = self.current.as_mut().filter(|_| !more.is_empty()) {
            if let Value::String(text) = &mut content[field] {
                text.push_str(more);
            }
            out.push(json!({ "event": "content-block-delta", "index": index, "delta": delta }));
        }
    }

    /// Blocks don't overlap: the one before ends.
    fn begin(&mut self, content: Value, out: &mut Vec<Value>) {
        self.finish_block(out);
        out.push(json!({ "event": "content-block-start", "index": self.next, "content": content }));
        self.current = Some(Block { index: self.next, content });
        self.next += 1;
    }

    fn finish_block(&mut self, out: &mut Vec<Value>) {
        let Some(Block { index, content }) = self.current.take() else { return };
        let content = if kind(&content) == "tool_call_chunk" { finished_call(&content) } else { content };
        out.push(json!({ "event": "content-block-finish", "index": index, "content": content }));
    }

    /// The end of the message.
    pub(super) fn finish(mut self) -> Vec<Value> {
        let mut out = Vec::new();
        self.finish_block(&mut out);
        let message = serde_json::to_value(self.whole.snapshot()).unwrap_or_default();
        out.push(ending(&message));
        out
    }
}

/// A message that came in one piece.
pub(super) fn whole(id: &str, message: &Value) -> Vec<Value> {
    let mut out = vec![start(id)];
    let mut open = Open::default();
    for block in of_ai(message) {
        open.begin(block, &mut out);
        open.finish_block(&mut out);
    }
    out.push(ending(message));
    out
}

fn ending(message: &Value) -> Value {
    let mut ending = json!({ "event": "message-finish", "metadata": message["response_metadata"] });
    if !message["usage_metadata"].is_null() {
        ending["usage"] = message["usage_metadata"].clone();
    }
    ending
}

/// A call, read now that all of it is there.
fn finished_call(content: &Value) -> Value {
    let args = content["args"].as_str().unwrap_or_default();
    let parsed = if args.trim().is_empty() { Ok(json!({})) } else { serde_json::from_str::<Value>(args) };
    let error = match parsed {
        Ok(args @ Value::Object(_)) if content["name"].is_string() => {
            return json!({ "type": "tool_call", "id": content["id"], "name": content["name"], "args": args });
        }
        Ok(_) => "the arguments are not an object, or the call names no tool".to_owned(),
        Err(error) => error.to_string(),
    };
    json!({
        "type": "invalid_tool_call", "id": content["id"], "name": content["name"], "args": args, "error": error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use duru_messages::UsageMetadata;

    fn shown(pieces: &[MessageChunk]) -> Vec<Value> {
        let mut open = Open::default();
        let mut out: Vec<Value> = pieces.iter().flat_map(|piece| open.piece(piece)).collect();
        out.extend(open.finish());
        out
    }

    #[test]
    fn blocks_follow_each_other() {
        let first =
            ToolCallChunk { args: Some("{\"city\":".into()), ..ToolCallChunk::begin(0, "c1", "weather") };
        let out = shown(&[
            MessageChunk::text("m", "Let me "),
            MessageChunk::text("m", "see"),
            MessageChunk::new("m").with_tool_call(first),
            MessageChunk::new("m").with_tool_call(ToolCallChunk::more(0, "\"SF\"}")),
            MessageChunk::new("m").with_tool_call(ToolCallChunk::begin(1, "c2", "time")),
            MessageChunk::new("m").with_usage(UsageMetadata::new(5, 7)),
        ]);
        let expected = json!([
            { "event": "content-block-start", "index": 0, "content": { "type": "text", "text": "" } },
            { "event": "content-block-delta", "index": 0, "delta": { "type": "text-delta", "text": "Let me " } },
            { "event": "content-block-delta", "index": 0, "delta": { "type": "text-delta", "text": "see" } },
            { "event": "content-block-finish", "index": 0, "content": { "type": "text", "text": "Let me see" } },
            { "event": "content-block-start", "index": 1, "content":
              { "type": "tool_call_chunk", "id": "c1", "name": "weather", "args": "", "index": 0 } },
            { "event": "content-block-delta", "index": 1, "delta": { "type": "tool-call-delta", "args": "{\"city\":" } },
            { "event": "content-block-delta", "index": 1, "delta": { "type": "tool-call-delta", "args": "\"SF\"}" } },
            { "event": "content-block-finish", "index": 1, "content":
              { "type": "tool_call", "id": "c1", "name": "weather", "args": { "city": "SF" } } },
            { "event": "content-block-start", "index": 2, "content":
              { "type": "tool_call_chunk", "id": "c2", "name": "time", "args": "", "index": 1 } },
            { "event": "content-block-finish", "index": 2, "content":
              { "type": "tool_call", "id": "c2", "name": "time", "args": {} } },
            { "event": "message-finish", "metadata": {},
              "usage": { "input_tokens": 5, "output_tokens": 7, "total_tokens": 12 } },
        ]);
        assert_eq!(Value::Array(out), expected);
    }

    #[test]
    fn a_whole_message_has_the_same_frames() {
        let message =
            json!({ "type": "ai", "content": "hi", "response_metadata": {}, "usage_metadata": null });
        let events: Vec<Value> = whole("m", &message).iter().map(|frame| frame["event"].clone()).collect();
        let expected = ["message-start", "content-block-start", "content-block-finish", "message-finish"];
        assert_eq!(events, expected);
    }
}
