//! As which node a thread is edited where none is named: the one that ran last.

use super::ThreadLog;
use crate::CheckpointId;
use crate::error::Error;
use crate::log::{Plan, Record, Source};
use crate::stepper::START_NAME;
use crate::view::Pinned;

/// Who made a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Writer {
    /// This node, and no other in its step.
    Node(String),
    /// The input.
    Input,
    /// Several nodes in one step.
    Several,
}

impl Writer {
    fn of(plan: &Plan) -> Self {
        let mut nodes = plan.tasks.iter().map(|task| &*task.node);
        match nodes.next() {
            Some(START_NAME) | None => Self::Input,
            Some(first) if nodes.all(|node| node == first) => Self::Node(first.to_owned()),
            Some(_) => Self::Several,
        }
    }
}

impl ThreadLog {
    /// Who ran last before a moment. Changes from outside and ways back are
    /// passed over: what a node did is not done again because somebody edited.
    pub(super) async fn last_writer(&self, moment: Option<CheckpointId>) -> Result<Writer, Error> {
        let Some(pinned) = Pinned::find(&*self.store, &self.id).await? else { return Ok(Writer::Input) };
        let mut moment = moment;
        while let Some(id) = moment {
            let found = match self.find_row(pinned, id).await? {
                Some(row) => Some((row, false)),
                None => self.find_row(pinned, id.after_input()).await?.map(|row| (row, true)),
            };
            // What is forgotten can't be asked.
            let Some((row, is_before)) = found else { return Ok(Writer::Several) };
            let Record::Checkpoint(made) = Record::from_row(&self.id, &row)? else { break };
            match made.source {
                Source::Input if !is_before && !made.plan.has_input() => return Ok(Writer::Input),
                Source::Loop => {
                    let planned = match made.parent {
                        Some(parent) => self.find_row(pinned, parent).await?,
                        None => None,
                    };
                    return Ok(match planned.map(|row| Record::from_row(&self.id, &row)).transpose()? {
                        Some(Record::Checkpoint(before)) => Writer::of(&before.plan),
                        _ => match made.results.as_slice() {
                            [only] => Writer::Node(only.node.to_string()),
                            _ => Writer::Several,
                        },
                    });
                }
                _ => moment = made.parent,
            }
        }
        Ok(Writer::Input)
    }
}
