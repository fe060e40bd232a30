//! Is there an answer in the documents at all?

use super::concepts::Analysis;
use super::features::Weighed;
use super::rerank::Candidate;
use crate::document::family;
use crate::text::{article_number, squeezed};

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
const ENOUGH: f32 = 0.5;

/// If another statute speaks of so much more of the question than the one that is meant, the latter is silent on it.
const ELSEWHERE: f32 = 0.3;

/// A passage that speaks of so much of the question is not silent on it.
const SPEAKS: f32 = 0.8;

/// If more of the question than this is in no passage at all, it is about something else.
const STRANGE: f32 = 0.5;

/// If one thing is more of the question than this and no passage speaks of it, the question is about that thing.
const ESSENTIAL: f32 = 0.5;

/// So many of the best passages are looked at.
const LOOKED_AT: usize = 5;

pub(super) fn judge(best: &[Candidate], concepts: &[Weighed], analysis: &Analysis) -> Answerability {
    let all: f32 = concepts.iter().map(|concept| concept.judged).sum();
    let texts: Vec<String> = best.iter().take(LOOKED_AT).map(text).collect();
    let share = |part: f32| if all > 0.0 { part / all } else { 0.0 };
    let of = |text: &String| concepts.iter().map(|concept| concept.judged * concept.partly_in(text)).sum();
    let coverage = share(texts.iter().map(of).fold(0.0, f32::max));
    // For each concept how much the passage that speaks of it most does.
    let most: Vec<f32> = concepts
        .iter()
        .map(|concept| texts.iter().map(|text| concept.partly_in(text)).fold(0.0, f32::max))
        .collect();
    let lacking = concepts.iter().zip(&most).map(|(concept, most)| concept.judged * (1.0 - most));
    let essential = share(lacking.fold(0.0, f32::max));
    let strange =
        share(concepts.iter().filter(|concept| concept.unknown).map(|concept| concept.judged).sum());
    let missing = concepts
        .iter()
        .zip(&most)
        .filter(|(concept, most)| **most < 0.3 && concept.judged > 0.0)
        .filter_map(|(concept, _)| concept.names.first().map(|words| words.join(" ")))
        .collect();
    let named = best.iter().take(LOOKED_AT).any(|candidate| candidate.features.article > 0.0);
    let fits = coverage >= ENOUGH && strange <= STRANGE && essential <= ESSENTIAL;
    let answerable =
        named || (fits && !best.is_empty() && !elsewhere(best, analysis) && !lacks_quantity(best, analysis));
    Answerability { answerable, coverage, missing }
}

fn text(candidate: &Candidate) -> String {
    let chunk = &candidate.chunk;
    let said = candidate.feedback.as_ref().map_or("", |feedback| &feedback.text);
    squeezed(&format!("{} {} {} {} {said}", chunk.title, chunk.headings.join(" "), chunk.name, chunk.text))
}

/// The statute that the question is about lacks what it asks for, and only others speak of that.
fn elsewhere(best: &[Candidate], analysis: &Analysis) -> bool {
    let is_statute = |first: &&Candidate| first.chunk.article.as_deref().and_then(article_number).is_some();
    let Some(first) = best.first().filter(is_statute) else { return false };
    // Everyday phrases and definitions are not found by how many words they share; and a passage that speaks of nearly
    // all of it is where one would look.
    if first.features.defines > 0.5
        || first.features.body > SPEAKS
        || analysis.expansions.iter().any(|expansion| expansion.words.len() > 1)
    {
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

/// How much or how many is asked, and no passage has any number of anything.
fn lacks_quantity(best: &[Candidate], analysis: &Analysis) -> bool {
    const ASKED: [&str; 7] = ["얼마", "몇", "며칠", "퍼센트", "요율", "금리", "평균"];
    // Who or where is asked, and the quantity only says of what.
    const RATHER: [&str; 4] = ["누가", "누구", "어디", "왜"];
    let question = &analysis.question;
    !RATHER.iter().any(|word| question.contains(word))
        && ASKED.iter().any(|word| question.contains(word))
        && !best.iter().take(LOOKED_AT).any(|candidate| {
            let said = candidate.feedback.as_ref().map_or("", |feedback| feedback.text.as_str());
            has_quantity(&candidate.chunk.text) || has_quantity(said)
        })
}

/// A number and what it counts: 30일, 5천만 원, 100분의 5. Numbers of articles and dates of amendments count nothing.
fn has_quantity(text: &str) -> bool {
    const UNITS: [&str; 22] = [
        "원",
        "퍼센트",
        "%",
        "프로",
        "일",
        "주일",
        "개월",
        "년",
        "월",
        "시간",
        "분",
        "명",
        "인",
        "회",
        "번",
        "배",
        "할",
        "제곱미터",
        "미터",
        "세대",
        "살",
        "세",
    ];
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let after = rest[at..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ',' || c == '.');
        let unit = after.trim_start().trim_start_matches(['백', '천', '만', '억', ' ']);
        if UNITS.iter().any(|known| unit.starts_with(known)) {
            return true;
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_told_from_numbers_of_articles_and_dates() {
        for text in ["30일 이내", "5천만 원", "1억 6,500만원", "100분의 5", "연 2퍼센트", "3 명"]
        {
            assert!(has_quantity(text), "{text}");
        }
        for text in ["제3조제2항", "<개정 2014. 7. 29.>", "1. 매매", "별표 1", "아무것도"] {
            assert!(!has_quantity(text), "{text}");
        }
    }
}
