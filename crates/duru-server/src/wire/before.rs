//! The moment before an input. LangGraph keeps a checkpoint there, and clients
//! go back to it to ask the first question differently; our log has none, since
//! nothing happened yet. It is called after the checkpoint that the input made:
//! one less.

use duru::{CheckpointId, Error, Source, ThreadLog, ThreadState};

/// What a client's checkpoint stands for.
pub(crate) enum Point {
    Checkpoint(Box<ThreadState>),
    /// Before the input that made `at`; `parent` is what was then, if anything.
    BeforeInput {
        at: Box<ThreadState>,
        parent: Option<Box<ThreadState>>,
    },
}

/// The name of the moment before the input that made a checkpoint.
pub(crate) fn id_before(checkpoint: CheckpointId) -> CheckpointId {
    CheckpointId::from_u128(checkpoint.as_u128().wrapping_sub(1))
}

/// The checkpoint whose input came after that moment, if it is one.
pub(crate) fn id_after(before: CheckpointId) -> CheckpointId {
    CheckpointId::from_u128(before.as_u128().wrapping_add(1))
}

pub(crate) async fn resolve(log: &ThreadLog, id: CheckpointId) -> Result<Point, Error> {
    let unknown = match log.state_at(id).await {
        Ok(state) => return Ok(Point::Checkpoint(Box::new(state))),
        Err(error @ Error::UnknownCheckpoint { .. }) => error,
        Err(error) => return Err(error),
    };
    match log.state_at(id_after(id)).await {
        Ok(at) if at.source == Some(Source::Input) => {
            let parent = match at.parent {
                Some(parent) => Some(Box::new(log.state_at(parent).await?)),
                None => None,
            };
            Ok(Point::BeforeInput { at: Box::new(at), parent })
        }
        _ => Err(unknown),
    }
}
