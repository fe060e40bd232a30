//! A try of a task ended: its result is kept, retried, handled or given up.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::slot::{Finished, Mode, Next, Status};
use super::{Effect, End, Item, Stepper, TaskResult};
use crate::error::{Cause, NodeError};
use crate::graph::topology::Route;
use crate::graph::{Goto, Node, ParentCommand, Replied};
use crate::log::{Done, Failed, Logged, Record, TaskOutcome, TaskRecord};
use crate::outcome::NodeFailure;
use crate::state::ChannelSet;
use crate::state::erased::AnyState;

impl Stepper {
    pub(super) fn finished(&mut self, i: usize, result: TaskResult, at_ms: u64, random: f64) -> Vec<Effect> {
        let Status::Running(mode) = &self.slots[i].status else { return Vec::new() };
        let mode = mode.clone();
        self.stopped(i);
        let mut effects = Vec::new();
        match result {
            TaskResult::Done(Replied { parent: Some(_), .. }) if self.rules.ns.is_root() => {
                let text = "its command is for the graph around this one, and there is none";
                self.failed(i, NodeError(Cause::Target(text.into())), mode, random, &mut effects);
            }
            TaskResult::Done(Replied { parent: Some(command), .. }) => {
                effects.push(Effect::Abort);
                self.over = true;
                effects.push(Effect::Finish(Box::new(End::ToParent(command))));
                return effects;
            }
            // Cancelling a run cancels all of it, and the innermost graph notices first.
            TaskResult::Cancelled => return self.cancel(at_ms),
            TaskResult::Done(replied) => match self.accept(i, replied, matches!(mode, Mode::Handler(_))) {
                Ok(finished) => self.slots[i].status = Status::Done(finished),
                Err(error) => self.failed(i, error, mode, random, &mut effects),
            },
            TaskResult::Asked(questions) => self.slots[i].status = Status::Paused(questions),
            TaskResult::Stopped(breakpoint) => self.slots[i].status = Status::Stopped(breakpoint),
            TaskResult::Drained => self.slots[i].status = Status::Drained,
            TaskResult::ForParent(command) => {
                match self.reply_of_child(command).and_then(|replied| self.accept(i, replied, false)) {
                    Ok(finished) => self.slots[i].status = Status::Done(finished),
                    Err(error) => self.failed(i, error, mode, random, &mut effects),
                }
            }
            TaskResult::Failed(error) => self.failed(i, error, mode, random, &mut effects),
        }
        self.start_ready(&mut effects);
        if self.active == 0 {
            self.settle(i, at_ms, &mut effects);
        } else {
            self.commit_task(i, &mut effects);
        }
        effects
    }

    /// Commits a finished task while its siblings still run.
    fn commit_task(&mut self, i: usize, effects: &mut Vec<Effect>) {
        if matches!(self.slots[i].status, Status::Ready(_)) {
            return;
        }
        if let Some(record) = self.take_record(i) {
            self.growth.since += crate::view::ROW_OVERHEAD + record.size();
            effects.push(Effect::Commit { records: vec![self.item(Record::Task(record))], boundary: false });
        }
    }

    pub(super) fn item(&self, record: Record) -> Item {
        Item { logged: Logged { ns: self.rules.ns.clone(), record }, snapshot: None }
    }

    /// The record of a task that ended in whatever way, if it is yet to be committed.
    pub(super) fn take_record(&mut self, i: usize) -> Option<TaskRecord> {
        if !self.rules.recording {
            return None;
        }
        let name = Arc::clone(self.node_name(i));
        let slot = &mut self.slots[i];
        let outcome = match &mut slot.status {
            Status::Done(finished) => return finished.record.take().map(|record| *record),
            Status::Failed(failed, _) => TaskOutcome::Failed(Failed::clone(failed)),
            Status::Paused(questions) => TaskOutcome::Paused(questions.clone()),
            Status::Ready(Mode::Handler(failure)) => TaskOutcome::Failed(Failed {
                kind: failure.kind,
                name: failure.kind.name().to_owned(),
                message: failure.message.clone(),
                attempts: failure.attempts,
                handled: true,
            }),
            Status::Stopped(_)
            | Status::Drained
            | Status::Waiting
            | Status::Ready(Mode::Node)
            | Status::Running(_) => return None,
        };
        Some(TaskRecord { id: slot.id, node: name, outcome })
    }

    /// A subgraph's command, as if the node that holds it had returned it. It
    /// knows this graph's nodes by name only.
    fn reply_of_child(&self, command: ParentCommand) -> Result<Replied, NodeError> {
        let mut goto = Vec::with_capacity(command.goto.len());
        for name in &command.goto {
            let index = self.topology.index_of(name).ok_or_else(|| {
                let known: Vec<&str> = self.topology.names().collect();
                let text = format!("a subgraph's command goes to {name:?}; there are: {}", known.join(", "));
                NodeError(Cause::Target(text))
            })?;
            goto.push(Goto::Node(Node { graph: 0, index }));
        }
        Ok(Replied { updates: vec![command.update], goto, ..Replied::default() })
    }

    /// Takes a reply in: what it writes, where it goes, how it is stored.
    pub(super) fn accept(
        &mut self,
        i: usize,
        replied: Replied,
        by_handler: bool,
    ) -> Result<Finished, NodeError> {
        let ops = Arc::clone(&self.topology.ops);
        let mut finished = Finished { by_handler, ..Finished::default() };
        let mut done = Done { by_handler, cached: replied.cached, ..Done::default() };
        for mut update in replied.updates {
            ops.assign_ids(&mut update, self.slots[i].id);
            let (written, overwritten) = ops.reach(&update).map_err(NodeError::fatal)?;
            if written.is_empty() {
                continue;
            }
            finished.written = finished.written.union(written);
            finished.overwritten = finished.overwritten.union(overwritten);
            if self.rules.recording {
                done.writes.push(
                    ops.entries(&update).map_err(|error| NodeError(Cause::Encoding(error.to_string())))?,
                );
            }
            finished.updates.push(update);
        }
        finished.goto = self.commanded(i, replied.goto)?;
        if !by_handler {
            self.follow_routes(i, &mut finished)?;
        }
        if self.rules.recording {
            for next in &finished.goto {
                let name = &self.topology.node(next.node).name;
                done.goto
                    .push(next.stored(name).map_err(|error| NodeError(Cause::Encoding(error.to_string())))?);
            }
            let node = Arc::clone(self.node_name(i));
            let outcome = TaskOutcome::Done(done);
            finished.record = Some(Box::new(TaskRecord { id: self.slots[i].id, node, outcome }));
        }
        Ok(finished)
    }

    fn commanded(&self, i: usize, goto: Vec<crate::graph::Goto>) -> Result<Vec<Next>, NodeError> {
        let node = self.topology.node(self.slots[i].node);
        let mut all = Vec::with_capacity(goto.len());
        for goto in goto {
            if self.is_foreign(&goto) {
                return Err(undeclared(&node.name, "command", STRANGER));
            }
            let Some(next) = Next::of(goto) else { continue };
            if !node.may_go.contains(&next.node) && !self.rules_allow(next.node, i) {
                return Err(undeclared(&node.name, "command", self.name_of(next.node)));
            }
            self.check_input(&next)?;
            all.push(next);
        }
        Ok(all)
    }

    /// An error handler may go wherever its node's edges, routes or commands may.
    fn rules_allow(&self, target: usize, i: usize) -> bool {
        let node = self.topology.node(self.slots[i].node);
        node.exits.fixed.contains(&target)
            || node.exits.routes.iter().any(|route| route.targets.contains(&target))
    }

    fn name_of(&self, node: usize) -> &str {
        self.topology.nodes.get(node).map_or(STRANGER, |node| &node.name)
    }

    /// Whether a handle was made by another graph. Commands of subgraphs come
    /// by name and have no graph of their own.
    fn is_foreign(&self, goto: &Goto) -> bool {
        let graph = match goto {
            Goto::Node(node) => node.graph,
            Goto::Send(send) => send.node.graph,
            Goto::End => return false,
        };
        graph != 0 && graph != self.topology.id
    }

    fn check_input(&self, next: &Next) -> Result<(), NodeError> {
        let node = self.topology.node(next.node);
        if next.own.is_none() && !node.takes_state {
            let text = format!("node {} takes an input of its own: send it one", node.name);
            return Err(NodeError(Cause::Target(text)));
        }
        Ok(())
    }

    /// Asks the node's routes. They see the state with this task's writes only.
    fn follow_routes(&mut self, i: usize, finished: &mut Finished) -> Result<(), NodeError> {
        let topology = Arc::clone(&self.topology);
        let node = topology.node(self.slots[i].node);
        if node.exits.routes.is_empty() {
            return Ok(());
        }
        let alone = self.slots.len() == 1;
        let one_try = node.policy.retry.is_none() && node.handler.is_none();
        let picked = if finished.updates.is_empty() {
            self.pick(&node.exits.routes, &node.name, &self.state)
        } else if alone && one_try {
            // The only task of its step: what it wrote is what the step writes.
            self.fold_now(finished)?;
            self.pick(&node.exits.routes, &node.name, &self.state)
        } else {
            // Siblings' writes must not show, and a failed route must leave no
            // trace: the route looks at a copy.
            let mut copy = self.state.clone();
            for update in &finished.updates {
                let update = topology.ops.copy_update(update).map_err(NodeError::fatal)?;
                guarded(|| topology.ops.fold(&mut copy, update, ChannelSet::EMPTY))?
                    .map_err(NodeError::fatal)?;
            }
            self.pick(&node.exits.routes, &node.name, &copy)
        };
        finished.goto.extend(picked?);
        Ok(())
    }

    /// Folds the updates of a step's only task.
    pub(super) fn fold_now(&mut self, finished: &mut Finished) -> Result<(), NodeError> {
        self.dirty = true;
        for update in std::mem::take(&mut finished.updates) {
            self.collect(&update, ChannelSet::EMPTY)?;
            let (ops, state) = (&self.topology.ops, &mut self.state);
            guarded(|| ops.fold(state, update, ChannelSet::EMPTY))?.map_err(NodeError::fatal)?;
        }
        finished.folded = true;
        Ok(())
    }

    /// Where routes go, in order.
    pub(super) fn pick(
        &self,
        routes: &[Route],
        from: &str,
        state: &AnyState,
    ) -> Result<Vec<Next>, NodeError> {
        let mut all = Vec::new();
        for route in routes {
            for goto in guarded(|| (route.pick)(state))? {
                if self.is_foreign(&goto) {
                    return Err(undeclared(from, "route", STRANGER));
                }
                match Next::of(goto) {
                    Some(next) if route.targets.contains(&next.node) => {
                        self.check_input(&next)?;
                        all.push(next);
                    }
                    Some(next) => return Err(undeclared(from, "route", self.name_of(next.node))),
                    None if route.may_end => {}
                    None => return Err(undeclared(from, "route", "END")),
                }
            }
        }
        Ok(all)
    }

    /// A try failed: try again, hand over to the error handler, or give up.
    fn failed(&mut self, i: usize, error: NodeError, mode: Mode, random: f64, effects: &mut Vec<Effect>) {
        let topology = Arc::clone(&self.topology);
        let node = topology.node(self.slots[i].node);
        let attempt = self.slots[i].attempt;
        if let (Mode::Node, Some(retry)) = (&mode, &node.policy.retry) {
            let may = attempt < retry.attempts && !self.stopping && !error.is_over();
            // A panic in the user's judgement is no reason to try again.
            let again = may && guarded(|| (retry.on)(&error)).unwrap_or(false);
            if again {
                self.slots[i].status = Status::Waiting;
                self.active += 1;
                self.commit_try(i, &error, effects);
                effects.push(Effect::Wait { slot: i, time: retry.wait_after(attempt, random) });
                return;
            }
        }
        let failure = NodeFailure {
            node: node.name.to_string(),
            kind: error.kind(),
            message: error.to_string(),
            attempts: attempt,
        };
        if matches!(mode, Mode::Node) && node.handler.is_some() && !self.stopping && !error.is_over() {
            let slot = &mut self.slots[i];
            slot.handled = Some(Box::new(failure));
            slot.status = Status::Ready(slot.mode());
            // What the node was told was not said to its handler.
            slot.answers.clear();
            slot.deadlines.clear();
            self.next = self.next.min(i);
            // Durable before the handler starts: a crash resumes at the handler.
            if let Some(record) = self.take_record(i) {
                let records = vec![self.item(Record::Task(record))];
                effects.push(Effect::Commit { records, boundary: true });
            }
            return;
        }
        let failed = Failed {
            kind: failure.kind,
            name: error.name(),
            message: failure.message,
            attempts: attempt,
            handled: false,
        };
        self.slots[i].status = Status::Failed(Box::new(failed), error.source_arc());
        self.stopping = true;
        // Those that wait for another try will not get it in this run.
        for slot in &mut self.slots {
            if matches!(slot.status, Status::Waiting) {
                slot.status = Status::Ready(Mode::Node);
                self.active -= 1;
            }
        }
    }
}

impl Stepper {
    /// Makes durable how often a task was tried, before it is tried again: a crash must not give it more tries.
    fn commit_try(&self, i: usize, error: &NodeError, effects: &mut Vec<Effect>) {
        if !self.rules.recording {
            return;
        }
        let failed = Failed {
            kind: error.kind(),
            name: error.name(),
            message: error.to_string(),
            attempts: self.slots[i].attempt,
            handled: false,
        };
        let (id, node) = (self.slots[i].id, Arc::clone(self.node_name(i)));
        let record = Record::Task(TaskRecord { id, node, outcome: TaskOutcome::Retried(failed) });
        effects.push(Effect::Commit { records: vec![self.item(record)], boundary: true });
    }
}

/// A handle that another graph made.
const STRANGER: &str = "a node of another graph";

fn undeclared(from: &str, what: &str, to: &str) -> NodeError {
    NodeError(Cause::Target(format!(
        "the {what} of node {from} went to {to}, which it does not declare; add it to its targets"
    )))
}

/// Runs a user's pure function; its panic is an error.
pub(super) fn guarded<T>(function: impl FnOnce() -> T) -> Result<T, NodeError> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|panic| NodeError(Cause::Panicked(panic_text(&*panic))))
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".into())
}
