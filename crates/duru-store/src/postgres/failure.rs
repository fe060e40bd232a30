//! What a server, or the way to it, answers instead of a result.

use std::fmt;
use std::time::Duration;

use duru::store::Error;
use duru_postgres::{is_final, said};
use tokio::time::Instant;
use tokio_postgres::error::{Severity, SqlState};

/// Why a statement gave no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// The connection is of no more use. If the statement writes, nobody knows
    /// whether it has.
    Lost(Reason),
    /// The server took everything back and asks to try again.
    Again(Reason),
    /// The server took everything back: trying again would not help.
    Refused(Reason),
}

/// The words of a failure, and what it came from.
#[derive(Debug)]
pub(super) struct Reason {
    text: String,
    source: Option<tokio_postgres::Error>,
}

impl Failure {
    pub(super) fn lost(text: impl Into<String>) -> Self {
        Self::Lost(Reason { text: text.into(), source: None })
    }

    pub(super) fn reason(self) -> Reason {
        let (Self::Lost(reason) | Self::Again(reason) | Self::Refused(reason)) = self;
        reason
    }

    /// As the store's error.
    pub(super) fn during(self, action: impl fmt::Display) -> Error {
        Error::backend(action, self.reason())
    }
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(db) = error.as_db_error() else {
            // No message of the server's: the way to it is broken, or what
            // came over it makes no sense any more.
            let text = said(&error);
            return Self::Lost(Reason { text, source: Some(error) });
        };
        let code = db.code();
        let text = format!("{} (SQLSTATE {}){}", db.message(), code.code(), advice(code));
        let ends = matches!(db.parsed_severity(), Some(Severity::Fatal | Severity::Panic));
        let passing = [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::LOCK_NOT_AVAILABLE,
        ];
        let again = passing.contains(code);
        let reason = Reason { text, source: Some(error) };
        match () {
            () if ends => Self::Lost(reason),
            () if again => Self::Again(reason),
            () => Self::Refused(reason),
        }
    }
}

/// Says why there is no connection, and what to do about it.
pub(super) fn no_connection(error: &tokio_postgres::Error) -> Failure {
    let text = said(error);
    if is_final(error) { Failure::Refused(Reason::new(text)) } else { Failure::lost(text) }
}

/// Nobody answered in time.
pub(super) fn no_answer(waited: Duration) -> Failure {
    Failure::lost(format!("no answer within {} s: is this a PostgreSQL server?", waited.as_secs_f32()))
}

/// What to do about it, where the server's own words don't say.
fn advice(code: &SqlState) -> &'static str {
    if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        "; grant this user the rights, or let a user who has them open the database once"
    } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
        "; this server only reads: name the primary"
    } else if *code == SqlState::DISK_FULL {
        "; free some space and try again"
    } else {
        ""
    }
}

impl Reason {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), source: None }
    }

    pub(super) fn with(mut self, more: &str) -> Self {
        self.text.push_str(more);
        self
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Reason {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}

/// How long to go on trying, with longer and longer pauses.
pub(super) struct Patience {
    until: Instant,
    pause: Duration,
}

impl Patience {
    const LONGEST: Duration = Duration::from_millis(500);

    pub(super) fn new(patience: Duration) -> Self {
        Self { until: Instant::now() + patience, pause: Duration::from_millis(5) }
    }

    /// Waits for the next attempt; false if there is to be none.
    pub(super) async fn wait(&mut self) -> bool {
        let now = Instant::now();
        if now >= self.until {
            return false;
        }
        tokio::time::sleep_until((now + self.pause).min(self.until)).await;
        self.pause = (self.pause * 2).min(Self::LONGEST);
        true
    }
}
