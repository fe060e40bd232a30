//! Databases that the server can do without for a while: those of logs, documents and tables. Whoever asks how the server
//! is hears of them, and never waits for them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use duru_search::index::Index;
use duru_server::Server;
use duru_sql::TableSource;

use crate::store::Place;

/// How long what was heard of a database holds.
const HOLDS: Duration = Duration::from_secs(5);
/// One that takes longer to answer is away.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

/// Whether something is in a database that others may take away; a folder is on this machine, and a bucket looks after
/// itself.
pub(crate) fn is_database(place: Option<&str>) -> bool {
    matches!(place.map(|place| Place::named(place.to_owned())), Some(Place::Url(_)))
}

/// Tells how the database of these tables is.
pub(crate) fn tables(server: Server, name: &str, source: Arc<dyn TableSource>) -> Server {
    part(server, name, move || {
        let source = Arc::clone(&source);
        async move { source.version().await.map(drop).map_err(|error| error.to_string()) }
    })
}

/// Tells how the database of the documents is.
pub(crate) fn documents(server: Server, index: Arc<dyn Index>) -> Server {
    part(server, "documents", move || {
        let index = Arc::clone(&index);
        // No passage has this id: what matters is that there is an answer.
        async move { index.chunks(&[String::new()]).await.map(drop).map_err(|error| error.to_string()) }
    })
}

fn part<F>(server: Server, name: &str, ask: impl Fn() -> F + Send + Sync + 'static) -> Server
where
    F: Future<Output = Result<(), String>> + Send + 'static,
{
    let heard = Heard::of(name);
    server.part(name, move || heard.trouble(&ask))
}

/// What was heard of a part.
struct Heard {
    name: String,
    last: Mutex<Last>,
}

#[derive(Default)]
struct Last {
    /// When it was asked last, whether or not it has answered.
    asked: Option<Instant>,
    trouble: Option<String>,
}

impl Heard {
    fn of(name: &str) -> Arc<Self> {
        Arc::new(Self { name: name.to_owned(), last: Mutex::default() })
    }

    fn last(&self) -> MutexGuard<'_, Last> {
        // Nothing panics half-way through a change.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why it is away, as far as is known. If that was long ago it is asked again, for whoever wants to know next.
    fn trouble<F>(self: &Arc<Self>, ask: impl Fn() -> F) -> Option<String>
    where
        F: Future<Output = Result<(), String>> + Send + 'static,
    {
        let mut last = self.last();
        let is_old = last.asked.is_none_or(|at| at.elapsed() >= HOLDS);
        if is_old && let Ok(runtime) = tokio::runtime::Handle::try_current() {
            last.asked = Some(Instant::now());
            let (heard, asking) = (Arc::clone(self), ask());
            runtime.spawn(async move {
                let answer = tokio::time::timeout(ANSWERS_WITHIN, asking).await;
                let silent = || Err(format!("no answer within {} s", ANSWERS_WITHIN.as_secs()));
                heard.hears(answer.unwrap_or_else(|_| silent()).err());
            });
        }
        last.trouble.clone()
    }

    /// A line for the log whenever it goes or comes back: why is not for everybody, it may name hosts and users.
    fn hears(&self, trouble: Option<String>) {
        let mut last = self.last();
        match (&last.trouble, &trouble) {
            (None, Some(why)) => tracing::warn!("{} are away: {why}", self.name),
            (Some(_), None) => tracing::info!("{} are there", self.name),
            _ => {}
        }
        last.trouble = trouble;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// What is told once it has answered, or has not in time.
    async fn told(
        heard: &Arc<Heard>,
        answers: impl Fn() -> Option<Result<(), String>> + Clone + Send + 'static,
    ) {
        heard.last().asked = None;
        let ask = || {
            let answers = answers.clone();
            async move {
                match answers() {
                    Some(answer) => answer,
                    None => std::future::pending().await,
                }
            }
        };
        heard.trouble(ask);
        // Paused time: over as soon as nothing else is to do.
        tokio::time::sleep(ANSWERS_WITHIN * 2).await;
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_asks_hears_what_was_heard_last_and_waits_for_nothing() {
        let heard = Heard::of("logs");
        let last = || heard.last().trouble.clone();
        told(&heard, || Some(Ok(()))).await;
        assert_eq!(last(), None);
        told(&heard, || Some(Err("gone".to_owned()))).await;
        assert_eq!(last().as_deref(), Some("gone"));
        told(&heard, || None).await;
        assert_eq!(last().as_deref(), Some("no answer within 5 s"));
        told(&heard, || Some(Ok(()))).await;
        assert_eq!(last(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_is_not_asked_whenever_somebody_wants_to_know() {
        let (heard, asked) = (Heard::of("documents"), Arc::new(AtomicUsize::new(0)));
        for _ in 0..50 {
            let asked = Arc::clone(&asked);
            heard.trouble(move || {
                asked.fetch_add(1, Ordering::SeqCst);
                async { Ok(()) }
            });
        }
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    }
}
