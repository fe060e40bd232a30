//! Who did what.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use duru::{Clock, SystemClock};
use serde_json::Value;

use crate::error::log_line;
use crate::time::iso;

/// A file to which a line of JSON is added for everything that somebody did.
#[derive(Debug, Clone)]
pub struct Audit {
    file: Arc<Mutex<File>>,
}

impl Audit {
    /// Goes on with a file, or makes one that only its owner can read.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn to(path: &Path) -> std::io::Result<Self> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Self { file: Arc::new(Mutex::new(options.open(path)?)) })
    }

    /// Adds a line. JSON has no raw line ends: nobody can forge one.
    pub fn note(&self, mut what: Value) {
        what["at"] = iso(SystemClock.now_ms()).into();
        let line = format!("{what}\n");
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(line.as_bytes()) {
            log_line(&format_args!("the audit log can't be written: {error}"));
        }
    }
}
