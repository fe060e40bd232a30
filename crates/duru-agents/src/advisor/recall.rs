//! What is remembered of a user beyond the conversation.

use async_trait::async_trait;

use super::draft::Document;
use super::state::{Advice, Memories};

/// Why nothing is remembered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecallError {
    #[error("the memory can't be read or written: {0}")]
    Unavailable(String),
}

/// The memory of users, and what they ask of a run while it goes on. A failure costs only what would have been
/// remembered.
#[async_trait]
pub trait Recall: Send + Sync {
    /// What is remembered of a user that may help with a question, within a budget.
    async fn recall(&self, user: &str, query: &str, now: jiff::Timestamp) -> Result<Memories, RecallError>;

    /// Remembers a finished exchange.
    async fn remember(&self, user: &str, thread: &str, done: &Advice) -> Result<(), RecallError>;

    /// Keeps a document that was made for a user.
    async fn keep(&self, user: &str, document: &Document) -> Result<(), RecallError>;

    /// What a search that was made only to compare says of the reuse at a turn
    /// of a thread, counted from 1.
    async fn compared(&self, user: &str, thread: &str, turn: usize, same: bool) -> Result<(), RecallError>;

    /// The steps of a thread that the person wants skipped, by id.
    async fn skipped(&self, thread: &str) -> Result<Vec<String>, RecallError>;
}
