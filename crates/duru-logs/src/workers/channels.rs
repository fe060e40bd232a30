//! Connections to workers: kept, watched, and with what proves that we may ask.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result};
use datafusion_distributed::{ChannelResolver, WorkerChannel, grpc};
use duru_sql::Error;
use http::HeaderValue;
use http::header::AUTHORIZATION;
use tonic::transport::Endpoint;
use tower::ServiceExt as _;
use url::Url;

/// A worker that is not there is noticed so soon.
const CONNECT: Duration = Duration::from_secs(1);
/// And one that stands still, or whose link is cut, after both of these.
const PING: Duration = Duration::from_secs(2);
const PONG: Duration = Duration::from_secs(3);

#[derive(Clone)]
pub(super) struct Channels {
    bearer: HeaderValue,
    kept: Arc<Mutex<HashMap<Url, grpc::BoxCloneSyncChannel>>>,
}

impl Channels {
    pub(super) fn new(secret: &str) -> Result<Self, Error> {
        let bad =
            |_| Error::Denied { reason: "the workers' secret has characters that can't be sent".into() };
        let mut bearer = HeaderValue::from_str(&format!("Bearer {secret}")).map_err(bad)?;
        bearer.set_sensitive(true);
        Ok(Self { bearer, kept: Arc::default() })
    }

    /// One connection to an address, made when it is used, and again when it was lost.
    pub(super) fn to(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = kept.get(url) {
            return Ok(grpc::create_worker_client(channel.clone()));
        }
        let endpoint = Endpoint::from_shared(url.to_string())
            .map_err(|e| DataFusionError::External(Box::new(e)))?
            .connect_timeout(CONNECT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(PING)
            .keep_alive_timeout(PONG)
            .keep_alive_while_idle(true);
        let bearer = self.bearer.clone();
        let proven =
            endpoint.connect_lazy().map_request(move |mut request: http::Request<tonic::body::Body>| {
                request.headers_mut().insert(AUTHORIZATION, bearer.clone());
                request
            });
        let channel = grpc::BoxCloneSyncChannel::new(proven);
        kept.insert(url.clone(), channel.clone());
        Ok(grpc::create_worker_client(channel))
    }

    /// Addresses that are no longer named need no connection.
    pub(super) fn only(&self, urls: &[Url]) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).retain(|url, _| urls.contains(url));
    }
}

impl fmt::Debug for Channels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Channels")
    }
}

#[async_trait]
impl ChannelResolver for Channels {
    async fn get_worker_client_for_url(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        self.to(url)
    }
}
