//! What lies around a place (stations, schools, hospitals, parks, shops), and whether a question asks for it: who wants a
//! home near a station asks for a home.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{AND, after_particle, begins_word, is_particle, is_taken_back, rest_of_word};

/// Something that lies around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Facility {
    Subway,
    Elementary,
    Middle,
    High,
    Hospital,
    Park,
    Shop,
    Convenience,
}

impl Facility {
    /// What is meant where somebody asks what there is, and names nothing.
    pub const USUAL: [Self; 7] =
        [Self::Subway, Self::Elementary, Self::Middle, Self::High, Self::Hospital, Self::Park, Self::Shop];
    const SCHOOLS: [Self; 3] = [Self::Elementary, Self::Middle, Self::High];
}

/// What facilities are called. Of words that begin alike the longer stands first.
#[rustfmt::skip]
const WORDS: &[(&[&str], &[Facility])] = &[
    (&["지하철역", "전철역", "지하철", "전철", "역", "subway station", "metro station", "train station", "subway", "metro", "station"], &[Facility::Subway]),
    (&["초등학교", "elementary school", "primary school"], &[Facility::Elementary]),
    (&["중학교", "middle school"], &[Facility::Middle]),
    (&["고등학교", "high school"], &[Facility::High]),
    (&["학교", "school"], &Facility::SCHOOLS),
    (&["병원", "hospital"], &[Facility::Hospital]),
    (&["공원", "park"], &[Facility::Park]),
    (&["대형마트", "대형 마트", "마트", "슈퍼마켓", "백화점", "쇼핑몰", "supermarket", "grocery store", "shopping mall", "shop"], &[Facility::Shop]),
    (&["편의점", "convenience store"], &[Facility::Convenience]),
];
/// What all of them are called together.
const ALL: &[&str] = &[
    "생활 인프라",
    "인프라",
    "생활 편의시설",
    "편의시설",
    "편의 시설",
    "생활시설",
    "주변 시설",
    "주변시설",
    "주변 환경",
    "amenities",
    "infrastructure",
    "facilities",
];
/// Questions for whatever there is.
const WHATEVER: &[&str] = &[
    "주변에 뭐",
    "주변에는 뭐",
    "주변엔 뭐",
    "근처에 뭐",
    "근처에는 뭐",
    "근처엔 뭐",
    "주변에 무엇",
    "근처에 무엇",
    "주변에 무슨 시설",
    "근처에 무슨 시설",
    "주변에 어떤 시설",
    "근처에 어떤 시설",
    "what's around",
    "what is around",
    "what's near",
    "what is near",
    "what is there around",
    "what is there near",
];
/// Words for what lies around.
const NEAR: &[&str] = &["근처", "주변", "인근", "부근", "가까운", "가까이"];
/// Behind a facility, these say where a home is to be: 지하철역 근처 아파트.
const HOME_BY: &[&str] = &["근처", "주변", "인근", "부근", "옆", "앞", "가까운", "가까이", "도보"];
/// How a question goes on behind what it asks for.
const ASKS: &[&str] = &[
    "있어",
    "있나",
    "있는지",
    "있는가",
    "있을까",
    "있습니까",
    "있니",
    "있냐",
    "있음",
    "많아",
    "많나",
    "많은지",
    "많은가",
    "몇",
    "어디",
    "뭐",
    "무엇",
    "무슨",
    "어떤",
    "알려",
    "찾아",
    "보여",
    "말해",
    "궁금",
    "거리",
    "얼마나",
    "가까워",
    "가깝",
    "가까운지",
    "멀어",
    "먼가",
    "먼지",
];
/// And where it asks how good something is.
const JUDGES: &[&str] =
    &["어때", "어떤가", "어떠", "좋아", "좋나", "좋은지", "좋은가", "괜찮아", "괜찮나", "괜찮은지"];
/// What begins like a question and is a wish or a reason: 초등학교가 있어야 해.
const WISHES: &[&str] = &["있어야", "있어서", "있어도", "어디든"];
/// Before a facility, these say where a home is to be.
const HOME_NEAR: &[&str] = &["near", "close to", "next to", "beside", "around", "with", "from", "by"];
const ARTICLES: &[&str] = &["a", "an", "the", "any", "some", "good", "nearby"];
/// How a question begins that asks for what stands behind it, and after how many words at most.
const OPENS: &[(&str, usize)] = &[
    ("are there", 2),
    ("is there", 2),
    ("any ", 1),
    ("which ", 1),
    ("what ", 1),
    ("how many", 1),
    ("how far", 4),
    ("nearest", 1),
    ("closest", 1),
    ("where", 4),
    ("list ", 2),
    ("show me", 2),
    ("what about", 2),
    ("how about", 2),
];
/// Homes of which something is asked instead.
const HOMES: &[&str] = &[
    "apartment",
    "flat",
    "home",
    "house",
    "condo",
    "villa",
    "officetel",
    "studio",
    "listing",
    "place to live",
];
/// Behind a facility: around which place, and, where nothing else is spoken of, in which.
const AROUND: &[&str] = &["near ", "around ", "nearby", "close to "];
const IN: &[&str] = &["in ", "within "];

/// Where a text names a facility.
#[derive(Clone, Copy)]
struct Named {
    start: usize,
    end: usize,
    kinds: &'static [Facility],
    /// It names all of them together.
    all: bool,
}

/// What else a question is known to be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    /// The conversation was about what lies around a place.
    pub(super) goes_on: bool,
    /// It speaks of no price, deal or home.
    pub(super) nothing_else: bool,
}

/// The facilities that a text (lower case, single spaces) asks for.
pub(super) fn asked(text: &str, around: Around) -> Vec<Facility> {
    let named: Vec<Named> = named(text).into_iter().filter(|one| !is_taken_back(&text[one.end..])).collect();
    // 반경 500m 안에 뭐가 있어.
    let within = text.contains("반경") && ["뭐", "무엇"].iter().any(|word| text.contains(word));
    let whatever = within || WHATEVER.iter().any(|words| text.contains(words));
    let mut found: Vec<Facility> = Vec::new();
    let mut all = whatever;
    for run in runs(text, &named) {
        let last = run[run.len() - 1];
        let korean = !text[last.start..last.end].is_ascii();
        let is_asked = if korean {
            asked_in_korean(text, last, around, whatever)
        } else {
            asked_in_english(text, run, around, whatever)
        };
        if is_asked {
            all |= run.iter().any(|one| one.all);
            found.extend(run.iter().filter(|one| !one.all).flat_map(|one| one.kinds));
        }
    }
    if found.is_empty() && all {
        found.extend(Facility::USUAL);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Every name, in the order of the text; none inside of another.
fn named(text: &str) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    let words = WORDS.iter().flat_map(|(words, kinds)| words.iter().map(|word| (*word, *kinds, false)));
    let usual: &'static [Facility] = &Facility::USUAL;
    for (word, kinds, all) in words.chain(ALL.iter().map(|word| (*word, usual, true))) {
        for (start, _) in text.match_indices(word) {
            let end = start + word.len();
            if begins_word(text, start) && ends(text, word, end) {
                found.push(Named { start, end, kinds, all });
            }
        }
    }
    // The longest at a place, and what it covers is no name of its own.
    found.sort_by_key(|one| (one.start, usize::MAX - one.end));
    let mut kept: Vec<Named> = Vec::new();
    for one in found {
        if kept.last().is_none_or(|last| last.end <= one.start) {
            kept.push(one);
        }
    }
    kept
}

/// Does a word end here: before particles, or as an English word but for its plural?
fn ends(text: &str, word: &str, end: usize) -> bool {
    let rest = rest_of_word(text, end);
    if !word.is_ascii() {
        return is_particle(rest);
    }
    // A school district is none of the schools in it.
    matches!(rest, "" | "s" | "es") && !text[end..].starts_with(" district")
}

/// Names that are said in one breath: 지하철역이랑 초등학교, schools, parks.
fn runs<'a>(text: &str, named: &'a [Named]) -> Vec<&'a [Named]> {
    named.chunk_by(|a, b| joined(&text[a.end..b.start])).collect()
}

fn joined(between: &str) -> bool {
    let plain = between.trim_matches(|c: char| c.is_whitespace() || ",/·&".contains(c));
    let plain =
        plain.strip_prefix('s').unwrap_or(plain).trim_matches(|c: char| c.is_whitespace() || c == ',');
    plain.is_empty() || is_particle(plain) || AND.contains(&plain) || ["or", "그리고"].contains(&plain)
}

fn asked_in_korean(text: &str, last: Named, around: Around, whatever: bool) -> bool {
    let rest = after_particle(&text[last.end..]);
    let begins = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
    if begins(WISHES) || begins(HOME_BY) && !begins(&["가까운지"]) {
        return false;
    }
    let near = NEAR.iter().any(|word| text[..last.start].contains(word));
    let over = rest.trim_matches(|c: char| !c.is_alphanumeric()).is_empty();
    whatever
        || begins(ASKS)
        || last.all && begins(JUDGES)
        || near && begins(JUDGES)
        || over && (near || around.goes_on || around.nothing_else)
}

fn asked_in_english(text: &str, run: &[Named], around: Around, whatever: bool) -> bool {
    let (first, last) = (run[0], run[run.len() - 1]);
    let clause = text[..first.start].rsplit(['.', '?', '!']).next().unwrap_or_default();
    let mut before = clause.trim_end();
    while let Some(short) = ARTICLES.iter().find_map(|word| strip_word(before, word)) {
        before = short;
    }
    if HOME_NEAR.iter().any(|word| strip_word(before, word).is_some()) {
        return false;
    }
    // Mr Park is no park: one of a kind has an article, or "nearest" before it.
    let several = run.len() > 1 || last.all || text[last.end..].starts_with('s');
    let one = before.len() < clause.trim_end().len()
        || ["nearest", "closest"].iter().any(|word| strip_word(before, word).is_some());
    if !several && !one && !whatever {
        return false;
    }
    let homes = |text: &str| HOMES.iter().any(|word| text.contains(word));
    let opened = OPENS.iter().any(|(word, most)| {
        clause.rfind(word).is_some_and(|at| {
            let between = &clause[at + word.len()..];
            between.split_whitespace().count() <= *most && !homes(between)
        })
    });
    let rest = text[last.end..].trim_start_matches('s').trim_start();
    let begins = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
    let placed = (begins(AROUND) || around.nothing_else && begins(IN)) && !homes(clause);
    whatever || opened || placed || around.goes_on && !homes(clause)
}

/// The text without its last word.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_suffix(word)?;
    (rest.is_empty() || rest.ends_with(|c: char| !c.is_alphanumeric())).then(|| rest.trim_end())
}

#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static RADIUS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"([0-9]{1,5}(?:\.[0-9])?)\s?(km|킬로미터|킬로|kilomet(?:re|er)s?|m|미터|met(?:re|er)s?)(?:[^0-9a-z²]|$)")
        .unwrap()
});

/// 반경 500m, within 2 km: how far around, in metres, and where that is said.
pub(super) fn radius(text: &str) -> Option<(u64, Range<usize>)> {
    let found = RADIUS.captures(text)?;
    let number: f64 = found.get(1)?.as_str().parse().ok()?;
    let unit = found.get(2)?.as_str();
    let metres = if unit.starts_with('k') || unit.starts_with('킬') { number * 1_000.0 } else { number };
    let said = found.get(1)?.start()..found.get(2)?.end();
    (50.0..=20_000.0).contains(&metres).then_some((metres as u64, said))
}

#[cfg(test)]
mod tests {
    use super::Facility::{Elementary, Hospital, Park, Shop, Subway};
    use super::*;

    fn asks(text: &str) -> Vec<Facility> {
        asked(text, Around::default())
    }

    #[test]
    fn what_lies_around_a_place_is_asked_for_in_both_languages() {
        let cases: &[(&str, &[Facility])] = &[
            ("마포구 근처에 지하철역이랑 초등학교 있어?", &[Subway, Elementary]),
            ("성수동 주변 공원 알려줘", &[Park]),
            ("성수동 주변에 학교 말고 병원 있나요?", &[Hospital]),
            ("역삼동에서 지하철역까지 얼마나 걸려?", &[Subway]),
            ("성수동 주변 공원은?", &[Park]),
            ("what's around seongsu-dong: subway stations, parks?", &[Subway, Park]),
            ("are there any hospitals near mapo-gu?", &[Hospital]),
            ("subway stations and shops around jamsil", &[Subway, Shop]),
            ("how far is the nearest subway station in yeoksam-dong?", &[Subway]),
            ("마포구 주변에 뭐 있어?", &Facility::USUAL),
            ("성수동 생활 인프라 어때?", &Facility::USUAL),
            ("잠실동 반경 500m 안에 뭐가 있어?", &Facility::USUAL),
            ("what is around mapo-gu?", &Facility::USUAL),
            ("what amenities are there near mapo-gu?", &Facility::USUAL),
            ("is there a park near seongsu-dong?", &[Park]),
        ];
        for (text, wanted) in cases {
            assert_eq!(asks(text), *wanted, "{text}");
        }
    }

    #[test]
    fn a_home_near_something_is_a_home() {
        for text in [
            "지하철역 근처 아파트 시세 알려줘",
            "초등학교 있는 아파트 단지 추천해줘",
            "근처에 초등학교가 있어야 해. 마포구 아파트 찾아줘",
            "마포구 지하철역 가까운 원룸 있어?",
            "인프라 좋은 동네 아파트 매물",
            "find me an apartment near a subway station",
            "are there apartments close to good schools in mapo-gu?",
            "an apartment with a park nearby in mapo-gu",
            "마포구 주차 되는 아파트",
            "is there parking?",
            "what can i do if my landlord mr park keeps my deposit?",
            "which school district is the best?",
            "do shops in seoul have a right of renewal?",
            "what tax do shops pay?",
            "강남역 시세 알려줘",
        ] {
            assert_eq!(asks(text), [], "{text}");
        }
    }

    #[test]
    fn a_bare_name_goes_on_where_the_talk_is_about_that() {
        let goes_on = Around { goes_on: true, ..Around::default() };
        assert_eq!(asked("병원은?", goes_on), [Hospital]);
        assert_eq!(asked("and parks?", goes_on), [Park]);
        assert_eq!(asks("병원은?"), []);
    }

    #[test]
    fn how_far_around_is_read() {
        let metres = |text| radius(text).map(|(metres, _)| metres);
        assert_eq!(metres("반경 500m 안에 초등학교 있어?"), Some(500));
        assert_eq!(metres("within 1.5 km of mapo-gu"), Some(1_500));
        assert_eq!(metres("전용 84m2 아파트"), None);
        assert_eq!(metres("마포구 초등학교"), None);
    }
}
