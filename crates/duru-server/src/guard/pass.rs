//! What is asked of a key again while something is open that it opened: a socket may ask as often as it likes, and
//! stays open for as long as it likes.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::check::{Guard, Holder};
use crate::error::{ApiError, ApiResult};

/// How often it is looked whether a key is still there.
const LOOK: Duration = Duration::from_secs(2);

/// A key that was shown once.
#[derive(Clone)]
pub(crate) struct Pass {
    guard: Arc<Guard>,
    holder: Arc<Holder>,
}

impl Pass {
    pub(super) fn new(guard: &Arc<Guard>, holder: &Arc<Holder>) -> Self {
        Self { guard: Arc::clone(guard), holder: Arc::clone(holder) }
    }

    pub(super) fn id(&self) -> &str {
        &self.holder.key.id
    }

    /// So much more is asked with it.
    pub(crate) async fn spend(&self, count: usize) -> ApiResult<()> {
        match self.guard.read(self.id()).await? {
            Some(_) if count == 0 => Ok(()),
            Some(holder) => self.guard.within(&holder.key, count),
            None => Err(ApiError::no_key("The API key is no longer valid.")),
        }
    }

    /// Waits until it was revoked.
    pub(crate) async fn revoked(self) {
        loop {
            tokio::time::sleep(LOOK).await;
            // Where nobody can say, nobody is sent away.
            if matches!(self.guard.read(self.id()).await, Ok(None)) {
                return;
            }
        }
    }
}

impl fmt::Debug for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pass").field("id", &self.id()).finish_non_exhaustive()
    }
}
