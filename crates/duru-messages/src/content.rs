//! What a message says: one text, or a list of content blocks.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

/// The content of a message.
///
/// Blocks (images, reasoning, provider-specific parts) are kept as the JSON
/// they came as: a client must get back exactly what it sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// Plain text.
    Text(String),
    /// Content blocks; an element is an object with a `type`, or a bare string.
    Blocks(Vec<Value>),
}

impl Content {
    /// The text of the content; blocks that are not text are left out.
    ///
    /// ```
    /// use duru_messages::Content;
    /// use serde_json::json;
    ///
    /// let content = Content::from(vec![
    ///     json!({"type": "text", "text": "What is "}),
    ///     json!({"type": "image", "url": "https://example.org/cat.png"}),
    ///     json!("this?"),
    /// ]);
    /// assert_eq!(content.text(), "What is this?");
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Content::Text(text) => Cow::Borrowed(text),
            // The usual case, one text block, borrows as well.
            Content::Blocks(blocks) => match blocks.as_slice() {
                [only] => Cow::Borrowed(block_text(only).unwrap_or_default()),
                many => Cow::Owned(many.iter().filter_map(block_text).collect()),
            },
        }
    }

    /// True when there is neither text nor a block.
    pub fn is_empty(&self) -> bool {
        match self {
            Content::Text(text) => text.is_empty(),
            Content::Blocks(blocks) => blocks.is_empty(),
        }
    }
}

fn block_text(block: &Value) -> Option<&str> {
    match block {
        Value::String(text) => Some(text),
        Value::Object(fields) if fields.get("type").is_some_and(|t| t == "text") => {
            fields.get("text").and_then(Value::as_str)
        }
        _ => None,
    }
}

impl Default for Content {
    fn default() -> Self {
        Content::Text(String::new())
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Content::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Content::Text(text)
    }
}

impl From<Vec<Value>> for Content {
    fn from(blocks: Vec<Value>) -> Self {
        Content::Blocks(blocks)
    }
}
