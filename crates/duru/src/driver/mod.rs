//! Carries out what the stepper decides: runs tasks, writes the log, sleeps.
//! Results go back to the stepper as events, and in no other way.

mod cache;
mod commit;
mod committer;
mod keeper;
pub(crate) mod nested;
mod task;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

pub(crate) use commit::{Holder, Place, Position, Timers};
pub(crate) use committer::Committer;
pub(crate) use keeper::Kept;

use crate::app::Switches;
use crate::clock::Clock;
use crate::cx::Services;
use crate::graph::topology::BoxFuture;
use crate::log::Begin;
use crate::options::Durability;
use crate::stepper::{Effect, End, Event, Opening, Stepper, TaskResult};
use crate::{RunId, ThreadId, store};

/// Signs of life of everything that happens inside a subgraph, for its idle timeout.
#[derive(Default)]
pub(crate) struct Pulse {
    beats: Notify,
    /// That of the nearest graph around that is watched, too.
    around: Option<Arc<Pulse>>,
}

impl Pulse {
    pub(crate) fn beat(&self) {
        self.beats.notify_one();
        if let Some(around) = &self.around {
            around.beat();
        }
    }
}

/// What all graphs and tasks of one run share.
#[derive(Clone)]
pub(crate) struct RunShared {
    pub(crate) id: RunId,
    pub(crate) thread: Option<ThreadId>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) services: Services,
    /// None when nobody keeps or watches the run.
    pub(crate) committer: Option<Arc<Committer>>,
    pub(crate) switches: Switches,
    pub(crate) durability: Durability,
    pub(crate) step_timeout: Option<Duration>,
    /// Of the subgraph that this is inside of, if its signs of life are watched.
    pub(crate) pulse: Option<Arc<Pulse>>,
}

impl RunShared {
    /// The same for the inside of a subgraph whose signs of life are watched.
    fn inside(&self, pulse: &Arc<Pulse>) -> Self {
        Self { pulse: Some(Arc::clone(pulse)), ..self.clone() }
    }

    /// Whether its events wait for the store, and its nodes for them.
    fn is_held_up(&self) -> bool {
        self.committer.as_ref().is_some_and(|committer| committer.is_crowded())
    }

    /// Something has happened.
    pub(crate) fn beat(&self) {
        if let Some(pulse) = &self.pulse {
            pulse.beat();
        }
    }
}

/// The tasks of one graph's run. They die with it.
struct Tasks {
    /// The only task of its step runs here, without a hop to another thread.
    inline: Option<(usize, BoxFuture<TaskResult>)>,
    /// Made when it is needed: most steps have one task.
    spawned: Option<JoinSet<(usize, Option<TaskResult>)>>,
}

/// What the driver waits for.
enum Happened {
    Finished(usize, TaskResult),
    Retry(usize),
    Cancelled,
    Drain,
    StepTimeout,
    Lost(String),
}

/// A run of one graph, from its opening to its end. `Err` when the store failed:
/// then nothing more was done.
pub(crate) async fn drive(
    stepper: &mut Stepper,
    opening: Opening,
    begin: Option<Begin>,
    shared: &Arc<RunShared>,
) -> Result<End, store::Error> {
    let root = stepper.rules.ns.is_root();
    let mut tasks = Tasks { inline: None, spawned: None };
    let mut effects = stepper.open(opening, begin, shared.clock.now_ms());
    let stop = switched(&shared.switches, true);
    tokio::pin!(stop);
    let mut step = stepper.step;
    let mut step_ends = shared.step_timeout.map(|limit| Instant::now() + limit);
    loop {
        for effect in std::mem::take(&mut effects) {
            match effect {
                Effect::Start { slot } => tasks.start(stepper, slot, shared),
                Effect::Wait { slot, time } => {
                    tasks.spawned.get_or_insert_default().spawn(async move {
                        tokio::time::sleep(time).await;
                        (slot, None)
                    });
                }
                Effect::Commit { records, boundary } => {
                    let Some(committer) = &shared.committer else { continue };
                    let ticket = committer.push_all(records);
                    if boundary {
                        boundary_commit(committer, ticket, root, shared.durability).await?;
                    }
                }
                Effect::Abort => tasks.abort().await,
                Effect::Finish(end) => {
                    if let Some(committer) = &shared.committer
                        && root
                    {
                        committer.flush().await?;
                    }
                    return Ok(*end);
                }
            }
        }
        if stepper.step != step {
            step = stepper.step;
            // A run of nodes that never wait must let others have the thread too.
            tokio::task::coop::consume_budget().await;
            step_ends = shared.step_timeout.map(|limit| Instant::now() + limit);
        }
        // Tasks come first, so that a run whose tasks never wait pays for nothing
        // else; such a run must still hear that it is to stop.
        let happened = if shared.switches.is_cancelled() {
            Happened::Cancelled
        } else {
            tokio::select! {
                biased;
                happened = tasks.next() => happened,
                happened = &mut stop => happened,
                () = until(step_ends), if step_ends.is_some() => Happened::StepTimeout,
            }
        };
        shared.beat();
        let at_ms = shared.clock.now_ms();
        effects = match happened {
            Happened::Finished(slot, result) => {
                stepper.handle(Event::Finished { slot, result, at_ms, random: fastrand::f64() })
            }
            Happened::Retry(slot) => stepper.handle(Event::Retry { slot }),
            Happened::Lost(reason) => return Err(store::Error::backend("run a task", reason)),
            Happened::Cancelled => stepper.handle(Event::Cancel { at_ms }),
            Happened::Drain => {
                stop.set(switched(&shared.switches, false));
                stepper.handle(Event::Drain)
            }
            Happened::StepTimeout => {
                let limit = shared.step_timeout.unwrap_or_default();
                stepper.handle(Event::StepTimeout { at_ms, limit })
            }
        };
    }
}

/// Waits until the run is asked to stop.
async fn switched(switches: &Switches, or_to_drain: bool) -> Happened {
    let on = async |token: Option<&CancellationToken>| match token {
        Some(token) => token.cancelled().await,
        None => std::future::pending().await,
    };
    tokio::select! {
        biased;
        () = on(switches.cancel.as_ref()) => Happened::Cancelled,
        () = on(switches.drain.as_ref().filter(|_| or_to_drain)) => Happened::Drain,
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Waits at the end of a step as long as the run's durability asks for.
async fn boundary_commit(
    committer: &Arc<Committer>,
    ticket: u64,
    root: bool,
    durability: Durability,
) -> Result<(), store::Error> {
    match durability {
        // The root's own task may commit at once; others wait for its pump.
        Durability::EachStep if root => committer.flush().await,
        Durability::EachStep => committer.durable(ticket).await,
        Durability::Background if committer.is_far_behind() => committer.durable(ticket).await,
        Durability::Background | Durability::AtEnd => committer.error().map_or(Ok(()), Err),
    }
}

impl Tasks {
    fn start(&mut self, stepper: &Stepper, slot: usize, shared: &Arc<RunShared>) {
        let future = task::run(stepper, slot, shared);
        if stepper.slots.len() == 1 && self.spawned.as_ref().is_none_or(JoinSet::is_empty) {
            self.inline = Some((slot, future));
        } else {
            // Whatever it begins belongs to the run's trace, also where nobody wants a span of the task itself.
            let task = async move { (slot, Some(future.await)) }.in_current_span();
            self.spawned.get_or_insert_default().spawn(task);
        }
    }

    async fn next(&mut self) -> Happened {
        if let Some((slot, future)) = &mut self.inline {
            let (slot, result) = (*slot, future.as_mut().await);
            self.inline = None;
            return Happened::Finished(slot, result);
        }
        if let Some(spawned) = &mut self.spawned {
            match spawned.join_next().await {
                Some(Ok((slot, Some(result)))) => return Happened::Finished(slot, result),
                Some(Ok((slot, None))) => return Happened::Retry(slot),
                // Panics are caught inside the task and nobody aborts one: this can
                // only be a defect of the engine, and must not look like waiting.
                Some(Err(error)) => return Happened::Lost(error.to_string()),
                None => {}
            }
        }
        std::future::pending().await
    }

    /// None of them goes on.
    async fn abort(&mut self) {
        self.inline = None;
        if let Some(mut spawned) = self.spawned.take() {
            spawned.shutdown().await;
        }
    }
}
