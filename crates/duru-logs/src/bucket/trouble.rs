//! Errors of object storage, by what a person can do about them.

use std::error::Error as _;

use duru_sql::{BucketTrouble, Error};

/// A detail that is longer is a page of HTML.
const LONGEST: usize = 200;

/// The error as the store's.
pub(crate) fn trouble(place: &str, e: &object_store::Error) -> Error {
    let text = whole(e);
    let trouble = kind(e, &text);
    let detail = match trouble {
        BucketTrouble::Other | BucketTrouble::Silent | BucketTrouble::Busy => short(&text),
        _ => code(&text).unwrap_or_default(),
    };
    Error::Bucket { place: place.to_owned(), trouble, detail }
}

/// What it says, with what is behind it.
fn whole(e: &object_store::Error) -> String {
    let mut text = e.to_string();
    let mut cause = e.source();
    while let Some(next) = cause {
        let more = next.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = next.source();
    }
    text
}

fn kind(e: &object_store::Error, text: &str) -> BucketTrouble {
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    match code(text).as_deref() {
        Some("NoSuchBucket") => return BucketTrouble::Missing,
        Some("InvalidAccessKeyId" | "SignatureDoesNotMatch" | "InvalidToken" | "ExpiredToken") => {
            return BucketTrouble::WrongKey;
        }
        Some("RequestTimeTooSkewed") => return BucketTrouble::Clock,
        Some("PermanentRedirect" | "AuthorizationHeaderMalformed" | "IllegalLocationConstraintException") => {
            return BucketTrouble::WrongRegion;
        }
        Some("SlowDown" | "ServiceUnavailable" | "InternalError" | "TooManyRequests") => {
            return BucketTrouble::Busy;
        }
        Some("AccessDenied" | "AllAccessDisabled") => return BucketTrouble::Denied,
        _ => {}
    }
    match e {
        object_store::Error::PermissionDenied { .. } => BucketTrouble::Denied,
        object_store::Error::Unauthenticated { .. } => BucketTrouble::WrongKey,
        object_store::Error::NotFound { .. } => BucketTrouble::Emptied,
        _ if says(&["without LOCATION"]) => BucketTrouble::WrongRegion,
        _ if says(&[
            "169.254.169.254",
            "169.254.170.2",
            "Missing AccessKeyId",
            "Missing SecretAccessKey",
        ]) =>
        {
            BucketTrouble::NoKey
        }
        _ if says(&["code: 5", "status code: 5", "status code: 429", "Too Many Requests"]) => {
            BucketTrouble::Busy
        }
        _ if says(&[
            "timed out",
            "deadline has elapsed",
            "error sending request",
            "connection",
            "Connection",
            "dns error",
        ]) =>
        {
            BucketTrouble::Silent
        }
        _ => BucketTrouble::Other,
    }
}

/// S3's word for it.
fn code(text: &str) -> Option<String> {
    let (_, after) = text.split_once("<Code>")?;
    let (code, _) = after.split_once("</Code>")?;
    Some(code.to_owned())
}

/// The last part, which is the cause.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let from = line.rfind(" - ").map_or(0, |at| at + 3);
    let mut short = line[from..].to_owned();
    if short.len() > LONGEST {
        short.truncate(short.floor_char_boundary(LONGEST));
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> BucketTrouble {
        let e = object_store::Error::Generic { store: "S3", source: text.to_owned().into() };
        let Error::Bucket { trouble, .. } = trouble("s3://logs", &e) else { panic!() };
        trouble
    }

    #[test]
    fn what_a_service_says_is_known_by_its_code() {
        let body = |code: &str| format!("status code: 403 Forbidden: <Error><Code>{code}</Code><Message>…");
        for (code, expected) in [
            ("NoSuchBucket", BucketTrouble::Missing),
            ("SignatureDoesNotMatch", BucketTrouble::WrongKey),
            ("RequestTimeTooSkewed", BucketTrouble::Clock),
            ("SlowDown", BucketTrouble::Busy),
            ("AccessDenied", BucketTrouble::Denied),
            ("PermanentRedirect", BucketTrouble::WrongRegion),
        ] {
            assert_eq!(of(&body(code)), expected, "{code}");
        }
        assert_eq!(of("Server returned non-2xx status code: 503 Service Unavailable: "), BucketTrouble::Busy);
        assert_eq!(of("error sending request: operation timed out"), BucketTrouble::Silent);
        assert_eq!(of("PUT http://169.254.169.254/latest/api/token: timed out"), BucketTrouble::NoKey);
        assert_eq!(of("something else"), BucketTrouble::Other);
    }
}
