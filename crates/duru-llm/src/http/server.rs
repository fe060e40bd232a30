//! A provider's server, and one request to it.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use duru_http::{BodyError, Client, Reach, innermost};
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use http::response::Parts;
use http::{Method, Uri};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::body::Body;
use super::{Answer, InOrder, Limits, refusal};
use crate::key::clean;
use crate::{Error, Key, TimeLimit};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Where a provider is and how it knows us.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) provider: &'static str,
    /// Without a slash at the end.
    pub(crate) base: Uri,
    pub(crate) key: Option<Key>,
    /// Where the key is read from, for errors.
    pub(crate) variable: &'static str,
    /// Which of the provider's models.
    pub(crate) model: String,
    /// Where that is named, for errors.
    pub(crate) setting: Cow<'static, str>,
}

/// A server with its connections.
pub(crate) struct Server {
    access: Access,
    limits: Limits,
    client: Client,
    name: String,
}

impl Server {
    pub(crate) fn new(access: Access, limits: Limits) -> Result<Server, Error> {
        Server::reaching(access, limits, Reach::Anywhere)
    }

    /// A server whose name must not lead just anywhere.
    pub(super) fn reaching(access: Access, limits: Limits, reach: Reach) -> Result<Server, Error> {
        let name = access.base.authority().map(ToString::to_string).unwrap_or_default();
        let client = Client::new(&access.base, reach, Some(limits.connect))
            .map_err(|error| Error::Unreachable { server: name.clone(), reason: error.to_string() })?;
        Ok(Server { access, limits, client, name })
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn model(&self) -> &str {
        &self.access.model
    }

    pub(crate) fn key(&self) -> Option<&Key> {
        self.access.key.as_ref()
    }

    /// Sends `body` to `path` below the base. Everything but a good head is an error.
    pub(crate) async fn post(
        self: &Arc<Self>,
        path: &str,
        headers: &[(HeaderName, HeaderValue)],
        body: &Value,
    ) -> Result<Answer, Error> {
        let (head, body) = self.send(&self.uri(path)?, headers, body).await?;
        let body = self.good(&head, body).await?;
        let content_type = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        Answer::of(body, content_type.unwrap_or_default()).await
    }

    /// Sends `body`, and waits for the head of the answer, whatever it is.
    pub(super) async fn send(
        self: &Arc<Self>,
        uri: &Uri,
        headers: &[(HeaderName, HeaderValue)],
        body: &Value,
    ) -> Result<(Parts, Body), Error> {
        let started = Instant::now();
        let deadline = started + self.limits.total;
        // It fails only for what a JSON value can't be.
        let text = serde_json::to_string(&InOrder(body)).unwrap_or_default();
        let mut request = http::Request::new(Bytes::from(text));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = uri.clone();
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request.headers_mut().extend(headers.iter().cloned());
        // Whoever answers may go on with the trace.
        if let Some(value) =
            duru_telemetry::current().and_then(|span| HeaderValue::from_str(&span.header()).ok())
        {
            request.headers_mut().insert(TRACEPARENT, value);
        }

        // A stream's head comes early, but a whole reply's only with its body.
        let until = if body["stream"] == true { deadline.min(started + self.limits.idle) } else { deadline };
        let Ok(response) = timeout_at(until, self.client.send(request)).await else {
            return Err(self.timeout(if until < deadline { TimeLimit::Idle } else { TimeLimit::Total }));
        };
        let (head, incoming) =
            response.map_err(|error| self.unreachable_because(innermost(&error)))?.into_parts();
        Ok((head, Body { server: self.clone(), incoming, deadline, read: 0 }))
    }

    /// All bytes of a good answer.
    pub(super) async fn whole(&self, head: &Parts, body: Body) -> Result<Vec<u8>, Error> {
        self.good(head, body).await?.whole().await
    }

    async fn good(&self, head: &Parts, mut body: Body) -> Result<Body, Error> {
        if head.status.is_success() {
            return Ok(body);
        }
        body.deadline = body.deadline.min(Instant::now() + self.limits.idle);
        // What the body says helps; that it cannot be read does not.
        let said = body.whole().await.unwrap_or_default();
        Err(self.refused(head, &said))
    }

    fn uri(&self, path: &str) -> Result<Uri, Error> {
        let uri = format!("{}{path}", self.access.base.to_string().trim_end_matches('/'));
        uri.parse().map_err(|error| self.unreachable_because(format!("the address is not one: {error}")))
    }

    fn refused(&self, head: &Parts, said: &[u8]) -> Error {
        if self.access.key.is_none() && matches!(head.status.as_u16(), 401 | 403) {
            return Error::NoKey { provider: self.access.provider, variable: self.access.variable };
        }
        refusal::read(self, head, said)
    }

    pub(crate) fn wrong_key(&self, status: u16) -> Error {
        Error::WrongKey { server: self.name.clone(), variable: self.access.variable, status }
    }

    pub(super) fn unknown_model(&self) -> Error {
        let (model, setting) = (self.access.model.clone(), self.access.setting.clone());
        Error::UnknownModel { server: self.name(), model, setting }
    }

    pub(crate) fn name(&self) -> String {
        self.name.clone()
    }

    /// What the server said, fit for an error.
    pub(crate) fn clean(&self, text: &str) -> String {
        clean(text, self.key())
    }

    pub(crate) fn bad_reply(&self, reason: &str) -> Error {
        Error::BadReply { server: self.name(), reason: self.clean(reason) }
    }

    pub(super) fn too_large(&self) -> Error {
        Error::TooLarge { server: self.name(), limit: self.limits.bytes }
    }

    pub(super) fn timeout(&self, limit: TimeLimit) -> Error {
        let after = match limit {
            TimeLimit::Total => self.limits.total,
            TimeLimit::Idle | TimeLimit::Question => self.limits.idle,
        };
        Error::Timeout { server: self.name(), limit, after }
    }

    pub(super) fn interrupted(&self, error: &BodyError) -> Error {
        self.broke_off(&innermost(error))
    }

    pub(crate) fn broke_off(&self, reason: &str) -> Error {
        Error::Interrupted { server: self.name(), reason: self.clean(reason) }
    }

    /// An error that the server reports in the middle of a stream.
    pub(crate) fn reported(&self, kind: &str, message: &str) -> Error {
        refusal::named(self, kind, message)
    }

    fn unreachable_because(&self, reason: String) -> Error {
        Error::Unreachable { server: self.name(), reason: self.clean(&reason) }
    }
}
