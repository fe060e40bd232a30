//! Passages that lost their vectors when the program got another encoder.

use super::Progress;
use super::library::{Error, Library};
use crate::index::{FORGOTTEN, Write};

impl Library {
    /// Embeds the passages of documents that lost their vectors, one document after the other: what is cut off goes on with
    /// the next one. How many passages it were.
    pub async fn embed_again(&self, mut progress: impl FnMut(Progress) + Send) -> Result<usize, Error> {
        let all = self.index.documents(None).await?;
        let forgotten: Vec<_> =
            all.into_iter().filter(|document| document.fingerprint.starts_with(FORGOTTEN)).collect();
        let (of, mut passages) = (forgotten.len(), 0);
        for (at, mut document) in forgotten.into_iter().enumerate() {
            let chunks = self.index.passages(&document.id).await?;
            passages += chunks.len();
            let embeds = self.embeds(0, &document.access).await?;
            let embedded = self.with_vectors(chunks, embeds).await?;
            document.fingerprint = document.fingerprint.trim_start_matches(FORGOTTEN).to_owned();
            self.index.apply(vec![Write::Put { document, passages: embedded }]).await?;
            progress(Progress { done: at + 1, of, passages });
        }
        Ok(passages)
    }
}
