//! Queries over several processes: each works for the others, and any of them may be asked.
//!
//! The process that is asked plans the query and sends pieces of the plan to workers, in DataFusion's own encoding, with the
//! query's time and zone in headers; a worker reads the files of its piece itself. Whatever goes wrong with a worker, the query is
//! carried out once more by the process that was asked alone: an answer is whole, or there is none.

mod channels;
mod divisible;
mod panics;
mod peers;
mod serve;
mod session;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use datafusion::common::Result as PlanResult;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion_distributed::{DistributedExt, SessionStateBuilderExt, WorkerResolver};
use duru_sql::Error;
use tokio::net::TcpListener;

use self::channels::Channels;
pub(crate) use self::divisible::is_divisible;
use self::peers::Peers;
use crate::functions::Clock;

/// Of a secret; what is shorter could be guessed.
const SHORTEST_SECRET: usize = 16;

/// How several processes answer one query.
#[derive(Clone)]
pub struct WorkerOptions {
    /// Where workers are reached, `host:port`. Names are resolved again and again, and one may stand for many addresses. This process
    /// may be among them.
    pub peers: Vec<String>,
    /// What all of them know. Without it nobody may send a worker anything.
    pub secret: String,
    /// So many bytes of files make it worthwhile that another thread reads them; a query is spread once it reads more than the
    /// threads of one process are worth.
    pub bytes_per_thread: usize,
    /// How often it is looked who is there.
    pub look_every: Duration,
}

impl WorkerOptions {
    pub fn new(peers: Vec<String>, secret: String) -> Self {
        Self { peers, secret, bytes_per_thread: 16 << 20, look_every: Duration::from_secs(2) }
    }
}

/// What a process knows of those that work for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkersSeen {
    /// Those that answer, this process included.
    pub ready: usize,
    /// Addresses of those that are of another version, which are sent nothing.
    pub other_version: Vec<String>,
    /// Addresses that don't answer, and names that can't be resolved.
    pub silent: Vec<String>,
    /// Queries that several processes answered.
    pub distributed: u64,
    /// Queries that were carried out here after all, since something went wrong with a worker.
    pub fallbacks: u64,
}

/// Those who work for this process, and this process as a worker for others.
pub(crate) struct Workers {
    peers: Arc<Peers>,
    channels: Channels,
    worker: datafusion_distributed::Worker,
    bytes_per_thread: usize,
    look_every: Duration,
    distributed: AtomicU64,
    fallbacks: AtomicU64,
}

impl Workers {
    /// Plans of others are carried out in the environment, which must know no store but the one with the segments; `place` is what
    /// that is called.
    pub(crate) fn new(
        options: WorkerOptions,
        environment: &Arc<RuntimeEnv>,
        place: &str,
    ) -> Result<Self, Error> {
        if options.secret.len() < SHORTEST_SECRET {
            let reason = format!("the workers' secret needs at least {SHORTEST_SECRET} characters");
            return Err(Error::Denied { reason });
        }
        let channels = Channels::new(&options.secret)?;
        let mark = peers::Mark::new(place)?;
        let worker = session::worker(environment, &channels, &mark);
        let peers = Arc::new(Peers::new(options.peers, channels.clone(), mark));
        let (distributed, fallbacks) = (AtomicU64::new(0), AtomicU64::new(0));
        let (bytes_per_thread, look_every) = (options.bytes_per_thread.max(1), options.look_every);
        Ok(Self { peers, channels, worker, bytes_per_thread, look_every, distributed, fallbacks })
    }

    /// Works for others until it is dropped.
    pub(crate) async fn serve(&self, listener: TcpListener, secret: String) {
        serve::serve(self.worker.clone(), listener, secret).await;
    }

    /// Looks who is there, again and again.
    pub(crate) fn watch(&self) -> impl Future<Output = ()> + Send + use<> {
        Arc::clone(&self.peers).watch(self.look_every)
    }

    pub(crate) async fn look(&self) {
        self.peers.look().await;
    }

    /// Whether anybody but this process is there.
    pub(crate) fn are_there(&self) -> bool {
        self.peers.several()
    }

    /// Makes a session one that spreads what it plans.
    pub(crate) fn spreading(
        &self,
        builder: SessionStateBuilder,
        clock: &Clock,
    ) -> PlanResult<SessionStateBuilder> {
        let resolver: Arc<dyn WorkerResolver> = self.peers.clone();
        let mut builder = builder
            .with_distributed_worker_resolver(resolver)
            .with_distributed_channel_resolver(self.channels.clone())
            .with_distributed_passthrough_headers(session::headers(clock, self.peers.version())?)?
            .with_distributed_file_scan_config_bytes_per_partition(self.bytes_per_thread)?
            .with_distributed_compression(None)?
            .with_distributed_metrics_collection(false)?
            .with_distributed_planner();
        if let Some(own) = self.peers.own() {
            builder = builder.with_distributed_local_worker_context(self.worker.to_local_worker_context(own));
        }
        Ok(builder)
    }

    pub(crate) fn count_distributed(&self) {
        self.distributed.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_fallback(&self) {
        self.fallbacks.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn seen(&self) -> WorkersSeen {
        let (distributed, fallbacks) =
            (self.distributed.load(Ordering::Relaxed), self.fallbacks.load(Ordering::Relaxed));
        WorkersSeen { distributed, fallbacks, ..self.peers.seen() }
    }
}

/// Listens for those who send this process work.
///
/// # Errors
/// If the address can't be had.
pub(crate) async fn listen(address: SocketAddr) -> Result<TcpListener, Error> {
    let cant = |e: std::io::Error| Error::Unavailable { reason: format!("can't listen on {address}: {e}") };
    TcpListener::bind(address).await.map_err(cant)
}
