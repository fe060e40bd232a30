//! What is to be done in the next step.

use std::sync::Arc;

use super::Stepper;
use super::slot::{Finished, Next, Slot, millis};
use crate::graph::topology::Exits;
use crate::log::{Breakpoint, Plan, Planned};
use crate::{CheckpointId, TaskId};

/// Nodes to be run with the state, and tasks with inputs of their own.
#[derive(Default)]
pub(super) struct NextNodes {
    nodes: Vec<usize>,
    sends: Vec<Next>,
}

impl NextNodes {
    pub(super) fn follow(&mut self, fixed: &[usize], goto: Vec<Next>) {
        self.nodes.extend(fixed);
        for next in goto {
            if next.own.is_some() {
                self.sends.push(next);
            } else {
                self.nodes.push(next.node);
            }
        }
    }
}

impl Stepper {
    /// What the tasks of a step lead to.
    pub(super) fn next_nodes(&mut self, tasks: &mut [(usize, Finished)]) -> NextNodes {
        let topology = Arc::clone(&self.topology);
        let mut next = NextNodes::default();
        for (node, finished) in tasks {
            let exits = if *node == START { &topology.start } else { &topology.node(*node).exits };
            let goto = std::mem::take(&mut finished.goto);
            if finished.by_handler {
                next.follow(&[], goto);
                continue;
            }
            next.follow(&exits.fixed, goto);
            self.pass_joins(exits, &mut next);
        }
        next
    }

    fn pass_joins(&mut self, exits: &Exits, next: &mut NextNodes) {
        for (barrier, source) in &exits.barriers {
            let seen = &mut self.joins[*barrier];
            seen[*source] = true;
            if seen.iter().all(|seen| *seen) {
                seen.fill(false);
                next.nodes.push(self.topology.barriers[*barrier].target);
            }
        }
    }

    /// Makes the tasks of the next step: nodes by name, each once, then sends
    /// in the order in which they were sent. Deferred nodes wait until nothing
    /// else is left.
    pub(super) fn plan(&mut self, id: CheckpointId, next: NextNodes) {
        let NextNodes { mut nodes, sends } = next;
        nodes.append(&mut self.parked);
        if nodes.len() > 1 {
            nodes.sort_by_key(|node| self.topology.rank[*node]);
            nodes.dedup();
        }
        let is_deferred = |node: &usize| self.topology.node(*node).deferred;
        if !sends.is_empty() || !nodes.iter().all(is_deferred) {
            let parked = nodes.iter().copied().filter(is_deferred).collect();
            nodes.retain(|node| !is_deferred(node));
            self.parked = parked;
        }
        self.slots = Vec::with_capacity(nodes.len() + sends.len());
        let all = nodes.into_iter().map(|node| Next { node, own: None }).chain(sends);
        for (index, next) in all.enumerate() {
            let name = &self.topology.node(next.node).name;
            let task = TaskId::derive(id, &self.rules.ns, name, index);
            let mut slot = Slot::new(task, next.node);
            if let Some((input, timeout)) = next.own {
                slot.input = Some(input);
                slot.timeout = timeout;
            }
            self.slots.push(slot);
        }
        self.next = 0;
        self.stopping = false;
    }

    pub(super) fn stored_plan(&self, paused: Option<Breakpoint>) -> Result<Plan, serde_json::Error> {
        let shared = |node: usize| Arc::clone(&self.topology.node(node).name);
        let name = |node: usize| self.topology.node(node).name.to_string();
        let mut plan = Plan { paused, ..Plan::default() };
        for slot in &self.slots {
            plan.tasks.push(Planned {
                id: slot.id,
                node: shared(slot.node),
                input: slot.input.as_ref().map(|input| input.to_json()).transpose()?,
                timeout_ms: slot.timeout.map(millis),
            });
        }
        plan.parked = self.parked.iter().map(|node| name(*node)).collect();
        for (barrier, seen) in self.topology.barriers.iter().zip(&self.joins) {
            let sources = barrier.sources.iter().zip(seen).filter(|(_, seen)| **seen);
            let sources: Vec<String> = sources.map(|(source, _)| name(*source)).collect();
            if !sources.is_empty() {
                plan.joins.push((barrier.key.clone(), sources));
            }
        }
        Ok(plan)
    }
}

/// Stands for the input where a node is expected.
pub(super) const START: usize = usize::MAX;

/// What the input is called where a node is named.
pub(crate) const START_NAME: &str = "__start__";
