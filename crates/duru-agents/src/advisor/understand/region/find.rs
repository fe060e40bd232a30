//! Finding places in a sentence.

use super::aliases_tables::{SHORT_WORDS_TOO, TOGETHER};
use super::compared::is_compared;
use super::gazetteer::{self, Named};
use super::{Region, Relation};
use crate::advisor::understand::words::{AND, begins_word, is_particle, is_taken_back, rest_of_word};

/// A place that a sentence names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceMention {
    /// The place that is most likely meant.
    pub region: Region,
    /// Every place of this name that the sentence allows. More than one: the
    /// name was not enough.
    pub candidates: Vec<Region>,
    /// Named only to be left out: "중구 말고".
    pub taken_back: bool,
    start: usize,
    end: usize,
}

impl PlaceMention {
    /// A place that is meant without being named.
    pub(crate) fn meant(region: Region) -> Self {
        Self { candidates: vec![region.clone()], region, taken_back: false, start: 0, end: 0 }
    }

    /// Where the name stands in the text, in bytes.
    pub(crate) fn span(&self) -> (usize, usize) {
        (self.start, self.end)
    }
}

/// Words about property: whatever stands before one of them is a place.
const ESTATE: &[&str] = &[
    "아파트",
    "빌라",
    "오피스텔",
    "원룸",
    "투룸",
    "쓰리룸",
    "주택",
    "단독",
    "다세대",
    "연립",
    "상가",
    "토지",
    "매매",
    "전세",
    "월세",
    "시세",
    "집값",
    "부동산",
    "매물",
    "실거래",
    "전체",
    "전역",
    "지역",
    "일대",
    "쪽",
    "근처",
    "인근",
    "부근",
    "권",
    "역",
    "내",
    "신축",
    "재건축",
    "재개발",
    "평균",
    "평당",
    "임대",
    "분양",
    "집",
    "방",
    "대신",
    "말고",
    "거래",
    "구축",
    "호가",
    "apartment",
    "condo",
    "house",
    "officetel",
    "villa",
    "home",
];

/// The places in `text`, in order. `near` are places that the conversation is
/// about: they decide between places of the same name.
pub fn find(text: &str, near: &[Region]) -> Vec<PlaceMention> {
    let text = text.to_lowercase();
    let mut found: Vec<PlaceMention> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let after_place = found.last().is_some_and(|last| last.end == at);
        if begins_word(&text, at)
            && let Some((name, districts)) = TOGETHER.iter().find(|(name, _)| text[at..].starts_with(name))
        {
            let end = at + name.len();
            let taken_back = is_taken_back(&text[end..]);
            // Only 서울 has districts of these names that people join so.
            let capital = districts.iter().filter_map(|name| gazetteer::districts(name).next());
            found.extend(capital.map(|region| PlaceMention {
                region: region.clone(),
                candidates: vec![region.clone()],
                taken_back,
                start: at,
                end,
            }));
            at = end;
            continue;
        }
        if (begins_word(&text, at) || after_place)
            && let Some((length, named)) = gazetteer::longest_prefix(&text[at..])
            && let Some(end) = accept(&text, at, length, named, &found)
        {
            found.push(PlaceMention {
                region: named.places[0].clone(),
                candidates: named.places.clone(),
                taken_back: is_taken_back(&text[end..]),
                start: at,
                end,
            });
            at = end;
            continue;
        }
        at += text[at..].chars().next().map_or(1, char::len_utf8);
    }
    narrow(&text, found, near)
}

/// Words that look like a place with a particle.
const NOT_PLACES: &[&str] = &["고양이", "pyeong"];

/// Where the name ends if it is one, and not the beginning of another word.
fn accept(text: &str, at: usize, length: usize, named: &Named, found: &[PlaceMention]) -> Option<usize> {
    let mut end = at + length;
    let name = &text[at..end];
    // Words that begin like a place: 고양이 is a cat.
    if NOT_PLACES.iter().any(|word| text[at..].starts_with(word) && word.len() >= length) {
        return None;
    }
    let inside_last = || {
        found.last().is_some_and(|last| {
            text[last.end..at].trim().is_empty()
                && last.candidates.iter().any(|outer| named.places.iter().any(|place| inside(place, outer)))
        })
    };
    if named.word_too && !inside_last() {
        return None;
    }
    if name.is_ascii() {
        for suffix in ["-gu", "-si", "-dong", " district", " city"] {
            if text[end..].starts_with(suffix) {
                end += suffix.len();
                break;
            }
        }
        return rest_of_word(text, end).is_empty().then_some(end);
    }
    // 상계1동, 성수동2가, 잠실 5단지.
    let digits = text[end..].chars().take_while(char::is_ascii_digit).count();
    if digits > 0 && text[end + digits..].starts_with(['동', '가']) {
        end += digits + '동'.len_utf8();
    }
    let rest = rest_of_word(text, end);
    let next = if rest.is_empty() { text[end..].trim_start() } else { rest };
    let estate_follows = ESTATE.iter().any(|word| next.starts_with(word));
    let place_follows = || gazetteer::longest_prefix(rest).is_some();
    let wanted = named.short && SHORT_WORDS_TOO.contains(&name);
    // 동작이랑 관악: beside another place it is one.
    let beside =
        || AND.contains(&rest) && gazetteer::longest_prefix(text[end + rest.len()..].trim_start()).is_some();
    if wanted && !estate_follows && !inside_last() && !beside() {
        return None;
    }
    (is_particle(rest) || estate_follows || place_follows()).then_some(end)
}

fn inside(place: &Region, outer: &Region) -> bool {
    place.relation(outer) == Relation::Wider
}

/// Joins 서울 + 강남구 + 역삼동 to one place, and decides between namesakes.
fn narrow(text: &str, found: Vec<PlaceMention>, near: &[Region]) -> Vec<PlaceMention> {
    let mut places: Vec<PlaceMention> = Vec::new();
    for mut mention in found {
        if let Some(last) = places.last() {
            let joined = text.get(last.end..mention.start).is_some_and(|between| between.trim().is_empty());
            let within: Vec<Region> = mention
                .candidates
                .iter()
                .filter(|place| last.candidates.iter().any(|outer| inside(place, outer)))
                .cloned()
                .collect();
            if joined && !within.is_empty() {
                mention.candidates = within;
                mention.start = last.start;
                places.pop();
            }
        }
        places.push(mention);
    }
    // A place named elsewhere in the sentence says which namesake is meant.
    let sure = |place: &&PlaceMention| place.candidates.len() == 1;
    let named: Vec<Region> = places.iter().filter(sure).map(|place| place.candidates[0].clone()).collect();
    for place in &mut places {
        if place.candidates.len() > 1 {
            decide(place, &named, near);
        }
        place.region = place.candidates[0].clone();
    }
    drop_containers(text, places)
}

/// Puts the namesake first that the sentence, the conversation or, failing
/// both, the capital suggests. The others stay: the name was not enough.
fn decide(place: &mut PlaceMention, named: &[Region], near: &[Region]) {
    for hints in [named, near] {
        let fits = |region: &Region| {
            hints.iter().any(|hint| {
                hint.district.is_some() && hint.relation(region) != Relation::Elsewhere
                    || hint.district.is_none() && inside(region, hint)
            })
        };
        let fitting: Vec<Region> = place.candidates.iter().filter(|region| fits(region)).cloned().collect();
        if !fitting.is_empty() && fitting.len() < place.candidates.len() {
            place.candidates = fitting;
            return;
        }
    }
    place.candidates.sort_by_key(|region| region.province != "서울");
}

/// "서울 전체에서 마포구만" is about 마포구; "서울과 마포구 비교" is about both.
fn drop_containers(text: &str, places: Vec<PlaceMention>) -> Vec<PlaceMention> {
    let contains_another = |place: &PlaceMention| {
        places.iter().any(|other| {
            !other.taken_back
                && inside(&other.region, &place.region)
                && !joined_by_and(text, place, other)
                && !is_compared(text, place)
        })
    };
    let kept: Vec<bool> = places.iter().map(|place| place.taken_back || !contains_another(place)).collect();
    let mut kept = kept.into_iter();
    places.into_iter().filter(|_| kept.next().unwrap_or(true)).collect()
}

fn joined_by_and(text: &str, a: &PlaceMention, b: &PlaceMention) -> bool {
    let (first, second) = if a.start < b.start { (a, b) } else { (b, a) };
    let between = text.get(first.end..second.start).unwrap_or_default().trim();
    AND.iter().chain(&[",", "·", "vs"]).any(|word| *word == between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        find(text, &[]).into_iter().filter(|p| !p.taken_back).map(|p| p.region.name()).collect()
    }

    #[test]
    fn a_whole_that_a_part_is_set_against_is_meant() {
        assert_eq!(names("서울 평균이랑 대보면 노원이 비싼 편이에요?"), ["서울", "노원구"]);
        assert_eq!(names("서울 전체에서 노원만"), ["노원구"]);
    }

    #[test]
    fn a_cat_is_no_place() {
        assert!(find("나는 고양이를 키워", &[]).is_empty());
        assert_eq!(find("고양시 아파트", &[]).len(), 1);
        assert_eq!(find("고양 일산 아파트 시세", &[])[0].region.province, "경기");
    }

    #[test]
    fn places_are_found_by_any_of_their_names() {
        assert_eq!(names("강남 아파트 시세"), ["강남구"]);
        assert_eq!(names("서울시강남구 역삼동 오피스텔"), ["역삼동"]);
        assert_eq!(names("분당이랑 판교 비교"), ["분당구", "판교동"]);
        assert_eq!(names("잠실 쪽은 얼마야"), ["잠실동"]);
        assert_eq!(names("Apartments in Mapo-gu and Gangnam"), ["마포구", "강남구"]);
        assert_eq!(names("상계1동 전세"), ["상계동"]);
        assert_eq!(names("성남시 분당구 아파트"), ["분당구"]);
        assert_eq!(names("서울 아파트 시세"), ["서울"]);
        assert_eq!(names("강남 3구 시세"), ["강남구", "서초구", "송파구"]);
        assert_eq!(names("노도강은 어때"), ["노원구", "도봉구", "강북구"]);
    }

    #[test]
    fn words_that_only_look_like_places_are_none() {
        for text in [
            "2년 동안 살았어요",
            "중구난방으로",
            "요즘 경기가 안 좋아",
            "합동 조사",
            "서구식 주방",
            "이천만원",
            "수영장 있는 집",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_namesake_is_chosen_by_sentence_then_conversation_then_capital() {
        assert_eq!(names("부산 중구 시세"), ["부산 중구"]);
        let here = find("중구 시세", &[]);
        assert_eq!((here[0].region.province.as_str(), here[0].candidates.len()), ("서울", 6));
        let busan = Region { province: "부산".into(), district: None, neighbourhood: None };
        assert_eq!(find("중구 시세", &[busan])[0].region.province, "부산");
        assert_eq!(find("은평구 신사동", &[])[0].region.district.as_deref(), Some("은평구"));
    }

    #[test]
    fn a_place_taken_back_and_a_mere_container_are_told() {
        assert_eq!(names("중구 말고 중랑구 시세"), ["중랑구"]);
        assert_eq!(names("잠실동 데이터 말고 송파구 전체로"), ["송파구"]);
        assert_eq!(names("서울 전체 중에서 마포구만"), ["마포구"]);
        assert_eq!(names("서울과 마포구 비교"), ["서울", "마포구"]);
    }
}
