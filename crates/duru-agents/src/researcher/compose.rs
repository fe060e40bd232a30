//! An answer out of the documents' own sentences.

use duru_search::text::{Thesaurus, squeezed};

use super::claims::Unsupported;
use super::conflicts::Conflict;
use super::document::{Document, Subtask};
use super::planted::is_planted;
use super::sentences::without_citations;
use super::subject::Subject;
use super::told::{amounts, told, within};

/// So many sentences answer one part of a question.
const PER_PART: usize = 3;

/// And so many tell an article that the question names.
const OF_ARTICLE: usize = 8;

/// A sentence must say so much of what the best one says,
const BESIDE_BEST: f32 = 0.65;

/// or a little less, and so much of the question that was not said before.
const ADDING: f32 = 0.45;
const ADDS: f32 = 0.2;

/// So many sentences of a remark are told.
const OF_REMARK: usize = 2;

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

struct Candidate {
    at: Place,
    covered: Vec<f32>,
    score: f32,
}

/// A sentence, by its document's place and its own.
type Place = (usize, usize);

/// The best supported sentences, each with its source's number; empty if there are none.
pub(super) fn extract(material: &Material<'_>) -> String {
    let said: Vec<Vec<String>> = material.documents.iter().map(|document| told(&document.text)).collect();
    let mut chosen: Vec<Place> = Vec::new();
    for subtask in material.subtasks {
        let subject = Subject::of(&format!("{} {}", subtask.told, subtask.query), material.thesaurus);
        let candidates = candidates(material, &said, subtask, &subject);
        choose(material, &said, candidates, &subject, &mut chosen);
    }
    for conflict in material.conflicts {
        both_sides(conflict, material.documents, &said, &mut chosen);
    }
    read_on(&said, &mut chosen);
    add_remarks(material, &said, &mut chosen);
    let mut before = None;
    let mut lines = Vec::with_capacity(chosen.len());
    for (document, place) in in_order(&chosen, material.documents) {
        let follows = before == Some(document);
        lines.push(line(&material.documents[document], &said[document][place], document + 1, follows));
        before = Some(document);
    }
    lines.join("\n")
}

fn candidates(
    material: &Material<'_>,
    said: &[Vec<String>],
    subtask: &Subtask,
    subject: &Subject,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let amounts = amounts(&format!("{} {}", subtask.told, subtask.query));
    for (rank, id) in subtask.documents.iter().enumerate() {
        let Some(at) = material.documents.iter().position(|document| document.id == *id) else {
            continue;
        };
        let document = &material.documents[at];
        // What people say comes behind what the texts say.
        if document.remarked.is_some() {
            continue;
        }
        let label = document.label();
        // Where one row is for the amount that was told, the others are for other amounts.
        let rows = said[at].iter().any(|sentence| within(sentence, &amounts) == Some(true));
        for (place, sentence) in said[at].iter().enumerate() {
            let bare = without_citations(sentence);
            if is_planted(sentence)
                || is_heading(sentence, document)
                || bare.chars().count() < 5
                || material.refused.iter().any(|refused| refused.claim.contains(&bare))
            {
                continue;
            }
            let covered = subject.covered(sentence);
            let own: f32 = covered.iter().sum();
            let with_label = subject.covered(&format!("{label} {sentence}")).iter().sum::<f32>();
            let mut score = (own + with_label) / (2.0 * subject.total());
            if subject.wanted(sentence) {
                score += 0.25;
            }
            // The first sentence of a passage says what it is about; later passages fit less.
            if place == 0 {
                score += 0.05;
            }
            score -= 0.12 * rank as f32;
            // How a text begins is about the text.
            if rank > 0 && label == document.title.trim() {
                score -= 0.2;
            }
            // Who asks for a period does not ask what the word means.
            if is_definition(sentence) && !subject.defines() {
                score -= 0.15;
            }
            let within = within(sentence, &amounts).filter(|_| rows);
            if let Some(within) = within {
                score += if within { 0.6 } else { -1.0 };
            }
            // Who names an article wants all of it.
            if document.named {
                score += 1.0;
            }
            if document.answers {
                score += 0.5;
            }
            // It may be about the question by its heading alone, if it has what is asked for.
            let fits = rank == 0 || within == Some(true) || subject.wanted(sentence);
            if own > 0.0 || document.named || document.answers || (fits && with_label > 0.0) {
                found.push(Candidate { at: (at, place), covered, score });
            }
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// The best first, then those that say more than what is there already.
fn choose(
    material: &Material<'_>,
    said: &[Vec<String>],
    candidates: Vec<Candidate>,
    subject: &Subject,
    chosen: &mut Vec<Place>,
) {
    let Some(first) = candidates.first() else { return };
    let (best, named) = (first.score, material.documents[first.at.0].named);
    let most = if named { OF_ARTICLE } else { PER_PART };
    let mut covered: Vec<f32> = Vec::new();
    let mut count = 0;
    for candidate in candidates {
        let adds = candidate
            .covered
            .iter()
            .enumerate()
            .map(|(at, now)| (now - covered.get(at).unwrap_or(&0.0)).max(0.0));
        let adds = adds.sum::<f32>() / subject.total();
        let beside = candidate.score / best;
        let worth = count == 0 || beside >= BESIDE_BEST || (beside >= ADDING && adds >= ADDS);
        // Copies of a document say the same.
        let text = |(document, place): Place| &said[document][place];
        let known = chosen.iter().any(|at| text(*at) == text(candidate.at));
        if count >= most || candidate.score <= 0.0 || !worth || known {
            continue;
        }
        covered.resize(candidate.covered.len(), 0.0);
        for (before, now) in covered.iter_mut().zip(&candidate.covered) {
            *before = before.max(*now);
        }
        chosen.push(candidate.at);
        count += 1;
    }
}

/// Whoever quotes one side of a contradiction quotes the other.
fn both_sides(conflict: &Conflict, documents: &[Document], said: &[Vec<String>], chosen: &mut Vec<Place>) {
    let place = |id: &str, says: &str| -> Option<Place> {
        let at = documents.iter().position(|document| document.id == id)?;
        Some((at, said.get(at)?.iter().position(|sentence| sentence == says)?))
    };
    let sides =
        [place(&conflict.first, &conflict.first_says), place(&conflict.second, &conflict.second_says)];
    if sides.iter().flatten().any(|side| chosen.contains(side)) {
        for side in sides.into_iter().flatten() {
            if !chosen.contains(&side) && !is_planted(&said[side.0][side.1]) {
                chosen.push(side);
            }
        }
    }
}

/// A sentence that points back needs the one before it.
fn read_on(said: &[Vec<String>], chosen: &mut Vec<Place>) {
    const BACK: [&str; 12] = [
        "이는 ",
        "이를 ",
        "이때",
        "이 경우",
        "이 밖에",
        "그 밖에",
        "다만",
        "They ",
        "It ",
        "This ",
        "These ",
        "Those ",
    ];
    for at in 0..chosen.len() {
        let (document, place) = chosen[at];
        let points = BACK.iter().any(|sign| said[document][place].starts_with(sign));
        if let Some(before) = place.checked_sub(1).map(|before| (document, before))
            && points
            && !chosen.contains(&before)
            && !is_planted(&said[document][before.1])
        {
            chosen.push(before);
        }
    }
}

/// What people say about passages that are quoted; about any passage, if no text answers.
fn add_remarks(material: &Material<'_>, said: &[Vec<String>], chosen: &mut Vec<Place>) {
    let quoted: Vec<&str> =
        chosen.iter().map(|(document, _)| material.documents[*document].id.as_str()).collect();
    let mut behind = Vec::new();
    for (at, document) in material.documents.iter().enumerate() {
        let Some(remark) = &document.remarked else { continue };
        if !quoted.is_empty() && !quoted.contains(&remark.passage.as_str()) {
            continue;
        }
        for (place, sentence) in said[at].iter().enumerate().take(OF_REMARK) {
            let refused =
                material.refused.iter().any(|refused| refused.claim.contains(&without_citations(sentence)));
            if !refused && !is_planted(sentence) && !chosen.contains(&(at, place)) {
                behind.push((at, place));
            }
        }
    }
    chosen.append(&mut behind);
}

/// A document's sentences together and as they stand there, the best document first, remarks behind the texts.
fn in_order(chosen: &[Place], documents: &[Document]) -> Vec<Place> {
    let first = |document: usize| chosen.iter().position(|(other, _)| *other == document);
    let mut order = chosen.to_vec();
    order
        .sort_by_key(|(document, place)| (documents[*document].remarked.is_some(), first(*document), *place));
    order
}

/// Whether a line only names the passage.
fn is_heading(sentence: &str, document: &Document) -> bool {
    let text = squeezed(sentence);
    [document.label(), document.section.clone(), document.title.clone()].iter().any(|name| {
        let name = squeezed(name);
        !name.is_empty() && name.ends_with(&text)
    })
}

/// 계약금이란 …: it says what a word means. 논란 is a word of two syllables by itself.
fn is_definition(sentence: &str) -> bool {
    sentence.split_whitespace().take(2).any(|word| word.chars().count() > 2 && word.ends_with('란'))
}

/// `집빌림법 제7조(증감청구권) 제2항: 증액은 … 못한다. [1]`, and without the name if the line before has it.
fn line(document: &Document, sentence: &str, number: usize, follows: bool) -> String {
    let mut sentence = sentence.trim_start_matches(['-', '*', '#', '>', ' ']);
    let mut paragraph = String::new();
    // An article begins with its own name, which leads the line already.
    if let Some(rest) = document.article.as_ref().and_then(|article| sentence.strip_prefix(article.as_str()))
    {
        let name = format!("({})", document.section);
        let rest = rest.trim_start();
        sentence = rest.strip_prefix(name.as_str()).unwrap_or(rest).trim_start();
    }
    // Behind a lead, the paragraph's sign would begin a sentence of its own.
    if let Some(sign) = sentence.chars().next().filter(|sign| ('①'..='⑳').contains(sign)) {
        paragraph = format!("제{}항", u32::from(sign) - u32::from('①') + 1);
        sentence = sentence[sign.len_utf8()..].trim_start();
    }
    let short: String = sentence.chars().take(LONGEST).collect();
    let more = if short.len() < sentence.len() { "…" } else { "" };
    let name = match &document.article {
        _ if document.remarked.is_some() => document.label(),
        _ if follows => String::new(),
        Some(_) => document.label(),
        // Only what the sentence does not say itself.
        None if squeezed(sentence).contains(&squeezed(&document.section)) => String::new(),
        None => document.section.clone(),
    };
    // A sentence of its own would be one without a source.
    let lead = format!("{name} {paragraph}").replace(['.', '?', '!', '\n'], " ");
    let lead = if lead.trim().is_empty() { String::new() } else { format!("{}: ", lead.trim()) };
    format!("{lead}{short}{more} [{number}]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::researcher::claims::{claims, fault};

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
        // The second line leans on the name of the first.
        assert!(answer.starts_with("집빌림법 제30조(발급방법) 제1항: 증명서는"), "{answer}");
        assert!(answer.contains("\n제2항: 도면은 따로"), "{answer}");
        for claim in claims(&answer) {
            assert_eq!(fault(claim, &documents), None, "{claim}");
        }
        assert_eq!(claims(&answer).len(), answer.lines().count());
    }
}
