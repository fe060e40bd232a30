//! Why a batch of messages was refused.

use std::fmt;

/// Why a batch of messages was refused. The list is as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeError {
    /// A `remove` names a message that is not there.
    UnknownId {
        /// The id that nobody has.
        id: String,
        /// Where in the batch.
        position: usize,
    },
    /// A `remove` names no message at all.
    RemoveWithoutId {
        /// Where in the batch.
        position: usize,
    },
    /// An element of a JSON batch is not an object.
    NotAnObject {
        /// Where in the batch.
        position: usize,
    },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::UnknownId { id, position } => {
                write!(f, "messages[{position}] removes the id {id:?}, but no message has this id")
            }
            MergeError::RemoveWithoutId { position } => {
                write!(f, "messages[{position}] is of type \"remove\" and needs the id of a message")
            }
            MergeError::NotAnObject { position } => {
                write!(f, "messages[{position}] is not a message object; parse the input into messages first")
            }
        }
    }
}

impl std::error::Error for MergeError {}
