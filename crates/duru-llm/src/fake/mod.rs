//! A provider that says what a test wants and breaks in every known way.
//!
//! It is a real server on a real socket, so that whatever is tested against it
//! has met the wire: both formats, streams and wholes, and the faults of
//! [`Fault`], most of which no in-process stand-in can have.

mod anthropic;
mod connection;
mod fault;
mod openai;
mod plan;
mod request;
mod responses;
mod says;
mod script;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::net::TcpListener;
use tokio::task::JoinSet;

pub use fault::Fault;
pub use request::{Seen, Wire};
pub use says::Says;
pub use script::{Script, ScriptError};

/// What the fake does with one request.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// It answers.
    Says(Says),
    /// It fails.
    Fails(Fault),
}

impl From<Says> for Turn {
    fn from(says: Says) -> Self {
        Turn::Says(says)
    }
}

impl From<Fault> for Turn {
    fn from(fault: Fault) -> Self {
        Turn::Fails(fault)
    }
}

/// A running fake provider. Dropping it closes its connections.
pub struct Fake {
    address: SocketAddr,
    shared: Arc<Shared>,
    _tasks: JoinSet<()>,
}

type Answers = Arc<dyn Fn(&Seen) -> Turn + Send + Sync>;

struct Shared {
    script: Mutex<Played>,
    open: AtomicUsize,
}

struct Played {
    next: VecDeque<Turn>,
    otherwise: Answers,
    key: Option<String>,
    seen: Vec<Seen>,
}

impl Fake {
    /// A fake on a free port of this machine. Until told otherwise it repeats the last thing said to it.
    pub async fn start() -> std::io::Result<Fake> {
        Fake::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// A fake at `address`.
    pub async fn bind(address: SocketAddr) -> std::io::Result<Fake> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let otherwise: Answers = Arc::new(|seen| Says::text(seen.last_text()).into());
        let script = Played { next: VecDeque::new(), otherwise, key: None, seen: Vec::new() };
        let shared = Arc::new(Shared { script: Mutex::new(script), open: AtomicUsize::new(0) });
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, shared.clone()));
        Ok(Fake { address, shared, _tasks: tasks })
    }

    /// Adds a turn to the script. Every request takes one; embeddings take only faults.
    pub fn next(&self, turn: impl Into<Turn>) {
        self.shared.script().next.push_back(turn.into());
    }

    /// What happens when the script is over.
    pub fn otherwise<T: Into<Turn>>(&self, answer: impl Fn(&Seen) -> T + Send + Sync + 'static) {
        self.shared.script().otherwise = Arc::new(move |seen| answer(seen).into());
    }

    /// From now on, requests with any other key are refused.
    pub fn require_key(&self, key: impl Into<String>) {
        self.shared.script().key = Some(key.into());
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.script().seen.clone()
    }

    /// How many connections are open.
    pub fn open(&self) -> usize {
        self.shared.open.load(Ordering::Relaxed)
    }

    /// Its address, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The value of an environment variable that leads to it: its address for
    /// both formats, and a key. It names no model, so that the default is taken.
    pub fn variable(&self, name: &str) -> Option<String> {
        match name {
            "ANTHROPIC_BASE_URL" | "OLLAMA_HOST" => Some(self.url()),
            "OPENAI_BASE_URL" => Some(format!("{}/v1", self.url())),
            "ANTHROPIC_API_KEY" | "OPENAI_API_KEY" | "OLLAMA_API_KEY" => Some("fake-key".into()),
            _ => None,
        }
    }
}

impl Shared {
    // A test that panicked while it held the lock has failed anyway.
    fn script(&self) -> MutexGuard<'_, Played> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the request and says what to do with it.
    fn turn(&self, seen: &Seen) -> Turn {
        let mut script = self.script();
        script.seen.push(seen.clone());
        if script.key.as_ref().is_some_and(|key| seen.key() != Some(key)) {
            return Fault::WrongKey.into();
        }
        let takes = seen.wire != Wire::Embeddings || matches!(script.next.front(), Some(Turn::Fails(_)));
        if takes && let Some(turn) = script.next.pop_front() {
            return turn;
        }
        let otherwise = script.otherwise.clone();
        // It is the test's own function and may ask the fake something.
        drop(script);
        otherwise(seen)
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                let shared = shared.clone();
                connections.spawn(async move {
                    shared.open.fetch_add(1, Ordering::Relaxed);
                    connection::serve(stream, &shared).await;
                    shared.open.fetch_sub(1, Ordering::Relaxed);
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
}
