//! How a run ends, as its caller sees it.

use crate::cx::Question;
use crate::error::{Failure, FailureKind};
use crate::log::Breakpoint;

/// How a run ended. A pause is an outcome, not an error.
#[derive(Debug, Clone)]
#[must_use]
pub enum Outcome<O> {
    /// Nothing was left to do.
    Done(O),
    /// The thread waits for answers.
    Paused(Vec<Question>),
    /// The thread stopped at a breakpoint; resume it without an answer.
    Breakpoint(Breakpoint),
    /// The run failed; what finished before is kept.
    Failed(Failure),
    /// The run was cancelled; what finished before is kept.
    Cancelled,
    /// The run stopped between two steps, as it was asked to; resume it to go on.
    Drained,
}

/// A run ended otherwise than was asked for.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum NotDone {
    /// It waits for answers.
    #[error("the run waits for {} answer(s): {}", .0.len(), questions(.0))]
    Paused(Vec<Question>),
    /// It stopped at a breakpoint.
    #[error("the run paused at a breakpoint: {0:?}")]
    Breakpoint(Breakpoint),
    /// It failed.
    #[error(transparent)]
    Failed(Box<Failure>),
    /// It was cancelled.
    #[error("the run was cancelled")]
    Cancelled,
    /// It was asked to stop.
    #[error("the run was asked to stop between two steps")]
    Drained,
}

fn questions(questions: &[Question]) -> String {
    questions.iter().map(|question| question.value.get().to_owned()).collect::<Vec<_>>().join(", ")
}

impl<O> Outcome<O> {
    /// The output of a run that is done; anything else is an error.
    pub fn done(self) -> Result<O, NotDone> {
        match self {
            Self::Done(output) => Ok(output),
            Self::Paused(questions) => Err(NotDone::Paused(questions)),
            Self::Breakpoint(breakpoint) => Err(NotDone::Breakpoint(breakpoint)),
            Self::Failed(failure) => Err(NotDone::Failed(Box::new(failure))),
            Self::Cancelled => Err(NotDone::Cancelled),
            Self::Drained => Err(NotDone::Drained),
        }
    }

    /// The questions of a run that waits; none otherwise.
    pub fn questions(&self) -> &[Question] {
        match self {
            Self::Paused(questions) => questions,
            _ => &[],
        }
    }

    /// The failure of a run that failed.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed(failure) => Some(failure),
            _ => None,
        }
    }
}

/// What an error handler gets to know about the node that failed. It survives a
/// restart: a handler that was interrupted by a crash sees the same.
#[derive(Debug, Clone)]
pub struct NodeFailure {
    /// The node.
    pub node: String,
    /// What kind of failure.
    pub kind: FailureKind,
    /// What happened.
    pub message: String,
    /// How often the node was tried.
    pub attempts: u32,
}
