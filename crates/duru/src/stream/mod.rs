//! Watching a run. A stream is a projection of the committed log: what it shows
//! is durable, numbered without gaps, and can be read again from any number.

mod feed;
mod look;
mod project;
mod reader;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use feed::{Feed, Found, Mark};
pub use look::LogLook;
pub(crate) use project::{Projector, update};
pub use reader::Reader;

use crate::store::Seq;
use crate::{Namespace, RunId};

/// What kind of events to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The whole state after each step.
    Values,
    /// What each task changed, as `{node: update}`.
    Updates,
    /// Pieces of messages, as nodes send them.
    Messages,
    /// Whatever nodes send with [`Cx::emit`](crate::Cx::emit).
    Custom,
    /// Tools that nodes call, as they tell with [`Cx::tool`](crate::Cx::tool).
    Tools,
    /// Tasks that start and end.
    Tasks,
    /// Checkpoints.
    Checkpoints,
    /// Tasks, checkpoints, answers and effects, in one shape.
    Debug,
    /// Runs that begin and end.
    Runs,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 9] = [
        Self::Values,
        Self::Updates,
        Self::Messages,
        Self::Custom,
        Self::Tools,
        Self::Tasks,
        Self::Checkpoints,
        Self::Debug,
        Self::Runs,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::Updates => "updates",
            Self::Messages => "messages",
            Self::Custom => "custom",
            Self::Tools => "tools",
            Self::Tasks => "tasks",
            Self::Checkpoints => "checkpoints",
            Self::Debug => "debug",
            Self::Runs => "runs",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Not the name of a stream mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no stream mode; there are: values, updates, messages, custom, tools, tasks, checkpoints, debug, runs"
)]
pub struct UnknownMode(String);

impl FromStr for Mode {
    type Err = UnknownMode;
    fn from_str(text: &str) -> Result<Self, UnknownMode> {
        let found = Self::ALL.into_iter().find(|mode| mode.as_str() == text);
        found.ok_or_else(|| UnknownMode(text.chars().take(40).collect()))
    }
}

/// One event of one mode.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its number in the thread. A reader who comes back with it gets what follows.
    pub seq: Seq,
    /// When it was committed, in milliseconds since 1970.
    pub at_ms: u64,
    /// Which graph of the tree it is of.
    pub ns: Namespace,
    /// The run.
    pub run: RunId,
    /// What kind of event.
    pub mode: Mode,
    /// What it says.
    pub data: Value,
}

impl Event {
    /// `<milliseconds>-<number>`, as streams over HTTP name it. Only the number
    /// is read back, see [`Event::parse_id`].
    pub fn id(&self) -> String {
        format!("{}-{}", self.at_ms, self.seq)
    }

    /// The number in an id.
    pub fn parse_id(id: &str) -> Option<Seq> {
        id.rsplit_once('-').map_or(id, |(_, seq)| seq).parse().ok()
    }
}

/// What a reader wants to see.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) modes: Vec<Mode>,
    pub(crate) subgraphs: bool,
}

impl Wanted {
    pub(crate) fn wants(&self, mode: Mode, ns: &Namespace) -> bool {
        self.modes.contains(&mode) && (self.subgraphs || ns.is_root())
    }

    /// Whether the state must be followed to show what is wanted.
    pub(crate) fn needs_state(&self) -> bool {
        self.modes.iter().any(|mode| matches!(mode, Mode::Values | Mode::Checkpoints | Mode::Debug))
    }
}
