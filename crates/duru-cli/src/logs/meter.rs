//! How far it is, on one line of a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use crate::output::Output;

/// Written to standard error, and only if that is a terminal.
pub(super) struct Meter {
    shown: Option<Instant>,
    active: bool,
}

impl Meter {
    pub(super) fn new(output: &Output) -> Self {
        Self { shown: None, active: !output.is_quiet() && std::io::stderr().is_terminal() }
    }

    /// At most ten times a second.
    pub(super) fn show(&mut self, line: impl FnOnce() -> String) {
        let due = self.shown.is_none_or(|shown| shown.elapsed() > Duration::from_millis(100));
        if self.active && due {
            self.shown = Some(Instant::now());
            // A terminal that is gone needs no progress.
            let _ = write!(std::io::stderr(), "\r\x1b[2K{}", line());
        }
    }

    pub(super) fn clear(&mut self) {
        if self.active && self.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}
