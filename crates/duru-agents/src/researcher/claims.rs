//! Every claim of an answer against the documents that it cites.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::Document;
use super::facts::{Facts, numbers};
use super::sentences::{cited, sentences, without_citations};
use super::told::told_in;
use crate::meaning::{Nonsense, nonsense};

/// So much of a claim's words must be in the document.
const WORDS: f32 = 0.6;

/// A sentence of a document that has so much of a claim speaks of the same.
const SAME: f32 = 0.6;

/// So many of a document's sentences stand behind one claim.
const BEHIND: usize = 3;

/// A sentence of the answer that was given, and what the check of it said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    pub text: String,
    /// The numbers of the citations behind it.
    pub citations: Vec<u32>,
    /// Nothing if a source supports it.
    #[serde(default)]
    pub fault: Option<Fault>,
    /// Where each of its sources speaks of it.
    #[serde(default)]
    pub sources: Vec<ClaimSource>,
}

/// The sentence of a source that stands behind a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimSource {
    /// The citation's number.
    pub number: u32,
    /// The passage's id.
    pub document: String,
    #[serde(default)]
    pub page: Option<u32>,
    /// Where the sentence begins in the passage, and how long it is, in characters.
    pub offset: u32,
    pub length: u32,
    /// The sentence itself.
    pub excerpt: String,
}

impl ClaimSource {
    /// The sentence that has most of a claim's words, and then of its numbers, as rows of a table differ by; the whole
    /// passage if none has any.
    pub(super) fn of(claim: &str, number: u32, document: &Document) -> Self {
        let (facts, text) = (Facts::of(claim), document.text.as_str());
        let mut best = (0.0, text);
        for (place, sentence) in told_in(text) {
            let said = Facts::of(&sentence);
            let numbers = facts.numbers.intersection(&said.numbers).count() as f32;
            let share = facts.share_in(said.pairs()) + numbers / facts.numbers.len().max(1) as f32;
            if share > best.0 {
                best = (share, place);
            }
        }
        // A sentence is a part of the text itself.
        let begins = (best.1.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let count = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let offset = count(text.get(..begins).unwrap_or_default());
        Self {
            number,
            document: document.id.clone(),
            page: document.page_at(offset),
            offset,
            length: count(best.1),
            excerpt: best.1.to_owned(),
        }
    }
}

/// A claim that the documents do not support.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unsupported {
    pub claim: String,
    pub fault: Fault,
}

/// What is wrong with a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It cites nothing, or what is not there.
    NoCitation,
    /// It has a number that the document does not have there.
    Number,
    /// It denies what the document says, or says what the document denies.
    Negation,
    /// The document does not speak of it.
    Terms,
    /// A model found that the document does not say it.
    Judged,
}

impl Fault {
    /// Whether no other opinion helps: these are facts, not readings.
    pub(super) fn is_plain(self) -> bool {
        matches!(self, Self::NoCitation | Self::Number | Self::Negation)
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::NoCitation => "no citation",
            Self::Number => "a number that the document does not have",
            Self::Negation => "the document says the opposite",
            Self::Terms => "the document does not speak of it",
            Self::Judged => "the document does not say it",
        }
    }
}

/// The claims of an answer, each a sentence.
pub(super) fn claims(answer: &str) -> Vec<&str> {
    sentences(answer)
}

/// What is wrong with a claim, if anything.
pub(super) fn fault(claim: &str, documents: &[Document]) -> Option<Fault> {
    let numbered = cited(claim);
    let sources: Vec<&Document> =
        numbered.iter().filter_map(|number| documents.get(number.checked_sub(1)?)).collect();
    if sources.is_empty() || sources.len() < numbered.len() {
        return Some(Fault::NoCitation);
    }
    // What people say about a text supports nothing that is said to stand in the text.
    let (remarks, texts): (Vec<&Document>, Vec<&Document>) =
        sources.into_iter().partition(|source| source.remarked.is_some());
    let sources = if texts.is_empty() { remarks } else { texts };
    let facts = Facts::of(claim);
    let mut said = HashSet::new();
    let mut behind: Vec<(f32, Facts)> = Vec::new();
    let mut pairs: HashSet<String> = HashSet::new();
    for source in sources {
        let label = source.label();
        pairs.extend(Facts::of(&label).pairs().iter().cloned());
        said.extend(numbers(&label));
        let mut all: Vec<(f32, Facts)> = sentences(&source.text)
            .into_iter()
            .map(Facts::of)
            .map(|sentence| (facts.share_in(sentence.pairs()), sentence))
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.truncate(BEHIND);
        behind.extend(all);
    }
    for (_, sentence) in &behind {
        pairs.extend(sentence.pairs().iter().cloned());
        said.extend(sentence.numbers.iter().chain(&sentence.digits).cloned());
    }
    if !facts.numbers.is_subset(&said) {
        return Some(Fault::Number);
    }
    if facts.share_in(&pairs) < WORDS {
        return Some(Fault::Terms);
    }
    let best = behind.iter().map(|(share, _)| *share).fold(0.0, f32::max);
    let same: Vec<&Facts> = behind
        .iter()
        .filter(|(share, _)| *share >= SAME && *share >= best - 0.1)
        .map(|(_, facts)| facts)
        .collect();
    if !same.is_empty() && same.iter().all(|sentence| sentence.denies != facts.denies) {
        return Some(Fault::Negation);
    }
    turned(claim, documents, &numbered).then_some(Fault::Negation)
}

/// Whether a claim calls the least what its documents call the most, allows more than they do, or compares two figures
/// the wrong way round. What stands there word for word is not judged.
fn turned(claim: &str, documents: &[Document], numbered: &[usize]) -> bool {
    let bare = without_citations(claim);
    let cited = numbered.iter().filter_map(|number| documents.get(number.checked_sub(1)?));
    let said: Vec<&str> = cited.flat_map(|source| sentences(&source.text)).collect();
    let is_quoted = said.iter().any(|sentence| sentence.contains(bare.trim()));
    !is_quoted && matches!(nonsense(&bare, &said), Some(Nonsense::Limit | Nonsense::Comparison))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::researcher::document::DocumentPage;
    use crate::researcher::remarks::RemarkSource;

    fn documents() -> Vec<Document> {
        let text = "약정한 차임이나 보증금의 증액은 100분의 5를 넘지 못한다. 임차인은 계약이 끝나기 2개월 전까지 갱신을 요구할 수 있다. 전대는 할 수 없다.";
        vec![Document {
            id: "a".into(), title: "집빌림법".into(), text: text.into(), ..Document::default()
        }]
    }

    fn check(claim: &str) -> Option<Fault> {
        fault(claim, &documents())
    }

    #[test]
    fn what_the_document_says_is_supported_in_other_words_too() {
        assert_eq!(check("약정한 차임이나 보증금의 증액은 100분의 5를 넘지 못한다. [1]"), None);
        assert_eq!(check("보증금 증액은 5%를 넘지 못합니다. [1]"), None);
        assert_eq!(check("임차인은 계약이 끝나기 2개월 전까지 갱신을 요구할 수 있습니다. [1]"), None);
    }

    #[test]
    fn the_sentence_behind_a_claim_is_told_by_its_place() {
        let document = &documents()[0];
        let source =
            ClaimSource::of("임차인은 계약이 끝나기 2개월 전까지 갱신을 요구할 수 있습니다.", 1, document);
        assert_eq!(source.excerpt, "임차인은 계약이 끝나기 2개월 전까지 갱신을 요구할 수 있다.");
        let place = document.text.chars().skip(source.offset as usize).take(source.length as usize);
        assert_eq!(place.collect::<String>(), source.excerpt);
        let other = ClaimSource::of("화재 xyz", 1, document);
        assert_eq!((other.offset, other.excerpt.as_str()), (0, document.text.as_str()));
    }

    #[test]
    fn the_row_behind_a_claim_is_the_one_with_its_numbers_and_its_page() {
        let text = "요율표이다.\n| 거래 | 금액 | 요율 |\n|---|---|---|\n| 매매 | 2억원 미만 | 0.5% |\n| 매매 | 9억원 미만 | 0.4% |".to_owned();
        let second = text.chars().position(|c| c == '9').unwrap() - 7;
        let page_breaks = vec![DocumentPage { offset: u32::try_from(second).unwrap(), page: 8 }];
        let document = Document { text, page: Some(7), page_breaks, ..Document::default() };
        let source = ClaimSource::of("거래 매매, 금액 9억원 미만, 요율 0.4%.", 1, &document);
        assert_eq!((source.excerpt.as_str(), source.page), ("| 매매 | 9억원 미만 | 0.4% |", Some(8)));
        let first = ClaimSource::of("거래 매매, 금액 2억원 미만, 요율 0.5%.", 1, &document);
        assert_eq!((first.excerpt.as_str(), first.page), ("| 매매 | 2억원 미만 | 0.5% |", Some(7)));
    }

    #[test]
    fn a_remark_supports_no_citation_of_the_text() {
        let mut documents = documents();
        let remarked = Some(RemarkSource { author: "kim".into(), ..RemarkSource::default() });
        let text = "보증금의 증액은 100분의 20을 넘지 못한다.".to_owned();
        documents.push(Document { id: "r".into(), text, remarked, ..Document::default() });
        let check = |claim: &str| fault(claim, &documents);
        assert_eq!(check("보증금의 증액은 20%를 넘지 못한다. [1]"), Some(Fault::Number));
        assert_eq!(check("보증금의 증액은 20%를 넘지 못한다. [1][2]"), Some(Fault::Number));
        assert_eq!(check("보증금의 증액은 20%를 넘지 못한다. [2]"), None);
        assert_eq!(check("보증금의 증액은 5%를 넘지 못한다. [1][2]"), None);
    }

    #[test]
    fn what_it_does_not_say_is_named() {
        assert_eq!(check("보증금의 증액은 10%를 넘지 못한다. [1]"), Some(Fault::Number));
        assert_eq!(
            check("임차인은 계약이 끝나기 2개월 전까지 갱신을 요구할 수 없다. [1]"),
            Some(Fault::Negation)
        );
        assert_eq!(check("전대는 할 수 있다. [1]"), Some(Fault::Negation));
        assert_eq!(check("보증금의 증액은 5% 이상이어야 한다. [1]"), Some(Fault::Negation), "it is the most");
        assert_eq!(check("화재보험료는 관리사무소가 부담합니다. [1]"), Some(Fault::Terms));
        assert_eq!(check("보증금의 증액은 100분의 5를 넘지 못한다."), Some(Fault::NoCitation));
        assert_eq!(check("보증금의 증액은 100분의 5를 넘지 못한다. [2]"), Some(Fault::NoCitation));
    }
}
