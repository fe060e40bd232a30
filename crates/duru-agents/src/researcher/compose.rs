//! An answer out of the documents' own sentences.

use duru_search::text::Thesaurus;

use super::claims::Unsupported;
use super::conflicts::Conflict;
use super::document::{Document, Subtask};
use super::planted::is_planted;
use super::sentences::{sentences, without_citations};
use super::subject::{Subject, squeezed};

/// So many sentences answer one part of a question.
const PER_PART: usize = 3;

/// A sentence must say so much of what the best one says.
const BESIDE_BEST: f32 = 0.55;

/// A sentence longer than this is cut for the reader; its citation leads to the rest.
const LONGEST: usize = 400;

/// What an answer is made of.
pub(super) struct Material<'a> {
    pub(super) subtasks: &'a [Subtask],
    pub(super) documents: &'a [Document],
    pub(super) conflicts: &'a [Conflict],
    /// What was refused before.
    pub(super) refused: &'a [Unsupported],
    pub(super) thesaurus: &'a Thesaurus,
}

struct Candidate<'a> {
    document: usize,
    sentence: &'a str,
    covered: Vec<f32>,
    score: f32,
}

/// The best supported sentences, each with its source's number; empty if there are none.
pub(super) fn extract(material: &Material<'_>) -> String {
    let contents: Vec<String> = material.documents.iter().map(Document::content).collect();
    let mut chosen: Vec<(usize, &str)> = Vec::new();
    for subtask in material.subtasks {
        let subject = Subject::of(&subtask.query, material.thesaurus);
        let candidates = candidates(material, &contents, subtask, &subject);
        choose(candidates, &subject, &mut chosen);
    }
    for conflict in material.conflicts {
        both_sides(conflict, material.documents, &contents, &mut chosen);
    }
    let lines = chosen
        .into_iter()
        .map(|(document, sentence)| line(&material.documents[document], sentence, document + 1));
    lines.collect::<Vec<_>>().join("\n")
}

fn candidates<'a>(
    material: &Material<'_>,
    contents: &'a [String],
    subtask: &Subtask,
    subject: &Subject,
) -> Vec<Candidate<'a>> {
    let mut found = Vec::new();
    for (rank, id) in subtask.documents.iter().enumerate() {
        let Some(document) = material.documents.iter().position(|document| document.id == *id) else {
            continue;
        };
        let label = material.documents[document].label();
        for (place, sentence) in sentences(&contents[document]).into_iter().enumerate() {
            let bare = without_citations(sentence);
            if is_planted(sentence)
                || is_heading(sentence, &material.documents[document])
                || bare.chars().count() < 5
                || material.refused.iter().any(|refused| refused.claim.contains(&bare))
            {
                continue;
            }
            let covered = subject.covered(sentence);
            let own: f32 = covered.iter().sum();
            let with_label = subject.covered(&format!("{label} {sentence}")).iter().sum::<f32>();
            let share = (0.6 * own + 0.4 * with_label) / subject.total();
            // The first sentence of a passage says what it is about; later passages fit less.
            let score = share
                + if subject.wanted(sentence) { 0.2 } else { 0.0 }
                + if place == 0 { 0.05 } else { 0.0 }
                - 0.12 * rank as f32;
            // It may be about the question by its heading alone.
            if own > 0.0 || (rank == 0 && with_label > 0.0) {
                found.push(Candidate { document, sentence, covered, score });
            }
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// The best first, then those that say more than what is there already.
fn choose<'a>(candidates: Vec<Candidate<'a>>, subject: &Subject, chosen: &mut Vec<(usize, &'a str)>) {
    let Some(best) = candidates.first().map(|candidate| candidate.score) else { return };
    let mut said: Vec<f32> = Vec::new();
    let mut count = 0;
    for candidate in candidates {
        let adds = candidate
            .covered
            .iter()
            .enumerate()
            .map(|(at, now)| (now - said.get(at).unwrap_or(&0.0)).max(0.0));
        let adds = adds.sum::<f32>() / subject.total();
        let known = chosen.iter().any(|(_, sentence)| *sentence == candidate.sentence);
        let worth = count == 0 || candidate.score >= best * BESIDE_BEST || adds >= 0.15;
        if count >= PER_PART || candidate.score <= 0.0 || !worth || known {
            continue;
        }
        said.resize(candidate.covered.len(), 0.0);
        for (before, now) in said.iter_mut().zip(&candidate.covered) {
            *before = before.max(*now);
        }
        chosen.push((candidate.document, candidate.sentence));
        count += 1;
    }
}

/// Whoever quotes one side of a contradiction quotes the other.
fn both_sides<'a>(
    conflict: &Conflict,
    documents: &[Document],
    contents: &'a [String],
    chosen: &mut Vec<(usize, &'a str)>,
) {
    let place = |id: &str, says: &str| -> Option<(usize, &'a str)> {
        let at = documents.iter().position(|document| document.id == id)?;
        Some((at, sentences(contents.get(at)?).into_iter().find(|sentence| *sentence == says)?))
    };
    let sides =
        [place(&conflict.first, &conflict.first_says), place(&conflict.second, &conflict.second_says)];
    if sides.iter().flatten().any(|side| chosen.contains(side)) {
        for side in sides.into_iter().flatten() {
            if !chosen.contains(&side) && !is_planted(side.1) {
                chosen.push(side);
            }
        }
    }
}

/// Whether a line only names the passage.
fn is_heading(sentence: &str, document: &Document) -> bool {
    let text = squeezed(sentence);
    [document.label(), document.section.clone(), document.title.clone()].iter().any(|name| {
        let name = squeezed(name);
        !name.is_empty() && name.ends_with(&text)
    })
}

/// `집빌림법 제7조(증감청구권) 제2항: 증액은 … 못한다. [1]`
fn line(document: &Document, sentence: &str, number: usize) -> String {
    let mut sentence = sentence.trim_start_matches(['-', '*', '#', '>', ' ']);
    let mut paragraph = String::new();
    // Behind a lead, the paragraph's sign would begin a sentence of its own.
    if let Some(sign) = sentence.chars().next().filter(|sign| ('①'..='⑳').contains(sign)) {
        paragraph = format!(" 제{}항", u32::from(sign) - u32::from('①') + 1);
        sentence = sentence[sign.len_utf8()..].trim_start();
    }
    let short: String = sentence.chars().take(LONGEST).collect();
    let more = if short.len() < sentence.len() { "…" } else { "" };
    // An article begins with its own name.
    let named = document.article.as_ref().is_some_and(|article| sentence.starts_with(article.as_str()));
    let lead = if named { document.title.clone() } else { document.label() + &paragraph };
    // A sentence of its own would be one without a source.
    let lead = lead.replace(['.', '?', '!', '\n'], " ");
    let lead = if lead.trim().is_empty() { String::new() } else { format!("{lead}: ") };
    format!("{lead}{short}{more} [{number}]")
}

#[cfg(test)]
mod tests {
    use super::super::claims::{claims, fault};
    use super::*;

    #[test]
    fn a_paragraph_of_an_article_is_one_supported_claim() {
        let document = Document {
            id: "a".into(),
            title: "집빌림법".into(),
            section: "발급방법".into(),
            article: Some("제30조".into()),
            text: "제30조(발급방법)\n① 증명서는 신청하면 발급한다.\n② 도면은 따로 신청한 때에만 발급한다."
                .into(),
            ..Document::default()
        };
        let subtask = Subtask {
            id: 1,
            query: "도면 증명서 발급 방법".into(),
            documents: vec!["a".into()],
            ..Subtask::default()
        };
        let documents = [document];
        let answer = extract(&Material {
            subtasks: &[subtask],
            documents: &documents,
            conflicts: &[],
            refused: &[],
            thesaurus: &Thesaurus::empty(),
        });
        assert!(answer.contains("제30조(발급방법) 제2항: 도면은 따로"), "{answer}");
        for claim in claims(&answer) {
            assert_eq!(fault(claim, &documents), None, "{claim}");
        }
        assert_eq!(claims(&answer).len(), answer.lines().count());
    }
}
