//! What was asked before, kept beside the person's data.

use std::io::Write;
use std::path::PathBuf;

use crate::store;

/// So many lines are kept.
const MOST: usize = 1000;

/// Earlier lines, and which of them is being looked at.
#[derive(Debug, Default)]
pub(crate) struct History {
    lines: Vec<String>,
    file: Option<PathBuf>,
    at: usize,
    /// What was being written when the person began to look back.
    unsent: String,
}

impl History {
    /// That of this person. One that can't be read is empty, and one that can't be written to is forgotten.
    pub(crate) fn of_person() -> Self {
        let file = store::usual().map(|store| store.with_file_name("history"));
        let text = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        let mut lines: Vec<String> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        lines.drain(..lines.len().saturating_sub(MOST));
        Self { at: lines.len(), lines, file, unsent: String::new() }
    }

    pub(super) fn add(&mut self, line: &str) {
        if !line.trim().is_empty() && self.lines.last().is_none_or(|last| last != line) {
            self.lines.push(line.to_owned());
            self.keep();
        }
        self.at = self.lines.len();
    }

    /// The line before, or after; `unsent` is what is being written.
    pub(super) fn look(&mut self, back: bool, unsent: &str) -> Option<String> {
        if self.at == self.lines.len() {
            self.unsent = unsent.to_owned();
        }
        let at = if back { self.at.checked_sub(1)? } else { self.at + 1 };
        if at > self.lines.len() {
            return None;
        }
        self.at = at;
        Some(self.lines.get(at).unwrap_or(&self.unsent).clone())
    }

    fn keep(&self) {
        let Some(file) = &self.file else { return };
        let recent = &self.lines[self.lines.len().saturating_sub(MOST)..];
        let text: String =
            recent.iter().map(|line| format!("{}\n", serde_json::Value::from(line.as_str()))).collect();
        // Questions are nobody else's business; losing them costs nothing.
        let written = (|| {
            let folder = file.parent().unwrap_or(file);
            let mut new = tempfile::NamedTempFile::new_in(folder)?;
            new.write_all(text.as_bytes())?;
            new.persist(file).map_err(|error| error.error)
        })();
        drop(written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_back_and_forth_keeps_what_was_being_written() {
        let mut history = History::default();
        for line in ["하나", "둘", "둘", " "] {
            history.add(line);
        }
        assert_eq!(history.look(true, "셋").as_deref(), Some("둘"), "a repeated line is there once");
        assert_eq!(history.look(true, "둘").as_deref(), Some("하나"));
        assert_eq!(history.look(true, "하나"), None);
        assert_eq!(history.look(false, "하나").as_deref(), Some("둘"));
        assert_eq!(history.look(false, "둘").as_deref(), Some("셋"));
        assert_eq!(history.look(false, "셋"), None);
    }

    #[test]
    fn it_is_there_the_next_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("history");
        let mut history = History { file: Some(file.clone()), ..History::default() };
        history.add("하나\n둘");
        assert_eq!(std::fs::read_to_string(file).unwrap(), "\"하나\\n둘\"\n");
    }
}
