//! Checkpoints as people name them: by id, or by its beginning.

use duru::{CheckpointId, ThreadLog, ThreadState};

use super::picture::MOST;
use crate::problem::Problem;

/// The thread as it was at a checkpoint that a person named.
pub(super) async fn state_at(log: &ThreadLog, given: &str) -> Result<ThreadState, Problem> {
    let id = match given.parse::<CheckpointId>() {
        Ok(id) => id,
        Err(_) => begins_with(log, given).await?,
    };
    Ok(log.state_at(id).await?)
}

async fn begins_with(log: &ThreadLog, given: &str) -> Result<CheckpointId, Problem> {
    let history = log.history(MOST).await?;
    let fits = |id: &CheckpointId| !given.is_empty() && id.to_string().starts_with(&given.to_lowercase());
    let mut found = history.iter().filter_map(|state| state.checkpoint).filter(fits);
    let (thread, given) = (log.id().clone(), given.to_owned());
    match (found.next(), found.next()) {
        (Some(id), None) => Ok(id),
        (Some(_), Some(_)) => Err(Problem::Ambiguous { thread, given }),
        (None, _) => Err(Problem::UnknownCheckpoint { thread, given }),
    }
}

/// The beginnings of checkpoints' ids that tell them apart, all of one length.
pub(super) struct Short(usize);

impl Short {
    pub(super) fn among(states: &[ThreadState]) -> Self {
        let mut ids: Vec<String> =
            states.iter().filter_map(|state| Some(state.checkpoint?.to_string())).collect();
        ids.sort();
        let common =
            |pair: &[String]| pair[0].bytes().zip(pair[1].bytes()).take_while(|(a, b)| a == b).count();
        let length = ids.windows(2).map(|pair| common(pair) + 1).max().unwrap_or_default();
        Self(length.max(8))
    }

    pub(super) fn of(&self, state: &ThreadState) -> String {
        let id = state.checkpoint.map(|id| id.to_string()).unwrap_or_default();
        id.get(..self.0).unwrap_or(&id).to_owned()
    }
}
