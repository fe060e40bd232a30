//! Errors in the shape that OpenAI's clients know.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::ApiError;

/// Why there is no answer.
pub(super) struct Problem {
    status: StatusCode,
    message: String,
    kind: &'static str,
    param: Option<&'static str>,
    code: Option<&'static str>,
    /// In how many seconds to come back.
    later: Option<u64>,
}

impl Problem {
    fn new(status: StatusCode, kind: &'static str, message: String) -> Self {
        Self { status, message, kind, param: None, code: None, later: None }
    }

    fn of(status: StatusCode, detail: &str) -> Self {
        let (kind, code) = match status {
            StatusCode::TOO_MANY_REQUESTS => ("rate_limit_exceeded", Some("rate_limit_exceeded")),
            StatusCode::UNAUTHORIZED => ("invalid_request_error", Some("invalid_api_key")),
            status if status.is_server_error() => ("server_error", None),
            _ => ("invalid_request_error", None),
        };
        // What can't be read is a bad request to these clients.
        let status =
            if status == StatusCode::UNPROCESSABLE_ENTITY { StatusCode::BAD_REQUEST } else { status };
        Self { code, ..Self::new(status, kind, detail.to_owned()) }
    }

    pub(super) fn invalid(param: &'static str, message: String) -> Self {
        Self { param: Some(param), ..Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message) }
    }

    pub(super) fn no_model(id: &str) -> Self {
        let message = format!("The model `{id}` does not exist or you do not have access to it.");
        let code = Some("model_not_found");
        Self { code, ..Self::new(StatusCode::NOT_FOUND, "invalid_request_error", message) }
    }

    pub(super) fn failed(name: &str, message: &str) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error", format!("{name}: {message}"))
    }

    pub(super) fn json(&self) -> Value {
        let (message, kind) = (self.message.clone(), self.kind);
        json!(ProblemBody { error: ProblemDetail { message, kind, param: self.param, code: self.code } })
    }
}

/// An error, as it travels.
#[derive(Serialize, ToSchema)]
pub(super) struct ProblemBody {
    #[schema(inline)]
    error: ProblemDetail,
}

#[derive(Serialize, ToSchema)]
struct ProblemDetail {
    message: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[schema(required)]
    param: Option<&'static str>,
    #[schema(required)]
    code: Option<&'static str>,
}

impl From<ApiError> for Problem {
    fn from(error: ApiError) -> Self {
        Self { later: error.retry_after(), ..Self::of(error.status(), error.detail()) }
    }
}

/// What the server says of a request that it refused, in this shape.
pub(super) fn shape(status: StatusCode, detail: &str) -> Value {
    Problem::of(status, detail).json()
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.json())).into_response();
        if let Some(seconds) = self.later {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
