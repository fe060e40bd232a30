//! One request for a text, within limits.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::time::timeout;

use super::Error;
use super::key::Key;
use super::trades::Limits;

pub(super) struct Http {
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
    server: String,
    limits: Limits,
}

impl Http {
    pub(super) fn new(base: &Uri, limits: Limits) -> Result<Self, Error> {
        let server = base.authority().map(|authority| authority.host().to_owned()).unwrap_or_default();
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(limits.time));
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls(base, &server)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        Ok(Self { client: Client::builder(TokioExecutor::new()).build(connector), server, limits })
    }

    pub(super) fn server(&self) -> String {
        self.server.clone()
    }

    /// The body of a good answer. The address holds the key, so no error
    /// repeats it.
    pub(super) async fn get(&self, uri: Uri, key: &Key) -> Result<Bytes, Error> {
        let server = self.server();
        let unreachable =
            |reason: String| Error::Unreachable { server: self.server(), reason: key.hide(&reason) };
        let whole = async {
            let response = self.client.get(uri).await.map_err(|error| unreachable(innermost(&error)))?;
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

/// The layers above it only say that there was an error.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        innermost = error.to_string();
        source = error.source();
    }
    innermost
}

fn tls(base: &Uri, server: &str) -> Result<rustls::ClientConfig, Error> {
    let unreachable =
        |reason: &str| Error::Unreachable { server: server.to_owned(), reason: reason.to_owned() };
    let mut roots = rustls::RootCertStore::empty();
    if base.scheme_str() == Some("https") {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if roots.is_empty() {
            return Err(unreachable("this system has no certificates"));
        }
    }
    // The provider is named here, so that no program has to install one first.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unreachable(&error.to_string()))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}
