//! What no query over rows of the past can or may answer.

use duru_language::{Ask, Ending, Lang, Link, Off, Op, Sense};
use serde::{Deserialize, Serialize};

use super::assemble::Unfit;
use super::items::ItemKind;
use super::reading::Reading;

/// Why a question is not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RefusalKind {
    /// It would change something.
    Write,
    /// It asks for secrets, credentials or people's personal data.
    Secret,
    /// It asks for rows that were deleted.
    Deleted,
    /// It asks for what has not happened yet.
    Prediction,
    /// It asks for data that is not here.
    OtherData,
    /// It is not about this data at all.
    OutOfScope,
    /// It asks for a reason or advice, which no query gives.
    Advice,
    /// Some of its words are not understood.
    NotUnderstood,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    pub kind: RefusalKind,
    /// In the asker's language.
    pub reason: String,
    /// The words that led to it.
    pub words: Vec<String>,
}

impl Refusal {
    pub(super) fn new(kind: RefusalKind, words: Vec<String>, lang: Lang) -> Self {
        let (ko, en) = match kind {
            RefusalKind::Write => (
                "데이터는 읽기만 합니다. 바꾸거나 지우거나 보내는 일은 하지 않습니다.",
                "I only read; I change, delete and send nothing.",
            ),
            RefusalKind::Secret => (
                "비밀번호·키·개인정보는 찾아 드리지 않습니다.",
                "I don't look for passwords, keys or personal data.",
            ),
            RefusalKind::Deleted => ("삭제된 행은 조회할 수 없습니다.", "Deleted rows can't be asked for."),
            RefusalKind::Prediction => (
                "앞으로의 일은 지난 데이터로 답할 수 없습니다.",
                "What is to come can't be read from past data.",
            ),
            RefusalKind::OtherData => ("여기에 없는 데이터입니다.", "That data is not here."),
            RefusalKind::OutOfScope => {
                ("이 데이터에 관한 질문이 아닙니다.", "That is not a question about this data.")
            }
            RefusalKind::Advice => (
                "원인이나 조언은 조회로 답할 수 없습니다. 건수·목록·추이로 물어봐 주세요.",
                "A query gives no reasons or advice; ask for counts, lists or trends.",
            ),
            RefusalKind::NotUnderstood => ("질문을 이해하지 못했습니다.", "I don't understand the question."),
        };
        let mut reason = lang.pick(ko, en).to_owned();
        if kind == RefusalKind::NotUnderstood && !words.is_empty() {
            let list = words.join(", ");
            reason = lang.pick(
                format!("이해하지 못한 말이 있습니다: {list}. 다르게 물어봐 주세요."),
                format!("I don't understand: {list}. Please put it in other words."),
            );
        }
        Self { kind, reason, words }
    }

    /// Words that were understood one by one, and make no whole.
    pub(super) fn unfit(unfit: Unfit, question: &str, lang: Lang) -> Self {
        let (ko, en) = match unfit {
            Unfit::NothingToGroup => (
                "조건을 걸 묶음이 없습니다. 무엇별로 볼지 함께 물어봐 주세요(예: 서비스별).",
                "There is a condition on groups, but no groups: say what to group by, such as by service.",
            ),
            Unfit::NothingToShare => (
                "무엇의 비율인지 알 수 없습니다. 전체와 부분을 함께 말해 주세요.",
                "I can't tell what is shared out: name the part and the whole.",
            ),
            Unfit::Periods => (
                "기간을 하나로 정할 수 없습니다. 두 기간의 비교인지, 질문이 둘인지 나눠서 물어봐 주세요.",
                "The times don't fit together: ask for a comparison of two, or ask twice.",
            ),
            Unfit::Number => (
                "이 숫자가 무엇에 대한 조건인지 알 수 없거나, 함께 만족할 수 없는 조건입니다.",
                "I can't tell what a number is a condition on, or no row can fulfil all of them.",
            ),
            Unfit::Texts => (
                "한 줄에 함께 있을 수 없는 두 내용을 물으셨습니다. 하나씩 물어봐 주세요.",
                "You ask for two messages that no line has together: ask for one at a time.",
            ),
            Unfit::NoTable => {
                ("어느 표에 관한 질문인지 알 수 없습니다.", "I can't tell which table the question is about.")
            }
        };
        Self {
            kind: RefusalKind::NotUnderstood,
            reason: lang.pick(ko, en).to_owned(),
            words: vec![question.to_owned()],
        }
    }
}

impl Reading<'_> {
    /// What is refused whatever else is asked.
    pub(super) fn off_limits(&self, follows: bool) -> Option<(RefusalKind, String)> {
        let has_past = self.items.iter().any(|item| item.used && matches!(item.kind, ItemKind::Time(_)));
        for (at, item) in self.items.iter().enumerate() {
            let statement =
                item.senses.contains(&Sense::Off(Off::Write)) && item.text.contains(' ') && !item.korean;
            if self.is_background(at) && !statement {
                continue;
            }
            let known = !item.mentions.is_empty();
            for sense in &item.senses {
                let kind = match sense {
                    // Wrong passwords are what rows tell of, and nobody's password.
                    Sense::Off(Off::Secret) if self.is_in_a_phrase(at) => None,
                    Sense::Off(Off::Secret) => Some(RefusalKind::Secret),
                    Sense::Off(Off::Deleted) => Some(RefusalKind::Deleted),
                    Sense::Off(Off::Write) if item.text.contains(' ') && !item.korean => {
                        Some(RefusalKind::Write)
                    }
                    Sense::Off(Off::Write)
                        if item.op(Op::Instead)
                            && (!follows || self.is_done_to_rows(at))
                            && self.is_order(at) =>
                    {
                        Some(RefusalKind::Write)
                    }
                    // 이동평균 만들어줘: a figure is made by asking for it.
                    Sense::Off(Off::Write) if item.korean && self.is_figure_before(at) => None,
                    Sense::Off(Off::Write) if !item.op(Op::Instead) && self.is_order(at) => {
                        Some(RefusalKind::Write)
                    }
                    Sense::Off(Off::Future) => Some(RefusalKind::Prediction),
                    Sense::Off(Off::Data) if !known => Some(RefusalKind::OtherData),
                    Sense::Off(Off::World) if !known => Some(RefusalKind::OutOfScope),
                    Sense::Off(Off::Advice) if !known => Some(RefusalKind::Advice),
                    Sense::Ask(Ask::Why) if !known && !has_past => Some(RefusalKind::Advice),
                    _ => None,
                };
                if let Some(kind) = kind {
                    return Some((kind, item.text.clone()));
                }
            }
        }
        // 에러가 나면 알려줘: to watch is not to ask.
        let watch = self.items.iter().position(|item| item.op(Op::Happens) && item.ending(Ending::Condition));
        if let Some(at) =
            watch.filter(|at| self.items[*at..].iter().any(|item| item.op(Op::Show)) && !self.draft.counted)
        {
            return Some((RefusalKind::Write, self.items[at].text.clone()));
        }
        let future = self
            .draft
            .periods
            .iter()
            .chain(&self.draft.against)
            .find(|placed| placed.it.bounds(self.now).0.is_some_and(|from| from > self.now.timestamp()));
        future.map(|placed| (RefusalKind::Prediction, self.items[placed.at].text.clone()))
    }

    fn is_in_a_phrase(&self, at: usize) -> bool {
        self.draft.phrases.iter().any(|phrase| phrase.contains(&at))
    }

    /// 그 로그를 INFO로 바꿔줘: the rows are what is changed, not the question.
    fn is_done_to_rows(&self, at: usize) -> bool {
        (0..at)
            .any(|place| self.items[place].particle(duru_language::Particle::Object) && self.is_table(place))
    }

    fn is_figure_before(&self, at: usize) -> bool {
        let figures = [
            Op::Average,
            Op::Sum,
            Op::Count,
            Op::Trend,
            Op::Rate,
            Op::Share,
            Op::List,
            Op::Cumulative,
            Op::Moving,
        ];
        self.previous(at).is_some_and(|place| self.items[place].any_op(&figures).is_some())
    }

    /// Whether a verb tells to do something: an English one at the beginning or after "please", a Korean one as a request.
    fn is_order(&self, at: usize) -> bool {
        let item = &self.items[at];
        if item.korean {
            let next = self.items.get(at + 1);
            let asks = |item: &super::items::Item| {
                item.op(Op::Show)
                    || item.ending(Ending::Request)
                    || item.senses.contains(&Sense::Filler)
                        && item.text.contains(['줘', '주', '달', '라', '부'])
            };
            let whole =
                item.endings.is_empty() || item.ending(Ending::Request) || item.ending(Ending::Connective);
            return item.ending(Ending::Request)
                || whole && (next.is_some_and(asks) || at + 1 >= self.items.len());
        }
        let before = |place: usize| &self.items[place];
        (0..at).rev().all(|place| {
            let item = before(place);
            item.senses.iter().any(|sense| matches!(sense, Sense::Filler | Sense::Link(Link::And | Link::To)))
                || matches!(item.kind, ItemKind::Mark(_))
                || item.op(Op::Show)
        })
    }
}
