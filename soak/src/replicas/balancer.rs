//! A TCP balancer that knows nothing of what passes through it: in turn, and on to the next if one does not
//! take a connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use std::time::Duration;

use anyhow::Result;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// A server that does not take a connection by then is passed over.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) struct Balancer {
    pub(crate) address: String,
    backends: Arc<Vec<(String, AtomicU64)>>,
    accepting: JoinHandle<()>,
}

impl Balancer {
    /// Before servers at these addresses.
    pub(crate) async fn start(backends: Vec<String>) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?.to_string();
        let backends: Vec<_> = backends.into_iter().map(|backend| (backend, AtomicU64::new(0))).collect();
        let backends = Arc::new(backends);
        let (known, turn) = (Arc::clone(&backends), Arc::new(AtomicUsize::new(0)));
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, Arc::clone(&known), Arc::clone(&turn)));
            }
        });
        Ok(Self { address, backends, accepting })
    }

    /// How many connections each server took.
    pub(crate) fn connections(&self) -> Vec<u64> {
        self.backends.iter().map(|(_, count)| count.load(Ordering::Relaxed)).collect()
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn pass(mut client: TcpStream, backends: Arc<Vec<(String, AtomicU64)>>, turn: Arc<AtomicUsize>) {
    let first = turn.fetch_add(1, Ordering::Relaxed);
    for i in 0..backends.len() {
        let (backend, count) = &backends[(first + i) % backends.len()];
        if let Ok(Ok(mut server)) = timeout(PATIENCE, TcpStream::connect(backend)).await {
            count.fetch_add(1, Ordering::Relaxed);
            // One that dies takes its connections along, and its clients see that.
            drop(tokio::io::copy_bidirectional(&mut client, &mut server).await);
            return;
        }
    }
}
