//! What goes wrong with memory.

use crate::store;

/// Why memory could not be used. Nothing was changed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Not a namespace.
    #[error("the namespace {given:?} can't be used: {reason}")]
    Namespace {
        /// What was given.
        given: Vec<String>,
        /// What is wrong with it.
        reason: String,
    },
    /// Not a key.
    #[error("the key {given:?} {reason}: use 1 to {} bytes without control characters", super::MAX_KEY_BYTES)]
    Key {
        /// What was given, or its beginning.
        given: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Not a value that can be kept.
    #[error("the value of {at} can't be kept: {reason}")]
    Value {
        /// Where it was to go.
        at: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Not a filter.
    #[error("the filter can't be used: {at}: {reason}")]
    Filter {
        /// The field.
        at: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What is kept is not of the type that was asked for.
    #[error("{at} holds something else than was asked for: {reason}")]
    Unfit {
        /// Where it is.
        at: String,
        /// What does not fit.
        reason: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// The beginning of something that may be long.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
