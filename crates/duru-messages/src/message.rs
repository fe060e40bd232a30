//! One chat message.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{AiFields, Content, Kind, REMOVE_ALL, ToolCall, ToolFields, ToolStatus, UsageMetadata};

/// A chat message.
///
/// A message is a shared handle: a clone costs one reference count, which is
/// what lets a long conversation be copied with every state. Its [`Fields`]
/// are read through `Deref`; writing a field copies them first if another
/// handle is alive.
///
/// ```
/// use duru_messages::{Kind, Message};
/// use serde_json::json;
///
/// let message: Message = serde_json::from_value(json!({"role": "user", "content": "hi"}))?;
/// assert_eq!(message, Message::human("hi"));
/// assert!(matches!(message.kind, Kind::Human));
/// assert_eq!(
///     serde_json::to_string(&message.with_id("1"))?,
///     r#"{"content":"hi","additional_kwargs":{},"response_metadata":{},"type":"human","name":null,"id":"1"}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Message(Arc<Fields>);

/// What a [`Message`] holds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fields {
    /// Who speaks, and what only that kind of message carries.
    pub kind: Kind,
    /// What is said.
    pub content: Content,
    /// Identity in a list; see [`crate::Messages::merge`].
    pub id: Option<String>,
    /// The speaker, or the tool that answered.
    pub name: Option<String>,
    /// Provider-specific parts of the request.
    pub additional_kwargs: Map<String, Value>,
    /// Provider-specific parts of the reply, such as `finish_reason`.
    pub response_metadata: Map<String, Value>,
    /// Fields that we do not know; written back as they came.
    pub extra: Map<String, Value>,
}

impl Message {
    /// A message of any kind; the shorter constructors cover the usual ones.
    ///
    /// ```
    /// use duru_messages::{AiFields, Kind, Message, ToolCall};
    ///
    /// let calls = vec![ToolCall::new("call_1", "get_weather").with_arg("city", "SF")];
    /// let message = Message::new(Kind::Ai(AiFields { tool_calls: calls, ..Default::default() }), "");
    /// assert_eq!(message.tool_calls()[0].name, "get_weather");
    /// ```
    pub fn new(kind: Kind, content: impl Into<Content>) -> Self {
        Message(Arc::new(Fields {
            kind,
            content: content.into(),
            id: None,
            name: None,
            additional_kwargs: Map::new(),
            response_metadata: Map::new(),
            extra: Map::new(),
        }))
    }

    /// What the user says.
    pub fn human(content: impl Into<Content>) -> Self {
        Message::new(Kind::Human, content)
    }

    /// What the model says.
    pub fn ai(content: impl Into<Content>) -> Self {
        Message::new(Kind::Ai(AiFields::default()), content)
    }

    /// Instructions to the model.
    pub fn system(content: impl Into<Content>) -> Self {
        Message::new(Kind::System, content)
    }

    /// The answer to the tool call `call_id`.
    pub fn tool(call_id: impl Into<String>, content: impl Into<Content>) -> Self {
        let fields = ToolFields { tool_call_id: call_id.into(), ..Default::default() };
        Message::new(Kind::Tool(fields), content)
    }

    /// Why the tool call `call_id` failed.
    pub fn tool_error(call_id: impl Into<String>, content: impl Into<Content>) -> Self {
        let status = ToolStatus::Error;
        let fields = ToolFields { tool_call_id: call_id.into(), status, ..Default::default() };
        Message::new(Kind::Tool(fields), content)
    }

    /// Deletes the message with this id when merged.
    pub fn remove(id: impl Into<String>) -> Self {
        Message::new(Kind::Remove, "").with_id(id)
    }

    /// Deletes every message before it when merged.
    pub fn remove_all() -> Self {
        Message::remove(REMOVE_ALL)
    }

    /// The same message with this id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The same message with this name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The text of the content; see [`Content::text`].
    pub fn text(&self) -> Cow<'_, str> {
        self.content.text()
    }

    /// The tools that the model wants called; empty for any other kind.
    pub fn tool_calls(&self) -> &[ToolCall] {
        match &self.kind {
            Kind::Ai(ai) => &ai.tool_calls,
            _ => &[],
        }
    }

    /// The tokens that the message cost, if it is the model's and says so.
    pub fn usage(&self) -> Option<&UsageMetadata> {
        match &self.kind {
            Kind::Ai(ai) => ai.usage_metadata.as_ref(),
            _ => None,
        }
    }

    /// Whether the user said this.
    pub fn is_human(&self) -> bool {
        matches!(self.kind, Kind::Human)
    }

    /// Whether the model said this.
    pub fn is_ai(&self) -> bool {
        matches!(self.kind, Kind::Ai(_))
    }

    /// Whether this deletes messages instead of being one.
    pub fn is_remove(&self) -> bool {
        matches!(self.kind, Kind::Remove)
    }
}

impl Deref for Message {
    type Target = Fields;

    fn deref(&self) -> &Fields {
        &self.0
    }
}

impl DerefMut for Message {
    fn deref_mut(&mut self) -> &mut Fields {
        Arc::make_mut(&mut self.0)
    }
}

/// A bare string is what the user says.
impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Message::human(text)
    }
}
