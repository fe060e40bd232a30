//! The nouns by which compounds come apart.

use std::collections::HashSet;

/// Known nouns. 전세보증금반환보증 holds 전세, 보증금, 반환 and 보증 once these are known.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    nouns: HashSet<String>,
    /// In characters.
    longest: usize,
}

impl Lexicon {
    /// Of these nouns; single syllables are too many things to be parts.
    pub fn of(nouns: impl IntoIterator<Item = String>) -> Self {
        let nouns: HashSet<String> = nouns.into_iter().filter(|noun| noun.chars().nth(1).is_some()).collect();
        let longest = nouns.iter().map(|noun| noun.chars().count()).max().unwrap_or(0);
        Self { nouns, longest }
    }

    /// The same for the same nouns.
    pub fn fingerprint(&self) -> u64 {
        let mut nouns: Vec<&str> = self.nouns.iter().map(String::as_str).collect();
        nouns.sort_unstable();
        xxhash_rust::xxh3::xxh3_64(nouns.join("\n").as_bytes())
    }

    /// Is the word a known noun?
    pub fn knows(&self, word: &str) -> bool {
        self.nouns.contains(word)
    }

    /// The known nouns that a word is made of, the longest first wherever several begin. Not the word itself.
    pub fn parts<'a>(&self, word: &'a str) -> Vec<&'a str> {
        let mut ends: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        ends.push(word.len());
        let count = ends.len() - 1;
        let mut parts = Vec::new();
        let mut at = 0;
        while at + 1 < count {
            let longest = (at + 2..=count.min(at + self.longest)).rev().find(|end| {
                let part = &word[ends[at]..ends[*end]];
                part.len() < word.len() && self.nouns.contains(part)
            });
            match longest {
                Some(end) => {
                    parts.push(&word[ends[at]..ends[end]]);
                    at = end;
                }
                None => at += 1,
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compound_falls_into_its_nouns() {
        let lexicon = Lexicon::of(["전세", "전세금", "보증금", "보증", "반환", "집"].map(String::from));
        assert_eq!(lexicon.parts("전세보증금반환보증"), ["전세", "보증금", "반환", "보증"]);
        assert_eq!(lexicon.parts("전세금반환"), ["전세금", "반환"]);
        assert!(lexicon.parts("전세").is_empty());
        assert!(lexicon.parts("").is_empty());
    }
}
