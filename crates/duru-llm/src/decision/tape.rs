//! Recordings of what models answered.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128;

/// Answers by decision and rendered prompt, in a file of one JSON line each.
#[derive(Debug)]
pub struct Tape {
    path: PathBuf,
    answers: Mutex<HashMap<String, Line>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Line {
    key: String,
    decision: String,
    pub(super) model: String,
    pub(super) answer: Value,
}

/// Why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// The file cannot be read or written.
    #[error("cannot use the recording {path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A line is not one of a recording.
    #[error("{path}:{line} is not a line of a recording: {source}; delete the line or record again")]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

impl Tape {
    /// The recording in a file, which may not exist yet.
    pub fn open(path: impl AsRef<Path>) -> Result<Tape, TapeError> {
        let path = path.as_ref().to_owned();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(TapeError::File { path, source }),
        };
        let mut answers = HashMap::new();
        for (at, text) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let line: Line = serde_json::from_str(text).map_err(|source| TapeError::Line {
                path: path.clone(),
                line: at + 1,
                source,
            })?;
            answers.insert(line.key.clone(), line);
        }
        Ok(Tape { path, answers: Mutex::new(answers) })
    }

    pub(super) fn key(decision: &str, system: &str, question: &str) -> String {
        // Lengths keep two halves from looking like two others.
        let all = format!("{decision}\n{}\n{system}\n{question}", system.len());
        format!("{decision}:{:032x}", xxh3_128(all.as_bytes()))
    }

    pub(super) fn find(&self, key: &str) -> Option<Line> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Adds an answer. One line is one write, so that a crash leaves whole lines.
    pub(super) fn record(
        &self,
        key: String,
        decision: &str,
        model: &str,
        answer: Value,
    ) -> Result<(), TapeError> {
        let line = Line { key: key.clone(), decision: decision.to_owned(), model: model.to_owned(), answer };
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let text = serde_json::to_string(&line).map_err(|source| TapeError::Line {
            path: self.path.clone(),
            line: answers.len() + 1,
            source,
        })?;
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(format!("{text}\n").as_bytes()));
        written.map_err(|source| TapeError::File { path: self.path.clone(), source })?;
        answers.insert(key, line);
        Ok(())
    }
}
