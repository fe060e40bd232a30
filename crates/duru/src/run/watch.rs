//! A run together with what it shows.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::execute::execute;
use super::{Home, Run};
use crate::ThreadId;
use crate::error::Error;
use crate::options::Durability;
use crate::outcome::Outcome;
use crate::store::Seq;
use crate::stream::{Event, Feed, Mark, Mode, Reader, Wanted};

type Running<O> = Pin<Box<dyn Future<Output = Result<Outcome<O>, Error>> + Send>>;

/// A run that is being watched. It ends when this is dropped.
pub struct RunStream<O> {
    running: Option<Running<O>>,
    outcome: Option<Result<Outcome<O>, Error>>,
    reader: Reader,
}

pub(super) async fn start<O: Send + 'static>(
    mut run: Run<O>,
    modes: Vec<Mode>,
) -> Result<RunStream<O>, Error> {
    let wanted = Wanted { modes, subgraphs: true };
    let reader = match &run.on {
        Some(Home { store, desk, thread }) => {
            let feed = if run.setup.options.durability == Durability::AtEnd {
                // What such a run shows is in no store yet.
                let feed = Arc::new(Feed::new(thread.clone(), true));
                run.setup.feed = Some(Arc::clone(&feed));
                feed
            } else {
                desk.feed(thread)
            };
            let asked = feed.changes();
            let head = store.head(thread).await?;
            feed.stands(head.map(Mark::from), asked);
            let from: Seq = head.map_or(0, |head| head.next_seq);
            Reader::new(thread.clone(), Some(Arc::clone(store)), feed, wanted, from).of(head)
        }
        None => {
            let thread = ThreadId::random();
            let feed = Arc::new(Feed::new(thread.clone(), true));
            run.setup.feed = Some(Arc::clone(&feed));
            Reader::new(thread, None, feed, wanted, 0)
        }
    };
    Ok(RunStream { running: Some(execute(run)), outcome: None, reader })
}

impl<O> RunStream<O> {
    /// The next event; none when the run is over and everything was shown.
    pub async fn next(&mut self) -> Result<Option<Event>, Error> {
        loop {
            let Some(running) = &mut self.running else {
                return Ok(self.reader.next_ready().await?);
            };
            tokio::select! {
                biased;
                event = self.reader.next() => return Ok(Some(event?)),
                outcome = running => {
                    self.outcome = Some(outcome);
                    self.running = None;
                }
            }
        }
    }

    /// How the run ended. Events that were not read are passed over.
    pub async fn outcome(mut self) -> Result<Outcome<O>, Error> {
        while self.outcome.is_none() {
            self.next().await?;
        }
        match (self.outcome.take(), self.running.take()) {
            (Some(outcome), _) => outcome,
            (None, Some(running)) => running.await,
            (None, None) => Ok(Outcome::Cancelled),
        }
    }
}
