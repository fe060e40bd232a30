//! Request bodies and queries, read within bounds.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::ApiError;

/// Also for what nests deeper than 128: serde_json stops there.
const INVALID: &str = "Invalid JSON in request body";

/// A JSON body, whatever its content type says: browsers that avoid a preflight
/// send it as text.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            if rejection.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
                ApiError::too_large("The request body is too large.")
            } else {
                ApiError::invalid("The request body could not be read.")
            }
        })?;
        Ok(Self(parse(&bytes)?))
    }
}

/// JSON first, the wanted shape second, so that the message says which of both is wrong.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let value: Value = serde_json::from_slice(bytes).map_err(|_| ApiError::invalid(INVALID))?;
    serde_json::from_value(value).map_err(|error| ApiError::invalid(error.to_string()))
}

/// The parameters behind the question mark.
pub(crate) struct Query(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        pairs.map(|axum::extract::Query(pairs)| Self(pairs)).map_err(|e| ApiError::invalid(e.to_string()))
    }
}

impl Query {
    /// The values of a parameter; clients send an empty one for none.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        let given = self.0.iter().filter(|(key, value)| key == name && !value.is_empty());
        given.map(|(_, value)| value.as_str()).collect()
    }

    pub(crate) fn one(&self, name: &str) -> Option<&str> {
        self.all(name).pop()
    }

    /// `1`, `true`, `True`, `yes`: clients differ.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.one(name).is_some_and(|value| matches!(value, "1" | "true" | "True" | "yes" | "on"))
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<usize>, ApiError> {
        let parse = |value: &str| {
            value.parse().map_err(|_| ApiError::invalid(format!("{name} must be a number, not {value:?}")))
        };
        self.one(name).map(parse).transpose()
    }
}
