//! Names of housing complexes and stations: places smaller than any that the gazetteer has.

use super::lexicon::scan;
use super::region;
use super::words::{is_particle, rest_of_word};

/// What the name of a complex ends with.
const ENDS: &[&str] = &["아파트", "오피스텔", "빌라", "단지"];
/// Builders' brands: they make a name by themselves.
const BRANDS: &[&str] = &[
    "래미안",
    "자이",
    "힐스테이트",
    "푸르지오",
    "롯데캐슬",
    "아이파크",
    "더샵",
    "편한세상",
    "센트레빌",
    "헬리오시티",
    "리센츠",
    "엘스",
    "파크리오",
    "은마",
    "타워팰리스",
    "아크로",
    "디에이치",
    "써밋",
    "위브",
    "데시앙",
    "스위첸",
];
/// Words that end like a station and are none.
const NO_STATION: &[&str] = &[
    "지역",
    "정비구역",
    "개발구역",
    "건축구역",
    "영역",
    "전역",
    "권역",
    "광역",
    "용역",
    "면역",
    "번역",
    "내역",
    "지하철역",
    "전철역",
];
/// Words before "apartment" that name none.
const NO_NAME: &[&str] = &[
    "신축",
    "구축",
    "주변",
    "근처",
    "인근",
    "일반",
    "전체",
    "우리",
    "서울",
    "소형",
    "대형",
    "중형",
    "브랜드",
    "재건축",
    "임대",
    "공공",
    "민간",
    "요즘",
    "혹시",
    "그럼",
    "지금",
    "현재",
    "대단지",
    "평형",
    "평대",
    "사고",
    "전용",
    "매수",
    "국민",
    "고급",
    "신도시",
    "아까",
    "방금",
    "지역",
    "동네",
];

/// The complexes and stations that a text (lower case, single spaces) names.
pub(super) fn find(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    let words: Vec<&str> =
        text.split([' ', ',', '?', '.', '!', '/']).filter(|word| !word.is_empty()).collect();
    for (at, word) in words.iter().enumerate() {
        if let Some(brand) = BRANDS.iter().find(|brand| word.contains(**brand) && !word.starts_with("자이언"))
        {
            add(brand);
        }
        for end in ENDS {
            if let Some(start) = word.find(end)
                && is_particle(rest_of_word(word, start + end.len()))
            {
                let stem = &word[..start];
                if is_name(stem) {
                    add(stem);
                } else if start == 0
                    && *end != "단지"
                    && let Some(before) = at.checked_sub(1).and_then(|before| words.get(before))
                    && is_name(before)
                    && before.chars().count() > 2
                    && !before.ends_with([
                        '은', '는', '한', '의', '인', '된', '운', '간', '서', '로', '고', '을', '를', '만',
                        '도', '면',
                    ])
                {
                    add(before);
                }
            }
        }
        if let Some(start) = word.find('역')
            && is_particle(rest_of_word(word, start + '역'.len_utf8()))
            && word[..start].chars().count() >= 2
            && !NO_STATION.iter().any(|no| word[..start + '역'.len_utf8()].ends_with(no))
        {
            add(&word[..start + '역'.len_utf8()]);
        }
    }
    names
}

/// Korean letters that no lexicon and no gazetteer knows.
fn is_name(stem: &str) -> bool {
    stem.chars().count() >= 2
        && stem.chars().all(|c| ('가'..='힣').contains(&c))
        && !NO_NAME.iter().any(|no| stem.ends_with(no))
        && scan(stem).is_empty()
        && region::find(stem, &[]).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complex_is_told_from_a_kind_of_home() {
        assert_eq!(find("은마아파트 시세는?"), ["은마"]);
        assert_eq!(find("마포 래미안은 얼마야"), ["래미안"]);
        assert_eq!(find("홍대입구역 근처로"), ["홍대입구역"]);
        for none in [
            "신축 아파트만",
            "강남구 아파트 시세",
            "이 지역 아파트",
            "좋은 아파트 찾아줘",
            "거래 내역 보여줘",
        ] {
            assert!(find(none).is_empty(), "{none}: {:?}", find(none));
        }
    }
}
