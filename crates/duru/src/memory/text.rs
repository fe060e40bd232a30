//! How text becomes terms, by which it is found.
//!
//! Text is lowercased and cut into words: letters and digits of one script.
//! (Korean that is written in single jamo, as some systems do, is put together
//! first.) Of an item, every string and every number in its value counts.
//!
//! | a word of | in an item gives | in a search gives |
//! |---|---|---|
//! | Hangul | itself, itself without its particle, every two syllables in a row | itself, itself without its particle, every two syllables of that |
//! | Han, Kana | itself, every two characters in a row | the same |
//! | other letters, digits | itself, itself without a plural's `s` | the same |
//! | particles behind another script (`GPT를`) | nothing | nothing |
//!
//! So "전세" finds "전세금", "계약을" finds "계약" and the other way round. The
//! particle that a search comes with is not cut into pieces: "계약을" must not
//! find "약을". Every item that has one of the terms is found;
//! [`rank`](super::rank) says which comes first.
//!
//! A store keeps the terms that an item had when it was put. A change of
//! these rules must make stores compute them again.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// Of a longer text, a search uses the first so many terms.
pub const MAX_QUERY_TERMS: usize = 64;

/// Of a longer word, so many characters count.
pub const MAX_WORD_CHARS: usize = 64;

/// Particles and their usual combinations.
const PARTICLES: &str = "은 는 이 가 을 를 의 에 로 와 과 도 만 랑 께 \
    에서 에게 에는 에도 에만 한테 께서 으로 로는 로도 로만 로서 로써 까지 부터 처럼 보다 마다 조차 마저 밖에 \
    이나 이란 이랑 라도 라는 라고 하고 만은 만을 만이 과의 와의 과는 와는 \
    으로는 으로도 으로만 으로서 으로써 에서는 에서도 에서만 에게는 에게도 에게서 한테서 까지는 까지도 부터는 \
    이라도 이라는 이라고 으로부터 에서부터";

/// The same, longest first.
static LONGEST_FIRST: LazyLock<Vec<Vec<char>>> = LazyLock::new(|| {
    let mut particles: Vec<Vec<char>> =
        PARTICLES.split_whitespace().map(|particle| particle.chars().collect()).collect();
    particles.sort_by_key(|particle| Reverse(particle.len()));
    particles
});

/// The terms of an item's value.
pub fn value_terms(value: &Map<String, Value>) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    value.values().for_each(|value| collect(value, &mut terms));
    terms
}

fn collect(value: &Value, terms: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => terms.extend(index_terms(text)),
        Value::Number(number) => terms.extend(index_terms(&number.to_string())),
        Value::Array(values) => values.iter().for_each(|value| collect(value, terms)),
        Value::Object(map) => map.values().for_each(|value| collect(value, terms)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The terms of a text that is to be found.
///
/// ```
/// use duru::memory::text::index_terms;
/// assert_eq!(index_terms("계약을 Cats").into_iter().collect::<Vec<_>>(), ["cat", "cats", "계약", "계약을", "약을"]);
/// ```
pub fn index_terms(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    for word in words(text) {
        terms.insert(word.term());
        terms.insert(word.stem().term());
        if word.script != Script::Other {
            terms.extend(word.pairs());
        }
    }
    terms
}

/// The terms of a text to search for, in the order of the text, each once, at
/// most [`MAX_QUERY_TERMS`].
///
/// ```
/// use duru::memory::text::query_terms;
/// assert_eq!(query_terms("전세금을 돌려 받기"), ["전세금을", "전세금", "전세", "세금", "돌려", "받기"]);
/// ```
pub fn query_terms(text: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for word in words(text) {
        let stem = word.stem();
        let pairs = if word.script == Script::Other { Vec::new() } else { stem.pairs().collect() };
        for term in [word.term(), stem.term()].into_iter().chain(pairs) {
            if terms.len() == MAX_QUERY_TERMS {
                return terms;
            }
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    }
    terms
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Hangul,
    /// Written without spaces.
    Unspaced,
    Other,
}

impl Script {
    /// None for what is no part of a word.
    fn of(c: char) -> Option<Self> {
        match c {
            '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '가'..='힣' => Some(Self::Hangul),
            '\u{3005}'..='\u{3007}'
            | '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30fa}'
            | '\u{30fc}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9f}'
            | '\u{20000}'..='\u{323af}' => Some(Self::Unspaced),
            _ if c.is_alphanumeric() => Some(Self::Other),
            _ => None,
        }
    }
}

struct Word {
    script: Script,
    /// Whether it follows a word of another script without a gap.
    attached: bool,
    chars: Vec<char>,
}

impl Word {
    fn term(&self) -> String {
        self.chars.iter().take(MAX_WORD_CHARS).collect()
    }

    /// Without its particle or its plural's `s`; never empty.
    fn stem(&self) -> Self {
        let cut = match self.script {
            Script::Hangul => LONGEST_FIRST
                .iter()
                .find(|particle| particle.len() < self.chars.len() && self.chars.ends_with(particle))
                .map(Vec::len),
            Script::Other => is_plural(&self.chars).then_some(1),
            Script::Unspaced => None,
        };
        let kept = self.chars.len() - cut.unwrap_or(0);
        Self { chars: self.chars[..kept].to_vec(), ..*self }
    }

    /// Every two characters in a row.
    fn pairs(&self) -> impl Iterator<Item = String> {
        self.chars.windows(2).map(|pair| pair.iter().collect())
    }
}

/// `cats`, but not `gas`, `glass`, `bus`, `basis`.
fn is_plural(word: &[char]) -> bool {
    match word {
        [_, .., before, 's'] => {
            word.len() > 3 && before.is_ascii_alphabetic() && !matches!(before, 's' | 'u' | 'i')
        }
        _ => false,
    }
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut last = None;
    // Letter by letter: the lower case of a whole text depends on where its words end.
    for c in composed(text).flat_map(char::to_lowercase) {
        let script = Script::of(c);
        match (script, words.last_mut()) {
            (Some(_), Some(word)) if script == last => word.chars.push(c),
            (Some(script), _) => words.push(Word { script, attached: last.is_some(), chars: vec![c] }),
            (None, _) => {}
        }
        last = script;
    }
    words.retain(|word| !(word.attached && LONGEST_FIRST.contains(&word.chars)));
    words
}

/// The text with single jamo put together to syllables (U+1100 and U+1161 give U+AC00).
fn composed(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text.chars().peekable();
    std::iter::from_fn(move || {
        let mut c = rest.next()?;
        while let Some(both) = rest.peek().and_then(|next| compose(c, *next)) {
            c = both;
            rest.next();
        }
        Some(c)
    })
}

fn compose(a: char, b: char) -> Option<char> {
    let (a, b) = (u32::from(a), u32::from(b));
    match (a, b) {
        (0x1100..=0x1112, 0x1161..=0x1175) => {
            char::from_u32(0xac00 + ((a - 0x1100) * 21 + (b - 0x1161)) * 28)
        }
        (0xac00..=0xd7a3, 0x11a8..=0x11c2) if (a - 0xac00) % 28 == 0 => char::from_u32(a + (b - 0x11a7)),
        _ => None,
    }
}
