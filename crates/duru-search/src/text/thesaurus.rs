//! From the words people use to the words of statutes and contracts.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::phrases::{Pattern, QuestionWord, find, patterns};
use super::words::words;
use super::{Lexicon, normalise};

/// Our own entries. See its first lines for the form.
const BUILT_IN: &str = include_str!("../../data/thesaurus.tsv");

/// English words for the Korean terms, in the same form.
const BILINGUAL: &str = include_str!("../../data/bilingual.tsv");

/// Of everyday life and of things.
const GENERAL: [&str; 3] = [
    include_str!("../../data/everyday-ko.tsv"),
    include_str!("../../data/everyday-en.tsv"),
    include_str!("../../data/bilingual-general.tsv"),
];

/// A file larger than this is no thesaurus.
const LARGEST: usize = 4 << 20;

/// Why entries could not be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    #[error("line {line} has no tab between the everyday words and the terms: {text}")]
    NoTab { line: usize, text: String },
    #[error("line {line} has nothing on one side of its tab")]
    Empty { line: usize },
    #[error("the file is larger than {LARGEST} bytes")]
    TooLarge,
}

/// Everyday phrases and the terms they stand for.
#[derive(Debug, Clone)]
pub struct Thesaurus {
    entries: Vec<Entry>,
    lexicon: Lexicon,
    /// The words of the terms.
    terms: HashSet<String>,
    /// What Korean terms are called in English.
    english: HashMap<String, Vec<String>>,
    /// Places of the entries that begin with an English word, by that word.
    by_word: HashMap<String, Vec<usize>>,
    /// Places of all others.
    others: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Entry {
    /// As written, for people.
    phrase: String,
    words: Vec<Pattern>,
    terms: Vec<String>,
    domain: String,
    /// Of the general vocabulary, whose words are no terms of art.
    general: bool,
}

/// A phrase of a question that stands for terms it does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// The thesaurus's phrase.
    pub phrase: String,
    /// The question's words that matched it.
    pub words: Vec<String>,
    pub terms: Vec<String>,
    /// What it is about: lease, brokerage and so on.
    pub domain: String,
    /// An English phrase that stands for Korean terms.
    pub translated: bool,
}

impl Thesaurus {
    /// The entries that come with the program, read once.
    pub fn built_in() -> Self {
        static READ: LazyLock<Thesaurus> = LazyLock::new(|| {
            let mut thesaurus = Thesaurus::empty();
            // A test reads every line; a bad one would only be missing here.
            for lines in [BUILT_IN, BILINGUAL] {
                let _ = thesaurus.extend(lines);
            }
            for lines in GENERAL {
                let _ = thesaurus.add(lines, true);
            }
            thesaurus
        });
        READ.clone()
    }

    /// No entries at all.
    pub fn empty() -> Self {
        Self {
            entries: Vec::new(),
            lexicon: Lexicon::default(),
            terms: HashSet::new(),
            english: HashMap::new(),
            by_word: HashMap::new(),
            others: Vec::new(),
        }
    }

    /// Adds entries: a line each, everyday phrases separated by `/`, a tab, terms separated by `,`, and, after
    /// another tab, what it is about. Lines that begin with `#` are remarks. Nothing is added if a line is wrong. English
    /// phrases with Korean terms translate both ways.
    ///
    /// ```
    /// use duru_search::text::Thesaurus;
    ///
    /// let mut thesaurus = Thesaurus::empty();
    /// thesaurus.extend("복비 / 소개비\t중개보수\t중개\n")?;
    /// let found = thesaurus.expand("복비는 얼마예요?");
    /// assert_eq!(found[0].terms, ["중개보수"]);
    /// # Ok::<(), duru_search::text::ThesaurusError>(())
    /// ```
    pub fn extend(&mut self, lines: &str) -> Result<(), Error> {
        self.add(lines, false)
    }

    fn add(&mut self, lines: &str, general: bool) -> Result<(), Error> {
        if lines.len() > LARGEST {
            return Err(Error::TooLarge);
        }
        let mut added = Vec::new();
        for (index, line) in lines.lines().enumerate() {
            let line_number = index + 1;
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let mut columns = line.split('\t');
            let (Some(phrases), Some(terms)) = (columns.next(), columns.next()) else {
                return Err(Error::NoTab { line: line_number, text: line.to_owned() });
            };
            let domain = columns.next().unwrap_or_default().trim();
            let list = |text: &str, sign: char| -> Vec<String> {
                text.split(sign).map(|item| normalise(item.trim())).filter(|item| !item.is_empty()).collect()
            };
            let (phrases, terms) = (list(phrases, '/'), list(terms, ','));
            if phrases.is_empty() || terms.is_empty() {
                return Err(Error::Empty { line: line_number });
            }
            let entries = phrases.into_iter().map(|phrase| Entry {
                words: patterns(&phrase),
                phrase,
                terms: terms.clone(),
                domain: domain.to_owned(),
                general,
            });
            // A phrase of words that say nothing by themselves can't be told from any other.
            added.extend(entries.filter(|entry| !entry.words.is_empty()));
        }
        for entry in added.iter().filter(|entry| entry.translates()) {
            // Later terms are only near to the phrase.
            for term in entry.terms.iter().take(2).filter(|term| !term.is_ascii()) {
                self.english.entry(term.clone()).or_default().push(entry.phrase.clone());
            }
        }
        for entry in &added {
            let place = self.entries.len();
            match entry.words.first() {
                Some(Pattern::Noun(noun)) if noun.is_ascii() => {
                    self.by_word.entry(noun.clone()).or_default().push(place);
                }
                _ => self.others.push(place),
            }
            self.entries.push(entry.clone());
        }
        if !general {
            let special = self.entries.iter().filter(|entry| !entry.general);
            let words = special.flat_map(|entry| &entry.terms).flat_map(|term| term.split_whitespace());
            self.terms = words.map(str::to_owned).collect();
            self.lexicon = Lexicon::of(self.nouns());
        }
        Ok(())
    }

    fn nouns(&self) -> HashSet<String> {
        let special = self.entries.iter().filter(|entry| !entry.general);
        let lay = special.flat_map(|entry| &entry.words).filter_map(|word| match word {
            // English words are no parts of others: a release is no lease.
            Pattern::Noun(noun) if !noun.is_ascii() => Some(noun),
            Pattern::Noun(_) | Pattern::Verb(_) => None,
        });
        self.terms.iter().chain(lay).cloned().collect()
    }

    /// Is the word one of the terms that everyday phrases stand for?
    pub fn is_term(&self, word: &str) -> bool {
        self.terms.contains(word)
    }

    /// What a Korean term is called in English.
    pub fn english(&self, term: &str) -> &[String] {
        self.english.get(term).map_or(&[], Vec::as_slice)
    }

    /// How many phrases it knows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The nouns of its phrases and terms.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The phrases that a question holds, those of more words first.
    pub fn expand(&self, question: &str) -> Vec<Expansion> {
        let normal = normalise(question);
        let words: Vec<QuestionWord<'_>> =
            words(&normal).map(|word| QuestionWord::of(word, &self.lexicon)).collect();
        let mut found: Vec<Expansion> = Vec::new();
        let mut places = self.others.clone();
        for word in &words {
            let keys = [word.stem, word.text];
            places.extend(keys.iter().filter_map(|key| self.by_word.get(*key)).flatten());
        }
        places.sort_unstable();
        places.dedup();
        for entry in places.into_iter().map(|place| &self.entries[place]) {
            let Some(at) = find(&entry.words, &words, &self.lexicon) else { continue };
            let terms = entry.terms.clone();
            // Two phrases for the same terms say it once.
            if found.iter().any(|other| other.terms == terms) {
                continue;
            }
            found.push(Expansion {
                phrase: entry.phrase.clone(),
                words: at.into_iter().map(|index| words[index].text.to_owned()).collect(),
                terms,
                domain: entry.domain.clone(),
                translated: entry.translates(),
            });
        }
        found.sort_by_key(|expansion| std::cmp::Reverse(expansion.words.len()));
        found
    }
}

impl Entry {
    fn translates(&self) -> bool {
        self.phrase.is_ascii() && self.terms.iter().any(|term| !term.is_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_entries_can_be_read_and_are_many() {
        let mut thesaurus = Thesaurus::empty();
        thesaurus.extend(BUILT_IN).unwrap();
        let lines = BUILT_IN.lines().filter(|line| line.contains('\t') && !line.starts_with('#')).count();
        assert!(lines >= 300, "{lines} lines");
        let mut phrases: Vec<&str> = thesaurus.entries.iter().map(|entry| entry.phrase.as_str()).collect();
        let count = phrases.len();
        phrases.sort_unstable();
        for pair in phrases.windows(2) {
            assert_ne!(pair[0], pair[1], "a phrase is there twice");
        }
        assert_eq!(count, thesaurus.len());
    }

    fn terms(question: &str) -> Vec<String> {
        Thesaurus::built_in().expand(question).into_iter().flat_map(|expansion| expansion.terms).collect()
    }

    #[test]
    fn everyday_words_stand_for_terms() {
        for (question, term) in [
            ("복비는 누가 내나요", "중개보수"),
            ("집주인한테 말했어요", "임대인"),
            ("전세금을 올려 달라고 합니다", "증액"),
            ("등기부 등본 떼는 법", "등기사항증명서"),
        ] {
            assert!(
                terms(question).iter().any(|found| found.contains(term)),
                "{question}: {:?}",
                terms(question)
            );
        }
    }

    #[test]
    fn english_phrases_stand_for_korean_terms_and_back() {
        let lines = BILINGUAL.lines().filter(|line| line.contains('\t') && !line.starts_with('#')).count();
        assert!(lines >= 150, "{lines} lines");
        let thesaurus = Thesaurus::built_in();
        let empty = thesaurus.entries.iter().find(|entry| entry.words.is_empty());
        assert!(empty.is_none(), "a phrase says nothing: {empty:?}");
        let found = thesaurus.expand("May the landlord raise the rent?");
        assert!(found.iter().any(|expansion| expansion.translated), "{found:?}");
        for term in ["임대인", "증액청구"] {
            assert!(found.iter().any(|expansion| expansion.terms.iter().any(|t| t == term)), "{found:?}");
        }
        assert!(thesaurus.english("임대인").iter().any(|word| word == "landlord"));
        let found = thesaurus.expand("The release notes of the software");
        assert!(found.iter().all(|expansion| expansion.domain != "lease"), "{found:?}");
    }

    #[test]
    fn a_part_of_another_word_is_no_match() {
        let mut thesaurus = Thesaurus::empty();
        thesaurus.extend("세금\t조세\n전세금\t임대차보증금").unwrap();
        let found = thesaurus.expand("전세금은?");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].terms, ["임대차보증금"]);
    }

    #[test]
    fn a_noun_and_its_verb_may_be_one_word() {
        let mut thesaurus = Thesaurus::empty();
        thesaurus.extend("부동산 문 닫다\t폐업\n방 빼다\t인도").unwrap();
        assert_eq!(thesaurus.expand("부동산 문닫으려면?")[0].terms, ["폐업"]);
        assert_eq!(thesaurus.expand("방빼라는데요")[0].terms, ["인도"]);
        assert!(thesaurus.expand("문닫으려면").is_empty());
    }

    #[test]
    fn a_compound_is_about_its_last_noun() {
        let mut thesaurus = Thesaurus::empty();
        thesaurus.extend("비밀\t비밀 누설\n보증금\t임대차보증금").unwrap();
        assert!(thesaurus.expand("비밀번호를 알려 달래요").is_empty());
        assert_eq!(thesaurus.expand("소액보증금은?")[0].terms, ["임대차보증금"]);
    }

    #[test]
    fn wrong_lines_are_named_and_nothing_is_added() {
        let mut thesaurus = Thesaurus::empty();
        let error = thesaurus.extend("복비\t중개보수\n잘못된 줄").unwrap_err();
        assert_eq!(error, Error::NoTab { line: 2, text: "잘못된 줄".into() });
        assert_eq!(thesaurus.extend("/ \t중개보수"), Err(Error::Empty { line: 1 }));
        assert!(thesaurus.is_empty());
    }
}
