//! Which words of a model are accepted. A word that already means something else, or two things at once, would make
//! questions worse that were understood before.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use duru_language::{english, hangul, rows, words};
use duru_sql::domain::{Domain, spelled};

use super::SuggestedWords;

const MOST_WORDS: usize = 3;
/// One syllable is found in too many words.
const FEWEST_LETTERS: usize = 2;

/// What is said of databases, and not of what is in them; or of anything.
#[rustfmt::skip]
const EMPTY: &[&str] = &[
    "id", "identifier", "key", "primary", "foreign", "column", "table", "field", "row", "entry", "record", "list",
    "data", "info", "information", "value", "thing", "object",
    "아이디", "식별자", "컬럼", "테이블", "필드", "기록", "목록", "데이터", "정보", "자료", "항목",
];

/// Files of the lexicon whose words are the grammar of a question: as nouns, they would take it apart.
const GRAMMAR: &[&str] = &["particles", "suffixes", "numbers", "links", "questions"];

/// Senses that say which figure is asked for, and of how many: a column of that name would be asked for in their place. Words
/// of other senses are nouns as well: the order of a customer, the name of a city.
#[rustfmt::skip]
const FIGURES: &[&str] = &[
    "op:count", "op:sum", "op:total", "op:average", "op:median", "op:deviation", "op:maximum", "op:minimum", "op:share",
    "op:rate", "op:ratio", "op:distinct", "op:cumulative", "op:difference", "op:trend", "op:rank", "op:most", "op:much",
    "op:more", "op:less", "op:few", "op:high", "op:low", "op:top", "op:bottom", "op:first", "op:last", "op:newest",
    "op:oldest", "op:all", "op:each", "op:per", "op:not", "op:only",
];

/// What may be used of all that was said. Only tables and columns of the domain are in it.
pub(super) fn accepted(
    domain: &Domain,
    said: &BTreeMap<String, SuggestedWords>,
) -> BTreeMap<String, SuggestedWords> {
    let own = OwnWords::of(domain);
    let mut all = BTreeMap::new();
    for table in &domain.tables {
        let Some(said) = said.get(&table.name) else { continue };
        let mut words = SuggestedWords {
            table: own.usable(&said.table, Place(&table.name, None), &table.nouns),
            columns: BTreeMap::new(),
        };
        for column in &table.columns {
            let said = said.columns.get(&column.name).map(Vec::as_slice).unwrap_or_default();
            let usable = own.usable(said, Place(&table.name, Some(&column.name)), &column.nouns);
            words.columns.insert(column.name.clone(), usable);
        }
        keep_unshared(words.columns.iter_mut());
        all.insert(table.name.clone(), words);
    }
    keep_unshared(all.iter_mut().map(|(name, words)| (name, &mut words.table)));
    let of_tables: HashSet<String> =
        all.values().flat_map(|words| &words.table).flat_map(|word| keys(word)).collect();
    for words in all.values_mut() {
        for column in words.columns.values_mut() {
            column.retain(|word| !keys(word).iter().any(|key| of_tables.contains(key)));
        }
        words.columns.retain(|_, words| !words.is_empty());
    }
    all
}

/// A table, or a column of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place<'a>(&'a str, Option<&'a str>);

impl Place<'_> {
    fn name(&self) -> &str {
        self.1.unwrap_or(self.0)
    }
}

/// What stands for something already, as it is compared, and what it stands for.
struct OwnWords<'a> {
    nouns: HashMap<String, HashSet<Place<'a>>>,
    values: HashSet<String>,
}

impl<'a> OwnWords<'a> {
    fn of(domain: &'a Domain) -> Self {
        let mut own = Self { nouns: HashMap::new(), values: HashSet::new() };
        for table in &domain.tables {
            own.add(&table.nouns, Place(&table.name, None));
            let measures = table.measures.iter().flat_map(|measure| &measure.words);
            let named = measures.chain(table.conditions.iter().flat_map(|condition| &condition.words));
            own.values.extend(named.flat_map(|word| keys(&plain(word))));
            for column in &table.columns {
                own.add(&column.nouns, Place(&table.name, Some(&column.name)));
                let values = column.values.iter().flat_map(|known| known.words.iter().chain([&known.value]));
                own.values.extend(values.chain(&column.samples).flat_map(|value| keys(&plain(value))));
            }
        }
        own
    }

    fn add(&mut self, nouns: &'a [String], place: Place<'a>) {
        for key in nouns.iter().flat_map(|noun| keys(&plain(noun))) {
            self.nouns.entry(key).or_default().insert(place);
        }
    }

    /// What is new of it, each word once and as a question has it. `known` are the nouns of the place itself.
    fn usable(&self, said: &[String], place: Place<'_>, known: &[String]) -> Vec<String> {
        let mut usable: Vec<String> = Vec::new();
        for word in said.iter().map(|word| plain(word)) {
            let is_new = !usable.contains(&word) && !known.iter().any(|noun| plain(noun) == word);
            if is_new && is_noun(&word) && !self.is_taken(&word, place) && !is_grammar(&word, place) {
                usable.push(word);
            }
        }
        usable
    }

    /// Whether it is a value, or a noun of something else.
    fn is_taken(&self, word: &str, place: Place<'_>) -> bool {
        let is_elsewhere = |places: &HashSet<Place<'_>>| places.iter().any(|other| *other != place);
        keys(word)
            .iter()
            .any(|key| self.values.contains(key) || self.nouns.get(key).is_some_and(is_elsewhere))
    }
}

/// Drops what two of them have, but for those whose own name says it.
fn keep_unshared<'a>(all: impl Iterator<Item = (&'a String, &'a mut Vec<String>)>) {
    let all: Vec<_> = all.collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (_, words) in &all {
        // Two forms of one word, of one column, are no two columns.
        let keys: HashSet<String> = words.iter().flat_map(|word| keys(word)).collect();
        keys.into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
    }
    let is_shared =
        |word: &String| keys(word).iter().any(|key| counts.get(key).is_some_and(|count| *count > 1));
    for (name, words) in all {
        words.retain(|word| !is_shared(word) || is_in_name(word, name));
    }
}

/// In small letters, words apart by one space: `Order-Date` is `order date`.
fn plain(word: &str) -> String {
    let spaced = word.to_lowercase().replace(['-', '_'], " ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As words are compared: without spaces, in the singular and in the plural.
fn keys(word: &str) -> Vec<String> {
    let (before, last) = word.rsplit_once(' ').unwrap_or(("", word));
    let forms = english::forms(last).into_iter().take(2);
    forms.map(|form| format!("{before}{form}").replace(' ', "")).collect()
}

/// English or Korean, and as short as what people call things.
fn is_noun(word: &str) -> bool {
    let known = |letter: char| letter.is_ascii_alphanumeric() || hangul::is_hangul(letter) || letter == ' ';
    word.chars().all(known)
        && word.chars().any(char::is_alphabetic)
        && word.chars().count() >= FEWEST_LETTERS
        && word.split(' ').count() <= MOST_WORDS
}

/// Whether it says nothing, or how something is asked. A name that has such a word means it: `order_status`.
fn is_grammar(word: &str, place: Place<'_>) -> bool {
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let rows = words::FILES.iter().flat_map(|(file, text, _)| rows(text).map(move |row| (*file, row)));
        let kept = rows.filter(|(file, row)| GRAMMAR.contains(file) || FIGURES.contains(&row.sense));
        kept.map(|(_, row)| row.surface).chain(EMPTY.iter().copied()).collect()
    });
    let says_nothing = |word: &str| ALL.contains(word);
    (says_nothing(word) || word.split(' ').all(says_nothing)) && !is_in_name(word, place.name())
}

fn is_in_name(word: &str, name: &str) -> bool {
    format!(" {} ", plain(&spelled(name))).contains(&format!(" {word} "))
}
