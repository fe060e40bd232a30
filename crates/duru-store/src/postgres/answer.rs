//! What the function `commit` says about a commit.

use duru::Incarnation;
use duru::store::{Commit, Error, Head};

/// How many numbers the function gives for a commit.
const NUMBERS: usize = 7;

/// Whether a commit is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Written,
    /// It does not extend the thread.
    Refused,
    /// Another owner's lease keeps it from claiming the thread.
    Owned,
    /// It would make a thread, and its run is no longer in the queue.
    Unqueued,
}

/// What became of a commit: the head that it left, or that stands in its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    pub(super) version: u64,
    pub(super) epoch: u64,
    pub(super) next_seq: u64,
    pub(super) created_ms: u64,
    pub(super) incarnation: Incarnation,
    pub(super) removals: u64,
}

impl Answer {
    /// The answers in a reply, one for each commit of a group.
    pub(super) fn all(numbers: &[i64]) -> Vec<Self> {
        numbers.chunks_exact(NUMBERS).filter_map(Self::of).collect()
    }

    fn of(numbers: &[i64]) -> Option<Self> {
        let &[verdict, version, epoch, next_seq, created_ms, incarnation, removals] = numbers else {
            return None;
        };
        // None is ever negative: each was a u64 before.
        let [version, epoch, next_seq, created_ms, incarnation, removals] =
            [version, epoch, next_seq, created_ms, incarnation, removals].map(|number| number as u64);
        let incarnation = Incarnation::from_u64(incarnation);
        let verdict = match verdict {
            1 => Verdict::Written,
            2 => Verdict::Owned,
            3 => Verdict::Unqueued,
            _ => Verdict::Refused,
        };
        Some(Self { verdict, version, epoch, next_seq, created_ms, incarnation, removals })
    }

    /// The head that the commit left.
    pub(super) fn head(self, commit: &Commit) -> Head {
        Head {
            incarnation: self.incarnation,
            version: self.version,
            epoch: self.epoch,
            next_seq: self.next_seq,
            removals: self.removals,
            status: commit.status,
            created_ms: self.created_ms,
            updated_ms: commit.at_ms,
        }
    }

    /// The head that a commit has left, though others have come after it.
    pub(super) fn head_then(self, commit: &Commit) -> Head {
        let next_seq = commit.rows.last().map_or(self.next_seq, |row| row.end());
        let (version, epoch) = (commit.version + 1, commit.epoch + u64::from(commit.claim));
        Self { version, epoch, next_seq, ..self }.head(commit)
    }

    /// Whether the commit extends the head that stands there.
    pub(super) fn fits(self, commit: &Commit) -> bool {
        self.version > 0 && commit.refusal(Some(self.head(commit))).is_none()
    }

    /// Says why a commit does not extend its thread.
    pub(super) fn refusal(self, commit: &Commit) -> Error {
        let there = (self.version > 0).then(|| self.head(commit));
        commit.refusal(there).unwrap_or_else(|| Error::Conflict {
            thread: commit.thread.clone(),
            reason: "it was deleted and made anew meanwhile".to_owned(),
        })
    }
}
