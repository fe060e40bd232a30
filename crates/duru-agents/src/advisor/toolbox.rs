//! What the advisor works with.

use std::sync::Arc;
use std::time::Duration;

use duru::{AskedBy, Cx};

use super::recall::Recall;
use super::tools::embedded::Sources;
use super::tools::{Constants, Registry, Tools};

/// The tools, the figures, the memory, and how far a run may go.
#[derive(Clone)]
pub struct Toolbox {
    pub tools: Tools,
    /// What is known of the tools before they run.
    pub registry: Registry,
    pub constants: Arc<Constants>,
    pub memory: Option<Arc<dyn Recall>>,
    /// Whose memory is used where a question does not say; without one, nobody's.
    pub alone: Option<String>,
    pub bounds: Bounds,
}

/// How far a run may go.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Passes of the loop between orchestration and execution.
    pub passes: u32,
    /// Model calls for a question with several steps, with one, and one that searches nothing.
    pub complex_calls: u64,
    pub simple_calls: u64,
    pub reuse_calls: u64,
    /// The shortest time that a tool is given, and how much longer its second try.
    pub least_time: Duration,
    pub longer: u32,
    /// Whether models decide around the execution of a plan, too: its order, what follows a team, whether it was
    /// enough. Without, a plan is followed as the rules say.
    pub enhanced: bool,
    /// Of so many answers from earlier data, one is compared with a new search; 0 for none.
    pub shadow_every: u64,
    /// How long the person has to say whether earlier data will do.
    pub confirmation: Duration,
    /// Where searches have been taking less than this, one is made rather than the person asked.
    pub worth_asking: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            passes: 8,
            complex_calls: 15,
            simple_calls: 6,
            reuse_calls: 5,
            least_time: Duration::from_secs(10),
            longer: 2,
            enhanced: true,
            shadow_every: 20,
            confirmation: Duration::from_secs(30),
            worth_asking: Duration::from_secs(1),
        }
    }
}

impl Toolbox {
    pub fn new(sources: &Sources) -> Self {
        Self {
            tools: sources.tools(),
            registry: Registry::built_in(),
            constants: Arc::clone(&sources.constants),
            memory: None,
            alone: None,
            bounds: Bounds::default(),
        }
    }

    #[must_use]
    pub fn with_memory(mut self, memory: Arc<dyn Recall>) -> Self {
        self.memory = Some(memory);
        self
    }

    /// For one person alone: questions that name nobody are theirs.
    #[must_use]
    pub fn for_one(mut self, user: impl Into<String>) -> Self {
        self.alone = Some(user.into());
        self
    }

    /// Whose memory a run has: where it is known who asked, theirs, whatever the state says, which a client may write.
    pub(super) fn whose(&self, told: &str, cx: &Cx) -> String {
        match (cx.get::<AskedBy>(), &self.alone) {
            (Ok(asked), _) => asked.0.clone(),
            (Err(_), Some(alone)) if told.is_empty() => alone.clone(),
            (Err(_), _) => told.to_owned(),
        }
    }

    /// Other tools, or the same in disguise.
    #[must_use]
    pub fn with_tools(mut self, tools: Tools) -> Self {
        self.tools = tools;
        self
    }
}
