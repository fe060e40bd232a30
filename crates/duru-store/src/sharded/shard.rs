//! One of the places: there or not, and known by its name.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use duru::ThreadId;
use duru::store::{Catalog, Checkpoints, Error, Memories, Runs};

/// A store that has all seams.
pub trait Backend: Checkpoints + Runs + Catalog + Memories {}

impl<T: Checkpoints + Runs + Catalog + Memories> Backend for T {}

pub(super) type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// Opens the place, and looks whether it is the right one.
pub(super) type Open = Box<dyn Fn() -> Asked<'static, Arc<dyn Backend>> + Send + Sync>;

/// A place that does not answer within this time is left out by those who ask
/// all of them, again and again, until it answers: workers must not lose what
/// they do elsewhere because they wait here.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);
/// How often a place that is away is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// One of the places.
pub(super) struct Shard {
    pub(super) name: Arc<str>,
    /// None where nobody says how to get there.
    open: Option<Open>,
    store: OnceLock<Arc<dyn Backend>>,
    /// Why it is away, if it is.
    away: Mutex<Option<String>>,
}

impl Shard {
    /// One that nobody has opened yet.
    pub(super) fn new(name: &str, open: Option<Open>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), open, store: OnceLock::new(), away: Mutex::new(None) })
    }

    /// Opens it. If that fails, it is away until it can be opened.
    pub(super) async fn start(self: &Arc<Self>) -> Result<(), Error> {
        let opened = self.reopen().await;
        if let Err(error) = &opened {
            self.is_away(error);
        }
        opened
    }

    async fn reopen(&self) -> Result<(), Error> {
        if self.store.get().is_some() {
            return Ok(());
        }
        let Some(open) = &self.open else {
            let why = "it is not among the shards that are configured; name it there again";
            return Err(Error::backend(format_args!("reach shard {:?}", self.name), why));
        };
        let store = open().await.map_err(|error| self.named(error))?;
        drop(self.store.set(store));
        Ok(())
    }

    /// The store, also where it was away a moment ago: each call has patience of its own.
    pub(super) fn store(&self) -> Result<&dyn Backend, Error> {
        match self.store.get() {
            Some(store) => Ok(&**store),
            None => Err(self.absence()),
        }
    }

    /// Asks one call of it.
    pub(super) async fn ask<'a, T>(
        &'a self,
        ask: impl FnOnce(&'a dyn Backend) -> Asked<'a, T>,
    ) -> Result<T, Error> {
        ask(self.store()?).await.map_err(|error| self.named(error))
    }

    /// The same, for those who ask all: at once an error while it is away, and soon one if it does not answer.
    pub(super) async fn ask_soon<'a, T>(
        self: &'a Arc<Self>,
        ask: impl FnOnce(&'a dyn Backend) -> Asked<'a, T>,
    ) -> Result<T, Error> {
        if self.lock().is_some() {
            return Err(self.absence());
        }
        let silent = || Error::backend(format_args!("reach shard {:?}", self.name), "it does not answer");
        let answer =
            tokio::time::timeout(ANSWERS_WITHIN, self.ask(ask)).await.unwrap_or_else(|_| Err(silent()));
        if let Err(error @ Error::Backend { .. }) = &answer {
            self.is_away(error);
        }
        answer
    }

    /// Says that it is away, and looks until it is not.
    fn is_away(self: &Arc<Self>, error: &Error) {
        let why = match error {
            Error::Backend { source, .. } => source.to_string(),
            other => other.to_string(),
        };
        if self.lock().replace(why.clone()).is_none() && self.open.is_some() {
            tracing::warn!("shard {:?} is away: {why}", self.name);
            tokio::spawn(look_until_there(Arc::downgrade(self)));
        }
    }

    /// Why it can't be asked now.
    pub(super) fn trouble(&self) -> Option<String> {
        self.lock().clone()
    }

    fn absence(&self) -> Error {
        let why = self.trouble().unwrap_or_else(|| "it is not open yet".to_owned());
        Error::backend(format_args!("reach shard {:?}", self.name), why)
    }

    /// An error that says where.
    fn named(&self, error: Error) -> Error {
        match error {
            Error::Backend { action, source } => {
                Error::Backend { action: format!("{action} (shard {:?})", self.name), source }
            }
            other => other,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.away.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends when the place answers, or nobody needs it any more.
async fn look_until_there(shard: Weak<Shard>) {
    loop {
        let Some(shard) = shard.upgrade() else { return };
        let there = async {
            shard.reopen().await?;
            // Of no thread: only whether there is an answer.
            let nobody = ThreadId::random();
            shard.ask(|store| Checkpoints::head(store, &nobody)).await.map(drop)
        };
        match tokio::time::timeout(ANSWERS_WITHIN, there).await {
            Ok(Ok(())) => {
                *shard.lock() = None;
                tracing::info!("shard {:?} is there", shard.name);
                return;
            }
            Ok(Err(Error::Backend { source, .. })) => *shard.lock() = Some(source.to_string()),
            Ok(Err(other)) => *shard.lock() = Some(other.to_string()),
            Err(_) => {}
        }
        drop(shard);
        tokio::time::sleep(LOOK).await;
    }
}
