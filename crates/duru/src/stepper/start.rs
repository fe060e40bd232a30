//! Which tasks may run now.

use super::slot::Status;
use super::{Effect, Stepper};

impl Stepper {
    /// Starts what is ready, in task order, as far as the limits allow.
    pub(super) fn start_ready(&mut self, effects: &mut Vec<Effect>) {
        if self.stopping {
            return;
        }
        let mut first_ready = None;
        for i in self.next..self.slots.len() {
            if self.running >= self.rules.max_concurrency {
                first_ready = first_ready.or(Some(i));
                break;
            }
            let Status::Ready(_) = &self.slots[i].status else { continue };
            let node = self.slots[i].node;
            if self.topology.node(node).policy.limit.is_some_and(|limit| self.per_node[node] >= limit) {
                first_ready = first_ready.or(Some(i));
                continue;
            }
            self.start(i);
            effects.push(Effect::Start { slot: i });
        }
        self.next = first_ready.unwrap_or(self.slots.len());
    }

    fn start(&mut self, i: usize) {
        let slot = &mut self.slots[i];
        let node = self.topology.node(slot.node);
        if node.policy.retry.is_some() || node.handler.is_some() {
            slot.effects.get_or_insert_default();
        }
        if let Status::Ready(mode) = &slot.status {
            slot.status = Status::Running(mode.clone());
            slot.attempt += 1;
            self.running += 1;
            self.active += 1;
            self.per_node[slot.node] += 1;
        }
    }

    /// A wait before another try is over.
    pub(super) fn retry(&mut self, i: usize) -> Vec<Effect> {
        if !matches!(self.slots[i].status, Status::Waiting) {
            return Vec::new();
        }
        self.active -= 1;
        self.slots[i].status = Status::Ready(super::SlotMode::Node);
        self.slots[i].resumed = true;
        self.next = self.next.min(i);
        let mut effects = Vec::new();
        self.start_ready(&mut effects);
        effects
    }

    /// A task no longer runs.
    pub(super) fn stopped(&mut self, i: usize) {
        self.running -= 1;
        self.active -= 1;
        self.per_node[self.slots[i].node] -= 1;
    }
}
