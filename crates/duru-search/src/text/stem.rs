//! Taking particles and endings off, and recognising a stem in its inflected forms.

use super::hangul::{self, Syllable, closed};

/// When a particle may follow a syllable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Any,
    /// A syllable with a final consonant.
    Closed,
    /// A syllable without one.
    Open,
    /// One without, or with ㄹ.
    OpenOrL,
}

use After::{Any, Closed, Open, OpenOrL};

/// Longer ones first: the first that fits is taken.
const PARTICLES: &[(&str, After)] = &[
    ("으로부터는", Closed),
    ("에서부터", Any),
    ("으로부터", Closed),
    ("으로서의", Closed),
    ("이라고는", Closed),
    ("에게서", Any),
    ("에서는", Any),
    ("에서의", Any),
    ("에서도", Any),
    ("에게는", Any),
    ("으로서", Closed),
    ("으로써", Closed),
    ("으로는", Closed),
    ("으로도", Closed),
    ("이라고", Closed),
    ("이라는", Closed),
    ("이라도", Closed),
    ("이라면", Closed),
    ("까지의", Any),
    ("까지는", Any),
    ("부터의", Any),
    ("로부터", OpenOrL),
    ("이에요", Closed),
    ("인가요", Any),
    ("인지요", Any),
    ("입니까", Any),
    ("입니다", Any),
    ("이지만", Any),
    ("이든지", Any),
    ("한테서", Any),
    ("이란", Closed),
    ("이랑", Closed),
    ("이나", Closed),
    ("이며", Closed),
    ("이고", Closed),
    ("이라", Closed),
    ("이면", Closed),
    ("인데", Any),
    ("인지", Any),
    ("에서", Any),
    ("에게", Any),
    ("한테", Any),
    ("께서", Any),
    ("으로", Closed),
    ("까지", Any),
    ("부터", Any),
    ("보다", Any),
    ("처럼", Any),
    ("마다", Any),
    ("조차", Any),
    ("밖에", Any),
    ("에는", Any),
    ("에도", Any),
    ("에의", Any),
    ("에만", Any),
    ("와의", Open),
    ("과의", Closed),
    ("와는", Open),
    ("과는", Closed),
    ("만을", Any),
    ("만이", Any),
    ("만은", Any),
    ("라고", Open),
    ("라는", Open),
    ("라도", Open),
    ("라면", Open),
    ("예요", Open),
    ("로서", OpenOrL),
    ("로써", OpenOrL),
    ("로는", OpenOrL),
    ("로도", OpenOrL),
    ("하고", Any),
    ("이요", Closed),
    ("은", Closed),
    ("는", Open),
    ("이", Closed),
    ("가", Open),
    ("을", Closed),
    ("를", Open),
    ("에", Any),
    ("의", Any),
    ("와", Open),
    ("과", Closed),
    ("로", OpenOrL),
    ("도", Any),
    ("만", Any),
    ("란", Open),
    ("랑", Open),
    ("나", Open),
    ("며", Open),
    ("요", Open),
];

/// Nouns that end like a particle after a stem of two syllables or more.
const NO_PARTICLE: &[&str] = &[
    "관리인도",
    "주택가",
    "감정평가",
    "분양가",
    "시가",
    "매매가",
    "실거래가",
    "공시지가",
    "표준지공시지가",
    "원가",
    "국가",
    "인가",
    "허가",
    "증가",
    "평가",
    "대가",
    "단가",
    "추가",
    "제도",
    "한도",
    "용도",
    "속도",
    "정도",
    "연도",
    "철도",
    "도로",
    "경로",
    "근로",
    "선로",
    "통로",
    "회의",
    "협의",
    "동의",
    "주의",
    "이의",
    "합의",
    "결의",
    "고의",
    "명의",
    "심의",
    "논의",
    "문의",
    "상가",
    "휴가",
    "전용도로",
    "결과",
    "효과",
    "부과",
    "초과",
    "경과",
    "통과",
    "사과",
    "하나",
    "누구나",
    "자나",
];

/// How 하다 and 되다 may go on behind a noun, and what else makes a verb of one.
const VERBALISERS: &[&str] = &[
    "하", "해", "했", "합", "한", "할", "함", "되", "돼", "됐", "된", "될", "됨", "됩", "시키", "시켜",
    "시킨", "시킬", "시킴", "당하", "당한", "당했", "당할", "스러", "스럽", "받", "드리", "드려",
];

/// Endings behind 한, 할, 함, 된, 될, 됨 are nouns of their own: 제한은, 권한이. Behind these syllables they stay.
const LIMITS: &[&str] = &[
    "제한", "권한", "기한", "상한", "하한", "시한", "연한", "무한", "유한", "극한", "국한", "북한", "포함",
    "결함", "분할", "관할", "역할", "할부", "할인", "합의", "합병", "합격", "합계",
];

/// The word without its particle, or without what made a verb of a noun.
pub(super) fn stem(word: &str) -> &str {
    let bare = without_particle(word);
    // 몇 프로야, 몇 퍼센트예요: a unit takes endings that a noun may end in.
    if let Some(unit) = ["퍼센트", "프로"].into_iter().find(|unit| {
        word.strip_prefix(unit)
            .is_some_and(|rest| rest.chars().all(|c| "야예에요죠지임냐니인이나쯤씩까부터".contains(c)))
    }) {
        return &word[..unit.len()];
    }
    // 주택법상 is "by the housing act".
    if let Some(law) = bare
        .strip_suffix('상')
        .filter(|law| ["법", "법률", "규칙", "시행령"].iter().any(|end| law.ends_with(end)))
    {
        return law;
    }
    without_verbaliser(bare).or_else(|| without_verbaliser(word)).unwrap_or(bare)
}

/// A noun without its particle, if it has one.
pub(crate) fn without_particle(word: &str) -> &str {
    for (particle, after) in PARTICLES {
        let Some(rest) = word.strip_suffix(particle) else { continue };
        let Some(last) = rest.chars().next_back() else { continue };
        let enough = rest.chars().take(2).count() == 2 && rest.chars().all(char::is_alphanumeric);
        // A number or a Latin word takes any form: 5%는, LTV가.
        let fits = match after {
            Any => true,
            _ if !hangul::is_syllable(last) => true,
            Closed => closed(last),
            Open => !closed(last),
            OpenOrL => Syllable::of(last).is_some_and(|s| s.coda == hangul::NONE || s.coda == hangul::L),
        };
        if enough && fits && !NO_PARTICLE.iter().any(|noun| word.ends_with(noun)) {
            return rest;
        }
    }
    word
}

fn without_verbaliser(word: &str) -> Option<&str> {
    let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    // At least two syllables of a noun remain.
    for &at in starts.iter().skip(2) {
        let (noun, rest) = (&word[..at], &word[at..]);
        if !VERBALISERS.iter().any(|verb| rest.starts_with(verb)) {
            continue;
        }
        let last = noun.chars().next_back()?;
        let limit = LIMITS.iter().any(|noun_end| {
            let mut letters = noun_end.chars();
            // The noun either straddles the cut or begins at it.
            let straddles = letters.next() == Some(last) && rest.chars().next() == letters.next();
            straddles || rest.starts_with(noun_end)
        });
        if !limit && noun.chars().all(hangul::is_syllable) && ends_a_verb(rest) {
            return Some(noun);
        }
    }
    None
}

/// Could these syllables be an inflected 하다 or the like? The syllables that verbs end in are few.
fn ends_a_verb(rest: &str) -> bool {
    const INNER: &str = "하해했합한할함되돼됐된될됨됩시키켜킨킬킴당받드리려는여였고면려지만기게도록거나던도록야어서니다까요은을를의에가이때중않아을죠줘달라래았었겠므로며자음데듯";
    rest.chars().all(|c| INNER.contains(c))
}

/// Does the word look like a form of a verb or an adjective, and not like a noun? Only where neither is known.
pub(super) fn looks_inflected(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "더니",
        "는데",
        "은데",
        "던데",
        "는지",
        "을지",
        "지는",
        "을까",
        "면",
        "면서",
        "려고",
        "려면",
        "려는",
        "게",
        "도록",
        "고",
        "아서",
        "어서",
        "해서",
        "을",
        "를지",
        "던",
        "었",
        "았",
        "는",
        "네요",
        "세요",
        "어요",
        "아요",
        "해요",
        "래요",
        "대요",
        "다고",
        "라고",
        "자고",
        "냐고",
        "다는",
        "라는데",
        "아도",
        "어도",
        "해도",
        "어야",
        "아야",
        "여야",
        "줘",
        "주는",
        "두게",
        "했을",
        "됐을",
        "져",
        "겨",
        "되나",
        "되니",
        "하냐",
        "진",
        "든",
        "쓴",
        "본",
        "간",
        "온",
    ];
    ENDINGS.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

/// Is `word` a form of the verb or adjective with this stem (쫓겨나, 올리, 살)?
pub(super) fn inflects(stem: &str, word: &str) -> bool {
    let (stem, word): (Vec<char>, Vec<char>) = (stem.chars().collect(), word.chars().collect());
    let Some((&last, before)) = stem.split_last() else { return false };
    if word.len() < stem.len() || word[..before.len()] != *before {
        return false;
    }
    // 내 문서 is mine, 내다 is to pay.
    if stem.len() == 1 && word == stem {
        return false;
    }
    let rest = &word[stem.len()..];
    let here = word[before.len()];
    // One syllable is the beginning of too many words.
    let followers = if melts(last, here) { AFTER_VOWEL } else { FOLLOWERS };
    let ends = stem.len() > 1 || rest.first().is_none_or(|next| followers.contains(*next));
    ends && (here == last || contracts(last, here, rest.first().copied()))
}

/// What may follow the stem of a verb.
const FOLLOWERS: &str =
    "는은을고면려러지기게거나던도아어여았었였겠니네다자야라서므며데요죠습음와워으냐잖래대";

/// What may follow where the stem's vowel has become that of an ending: 해서 and 해 주다, but no 해지 and no 해고.
const AFTER_VOWEL: &str = "서도야요라주줘준줄줍줬달봐본볼봤보두둬둔놓놔놨버드내다가";

/// Has the stem's last vowel become one with an ending's, with nothing behind it: 하다 – 해, 되다 – 돼?
fn melts(last: char, here: char) -> bool {
    let (Some(stem), Some(form)) = (Syllable::of(last), Syllable::of(here)) else { return false };
    stem.coda == hangul::NONE && form.coda == hangul::NONE && stem.vowel != form.vowel
}

/// Is `here` what becomes of a stem's last syllable before an ending?
fn contracts(last: char, here: char, next: Option<char>) -> bool {
    use hangul::{A, AE, B, D, EO, EU, H, I, L, M, N, NONE, O, OE, S, SS, U, WA, WAE, WO, YEO};
    let (Some(stem), Some(form)) = (Syllable::of(last), Syllable::of(here)) else { return false };
    if stem.onset != form.onset {
        return false;
    }
    if stem.coda == NONE {
        let vowel = form.vowel == stem.vowel && matches!(form.coda, NONE | N | L | M | B | SS)
            || matches!(form.coda, NONE | SS)
                && matches!(
                    (stem.vowel, form.vowel),
                    (I, YEO) | (O, WA) | (U, WO) | (EU, A | EO) | (OE, WAE)
                )
            // 하다 – 해; 달라고 해 – 달래. 끝나다 is no 끝내다.
            || matches!(form.coda, NONE | SS)
                && (stem.vowel, form.vowel) == (A, AE)
                && matches!(stem.onset, hangul::R_ONSET | hangul::H_ONSET);
        return vowel;
    }
    // 살다 – 산, 사는; 듣다 – 들어; 돕다 – 도와; 짓다 – 지은; 그렇다 – 그런.
    form.vowel == stem.vowel
        && match stem.coda {
            L => matches!(form.coda, NONE | N | M | B),
            D => form.coda == L,
            B => form.coda == NONE && next.is_some_and(|c| "우워와웠왔운울".contains(c)),
            S => form.coda == NONE && next.is_some_and(|c| "어었으은을".contains(c)),
            H => matches!(form.coda, NONE | N | L),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_come_off_where_they_fit() {
        let stems = [
            ("임대인이", "임대인"),
            ("보증금을", "보증금"),
            ("중개사무소로부터", "중개사무소"),
            ("전세보증금반환보증은", "전세보증금반환보증"),
            ("등기소에서는", "등기소"),
            ("표준주택가격이란", "표준주택가격"),
            ("감정평가", "감정평가"),
            ("이의신청의", "이의신청"),
            ("ltv가", "ltv"),
            ("동의", "동의"),
            ("한도", "한도"),
            ("주택법상", "주택법"),
            ("등기법상의", "등기법"),
        ];
        for (word, expected) in stems {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn verbs_made_of_nouns_lose_what_made_them() {
        let stems = [
            ("신청하려면", "신청"),
            ("등록된", "등록"),
            ("해지할", "해지"),
            ("취소되는", "취소"),
            ("반환받지", "반환"),
            ("거래제한은", "거래제한"),
            ("관할하는", "관할"),
            ("권한이", "권한"),
            ("이전한", "이전"),
        ];
        for (word, expected) in stems {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn a_stem_is_found_in_its_forms() {
        let forms = [
            ("올리", "올려달래요"),
            ("쫓겨나", "쫓겨났어요"),
            ("옮기", "옮겼는데"),
            ("팔리", "팔리면"),
            ("살", "산다고"),
            ("사", "산"),
            ("받", "받았는데"),
            ("깎", "깎아"),
            ("돕", "도와"),
            ("되", "돼요"),
            ("닫", "닫으려면"),
            ("있", "있냐"),
            ("달라", "달래요"),
        ];
        for (stem, word) in forms {
            assert!(inflects(stem, word), "{stem} {word}");
        }
        for (stem, word) in [
            ("사", "사무실"),
            ("올리", "올해"),
            ("받", "받침대"),
            ("나가", "나비"),
            ("하", "해지"),
            ("하", "해고"),
            ("끝나", "끝내요"),
        ] {
            assert!(!inflects(stem, word), "{stem} {word}");
        }
    }
}
