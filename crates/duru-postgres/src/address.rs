//! Where a database is: a URL, checked, and shown without its password.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio::task::JoinHandle;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Client, Config, Error};

use crate::tls::Tls;
use crate::trust::{self, Roots, Trust};

/// How long what was sent may go unheard, and how long a connection may take.
const UNHEARD: Duration = Duration::from_secs(15);
/// When a connection on which nothing happens is asked whether it is there, and how often.
const IDLE: Duration = Duration::from_secs(15);
const PROBE: Duration = Duration::from_secs(5);

/// A database's address.
#[derive(Clone)]
pub struct Address {
    config: Config,
    tls: Tls,
}

/// Why a URL can't be used. Nothing here quotes it: it may hold a password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadAddress {
    #[error("this is no URL of a PostgreSQL database; write postgres://user:password@host:5432/database")]
    NoUrl,
    #[error("the URL names no host; write postgres://user:password@host:5432/database")]
    NoHost,
    #[error("there is no such sslmode; there are disable, allow, prefer, require, verify-ca and verify-full")]
    Mode,
    #[error("{0} is not known here: certificates of clients can't be used")]
    ClientCertificate(&'static str),
    #[error("the certificates of {} can't be used: {reason}", path.display())]
    Certificates { path: PathBuf, reason: String },
    #[error("this machine has no certificates to trust; name some with sslrootcert=/path/to/ca.pem")]
    NoCertificates,
    #[error(transparent)]
    Tls(#[from] rustls::Error),
}

/// What a URL says of TLS. Its words are those of PostgreSQL's own clients, of which the driver knows some.
#[derive(Default)]
struct Asked {
    mode: Option<String>,
    roots: Option<String>,
}

impl Address {
    /// Reads a URL.
    ///
    /// `sslmode` means what it means to PostgreSQL's own clients: `prefer`, the usual one, encrypts where the server
    /// can; `require` always does; neither asks who answers unless `sslrootcert` names whom to trust. `verify-ca` and
    /// `verify-full` do ask, and trust this machine's certificates or those of `sslrootcert`.
    ///
    /// ```
    /// use duru_postgres::Address;
    ///
    /// let address = Address::parse("postgres://kim:secret@db.example:5433/threads?sslmode=require")?;
    /// assert_eq!(address.to_string(), "postgres://kim@db.example:5433/threads");
    /// # Ok::<(), duru_postgres::BadAddress>(())
    /// ```
    ///
    /// # Errors
    /// If it is none, or asks for what is not there.
    pub fn parse(url: &str) -> Result<Self, BadAddress> {
        let (url, asked) = Asked::take(url)?;
        let mut config: Config = url.parse().map_err(|_| BadAddress::NoUrl)?;
        if config.get_hosts().is_empty() {
            return Err(BadAddress::NoHost);
        }
        let roots = match asked.roots.as_deref() {
            None => None,
            Some("system") => Some(Roots::System),
            Some(path) => Some(Roots::File(path.into())),
        };
        let (mode, trust) = match (asked.mode.as_deref(), roots) {
            (None, Some(Roots::System)) => (SslMode::Require, Trust::Named(Roots::System)),
            (None, _) => (config.get_ssl_mode(), Trust::Anybody),
            (Some("disable"), _) => (SslMode::Disable, Trust::Anybody),
            (Some("allow" | "prefer"), _) => (SslMode::Prefer, Trust::Anybody),
            (Some("require"), None) => (SslMode::Require, Trust::Anybody),
            (Some("require"), Some(roots)) => (SslMode::Require, Trust::Known(roots)),
            (Some("verify-ca"), roots) => (SslMode::Require, Trust::Known(roots.unwrap_or(Roots::System))),
            (Some("verify-full"), roots) => (SslMode::Require, Trust::Named(roots.unwrap_or(Roots::System))),
            (Some(_), _) => return Err(BadAddress::Mode),
        };
        config.ssl_mode(mode);
        notice_silence(&mut config);
        Ok(Self { config, tls: Tls::new(trust::client(&trust)?) })
    }

    /// Connects. What moves the bytes is a task of its own, which ends with the client.
    ///
    /// # Errors
    /// If the server can't be reached, is not trusted, or refuses.
    pub async fn connect(&self) -> Result<(Client, JoinHandle<()>), Error> {
        let (client, connection) = self.config.connect(self.tls.clone()).await?;
        // How it ends, the next query says.
        let driver = tokio::spawn(async move { drop(connection.await) });
        Ok((client, driver))
    }

    /// Asks the server to end what a connection does.
    ///
    /// # Errors
    /// If the server can't be told; whether it ends it is not known either way.
    pub async fn cancel(&self, client: &Client) -> Result<(), Error> {
        client.cancel_token().cancel_query(self.tls.clone()).await
    }
}

/// A server whose machine is gone says nothing, and the system would believe in it for a quarter of an hour, or for
/// hours where nothing is sent. What the URL says of it stands.
fn notice_silence(config: &mut Config) {
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNHEARD);
    }
    if config.get_keepalives()
        && config.get_keepalives_interval().is_none()
        && config.get_keepalives_retries().is_none()
    {
        config.keepalives_idle(IDLE).keepalives_interval(PROBE).keepalives_retries(3);
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(UNHEARD);
    }
}

impl Asked {
    /// What a URL says of TLS, and the URL without it.
    fn take(url: &str) -> Result<(String, Self), BadAddress> {
        let mut asked = Self::default();
        let Some((bare, query)) = url.split_once('?') else { return Ok((url.to_owned(), asked)) };
        let mut left = Vec::new();
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match name {
                "sslmode" => asked.mode = Some(value.to_owned()),
                "sslrootcert" => {
                    let path = percent_decode_str(value).decode_utf8().map_err(|_| BadAddress::NoUrl)?;
                    asked.roots = Some(path.into_owned());
                }
                "sslcert" => return Err(BadAddress::ClientCertificate("sslcert")),
                "sslkey" => return Err(BadAddress::ClientCertificate("sslkey")),
                _ => left.push(pair),
            }
        }
        let sign = if left.is_empty() { "" } else { "?" };
        Ok((format!("{bare}{sign}{}", left.join("&")), asked))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let config = &self.config;
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

/// Without the password, like everything that is told of it.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(url: &str) -> SslMode {
        Address::parse(url).unwrap().config.get_ssl_mode()
    }

    #[test]
    fn modes_mean_what_they_mean_to_other_clients() {
        for (more, expected) in [
            ("", SslMode::Prefer),
            ("?application_name=a", SslMode::Prefer),
            ("?sslmode=disable", SslMode::Disable),
            ("?application_name=a&sslmode=allow", SslMode::Prefer),
            ("?sslmode=require&connect_timeout=3", SslMode::Require),
        ] {
            assert_eq!(mode(&format!("postgres://u:p@h/d{more}")), expected, "{more}");
        }
        let address = Address::parse("postgres://u:p@h/d?application_name=a&sslmode=require").unwrap();
        assert_eq!(address.config.get_application_name(), Some("a"), "the rest is left to the driver");
    }

    #[test]
    fn silence_is_noticed_unless_the_url_says_otherwise() {
        let config = |url: &str| Address::parse(url).unwrap().config;
        let usual = config("postgres://u@h/d");
        assert_eq!(usual.get_tcp_user_timeout(), Some(&UNHEARD));
        assert_eq!((usual.get_keepalives_idle(), usual.get_keepalives_interval()), (IDLE, Some(PROBE)));
        assert_eq!(usual.get_connect_timeout(), Some(&UNHEARD));
        let told = config(
            "postgres://u@h/d?tcp_user_timeout=3&keepalives_interval=7&keepalives_idle=9&connect_timeout=2",
        );
        assert_eq!(told.get_tcp_user_timeout(), Some(&Duration::from_secs(3)));
        assert_eq!(told.get_keepalives_idle(), Duration::from_secs(9));
        assert_eq!(told.get_connect_timeout(), Some(&Duration::from_secs(2)));
        assert!(!config("postgres://u@h/d?keepalives=0").get_keepalives());
    }

    #[test]
    fn what_is_wrong_is_said_without_the_password() {
        for (url, said) in [
            ("no url", "no URL"),
            ("postgres://u:secret@h/d?sslmode=sometimes", "verify-full"),
            ("postgres://u:secret@h/d?sslcert=/a", "sslcert"),
            ("postgres://u:secret@h/d?unheard=of", "no URL"),
            ("postgres://u:secret@h/d?sslmode=require&sslrootcert=/no/such%20file", "/no/such file"),
            ("postgres:///d", "no host"),
        ] {
            let error = Address::parse(url).unwrap_err().to_string();
            assert!(error.contains(said) && !error.contains("secret"), "{url}: {error}");
        }
        let address = Address::parse("postgres://u:secret@a:1,b:2/d").unwrap();
        assert_eq!(format!("{address:?}"), "Address(postgres://u@a:1,b:2/d)");
    }
}
