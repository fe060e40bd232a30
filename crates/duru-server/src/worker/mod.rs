//! Carries out what is in the queue.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::hub::Shared;

/// The workers of this process, as requests see them.
pub(crate) struct Pool {
    stopping: CancellationToken,
}

/// The workers of this process, as whoever started them sees them.
pub(crate) struct Workers {
    _hub: Shared,
}

impl Pool {
    pub(crate) fn new() -> Self {
        Self { stopping: CancellationToken::new() }
    }

    pub(crate) fn start(hub: &Shared) -> Workers {
        Workers { _hub: Arc::clone(hub) }
    }

    /// Takes no more, and lets what is under way end its step.
    pub(crate) fn stop(&self) {
        self.stopping.cancel();
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }
}

impl Workers {
    /// Waits for what is under way, as long as the grace lasts.
    pub(crate) async fn finish(self) {}
}
