//! The wire formats of providers.

mod anthropic;
mod openai;
mod reading;

pub use anthropic::Anthropic;
pub(crate) use openai::{Dialect, strict};
pub use openai::{OpenAi, OpenAiEmbedder, OpenAiResponses};
