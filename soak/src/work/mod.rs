//! The work that is disturbed: threads whose final state follows from a seed and
//! a number of turns alone, however often they were killed on the way.

mod graphs;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use duru::store::{Checkpoints, Owner};
use duru::testkit::ledger::Ledger;
use duru::{App, Compiled, Error, Event, Mode, Outcome, Run, State, Thread, ThreadState};
use serde_json::Value;

/// One state for all graphs.
#[derive(State, Clone)]
pub(crate) struct Work {
    /// The thread's name, for the ledger.
    pub(crate) name: String,
    /// Which turn was asked for, from 0. It never goes back: another owner may
    /// ask for a turn that is done by the time it is heard.
    #[merge(max)]
    pub(crate) turn: u64,
    /// How many turns are done.
    #[merge(sum)]
    pub(crate) done: u64,
    /// What was done, in order.
    #[merge(append)]
    pub(crate) trail: Vec<String>,
    /// What it came to.
    #[merge(sum)]
    pub(crate) total: u64,
    /// How wide or long a turn is.
    pub(crate) size: u64,
    /// How often a loop went round.
    pub(crate) round: u64,
}

/// How long a node takes at most.
#[derive(Clone, Copy)]
pub(crate) struct Pace(pub(crate) Duration);

/// How long a worker owns a thread after its last sign of life.
pub(crate) const LEASE: Duration = Duration::from_secs(1);

/// All graphs on one store.
pub(crate) struct Works {
    seed: u64,
    apps: Vec<App<Work>>,
}

/// What a call did to a thread.
pub(crate) enum Moved {
    /// A run ended; so many turns are done if it said so.
    Ran(Option<u64>),
    /// A run failed, which no graph here is meant to.
    Failed(String),
    /// Nothing is left to do, unless a new turn is wanted.
    Nothing,
}

pub(crate) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The name of a thread.
pub(crate) fn name(index: usize) -> String {
    format!("t{index}")
}

impl Works {
    pub(crate) fn new(seed: u64, store: &Arc<dyn Checkpoints>, ledger: &Ledger, pace: Pace) -> Self {
        let on = |graph: Compiled<Work>| graph.provide(ledger.clone()).provide(pace).on(Arc::clone(store));
        Self { seed, apps: graphs::all().into_iter().map(on).collect() }
    }

    /// The same, with threads owned under this name, for less time than the
    /// rig lets a process stand still.
    pub(crate) fn owned_by(mut self, owner: &Owner) -> Self {
        self.apps = self.apps.iter().map(|app| app.owned_by(owner.clone(), LEASE)).collect();
        self
    }

    /// The thread of a number; which graph it has follows from the number, so
    /// that every round has all of them.
    pub(crate) fn thread(&self, index: usize) -> Result<Thread<Work>, Error> {
        self.apps[index % self.apps.len()].thread(name(index))
    }

    /// Takes a thread one call further: answers a question, goes on with what a
    /// dead process left, or, if told so, begins the next turn.
    pub(crate) async fn advance(
        &self,
        index: usize,
        new_turns: bool,
        show: &mut (dyn FnMut(&Event) + Send),
    ) -> Result<Moved, Error> {
        let thread = self.thread(index)?;
        let state = thread.state().await?;
        let run = if let Some(question) = state.questions().first() {
            let answer: Value = if question.value.get() == "\"go on?\"" { true.into() } else { 3.into() };
            thread.answer([(question.id, answer)])
        } else if !state.tasks.is_empty() {
            thread.go_on()
        } else if new_turns {
            let size = 2 + hash((self.seed, index)) % 4;
            let input = WorkUpdate::new().name(name(index)).turn(turns(&state)).size(size);
            thread.invoke(input)
        } else {
            return Ok(Moved::Nothing);
        };
        watch(run, show).await
    }

    /// Runs a thread for so many turns with nothing in the way.
    pub(crate) async fn undisturbed(&self, index: usize, wanted: u64) -> Result<ThreadState, Error> {
        let thread = self.thread(index)?;
        loop {
            let state = thread.state().await?;
            if state.tasks.is_empty() && turns(&state) >= wanted {
                return Ok(state);
            }
            self.advance(index, true, &mut |_| {}).await?;
        }
    }
}

/// How many turns a thread has done.
pub(crate) fn turns(state: &ThreadState) -> u64 {
    state.values.get("done").and_then(Value::as_u64).unwrap_or(0)
}

async fn watch(run: Run<Arc<Work>>, show: &mut (dyn FnMut(&Event) + Send)) -> Result<Moved, Error> {
    let mut stream = run.stream(Mode::ALL).await?;
    while let Some(event) = stream.next().await? {
        show(&event);
    }
    Ok(match stream.outcome().await? {
        Outcome::Done(work) => Moved::Ran(Some(work.done)),
        Outcome::Failed(failure) => Moved::Failed(failure.to_string()),
        _ => Moved::Ran(None),
    })
}
