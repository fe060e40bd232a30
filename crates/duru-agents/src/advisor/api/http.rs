//! One request for a text, within limits.

use bytes::Bytes;
use duru_http::{Client, Reach, innermost};
use http::header::{AUTHORIZATION, HeaderValue};
use http::{Request, Uri};
use http_body_util::{BodyExt as _, Limited};
use tokio::time::timeout;

use super::Error;
use super::key::Key;
use super::trades::Limits;

pub(super) struct Http {
    client: Client,
    server: String,
    limits: Limits,
}

impl Http {
    pub(super) fn new(base: &Uri, limits: Limits) -> Result<Self, Error> {
        let server = base.authority().map(|authority| authority.host().to_owned()).unwrap_or_default();
        let client = Client::new(base, Reach::Anywhere, Some(limits.time))
            .map_err(|error| Error::Unreachable { server: server.clone(), reason: error.to_string() })?;
        Ok(Self { client, server, limits })
    }

    pub(super) fn server(&self) -> String {
        self.server.clone()
    }

    /// The body of a good answer. The address holds the key, so no error
    /// repeats it.
    pub(super) async fn get(&self, uri: Uri, key: &Key) -> Result<Bytes, Error> {
        let mut request = Request::new(Bytes::new());
        *request.uri_mut() = uri;
        self.send(request, key).await
    }

    /// The same with the key in a header that says who asks: `authorization: SCHEME KEY`.
    pub(super) async fn get_as(&self, uri: Uri, scheme: &str, key: &Key) -> Result<Bytes, Error> {
        let mut request = Request::new(Bytes::new());
        *request.uri_mut() = uri;
        let mut value = HeaderValue::from_str(&format!("{scheme} {}", key.plain())).map_err(|_| {
            Error::WrongKey { server: self.server(), message: "it can't stand in a header".to_owned() }
        })?;
        value.set_sensitive(true);
        request.headers_mut().insert(AUTHORIZATION, value);
        self.send(request, key).await
    }

    async fn send(&self, request: Request<Bytes>, key: &Key) -> Result<Bytes, Error> {
        let server = self.server();
        let unreachable =
            |reason: String| Error::Unreachable { server: self.server(), reason: key.hide(&reason) };
        let whole = async {
            let response = self.client.send(request).await.map_err(|error| unreachable(innermost(&error)))?;
            if !response.status().is_success() {
                return Err(Error::Status { server: self.server(), status: response.status().as_u16() });
            }
            let limit = self.limits.bytes;
            let body = Limited::new(response.into_body(), limit).collect().await.map_err(|error| {
                if error.is::<http_body_util::LengthLimitError>() {
                    Error::TooMuch { server: self.server(), limit: format!("{limit} bytes") }
                } else {
                    unreachable(innermost(&*error))
                }
            })?;
            Ok(body.to_bytes())
        };
        match timeout(self.limits.time, whole).await {
            Ok(answer) => answer,
            Err(_) => Err(Error::Timeout { server, after: self.limits.time }),
        }
    }
}
