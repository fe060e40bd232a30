//! Words that were not understood: the reading without them is offered to the person, who decides.

use duru_language::{Ask, Op, Sense};

use super::clarify::AskBack;
use super::items::{Item, ItemKind};
use super::reading::Reading;
use super::{Reply, Subject, Understanding};
use crate::analyst::frame::Frame;

/// What the person is asked about: whether words may be left out.
pub const UNREAD: &str = "unread";

/// With more unknown words than this, what is left is another question.
const MOST: usize = 2;

/// Whether the person wants the question answered without the words that were not understood.
pub(super) fn agreed(answers: &[Reply]) -> bool {
    let yes = |value: &str| {
        let value = value.trim().to_lowercase();
        ["yes", "y", "ok", "네", "예", "응", "좋아"].iter().any(|word| value.starts_with(word))
    };
    answers.iter().any(|answer| answer.field == UNREAD && yes(&answer.value))
}

impl Reading<'_> {
    /// Whether a word that was not understood is the thing that is asked for: 수수료 얼마, how many widgets.
    pub(super) fn asks_for_unread(&self) -> bool {
        let unread = |at: usize| {
            let item = &self.items[at];
            !item.used && self.draft.unread.iter().any(|word| word == item.text.trim())
        };
        let named = |at: usize| {
            matches!(
                self.items[at].kind,
                ItemKind::Name(_) | ItemKind::Number(..) | ItemKind::Text(_) | ItemKind::Time(_)
            )
        };
        (0..self.items.len()).filter(|at| unread(*at)).any(|at| {
            // Without the name, the number or the time it is another question.
            if named(at) {
                return true;
            }
            let after = (at + 1..self.items.len()).find(|place| {
                let item = &self.items[*place];
                !matches!(item.kind, ItemKind::Time(_) | ItemKind::Mark(_))
                    && item.any_op(&[Op::Total, Op::All]).is_none()
                    && !item.senses.contains(&Sense::Filler)
                    && !unread(*place)
            });
            let asked = |item: &Item| {
                item.senses.iter().any(|sense| matches!(sense, Sense::Ask(Ask::HowMany | Ask::HowMuch)))
                    || item.any_op(&[Op::Count, Op::Show, Op::Sum, Op::Average]).is_some()
            };
            let noun = self.items[at].korean && self.items[at].endings.is_empty();
            let before = at.checked_sub(1).map(|before| &self.items[before]);
            noun && after.is_some_and(|place| self.items[place].korean && asked(&self.items[place]))
                || !self.items[at].korean
                    && before.is_some_and(|item| {
                        item.senses
                            .iter()
                            .any(|sense| matches!(sense, Sense::Ask(Ask::HowMany | Ask::HowMuch)))
                            || item.op(Op::Count)
                    })
        })
    }
}

/// The question back that offers a reading, if that one is near enough to what was asked.
pub(super) fn offer(
    words: &[String],
    without: Understanding,
    subject: &Subject<'_>,
) -> Option<Understanding> {
    if words.is_empty() || words.len() > MOST {
        return None;
    }
    let ask = |meaning: &str| {
        let list = words.join(", ");
        AskBack {
            field: UNREAD.into(),
            kind: "unread_words".into(),
            question: subject.lang.pick(
                format!("‘{list}’은(는) 이해하지 못했습니다. 이 말을 빼고 이렇게 답할까요? {meaning}"),
                format!("I don't understand “{list}”. Shall I answer without it? {meaning}"),
            ),
            options: subject.lang.pick(["네", "아니요"], ["yes", "no"]).map(Into::into).into(),
            required: true,
            allow_custom: false,
        }
    };
    match without {
        Understanding::Query(understood) if says_something(&understood.frame) => {
            let asks = vec![ask(&understood.explanation)];
            let (draft, analysis) = (understood.frame, understood.analysis);
            Some(Understanding::Clarify(Box::new(super::Clarification { asks, draft, analysis })))
        }
        Understanding::Clarify(mut open) if says_something(&open.draft) => {
            open.asks.push(ask(""));
            Some(Understanding::Clarify(open))
        }
        _ => None,
    }
}

/// Whether a frame is about certain rows or figures: else nothing of the question was understood.
fn says_something(frame: &Frame) -> bool {
    !frame.filters.is_empty() || frame.time.is_some() && !frame.is_rows() || !frame.dimensions.is_empty()
}
