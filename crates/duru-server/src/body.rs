//! Request bodies and queries, read within bounds.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum_extra::extract::Query;
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::error::ApiError;
use crate::serving::is_impatience;

/// Also for what nests deeper than 128: serde_json stops there.
const INVALID: &str = "Invalid JSON in request body";
/// So many values are in a body at the most.
const MOST_VALUES: usize = 250_000;

/// A JSON body, whatever its content type says: browsers that avoid a preflight
/// send it as text.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                ApiError::too_large("The request body is too large.")
            } else if is_impatience(&rejection) {
                ApiError::too_slow("The request body did not come in time.")
            } else {
                ApiError::invalid("The request body could not be read.")
            }
        })?;
        Ok(Self(parse(&bytes)?))
    }
}

impl Body<Value> {
    /// For clients to whom what is no JSON is a bad request.
    pub(crate) fn or_bad_request(read: Result<Self, ApiError>) -> Result<Value, ApiError> {
        match read {
            Ok(Self(value)) => Ok(value),
            Err(error) if error.status() == StatusCode::UNPROCESSABLE_ENTITY => {
                Err(ApiError::bad_request("Invalid JSON body"))
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether there are more values in it than anybody needs: each takes a hundred bytes and more once it is read.
fn is_crowded(bytes: &[u8]) -> bool {
    // Two bytes each at the least, so that most are not even looked at.
    if bytes.len() < 2 * MOST_VALUES {
        return false;
    }
    let (mut values, mut quoted, mut escaped) = (0, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b',' | b'[' | b'{' if !quoted => values += 1,
            _ => {}
        }
    }
    values > MOST_VALUES
}

/// JSON first, the wanted shape second, so that the message says which of both is wrong.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    if is_crowded(bytes) {
        return Err(ApiError::too_large("The request body has too many values."));
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|_| ApiError::invalid(INVALID))?;
    serde_json::from_value(value).map_err(|error| ApiError::invalid(error.to_string()))
}

/// The parameters behind the question mark. One without a value counts as one that is not there: clients send such for
/// none.
#[derive(Debug)]
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let params = Query::<T>::from_request_parts(parts, state).await;
        params.map(|Query(params)| Self(params)).map_err(|error| ApiError::invalid(error.body_text()))
    }
}

/// `1`, `true`, `True`, `yes`: clients differ.
pub(crate) fn flag<'de, D: Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    Ok(maybe_flag(d)?.unwrap_or_default())
}

/// The same where a default is not `false`.
pub(crate) fn maybe_flag<'de, D: Deserializer<'de>>(d: D) -> Result<Option<bool>, D::Error> {
    let word = Option::<String>::deserialize(d)?.filter(|word| !word.is_empty());
    Ok(word.map(|word| matches!(word.as_str(), "1" | "true" | "True" | "yes" | "on")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize, PartialEq, Debug)]
    struct Asked {
        limit: Option<usize>,
        #[serde(default, deserialize_with = "flag")]
        wait: bool,
        #[serde(default)]
        select: Vec<String>,
    }

    async fn asked(query: &str) -> Result<Asked, ApiError> {
        let request = Request::builder().uri(format!("/?{query}")).body(axum::body::Body::empty()).unwrap();
        let (mut parts, _) = request.into_parts();
        Params::from_request_parts(&mut parts, &()).await.map(|Params(asked)| asked)
    }

    #[tokio::test]
    async fn parameters_are_read_as_clients_write_them() {
        let none = Asked { limit: None, wait: false, select: Vec::new() };
        assert_eq!(asked("").await.unwrap(), none);
        assert_eq!(asked("limit=&wait=&other=1").await.unwrap(), none);
        let all = Asked { limit: Some(3), wait: true, select: vec!["a".to_owned(), "b".to_owned()] };
        assert_eq!(asked("limit=3&wait=True&select=a&select=b").await.unwrap(), all);
        assert_eq!(asked("wait=1&select=a").await.unwrap().select, ["a"]);
        let refused = asked("limit=x").await.unwrap_err();
        assert!(refused.status() == StatusCode::UNPROCESSABLE_ENTITY && refused.detail().contains("limit"));
    }

    #[test]
    fn values_are_counted_and_what_is_in_quotes_is_not() {
        let list = |count: usize| format!("[{}1]", "1,".repeat(count)).into_bytes();
        assert!(is_crowded(&list(MOST_VALUES)) && !is_crowded(&list(MOST_VALUES - 1)));
        let quoted = format!("[\"{}\", \"\\\"{}\"]", "[,{".repeat(MOST_VALUES), ",".repeat(MOST_VALUES));
        assert!(!is_crowded(quoted.as_bytes()));
    }
}
