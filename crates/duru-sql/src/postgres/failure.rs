//! What a server answers instead of a result, in our own words.
//!
//! The server's words quote values of rows ("invalid input syntax for type
//! integer: …"), so they are never passed on; only the code is looked at.

use std::time::Duration;

use tokio_postgres::error::SqlState;

use crate::store::{Error, Fault};

/// The error of a query that ran for at most so long.
pub(super) fn of_query(error: &tokio_postgres::Error, limit: Duration) -> Error {
    let Some(code) = error.code() else { return lost(error) };
    if *code == SqlState::QUERY_CANCELED {
        return Error::TimedOut { limit };
    }
    of_code(code)
}

/// The error of anything else.
pub(super) fn of(error: &tokio_postgres::Error) -> Error {
    error.code().map_or_else(|| lost(error), of_code)
}

/// The way to the server is broken. No row's value can be in the text: it is about sockets.
fn lost(error: &tokio_postgres::Error) -> Error {
    Error::Unavailable { reason: duru_postgres::said(error) }
}

/// Whether the connection was lost, so that another one may do better.
pub(super) fn is_lost(error: &tokio_postgres::Error) -> bool {
    error.is_closed() || error.code().is_none_or(|code| matches!(&code.code()[..2], "08" | "57"))
}

fn of_code(code: &SqlState) -> Error {
    let code = code.code();
    let failed = |fault| Error::Query { fault };
    match code {
        "42501" => Error::Denied { reason: "the role may not do this".into() },
        "25006" => Error::Denied { reason: "the transaction only reads".into() },
        "57014" => Error::Cancelled,
        "53200" | "53400" => Error::OutOfMemory,
        "22012" => failed(Fault::DivisionByZero),
        "22003" | "22015" | "22008" => failed(Fault::OutOfRange),
        "22007" | "22009" => failed(Fault::NotATime),
        "22P02" | "22P03" | "22018" => failed(Fault::NotOfType),
        "2201B" | "22025" | "2200C" => failed(Fault::BadPattern),
        "22030" | "22032" | "22033" | "2203A" => failed(Fault::BadJson),
        "21000" => failed(Fault::MoreThanOneRow),
        "42883" | "42804" | "42846" | "42809" | "42P18" | "42725" | "42803" => failed(Fault::WrongTypes),
        "42P01" | "42703" | "42702" | "42704" | "3F000" => failed(Fault::UnknownName),
        "42601" => failed(Fault::Syntax),
        "23505" => failed(Fault::Duplicate),
        "0A000" => failed(Fault::Unsupported),
        "55P03" | "40P01" | "40001" => failed(Fault::Busy),
        _ => match &code[..2] {
            "08" | "57" | "3D" | "28" => Error::Unavailable { reason: connection(code).into() },
            "53" => Error::Unavailable { reason: "the server lacks disk space or connections".into() },
            "54" => failed(Fault::TooComplex),
            "22" => failed(Fault::BadValue),
            "23" => failed(Fault::BreaksRule),
            "42" => failed(Fault::WrongTypes),
            "XX" => Error::Corrupt { reason: format!("the server reports an inner error ({code})") },
            _ => failed(Fault::Other),
        },
    }
}

fn connection(code: &str) -> &'static str {
    match &code[..2] {
        "28" => "the server refuses this user or password: correct them in the URL",
        "3D" => "there is no such database: create it, or correct its name in the URL",
        "57" => "the server is stopping or starting",
        _ => "the connection was lost",
    }
}
