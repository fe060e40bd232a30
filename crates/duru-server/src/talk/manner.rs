//! What differs from agent to agent.

use async_trait::async_trait;
use duru::{Event, ThreadId};
use serde_json::{Map, Value};

use super::Frame;
use crate::{ApiError, Runs};

/// What a client asks.
#[derive(Debug, Clone)]
pub struct Query {
    /// The thread that it names, if it names one.
    pub thread: Option<String>,
    /// The input of the run.
    pub input: Value,
}

/// How a run ended, for its last frame.
#[derive(Debug)]
pub enum Ended {
    /// With these values of its thread.
    Done(Map<String, Value>),
    /// With questions that wait; they were shown.
    Asks,
    /// With an error.
    Failed {
        /// Its name.
        name: String,
        /// What it says.
        message: String,
    },
    /// Somebody stopped it.
    Stopped,
}

/// How an agent talks: what its clients ask, and what its events look like.
#[async_trait]
pub trait Manner: Send + Sync + 'static {
    /// The graph that is run.
    fn graph(&self) -> &str;

    /// Reads a frame of the type `query`; why not, if it can't be read.
    fn query(&self, frame: &Map<String, Value>) -> Result<Query, String>;

    /// Reads the answer to a question from a frame.
    fn answer(&self, frame: &Map<String, Value>) -> Value;

    /// The frame of an event, if it is shown.
    fn frame(&self, event: &Event, debug: bool) -> Option<Frame>;

    /// The last frame of a run.
    fn ended(&self, ended: Ended) -> Option<Frame>;

    /// Does what a frame of another type asks for; false if there is no such type.
    async fn other(
        &self,
        runs: &Runs,
        thread: &ThreadId,
        kind: &str,
        frame: &Map<String, Value>,
    ) -> Result<bool, ApiError>;
}
