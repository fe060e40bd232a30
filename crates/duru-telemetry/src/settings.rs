//! What is to be told, and to whom: OpenTelemetry's own variables.

use std::time::Duration;

use http::Uri;
use http::header::{HeaderName, HeaderValue};
use opentelemetry_otlp::Protocol;
use percent_encoding::percent_decode_str;

use crate::filter::Filter;
use crate::sampling::Sampling;

/// What is to be told. Nothing, unless something is set.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The lines that are written to the standard error.
    pub lines: Option<Lines>,
    /// Where spans are sent.
    pub traces: Option<Traces>,
}

/// Which lines are written, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// How a line looks.
    pub format: Format,
    /// What is worth a line.
    pub filter: Filter,
}

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object each.
    Json,
}

/// Where spans are sent, and which.
#[derive(Debug, Clone)]
pub struct Traces {
    pub(crate) endpoint: Uri,
    pub(crate) protocol: Protocol,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) timeout: Duration,
    /// Attributes of this process, its service's name among them.
    pub(crate) resource: Vec<(String, String)>,
    pub(crate) sampling: Sampling,
    /// So many spans may wait; more are dropped, and counted.
    pub(crate) queue: usize,
    /// So many are sent at once.
    pub(crate) batch: usize,
    /// Fewer wait at most so long.
    pub(crate) delay: Duration,
    /// Whether what people asked and what was run is told, too.
    pub(crate) content: bool,
}

/// A variable that can't be used.
#[derive(Debug, thiserror::Error)]
#[error("{variable}: {reason}")]
pub struct SettingError {
    /// Which.
    pub variable: &'static str,
    /// Why; without its value, which may be a secret.
    pub reason: String,
}

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
const TRACES_HEADERS: &str = "OTEL_EXPORTER_OTLP_TRACES_HEADERS";
/// So many of the traces that begin here are kept unless told: all of them would cost a busy server more than a
/// twentieth of its time (`cargo xtask bench server`).
const USUAL_SHARE: f64 = 0.1;
/// Where a collector listens on the same machine.
const USUAL: &str = "http://localhost:4318";

impl Traces {
    /// What the standard's variables say; none if nobody is to be told.
    ///
    /// # Errors
    /// If one of them makes no sense.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, SettingError> {
        let is =
            |name: &str, word: &str| get(name).is_some_and(|value| value.trim().eq_ignore_ascii_case(word));
        let exporter = get("OTEL_TRACES_EXPORTER");
        if is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
            return Ok(None);
        }
        if exporter.as_deref().is_some_and(|word| word.trim() != "otlp") {
            return wrong("OTEL_TRACES_EXPORTER", "there are otlp and none");
        }
        let (variable, address) = match (get(TRACES_ENDPOINT), get(ENDPOINT), exporter) {
            (Some(whole), ..) => (TRACES_ENDPOINT, whole),
            (None, Some(base), _) => (ENDPOINT, below(&base)),
            (None, None, Some(_)) => (ENDPOINT, below(USUAL)),
            (None, None, None) => return Ok(None),
        };
        let endpoint: Uri = match address.trim().parse() {
            Ok(endpoint) => endpoint,
            Err(_) => return wrong(variable, "this is no address"),
        };
        let known = matches!(endpoint.scheme_str(), Some("http" | "https")) && endpoint.host().is_some();
        if !known || endpoint.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return wrong(
                variable,
                "it must be http://host:port or https://host:port; a key belongs in the headers",
            );
        }
        Ok(Some(Self {
            endpoint,
            protocol: protocol(&get)?,
            headers: headers(&get)?,
            timeout: Duration::from_millis(number(&get, "OTEL_EXPORTER_OTLP_TIMEOUT", 10_000)?),
            resource: resource(&get)?,
            sampling: sampling(&get)?,
            queue: number(&get, "OTEL_BSP_MAX_QUEUE_SIZE", 2048)?.clamp(1, 1 << 20) as usize,
            batch: number(&get, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512)?.clamp(1, 1 << 16) as usize,
            // With none at all, the thread that sends would never rest.
            delay: Duration::from_millis(number(&get, "OTEL_BSP_SCHEDULE_DELAY", 5000)?.max(1)),
            content: is("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true"),
        }))
    }

    /// The host that they are sent to, and its port.
    pub fn address(&self) -> (String, u16) {
        let usual = if self.endpoint.scheme_str() == Some("https") { 443 } else { 80 };
        let host = self.endpoint.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        (host.to_owned(), self.endpoint.port_u16().unwrap_or(usual))
    }

    /// Where they are sent, for people.
    pub fn endpoint(&self) -> String {
        self.endpoint.to_string()
    }

    /// The share of the traces that begin here which is kept, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.sampling.share
    }
}

fn wrong<T>(variable: &'static str, reason: impl Into<String>) -> Result<T, SettingError> {
    Err(SettingError { variable, reason: reason.into() })
}

fn below(base: &str) -> String {
    format!("{}/v1/traces", base.trim().trim_end_matches('/'))
}

fn number(
    get: &impl Fn(&str) -> Option<String>,
    variable: &'static str,
    usual: u64,
) -> Result<u64, SettingError> {
    match get(variable) {
        None => Ok(usual),
        Some(text) => match text.trim().parse() {
            Ok(number) => Ok(number),
            Err(_) => wrong(variable, "this is no number"),
        },
    }
}

/// `name=value,name=value`; values may be percent-encoded.
fn pairs(text: &str) -> impl Iterator<Item = Option<(String, String)>> {
    text.split(',').filter(|pair| !pair.trim().is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let value = percent_decode_str(value.trim()).decode_utf8().ok()?;
        Some((name.trim().to_owned(), value.into_owned()))
    })
}

fn protocol(get: &impl Fn(&str) -> Option<String>) -> Result<Protocol, SettingError> {
    const TRACES: &str = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL";
    const ALL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
    let (variable, word) = match (get(TRACES), get(ALL)) {
        (Some(word), _) => (TRACES, word),
        (None, Some(word)) => (ALL, word),
        (None, None) => return Ok(Protocol::HttpBinary),
    };
    match word.trim() {
        "http/protobuf" => Ok(Protocol::HttpBinary),
        "http/json" => Ok(Protocol::HttpJson),
        _ => wrong(
            variable,
            "there are http/protobuf and http/json; a collector takes both at one port, often 4318",
        ),
    }
}

fn headers(get: &impl Fn(&str) -> Option<String>) -> Result<Vec<(HeaderName, HeaderValue)>, SettingError> {
    let (variable, text) = match (get(TRACES_HEADERS), get(HEADERS)) {
        (Some(text), _) => (TRACES_HEADERS, text),
        (None, Some(text)) => (HEADERS, text),
        (None, None) => return Ok(Vec::new()),
    };
    let read = |pair: Option<(String, String)>| {
        let (name, value) = pair?;
        let mut value = HeaderValue::from_str(&value).ok()?;
        value.set_sensitive(true);
        Some((HeaderName::from_bytes(name.to_ascii_lowercase().as_bytes()).ok()?, value))
    };
    let all: Option<Vec<_>> = pairs(&text).map(read).collect();
    all.map_or_else(|| wrong(variable, "it must be name=value,name=value"), Ok)
}

fn resource(get: &impl Fn(&str) -> Option<String>) -> Result<Vec<(String, String)>, SettingError> {
    const VARIABLE: &str = "OTEL_RESOURCE_ATTRIBUTES";
    let all: Option<Vec<_>> = pairs(&get(VARIABLE).unwrap_or_default()).collect();
    let Some(mut all) = all else { return wrong(VARIABLE, "it must be name=value,name=value") };
    let named = get("OTEL_SERVICE_NAME").map(|name| name.trim().to_owned());
    if named.is_some() || !all.iter().any(|(name, _)| name == "service.name") {
        all.retain(|(name, _)| name != "service.name");
        all.insert(0, ("service.name".to_owned(), named.unwrap_or_else(|| "duru".to_owned())));
    }
    all.push(("service.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    all.push(("service.instance.id".to_owned(), format!("{:016x}", fastrand::u64(..))));
    all.push(("process.pid".to_owned(), std::process::id().to_string()));
    Ok(all)
}

fn sampling(get: &impl Fn(&str) -> Option<String>) -> Result<Sampling, SettingError> {
    const VARIABLE: &str = "OTEL_TRACES_SAMPLER";
    const ARGUMENT: &str = "OTEL_TRACES_SAMPLER_ARG";
    let Some(word) = get(VARIABLE) else {
        return Ok(Sampling { share: USUAL_SHARE, parent_based: true });
    };
    let (parent_based, own) = match word.trim().strip_prefix("parentbased_") {
        Some(own) => (true, own),
        None => (false, word.trim()),
    };
    let share = match own {
        "always_on" => 1.0,
        "always_off" => 0.0,
        "traceidratio" => match get(ARGUMENT).map_or(Ok(1.0), |text| text.trim().parse::<f64>()) {
            Ok(share) if (0.0..=1.0).contains(&share) => share,
            _ => return wrong(ARGUMENT, "it must be a number from 0 to 1"),
        },
        _ => {
            return wrong(
                VARIABLE,
                "there are always_on, always_off, traceidratio, and parentbased_ before each",
            );
        }
    };
    Ok(Sampling { share, parent_based })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Option<Traces>, SettingError> {
        Traces::read(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn nothing_is_sent_unless_it_is_said_where() {
        assert!(read(&[]).unwrap().is_none());
        assert!(read(&[("OTEL_SERVICE_NAME", "x")]).unwrap().is_none());
        assert!(read(&[(ENDPOINT, "http://c:4318"), ("OTEL_SDK_DISABLED", "true")]).unwrap().is_none());
        assert!(read(&[(ENDPOINT, "http://c:4318"), ("OTEL_TRACES_EXPORTER", "none")]).unwrap().is_none());
        let of = |pairs: &[(&str, &str)]| read(pairs).unwrap().unwrap().endpoint();
        assert_eq!(of(&[("OTEL_TRACES_EXPORTER", "otlp")]), "http://localhost:4318/v1/traces");
        assert_eq!(of(&[(ENDPOINT, "https://c/otlp/")]), "https://c/otlp/v1/traces");
        assert_eq!(of(&[(TRACES_ENDPOINT, "http://c:1/here"), (ENDPOINT, "http://d")]), "http://c:1/here");
    }

    #[test]
    fn what_makes_no_sense_is_told_without_its_value() {
        for (name, value) in [
            (ENDPOINT, "collector secret"),
            (ENDPOINT, "ftp://secret"),
            (ENDPOINT, "http://user:secret@host"),
            ("OTEL_TRACES_EXPORTER", "secret"),
            (HEADERS, "secret"),
            ("OTEL_RESOURCE_ATTRIBUTES", "secret"),
            ("OTEL_TRACES_SAMPLER", "secret"),
            ("OTEL_BSP_MAX_QUEUE_SIZE", "secret"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ] {
            let error = read(&[(name, value), ("OTEL_TRACES_EXPORTER", "otlp")]).unwrap_err();
            assert_eq!(error.variable, name);
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_tenth_of_the_traces_that_begin_here_is_kept_unless_told() {
        let of = |more: &[(&str, &str)]| {
            let all: Vec<_> = [(ENDPOINT, "http://c")].iter().chain(more).copied().collect();
            read(&all).unwrap().unwrap()
        };
        assert_eq!(of(&[]).sampling, Sampling { share: 0.1, parent_based: true });
        for (word, share) in [("parentbased_always_on", 1.0), ("always_off", 0.0), ("traceidratio", 1.0)] {
            assert_eq!(of(&[("OTEL_TRACES_SAMPLER", word)]).share(), share, "{word}");
        }
    }

    #[test]
    fn headers_attributes_and_shares_are_read() {
        let traces = read(&[
            (ENDPOINT, "http://c"),
            (HEADERS, "x-key=a%20b, Other=1"),
            ("OTEL_RESOURCE_ATTRIBUTES", "service.name=mine,team=로그"),
            ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"),
            ("OTEL_TRACES_SAMPLER_ARG", "0.25"),
            ("OTEL_BSP_SCHEDULE_DELAY", "0"),
        ])
        .unwrap()
        .unwrap();
        assert_eq!(traces.headers[0].1.to_str().unwrap(), "a b");
        assert!(!format!("{:?}", traces.headers).contains("a b"));
        assert_eq!(traces.resource[0], ("service.name".to_owned(), "mine".to_owned()));
        assert_eq!(traces.sampling, Sampling { share: 0.25, parent_based: true });
        assert_eq!(traces.protocol, Protocol::HttpBinary);
        assert!(!traces.delay.is_zero());
    }
}
