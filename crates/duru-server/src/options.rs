//! How to serve.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How to serve. The defaults suit a program that serves a few people.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many runs this process carries out at once.
    pub runs_at_once: usize,
    /// How many runs may wait before new ones are refused with 429.
    pub longest_queue: usize,
    /// How long a worker's run is its own without a sign of life. A run whose
    /// process died goes on elsewhere after that; on the same machine at once.
    pub lease: Duration,
    /// How long a server that is told to stop goes on as before, but says that it is not ready: whoever sends it
    /// requests has so long to notice.
    pub lame_duck: Duration,
    /// How long to let runs end their step before the server stops.
    pub grace: Duration,
    /// How long a client may take for the head of its request, and for every 16 KB of its body. A connection on
    /// which nothing is asked is closed after so long too.
    pub patience: Duration,
    /// The largest request body, in bytes.
    pub largest_body: usize,
    /// How often a stream without events gives a sign of life.
    pub heartbeat: Duration,
    /// A run that so many workers died of is given up.
    pub most_deaths: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            runs_at_once: 10_000,
            longest_queue: 10_000,
            lease: Duration::from_secs(15),
            lame_duck: Duration::ZERO,
            grace: Duration::from_secs(10),
            patience: Duration::from_secs(60),
            largest_body: 32 << 20,
            heartbeat: Duration::from_secs(5),
            most_deaths: 5,
        }
    }
}

/// What may change while a server serves.
#[derive(Debug)]
pub struct Limits {
    runs_at_once: AtomicUsize,
    longest_queue: AtomicUsize,
}

impl Limits {
    pub(crate) fn of(options: &Options) -> Self {
        Self {
            runs_at_once: AtomicUsize::new(options.runs_at_once),
            longest_queue: AtomicUsize::new(options.longest_queue),
        }
    }

    /// From now on. What is under way or waits already stays, also where it is more.
    pub fn set(&self, options: &Options) {
        self.runs_at_once.store(options.runs_at_once, Ordering::Relaxed);
        self.longest_queue.store(options.longest_queue, Ordering::Relaxed);
    }

    /// How many runs a process carries out at once.
    pub fn runs_at_once(&self) -> usize {
        self.runs_at_once.load(Ordering::Relaxed)
    }

    /// How many runs may wait before new ones are refused.
    pub fn longest_queue(&self) -> usize {
        self.longest_queue.load(Ordering::Relaxed)
    }
}
