//! How long and how much a call may take.

use std::time::Duration;

/// How long and how much one call of a provider may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until the connection stands.
    pub connect: Duration,
    /// Between two complete lines of a stream, and until the first. Bytes alone
    /// are no sign of life: one every few seconds would keep a call for hours.
    pub idle: Duration,
    /// From the request to the end of the reply.
    pub total: Duration,
    /// The most bytes of a reply that are read.
    pub bytes: usize,
}

impl Default for Limits {
    /// Ten seconds to connect, one minute idle, ten minutes in total, 4 MiB.
    fn default() -> Self {
        Limits {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            total: Duration::from_secs(600),
            bytes: 4 << 20,
        }
    }
}
