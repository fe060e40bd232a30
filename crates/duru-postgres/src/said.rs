//! What an error says, and what to do about it.

use std::error::Error as _;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// What the driver and what is below it say; they have no codes for it.
const NO_PASSWORD: &str = "password missing";
const NO_TLS: &str = "not support TLS";
const NO_TRUST: &str = "invalid peer certificate";

/// An error with everything that it came from, behind what to do about it.
pub fn said(error: &Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    match advice(error, &text) {
        Some(advice) => format!("{advice} ({text})"),
        None => text,
    }
}

/// Whether trying again would get the same answer.
pub fn is_final(error: &Error) -> bool {
    const REFUSALS: [&SqlState; 4] = [
        &SqlState::INVALID_PASSWORD,
        &SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
        &SqlState::INVALID_CATALOG_NAME,
        &SqlState::INSUFFICIENT_PRIVILEGE,
    ];
    match error.code() {
        Some(code) => REFUSALS.contains(&code),
        None => {
            let text = said(error);
            [NO_PASSWORD, NO_TLS, NO_TRUST].iter().any(|sign| text.contains(sign))
        }
    }
}

fn advice(error: &Error, text: &str) -> Option<&'static str> {
    let advice = match (error.code(), cause(error)) {
        (Some(code), _) => return refusal(code),
        (None, Some(io::ErrorKind::ConnectionRefused)) => {
            "nothing listens there: start PostgreSQL, or correct host and port in the URL"
        }
        (None, Some(io::ErrorKind::TimedOut)) => {
            "no answer: correct host and port in the URL, or look for a firewall"
        }
        _ if text.contains("lookup address") => "the host is unknown: correct its name in the URL",
        _ if text.contains(NO_PASSWORD) => "the server asks for a password: put it into the URL",
        _ if text.contains(NO_TLS) => {
            "the server does not speak TLS: switch it on there, or write sslmode=disable on a network that you trust"
        }
        _ if text.contains(NO_TRUST) => {
            "the server's certificate is not trusted: name its authority with sslrootcert=/path/to/ca.pem, or correct the host"
        }
        _ => return None,
    };
    Some(advice)
}

fn refusal(code: &SqlState) -> Option<&'static str> {
    let advice =
        if *code == SqlState::INVALID_PASSWORD || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION {
            "the server refuses this user or password: correct them in the URL"
        } else if *code == SqlState::INVALID_CATALOG_NAME {
            "there is no such database: create it, or correct its name in the URL"
        } else if *code == SqlState::INSUFFICIENT_PRIVILEGE {
            "this user may not connect to the database: GRANT CONNECT to it"
        } else if *code == SqlState::TOO_MANY_CONNECTIONS {
            "the server has no connection left: raise its max_connections, or lower this program's"
        } else {
            return None;
        };
    Some(advice)
}

fn cause(error: &Error) -> Option<io::ErrorKind> {
    error.source()?.downcast_ref::<io::Error>().map(io::Error::kind)
}
