//! From a call to its outcome.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::opening::{Ask, Phase};
use super::{Home, Run, Setup, Start};
use crate::app::Warm;
use crate::compiled::{Finish, Kit};
use crate::driver::{Committer, Holder, Kept, Place, Position, RunShared, Timers, drive};
use crate::error::Error;
use crate::graph::breakpoints;
use crate::graph::topology::{BoxFuture, Breakpoints, Topology};
use crate::log::{Begin, Source};
use crate::options::{Durability, Options, Unfinished};
use crate::outcome::Outcome;
use crate::past::{ThreadLog, goto_of};
use crate::state::erased::AnyState;
use crate::stepper::{End, Opening, Rules, Stepper};
use crate::store;
use crate::stream::Feed;
use crate::view::{Pinned, View};
use crate::{CheckpointId, Namespace, RunId, ThreadId};

/// Carries a run out. Each kind of run has a box of its own size: a run that
/// keeps nothing is small, and there may be tens of thousands of them.
pub(super) fn execute<O: Send + 'static>(run: Run<O>) -> BoxFuture<Result<Outcome<O>, Error>> {
    let Run { kit, finish, on, start, setup } = run;
    match on {
        None => Box::pin(bare(kit, finish, start, setup)),
        Some(home) => Box::pin(on_thread(kit, finish, home, start, setup)),
    }
}

/// A run that keeps nothing.
async fn bare<O>(kit: Kit, finish: Finish<O>, start: Start, mut setup: Setup) -> Result<Outcome<O>, Error> {
    let rules = rules(&kit.topology, &setup.options, None, setup.feed.is_some())?;
    let opening = own_start(&kit.topology, start)?;
    let id = setup.id.unwrap_or_else(|| RunId::random(kit.clock.now_ms()));
    let committer = setup.feed.take().map(|feed| {
        let place = Place {
            store: None,
            thread: feed.thread().clone(),
            run: id,
            clock: Arc::clone(&kit.clock),
            feed,
            durability: Durability::EachStep,
            holder: Holder::default(),
            queued: false,
        };
        Arc::new(Committer::new(place, Position::default()))
    });
    let metadata = std::mem::take(&mut setup.metadata);
    let begin = Begin { metadata, ..Begin::new(&*kit.topology.name, Source::Input) };
    let shared = shared(&kit, &setup, id, None, committer);
    let mut stepper = Stepper::new(Arc::clone(&kit.topology), rules);
    let end = root(&mut stepper, opening, begin, &shared).await?;
    outcome(end, stepper.state, &finish)
}

/// A run on a thread of a store: whatever its deadlines and unfinished steps
/// ask for first, then its own start.
async fn on_thread<O>(
    kit: Kit,
    finish: Finish<O>,
    home: Home,
    start: Start,
    mut setup: Setup,
) -> Result<Outcome<O>, Error> {
    setup.switches = setup.switches.complete();
    let _turn = home.desk.begin(&home.thread, setup.switches.clone())?;
    let mut start = Some(start);
    let mut went_on = false;
    let mut unfinished = setup.options.unfinished;
    loop {
        let mut stage = Stage::open(&kit, &home, &setup).await?;
        let newest = stage.view.at.as_ref().map(|at| at.id);
        let (phase, back_to) = {
            let ask = Ask {
                thread: &home.thread,
                graph: &kit.topology.name,
                start: start.as_ref().unwrap_or(&Start::Continue),
                unfinished,
                metadata: &setup.metadata,
                now_ms: kit.clock.now_ms(),
                went_on,
            };
            match setup.at.filter(|at| Some(*at) != newest && ask.has_input()) {
                Some(at) => (ask.elsewhere(&stage.view), Some(at)),
                None => (ask.phase(&stage.view)?, None),
            }
        };
        if let Some(at) = back_to {
            stage.go_back(&kit, &home, at).await?;
        }
        let (opening, begin, last) = match phase {
            Phase::Continue { answers, begin, then_start } => {
                stage.timers.set = stage.view.deadlines_to_set_again();
                (Opening::Continue { answers }, begin, !then_start)
            }
            Phase::Input { begin, discarded } => {
                stage.timers.clear = discarded;
                // What another graph had planned does not fit this one.
                if stage.view.graph.as_deref().is_some_and(|graph| *graph != *kit.topology.name) {
                    stage.view.give_up_plan();
                }
                let start = start.take().unwrap_or(Start::Continue);
                (own_start(&kit.topology, start)?, begin, true)
            }
        };
        // The caller's name is for what the caller asked for.
        let id = setup.id.filter(|_| last).unwrap_or_else(|| RunId::random(kit.clock.now_ms()));
        let (end, state) = stage.run(&kit, &home, &setup, id, (opening, begin)).await?;
        // The caller must learn whether the answer was accepted, even if the
        // thread waits for another one by now.
        let answers = matches!(start, Some(Start::Answer(_) | Start::Answers(_)));
        // A step that can't end whatever anybody does must not keep its thread from new input for ever.
        let gives_up = matches!(&end, End::Failed(failure) if failure.is_stuck())
            && matches!(start, Some(Start::Input(_) | Start::Goto(..)));
        if gives_up {
            unfinished = Unfinished::Discard;
        }
        let goes_on = gives_up || matches!(end, End::Done) || (answers && matches!(end, End::Paused(_)));
        if last || !goes_on {
            return outcome(end, state, &finish);
        }
        went_on = true;
        setup.new_thread = false;
    }
}

/// A thread, opened for one phase of a run.
struct Stage {
    view: View,
    stepper: Option<Stepper>,
    rules: Rules,
    position: Position,
    feed: Arc<Feed>,
    timers: Timers,
    /// The thread's last checkpoint, where the run begins at another one.
    newest: Option<CheckpointId>,
}

impl Stage {
    async fn open(kit: &Kit, home: &Home, setup: &Setup) -> Result<Self, Error> {
        let Home { store, desk, thread } = home;
        let rules = rules(&kit.topology, &setup.options, Some(thread), true)?;
        let head = if setup.new_thread { None } else { store.head(thread).await? };
        let feed = setup.feed.clone().unwrap_or_else(|| desk.feed(thread));
        // Another graph may have run the thread meanwhile.
        let warm = head.and_then(|head| desk.take_warm(thread, &head));
        let warm = warm.filter(|stepper| Arc::ptr_eq(&stepper.topology, &kit.topology));
        let view = match (&warm, head) {
            // An idle thread has nothing planned and nothing pending.
            (Some(stepper), _) => stepper.idle_view(),
            (None, None) => View::default(),
            (None, Some(head)) => {
                let pinned = Pinned { store: &**store, thread, incarnation: head.incarnation };
                View::load_of(pinned, &Namespace::root(), None).await?
            }
        };
        let mut position = Position::at(head);
        position.timers.extend(view.deadlines().into_iter().map(|(interrupt, _)| interrupt));
        Ok(Self { view, stepper: warm, rules, position, feed, timers: Timers::default(), newest: None })
    }

    /// Stands at an earlier moment instead, with nothing planned.
    async fn go_back(&mut self, kit: &Kit, home: &Home, to: CheckpointId) -> Result<(), Error> {
        let log = ThreadLog {
            store: Arc::clone(&home.store),
            id: home.thread.clone(),
            clock: Arc::clone(&kit.clock),
            ns: Namespace::root(),
            desk: Arc::clone(&home.desk),
        };
        // Of the thread that the run is on, and not of the next of its name.
        let incarnation = self.position.incarnation;
        let past = log.view_at_of(Pinned { store: &*home.store, thread: &home.thread, incarnation }, to);
        self.newest = std::mem::replace(&mut self.view, past.await?).at.map(|at| at.id);
        self.view.give_up_plan();
        self.stepper = None;
        Ok(())
    }

    async fn run(
        self,
        kit: &Kit,
        home: &Home,
        setup: &Setup,
        id: RunId,
        (opening, begin): (Opening, Begin),
    ) -> Result<(End, AnyState), Error> {
        let Kit { topology, clock, .. } = kit;
        let Home { store, desk, thread } = home;
        let mut stepper = match self.stepper {
            Some(mut stepper) => {
                stepper.rearm(self.rules);
                stepper
            }
            None => Stepper::restore(Arc::clone(topology), self.rules, self.view).map_err(|reason| {
                Error::Incompatible { thread: thread.clone(), graph: topology.name.to_string(), reason }
            })?,
        };
        if self.newest.is_some() {
            stepper.go_back_from(self.newest);
        }
        let place = Place {
            store: Some(Arc::clone(store)),
            thread: thread.clone(),
            run: id,
            clock: Arc::clone(clock),
            feed: self.feed,
            durability: setup.options.durability,
            holder: desk.holder.clone(),
            queued: setup.queued,
        };
        let committer = Arc::new(Committer::new(place, self.position));
        committer.change_timers(self.timers);
        let shared = shared(kit, setup, id, Some(thread.clone()), Some(Arc::clone(&committer)));
        let end = root(&mut stepper, opening, begin, &shared).await?;
        let state = Arc::clone(&stepper.state);
        let position = committer.position().await;
        if committer.place.feed.is_only_copy() {
            desk.stands(thread, Some(position.mark()));
        }
        let Position { incarnation, version, .. } = position;
        if matches!(end, End::Done) && !stepper.dirty {
            desk.keep_warm(thread, Warm { incarnation, version, stepper });
        }
        Ok((end, state))
    }
}

/// Drives the root graph and commits what it and its subgraphs push.
async fn root(
    stepper: &mut Stepper,
    opening: Opening,
    begin: Begin,
    shared: &Arc<RunShared>,
) -> Result<End, store::Error> {
    match &shared.committer {
        None => drive(stepper, opening, None, shared).await,
        Some(committer) => {
            let _kept = Kept::new(committer);
            tokio::select! {
                biased;
                end = drive(stepper, opening, Some(begin), shared) => end,
                error = committer.pump() => Err(error),
            }
        }
    }
}

fn shared(
    kit: &Kit,
    setup: &Setup,
    id: RunId,
    thread: Option<ThreadId>,
    committer: Option<Arc<Committer>>,
) -> Arc<RunShared> {
    Arc::new(RunShared {
        id,
        thread,
        clock: Arc::clone(&kit.clock),
        services: kit.services.clone(),
        committer,
        switches: setup.switches.clone(),
        durability: setup.options.durability,
        step_timeout: setup.options.step_timeout,
        pulse: None,
    })
}

pub(crate) fn rules(
    topology: &Topology,
    options: &Options,
    thread: Option<&ThreadId>,
    recording: bool,
) -> Result<Rules, Error> {
    let own = breakpoints(topology, &options.pause_before, &options.pause_after)
        .map_err(|reason| Error::Input { graph: topology.name.to_string(), reason })?;
    let both = |one: &[usize], two: Vec<usize>| one.iter().copied().chain(two).collect();
    Ok(Rules {
        thread: thread.cloned(),
        ns: Namespace::root(),
        salt: thread.map_or(0, |thread| xxh3_64(thread.as_str().as_bytes())),
        steps: options.recursion_limit,
        max_concurrency: options.max_concurrency,
        recording,
        snapshots: thread.is_some(),
        collect: false,
        breakpoints: Breakpoints {
            before: both(&topology.breakpoints.before, own.before),
            after: both(&topology.breakpoints.after, own.after),
        },
    })
}

/// The run's own input as the stepper takes it.
fn own_start(topology: &Topology, start: Start) -> Result<Opening, Error> {
    match start {
        Start::Input(update) => Ok(Opening::Input { update: Some(update), goto: None }),
        Start::Goto(update, names) => {
            let goto = names.iter().map(|(name, input)| goto_of(topology, name, input.as_ref()));
            Ok(Opening::Input { update, goto: Some(goto.collect::<Result<_, Error>>()?) })
        }
        Start::Answer(_) | Start::Answers(_) | Start::Continue | Start::Overdue => {
            Ok(Opening::Continue { answers: Vec::new() })
        }
    }
}

fn outcome<O>(end: End, state: AnyState, finish: &Finish<O>) -> Result<Outcome<O>, Error> {
    Ok(match end {
        End::Done => Outcome::Done(finish(state)?),
        End::Paused(questions) => Outcome::Paused(questions),
        End::Breakpoint(breakpoint) => Outcome::Breakpoint(breakpoint),
        End::Failed(failure) => Outcome::Failed(failure),
        End::Cancelled => Outcome::Cancelled,
        End::Drained => Outcome::Drained,
        // The stepper hands a command on only from a graph with one around it.
        End::ToParent(_) => Outcome::Cancelled,
    })
}
