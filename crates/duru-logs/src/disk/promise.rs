//! What somebody waits for, until it is durable.

use duru_sql::{Error, Receipt};
use tokio::sync::oneshot;

/// What is acknowledged once it is durable.
pub(crate) enum Promise {
    Kept(oneshot::Sender<Result<Receipt, Error>>, Receipt),
    Deleted(oneshot::Sender<Result<u64, Error>>, u64),
    /// All that was written before is elsewhere, too.
    There(oneshot::Sender<Result<(), Error>>),
}

impl Promise {
    pub(crate) fn settle(self, failure: Option<&Error>) {
        // Who asked may be gone.
        match self {
            Self::Kept(reply, receipt) => drop(reply.send(failure.cloned().map_or(Ok(receipt), Err))),
            Self::There(reply) => drop(reply.send(failure.cloned().map_or(Ok(()), Err))),
            Self::Deleted(reply, n) => drop(reply.send(failure.cloned().map_or(Ok(n), Err))),
        }
    }
}
