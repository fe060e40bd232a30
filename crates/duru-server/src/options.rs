//! How to serve.

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
            grace: Duration::from_secs(10),
            patience: Duration::from_secs(60),
            largest_body: 32 << 20,
            heartbeat: Duration::from_secs(5),
            most_deaths: 5,
        }
    }
}
