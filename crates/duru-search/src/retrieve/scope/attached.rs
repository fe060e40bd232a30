//! Where a question points at what was sent with its conversation: 이 문서에서, 첨부한 파일의, in this document.

use std::ops::Range;

use super::read::{tokens, without};
use super::words::{forms, is};
use crate::text::{content_words, spaced, without_particle};

/// A question that points at what was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pointing {
    /// Without the words that point.
    pub(super) rest: String,
    /// It asks what is in there, and for nothing else.
    pub(super) overview: bool,
}

impl Pointing {
    pub(super) fn of(question: &str) -> Option<Self> {
        let span = span(question)?;
        let rest = without(question, vec![span.clone()]);
        let before = question.get(..span.start).unwrap_or_default();
        let behind = question.get(span.end..).unwrap_or_default();
        let asked = content_words(&spaced(&format!("{before} {behind}")));
        let is_overview = |word: &str| asks_what_is_in_it(word) || asks_what_is_in_it(without_particle(word));
        let overview = asked.iter().all(|word| word.weight == 0.0 || is_overview(&word.text));
        Some(Self { rest, overview })
    }
}

/// 요약해줘, summarize; not 정리해고, which only begins like such a word.
fn asks_what_is_in_it(word: &str) -> bool {
    let goes_on = |rest: &str| rest.is_empty() || is("ending", rest);
    is("polite", word)
        || match word.is_ascii() {
            true => is("overview", word),
            false => forms("overview").any(|form| word.strip_prefix(form).is_some_and(goes_on)),
        }
}

fn span(question: &str) -> Option<Range<usize>> {
    let tokens = tokens(question);
    let stem = |at: usize| {
        let core = tokens[at].core.trim_matches(['“', '”', '"', '\'', '(']);
        let stem = forms("behind").find_map(|form| core.strip_suffix(form)).filter(|stem| !stem.is_empty());
        stem.unwrap_or_else(|| without_particle(core)).to_lowercase()
    };
    let at = (0..tokens.len()).find(|at| {
        let before = at.checked_sub(1).map(|at| tokens[at].core);
        let stem = stem(*at);
        is("itself", &stem) || is("pointed", &stem) && before.is_some_and(|before| is("attached", before))
    });
    // The document I attached: what says so stands behind it.
    let behind = || {
        (0..tokens.len()).find_map(|at| {
            let sent = (at + 1..(at + 5).min(tokens.len())).find(|at| is_sent(tokens[*at].core))?;
            let between =
                (at + 1..sent).all(|at| is("sender", tokens[at].core) || is_filler(tokens[at].core));
            (tokens[at].core.is_ascii() && is("pointed", &stem(at)) && between && sent > at + 1)
                .then_some((at, sent))
        })
    };
    let (first, last) = match at {
        Some(at) => (at, at),
        None => behind()?,
    };
    let mut begins = first;
    while begins > 0 && (is("attached", tokens[begins - 1].core) || is("sender", tokens[begins - 1].core)) {
        begins -= 1;
    }
    if begins > 0 && is("before", tokens[begins - 1].core) {
        begins -= 1;
    }
    let mut last = last;
    if tokens.get(last + 1).is_some_and(|next| is("reported", next.core) || is("alone", next.core)) {
        last += 1;
    }
    // What ends the question ends it still.
    let token = &tokens[last];
    let ends = if question[token.core_ends..token.ends].contains(['?', '!', '.']) {
        token.core_ends
    } else {
        token.ends
    };
    Some(tokens[begins].begins..ends)
}

fn is_sent(word: &str) -> bool {
    ["attached", "uploaded", "sent", "shared", "provided"].contains(&word.to_lowercase().as_str())
}

fn is_filler(word: &str) -> bool {
    ["that", "which", "have", "i've", "ive", "we", "you"].contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_points_at_what_was_sent_is_no_word_of_the_question() {
        for (question, rest) in [
            ("이 문서에서 위약금은 얼마인가요?", "위약금은 얼마인가요?"),
            ("첨부한 파일의 납품 기한은?", "납품 기한은?"),
            ("첨부파일에서 납품 기한을 찾아줘", "납품 기한을 찾아줘"),
            ("제가 방금 올린 계약서에 따르면 위약금은?", "위약금은?"),
            ("In this document, what is the penalty?", "what is the penalty?"),
            ("What is the penalty according to the attached contract?", "What is the penalty according?"),
            ("What does the file I uploaded say of the penalty?", "What does say of the penalty?"),
            ("What is the penalty in the attachment?", "What is the penalty?"),
        ] {
            let found = Pointing::of(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!((found.rest.as_str(), found.overview), (rest, false), "{question}");
        }
    }

    #[test]
    fn an_overview_asks_for_nothing_else() {
        for question in [
            "이 문서 요약해줘",
            "첨부한 파일의 내용을 정리해 주세요",
            "이 문서는 무엇에 관한 것인가요?",
            "첨부파일의 핵심만 요약해 줄래요?",
            "이 계약서를 간단히 설명해 주시겠어요?",
            "Summarize this document",
            "What are the main points of the attached report?",
            "What is this document about?",
        ] {
            assert!(Pointing::of(question).is_some_and(|found| found.overview), "{question}");
        }
    }

    #[test]
    fn a_word_that_begins_like_an_overview_asks_for_something() {
        for question in [
            "이 문서에서 정리해고는?",
            "이 계약서에서 설명의무는 누가 지나요?",
            "첨부한 파일의 소개비는 얼마인가요?",
            "이 문서에서 내용증명은 언제 보내나요?",
            "What is the coverage in this document?",
            "Which keyboard does this document recommend?",
            "What does this document say about the maintenance fee?",
            "Who gives notice according to this contract?",
        ] {
            assert!(Pointing::of(question).is_some_and(|found| !found.overview), "{question}");
        }
    }

    #[test]
    fn other_questions_point_at_nothing() {
        for question in [
            "문서를 어떻게 올리나요?",
            "취업규칙에서 연차는 며칠인가요?",
            "계약서에 도장을 찍어야 하나요?",
            "이 조항은 언제 바뀌었나요?",
            "How do I upload a file?",
            "Which documents are required for registration?",
            "Is a contract valid without a seal?",
        ] {
            assert_eq!(Pointing::of(question), None, "{question}");
        }
    }
}
