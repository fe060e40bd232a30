//! A run begins: with input, or with what an earlier one left.

use std::sync::Arc;

use super::plan::{START, START_NAME};
use super::slot::{Finished, Next, Slot, Status};
use super::{Effect, End, Item, Rules, Stepper, Waiting};
use crate::TaskId;
use crate::cx::Question;
use crate::error::{Cause, NodeError};
use crate::graph::topology::Topology;
use crate::log::{Answer, Begin, Done, Logged, Planned, Record, Source, TaskOutcome, TaskRecord};
use crate::state::erased::{AnyState, AnyUpdate};
use crate::state::{ChannelSet, Merge};
use crate::view::{At, Growth, View};

/// How a run begins.
pub(crate) enum Opening {
    /// With new input, or with a command to go somewhere.
    Input { update: Option<AnyUpdate>, goto: Option<Vec<Next>> },
    /// With the tasks that are planned and not finished, or with an input that waits.
    Continue { answers: Vec<(crate::Namespace, Answer)> },
}

/// An input, and what is to be said of it.
struct GivenInput {
    id: TaskId,
    source: Source,
    update: Option<AnyUpdate>,
    goto: Option<Vec<Next>>,
}

impl Stepper {
    /// A run on a fresh state.
    pub(crate) fn new(topology: Arc<Topology>, rules: Rules) -> Self {
        let state = topology.ops.initial();
        Self::with_state(topology, rules, state)
    }

    pub(crate) fn with_state(topology: Arc<Topology>, rules: Rules, state: AnyState) -> Self {
        let joins = topology.barriers.iter().map(|barrier| vec![false; barrier.sources.len()]).collect();
        Self {
            per_node: vec![0; topology.nodes.len()],
            steps_left: rules.steps,
            topology,
            rules,
            state,
            collected: Vec::new(),
            step: -1,
            checkpoint: None,
            newest: None,
            detached: false,
            base: Vec::new(),
            waiting: None,
            slots: Vec::new(),
            parked: Vec::new(),
            joins,
            touched: ChannelSet::EMPTY,
            ephemeral: ChannelSet::EMPTY,
            growth: Growth::default(),
            active: 0,
            running: 0,
            next: 0,
            stopping: false,
            draining: false,
            dirty: false,
            over: false,
        }
    }

    /// An idle run gets ready for another one on the same thread.
    pub(crate) fn rearm(&mut self, rules: Rules) {
        self.steps_left = rules.steps;
        self.rules = rules;
        self.over = false;
        self.stopping = false;
        self.draining = false;
        // What is not stored does not outlast a run, however the thread is opened next.
        let channels = self.topology.ops.channels().iter().enumerate();
        let lost = channels.filter(|(_, channel)| channel.merge == Merge::Untracked);
        let lost = lost.fold(ChannelSet::EMPTY, |set, (channel, _)| set.with(channel, true));
        if !lost.is_empty() {
            self.topology.ops.reset(&mut self.state, lost);
        }
    }

    /// What the log would tell of this run while it is idle, less the state.
    pub(crate) fn idle_view(&self) -> View {
        let at = self.checkpoint.map(|id| At {
            id,
            parent: None,
            step: self.step,
            source: Source::Loop,
            took_input: false,
            written: None,
        });
        View { at, ..View::default() }
    }

    /// Begins. `begin` is the run's first record; none for subgraphs.
    pub(crate) fn open(&mut self, opening: Opening, begin: Option<Begin>, at_ms: u64) -> Vec<Effect> {
        let mut records: Vec<Item> = Vec::new();
        if let Some(begin) = begin
            && self.rules.recording
        {
            records.push(self.item(Record::Begin(begin)));
        }
        match opening {
            Opening::Input { update, goto } => {
                // The moment before an input has a number of its own.
                if self.checkpoint.is_some() && goto.is_none() {
                    self.step += 1;
                }
                let given = GivenInput { id: TaskId::from_u128(0), source: Source::Input, update, goto };
                self.input(given, records, at_ms)
            }
            Opening::Continue { answers } => match self.waiting.take() {
                Some(Waiting { id, update }) => {
                    let update = Some(update);
                    self.input(GivenInput { id, source: Source::Loop, update, goto: None }, records, at_ms)
                }
                None => self.go_on_with(answers, records, at_ms),
            },
        }
    }

    fn input(&mut self, given: GivenInput, mut records: Vec<Item>, at_ms: u64) -> Vec<Effect> {
        // Whatever was planned is given up: the caller has seen to it that this is wanted.
        self.parked.clear();
        for seen in &mut self.joins {
            seen.fill(false);
        }
        let mut effects = Vec::new();
        let (id, source) = (given.id, given.source);
        match self
            .note_base()
            .and_then(|()| self.accept_input(id, given.update.into_iter().collect(), given.goto))
        {
            Ok(finished) => {
                let mut slot = Slot::new(id, START);
                slot.status = Status::Done(finished);
                self.slots = vec![slot];
                self.complete(source, at_ms, &mut effects);
            }
            Err(error) => {
                self.slots.clear();
                let failure = self.failure(error.kind(), format!("the input could not be taken in: {error}"));
                self.stop(End::Failed(failure), None, &mut effects);
            }
        }
        if let Some(Effect::Commit { records: first, .. }) =
            effects.iter_mut().find(|effect| matches!(effect, Effect::Commit { .. }))
        {
            records.append(first);
            *first = records;
        }
        effects
    }

    /// The input as if a node had written it.
    pub(super) fn accept_input(
        &mut self,
        id: TaskId,
        updates: Vec<AnyUpdate>,
        goto: Option<Vec<Next>>,
    ) -> Result<Finished, NodeError> {
        let topology = Arc::clone(&self.topology);
        let ops = &topology.ops;
        let mut finished = Finished { by_handler: goto.is_some(), ..Finished::default() };
        let mut done = Done { by_handler: goto.is_some(), ..Done::default() };
        // Ids of messages in the input follow from the checkpoint it extends.
        let seed = self.checkpoint.map_or(u128::from(self.rules.salt), crate::CheckpointId::as_u128);
        for mut update in updates {
            ops.assign_ids(&mut update, TaskId::from_u128(seed));
            let (written, overwritten) = ops.reach(&update).map_err(NodeError::fatal)?;
            finished.written = finished.written.union(written);
            finished.overwritten = finished.overwritten.union(overwritten);
            if self.rules.recording {
                let entries =
                    ops.entries(&update).map_err(|error| NodeError(Cause::Encoding(error.to_string())))?;
                done.writes.push(entries);
            }
            finished.updates.push(update);
        }
        self.fold_now(&mut finished)?;
        finished.goto = match goto {
            Some(nodes) => nodes,
            None => self.pick(&topology.start.routes, START_NAME, &self.state)?,
        };
        if self.rules.recording {
            let outcome = TaskOutcome::Done(done);
            let record = TaskRecord { id, node: START_NAME.into(), outcome };
            finished.record = Some(Box::new(record));
        }
        Ok(finished)
    }

    /// For those who watch: tasks that were planned by a run that is over.
    fn about_to_start(&self) -> Vec<Planned> {
        let ready = self.slots.iter().filter(|slot| matches!(slot.status, Status::Ready(_)));
        let planned = ready.map(|slot| Planned {
            id: slot.id,
            node: Arc::clone(&self.topology.node(slot.node).name),
            input: None,
            timeout_ms: None,
        });
        planned.collect()
    }

    fn go_on_with(
        &mut self,
        answers: Vec<(crate::Namespace, Answer)>,
        mut records: Vec<Item>,
        at_ms: u64,
    ) -> Vec<Effect> {
        for slot in &mut self.slots {
            let answered = |question: &Question| answers.iter().any(|(_, answer)| answer.id == question.id);
            if matches!(&slot.status, Status::Paused(questions) if questions.iter().any(answered)) {
                slot.status = Status::Ready(slot.mode());
            }
        }
        if let Some(Item { logged: Logged { record: Record::Begin(begin), .. }, .. }) = records.first_mut() {
            begin.tasks = self.about_to_start();
            begin.step = Some(self.step);
        }
        for (ns, answer) in answers {
            if ns == self.rules.ns
                && let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == answer.task)
            {
                slot.answers.push(answer.clone());
            }
            if self.rules.recording {
                records.push(Item { logged: Logged { ns, record: Record::Answer(answer) }, snapshot: None });
            }
        }
        let mut effects = Vec::new();
        if !records.is_empty() {
            effects.push(Effect::Commit { records, boundary: true });
        }
        self.steps_left = self.steps_left.saturating_sub(1);
        self.start_ready(&mut effects);
        if self.active == 0 {
            // Everything had finished but the step's end was never reached: a crash between the two.
            self.settle(self.slots.len().saturating_sub(1), at_ms, &mut effects);
        }
        effects
    }
}
