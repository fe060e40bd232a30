//! No embeddings.

use async_trait::async_trait;

use crate::{Embedder, Error};

/// What stands in the place of an embedder where none is configured: texts get no vectors, and are found by their
/// words alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct WordsOnly;

impl WordsOnly {
    pub const NAME: &str = "none";
}

#[async_trait]
impl Embedder for WordsOnly {
    fn name(&self) -> &str {
        Self::NAME
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        Ok(vec![Vec::new(); texts.len()])
    }
}
