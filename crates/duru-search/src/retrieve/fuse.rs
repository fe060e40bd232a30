//! Several rankings as one.

use std::collections::HashMap;

use crate::index::Scored;

/// How slowly a place's worth falls; the usual constant of reciprocal rank fusion.
const K: f32 = 60.0;

/// A ranking and how much it counts.
pub(super) struct Ranking<'a> {
    pub(super) weight: f32,
    pub(super) found: &'a [Scored],
}

/// Every passage's sum of `weight / (60 + place)`, the best first.
pub(super) fn fuse(rankings: &[Ranking<'_>]) -> Vec<Scored> {
    let mut sums: HashMap<&str, f32> = HashMap::new();
    for ranking in rankings {
        for (place, scored) in ranking.found.iter().enumerate() {
            *sums.entry(&scored.id).or_default() += ranking.weight / (K + 1.0 + place as f32);
        }
    }
    let mut fused: Vec<Scored> =
        sums.into_iter().map(|(id, score)| Scored { id: id.to_owned(), score }).collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_rankings_agree_on_comes_first() {
        let list = |ids: &[&str]| -> Vec<Scored> {
            ids.iter().map(|id| Scored { id: (*id).into(), score: 1.0 }).collect()
        };
        let (words, vectors) = (list(&["a", "b", "c"]), list(&["b", "d"]));
        let fused = fuse(&[Ranking { weight: 1.0, found: &words }, Ranking { weight: 1.0, found: &vectors }]);
        let ids: Vec<&str> = fused.iter().map(|scored| scored.id.as_str()).collect();
        assert_eq!(ids, ["b", "a", "d", "c"]);
        assert!((fused[0].score - (1.0 / 62.0 + 1.0 / 61.0)).abs() < 1e-6);
    }
}
