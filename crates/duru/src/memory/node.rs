//! Memory in nodes.

use std::sync::Arc;

use super::Memory;
use crate::error::{NodeError, Result};
use crate::store::Memories;
use crate::{Compiled, Cx, State};

impl<S: State, I, O> Compiled<S, I, O> {
    /// Gives nodes memory across threads; they get it with
    /// [`Cx::memory`](crate::Cx::memory). Most stores keep both threads and memory.
    ///
    /// ```
    /// # use duru::{Cx, END, Graph, Result, State, store::MemoryStore}; use std::sync::Arc;
    /// # use serde_json::{Value, json};
    /// # #[derive(State, Clone)] struct Chat { said: String }
    /// async fn greet(s: Arc<Chat>, cx: Cx) -> Result<ChatUpdate> {
    ///     let memory = cx.memory()?;
    ///     let known: Option<Value> = memory.get(["users", "kim"], "visit").await?;
    ///     memory.put(["users", "kim"], "visit", &json!({"said": s.said})).await?;
    ///     Ok(ChatUpdate::new().said(if known.is_some() { "welcome back" } else { "hello" }))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut g = Graph::<Chat>::new("chat"); let greet = g.node("greet", greet); g.start(greet).edge(greet, END);
    /// let store = Arc::new(MemoryStore::new());
    /// let app = g.compile()?.memories(store.clone()).on(store);
    /// for (thread, answer) in [("monday", "hello"), ("tuesday", "welcome back")] {
    ///     let end = app.thread(thread)?.invoke(ChatUpdate::new().said("hi")).await?.done()?;
    ///     assert_eq!(end.said, answer);
    /// }
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn memories(self, store: Arc<dyn Memories>) -> Self {
        self.provide(store)
    }
}

impl Cx {
    /// Memory across threads, given with
    /// [`Compiled::memories`](crate::Compiled::memories), by the run's clock.
    ///
    /// It is not part of the thread's transaction: what was put stays when the
    /// node fails, and is put again when it is tried again. See
    /// [`memory`](crate::memory).
    pub fn memory(&self) -> Result<Memory> {
        let missing = |_| NodeError::fatal("the graph has no memory; give it some with `Compiled::memories`");
        let store = self.get::<Arc<dyn Memories>>().map_err(missing)?;
        Ok(Memory::by(Arc::clone(&store), Arc::clone(&self.0.run.clock)))
    }
}
