//! How near a passage's meaning is to the question's.

use std::collections::HashMap;

use super::Scale;
use super::rerank::Candidate;
use crate::index::Scored;

/// Gives each candidate how near its meaning is, by the rankings of the question and of its other wordings.
///
/// How near is near differs from one embedder to the next and from one question to the next: what counts is how far a
/// passage stands out from the last of those that were found.
pub(super) fn give_to(candidates: &mut [Candidate], rankings: &[Vec<Scored>], scale: Option<&Scale>) {
    let mut shares: HashMap<&str, f32> = HashMap::new();
    let mut nearest: HashMap<&str, f32> = HashMap::new();
    for ranking in rankings {
        let (Some(first), Some(last)) = (ranking.first(), ranking.last()) else { continue };
        let span = (first.score - last.score).max(f32::MIN_POSITIVE);
        for scored in ranking {
            let share = shares.entry(&scored.id).or_default();
            *share = share.max((scored.score - last.score) / span);
            let near = nearest.entry(&scored.id).or_default();
            *near = near.max(scored.score);
        }
    }
    for candidate in candidates {
        candidate.features.meaning = shares.get(candidate.chunk.id.as_str()).copied().unwrap_or(0.0);
        let near = nearest.get(candidate.chunk.id.as_str()).copied().unwrap_or(0.0);
        // What was found by meaning at all stays above nothing, wherever the scale begins.
        let scaled = scale.filter(|_| near > 0.0).map(|scale| scale.of(near).max(f32::MIN_POSITIVE));
        candidate.features.similarity = scaled.unwrap_or(near);
    }
}
