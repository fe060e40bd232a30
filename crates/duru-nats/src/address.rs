//! Where NATS is, and who we are there.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use async_nats::ServerAddr;
use percent_encoding::percent_decode_str;

/// What the names of our subjects begin with, where nothing else is said.
const PREFIX: &str = "duru";

/// One NATS server or several of a cluster, e.g. `nats://user:password@a:4222,nats://b:4222/prefix?credentials=file`.
/// It is shown without secrets.
#[derive(Clone)]
pub struct Address {
    servers: Vec<ServerAddr>,
    prefix: String,
    credentials: Option<PathBuf>,
}

/// Why an address can't be used. It is not repeated: it may hold a password.
#[derive(Debug, thiserror::Error)]
#[error("it must be like nats://user:password@host:4222, or several with commas; {0}")]
pub struct BadAddress(String);

impl Address {
    pub(crate) fn servers(&self) -> Vec<ServerAddr> {
        self.servers.clone()
    }

    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Who we are: a user and a password, or a token alone. The first that says so counts for all servers of a cluster.
    pub(crate) fn user(&self) -> Option<(String, Option<String>)> {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let server = self.servers.iter().find(|server| server.has_user_pass())?;
        Some((decoded(server.username()?), server.password().map(decoded)))
    }

    pub(crate) fn credentials(&self) -> Option<&Path> {
        self.credentials.as_deref()
    }
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let bad = |reason: &str| BadAddress(reason.to_owned());
        let (rest, options) = text.split_once('?').unwrap_or((text, ""));
        let mut credentials = None;
        for option in options.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("credentials", file)) if !file.is_empty() => credentials = Some(PathBuf::from(file)),
                _ => return Err(bad("behind ? only credentials=FILE may stand")),
            }
        }
        let mut prefix = PREFIX.to_owned();
        let mut servers = Vec::new();
        for server in rest.split(',') {
            let Some((scheme @ ("nats" | "tls"), place)) = server.trim().split_once("://") else {
                return Err(bad("each begins with nats:// or tls://"));
            };
            let (host, path) = place.split_once('/').unwrap_or((place, ""));
            if !path.is_empty() {
                path.clone_into(&mut prefix);
            }
            let parsed = format!("{scheme}://{host}").parse::<ServerAddr>();
            servers.push(parsed.map_err(|_| bad("the host or the port makes no sense"))?);
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !prefix.chars().all(fits) {
            return Err(bad("behind the host only a word of letters and digits may stand"));
        }
        Ok(Self { servers, prefix, credentials })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, server) in self.servers.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma}{}://{}:{}", server.scheme(), server.host(), server.port())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn an_address_is_read_and_shown_without_secrets() {
        let read = |text: &str| text.parse::<Address>();
        let one = read("nats://kim:hunter2@127.0.0.1:4223").unwrap();
        assert_eq!((one.to_string().as_str(), one.prefix()), ("nats://127.0.0.1:4223", "duru"));
        assert_eq!(one.user(), Some(("kim".to_owned(), Some("hunter2".to_owned()))));
        let token = read("nats://a,nats://t%40ken@b").unwrap();
        assert_eq!(token.user(), Some(("t@ken".to_owned(), None)));
        let two = read("nats://a,tls://b:5000/staging?credentials=/etc/duru/nats.creds").unwrap();
        assert_eq!(format!("{two:?}"), "nats://a:4222,tls://b:5000");
        assert_eq!(two.prefix(), "staging");
        assert_eq!(two.credentials(), Some(Path::new("/etc/duru/nats.creds")));
        for bad in ["", "a:4222", "http://a", "nats://a/b.c", "nats://a?x=1", "nats://a:port:hunter2"] {
            let error = read(bad).unwrap_err().to_string();
            assert!(
                error.contains("nats://") && !error.contains("hunter2:") && !error.contains("port:h"),
                "{error}"
            );
        }
    }
}
