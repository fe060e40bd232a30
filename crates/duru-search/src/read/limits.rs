//! How much of a file is read at most.

use std::time::Duration;

/// Beyond these a file is reported and skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of the file, in bytes.
    pub size: u64,
    /// Of its text when it is unpacked, in bytes.
    pub text: u64,
    pub pages: usize,
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { size: 64 << 20, text: 64 << 20, pages: 3000, time: Duration::from_secs(60) }
    }
}
