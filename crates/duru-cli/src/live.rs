//! The one line of a terminal that says what is being done right now.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::terminal;
use crate::text::shorten;

/// A line that the next one replaces, where somebody looks at a terminal that can.
#[derive(Debug, Default)]
pub(crate) struct LiveLine {
    shows: bool,
    drawn: AtomicBool,
    /// An answer that is being written, as far as it has come.
    said: Mutex<String>,
}

/// Back to the line's beginning, and nothing on it.
const CLEAR: &str = "\r\x1b[2K";

impl LiveLine {
    /// On standard error, unless it is told otherwise or is no terminal.
    pub(crate) fn new(wanted: bool) -> Self {
        let shows = wanted
            && std::io::stderr().is_terminal()
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self { shows, drawn: AtomicBool::new(false), said: Mutex::default() }
    }

    /// Shows a line in place of the one before; whether it could.
    pub(crate) fn show(&self, line: &str, paint: impl FnOnce(&str) -> String) -> bool {
        if self.shows {
            // One that wraps could not be taken back.
            let line = shorten(line.trim_end(), terminal::columns().saturating_sub(1));
            self.drawn.store(true, Ordering::Relaxed);
            say(&format!("{CLEAR}{}", paint(&line)));
        }
        self.shows
    }

    /// Shows the end of an answer that is being written, with one more piece of it.
    pub(crate) fn speak(&self, piece: &str, paint: impl FnOnce(&str) -> String) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let begins = said.trim().is_empty();
        said.push_str(piece);
        // A first piece that is longer than the line shows how it begins: nobody reads from the end.
        if begins && let Some(line) = said.lines().find(|line| !line.trim().is_empty()) {
            self.show(line, paint);
            return;
        }
        let line = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        // Hangul is two columns wide.
        let room = terminal::columns() / 2;
        let over = line.chars().count().saturating_sub(room.saturating_sub(4));
        let cut: String = line.chars().skip(over).collect();
        let line = if over > 0 { format!("… {cut}") } else { cut };
        drop(said);
        self.show(&line, paint);
    }

    /// Takes it away: something else is to be said.
    pub(crate) fn clear(&self) {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clear();
        if self.drawn.swap(false, Ordering::Relaxed) {
            say(CLEAR);
        }
    }
}

/// If it can't be shown, there is nobody to tell.
fn say(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

impl Drop for LiveLine {
    fn drop(&mut self) {
        self.clear();
    }
}
