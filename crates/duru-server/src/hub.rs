//! What all requests share.

use std::sync::Arc;

use duru::store::{Catalog, Checkpoints, EntryKind, Hints, Memories, Runs};
use duru::{ErasedThread, ThreadId, ThreadLog};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::assistants::Recent;
use crate::error::{ApiError, ApiResult};
use crate::graphs::{Graph, Graphs};
use crate::metrics::Metrics;
use crate::options::Options;
use crate::said::Said;
use crate::scope::is_nobodys;
use crate::stream::Lookout;
use crate::wire::assistant::Assistant;
use crate::worker::Pool;

/// Where everything is kept: the storage seams of one backend.
#[derive(Clone)]
pub struct Stores {
    /// Threads.
    pub checkpoints: Arc<dyn Checkpoints>,
    /// The queue.
    pub runs: Arc<dyn Runs>,
    /// Threads' metadata, assistants, crons.
    pub catalog: Arc<dyn Catalog>,
    /// Memory across threads.
    pub memories: Arc<dyn Memories>,
}

impl Stores {
    /// Of a backend that has all of them.
    pub fn of<S: Checkpoints + Runs + Catalog + Memories>(store: Arc<S>) -> Self {
        Self { checkpoints: store.clone(), runs: store.clone(), catalog: store.clone(), memories: store }
    }
}

/// Something that the server depends on, or could do without.
pub(crate) struct Part {
    pub(crate) name: String,
    /// Why it is away, if it is.
    pub(crate) trouble: Box<dyn Fn() -> Option<String> + Send + Sync>,
}

/// What this process has taken in of log lines, and has on its own disk alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogTail {
    pub rows: u64,
    /// Since when the first of them is.
    pub age: std::time::Duration,
}

/// Asked for whenever somebody wants to know.
pub(crate) type TailOf = Box<dyn Fn() -> LogTail + Send + Sync>;

/// What all requests and workers of a process share.
pub(crate) struct Hub {
    pub(crate) stores: Stores,
    pub(crate) graphs: Arc<Graphs>,
    pub(crate) options: Options,
    pub(crate) pool: Arc<Pool>,
    /// How other processes are told that there is something new.
    pub(crate) hints: Option<Arc<dyn Hints>>,
    /// What other processes write, for all who watch it here.
    pub(crate) lookout: Arc<Lookout>,
    /// What runs were asked for lately.
    pub(crate) assistants: Arc<Recent>,
    /// What was counted.
    pub(crate) metrics: Arc<Metrics>,
    /// What was said in threads.
    pub(crate) said: Arc<Said>,
    /// What else there is, and how it is.
    pub(crate) parts: Arc<[Part]>,
    /// Log lines that are on this process's disk alone, where it has such.
    pub(crate) log_tail: Option<Arc<TailOf>>,
    /// Sockets that are open.
    pub(crate) sockets: TaskTracker,
    /// Who sees it so; none for all of it.
    pub(crate) owner: Option<Arc<str>>,
    /// The tables that they may ask about; none for all.
    pub(crate) tables: Option<Arc<[String]>>,
    /// All of it, where somebody sees only a part.
    pub(crate) whole: Option<Shared>,
}

pub(crate) type Shared = Arc<Hub>;

impl Hub {
    /// All of it, for every caller.
    pub(crate) fn whole(self: &Arc<Self>) -> &Shared {
        self.whole.as_ref().unwrap_or(self)
    }

    /// A thread to read where nobody has looked whether it is there: another's
    /// is as one that does not exist.
    pub(crate) async fn visible(self: &Arc<Self>, thread: &ThreadId) -> ApiResult<ThreadId> {
        if self.owner.is_none()
            || self.stores.catalog.entry(EntryKind::Thread, thread.as_str()).await?.is_some()
        {
            return Ok(thread.clone());
        }
        let there = self.whole().stores.catalog.entry(EntryKind::Thread, thread.as_str()).await?;
        Ok(if there.is_some() { ThreadId::random() } else { thread.clone() })
    }

    /// The graph of an assistant.
    pub(crate) fn graph(&self, id: &str) -> ApiResult<&Graph> {
        self.graphs.get(id).ok_or_else(|| ApiError::not_found(format!("Graph {id:?} is not served here.")))
    }

    /// An assistant by its id, or the default one of a graph by the graph's.
    pub(crate) async fn assistant(&self, id: &str) -> ApiResult<Option<Assistant>> {
        let Some(id) = self.assistant_id(id) else { return Ok(None) };
        let entry = self.stores.catalog.entry(EntryKind::Assistant, &id.to_string()).await?;
        Ok(entry.and_then(Assistant::from_entry))
    }

    /// The same for a run: as it is, or as it was a moment ago if another process has changed it since.
    pub(crate) async fn assistant_for_run(&self, id: &str) -> ApiResult<Option<Assistant>> {
        let Some(uuid) = self.assistant_id(id) else { return Ok(None) };
        // Two people may not share what was read for one of them, unless it is everybody's.
        let shared = |assistant: &Assistant| self.owner.is_none() || is_nobodys(&assistant.entry);
        let asked = match self.assistants.get(uuid) {
            Ok(assistant) if shared(&assistant) => return Ok(Some(assistant)),
            Ok(_) => return self.assistant(id).await,
            Err(asked) => asked,
        };
        let found = self.assistant(id).await?;
        if let Some(assistant) = found.as_ref().filter(|found| shared(found)) {
            self.assistants.keep(asked, assistant);
        }
        Ok(found)
    }

    fn assistant_id(&self, id: &str) -> Option<Uuid> {
        match self.graphs.get(id) {
            Some(graph) => Some(graph.assistant),
            None => Uuid::parse_str(id).ok(),
        }
    }

    /// A thread's log, without its graph.
    pub(crate) fn log(&self, thread: &ThreadId) -> ThreadLog {
        match self.graphs.any() {
            Some(app) => app.thread(thread.clone()).log(),
            None => ThreadLog::new(Arc::clone(&self.stores.checkpoints), thread.clone()),
        }
    }

    /// A thread of a graph.
    pub(crate) fn thread(&self, graph: &str, thread: &ThreadId) -> ApiResult<ErasedThread> {
        Ok(self.graph(graph)?.app.thread(thread.clone()))
    }
}

/// The UUID in a path.
pub(crate) fn uuid(text: &str, what: &str) -> ApiResult<Uuid> {
    Uuid::parse_str(text)
        .map_err(|_| ApiError::invalid(format!("Invalid {what} ID {text:?}: must be a UUID")))
}
