//! Who works for this process: those that are named, answer, and are of the same version.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use datafusion::common::Result;
use datafusion_distributed::{GetWorkerInfoRequest, WorkerResolver};
use duru_sql::Error;
use futures_util::future::join_all;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::WorkersSeen;
use super::channels::Channels;

/// Whoever takes longer to say who they are is not there.
const PATIENCE: Duration = Duration::from_secs(2);
/// What pieces of plans look like, and what functions do. To be counted up with any change to either: of two programs only
/// those of the same number work for each other.
const PLANS: u32 = 1;

/// What a worker says of itself: its version with the bucket that it has, and which process it is.
pub(super) struct Mark {
    pub(super) version: String,
    process: String,
}

impl Mark {
    /// Two names of one service are one place: only bucket and prefix count.
    pub(super) fn new(place: &str) -> Result<Self, Error> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|e| Error::Unavailable { reason: e.to_string() })?;
        let bucket = place.split('?').next().unwrap_or_default();
        let version = format!("{}/{PLANS}/{:016x}", env!("CARGO_PKG_VERSION"), xxh3_64(bucket.as_bytes()));
        Ok(Self { version, process: hex::encode(bytes) })
    }

    pub(super) fn text(&self) -> String {
        format!("{} {}", self.version, self.process)
    }
}

pub(super) struct Peers {
    named: Vec<String>,
    channels: Channels,
    mark: Mark,
    found: RwLock<State>,
}

#[derive(Default, Clone)]
struct State {
    ready: Vec<Url>,
    own: Option<Url>,
    other_version: Vec<String>,
    silent: Vec<String>,
}

/// What somebody at an address says.
enum Reply {
    /// One of ours, by the name of its process.
    Same(String),
    OtherVersion,
    Nothing,
}

impl Peers {
    pub(super) fn new(named: Vec<String>, channels: Channels, mark: Mark) -> Self {
        Self { named, channels, mark, found: RwLock::default() }
    }

    pub(super) async fn watch(self: Arc<Self>, every: Duration) {
        loop {
            tokio::time::sleep(every).await;
            self.look().await;
        }
    }

    /// Asks everybody at once who they are.
    pub(super) async fn look(&self) {
        let mut found = State::default();
        let mut urls = BTreeSet::new();
        for (name, addresses) in join_all(self.named.iter().map(resolved)).await {
            if addresses.is_empty() {
                found.silent.push(name.clone());
            }
            urls.extend(addresses);
        }
        let urls: Vec<Url> = urls.into_iter().collect();
        self.channels.only(&urls);
        let mut seen = BTreeSet::new();
        for (url, reply) in join_all(urls.iter().map(|url| self.ask(url))).await {
            let address = url.authority().to_owned();
            match reply {
                Reply::Same(process) => {
                    if process == self.mark.process {
                        found.own.get_or_insert_with(|| url.clone());
                    }
                    // One that has several addresses is one.
                    if seen.insert(process) {
                        found.ready.push(url);
                    }
                }
                Reply::OtherVersion => found.other_version.push(address),
                Reply::Nothing => found.silent.push(address),
            }
        }
        *self.found.write().unwrap_or_else(PoisonError::into_inner) = found;
    }

    async fn ask(&self, url: &Url) -> (Url, Reply) {
        let asked = async { self.channels.to(url)?.get_worker_info(GetWorkerInfoRequest {}).await };
        let reply = match tokio::time::timeout(PATIENCE, asked).await {
            Ok(Ok(info)) => match info.version.split_once(' ') {
                Some((version, process)) if version == self.mark.version => Reply::Same(process.to_owned()),
                _ => Reply::OtherVersion,
            },
            _ => Reply::Nothing,
        };
        (url.clone(), reply)
    }

    fn found(&self) -> State {
        self.found.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What a worker must be to be sent a plan.
    pub(super) fn version(&self) -> &str {
        &self.mark.version
    }

    pub(super) fn own(&self) -> Option<Url> {
        self.found().own
    }

    /// Whether somebody else is ready.
    pub(super) fn several(&self) -> bool {
        let found = self.found.read().unwrap_or_else(PoisonError::into_inner);
        found.ready.iter().any(|url| Some(url) != found.own.as_ref())
    }

    pub(super) fn seen(&self) -> WorkersSeen {
        let State { ready, other_version, silent, .. } = self.found();
        WorkersSeen { ready: ready.len(), other_version, silent, ..WorkersSeen::default() }
    }
}

impl WorkerResolver for Peers {
    fn get_urls(&self) -> Result<Vec<Url>> {
        Ok(self.found().ready)
    }
}

/// All addresses of a name; none if it has none now.
async fn resolved(name: &String) -> (&String, Vec<Url>) {
    let addresses = match tokio::time::timeout(PATIENCE, tokio::net::lookup_host(name.as_str())).await {
        Ok(Ok(addresses)) => {
            addresses.filter_map(|address| Url::parse(&format!("http://{address}")).ok()).collect()
        }
        _ => Vec::new(),
    };
    (name, addresses)
}
