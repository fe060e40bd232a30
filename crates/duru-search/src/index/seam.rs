//! The seam between retrieval and where passages are kept.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;

use super::{Filter, Query, Scored};
use crate::access::Reach;
use crate::document::{Chunk, Document};
use crate::remark::{Remark, RemarksOf, Standing};

/// Why an index did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("another process is writing to the index in {folder}")]
    Busy { folder: PathBuf },
    #[error("the folder {folder} can't be used: {source}")]
    Folder {
        folder: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("the index in {folder} was made by a newer program (format {format})")]
    Newer { folder: PathBuf, format: u32 },
    /// Vectors of two embedders can't be compared.
    #[error("the index was made with the embedder {theirs}, not with {ours}")]
    OtherEmbedder { ours: String, theirs: String },
    #[error("a vector has {found} numbers where {expected} were expected")]
    Length { expected: usize, found: usize },
    #[error("the database of the index can't be reached: {reason}")]
    Unreachable { reason: String },
    #[error("the index failed: {0}")]
    Engine(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("a stored record can't be read: {0}")]
    Damaged(#[from] serde_json::Error),
}

/// A passage with the vector of its text.
#[derive(Debug, Clone)]
pub struct Passage {
    pub chunk: Chunk,
    pub vector: Vec<f32>,
}

/// A change of an index.
#[derive(Debug, Clone)]
pub enum Write {
    /// The document has these passages from now on, and no others.
    Put { document: Document, passages: Vec<Passage> },
    /// The document is gone. Remarks on its passages stay, in case it comes back.
    Remove { collection: String, document: String },
    /// A remark, in the place of the one with its id.
    Say(Remark),
    /// What was made of a remark, if it is still the one that was said then.
    Judge { id: String, at_ms: u64, standing: Standing },
    /// A remark is taken back.
    Withdraw { id: String },
    /// Nothing is kept of what this person said about any passage, nor their name where they judged another's.
    Unsay { by: String },
}

impl Write {
    /// The document is marked, so that it is embedded again.
    pub(super) fn forget_vectors(&mut self) {
        if let Self::Put { document, passages } = self {
            document.fingerprint.insert_str(0, FORGOTTEN);
            passages.iter_mut().for_each(|passage| passage.vector.clear());
        }
    }
}

/// Stands before the fingerprint of a document whose passages lost their vectors.
pub(crate) const FORGOTTEN: &str = "forgotten:";

/// Indexes that older programs made without an embedder hold no vectors, or hashed characters as vectors, which mean
/// nothing, and those of earlier encoders can't be compared with ours. Their passages are found by words until they are
/// embedded again.
pub(super) fn has_no_meaning(theirs: &str, ours: &str) -> bool {
    let words_only = duru_llm::WordsOnly::NAME;
    let older = ["hashed-ngrams-1", words_only].contains(&theirs) || duru_meaning::EARLIER.contains(&theirs);
    theirs != ours && older && [words_only, duru_meaning::MODEL].contains(&ours)
}

/// Keeps passages and finds them by words and by vectors. It shows what is shared, and more only through [`Index::reaching`]:
/// whoever forgets to say who asks finds too little, and nobody's own.
#[async_trait]
pub trait Index: Send + Sync {
    /// The same index, showing what is in this reach.
    fn reaching(&self, reach: Reach) -> Arc<dyn Index>;

    /// Makes all of these changes durable, or none.
    async fn apply(&self, writes: Vec<Write>) -> Result<(), Error>;

    /// The documents of one collection or of all, by collection and source.
    async fn documents(&self, collection: Option<&str>) -> Result<Vec<Document>, Error>;

    /// A document's passages, in their order.
    async fn passages(&self, document: &str) -> Result<Vec<Chunk>, Error>;

    /// The passages with these ids that exist.
    async fn chunks(&self, ids: &[String]) -> Result<Vec<Chunk>, Error>;

    /// Remarks on passages, the latest first. No search finds a passage by them.
    async fn remarks(&self, of: &RemarksOf) -> Result<Vec<Remark>, Error>;

    /// The passages that fit best by their words, the best first.
    async fn by_words(&self, query: &Query, filter: &Filter, limit: usize) -> Result<Vec<Scored>, Error>;

    /// The passages whose vectors are nearest, the nearest first.
    async fn by_vector(&self, vector: &[f32], filter: &Filter, limit: usize) -> Result<Vec<Scored>, Error>;

    /// How many passages there are, and how many of them hold each of these pairs of syllables.
    async fn frequencies(&self, pairs: &[String]) -> Result<(u64, Vec<u64>), Error>;
}
