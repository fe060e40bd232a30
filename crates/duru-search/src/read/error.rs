//! Why a file was not read.

use std::path::PathBuf;
use std::time::Duration;

/// A file that is skipped, and why. The others are not affected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("{path} can't be opened: {source}")]
    Open {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("the file has {size} bytes, more than the {limit} that are read")]
    TooLarge { size: u64, limit: u64 },
    #[error("the file grows to more than {limit} bytes when it is unpacked")]
    Expands { limit: u64 },
    #[error("reading the file takes more than the {limit} bytes of memory that a reader has")]
    TooMuchMemory { limit: u64 },
    #[error("the file has {pages} pages, more than the {limit} that are read")]
    TooManyPages { pages: usize, limit: usize },
    #[error("reading the file took more than {0:?}")]
    TooSlow(Duration),
    #[error("the file is encrypted; save it without a password first")]
    Encrypted,
    #[error("HWP files can't be read; open it in Hangul and save it as HWPX or PDF")]
    Hwp,
    #[error("files of this kind can't be read: {0}")]
    UnknownKind(String),
    #[error("the file is not text in UTF-8, UTF-16 or EUC-KR; save it as UTF-8")]
    NotText,
    #[error("there is no text in the file; a scan has to be recognised first")]
    Empty,
    #[error("line {line} of the file is no JSON object: {reason}")]
    Json { line: usize, reason: String },
    #[error("line {line} of the file has no text (text, content or page_content)")]
    NoText { line: usize },
    #[error("the file is damaged or not what its name says: {0}")]
    Damaged(String),
}

impl Error {
    /// The code by which programs tell them apart. Never changed.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Open { .. } => "unreadable",
            Self::TooLarge { .. } => "too-large",
            Self::Expands { .. } => "expands",
            Self::TooMuchMemory { .. } => "too-much-memory",
            Self::TooManyPages { .. } => "too-many-pages",
            Self::TooSlow(_) => "too-slow",
            Self::Encrypted => "encrypted",
            Self::Hwp => "hwp",
            Self::UnknownKind(_) => "unknown-kind",
            Self::NotText => "not-text",
            Self::Empty => "no-text",
            Self::Json { .. } | Self::NoText { .. } => "bad-record",
            Self::Damaged(_) => "damaged",
        }
    }
}
