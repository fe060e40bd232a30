//! How a run is to be carried out.

use std::time::Duration;

/// When what a run has done becomes durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// Each step before the next one begins.
    #[default]
    EachStep,
    /// In order, while the next steps already run. A crash can lose the last
    /// few steps, never their order.
    Background,
    /// All at once at the end. A crash loses the whole run.
    AtEnd,
}

/// What new input does to a step that an earlier run left unfinished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unfinished {
    /// Finishes that step and what follows from it first. If that fails or
    /// waits for answers, the input is not taken and nothing is lost. A step
    /// whose finished tasks can't be put together, because two wrote one field
    /// or a reducer panics, is given up as with [`Unfinished::Discard`]: nobody
    /// could finish it.
    #[default]
    ResumeFirst,
    /// Gives that step up, finished tasks included. The run's `begin` event
    /// (mode [`Mode::Runs`](crate::Mode)) says what was given up.
    Discard,
}

#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) durability: Durability,
    pub(crate) unfinished: Unfinished,
    pub(crate) recursion_limit: u64,
    pub(crate) step_timeout: Option<Duration>,
    pub(crate) max_concurrency: usize,
    pub(crate) pause_before: Vec<String>,
    pub(crate) pause_after: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            durability: Durability::default(),
            unfinished: Unfinished::default(),
            recursion_limit: 10_000,
            step_timeout: None,
            max_concurrency: usize::MAX,
            pause_before: Vec::new(),
            pause_after: Vec::new(),
        }
    }
}
