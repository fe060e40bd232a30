//! The seam to embeddings.

use async_trait::async_trait;

use crate::Error;

/// Something that turns texts into vectors, so that texts of like meaning lie close together.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// What people and indexes call it. Vectors of differently named embedders cannot be compared.
    fn name(&self) -> &str;

    /// One vector for each text, in their order and all of one length.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error>;
}
