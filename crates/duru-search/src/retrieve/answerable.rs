//! Is there an answer in the documents at all?

use super::concepts::Analysis;
use super::features::Weighed;
use super::rerank::Candidate;
use crate::document::family;
use crate::text::squeezed;

/// Whether the passages that were found can answer the question.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answerability {
    pub answerable: bool,
    /// How much of the question the best passages speak of, from nothing to one.
    pub coverage: f32,
    /// Words of the question that none of the best passages speaks of.
    pub missing: Vec<String>,
}

/// Below this, the passages are about something else.
const ENOUGH: f32 = 0.35;

/// If another statute speaks of so much more of the question than the one that is meant, the latter is silent on it.
const ELSEWHERE: f32 = 0.3;

/// If more of the question than this is in no passage at all, it is about something else.
const STRANGE: f32 = 0.5;

/// So many of the best passages are looked at.
const LOOKED_AT: usize = 5;

pub(super) fn judge(best: &[Candidate], concepts: &[Weighed], analysis: &Analysis) -> Answerability {
    let all: f32 = concepts.iter().map(|concept| concept.weight).sum();
    let texts: Vec<String> = best
        .iter()
        .take(LOOKED_AT)
        .map(|candidate| {
            let chunk = &candidate.chunk;
            let said = candidate.feedback.as_ref().map_or("", |feedback| &feedback.text);
            squeezed(&format!(
                "{} {} {} {} {said}",
                chunk.title,
                chunk.headings.join(" "),
                chunk.name,
                chunk.text
            ))
        })
        .collect();
    let named = best.iter().take(LOOKED_AT).any(|candidate| candidate.features.article > 0.0);
    let of =
        |text: &String| concepts.iter().map(|concept| concept.weight * concept.in_text(text)).sum::<f32>();
    let coverage = if all > 0.0 { texts.iter().map(of).fold(0.0, f32::max) / all } else { 0.0 };
    let missing = concepts
        .iter()
        .filter(|concept| texts.iter().all(|text| concept.in_text(text) < 0.3))
        .filter_map(|concept| concept.names.first().map(|words| words.join(" ")))
        .collect();
    let unknown =
        concepts.iter().filter(|concept| concept.unknown).map(|concept| concept.weight).sum::<f32>();
    let strange = all > 0.0 && unknown / all > STRANGE;
    let answerable =
        named || (coverage >= ENOUGH && !strange && !best.is_empty() && !elsewhere(best, analysis));
    Answerability { answerable, coverage, missing }
}

/// The statute that the question is about lacks what it asks for, and only others speak of that.
fn elsewhere(best: &[Candidate], analysis: &Analysis) -> bool {
    let Some(first) = best.first().filter(|first| first.chunk.article.is_some()) else { return false };
    // Everyday phrases and definitions are not found by how many words they share.
    if first.features.defines > 0.5 || analysis.expansions.iter().any(|expansion| expansion.words.len() > 1) {
        return false;
    }
    let meant = family(&first.chunk.title);
    let (mut own, mut others) = (0.0_f32, 0.0_f32);
    for candidate in best {
        let of = if family(&candidate.chunk.title) == meant { &mut own } else { &mut others };
        *of = of.max(candidate.features.body);
    }
    others - own > ELSEWHERE
}
