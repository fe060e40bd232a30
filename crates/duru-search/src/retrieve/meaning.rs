//! How near a passage's meaning is to the question's.

use std::collections::HashMap;

use super::Scale;
use super::rerank::Candidate;
use crate::index::Scored;

/// Gives each candidate how near its meaning is, by the rankings of the question and of its other wordings.
///
/// How near is near differs from one embedder to the next and from one question to the next: what counts is how far a
/// passage stands out from the last of those that were found, and how much of the way from there to the question's own
/// meaning it is.
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
            let way = scale.map_or_else(
                || (scored.score - last.score) / (1.0 - last.score).max(f32::EPSILON),
                |scale| scale.of(scored.score),
            );
            // What was found by meaning at all stays above nothing, wherever the scale begins.
            *near = near.max(way.max(f32::MIN_POSITIVE));
        }
    }
    for candidate in candidates {
        candidate.features.meaning = shares.get(candidate.chunk.id.as_str()).copied().unwrap_or(0.0);
        candidate.features.similarity = nearest.get(candidate.chunk.id.as_str()).copied().unwrap_or(0.0);
    }
}
