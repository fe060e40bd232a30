//! How a run stops.

use std::time::Duration;

use super::slot::Status;
use super::{Effect, End, Item, Stepper};
use crate::error::{Failure, FailureKind};
use crate::log::{self, EndStatus, Record, RunError};

impl Stepper {
    /// Ends the run, with the record of the task that ended last.
    pub(super) fn stop(&mut self, end: End, last: Option<usize>, effects: &mut Vec<Effect>) {
        self.over = true;
        let mut records: Vec<Item> = Vec::new();
        if let Some(record) = last.and_then(|last| self.take_record(last)) {
            records.push(self.item(Record::Task(record)));
        }
        records.extend(self.end_record(&end));
        if self.rules.recording && !records.is_empty() {
            match effects.last_mut() {
                // One transaction with the checkpoint that the run ends at.
                Some(Effect::Commit { records: open, boundary }) => {
                    open.extend(records);
                    *boundary = true;
                }
                _ => effects.push(Effect::Commit { records, boundary: true }),
            }
        }
        effects.push(Effect::Finish(Box::new(end)));
    }

    /// Only the root's end is a run's end.
    fn end_record(&self, end: &End) -> Option<Item> {
        if !self.rules.ns.is_root() || !self.rules.recording {
            return None;
        }
        let status = match end {
            End::Done | End::ToParent(_) => EndStatus::Done,
            End::Paused(_) | End::Breakpoint(_) => EndStatus::Paused,
            End::Failed(_) => EndStatus::Failed,
            End::Cancelled => EndStatus::Cancelled,
            End::Drained => EndStatus::Drained,
        };
        let error = match end {
            End::Failed(failure) => Some(RunError {
                kind: failure.kind,
                name: failure.name.clone(),
                message: failure.to_string(),
                cause: failure.message.clone(),
            }),
            _ => None,
        };
        Some(self.item(Record::End(log::End { status, error })))
    }

    pub(super) fn failure(&self, kind: FailureKind, message: String) -> Failure {
        let ns = &self.rules.ns;
        let name = &self.topology.name;
        Failure {
            kind,
            name: kind.name().to_owned(),
            message,
            graph: if ns.is_root() { name.to_string() } else { format!("{name} ({ns})") },
            node: None,
            step: self.step + 1,
            thread: self.rules.thread.clone(),
            task: None,
            source: None,
            stuck: false,
        }
    }

    pub(super) fn cancel(&mut self, _at_ms: u64) -> Vec<Effect> {
        let mut effects = vec![Effect::Abort];
        self.stop(End::Cancelled, None, &mut effects);
        effects
    }

    pub(super) fn step_timeout(&mut self, _at_ms: u64, limit: Duration) -> Vec<Effect> {
        let late: Vec<&str> = (0..self.slots.len())
            .filter(|i| matches!(self.slots[*i].status, Status::Running(_) | Status::Waiting))
            .map(|i| self.node_name(i).as_ref())
            .collect();
        let text = format!("the step took longer than {limit:?}; not finished: {}", late.join(", "));
        let failure = self.failure(FailureKind::StepTimeout, text);
        let mut effects = vec![Effect::Abort];
        self.stop(End::Failed(failure), None, &mut effects);
        effects
    }
}
