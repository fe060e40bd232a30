//! How a question points back into the conversation, and how new its data must be.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lexicon::{Mention, Pointer, Sense};
use super::period;
use super::words::{AND, after_particle, begins_word, is_particle, rest_of_word};

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
    /// 뭐였지, 얼마랬죠: asks what was said.
    #[serde(default)]
    pub recalls: bool,
    /// 그럼, 다시: goes on from what was said.
    pub onward: bool,
    /// 그중에, 둘 중, of them: picks from several that are there.
    #[serde(default)]
    pub among: bool,
}

impl Reference {
    /// Does the question itself say that it is about what was found before?
    pub fn is_explicit(&self) -> bool {
        self.just_now || self.before || self.dated || self.to_result || self.keep
    }

    /// Does it speak of what is held, so that a word that nobody knows says what is done with that?
    pub fn is_about_held(&self) -> bool {
        self.is_explicit() || self.that || self.recalls || self.among
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
    "번만 더",
    "더 자세",
    "자세히",
    "again",
    "once more",
    "in more detail",
];

/// What somebody is reminded of was said before: 뭐였지, 얼마랬죠, 몇 프로더라; 그렇더라도 and 드라이 remind of nothing.
#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static RECALLS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"뭐였|였지|였죠|[가-힣](?:더|드)라(?:고요|구요|요)?(?:$|[^가-힣])|[랬댔](?:지|죠)|[라다]고 (?:했|하셨|그랬)(?:지|죠|더라|나요|었지|었죠|니\?|어\?|어요\?)|나왔었|했었",
    )
    .unwrap()
});

/// Words that pick from what lies there: 그 두 건, 둘 중에, 뽑은 데서, 목록에서, the list you gave me.
#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static AMONG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"중에|[가-힣] ?중 |가운데|(?:[거것데]|목록|리스트|표|자료|결과|데이터)들?에?서\b|\bfrom (?:the|those|these|that)\b|\bof (?:the )?(?:them|those|these|two|three)\b|\bamong\b|\b(?:you|u) (?:just )?(?:gave|showed|pulled|found|told|sent|listed|got|mentioned)\b",
    )
    .unwrap()
});

/// Is something picked from what lies there?
pub(super) fn picks_among(text: &str) -> bool {
    AMONG.is_match(text) || counts_out(text) || names_data(text)
}

/// 그 두 건, 저 아홉개: so many of what is there.
fn counts_out(text: &str) -> bool {
    const THAT: &[&str] = &["그", "저", "이", "고"];
    // 찌개 counts nothing: a number stands before what counts, if anything does.
    let number = |stem: &str| {
        stem.is_empty()
            || stem.ends_with(|c: char| c.is_ascii_digit())
            || NUMERALS.iter().any(|number| stem.ends_with(number))
    };
    let counted = |word: &str| {
        let counters = word.char_indices().filter(|(_, letter)| "건개곳채".contains(*letter));
        counters.into_iter().any(|(at, letter)| {
            is_particle(&word[at + letter.len_utf8()..]) && (letter == '건' || number(&word[..at]))
        })
    };
    let words: Vec<&str> = text.split(' ').collect();
    let that = |at: &usize| THAT.contains(&words[*at]);
    (0..words.len()).filter(that).any(|at| words[at + 1..].iter().take(2).any(|word| counted(word)))
}

/// Those numbers, that list of prices: what is there, in English.
pub(super) fn names_data(text: &str) -> bool {
    #[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
    static DATA: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?:that|those|these) (?:\w+ )?(?:numbers|prices|results|data|list|listings|figures|clauses|articles|rates|products|table)\b").unwrap()
    });
    DATA.is_match(text)
}

/// What has only just come in: 지금 막 등록된 거, 오늘 올라온.
#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static FRESH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:지금|막|새로|갓|오늘|이번 ?주에?) ?(?:막 )?(?:등록|올라온|올라왔|뜬|들어온|신고된|찍힌|고시|발표|공시)|새로 \S*(?:줘|줄래|주세요|주라|봐)")
        .unwrap()
});

/// What is set against now, or what may have happened since: 지금이랑 차이 없을까, 오늘도 똑같겠죠, 그새.
#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static SINCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:지났|넘었|[틀흘일주달월년] 된).{0,20}(?:되나|될까|되려나|될라나|괜찮|믿)|그새|그 ?사이|그동안",
    )
    .unwrap()
});
#[allow(clippy::unwrap_used, reason = "see above")]
static BESIDE_NOW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:지금|오늘|요즘|현재|이제)(\S{1,3}?) ?.{0,12}?(?:같|그대로|차이|다르|다를|달라|변[하했]|바뀌|맞|유효|믿)").unwrap()
});

fn may_have_changed(text: &str) -> bool {
    let beside = |found: regex::Captures<'_>| {
        let word = found.get(1).map_or("", |word| rest_of_word(text, word.start()));
        AND.contains(&word) || word.ends_with('도')
    };
    SINCE.is_match(text) || BESIDE_NOW.captures_iter(text).any(beside)
}

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
        to_result: points_at_result(text, mentions) || that_topic,
        that: that_topic,
        pronoun: says(Sense::Point(Pointer::It)),
        to_place: says(Sense::Point(Pointer::Place)),
        one: ONE.iter().any(|word| text.match_indices(word).any(|(at, _)| begins_word(text, at))),
        // "다시 검색하지 말고": the wish for new data is taken back.
        keep: says(Sense::Keep) && !taken_back(Sense::Keep) || refuses_search(text, mentions),
        again: RECALLS.is_match(text) || AGAIN.iter().any(|word| text.contains(word)),
        recalls: RECALLS.is_match(text),
        onward: says(Sense::Onward),
        among: picks_among(text),
    };
    let renewal_of_pointer = mentions.iter().any(|m| {
        m.taken_back && matches!(m.sense, Sense::Point(Pointer::Now | Pointer::Result | Pointer::It))
    });
    let newness = if !reference.keep && (says(Sense::Latest) || FRESH.is_match(text) || renewal_of_pointer) {
        Newness::Latest
    } else if says(Sense::Doubt) || may_have_changed(text) {
        Newness::Doubted
    } else {
        Newness::Unsaid
    };
    (reference, newness)
}

/// 알려준 조문, but not 중개사가 안 알려준 것.
fn points_at_result(text: &str, mentions: &[Mention]) -> bool {
    let denied = |mention: &Mention| ["안 ", "못 "].iter().any(|no| text[..mention.start].ends_with(no));
    let result = |mention: &&Mention| mention.sense == Sense::Point(Pointer::Result) && !mention.taken_back;
    mentions.iter().filter(result).any(|mention| !denied(mention))
}

/// A search that need not, or must not, be made: 조회는 다시 하지 말고, 새로 찾지 마, no need for another search.
#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static NO_SEARCH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:검색|조회|찾아 ?보기)[은는을를]? ?(?:다시 |또 |새로 |더 )*(?:하지 ?(?:말|마|않아도)|할 ?필요 ?(?:가 )?없|안 ?해도|없이|말고)|(?:찾|찾아 ?보|알아 ?보)지 ?(?:말|마|않아도)|\b(?:don't|dont|do not|no need (?:to|for)|needn't|without) (?:\w+ ){0,2}?(?:search|searching|look(?:ing)? (?:it|them|that) up)\b",
    )
    .unwrap()
});

/// 다시 검색하지 말고, 조회 없이, don't search again: a new search is refused in words.
pub(super) fn refuses_search(text: &str, mentions: &[Mention]) -> bool {
    let is_search = |mention: &Mention| {
        let word = &text[mention.start..mention.end];
        let searches = ["검색", "찾", "조회"].iter().any(|stem| word.contains(stem));
        searches && (mention.taken_back || word.ends_with("없이") || word.ends_with("말고"))
    };
    let refused = mentions.iter().any(|mention| match mention.sense {
        Sense::Keep => is_search(mention),
        Sense::Latest => mention.taken_back,
        _ => false,
    });
    refused || NO_SEARCH.is_match(text)
}

const NUMERALS: &[&str] = &["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열"];

/// "그 시세", "그 전세대출", "위 조문": a determiner right before a topic.
fn determined(text: &str, mentions: &[Mention], by: &[&str]) -> bool {
    mentions.iter().any(|mention| {
        let before = &text[..mention.start];
        // 그 세 조문: how many there are may stand between.
        let counted = NUMERALS.iter().find_map(|number| before.trim_end().strip_suffix(number));
        let ends = |before: &str, word: &str| {
            before.strip_suffix(word).is_some_and(|before| before.is_empty() || before.ends_with(' '))
        };
        let determined =
            by.iter().any(|word| ends(before, word) || counted.is_some_and(|before| ends(before, word)));
        determined && matches!(mention.sense, Sense::Topic(_) | Sense::Hint(_))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::lexicon::scan;

    #[test]
    fn what_is_held_is_pointed_at_in_many_ways() {
        let held = |text: &str| read(text, &scan(text)).0.is_about_held();
        for text in [
            "그 두 건 평균",
            "둘 중에 뭐가 나을까",
            "뽑은 데서 과천만",
            "얼마랬죠",
            "그 세 조문 비교",
            "the list you gave me",
        ] {
            assert!(held(text), "{text}");
        }
        for other in [
            "힘들더라도 대출을 더 받을까",
            "드라이비트 외벽이면 시세가 얼마야",
            "집주인이 나가라고 했는데 어쩌죠",
        ] {
            assert!(!held(other), "{other}");
        }
        assert!(held("그게 얼마드라") && held("몇 건이더라?") && held("얼마라고 했죠"));
        assert!(!held("판교는 얼마야") && !held("따끈한 걸로 다시 부탁"));
    }

    #[test]
    fn what_came_in_since_is_new_and_what_may_have_is_doubted() {
        let newness = |text: &str| read(text, &scan(text)).1;
        for text in ["지금 막 등록된 거까지", "새로 돌려줘", "오늘 올라온 것도"] {
            assert_eq!(newness(text), Newness::Latest, "{text}");
        }
        for text in ["오늘도 똑같겠죠", "지금이랑 차이 없을까요", "이틀 된 시센데 써도 될까요"]
        {
            assert_eq!(newness(text), Newness::Doubted, "{text}");
        }
        assert_eq!(newness("최신 아니어도 상관없어 어제 걸로"), Newness::Unsaid);
        assert_eq!(newness("don't search again, give me the max"), Newness::Unsaid);
    }
}
