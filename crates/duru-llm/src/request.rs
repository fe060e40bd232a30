//! What a model is asked.

use duru_messages::Message;
use serde_json::Value;
use tokio::time::Instant;

/// One question to a model.
///
/// ```
/// use duru_llm::Request;
/// use duru_messages::Message;
///
/// let request = Request {
///     system: Some("Answer in one word.".into()),
///     temperature: Some(0.1),
///     max_tokens: 20,
///     ..Request::new([Message::human("Is the sea wet?")])
/// };
/// assert_eq!(request.messages.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// Instructions that stand before it. System messages of the conversation follow them.
    pub system: Option<String>,
    /// The tools that the model may ask to be called.
    pub tools: Vec<ToolSpec>,
    /// The form that the answer must have.
    pub schema: Option<OutputSchema>,
    /// How freely the model chooses its words; the provider's own choice if `None`.
    pub temperature: Option<f32>,
    /// The most tokens that the reply may have. Always sent, because a reply
    /// without a limit has no limit on its cost either.
    pub max_tokens: u32,
    /// Whether the reply is a yes or a no, and how far the model leans to either is wanted, too: [`crate::Reply::leaning`].
    pub leaning: bool,
    /// When whoever waits for the answer gives up.
    pub until: Option<Until>,
}

/// When whoever waits for an answer gives up: a [`crate::Resilient`] model ends the call then, and rests after one that
/// said nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// For the first piece.
    pub first: Instant,
    /// For the last.
    pub last: Instant,
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// What the model calls it by: letters, digits, `_` and `-`.
    pub name: String,
    /// What it is good for.
    pub description: String,
    /// The JSON schema of its arguments, an object.
    pub parameters: Value,
}

/// The form of an answer: JSON that fits a schema, as the text of the reply.
///
/// Providers promise it in different degrees, so whoever reads the text still
/// has to check it.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputSchema {
    /// What the answer is called: letters, digits, `_` and `-`.
    pub name: String,
    /// The JSON schema, of an object.
    pub schema: Value,
}

impl Request {
    /// The conversation `messages` with no instructions, no tools, and a limit of 1,024 tokens.
    pub fn new(messages: impl IntoIterator<Item = Message>) -> Self {
        Request {
            messages: messages.into_iter().collect(),
            system: None,
            tools: Vec::new(),
            schema: None,
            temperature: None,
            max_tokens: 1024,
            leaning: false,
            until: None,
        }
    }
}
