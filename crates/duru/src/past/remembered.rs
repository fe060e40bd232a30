//! A thread's rows as they are written, kept at hand.

use std::sync::Arc;

use super::ThreadLog;
use crate::error::Error;
use crate::stream::{Feed, Found};
use crate::thread::ThreadState;
use crate::view::View;

/// What is written to a thread from now on by runs of this process. The state
/// of a thread that was new is then known without asking the store.
pub struct Remembered {
    log: ThreadLog,
    feed: Arc<Feed>,
}

impl ThreadLog {
    /// Remembers what runs of this process write from now on, as far as there is
    /// room for it.
    ///
    /// ```
    /// # use duru::{Cx, END, Graph, Result, State, store::MemoryStore}; use std::sync::Arc;
    /// # #[derive(State, Clone)] struct Count { n: u32 }
    /// # async fn add(s: Arc<Count>, _: Cx) -> Result<CountUpdate> { Ok(CountUpdate::new().n(s.n + 1)) }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut g = Graph::<Count>::new("count"); let add = g.node("add", add); g.start(add).edge(add, END);
    /// # let app = g.compile()?.on(Arc::new(MemoryStore::new()));
    /// let thread = app.thread("new")?;
    /// let seen = thread.log().remember();
    /// thread.invoke(CountUpdate::new()).on_new_thread().await?.done()?;
    /// assert_eq!(seen.state().await?.values["n"], 1);
    /// # Ok(()) }
    /// ```
    pub fn remember(&self) -> Remembered {
        let feed = self.desk.feed(&self.id);
        feed.watch();
        Remembered { log: self.clone(), feed }
    }
}

impl Remembered {
    /// The thread as it is after the last run of this process; from the store, if
    /// not everything of the thread is at hand.
    pub async fn state(&self) -> Result<ThreadState, Error> {
        match self.feed.look(None, 0) {
            Found::Rows(rows, _) => {
                let view = View::of(&self.log.id, rows.iter().map(|row| &**row))?;
                Ok(ThreadState::of(&view))
            }
            Found::Behind(_) | Found::Nothing | Found::Another => self.log.state().await,
        }
    }
}

impl Drop for Remembered {
    fn drop(&mut self) {
        self.feed.unwatch();
    }
}
