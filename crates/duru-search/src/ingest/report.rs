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
    /// Files that were read but for pages without text.
    pub blank: Vec<BlankPages>,
    /// There are too many passages for the embedder that is part of the program: these are found by their words alone.
    pub by_words: bool,
}

/// A file that was not read.
#[derive(Debug)]
pub struct Skipped {
    pub path: PathBuf,
    pub error: read::Error,
}

/// Pages of a file that have no text: scans, as a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlankPages {
    pub path: PathBuf,
    pub pages: Vec<u32>,
}

impl BlankPages {
    /// 3, 7–9
    pub fn listed(&self) -> String {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for page in &self.pages {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == *page => *last = *page,
                _ => runs.push((*page, *page)),
            }
        }
        let run = |(first, last): &(u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}–{last}"),
        };
        runs.iter().map(run).collect::<Vec<_>>().join(", ")
    }
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    pub of: usize,
    pub passages: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_follow_each_other_are_told_together() {
        let listed = |pages: &[u32]| BlankPages { path: PathBuf::new(), pages: pages.to_vec() }.listed();
        assert_eq!(listed(&[3]), "3");
        assert_eq!(listed(&[3, 7, 8, 9, 11]), "3, 7–9, 11");
    }
}
