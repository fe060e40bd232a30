//! Where a database is: a URL, checked, and shown without its password.

use std::fmt;
use std::io;
use std::time::Duration;

use duru::store::Error;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;

use super::failure::{Failure, Reason, chain};

/// Checks a URL. What the parser says about a bad one is not shown: it may
/// quote the part with the password.
pub(super) fn parse(url: &str) -> Result<Config, Error> {
    let bad = |reason: &str| Error::backend("open the PostgreSQL database", Reason::new(reason));
    let config: Config = url.parse().map_err(|_| {
        bad("this is no URL of a PostgreSQL database; write postgres://user:password@host:5432/database")
    })?;
    if config.get_hosts().is_empty() {
        return Err(bad("the URL names no host; write postgres://user:password@host:5432/database"));
    }
    if config.get_ssl_mode() == SslMode::Require {
        return Err(bad("the URL asks for sslmode=require, but this program was built without TLS; \
             use sslmode=disable on a network that you trust, or a local proxy that speaks TLS"));
    }
    Ok(config)
}

/// A database's address, without the password.
pub(super) struct Place<'a>(pub(super) &'a Config);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(config) = self;
        f.write_str("postgres://")?;
        if let Some(user) = config.get_user() {
            write!(f, "{user}@")?;
        }
        for (i, host) in config.get_hosts().iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let port = config.get_ports().get(i).or(config.get_ports().first()).copied().unwrap_or(5432);
            match host {
                Host::Tcp(name) => write!(f, "{comma}{name}:{port}")?,
                Host::Unix(path) => write!(f, "{comma}{}:{port}", path.display())?,
            }
        }
        match config.get_dbname() {
            Some(name) => write!(f, "/{name}"),
            None => Ok(()),
        }
    }
}

/// Says why there is no connection, and what to do about it.
pub(super) fn no_connection(error: tokio_postgres::Error) -> Failure {
    let said = chain(&error);
    let advice = match (error.code(), cause(&error)) {
        (Some(code), _) => refusal(code),
        (None, Some(io::ErrorKind::ConnectionRefused)) => {
            "nothing listens there: start PostgreSQL, or correct host and port in the URL"
        }
        (None, Some(io::ErrorKind::TimedOut)) => {
            "no answer: correct host and port in the URL, or look for a firewall"
        }
        _ if said.contains("lookup address") => "the host is unknown: correct its name in the URL",
        _ if said.contains("password missing") => "the server asks for a password: put it into the URL",
        _ => "",
    };
    let wrong = error.code().is_some_and(for_good) || said.contains("password missing");
    let text = if advice.is_empty() { said } else { format!("{advice} ({said})") };
    if wrong { Failure::Refused(Reason::new(text)) } else { Failure::lost(text) }
}

/// Whether trying again would get the same answer.
fn for_good(code: &SqlState) -> bool {
    [
        &SqlState::INVALID_PASSWORD,
        &SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
        &SqlState::INVALID_CATALOG_NAME,
        &SqlState::INSUFFICIENT_PRIVILEGE,
    ]
    .contains(&code)
}

fn refusal(code: &SqlState) -> &'static str {
    if *code == SqlState::INVALID_PASSWORD || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION {
        "the server refuses this user or password: correct them in the URL"
    } else if *code == SqlState::INVALID_CATALOG_NAME {
        "there is no such database: create it, or correct its name in the URL"
    } else if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        "this user may not connect to the database: GRANT CONNECT to it"
    } else if *code == SqlState::TOO_MANY_CONNECTIONS {
        "the server has no connection left: raise its max_connections, or lower this program's"
    } else {
        ""
    }
}

fn cause(error: &tokio_postgres::Error) -> Option<io::ErrorKind> {
    std::error::Error::source(error)?.downcast_ref::<io::Error>().map(io::Error::kind)
}

/// Nobody answered in time.
pub(super) fn no_answer(waited: Duration) -> Failure {
    Failure::lost(format!("no answer within {} s: is this a PostgreSQL server?", waited.as_secs_f32()))
}
