//! The world outside, as far as the example has one: a file of what was published.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub(super) struct Outbox {
    file: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    draft: String,
}

impl Outbox {
    /// Beside the store.
    pub(super) fn beside(store: &Path) -> Self {
        Self { file: store.with_extension("published.jsonl") }
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Publishes, unless this key was used before: a process may die between
    /// the act and its record, and then it comes again with the same key.
    pub(super) fn publish(&self, key: &str, draft: &str) -> io::Result<String> {
        if !self.has(key)? {
            let line = serde_json::to_string(&Line { key: key.to_owned(), draft: draft.to_owned() })?;
            let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
            file.write_all(format!("{line}\n").as_bytes())?;
            file.sync_all()?;
        }
        Ok(format!("published-{}", key.get(..8).unwrap_or(key)))
    }

    fn has(&self, key: &str) -> io::Result<bool> {
        let file = match std::fs::File::open(&self.file) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        for line in BufReader::new(file).lines() {
            // A line that was cut off by a crash is nobody's.
            if serde_json::from_str::<Line>(&line?).is_ok_and(|line| line.key == key) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
