//! What a text is found by.

use super::words::{Word, words};
use super::{Lexicon, hangul, normalise, numbers, references};

/// Something that a text is found by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    pub text: String,
    pub kind: TermKind,
}

/// What a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// A word without its particle or ending.
    Word,
    /// A known noun inside a compound.
    Part,
    /// An amount, a rate, a period, a date, or an article of a statute, in one form.
    Number,
}

/// The terms of a text, in its order; a term that comes twice is there twice.
///
/// ```
/// use duru_search::text::{Thesaurus, terms};
///
/// let thesaurus = Thesaurus::built_in();
/// let found: Vec<String> =
///     terms("전세보증금반환보증은 3억5천까지", thesaurus.lexicon()).into_iter().map(|term| term.text).collect();
/// for term in ["전세보증금반환보증", "전세", "보증금", "#350000000원"] {
///     assert!(found.iter().any(|text| text == term), "{term} in {found:?}");
/// }
/// ```
pub fn terms(text: &str, lexicon: &Lexicon) -> Vec<Term> {
    let normal = normalise(text);
    let mut found = Vec::new();
    for Word { stem, .. } in words(&normal) {
        found.push(Term { text: stem.to_owned(), kind: TermKind::Word });
        let parts = lexicon.parts(stem).into_iter();
        found.extend(parts.map(|part| Term { text: part.to_owned(), kind: TermKind::Part }));
    }
    let numbers = numbers::numbers(&normal).into_iter();
    let articles = references::article_references(&normal).into_iter().map(|reference| reference.article);
    found.extend(numbers.chain(articles).map(|text| Term { text, kind: TermKind::Number }));
    found
}

/// The pairs of syllables of a text's stems, and the words that have no pairs whole.
pub fn bigrams(text: &str) -> Vec<String> {
    let normal = normalise(text);
    let mut found = Vec::new();
    for Word { stem, .. } in words(&normal) {
        pairs(stem, &mut found);
    }
    found
}

pub(super) fn pairs(stem: &str, found: &mut Vec<String>) {
    // Latin words and numbers are whole; syllables come in pairs.
    let syllables = |c: &char| hangul::is_syllable(*c);
    let chars: Vec<char> = stem.chars().collect();
    for run in chars.chunk_by(|a, b| syllables(a) == syllables(b)) {
        if run.len() == 1 || !syllables(&run[0]) {
            found.push(run.iter().collect());
        } else {
            found.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_come_in_pairs_and_the_rest_whole() {
        assert_eq!(bigrams("임차권은 LTV 70%, 집"), ["임차", "차권", "ltv", "70", "집"]);
        assert_eq!(bigrams("주택85형"), ["주택", "85", "형"]);
    }

    #[test]
    fn an_article_is_a_term_of_its_own() {
        let found = terms("법 제6조의3 제1항", &Lexicon::default());
        assert!(found.contains(&Term { text: "제6조의3".into(), kind: TermKind::Number }), "{found:?}");
    }
}
