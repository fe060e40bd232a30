//! How a question points back into the conversation, and how new its data must be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lexicon::{Mention, Pointer, Sense};
use super::period;
use super::words::{after_particle, begins_word};

/// How a question points back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reference {
    /// 방금, 아까, 위에: to a moment ago.
    pub just_now: bool,
    /// 지난번, 전에: to some earlier time.
    pub before: bool,
    /// 어제, 지난달: to an earlier time that is said.
    pub dated: bool,
    /// 그 결과, 찾은 시세: to what was found.
    pub to_result: bool,
    /// 그 시세: to one of them that only "that" tells from the others.
    pub that: bool,
    /// 그거: to something without a name.
    pub pronoun: bool,
    /// 그 동네: to a place without its name.
    pub to_place: bool,
    /// 그 집, 그 매물: to one of several things that were found.
    #[serde(default)]
    pub one: bool,
    /// 그대로, 검색하지 말고: with what is there.
    pub keep: bool,
    /// 다시, 이어서: the same once more, or more of it.
    #[serde(default)]
    pub again: bool,
    /// 그럼, 다시: goes on from what was said.
    pub onward: bool,
}

impl Reference {
    /// Does the question itself say that it is about what was found before?
    pub fn is_explicit(&self) -> bool {
        self.just_now || self.before || self.dated || self.to_result || self.keep
    }

    /// Does it point anywhere at all?
    pub fn is_any(&self) -> bool {
        self.is_explicit() || self.pronoun || self.to_place
    }
}

/// How new the data must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Newness {
    #[default]
    Unsaid,
    /// Only the newest will do: search again.
    Latest,
    /// The asker wonders whether it still holds.
    Doubted,
}

/// Words that ask for the same once more, or for more of it.
const AGAIN: &[&str] = &[
    "다시",
    "이어서",
    "계속",
    "한 번 더",
    "한번 더",
    "더 자세",
    "자세히",
    "뭐였",
    "였지",
    "였더라",
    "again",
    "once more",
    "in more detail",
];

/// Things that are many where they are found: "that one" of them does not say which.
const ONE: &[&str] = &[
    "그 집",
    "그집",
    "그 매물",
    "그매물",
    "그 단지",
    "그 아파트",
    "그 오피스텔",
    "그 빌라",
    "그 물건",
    "that apartment",
    "that house",
    "that listing",
    "that flat",
    "that unit",
];

/// Reads both. `text` is lower case with single spaces.
pub(crate) fn read(text: &str, mentions: &[Mention]) -> (Reference, Newness) {
    let says = |wanted: Sense| mentions.iter().any(|m| m.sense == wanted && !m.taken_back);
    let taken_back = |wanted: Sense| mentions.iter().any(|m| m.sense == wanted && m.taken_back);
    let that_topic = determined(text, mentions, &["그 ", "이 ", "저 "]);
    let above = determined(text, mentions, &["위 ", "앞 ", "방금 "]);
    let reference = Reference {
        just_now: says(Sense::Point(Pointer::Now)) || above,
        before: says(Sense::Point(Pointer::Before)),
        // 지난달에 본 시세 points back, 지난달 시세 asks for those of another time; a paper is known by its day.
        dated: mentions.iter().any(|m| {
            m.sense == Sense::Point(Pointer::Dated)
                && !m.taken_back
                // 그저께 같이 본.
                && (period::recalls(text, m.end) || after_particle(&text[m.end..]).contains("계약서"))
        }),
        to_result: says(Sense::Point(Pointer::Result)) || that_topic,
        that: that_topic,
        pronoun: says(Sense::Point(Pointer::It)),
        to_place: says(Sense::Point(Pointer::Place)),
        one: ONE.iter().any(|word| text.match_indices(word).any(|(at, _)| begins_word(text, at))),
        // "다시 검색하지 말고": the wish for new data is taken back.
        keep: says(Sense::Keep) && !taken_back(Sense::Keep)
            || mentions.iter().any(|m| m.sense == Sense::Keep && m.taken_back && is_search(text, m))
            || taken_back(Sense::Latest),
        again: AGAIN.iter().any(|word| text.contains(word)),
        onward: says(Sense::Onward),
    };
    let renewal_of_pointer = mentions.iter().any(|m| {
        m.taken_back && matches!(m.sense, Sense::Point(Pointer::Now | Pointer::Result | Pointer::It))
    });
    let newness = if !reference.keep && (says(Sense::Latest) || renewal_of_pointer) {
        Newness::Latest
    } else if says(Sense::Doubt) {
        Newness::Doubted
    } else {
        Newness::Unsaid
    };
    (reference, newness)
}

fn is_search(text: &str, mention: &Mention) -> bool {
    ["검색", "찾", "조회"].iter().any(|stem| text[mention.start..mention.end].contains(stem))
}

/// "그 시세", "그 전세대출", "위 조문": a determiner right before a topic.
fn determined(text: &str, mentions: &[Mention], by: &[&str]) -> bool {
    mentions.iter().any(|mention| {
        let determined = by.iter().any(|word| {
            text[..mention.start]
                .strip_suffix(word)
                .is_some_and(|before| before.is_empty() || before.ends_with(' '))
        });
        determined && matches!(mention.sense, Sense::Topic(_) | Sense::Hint(_))
    })
}
