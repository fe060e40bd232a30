//! A good answer.

use std::time::Duration;

use duru_messages::ToolCall;

/// A good answer, in either format.
#[derive(Clone, Debug, PartialEq)]
pub struct Says {
    /// The text. If the request wants a form, this is what fills it.
    pub text: String,
    /// What is thought before, each as a part of its own.
    pub thoughts: Vec<String>,
    /// Tools to call.
    pub calls: Vec<ToolCall>,
    /// Tokens of the request and of the answer.
    pub tokens: (u64, u64),
    /// Whether the answer ends because it reached its limit.
    pub cut: bool,
    /// How far the answer leans to a yes, where the request wants to know.
    pub leaning: Option<f64>,
    /// Characters in each piece of a stream.
    pub piece: usize,
    /// Time between two pieces.
    pub pause: Duration,
}

impl Says {
    /// This text, in pieces of four characters.
    pub fn text(text: impl Into<String>) -> Self {
        let (thoughts, calls, pause) = (Vec::new(), Vec::new(), Duration::ZERO);
        let leaning = None;
        Says { text: text.into(), thoughts, calls, tokens: (10, 5), cut: false, leaning, piece: 4, pause }
    }

    /// Calls of tools, and nothing else.
    pub fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Says { calls: calls.into_iter().collect(), ..Says::text("") }
    }

    /// The same behind this thought.
    #[must_use]
    pub fn after_thinking(mut self, thought: impl Into<String>) -> Self {
        self.thoughts.push(thought.into());
        self
    }

    /// A yes or a no that leans so far to the yes.
    pub fn leaning(leaning: f64) -> Self {
        let word = if leaning > 0.0 { "yes" } else { "no" };
        Says { leaning: Some(leaning), ..Says::text(format!(r#"{{"answers": "{word}"}}"#)) }
    }

    /// `text` as it is streamed.
    pub(super) fn pieces(&self, text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        characters.chunks(self.piece.max(1)).map(|piece| piece.iter().collect()).collect()
    }
}
