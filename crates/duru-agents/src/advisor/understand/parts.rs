//! Compound questions: the sub-questions they are made of, in order, and which
//! of them waits for another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lexicon::{Act, DataKind, Mention, Pointer, Sense, normal, scan};

/// One sub-question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    pub text: String,
    /// The data it speaks of.
    pub kinds: Vec<DataKind>,
    /// Sub-questions, by position, whose answers it needs.
    pub needs: Vec<usize>,
}

/// Where one sub-question ends and the next begins.
const BREAKS: &[&str] = &[
    "? ",
    "! ",
    ". ",
    "; ",
    "\n",
    " 그리고 ",
    " 그다음 ",
    " 그 다음 ",
    " 그런 다음 ",
    " 다음에 ",
    "주고 ",
    "하고 나서 ",
    "한 다음 ",
    "한 뒤 ",
    "한 후 ",
    "해보고 ",
    " and then ",
    ", then ",
    ", 그리고 ",
];

/// The sub-questions of `text`; a plain question is its only one.
pub(crate) fn split(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for piece in pieces(text) {
        let mentions = scan(&normal(piece));
        let kinds = topics(&mentions);
        let aside = kinds.is_empty() && !mentions.iter().any(does);
        match parts.last_mut() {
            // A remark belongs to what was asked before it.
            Some(last) if aside => {
                last.text = format!("{} {piece}", last.text);
            }
            _ => {
                let leans = mentions.iter().any(|mention| {
                    matches!(
                        mention.sense,
                        Sense::Point(Pointer::It | Pointer::Result | Pointer::Place) | Sense::Keep
                    ) || matches!(mention.sense, Sense::Act(Act::Calculate))
                });
                let needs = if leans && !parts.is_empty() { vec![parts.len() - 1] } else { Vec::new() };
                parts.push(Part { text: piece.to_owned(), kinds, needs });
            }
        }
    }
    parts
}

fn does(mention: &Mention) -> bool {
    matches!(mention.sense, Sense::Act(_) | Sense::PriceAsk | Sense::Weigh)
}

fn topics(mentions: &[Mention]) -> Vec<DataKind> {
    let mut kinds: Vec<DataKind> = mentions
        .iter()
        .filter_map(|mention| match mention.sense {
            Sense::Topic(kind) if !mention.taken_back => Some(kind),
            _ => None,
        })
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let cut = BREAKS.iter().filter_map(|mark| rest.find(mark).map(|at| at + mark.len())).min();
        let Some(end) = cut else { break };
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces.push(rest);
    pieces.into_iter().map(str::trim).filter(|piece| !piece.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compound_question_is_taken_apart() {
        let parts = split("강남구 아파트 시세 알려주고 그걸로 대출 한도 계산해줘");
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].kinds, [DataKind::Market]);
        assert_eq!((parts[1].kinds.as_slice(), parts[1].needs.as_slice()), (&[DataKind::Loan][..], &[0][..]));
    }

    #[test]
    fn a_remark_stays_with_its_question() {
        let parts = split("마포구 전세 시세 알려줘. 우리는 셋이야.");
        assert_eq!(parts.len(), 1);
        assert_eq!(split("전세금 인상 가능한가요?").len(), 1);
    }
}
