//! A question in parts, by its conjunctions.

use super::small_talk::points_back;
use super::subject::content_words;

/// At most so many parts.
pub(super) const MOST: usize = 5;

/// Where a new part begins.
const BEGINS: [&str; 10] = [
    "그리고 ",
    "또한 ",
    "아울러 ",
    "그 다음 ",
    " and also ",
    " and what ",
    " and how ",
    " and when ",
    " and who ",
    " and which ",
];

/// Behind these a part ends.
const ENDS: [&str; 12] = [
    "? ",
    "?\n",
    "! ",
    "인지, ",
    "는지, ",
    "은지, ",
    "인지와 ",
    "는지와 ",
    "이고, ",
    "하고, ",
    "되고, ",
    "이며, ",
];

/// A part, and the place of the part that it leans on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) query: String,
    pub(super) leans_on: Option<usize>,
}

/// The parts of a question, one if it asks one thing; and what it tells beside them.
pub(super) fn parts(question: &str) -> (Vec<Part>, String) {
    let mut cuts: Vec<usize> = Vec::new();
    for sign in BEGINS {
        let words_begin = sign.len() - sign.trim_start().len();
        cuts.extend(question.match_indices(sign).map(|(at, _)| at + words_begin));
    }
    for sign in ENDS {
        cuts.extend(question.match_indices(sign).map(|(at, sign)| at + sign.len()));
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts.push(question.len());
    let mut pieces: Vec<String> = Vec::new();
    let mut start = 0;
    for cut in cuts {
        let piece = question[start..cut].trim();
        start = cut;
        // What says hardly anything belongs to the part before, unless that is a question by itself.
        let says = content_words(piece).len();
        match pieces.last_mut() {
            Some(last) if says < if last.ends_with('?') { 1 } else { 2 } => {
                last.push(' ');
                last.push_str(piece);
            }
            _ if piece.is_empty() => {}
            _ => pieces.push(piece.to_owned()),
        }
    }
    // Nothing stands before the first part that it could join.
    if pieces.len() > 1 && content_words(&pieces[0]).is_empty() {
        let first = pieces.remove(0);
        pieces[0] = format!("{first} {}", pieces[0]);
    }
    let mut told = Vec::new();
    if pieces.iter().any(|piece| piece.ends_with('?')) {
        told = pieces.extract_if(.., |piece| tells(piece)).collect();
    }
    while pieces.len() > MOST {
        let last = pieces.pop().unwrap_or_default();
        if let Some(before) = pieces.last_mut() {
            before.push(' ');
            before.push_str(&last);
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let bare = BEGINS.iter().find_map(|sign| piece.strip_prefix(sign.trim_start())).unwrap_or(piece);
        let leans_on = at.checked_sub(1).filter(|_| points_back(bare));
        let query = match leans_on.map(|before| topic(&parts[before].query, bare)) {
            Some(topic) if !topic.is_empty() => format!("{topic} {bare}"),
            _ => bare.to_owned(),
        };
        parts.push(Part { query, leans_on });
    }
    if parts.is_empty() {
        parts.push(Part { query: question.trim().to_owned(), leans_on: None });
    }
    (parts, told.join(" "))
}

/// How a sentence ends that tells something.
const TELLS: [&str; 9] = ["예요", "에요", "어요", "아요", "해요", "니다", "거든요", "는데요", "이야"];

/// How one ends that asks or wants something.
const ASKS: [&str; 9] = ["나요", "까요", "가요", "죠", "지요", "줘요", "주세요", "십니까", "습니까"];

/// Whether a piece only tells something, beside others that ask: 복비는 얼마예요? 5억짜리 아파트예요.
fn tells(piece: &str) -> bool {
    let end = piece.trim_end_matches(['.', '!', ' ']);
    !piece.ends_with('?')
        && TELLS.iter().any(|sign| end.ends_with(sign))
        && !ASKS.iter().any(|sign| end.ends_with(sign))
}

/// So many words say what a question was about.
const TOPIC: usize = 3;

/// What a question was about, as far as the next does not say it itself.
pub(super) fn topic(before: &str, now: &str) -> String {
    let ours = content_words(now);
    let words = content_words(before).into_iter().filter(|word| !ours.contains(word));
    words.take(TOPIC).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(question: &str) -> Vec<String> {
        parts(question).0.into_iter().map(|part| part.query).collect()
    }

    #[test]
    fn conjunctions_part_a_question() {
        assert_eq!(queries("전세 계약 갱신 기간은 언제까지인가요?").len(), 1);
        assert_eq!(
            queries("임차권등기명령은 누가 신청하나요? 그리고 중개보수 한도는 얼마인가요?"),
            ["임차권등기명령은 누가 신청하나요?", "중개보수 한도는 얼마인가요?"]
        );
        assert_eq!(queries("What is the notice period and how are deposits returned?").len(), 2);
        assert!(queries(&"계약 해지 절차는? ".repeat(9)).len() <= MOST);
        assert_eq!(queries("").len(), 1);
    }

    #[test]
    fn what_is_only_told_is_no_part() {
        let (asked, told) = parts("복비는 얼마인가요? 5억짜리 아파트 매매예요.");
        assert_eq!((asked.len(), asked[0].query.as_str()), (1, "복비는 얼마인가요?"));
        assert_eq!(told, "5억짜리 아파트 매매예요.");
        assert_eq!(queries("복비는 얼마인가요? 누가 내는지도 알려 주세요.").len(), 2);
    }

    #[test]
    fn a_part_that_points_back_waits_for_what_it_points_at() {
        let (parts, _) = parts("임차권등기명령은 누가 신청하나요? 그리고 그 비용은 누가 부담하나요?");
        assert_eq!(parts[1].leans_on, Some(0));
        assert!(parts[1].query.contains("임차권등기명령"), "{parts:?}");
    }
}
