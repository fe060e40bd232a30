//! A thread's rows as they are written, kept at hand.

use std::sync::Arc;

use super::ThreadLog;
use crate::error::Error;
use crate::stream::{Feed, Found};
use crate::thread::ThreadState;
use crate::view::View;

/// What is written to a thread from now on by runs of this process. The state
/// of a thread that was new is then known without asking the store.
pub struct Kept {
    log: ThreadLog,
    feed: Arc<Feed>,
}

impl ThreadLog {
    /// Keeps what runs of this process write from now on, as far as there is room for it.
    pub fn keep(&self) -> Kept {
        let feed = self.desk.feed(&self.id, 0);
        feed.watch();
        Kept { log: self.clone(), feed }
    }
}

impl Kept {
    /// The thread as it is after the last run of this process; from the store, if
    /// not everything of the thread is at hand.
    pub async fn state(&self) -> Result<ThreadState, Error> {
        match self.feed.from(0) {
            Found::Rows(rows) => {
                let view = View::of(&self.log.id, rows.iter().map(|row| &**row))?;
                Ok(ThreadState::of(&view))
            }
            Found::Behind | Found::Nothing => self.log.state().await,
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.feed.unwatch();
    }
}
