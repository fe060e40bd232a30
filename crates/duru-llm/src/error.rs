//! Why a model did not answer, in the terms that a caller can act on.

use std::borrow::Cow;
use std::time::Duration;

use crate::Resource;

/// Why a model did not answer.
///
/// No variant ever holds a key: what a provider says is cleaned of it before it
/// comes here (see [`crate::Key`]), and a wrong key is named by the variable it
/// was read from.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting cannot be read.
    #[error("{variable} is not usable: {reason}")]
    Setting {
        /// The variable to change.
        variable: Cow<'static, str>,
        /// What is wrong with it.
        reason: String,
    },
    /// The provider needs a key and none is set.
    #[error("no key for {provider}: set {variable}")]
    NoKey {
        /// Who wants it.
        provider: &'static str,
        /// The variable to set.
        variable: &'static str,
    },
    /// The provider refused the key.
    #[error("{server} refused the key (HTTP {status}): check {variable}")]
    WrongKey {
        /// Who refused.
        server: String,
        /// The variable to check.
        variable: &'static str,
        /// What it answered with.
        status: u16,
    },
    /// The provider does not have the model.
    #[error("{server} has no model {model:?}: check the name in {setting}")]
    UnknownModel {
        /// Who was asked.
        server: String,
        /// For what.
        model: String,
        /// The variable that names it.
        setting: Cow<'static, str>,
    },
    /// No connection, or one that was cut before the reply began.
    #[error("cannot reach {server}: {reason}; check the address and that the server runs")]
    Unreachable {
        /// Host and port.
        server: String,
        /// What the network said.
        reason: String,
    },
    /// The connection was cut in the middle of the reply.
    #[error("the reply of {server} broke off: {reason}")]
    Interrupted {
        /// Who was answering.
        server: String,
        /// How it ended.
        reason: String,
    },
    /// Too many requests or tokens in a short time.
    #[error("{server} limits the rate of requests{}", wait(retry_after))]
    RateLimited {
        /// Who limits.
        server: String,
        /// How long to wait, if the provider said so.
        retry_after: Option<Duration>,
    },
    /// The provider has a problem of its own.
    #[error("{server} cannot answer now (HTTP {status}){}", wait(retry_after))]
    Overloaded {
        /// Who has it.
        server: String,
        /// What it answered with.
        status: u16,
        /// How long to wait, if the provider said so.
        retry_after: Option<Duration>,
    },
    /// The reply took too long.
    #[error("no reply from {server}: {}", waited(*limit, *after))]
    Timeout {
        /// Who was asked.
        server: String,
        /// Which limit was reached.
        limit: TimeLimit,
        /// That limit.
        after: Duration,
    },
    /// The provider does not accept the request as it is; asking again is of no use.
    #[error("{server} refused the request (HTTP {status}): {reason}")]
    Refused {
        /// Who refused.
        server: String,
        /// What it answered with.
        status: u16,
        /// What it said.
        reason: String,
    },
    /// What came is not a reply.
    #[error("{server} sent something that is not a reply: {reason}")]
    BadReply {
        /// Who sent it.
        server: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The reply is longer than anything useful.
    #[error("the reply of {server} is larger than {limit} bytes")]
    TooLarge {
        /// Who sent it.
        server: String,
        /// The most that is read.
        limit: usize,
    },
    /// The run may spend no more.
    #[error("the run's budget of {what} is spent")]
    BudgetSpent {
        /// Of what.
        what: Resource,
    },
    /// The model failed so often that it is left alone for a while.
    #[error("{model} failed too often and rests for {} s", left.as_secs_f32().ceil())]
    Resting {
        /// Which model.
        model: String,
        /// Until it is tried again.
        left: Duration,
    },
    /// Only replies that were recorded are given, and this one was not.
    #[error("{file} has no reply of {model} to this request; record it with the model itself")]
    NotRecorded {
        /// Whose reply.
        model: String,
        /// The recording.
        file: String,
    },
}

/// Which limit of time a call reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeLimit {
    /// The whole call.
    Total,
    /// The time between two signs of life.
    Idle,
    /// What is left of the time of the question.
    Question,
}

impl Error {
    /// A stable name, for programs and for looking up.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Setting { .. } => "model_setting",
            Error::NoKey { .. } => "model_no_key",
            Error::WrongKey { .. } => "model_wrong_key",
            Error::UnknownModel { .. } => "model_unknown",
            Error::Unreachable { .. } => "model_unreachable",
            Error::Interrupted { .. } => "model_interrupted",
            Error::RateLimited { .. } => "model_rate_limited",
            Error::Overloaded { .. } => "model_overloaded",
            Error::Timeout { limit: TimeLimit::Total, .. } => "model_timeout",
            Error::Timeout { limit: TimeLimit::Idle, .. } => "model_idle",
            Error::Timeout { limit: TimeLimit::Question, .. } => "model_question_time",
            Error::Refused { .. } => "model_refused",
            Error::BadReply { .. } => "model_bad_reply",
            Error::TooLarge { .. } => "model_too_large",
            Error::BudgetSpent { .. } => "model_budget_spent",
            Error::Resting { .. } => "model_resting",
            Error::NotRecorded { .. } => "model_not_recorded",
        }
    }

    /// What kind of error it is, in a word, as traces show it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Error::Setting { .. } => "setting",
            Error::NoKey { .. } => "no_key",
            Error::WrongKey { .. } => "wrong_key",
            Error::UnknownModel { .. } => "unknown_model",
            Error::Unreachable { .. } => "unreachable",
            Error::Interrupted { .. } => "interrupted",
            Error::RateLimited { .. } => "rate_limited",
            Error::Overloaded { .. } => "overloaded",
            Error::Timeout { .. } => "timeout",
            Error::Refused { .. } => "refused",
            Error::BadReply { .. } => "bad_reply",
            Error::TooLarge { .. } => "too_large",
            Error::BudgetSpent { .. } => "budget_spent",
            Error::Resting { .. } => "resting",
            Error::NotRecorded { .. } => "not_recorded",
        }
    }

    /// Whether the same request may succeed later without anybody changing anything.
    pub fn is_transient(&self) -> bool {
        match self {
            Error::Unreachable { .. }
            | Error::Interrupted { .. }
            | Error::RateLimited { .. }
            | Error::Overloaded { .. }
            | Error::Timeout { .. }
            | Error::BadReply { .. } => true,
            Error::Setting { .. }
            | Error::NoKey { .. }
            | Error::WrongKey { .. }
            | Error::UnknownModel { .. }
            | Error::Refused { .. }
            | Error::TooLarge { .. }
            | Error::BudgetSpent { .. }
            | Error::NotRecorded { .. }
            // It may, but trying again is what the rest is there to prevent.
            | Error::Resting { .. } => false,
        }
    }

    /// How long the provider asked to wait before the next request.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Error::RateLimited { retry_after, .. } | Error::Overloaded { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

fn wait(retry_after: &Option<Duration>) -> String {
    retry_after.map(|time| format!("; it asks to wait {} s", time.as_secs_f32().ceil())).unwrap_or_default()
}

fn waited(limit: TimeLimit, after: Duration) -> String {
    let seconds = after.as_secs_f32();
    match limit {
        TimeLimit::Total => format!("it was not complete after {seconds} s"),
        TimeLimit::Idle => format!("nothing came for {seconds} s"),
        TimeLimit::Question => format!("after {seconds} s the time of the question was over"),
    }
}
