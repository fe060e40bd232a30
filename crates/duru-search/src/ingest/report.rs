//! What became of the files.

use std::path::PathBuf;

use crate::read;

/// What came of an ingest.
#[derive(Debug, Default)]
pub struct Report {
    pub added: usize,
    pub updated: usize,
    /// Read before, and the same since.
    pub unchanged: usize,
    /// Documents whose files are gone.
    pub removed: usize,
    /// Passages written.
    pub passages: usize,
    pub skipped: Vec<Skipped>,
}

/// A file that was not read.
#[derive(Debug)]
pub struct Skipped {
    pub path: PathBuf,
    pub error: read::Error,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    pub of: usize,
    pub passages: usize,
}
