//! One call: its tries, one after the other.

use std::sync::Arc;
use std::time::Duration;

use duru_messages::{Message, MessageChunk, UsageMetadata};
use futures_util::stream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep, timeout_at};

use super::breaker::Pass;
use super::{Budget, Shared};
use crate::{Error, Piece, Pieces, Request, TimeLimit};

pub(super) fn pieces(shared: Arc<Shared>, budget: Arc<Budget>, request: Request) -> Pieces {
    let started = Instant::now();
    let deadline = started + shared.policy.total;
    let call = Call {
        shared,
        budget,
        request,
        started,
        deadline,
        heard: false,
        tries: 0,
        wait: None,
        gone: Vec::new(),
    };
    Pieces::new(stream::unfold((call, At::Start), async |(mut call, mut at)| {
        let piece = call.next(&mut at).await?;
        Some((piece, (call, at)))
    }))
}

struct Call {
    shared: Arc<Shared>,
    budget: Arc<Budget>,
    request: Request,
    started: Instant,
    deadline: Instant,
    /// Whether any piece has come.
    heard: bool,
    tries: u32,
    /// Before the next try.
    wait: Option<Duration>,
    /// Ids of replies that were begun and do not count.
    gone: Vec<String>,
}

/// Where a call stands.
enum At {
    Start,
    Reading(Box<Try>),
    End,
}

/// A try that has begun. It holds a place among the calls at once, and gives
/// it back however it ends, also by being dropped.
struct Try {
    pieces: Pieces,
    pass: Pass,
    _place: OwnedSemaphorePermit,
    /// The id under which chunks of it were shown.
    shown: Option<String>,
    bytes: usize,
}

impl Call {
    async fn next(&mut self, at: &mut At) -> Option<Result<Piece, Error>> {
        loop {
            match std::mem::replace(at, At::End) {
                At::End => return None,
                At::Start => match self.begin().await {
                    Ok(Some(begun)) => *at = At::Reading(Box::new(begun)),
                    Ok(None) => *at = At::Start,
                    Err(error) => return Some(Err(error)),
                },
                At::Reading(mut current) => match self.read(&mut current).await {
                    Ok(Piece::Chunk(chunk)) if chunk.is_last() => {
                        self.budget.spend(&chunk.usage_metadata.clone().unwrap_or_default());
                        current.pass.answered();
                        return Some(Ok(Piece::Chunk(chunk)));
                    }
                    Ok(piece) => {
                        *at = At::Reading(current);
                        return Some(Ok(piece));
                    }
                    Err(error) => {
                        self.budget.spend(&self.estimate(current.bytes));
                        settle(current.pass, &error, current.bytes == 0);
                        if let Err(error) = self.again(error) {
                            return Some(Err(error));
                        }
                        *at = At::Start;
                        // Said before the wait: what was shown is wrong from now on.
                        if let Some(id) = current.shown {
                            self.gone.push(id.clone());
                            return Some(Ok(Piece::Superseded { id: Some(id) }));
                        }
                    }
                },
            }
        }
    }

    /// The next try; `None` if it failed at once and another is worth it.
    async fn begin(&mut self) -> Result<Option<Try>, Error> {
        if let Some(wait) = self.wait.take() {
            sleep(wait).await;
        }
        let shared = self.shared.clone();
        let (last, limit) = self.last_moment();
        let place = timeout_at(last, shared.places.clone().acquire_owned()).await;
        let Ok(Ok(place)) = place else { return Err(self.timeout(limit)) };
        // After the wait for a place, because much can fail in the meantime.
        let pass = shared.breaker.enter();
        let pass = pass.map_err(|left| Error::Resting { model: shared.model.name().to_owned(), left })?;
        self.budget.take_call()?;
        self.tries += 1;
        match self.in_time(shared.model.stream(&self.request)).await.and_then(|begun| begun) {
            Ok(pieces) => Ok(Some(Try { pieces, pass, _place: place, shown: None, bytes: 0 })),
            Err(error) => {
                settle(pass, &error, true);
                self.again(error).map(|()| None)
            }
        }
    }

    async fn read(&mut self, current: &mut Try) -> Result<Piece, Error> {
        match self.in_time(current.pieces.next()).await? {
            Some(Ok(Piece::Chunk(mut chunk))) => {
                chunk.id = chunk.id.map(|id| self.fresh(id));
                current.shown.clone_from(&chunk.id);
                current.bytes += size(&chunk);
                self.heard |= current.bytes > 0;
                Ok(Piece::Chunk(chunk))
            }
            Some(Ok(piece @ Piece::Superseded { .. })) => {
                current.shown = None;
                Ok(piece)
            }
            Some(Err(error)) => Err(error),
            None => {
                let reason = "it ended without a last piece".to_owned();
                Err(Error::Interrupted { server: self.shared.model.name().to_owned(), reason })
            }
        }
    }

    /// Clients join chunks by id: a new reply under an old id would double the old one's.
    fn fresh(&self, id: String) -> String {
        if self.gone.contains(&id) { format!("{id}-{}", self.tries) } else { id }
    }

    /// Notes the wait before another try, or gives the error back.
    fn again(&mut self, error: Error) -> Result<(), Error> {
        if !error.is_transient() || self.tries >= self.shared.policy.tries {
            return Err(error);
        }
        let wait = self.shared.policy.wait(self.tries, error.retry_after());
        let Some(wait) = wait.filter(|wait| Instant::now() + *wait < self.last_moment().0) else {
            return Err(error);
        };
        self.wait = Some(wait);
        Ok(())
    }

    async fn in_time<T>(&self, work: impl Future<Output = T>) -> Result<T, Error> {
        let idle = Instant::now() + self.shared.policy.idle;
        let (last, limit) = self.last_moment();
        let limit = if idle < last { TimeLimit::Idle } else { limit };
        timeout_at(idle.min(last), work).await.map_err(|_| self.timeout(limit))
    }

    /// When the call is over: at its own end or at the end of what it is for, whichever comes first.
    fn last_moment(&self) -> (Instant, TimeLimit) {
        let asked = self.request.until.map(|until| if self.heard { until.last } else { until.first });
        match asked {
            Some(asked) if asked < self.deadline => (asked, TimeLimit::Question),
            _ => (self.deadline, TimeLimit::Total),
        }
    }

    fn timeout(&self, limit: TimeLimit) -> Error {
        let after = match limit {
            TimeLimit::Total => self.shared.policy.total,
            TimeLimit::Idle => self.shared.policy.idle,
            TimeLimit::Question => self.started.elapsed(),
        };
        Error::Timeout { server: self.shared.model.name().to_owned(), limit, after }
    }

    /// What a try that broke off has cost, which nobody says: a token is some
    /// four bytes of English and three of Korean.
    fn estimate(&self, output: usize) -> UsageMetadata {
        let texts = self.request.messages.iter().map(Message::text);
        let input: usize =
            texts.map(|text| text.len()).sum::<usize>() + self.request.system.as_ref().map_or(0, String::len);
        UsageMetadata::new(input as u64 / 3, output as u64 / 3)
    }
}

/// Only what may pass by itself is a reason to rest. A try that took all its time and said nothing is reason enough
/// alone: the next one would cost as much.
fn settle(pass: Pass, error: &Error, silent: bool) {
    match error {
        Error::Timeout { .. } if silent => pass.hung(),
        error if error.is_transient() => pass.failed(),
        _ => pass.answered(),
    }
}

fn size(chunk: &MessageChunk) -> usize {
    let calls = chunk.tool_call_chunks.iter().map(|call| call.args.as_ref().map_or(0, String::len));
    chunk.content.text().len() + calls.sum::<usize>()
}
