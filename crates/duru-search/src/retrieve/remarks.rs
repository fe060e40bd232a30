//! Remarks beside the passages that they are about. They count only for those whom they are for, and are looked
//! through here: an index finds no passage by what people say of it.

use std::collections::HashMap;

use super::features::Weighed;
use super::rerank::Candidate;
use super::searcher::{Error, Request};
use crate::index::{Filter, Index, Scored};
use crate::remark::{Remark, RemarksOf};
use crate::text::squeezed;

/// A remark that speaks of so much of the question leads to its passage.
const LEADS: f32 = 0.5;

/// Remarks that may count for whoever asks, and how much of the question each speaks of.
pub(super) struct Remarks {
    by_passage: HashMap<String, Vec<(Remark, f32)>>,
    /// Whether a remark may lead to a passage: it has nothing of what most filters ask for.
    lead: bool,
}

impl Remarks {
    pub(super) async fn of(
        index: &dyn Index,
        request: &Request,
        concepts: &[Weighed],
    ) -> Result<Self, Error> {
        let collection = request.filter.collection.clone();
        let lead = request.filter == Filter { collection: collection.clone(), ..Filter::default() };
        let mut by_passage: HashMap<String, Vec<(Remark, f32)>> = HashMap::new();
        for remark in index.remarks(&RemarksOf::Viewer(request.viewer.clone())).await? {
            if collection.as_ref().is_none_or(|wanted| *wanted == remark.collection) {
                let share = share(concepts, &remark.text);
                by_passage.entry(remark.chunk.clone()).or_default().push((remark, share));
            }
        }
        Ok(Self { by_passage, lead })
    }

    /// Has passages looked at that only a remark leads to.
    pub(super) fn add_to(&self, found: &mut Vec<Scored>) {
        let leading = self
            .by_passage
            .iter()
            .filter(|(_, remarks)| self.lead && remarks.iter().any(|(_, share)| *share >= LEADS));
        let mut leading: Vec<&String> = leading.map(|(id, _)| id).collect();
        leading.sort_unstable();
        for id in leading {
            if !found.iter().any(|known| known.id == *id) {
                found.push(Scored { id: id.clone(), score: 0.0 });
            }
        }
    }

    /// Gives every passage its remarks, but those that were said of another text than it has now.
    pub(super) fn give_to(&self, candidates: &mut [Candidate], viewer: Option<&str>) {
        for candidate in candidates {
            let Some(said) = self.by_passage.get(&candidate.chunk.id) else { continue };
            let said = said.iter().filter(|(remark, _)| remark.counts_for(viewer, &candidate.chunk));
            let mut best = 0.0_f32;
            for (remark, share) in said {
                best = best.max(*share);
                candidate.remarks.push(remark.clone());
            }
            candidate.remarks.sort_by_key(|remark| viewer != Some(remark.author.as_str()));
            if best >= LEADS {
                candidate.features.words = candidate.features.words.max(best);
            }
        }
    }
}

/// How much of the question a text speaks of.
fn share(concepts: &[Weighed], text: &str) -> f32 {
    let text = squeezed(text);
    let all: f32 = concepts.iter().map(|concept| concept.weight).sum();
    if all <= 0.0 || text.is_empty() {
        return 0.0;
    }
    concepts.iter().map(|concept| concept.weight * concept.partly_in(&text)).sum::<f32>() / all
}
