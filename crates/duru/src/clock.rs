//! The only way the engine learns what time it is.

use std::time::{SystemTime, UNIX_EPOCH};

/// A source of wall-clock time in milliseconds since 1970.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now_ms(&self) -> u64;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

/// A clock that follows tokio's, so that paused time moves deadlines too.
#[derive(Debug, Clone, Copy)]
pub struct TokioClock {
    start: tokio::time::Instant,
    start_ms: u64,
}

impl TokioClock {
    /// A clock that shows `start_ms` now.
    pub fn starting_at(start_ms: u64) -> Self {
        Self { start: tokio::time::Instant::now(), start_ms }
    }
}

impl Clock for TokioClock {
    fn now_ms(&self) -> u64 {
        let passed = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.start_ms.saturating_add(passed)
    }
}
