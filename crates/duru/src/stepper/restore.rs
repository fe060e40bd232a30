//! A run goes on from what the log tells.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::slot::{Finished, Next, Slot, Status};
use super::{Rules, START_NAME, Stepper, Waiting};
use crate::InterruptId;
use crate::graph::topology::Topology;
use crate::log::{Done, Failed, Planned, Source, StoredGoto, TaskOutcome};
use crate::outcome::NodeFailure;
use crate::state::erased::AnyUpdate;
use crate::state::{ChannelSet, entries_of_json};
use crate::view::View;

impl Stepper {
    /// The run that stands where the view does, or what of the view no longer
    /// fits the graph.
    pub(crate) fn restore(topology: Arc<Topology>, rules: Rules, view: View) -> Result<Self, String> {
        let names = topology.ops.channels();
        let position = |name: &String| names.iter().position(|channel| channel.name == name);
        let ephemeral = view.state.ephemeral().iter().filter_map(position);
        let ephemeral = ephemeral.fold(ChannelSet::EMPTY, |set, channel| set.with(channel, true));
        let touched = view.state.channels().keys().filter_map(position);
        let touched = touched.fold(ChannelSet::EMPTY, |set, channel| set.with(channel, true));
        let (plan, growth, at) = (view.plan, view.growth, view.at);
        let changed = at.as_ref().is_some_and(|at| matches!(at.source, Source::Update | Source::Fork));
        let (mut tasks, mut answers, mut effects) = (view.tasks, view.answers, view.effects);
        let (mut handled, tries, reopened) = (view.handled, view.tries, view.reopened);
        let answered: HashSet<InterruptId> = answers.values().flatten().map(|answer| answer.id).collect();
        let state = topology.ops.decode(view.state.into_channels()).map_err(|error| error.to_string())?;
        let mut run = Self::with_state(topology, rules, state);
        run.ephemeral = ephemeral;
        run.touched = touched;
        run.growth = growth;
        if let Some(at) = at {
            run.step = at.step;
            run.checkpoint = Some(at.id);
        }
        for name in &plan.parked {
            run.parked.push(run.index(name)?);
        }
        for (key, seen) in &plan.joins {
            run.restore_join(key, seen)?;
        }
        for planned in plan.tasks {
            if &*planned.node == START_NAME {
                run.waiting = Some(Waiting { id: planned.id, update: run.restore_input(&planned)? });
                continue;
            }
            let mut slot = run.restore_slot(&planned)?;
            slot.attempt = tries.get(&slot.id).copied().unwrap_or_default();
            slot.answers = answers.remove(&slot.id).unwrap_or_default();
            slot.effects = effects.remove(&slot.id).map(|effects| Arc::new(Mutex::new(effects.into())));
            if let Some(failed) = handled.remove(&slot.id) {
                let Failed { kind, message, attempts, .. } = failed;
                slot.attempt = attempts;
                let node = planned.node.to_string();
                slot.handled = Some(Box::new(NodeFailure { node, kind, message, attempts }));
                slot.status = Status::Ready(slot.mode());
            }
            let outcome = tasks.remove(&slot.id).map(|task| task.outcome);
            if let Some(TaskOutcome::Paused(questions)) = &outcome {
                let timed =
                    questions.iter().filter_map(|question| Some((question.id, question.deadline_ms?)));
                slot.deadlines = timed.collect();
            }
            match outcome {
                Some(TaskOutcome::Done(done)) => slot.status = Status::Done(run.restore_done(done)?),
                // Not asked again before somebody answers.
                Some(TaskOutcome::Paused(questions))
                    if !reopened.contains(&slot.id)
                        && !questions.iter().any(|q| answered.contains(&q.id)) =>
                {
                    slot.status = Status::Paused(questions);
                }
                Some(TaskOutcome::Failed(_) | TaskOutcome::Retried(_) | TaskOutcome::Paused(_)) | None => {}
            }
            run.slots.push(slot);
        }
        if changed && let [slot] = &mut *run.slots {
            slot.take_over(answers.into_values().flatten());
        }
        Ok(run)
    }

    /// An input that was put down.
    fn restore_input(&self, planned: &Planned) -> Result<AnyUpdate, String> {
        let unfit = |error: serde_json::Error| format!("the input that waits can't be read: {error}");
        let json = planned.input.as_deref().map_or("{}", |json| json.get());
        let entries = entries_of_json(json).map_err(unfit)?;
        self.topology.ops.update(&entries).map_err(unfit)
    }

    fn index(&self, name: &str) -> Result<usize, String> {
        self.topology.index_of(name).ok_or_else(|| {
            let known: Vec<&str> = self.topology.names().collect();
            format!(
                "it is about to run node {name:?}, which no longer exists; there are: {}",
                known.join(", ")
            )
        })
    }

    fn restore_join(&mut self, key: &str, seen: &[String]) -> Result<(), String> {
        let found = self.topology.barriers.iter().position(|barrier| barrier.key == key);
        let barrier = found.ok_or_else(|| format!("it waits in join {key}, which no longer exists"))?;
        let sources = self.topology.barriers[barrier].sources.clone();
        for (position, source) in sources.into_iter().enumerate() {
            if seen.iter().any(|name| **name == *self.topology.node(source).name) {
                self.joins[barrier][position] = true;
            }
        }
        Ok(())
    }

    fn restore_slot(&self, planned: &Planned) -> Result<Slot, String> {
        let node = self.index(&planned.node)?;
        let mut slot = Slot::new(planned.id, node);
        let goto = StoredGoto {
            node: planned.node.clone(),
            input: planned.input.clone(),
            timeout_ms: planned.timeout_ms,
        };
        if let Some((input, timeout)) = self.restore_goto(&goto)?.own {
            slot.input = Some(input);
            slot.timeout = timeout;
        }
        slot.resumed = true;
        Ok(slot)
    }

    fn restore_goto(&self, goto: &StoredGoto) -> Result<Next, String> {
        let node = self.index(&goto.node)?;
        let Some(json) = &goto.input else { return Ok(Next { node, own: None }) };
        let input = (self.topology.node(node).decode)(json)
            .map_err(|error| format!("the input of a task of node {:?} can't be read: {error}", goto.node))?;
        Ok(Next { node, own: Some((input, goto.timeout_ms.map(Duration::from_millis))) })
    }

    fn restore_done(&self, done: Done) -> Result<Finished, String> {
        let ops = &self.topology.ops;
        let mut finished = Finished { by_handler: done.by_handler, ..Finished::default() };
        for entries in &done.writes {
            let update = ops
                .update(entries)
                .map_err(|error| format!("a finished task's writes can't be read: {error}"))?;
            let (written, overwritten) = ops.reach(&update).map_err(|error| error.to_string())?;
            finished.written = finished.written.union(written);
            finished.overwritten = finished.overwritten.union(overwritten);
            finished.updates.push(update);
        }
        for goto in &done.goto {
            finished.goto.push(self.restore_goto(goto)?);
        }
        Ok(finished)
    }
}
