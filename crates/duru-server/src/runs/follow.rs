//! Events as they come.

use duru::{Event, Reader, ThreadId};
use tokio::time::{Instant, sleep_until};

use super::{Came, Started, settled};
use crate::error::ApiError;
use crate::hub::Shared;
use crate::stream::{Step, Tail, Watcher};

/// What comes next.
#[derive(Debug)]
pub enum Next {
    /// Something happened.
    Event(Event),
    /// Nothing happened for a while.
    Silence,
    /// The server stops; what is under way goes on without it.
    Cut,
    /// The run is over, and everything was shown. A thread is never over.
    Over(Came),
}

/// A run that is followed.
pub struct Following {
    hub: Shared,
    started: Started,
    tail: Tail,
}

impl Following {
    pub(super) fn new(hub: Shared, started: Started, tail: Tail) -> Self {
        Self { hub, started, tail }
    }

    /// What comes next. Safe to drop while it waits.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn next(&mut self) -> Result<Next, ApiError> {
        Ok(match self.tail.next().await? {
            Step::Event(event) => Next::Event(event),
            Step::Silence => Next::Silence,
            Step::Cut => Next::Cut,
            Step::Over(ended) => {
                let status = settled(&self.hub, &self.started).await?;
                Next::Over(Came::of(ended.result, status, self.started.temporary))
            }
        })
    }
}

/// A thread that is watched.
pub struct Watching {
    hub: Shared,
    reader: Reader,
    heartbeat: Instant,
    /// Also what other processes write.
    _watcher: Watcher,
}

impl Watching {
    pub(super) fn new(hub: Shared, thread: &ThreadId, reader: Reader) -> Self {
        let heartbeat = Instant::now() + hub.options.heartbeat;
        let watcher = hub.lookout.watch(thread);
        Self { hub, reader, heartbeat, _watcher: watcher }
    }

    /// What comes next. Safe to drop while it waits.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn next(&mut self) -> Result<Next, ApiError> {
        tokio::select! {
            biased;
            event = self.reader.next() => Ok(Next::Event(event?)),
            () = self.hub.pool.closed() => Ok(Next::Cut),
            () = sleep_until(self.heartbeat) => {
                self.heartbeat += self.hub.options.heartbeat;
                Ok(Next::Silence)
            }
        }
    }
}
