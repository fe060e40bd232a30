//! Putting a server together, and running it.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use duru::store::{Expect, Hints, Owner};
use duru::{ErasedApp, ErasedGraph};
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::api::ApiRoutes;
use crate::assistants::Recent;
use crate::error::{ApiError, StartError};
use crate::graphs::Graphs;
use crate::guard::{self, ErrorShape, Security};
use crate::hinting;
use crate::hub::{Hub, LogTail, Part, Shared, Stores, TailOf};
use crate::options::{Limits, Options};
use crate::routes::{self, Page};
use crate::runs::Runs;
use crate::serving;
use crate::stream::Lookout;
use crate::wire::assistant::Assistant;
use crate::worker::Pool;

/// How long answers may take to be sent once all runs have stopped.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long sockets may take to say goodbye: each first looks for what its thread still has to show.
const GOODBYE: Duration = Duration::from_secs(5);

/// A server, before it starts.
///
/// ```
/// # use duru::{Cx, END, Graph, Result, State, store::MemoryStore}; use std::sync::Arc;
/// use duru_server::{Server, Stores};
/// # #[derive(State, Clone)] struct Count { n: u32 }
/// # async fn add(s: Arc<Count>, _: Cx) -> Result<CountUpdate> { Ok(CountUpdate::new().n(s.n + 1)) }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut g = Graph::<Count>::new("count"); let add = g.node("add", add); g.start(add).edge(add, END);
/// let server = Server::new(Stores::of(Arc::new(MemoryStore::new()))).graph(g.compile()?.erased());
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// let stop = tokio_util::sync::CancellationToken::new();
/// # stop.cancel();
/// server.serve(listener, stop).await?;
/// # Ok(()) }
/// ```
#[must_use = "a server does nothing until `serve`"]
pub struct Server {
    stores: Stores,
    graphs: Vec<(String, ErasedGraph)>,
    options: Options,
    limits: Arc<Limits>,
    hints: Option<Arc<dyn Hints>>,
    more: Vec<Mounting>,
    page: Option<Page>,
    security: Security,
    errors: Vec<ErrorShape>,
    parts: Vec<Part>,
    log_tail: Option<TailOf>,
}

/// Makes routes of the program's own, once there are runs.
type Mounting = Box<dyn FnOnce(Runs) -> ApiRoutes + Send>;

impl Server {
    /// A server on a store.
    pub fn new(stores: Stores) -> Self {
        Self {
            stores,
            graphs: Vec::new(),
            limits: Arc::new(Limits::of(&Options::default())),
            options: Options::default(),
            hints: None,
            more: Vec::new(),
            page: None,
            security: Security::default(),
            errors: Vec::new(),
            parts: Vec::new(),
            log_tail: None,
        }
    }

    /// Serves a graph under its own name.
    pub fn graph(self, graph: ErasedGraph) -> Self {
        let id = graph.name().to_owned();
        self.graph_as(id, graph)
    }

    /// Serves a graph under another name.
    pub fn graph_as(mut self, id: impl Into<String>, graph: ErasedGraph) -> Self {
        self.graphs.push((id.into(), graph));
        self
    }

    /// Serves in another way than the usual.
    pub fn options(mut self, options: Options) -> Self {
        self.limits.set(&options);
        self.options = options;
        self
    }

    /// What may be changed of these while it serves.
    pub fn limits(&self) -> Arc<Limits> {
        Arc::clone(&self.limits)
    }

    /// Tells other processes on the same store when there is something new, and hears what they tell. Without, they
    /// notice a little later.
    pub fn hints(mut self, hints: Arc<dyn Hints>) -> Self {
        self.hints = Some(hints);
        self
    }

    /// Adds routes of the program's own.
    pub fn mount(self, routes: impl Into<ApiRoutes>) -> Self {
        let routes = routes.into();
        self.mount_with(|_| routes)
    }

    /// Adds routes of the program's own that start, follow, answer and stop runs, as [`ApiRoutes`] shows.
    pub fn mount_with(mut self, routes: impl FnOnce(Runs) -> ApiRoutes + Send + 'static) -> Self {
        self.more.push(Box::new(routes));
        self
    }

    /// Shows browsers a page at `/` and at every path that no route has; programs
    /// are answered as if there were none.
    pub fn page(mut self, page: Page) -> Self {
        self.page = Some(page);
        self
    }

    /// Says where requests may come from, and where it is written down who did what.
    pub fn security(mut self, security: Security) -> Self {
        self.security = security;
        self
    }

    /// Says what errors look like on paths whose clients know another shape than `{"detail": …}`.
    pub fn errors_as(mut self, shape: ErrorShape) -> Self {
        self.errors.push(shape);
        self
    }

    /// Tells whoever asks how something is that the server depends on, or could do
    /// without: its name, and why it is away, if it is.
    pub fn part(
        mut self,
        name: impl Into<String>,
        trouble: impl Fn() -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.parts.push(Part { name: name.into(), trouble: Box::new(trouble) });
        self
    }

    /// Tells in its metrics how many log lines this process has taken in that are on its own disk alone.
    pub fn log_tail(mut self, tail: impl Fn() -> LogTail + Send + Sync + 'static) -> Self {
        self.log_tail = Some(Box::new(tail));
        self
    }

    /// Serves until it is told to stop; then runs end their step, what is
    /// unfinished is handed to others or to the next start.
    pub async fn serve(mut self, listener: TcpListener, stop: CancellationToken) -> Result<(), StartError> {
        let page = self.page.take();
        let more = std::mem::take(&mut self.more);
        let front = (std::mem::take(&mut self.security), std::mem::take(&mut self.errors));
        let address = listener.local_addr()?;
        let loopback = address.ip().is_loopback();
        let has_keys = guard::has_keys(&self.stores.catalog).await?;
        if !has_keys && (!loopback || !front.0.proxies.is_empty()) {
            return Err(StartError::NoKeys(address));
        }
        let hub = self.start().await?;
        let runs = Runs::new(Arc::clone(&hub));
        let more = more.into_iter().fold(ApiRoutes::new(), |all, mount| all.merge(mount(runs.clone())));
        let workers = Pool::start(&hub);
        let app = guard::guarded(application(&hub, page, more), &hub, front, loopback)?;
        let closing = CancellationToken::new();
        let mut served = pin!(serving::serve(listener, app, hub.options.patience, closing.clone()));
        // Streams last as long as their runs, so runs are given their time first.
        let mut finished = pin!(async {
            stop.cancelled().await;
            // First it says that it goes, then nobody is let in any more, then what is under way is handed over.
            hub.pool.leave();
            tokio::time::sleep(hub.options.lame_duck).await;
            closing.cancel();
            hub.pool.stop();
            hub.pool.stopped().await;
            workers.finish().await;
        });
        tokio::select! {
            () = &mut served => finished.await,
            // A client that does not take what is left of its answer is not waited for.
            () = &mut finished => drop(timeout(LAST_WORDS, served).await),
        }
        // Sockets are told goodbye; their clients know then that it was not them.
        hub.sockets.close();
        drop(timeout(GOODBYE, hub.sockets.wait()).await);
        Ok(())
    }

    /// Everything but the network.
    pub(crate) async fn start(mut self) -> Result<Shared, StartError> {
        if let Some(hints) = &self.hints {
            self.stores = hinting::telling(self.stores, hints);
        }
        let mut apps: BTreeMap<String, ErasedApp> = BTreeMap::new();
        for (id, graph) in self.graphs {
            let app = match apps.values().next() {
                Some(first) => first.beside(graph),
                None => graph
                    .on(Arc::clone(&self.stores.checkpoints))
                    .owned_by(Owner::this_process(), self.options.lease),
            };
            if apps.insert(id.clone(), app).is_some() {
                return Err(StartError::TwoGraphs(id));
            }
        }
        if apps.is_empty() {
            return Err(StartError::NoGraph);
        }
        let graphs = Graphs::new(apps);
        for (id, graph) in graphs.iter() {
            // One that is there already may have been changed by people.
            self.stores.catalog.put(Assistant::default_entry(id, graph.assistant), Expect::New).await?;
        }
        let pool = Arc::new(Pool::new(&self.options, Arc::clone(&self.limits)));
        let mut parts = self.parts;
        if let Some(hints) = self.hints.clone() {
            let trouble = move || (!hints.arrive()).then(|| "no hints arrive".to_owned());
            parts.push(Part { name: "hints".to_owned(), trouble: Box::new(trouble) });
        }
        Ok(Arc::new(Hub {
            stores: self.stores,
            graphs: Arc::new(graphs),
            options: self.options,
            pool,
            lookout: Arc::new(Lookout::new(self.hints.clone())),
            hints: self.hints,
            assistants: Arc::new(Recent::default()),
            metrics: Arc::default(),
            said: Arc::default(),
            parts: parts.into(),
            log_tail: self.log_tail.map(Arc::new),
            sockets: TaskTracker::new(),
            owner: None,
            tables: None,
            whole: None,
        }))
    }
}

/// Everything that is served, before the guard is put before it.
fn application(hub: &Shared, page: Option<Page>, more: ApiRoutes) -> ApiRoutes {
    let largest = DefaultBodyLimit::max(hub.options.largest_body);
    routes::routes(page)
        .map(|router| router.method_not_allowed_fallback(async || ApiError::wrong_method()).layer(largest))
        .with_state(Arc::clone(hub))
        .merge(more.map(|router| router.layer(largest)))
}
