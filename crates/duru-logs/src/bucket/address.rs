//! `s3://bucket/prefix?endpoint=…`: which bucket, and how it is used.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use duru_sql::guard::Lang;

/// A line is elsewhere, too, after so long.
const SHIP_AFTER: Duration = Duration::from_secs(5);
/// A longer time is nobody's intention.
const LONGEST: Duration = Duration::from_secs(3600);

/// What an address may say.
const PARAMETERS: &str = "endpoint, region, access_key_id, secret_access_key, session_token, virtual_host, ship, folder, read_only";

/// Where a store is in object storage. What it does not say is taken from the usual `AWS_…` variables.
///
/// ```
/// let address: duru_logs::BucketAddress = "s3://logs/team?endpoint=http://127.0.0.1:8333&ship=2s".parse()?;
/// assert_eq!(address.to_string(), "s3://logs/team");
/// # Ok::<(), duru_logs::AddressError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BucketAddress {
    pub(super) bucket: String,
    pub(super) prefix: String,
    pub(super) endpoint: Option<String>,
    pub(super) region: Option<String>,
    pub(super) key: Option<String>,
    pub(super) secret: Option<String>,
    pub(super) token: Option<String>,
    /// The bucket's name is a part of the host's.
    pub(super) virtual_host: bool,
    /// How old a line may become that is on an ingester's disk alone; zero: none is acknowledged before.
    pub(super) ship: Duration,
    pub(super) folder: Option<PathBuf>,
    /// Nothing is taken in, so that no key to write with is needed.
    pub(super) read_only: bool,
}

/// What is wrong with an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    #[error(
        "write s3://BUCKET/PREFIX; a bucket's name has 3 to 63 small letters, digits, points and hyphens"
    )]
    Form,
    #[error("?{name}= is not known; there are {PARAMETERS}")]
    Parameter { name: String },
    #[error("?{name}= can't be {expected}")]
    Value { name: &'static str, expected: &'static str },
}

impl AddressError {
    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        if matches!(lang, Lang::En) {
            return self.to_string();
        }
        match self {
            Self::Form => {
                "s3://버킷/접두사로 쓰세요; 버킷 이름은 소문자, 숫자, 점, 붙임표 3~63자입니다".to_owned()
            }
            Self::Parameter { name } => format!("?{name}=은(는) 모르는 이름입니다; {PARAMETERS}가 있습니다"),
            Self::Value { name, .. } => {
                let fits = match *name {
                    "endpoint" => "http://나 https://로 시작해야 합니다",
                    "ship" => "0이나 500ms, 5s, 1m처럼 한 시간까지 쓸 수 있습니다",
                    _ => "true나 false여야 합니다",
                };
                format!("?{name}=은(는) {fits}")
            }
        }
    }
}

impl BucketAddress {
    /// Whether a person means a bucket.
    pub fn is_one(text: &str) -> bool {
        text.starts_with("s3://")
    }

    /// The folder for lines that are not in the bucket yet, unless another one was named.
    #[must_use]
    pub fn or_folder(mut self, folder: impl FnOnce() -> Option<PathBuf>) -> Self {
        self.folder = self.folder.or_else(folder);
        self
    }

    /// Whether lines are taken in for it.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// The folder for lines that are not in the bucket yet.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether it says a secret, which others of this machine see on a command line.
    pub fn has_secret(&self) -> bool {
        self.secret.is_some() || self.token.is_some()
    }

    /// Something that tells this place from others, also those of the same name elsewhere.
    pub fn fingerprint(&self) -> String {
        let text = [&self.bucket, &self.prefix, self.endpoint.as_deref().unwrap_or_default()].join("\n");
        format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), AddressError> {
        match name {
            "endpoint" if !["http://", "https://"].iter().any(|scheme| value.starts_with(scheme)) => {
                return Err(AddressError::Value {
                    name: "endpoint",
                    expected: "without http:// or https://",
                });
            }
            "endpoint" => self.endpoint = Some(value),
            "region" => self.region = Some(value),
            "access_key_id" => self.key = Some(value),
            "secret_access_key" => self.secret = Some(value),
            "session_token" => self.token = Some(value),
            "virtual_host" => self.virtual_host = yes_or_no("virtual_host", &value)?,
            "read_only" => self.read_only = yes_or_no("read_only", &value)?,
            "ship" => {
                let wrong = AddressError::Value {
                    name: "ship",
                    expected: "other than 0, or up to an hour such as 500ms, 5s or 1m",
                };
                self.ship = span(&value).filter(|span| *span <= LONGEST).ok_or(wrong)?;
            }
            "folder" => self.folder = Some(value.into()),
            _ => return Err(AddressError::Parameter { name: name.to_owned() }),
        }
        Ok(())
    }
}

fn yes_or_no(name: &'static str, value: &str) -> Result<bool, AddressError> {
    value.parse().map_err(|_| AddressError::Value { name, expected: "other than true or false" })
}

fn span(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let number: u64 = digits.parse().ok()?;
    match &text[digits.len()..] {
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(Duration::from_secs(number)),
        "m" => number.checked_mul(60).map(Duration::from_secs),
        "" if number == 0 => Some(Duration::ZERO),
        _ => None,
    }
}

impl FromStr for BucketAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let rest = text.strip_prefix("s3://").ok_or(AddressError::Form)?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (bucket, prefix) = path.split_once('/').unwrap_or((path, ""));
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c);
        let prefix = prefix.trim_matches('/');
        let parts_are_fine =
            prefix.is_empty() || prefix.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if !(3..=63).contains(&bucket.len()) || !bucket.chars().all(is_name) || !parts_are_fine {
            return Err(AddressError::Form);
        }
        let mut address = Self {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
            endpoint: None,
            region: None,
            key: None,
            secret: None,
            token: None,
            virtual_host: false,
            ship: SHIP_AFTER,
            folder: None,
            read_only: false,
        };
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
            address.set(name, value.into_owned())?;
        }
        Ok(address)
    }
}

/// Without secrets.
impl fmt::Display for BucketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3://{}", self.bucket)?;
        if self.prefix.is_empty() { Ok(()) } else { write!(f, "/{}", self.prefix) }
    }
}

impl fmt::Debug for BucketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_where_and_how_and_is_shown_without_its_secrets() {
        let text = "s3://my-logs/a/b/?endpoint=https://s3.example:9000&region=ap-northeast-2&access_key_id=AK&secret_access_key=s%2Fecret&ship=0&folder=/var/tail";
        let address: BucketAddress = text.parse().unwrap();
        assert_eq!((address.bucket.as_str(), address.prefix.as_str()), ("my-logs", "a/b"));
        assert_eq!(address.secret.as_deref(), Some("s/ecret"));
        assert_eq!((address.ship, address.folder.as_deref()), (Duration::ZERO, Some("/var/tail".as_ref())));
        assert_eq!(format!("{address} {address:?}"), "s3://my-logs/a/b s3://my-logs/a/b");
        let short: BucketAddress = "s3://logs".parse().unwrap();
        assert_eq!((short.prefix.as_str(), short.ship), ("", SHIP_AFTER));
        assert_ne!(short.fingerprint(), address.fingerprint());
    }

    #[test]
    fn what_can_not_be_meant_is_refused() {
        for form in
            ["logs", "s3://", "s3://ab/c", "s3://Logs", "s3://logs/a//b", "s3://logs/../b", "s3://lo gs"]
        {
            assert_eq!(form.parse::<BucketAddress>(), Err(AddressError::Form), "{form}");
        }
        let wrong = |query: &str| format!("s3://logs?{query}").parse::<BucketAddress>().unwrap_err();
        assert_eq!(wrong("ships=5s"), AddressError::Parameter { name: "ships".into() });
        for query in
            ["ship=5", "ship=-1s", "ship=2h", "ship=3601s", "endpoint=localhost:9000", "virtual_host=1"]
        {
            assert!(matches!(wrong(query), AddressError::Value { .. }), "{query}");
        }
    }
}
