//! The seam to models.

use async_trait::async_trait;

use crate::{Error, Pieces, Reply, Request};

/// Something that answers requests: a provider's model, a scripted one, or
/// another model with retries around it.
#[async_trait]
pub trait Model: Send + Sync {
    /// What people and logs call it, such as `anthropic:claude-sonnet-4-5-20250929`.
    fn name(&self) -> &str;

    /// The reply, piece by piece as it is written. Dropping the pieces ends the call.
    async fn stream(&self, request: &Request) -> Result<Pieces, Error>;

    /// The whole reply.
    async fn reply(&self, request: &Request) -> Result<Reply, Error>;
}
