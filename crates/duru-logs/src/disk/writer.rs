//! The handle to the thread that writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use duru_sql::Error;
use tokio::sync::mpsc as requests;

use super::progress::Progress;
use super::recover::Recovered;
use super::request::Command;
use super::shelf::Shelf;
use super::tail::Tail;
use super::version::Published;
use super::writing::{Setting, Writing, cant_start};
use crate::Options;

/// Requests that wait for the writer; more wait for room.
const QUEUE: usize = 1024;

/// The handle to the thread; it ends when this is dropped.
pub(crate) struct Writer {
    requests: Option<requests::Sender<Command>>,
    pub(crate) published: Arc<Published>,
    pub(crate) next_id: Arc<AtomicI64>,
    pub(crate) progress: Arc<Progress>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// With a tail, sealed logs go elsewhere, and it is told what is durable here.
    pub(crate) fn start(
        recovered: Recovered,
        shelf: Arc<dyn Shelf>,
        tail: Option<Arc<Tail>>,
        options: &Options,
    ) -> Result<Self, Error> {
        let next_id = Arc::new(AtomicI64::new(recovered.next_id));
        let progress = Arc::new(Progress::default());
        let setting = Setting { shelf, tail, progress: progress.clone(), next_id: next_id.clone() };
        let writing = Writing::begin(recovered, setting, options)?;
        let published = writing.published();
        let (sender, receiver) = requests::channel(QUEUE);
        let thread = thread::Builder::new()
            .name("logs-write".into())
            .spawn(move || writing.run(receiver))
            .map_err(cant_start)?;
        Ok(Self { requests: Some(sender), published, next_id, progress, thread: Some(thread) })
    }

    /// Looks now and then whether the store is idle, until it is closed.
    pub(crate) fn sealing_when_idle(&self, after: Duration) -> impl Future<Output = ()> + Send + 'static {
        // It must not keep the store open.
        let requests = self.requests.as_ref().map(requests::Sender::downgrade);
        let pause = (after / 2).max(Duration::from_millis(10));
        async move {
            loop {
                tokio::time::sleep(pause).await;
                let Some(requests) = requests.as_ref().and_then(requests::WeakSender::upgrade) else {
                    return;
                };
                if requests.send(Command::SealIfIdle).await.is_err() {
                    return;
                }
            }
        }
    }

    /// These are in use from now on.
    pub(crate) fn seen_ids(&self, ids: &[i64]) {
        if let Some(highest) = ids.iter().max() {
            self.next_id.fetch_max(highest.saturating_add(1), Ordering::Relaxed);
        }
    }

    pub(crate) async fn send(&self, command: Command) -> Result<(), Error> {
        let gone = || Error::Unavailable { reason: "the store has been closed".into() };
        self.requests.as_ref().ok_or_else(gone)?.send(command).await.map_err(|_| gone())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.requests.take());
        self.progress.close();
        if let Some(thread) = self.thread.take() {
            // It has said of every request what came of it.
            drop(thread.join());
        }
    }
}
