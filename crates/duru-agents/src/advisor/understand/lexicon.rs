//! Words and what they mean here: a table of typed senses, and a scanner that
//! takes the longest word at each place.

use std::collections::HashMap;
use std::sync::LazyLock;

use duru_language::hangul::Syllable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lexicon_tables::WORDS;
use super::words::{begins_word, is_particle, is_taken_back, rest_of_word};

/// A kind of data that an answer can rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DataKind {
    Legal,
    Market,
    Loan,
    Contract,
    /// What lies around a place.
    Infrastructure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Deal {
    Sale,
    Jeonse,
    MonthlyRent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Property {
    Apartment,
    Officetel,
    Villa,
    Studio,
    House,
    Shop,
    Land,
}

/// What a loan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoanKind {
    Jeonse,
    Mortgage,
    Credit,
}

/// Who asks: conditions of a loan depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    Foreigner,
    National,
    Youth,
    Newlywed,
    FirstBuyer,
    NoHome,
    HomeOwner,
    Company,
    SelfEmployed,
    Employee,
    Parent,
}

/// A property of a home that listings may or may not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    New,
    Old,
    NearStation,
    School,
    LargeComplex,
    Facing,
    Floor,
    Rooms,
    Equipment,
    View,
    Redevelopment,
    Bargain,
    Size,
}

/// What a law question is about; two questions about different subjects need different law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    Renewal,
    DepositReturn,
    Priority,
    RentIncrease,
    Conversion,
    Repair,
    Brokerage,
    Shop,
    Termination,
    Tax,
    Fraud,
    Sublease,
    Auction,
    Report,
    Disclosure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Draft,
    Review,
    Calculate,
    Pick,
}

/// How a question points back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointer {
    /// 방금, 아까: this conversation, a moment ago.
    Now,
    /// 지난번, 전에: some earlier time.
    Before,
    /// 어제, 지난달: an earlier time that is said.
    Dated,
    /// 그 결과, 찾은: what was found.
    Result,
    /// 그거: whatever it was.
    It,
    /// 그 동네: a place named before.
    Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    /// Speaks of this kind of data by itself.
    Topic(DataKind),
    /// Speaks of it where nothing else does.
    Hint(DataKind),
    /// Names the law itself: 판례, 조문.
    LawText,
    /// Speaks of what is lent: 빌려, 은행, 한도.
    Lending,
    /// What somebody earns.
    Earns,
    Deal(Deal),
    Property(Property),
    Loan(LoanKind),
    Group(Group),
    Feature(Feature),
    Subject(Subject),
    /// A harm that already happened asks for law.
    Harmed,
    Risk,
    /// Asks whether: 할까, 있는지.
    Weigh,
    /// Everything together.
    Overall,
    /// To buy or to move in: a decision that needs law and market.
    Move,
    PriceAsk,
    Act(Act),
    Point(Pointer),
    /// 그대로, 가지고: with what is there.
    Keep,
    /// The newest is wanted.
    Latest,
    /// Is it still true?
    Doubt,
    /// A wider area than before.
    Widen,
    Together,
    /// Goes on from what was said: 그럼, 다시.
    Onward,
    Greeting,
    /// Of another world than homes.
    Alien,
    /// Says nothing of what is asked.
    Filler,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) sense: Sense,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) taken_back: bool,
}

struct Entry {
    senses: &'static [Sense],
    /// Only where a word begins.
    anchored: bool,
    /// Only where nothing but particles follows.
    whole: bool,
}

struct Lexicon {
    entries: HashMap<String, Entry>,
    longest: usize,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon { entries: HashMap::new(), longest: 0 };
    for (words, senses) in WORDS {
        for word in words.split_whitespace() {
            let anchored = word.starts_with('^');
            let whole = word.ends_with('$');
            let bare = word.trim_start_matches('^').trim_end_matches('$');
            for spelling in [bare.replace('_', ""), bare.replace('_', " ")] {
                lexicon.longest = lexicon.longest.max(spelling.chars().count());
                // English words do not begin inside others.
                let anchored = anchored || spelling.is_ascii();
                lexicon.entries.insert(spelling, Entry { senses, anchored, whole });
            }
        }
    }
    lexicon
});

/// What takes back the word behind it.
const DENIED: &[&str] =
    &[", not ", "not a ", "not an ", "don't ", "dont ", "do not ", "no need to ", "without "];

/// The words of `text` (lower case, single spaces) that mean something here.
pub(crate) fn scan(text: &str) -> Vec<Mention> {
    let mut mentions = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match longest(text, at) {
            Some((end, entry)) => {
                let denied = DENIED.iter().any(|word| text[..at].ends_with(word));
                let taken_back = denied || is_taken_back(&text[end..]);
                mentions.extend(entry.senses.iter().map(|sense| Mention {
                    sense: *sense,
                    start: at,
                    end,
                    taken_back,
                }));
                at = end;
            }
            None => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    mentions
}

fn longest(text: &str, at: usize) -> Option<(usize, &'static Entry)> {
    let lexicon: &'static Lexicon = &LEXICON;
    let ends: Vec<usize> =
        text[at..].char_indices().map(|(i, c)| at + i + c.len_utf8()).take(lexicon.longest).collect();
    ends.into_iter().rev().find_map(|end| {
        let entry = lexicon.entries.get(&text[at..end]).or_else(|| {
            // 시센데: 시세인데 in one breath.
            let open = text[end..].starts_with('데').then(|| opened(&text[at..end]))?;
            lexicon.entries.get(&open?)
        })?;
        let begins = !entry.anchored || begins_word(text, at);
        let ends = !entry.whole || is_particle(rest_of_word(text, end));
        (begins && ends).then_some((end, entry))
    })
}

/// A word whose last syllable ends in ㄴ, without it.
fn opened(word: &str) -> Option<String> {
    const N: u32 = 4;
    let last = word.chars().next_back()?;
    let syllable = Syllable::of(last).filter(|syllable| syllable.tail == N)?;
    let open = Syllable { tail: 0, ..syllable }.letter();
    Some(format!("{}{open}", &word[..word.len() - last.len_utf8()]))
}

/// Lower case, and one space for any run of them.
pub(crate) fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn senses(text: &str) -> Vec<Sense> {
        scan(&normal(text)).into_iter().map(|mention| mention.sense).collect()
    }

    #[test]
    fn the_longest_word_wins() {
        let found = senses("전세자금대출 한도");
        assert!(
            found.contains(&Sense::Topic(DataKind::Loan)) && found.contains(&Sense::Loan(LoanKind::Jeonse))
        );
        assert!(!found.contains(&Sense::Deal(Deal::Jeonse)));
        assert!(!senses("계산하는 방법").contains(&Sense::Topic(DataKind::Legal)));
        assert!(senses("법으로 정해진").contains(&Sense::Topic(DataKind::Legal)));
    }

    #[test]
    fn spaces_inside_a_phrase_are_free() {
        assert_eq!(senses("그 결과"), senses("그결과"));
        assert!(senses("그  결과").contains(&Sense::Point(Pointer::Result)));
    }
}
