//! One call: its tries, one after the other.

use std::sync::Arc;
use std::time::Duration;

use duru_messages::{Message, MessageChunk, UsageMetadata};
use futures_util::stream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep, timeout_at};

use super::breaker::Pass;
use super::speed::{CallLimits, Sample};
use super::{Budget, Shared};
use crate::{Error, Piece, Pieces, Request, TimeLimit};

/// A reply that took no longer came from no model.
const KEPT: Duration = Duration::from_millis(5);

pub(super) fn pieces(shared: Arc<Shared>, budget: Arc<Budget>, request: Request) -> Pieces {
    let started = Instant::now();
    let deadline = started + shared.policy.total;
    let limits = shared.speed().limits(size_of(&request), request.max_tokens, &shared.policy);
    let call = Call {
        shared,
        limits,
        trying: started,
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
    /// How long a try may take, by how fast the model was.
    limits: CallLimits,
    /// When the try began that is under way.
    trying: Instant,
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
    /// When its first word came, when its last piece did, and the longest time between two.
    first: Option<Instant>,
    latest: Instant,
    gap: Duration,
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
                        self.measure(&current, &chunk);
                        current.pass.answered();
                        return Some(Ok(Piece::Chunk(chunk)));
                    }
                    Ok(piece) => {
                        *at = At::Reading(current);
                        return Some(Ok(piece));
                    }
                    Err(error) => {
                        self.budget.spend(&self.estimate(current.bytes));
                        self.settle(current.pass, &error, current.bytes == 0);
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
        let Ok(Ok(place)) = place else { return Err(self.timeout(limit, self.shared.policy.total)) };
        // After the wait for a place, because much can fail in the meantime.
        let pass = shared.breaker.enter();
        let pass = pass.map_err(|left| Error::Resting { model: shared.model.name().to_owned(), left })?;
        self.budget.take_call()?;
        self.tries += 1;
        self.trying = Instant::now();
        let first = (self.trying, self.limits.first);
        match self.in_time(first, shared.model.stream(&self.request)).await.and_then(|begun| begun) {
            Ok(pieces) => Ok(Some(Try {
                pieces,
                pass,
                _place: place,
                shown: None,
                bytes: 0,
                first: None,
                latest: self.trying,
                gap: Duration::ZERO,
            })),
            Err(error) => {
                self.settle(pass, &error, true);
                self.again(error).map(|()| None)
            }
        }
    }

    async fn read(&mut self, current: &mut Try) -> Result<Piece, Error> {
        // Pieces without a word, as of one that thinks, are a sign of life.
        let (idle, first) = ((current.latest, self.limits.idle), (self.trying, self.limits.first));
        let idle = if current.first.is_none() && idle.0 + idle.1 < first.0 + first.1 { first } else { idle };
        match self.in_time(idle, current.pieces.next()).await? {
            Some(Ok(Piece::Chunk(mut chunk))) => {
                let now = Instant::now();
                if size(&chunk) > 0 {
                    match current.first {
                        Some(_) => current.gap = current.gap.max(now - current.latest),
                        None => current.first = Some(now),
                    }
                }
                current.latest = now;
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

    /// Waits for `work` for so long from a moment on, and at most until the try or the call is over.
    async fn in_time<T>(
        &self,
        (from, idle): (Instant, Duration),
        work: impl Future<Output = T>,
    ) -> Result<T, Error> {
        let (last, limit) = self.last_moment();
        let over = self.trying + self.limits.total;
        let (last, limit) = if over < last { (over, TimeLimit::Total) } else { (last, limit) };
        let (until, limit) = if from + idle < last { (from + idle, TimeLimit::Idle) } else { (last, limit) };
        let after = match limit {
            TimeLimit::Idle => idle,
            TimeLimit::Total => self.limits.total,
            TimeLimit::Question => Duration::ZERO,
        };
        timeout_at(until, work).await.map_err(|_| self.timeout(limit, after))
    }

    /// Notes how fast a reply came that is whole now.
    fn measure(&self, current: &Try, last: &MessageChunk) {
        let Some(first) = current.first else { return };
        // So fast is nobody who thinks: it was kept, and says nothing of how long another one takes.
        if self.trying.elapsed() < KEPT {
            return;
        }
        let said = last.usage_metadata.as_ref().map_or(0, |usage| usage.output_tokens);
        let tokens = if said > 0 { said } else { current.bytes as u64 / 3 };
        self.shared.speed().note(Sample {
            input: size_of(&self.request),
            first: first - self.trying,
            writing: first.elapsed(),
            gap: current.gap,
            tokens: tokens.max(1),
        });
    }

    /// Only what may pass by itself is a reason to rest. A try that took all its time and said nothing is reason enough
    /// alone: the next one would cost as much.
    fn settle(&self, pass: Pass, error: &Error, silent: bool) {
        match error {
            Error::Timeout { .. } if silent => {
                self.shared.speed().note_silence();
                pass.hung();
            }
            error if error.is_transient() => pass.failed(),
            _ => pass.answered(),
        }
    }

    /// When the call is over: at its own end or at the end of what it is for, whichever comes first.
    fn last_moment(&self) -> (Instant, TimeLimit) {
        let asked = self.request.until.map(|until| if self.heard { until.last } else { until.first });
        match asked {
            Some(asked) if asked < self.deadline => (asked, TimeLimit::Question),
            _ => (self.deadline, TimeLimit::Total),
        }
    }

    fn timeout(&self, limit: TimeLimit, after: Duration) -> Error {
        let after = if limit == TimeLimit::Question { self.started.elapsed() } else { after };
        Error::Timeout { server: self.shared.model.name().to_owned(), limit, after }
    }

    /// What a try that broke off has cost, which nobody says: a token is some
    /// four bytes of English and three of Korean.
    fn estimate(&self, output: usize) -> UsageMetadata {
        UsageMetadata::new(size_of(&self.request) as u64 / 3, output as u64 / 3)
    }
}

/// The bytes of a request's texts.
fn size_of(request: &Request) -> usize {
    let texts = request.messages.iter().map(Message::text);
    texts.map(|text| text.len()).sum::<usize>() + request.system.as_ref().map_or(0, String::len)
}

fn size(chunk: &MessageChunk) -> usize {
    let calls = chunk.tool_call_chunks.iter().map(|call| call.args.as_ref().map_or(0, String::len));
    chunk.content.text().len() + calls.sum::<usize>()
}
