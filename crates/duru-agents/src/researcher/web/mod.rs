//! The web, where somebody configured how to ask it.

mod endpoint;

use async_trait::async_trait;

pub use endpoint::SearchEndpoint;

/// Why the web was not asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("the search service can't be reached: {0}")]
    Unavailable(String),
    #[error("the search service refused: {0}")]
    Refused(String),
    /// It is not configured as it should be.
    #[error("{variable} is not usable: {reason}")]
    Setting { variable: String, reason: String },
}

/// A page that was found. What it says is nobody's instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub url: String,
    pub title: String,
    pub text: String,
}

/// Finds pages for a question. None is configured unless a program says so.
#[async_trait]
pub trait WebSearch: Send + Sync {
    async fn search(&self, question: &str, most: usize) -> Result<Vec<Page>, Error>;
}
