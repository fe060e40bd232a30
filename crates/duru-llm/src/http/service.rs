//! Services that are no models, asked in JSON.

use std::sync::Arc;

use duru_http::Reach;
use http::Uri;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue, LOCATION};
use http::response::Parts;
use serde_json::Value;

use super::Limits;
use super::server::{Access, Server};
use crate::{Error, Key};

/// So often a service may send elsewhere.
const REDIRECTS: usize = 3;

/// A service at an address that somebody configured: a search of the web, for example.
///
/// It may send elsewhere a few times, but never into a private network, to another port of its own host or from
/// `https` to `http`, and nobody but itself gets its key. Time and size are bounded by its [`Limits`], each hop by itself.
pub struct Service {
    access: Access,
    limits: Limits,
    server: Arc<Server>,
}

/// Whom to ask, and how it knows us.
pub struct Endpoint<'a> {
    /// What it is called in errors.
    pub name: &'static str,
    pub address: &'a str,
    pub key: Option<Key>,
    /// Where the key is read from, for errors.
    pub key_variable: &'static str,
    /// Where the address is read from, for errors.
    pub address_variable: &'static str,
}

impl Service {
    /// # Errors
    /// If the address is none, or TLS can't be set up.
    pub fn new(endpoint: Endpoint<'_>, limits: Limits) -> Result<Self, Error> {
        let base = crate::settings::base(endpoint.address, "/")
            .map_err(|reason| Error::Setting { variable: endpoint.address_variable.into(), reason })?;
        let access = Access {
            provider: endpoint.name,
            base,
            key: endpoint.key,
            variable: endpoint.key_variable,
            model: String::new(),
            setting: endpoint.address_variable.into(),
        };
        let server = Arc::new(Server::reaching(access.clone(), limits, reach(&access))?);
        Ok(Self { access, limits, server })
    }

    /// Sends `body`, and gives back what comes, as JSON.
    ///
    /// # Errors
    /// Whatever keeps the service from answering; no error holds the key.
    pub async fn post(&self, body: &Value) -> Result<Value, Error> {
        let mut server = Arc::clone(&self.server);
        let mut uri = self.access.base.clone();
        for _ in 0..=REDIRECTS {
            let known = uri.authority() == self.access.base.authority();
            let headers: Vec<(HeaderName, HeaderValue)> =
                self.access.key.as_ref().filter(|_| known).and_then(bearer).into_iter().collect();
            let (head, said) = server.send(&uri, &headers, body).await?;
            match target(&head, &uri) {
                Some(next) => {
                    uri = self.checked(&uri, next)?;
                    let access = Access { base: uri.clone(), key: None, ..self.access.clone() };
                    server = Arc::new(Server::reaching(access, self.limits, reach(&self.access))?);
                }
                None => {
                    let bytes = server.whole(&head, said).await?;
                    return serde_json::from_slice(&bytes)
                        .map_err(|error| self.server.bad_reply(&format!("no JSON: {error}")));
                }
            }
        }
        Err(self.refused("it sends elsewhere again and again"))
    }

    fn checked(&self, from: &Uri, next: Uri) -> Result<Uri, Error> {
        let own = &self.access.base;
        let downgrade = from.scheme_str() == Some("https") && next.scheme_str() != Some("https");
        let other_port = next.host() == own.host() && next.authority() != own.authority();
        if !matches!(next.scheme_str(), Some("http" | "https")) || downgrade {
            return Err(self.refused("it sends to an address that is not safe"));
        }
        if next.authority().is_none_or(|authority| authority.as_str().contains('@'))
            || other_port
            || !reach(&self.access).allows_literal(&next)
        {
            return Err(self.refused("it sends into a private network"));
        }
        Ok(next)
    }

    fn refused(&self, reason: &str) -> Error {
        Error::Refused { server: self.server.name(), status: 307, reason: reason.to_owned() }
    }
}

fn reach(access: &Access) -> Reach {
    Reach::public_but(&access.base)
}

fn bearer(key: &Key) -> Option<(HeaderName, HeaderValue)> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose())).ok()?;
    value.set_sensitive(true);
    Some((AUTHORIZATION, value))
}

/// Where an answer sends, if what was sent is to be sent again there.
fn target(head: &Parts, from: &Uri) -> Option<Uri> {
    if !matches!(head.status.as_u16(), 307 | 308) {
        return None;
    }
    let location = head.headers.get(LOCATION)?.to_str().ok()?;
    let next: Uri = location.parse().ok()?;
    if next.authority().is_some() {
        return Some(next);
    }
    let mut parts = from.clone().into_parts();
    parts.path_and_query = next.into_parts().path_and_query;
    Uri::from_parts(parts).ok()
}
