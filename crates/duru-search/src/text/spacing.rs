//! The spaces that people leave out of a question.

use super::hangul::{self, Syllable};

/// A question with the spaces that people leave out: 할때, 살수있나요, 못받고, 안해줘요, 내야돼요, 몇프로야.
pub(crate) fn spaced(question: &str) -> String {
    let apart = |word: &str| {
        let mut parts = vec![word.to_owned()];
        // Every cut may leave two words that are still several.
        while let Some((at, (left, right))) =
            parts.iter().enumerate().find_map(|(at, part)| Some((at, cut(part)?)))
        {
            parts.splice(at..=at, [left, right]);
        }
        parts.join(" ")
    };
    question.split_whitespace().map(apart).collect::<Vec<_>>().join(" ")
}

/// A word in two, where people leave a space out.
fn cut(word: &str) -> Option<(String, String)> {
    let letters: Vec<char> = word.chars().collect();
    let at = (1..letters.len()).find(|at| begins_anew(&letters, *at))?;
    Some((letters[..at].iter().collect(), letters[at..].iter().collect()))
}

/// Does a new word begin there?
fn begins_anew(letters: &[char], at: usize) -> bool {
    let (before, after) = letters.split_at(at);
    let starts = |signs: &[&str]| signs.iter().any(|sign| starts_with(after, sign));
    denies(before, after)
        || is_verbs(before, after)
        || joins(before, after)
        || (before == ['아', '무'] && after[0] == '말')
        // 허가없이, 말없이.
        || (starts(&["없이"]) && before != ['끊', '임'])
        // 복비얼마예요, 전세금몇프로까지.
        || (at >= 2 && starts(&["얼마", "며칠", "언제까", "어디서", "어떻게", "누가"]))
        || after[0] == '몇'
        || (before == ['몇'] && starts(&["프로", "퍼센트", "년", "달", "개월", "명", "번", "일", "살", "채"]))
}

/// 못받고, 안해줘요, 보증금못받았는데: what is denied stands for itself. Not 안전, 안내문 and 잘못.
fn denies(before: &[char], after: &[char]) -> bool {
    const DENIED: [&str; 24] = [
        "하", "해", "했", "할", "한", "합", "되", "돼", "된", "될", "됐", "주", "줘", "준", "줄", "줬",
        "돌려", "받", "고쳐", "갚", "나가", "나갔", "지키", "알려",
    ];
    let denied = DENIED.iter().any(|verb| starts_with(after, verb));
    match before {
        ['못'] => after.len() > 1,
        ['안'] => denied,
        // The noun before stays; 잘못하면 is one word.
        [.., last] if before.len() >= 2 => *last != '잘' && starts_with(after, "못") && after.len() > 2,
        _ => false,
    }
}

/// 이사갈, 할때, 살수있나요, 내야돼요, 가도되나요, 되는거야: a verb, and what goes with it.
fn is_verbs(before: &[char], after: &[char]) -> bool {
    const NOUNS: &[&str] = &["필수", "실수", "홀수", "철수", "밀수", "술수", "골수"];
    let starts = |signs: &[&str]| signs.iter().any(|sign| starts_with(after, sign));
    let coda = |c: char| Syllable::of(c).map_or(hangul::NONE, |syllable| syllable.coda);
    let Some(&last) = before.last() else { return false };
    match last {
        '사' if before == ['이', '사'] => starts(&["가", "갈", "간", "나", "오", "올"]),
        '수' if before == ['수'] => starts(&["있", "없"]),
        // 올려달래요, 고쳐달라는데; 전달 has a consonant before it.
        _ if coda(last) == hangul::NONE
            && starts(&["달래", "달라고", "달라는", "달라네", "달라던", "달랍니"]) =>
        {
            true
        }
        '야' => starts(&["되", "돼", "될", "하나", "하는", "한다", "해요", "합니", "하죠", "하지", "할"]),
        '도' => before.len() > 1 && starts(&["되나", "되는", "되죠", "되냐", "돼", "될까", "됩니", "괜찮"]),
        _ if starts(&["때", "수"]) => {
            let straddles = NOUNS.iter().any(|noun| noun.chars().eq([last, after[0]]));
            coda(last) == hangul::L && last != '일' && !straddles
        }
        _ => {
            matches!(coda(last), hangul::N | hangul::L)
                && starts(&["거야", "거예", "거에", "거죠", "거지", "거냐", "건가", "건지", "건데", "걸까"])
        }
    }
}

/// 받았는데이사가도: a clause ends, and another begins.
fn joins(before: &[char], after: &[char]) -> bool {
    let ends = ["는데", "니까", "으면", "려면", "려는데"].iter().any(|sign| ends_with(before, sign));
    ends && before.len() > 2 && after.len() > 1 && !matches!(after[0], '요' | '도' | '은' | '는' | '서')
}

fn starts_with(letters: &[char], sign: &str) -> bool {
    let mut rest = letters.iter();
    sign.chars().all(|c| rest.next() == Some(&c))
}

fn ends_with(letters: &[char], sign: &str) -> bool {
    let length = sign.chars().count();
    letters.len() >= length && starts_with(&letters[letters.len() - length..], sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_that_were_left_out_are_put_in() {
        for (written, meant) in [
            ("보증금 못받고 이사가야 할때", "보증금 못 받고 이사 가야 할 때"),
            ("2년 살수 있나요", "2년 살 수 있나요"),
            ("받을수있어?", "받을 수 있어?"),
            ("월세 안내면 안돼요? 안해줘요", "월세 안내면 안 돼요? 안 해줘요"),
            ("올려달래요 고쳐달라는데", "올려 달래요 고쳐 달라는데"),
            ("아무말없이 허가없이", "아무 말 없이 허가 없이"),
            ("복비 내야돼요? 나가도되나요", "복비 내야 돼요? 나가도 되나요"),
            ("몇프로야 몇년까지", "몇 프로야 몇 년까지"),
            ("어떻게 되는거야", "어떻게 되는 거야"),
            ("보증금못받았는데이사가도되나요", "보증금 못 받았는데 이사 가도 되나요"),
            ("전세금몇프로까지올릴수있나요", "전세금 몇 프로까지올릴 수 있나요"),
        ] {
            assert_eq!(spaced(written), meant);
        }
    }

    #[test]
    fn nouns_stay_whole() {
        for whole in [
            "실수로 필수 서류를 일수대로",
            "이사비 보수 점수",
            "중개사 잘못으로",
            "안전관리 안내문 안건",
            "이사회 이사",
            "분야와 제도",
            "거래가 있었는데요",
        ] {
            assert_eq!(spaced(whole), whole);
        }
    }
}
