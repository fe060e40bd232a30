//! The order of the passages that were found.

use super::features::Features;
use super::links::links;
use crate::document::{Chunk, family};
use crate::remark::{Remark, Verdict};

/// How much each of a passage's features counts. Chosen by hand and kept round: weights fitted to one half of a small
/// development set were no better than these on its other half, and say less about why.
const WEIGHTS: Features = Features {
    words: 1.0,
    fused: 0.3,
    name: 0.5,
    name_exact: 0.3,
    title: 0.3,
    body: 0.5,
    near: 0.2,
    wanted: 0.4,
    family: 0.3,
    named: 1.2,
    article: 2.0,
    act: 0.05,
    defines: 1.2,
    meaning: 0.8,
    similarity: 3.5,
    formal: -0.4,
};

/// How much meaning counts where no paragraph speaks of anything that the question has.
const MOST_OF_MEANING: f32 = 1.2;

/// How much of a linked passage's score is added.
const LINKED: f32 = 0.15;

/// So many of a family's best passages say how much the family is meant.
const FAMILY_BEST: usize = 3;

/// A passage on its way to its place.
pub(super) struct Candidate {
    pub(super) chunk: Chunk,
    /// Those that count for the caller, their own first.
    pub(super) remarks: Vec<Remark>,
    pub(super) features: Features,
    pub(super) score: f32,
    /// Places of linked candidates that are better.
    pub(super) linked: Option<usize>,
}

/// Scores the candidates; their order does not change.
pub(super) fn score(candidates: &mut [Candidate]) {
    families(candidates);
    // The more of the question one paragraph speaks of, the less is left for meaning to tell.
    let spoken_of = candidates.iter().map(|candidate| candidate.features.near).fold(0.0, f32::max);
    for candidate in candidates.iter_mut() {
        let meaning =
            WEIGHTS.meaning * candidate.features.meaning + WEIGHTS.similarity * candidate.features.similarity;
        candidate.score = weigh(&candidate.features) + (MOST_OF_MEANING - spoken_of) * meaning;
    }
    let chunks: Vec<&Chunk> = candidates.iter().map(|candidate| &candidate.chunk).collect();
    let links = links(&chunks);
    let before: Vec<f32> = candidates.iter().map(|candidate| candidate.score).collect();
    for (at, others) in links.into_iter().enumerate() {
        let best = others.into_iter().max_by(|a, b| before[*a].total_cmp(&before[*b]));
        if let Some(best) = best {
            candidates[at].score += LINKED * before[best].max(0.0);
            candidates[at].linked = Some(best);
        }
    }
    for candidate in candidates.iter_mut() {
        // One's own verdict counts before those that were accepted for everybody.
        let verdict =
            candidate.remarks.iter().map(|remark| remark.verdict).find(|verdict| *verdict != Verdict::Note);
        match verdict {
            Some(Verdict::Good) => candidate.score = candidate.score * 1.5 + 0.5,
            Some(Verdict::Bad) => candidate.score *= 0.3,
            Some(Verdict::Note) | None => {}
        }
    }
}

/// All but its meaning.
fn weigh(features: &Features) -> f32 {
    let (f, w) = (features, &WEIGHTS);
    f.words * w.words
        + f.fused * w.fused
        + f.name * w.name
        + f.name_exact * f.name * w.name_exact
        + f.title * w.title
        + f.body * w.body
        + f.near * w.near
        + f.wanted * w.wanted
        + f.family * w.family
        + f.named * w.named
        + f.article * w.article
        + f.act * w.act
        + f.defines * w.defines
        + f.formal * w.formal
}

/// A statute of which several passages fit is the one that is meant.
fn families(candidates: &mut [Candidate]) {
    let mut sums: Vec<(String, Vec<f32>)> = Vec::new();
    for candidate in candidates.iter() {
        let name = family(&candidate.chunk.title);
        let worth = candidate.features.words + candidate.features.body;
        match sums.iter_mut().find(|(known, _)| known == name) {
            Some((_, scores)) => scores.push(worth),
            None => sums.push((name.to_owned(), vec![worth])),
        }
    }
    for (_, scores) in &mut sums {
        scores.sort_by(|a, b| b.total_cmp(a));
        scores.truncate(FAMILY_BEST);
    }
    let best = sums.iter().map(|(_, scores)| scores.iter().sum::<f32>()).fold(f32::MIN_POSITIVE, f32::max);
    for candidate in candidates.iter_mut() {
        let name = family(&candidate.chunk.title);
        let sum = sums.iter().find(|(known, _)| known == name).map_or(0.0, |(_, scores)| scores.iter().sum());
        candidate.features.family = sum / best;
    }
}
