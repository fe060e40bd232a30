//! One request, and the head of its answer.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, Uri};
use hyper_util::client::proxy::matcher::Matcher;

use crate::network::{BadNetwork, Network};
use crate::reach::{Resolver, host};
use crate::{Body, Reach};

/// Connections to other servers. Cheap to clone, and clones share their connections.
#[derive(Clone)]
pub struct Client {
    inner: reqwest::Client,
    reach: Reach,
    proxied: std::sync::Arc<Matcher>,
    proxies: std::sync::Arc<[String]>,
}

/// Why there is no answer. No error repeats an address but for its host: there may be a key in it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{host} leads to no public address")]
    Private { host: String },
    #[error("{}", innermost(.0))]
    Failed(#[source] reqwest::Error),
}

impl Client {
    /// A client for `base`, through this process's network.
    ///
    /// # Errors
    /// If the variables for proxies or certificates are wrong.
    pub fn new(base: &Uri, reach: Reach, connect: Option<Duration>) -> Result<Self, BadNetwork> {
        Self::through(Network::of_process()?, base, reach, connect)
    }

    /// A client for `base`, through another network.
    ///
    /// # Errors
    /// If that has no certificates, or a proxy without an address.
    pub fn through(
        network: &Network,
        base: &Uri,
        reach: Reach,
        connect: Option<Duration>,
    ) -> Result<Self, BadNetwork> {
        let proxies = network.proxy_hosts();
        let resolver = Resolver { reach: reach.clone(), proxies: proxies.clone() };
        let mut builder = reqwest::Client::builder()
            // First: what reqwest would read of the environment by itself is in `network`.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .tls_backend_preconfigured(network.tls(base)?)
            .dns_resolver(resolver);
        for proxy in network.proxies()? {
            builder = builder.proxy(proxy);
        }
        if let Some(connect) = connect {
            builder = builder.connect_timeout(connect);
        }
        let inner = builder.build().map_err(|error| BadNetwork::Tls(innermost(&error)))?;
        Ok(Self { inner, reach, proxied: network.proxied().into(), proxies })
    }

    /// Sends a request, and waits for the head of the answer, whatever it is.
    ///
    /// # Errors
    /// If there is none, or it is asked of a place that may not be reached.
    pub async fn send(&self, request: Request<Bytes>) -> Result<Response<Body>, Error> {
        self.check(request.uri()).await?;
        let request = reqwest::Request::try_from(request).map_err(Error::Failed)?;
        let answer = self.inner.execute(request).await;
        Ok(answer.map_err(|error| Error::Failed(error.without_url()))?.into())
    }

    /// What the resolver does not see: addresses that are written out, and names that a proxy resolves.
    async fn check(&self, uri: &Uri) -> Result<(), Error> {
        let host = host(uri);
        let private = || Err(Error::Private { host: host.to_owned() });
        if !self.reach.allows_literal(uri) {
            return private();
        }
        if self.reach.is_free(host) {
            return Ok(());
        }
        // The resolver lets the proxy's own name pass, which is for going through it, not to it.
        if self.proxies.iter().any(|proxy| proxy.eq_ignore_ascii_case(host)) {
            return private();
        }
        if self.proxied.intercept(uri).is_some() {
            // Names that only the proxy knows are the proxy's to judge; those that lead inside are not sent to it.
            let found = tokio::net::lookup_host((host, 0)).await;
            if found.is_ok_and(|mut found| found.any(|address| !self.reach.allows(host, address.ip()))) {
                return private();
            }
        }
        Ok(())
    }
}

/// What went wrong: the layers above it only say that there was an error.
pub fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
