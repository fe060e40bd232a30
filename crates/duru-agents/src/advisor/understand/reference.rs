//! How a question points back into the conversation, and how new its data must be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lexicon::{Mention, Pointer, Sense};

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
    /// 그대로, 검색하지 말고: with what is there.
    pub keep: bool,
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

/// Reads both. `text` is lower case with single spaces.
pub(crate) fn read(text: &str, mentions: &[Mention]) -> (Reference, Newness) {
    let says = |wanted: Sense| mentions.iter().any(|m| m.sense == wanted && !m.taken_back);
    let taken_back = |wanted: Sense| mentions.iter().any(|m| m.sense == wanted && m.taken_back);
    let that_topic = that_topic(text, mentions);
    let reference = Reference {
        just_now: says(Sense::Point(Pointer::Now)),
        before: says(Sense::Point(Pointer::Before)),
        dated: says(Sense::Point(Pointer::Dated)),
        to_result: says(Sense::Point(Pointer::Result)) || that_topic,
        that: that_topic,
        pronoun: says(Sense::Point(Pointer::It)),
        to_place: says(Sense::Point(Pointer::Place)),
        // "다시 검색하지 말고": the wish for new data is taken back.
        keep: says(Sense::Keep) && !taken_back(Sense::Keep)
            || mentions.iter().any(|m| m.sense == Sense::Keep && m.taken_back && is_search(text, m))
            || taken_back(Sense::Latest),
        onward: says(Sense::Onward),
    };
    let renewal_of_pointer = mentions.iter().any(|m| {
        m.taken_back && matches!(m.sense, Sense::Point(Pointer::Now | Pointer::Result | Pointer::It))
    });
    let newness = if reference.keep {
        Newness::Unsaid
    } else if says(Sense::Latest) || renewal_of_pointer {
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

/// "그 시세", "그 전세대출": the determiner right before a topic.
fn that_topic(text: &str, mentions: &[Mention]) -> bool {
    mentions.iter().any(|mention| {
        let determined = ["그 ", "이 ", "저 "].iter().any(|word| {
            text[..mention.start]
                .strip_suffix(word)
                .is_some_and(|before| before.is_empty() || before.ends_with(' '))
        });
        determined && matches!(mention.sense, Sense::Topic(_) | Sense::Hint(_))
    })
}
