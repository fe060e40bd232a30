//! From a status and what stands below it to an error that a caller can act on.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::response::Parts;
use serde_json::Value;

use super::Server;
use crate::Error;

/// What the server means.
pub(super) fn read(server: &Server, head: &Parts, said: &[u8]) -> Error {
    let status = head.status.as_u16();
    let said = Said::read(said);
    let retry_after = retry_after(&head.headers);
    match status {
        401 | 403 => server.wrong_key(status),
        404 if said.names_a_model() => server.unknown_model(),
        400 if said.code == "model_not_found" => server.unknown_model(),
        // The account is empty: waiting does not fill it.
        429 if said.code == "insufficient_quota" => refused(server, status, &said.message),
        429 => Error::RateLimited { server: server.name(), retry_after },
        408 | 409 | 425 | 500.. => Error::Overloaded { server: server.name(), status, retry_after },
        300..400 => refused(server, status, "it sends elsewhere; set the address that it really has"),
        _ => refused(server, status, &said.message),
    }
}

/// An error in the middle of a stream, where there is no status any more.
pub(super) fn named(server: &Server, kind: &str, message: &str) -> Error {
    let retry_after = None;
    match kind {
        "rate_limit_error" | "rate_limit_exceeded" => {
            Error::RateLimited { server: server.name(), retry_after }
        }
        "authentication_error" | "permission_error" => server.wrong_key(401),
        "invalid_request_error" | "request_too_large" | "BadRequestError" => refused(server, 400, message),
        "overloaded_error" => Error::Overloaded { server: server.name(), status: 529, retry_after },
        _ => Error::Overloaded { server: server.name(), status: 500, retry_after },
    }
}

fn refused(server: &Server, status: u16, reason: &str) -> Error {
    Error::Refused { server: server.name(), status, reason: server.clean(reason) }
}

/// The parts of an error body. Providers agree on `error.message`, some write only `error`.
struct Said {
    code: String,
    message: String,
}

impl Said {
    fn read(body: &[u8]) -> Said {
        let text = String::from_utf8_lossy(body);
        let json: Value = serde_json::from_str(&text).unwrap_or_default();
        let error = &json["error"];
        let message = error["message"].as_str().or(error.as_str()).or(json["message"].as_str());
        let code = error["code"].as_str().or(error["type"].as_str());
        Said { code: code.unwrap_or_default().to_owned(), message: message.unwrap_or(&text).to_owned() }
    }

    /// A missing page has no model in it; a missing model has.
    fn names_a_model(&self) -> bool {
        self.code == "model_not_found" || self.message.to_ascii_lowercase().contains("model")
    }
}

/// Milliseconds, seconds or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let seconds = |text: &str| text.parse::<f64>().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    if let Some(milliseconds) = text("retry-after-ms").and_then(seconds) {
        return Some(milliseconds / 1000);
    }
    let after = text("retry-after")?;
    seconds(after).or_else(|| {
        let date = httpdate::parse_http_date(after).ok()?;
        Some(date.duration_since(SystemTime::now()).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(name: &'static str, value: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        retry_after(&headers)
    }

    #[test]
    fn every_form_of_retry_after_is_read() {
        assert_eq!(after("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(after("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(after("retry-after-ms", "1500"), Some(Duration::from_millis(1500)));
        assert_eq!(after("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT"), Some(Duration::ZERO));
        let far = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(90));
        assert!(after("retry-after", &far).unwrap() > Duration::from_secs(80));
        for nonsense in ["-3", "soon", "NaN", "1e300", ""] {
            assert_eq!(after("retry-after", nonsense), None, "{nonsense}");
        }
    }
}
