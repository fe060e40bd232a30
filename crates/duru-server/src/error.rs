//! What a request gets that can't be carried out.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use duru::store;

use crate::api::ErrorBody;

/// Why a server could not start, or stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Two graphs have one name.
    #[error("there are two graphs named {0:?}; give one of them another name with `graph_as`")]
    TwoGraphs(String),
    /// There is nothing to serve.
    #[error("there is no graph to serve; add one with `graph`")]
    NoGraph,
    /// The store could not be used.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// Others can reach the address, and nobody has a key.
    #[error("{0} can be reached by others, and nobody has a key: make one first, or serve on 127.0.0.1")]
    NoKeys(std::net::SocketAddr),
    /// A route says nowhere which key it needs.
    #[error("the route {0} is not described; say what it is for, and which key it needs, with `ApiRoutes`")]
    Undescribed(String),
    /// Two shapes of requests or answers have one name.
    #[error(
        "two routes name different schemas {0:?}; give one of them another name with `#[schema(as = …)]`"
    )]
    TwoSchemas(String),
    /// What the routes say of themselves can't be written down.
    #[error("the OpenAPI document could not be made")]
    Document(#[source] serde_json::Error),
    /// The network could not be used.
    #[error("cannot serve: {0}")]
    Network(#[from] std::io::Error),
}

/// An error as clients see it: a status, and `{"detail": …}`.
#[derive(Debug, Clone)]
pub struct ApiError {
    status: StatusCode,
    detail: String,
    retry_after: Option<u64>,
}

/// What an error says, beside the answer that says it: some clients know errors of another shape.
#[derive(Debug, Clone)]
pub(crate) struct Detail(pub(crate) String);

pub(crate) type ApiResult<T = Response> = Result<T, ApiError>;

impl ApiError {
    fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), retry_after: None }
    }

    /// 400: what was asked makes no sense.
    pub fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// 401.
    pub(crate) fn no_key(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, detail)
    }

    /// 403.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, detail)
    }

    /// 404.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    /// 405.
    pub fn wrong_method() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed")
    }

    /// 409: not as things stand.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// 422: what was sent has the wrong shape.
    pub fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// 408: the request did not come in time.
    pub fn too_slow(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, detail)
    }

    /// 411.
    pub(crate) fn no_length(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::LENGTH_REQUIRED, detail)
    }

    /// 413.
    pub fn too_large(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
    }

    /// Come back later: the queue is full.
    pub fn too_many(detail: impl Into<String>) -> Self {
        Self { retry_after: Some(1), ..Self::new(StatusCode::TOO_MANY_REQUESTS, detail) }
    }

    /// The same, in so many seconds.
    pub(crate) fn after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// Come back later: the store can't be reached, or the server stops.
    pub fn unavailable(detail: impl Into<String>) -> Self {
        Self { retry_after: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, detail) }
    }

    /// Its status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// In how many seconds the same request may succeed, if it may.
    pub fn retry_after(&self) -> Option<u64> {
        self.retry_after
    }

    /// Whether the same request may succeed later.
    pub fn is_for_now(&self) -> bool {
        self.retry_after.is_some()
    }

    /// The text, for places where it does not travel as a response.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorBody { detail: self.detail.clone() })).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(Detail(self.detail));
        response
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        match &error {
            store::Error::Conflict { .. } | store::Error::Owned { .. } => Self::conflict(error.to_string()),
            store::Error::Deleted { thread } => Self::not_found(format!("Thread with ID {thread} not found")),
            // What a database says may name paths, hosts and users: it is for
            // the log, not for a stranger.
            store::Error::Backend { action, .. } => {
                log_line(&error);
                Self::unavailable(format!("The store could not {action}. Try again later."))
            }
            _ => {
                log_line(&error);
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "What is stored could not be read.")
            }
        }
    }
}

impl From<duru::Error> for ApiError {
    fn from(error: duru::Error) -> Self {
        use duru::Error;
        match error {
            Error::Store(error) => error.into(),
            Error::Busy { .. } => Self::conflict(error.to_string()),
            Error::UnknownCheckpoint { .. } | Error::UnknownRun { .. } => Self::not_found(error.to_string()),
            Error::Exists { .. } | Error::NotLast { .. } => Self::conflict(error.to_string()),
            _ => Self::invalid(error.to_string()),
        }
    }
}

/// One line for the operator.
pub(crate) fn log_line(what: &dyn std::fmt::Display) {
    // A program that listens to nobody still hears of what went wrong.
    if tracing::dispatcher::has_been_set() {
        tracing::error!("{what}");
    } else {
        eprintln!("duru-server: {what}");
    }
}
