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

    pub(crate) fn id(&self) -> &str {
        &self.holder.key.id
    }

    /// So much more is asked with it.
    pub(crate) async fn spend(&self, count: usize) -> ApiResult<()> {
        match self.guard.read(self.id()).await? {
            Some(holder) if !self.is_as_good(&holder) => {
                Err(ApiError::no_key("The API key is no longer good for this."))
            }
            Some(_) if count == 0 => Ok(()),
            Some(holder) => self.guard.within(&holder.key, count),
            None => Err(ApiError::no_key("The API key is no longer valid.")),
        }
    }

    /// Whether it is still good for all that it was good for when it was shown.
    fn is_as_good(&self, now: &Holder) -> bool {
        now.key.scopes.cover(self.holder.key.scopes)
    }

    /// Waits until it was revoked, or is good for less.
    pub(crate) async fn revoked(self) {
        loop {
            tokio::time::sleep(LOOK).await;
            // Where nobody can say, nobody is sent away.
            if let Ok(now) = self.guard.read(self.id()).await
                && now.is_none_or(|now| !self.is_as_good(&now))
            {
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
