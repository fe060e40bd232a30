//! What the writer is asked.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use duru_sql::{Error, Receipt};
use tokio::sync::oneshot;

use super::frame;

pub(crate) enum Command {
    Append(Append),
    Delete {
        ids: Vec<i64>,
        reply: oneshot::Sender<Result<u64, Error>>,
    },
    /// Turns what is in memory into a segment; replies when that is done.
    Seal {
        reply: oneshot::Sender<Result<(), Error>>,
    },
    /// If nothing was written lately: turns what is in memory into a segment if it is enough, and
    /// merges small ones.
    SealIfIdle,
    /// Merges small segments; replies how many files are gone.
    Compact {
        reply: oneshot::Sender<Result<u64, Error>>,
    },
    /// Drops segments whose newest line is older than this, in microseconds since 1970.
    Retain {
        before: i64,
        reply: oneshot::Sender<Result<u64, Error>>,
    },
}

pub(crate) struct Append {
    pub(super) key: Option<String>,
    pub(super) batch: RecordBatch,
    pub(super) frame: Vec<u8>,
    /// An id in it is another line's.
    pub(super) taken: bool,
    pub(super) reply: oneshot::Sender<Result<Receipt, Error>>,
}

impl Append {
    /// Encodes the batch, so that the writer only has to write.
    pub(crate) fn new(
        key: Option<String>,
        batch: RecordBatch,
        taken: bool,
        reply: oneshot::Sender<Result<Receipt, Error>>,
    ) -> Result<Self, ArrowError> {
        let frame = frame::rows(key.as_deref(), &batch)?;
        Ok(Self { key, batch, frame, taken, reply })
    }
}
