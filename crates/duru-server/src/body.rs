//! Request bodies, read within bounds.

use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use bytes::Bytes;
use serde::de::DeserializeOwned;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_what_is_in_quotes_is_not() {
        let list = |count: usize| format!("[{}1]", "1,".repeat(count)).into_bytes();
        assert!(is_crowded(&list(MOST_VALUES)) && !is_crowded(&list(MOST_VALUES - 1)));
        let quoted = format!("[\"{}\", \"\\\"{}\"]", "[,{".repeat(MOST_VALUES), ",".repeat(MOST_VALUES));
        assert!(!is_crowded(quoted.as_bytes()));
    }
}
