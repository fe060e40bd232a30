//! What a set came to, as far as its command tells.

use serde_json::Value;

use super::sets::SetKind;

/// Counts of a set's items. What a command does not tell is none, and no zero.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    /// Those that have an answer.
    pub(super) items: u64,
    right: Option<u64>,
    /// It asked back, and one of what it offered is right.
    offered: Option<u64>,
    /// It asked back, and nothing that it offered is right.
    asked: Option<u64>,
    refused: Option<u64>,
    /// Wrong answers, given as if they were right.
    wrong: Option<u64>,
    /// Of those that have no answer, or should be asked back about: how many ended so, and how many there are.
    others: Option<(u64, u64)>,
    /// Items that could not be asked at all.
    pub(super) crashed: u64,
    /// What `right` counts, where it is not answers.
    note: &'static str,
}

impl Score {
    /// From what the command says.
    pub(super) fn read(kind: &SetKind, answer: &Value) -> Option<Self> {
        let number = |place: &str| answer.pointer(place).and_then(Value::as_u64);
        Some(match kind {
            SetKind::Documents { .. } => {
                let (items, answered, right) =
                    (number("/questions")?, number("/answered")?, number("/answered_right")?);
                let (refused, offered) = (number("/refused")?, number("/offered_right")?);
                Self {
                    items,
                    right: Some(right),
                    offered: Some(offered),
                    asked: Some(items.saturating_sub(answered + refused + offered)),
                    refused: Some(refused),
                    wrong: Some(answered.saturating_sub(right)),
                    others: Some((number("/recognised")?, number("/unanswerable")?)),
                    ..Self::default()
                }
            }
            SetKind::Logs => Self {
                items: number("/items")?,
                right: number("/right"),
                offered: number("/offered_right"),
                asked: number("/asked"),
                refused: number("/refused"),
                wrong: number("/wrong"),
                others: Some((number("/others_right")?, number("/others")?)),
                ..Self::default()
            },
            SetKind::Tables { .. } => {
                let sets = answer.get("sets")?;
                let of = |set: &str, column: &str| sets[set][column].as_u64().unwrap_or(0);
                let answerable = |column: &str| Some(of("answerable", column));
                Self {
                    items: of("answerable", "items"),
                    right: answerable("right"),
                    offered: answerable("asked_well"),
                    asked: answerable("asked_badly"),
                    refused: answerable("refused_wrongly"),
                    wrong: Some(of("answerable", "wrong") + of("answerable", "failed")),
                    others: Some((of("unanswerable", "right"), of("unanswerable", "items"))),
                    ..Self::default()
                }
            }
            SetKind::Conversations => Self {
                items: number("/score/facts/of")?,
                right: number("/score/facts/hits"),
                wrong: number("/score/contradictions/hits"),
                note: "facts; wrong: answers that contradict",
                ..Self::default()
            },
            SetKind::Sufficiency => Self {
                items: number("/score/decision/of")?,
                right: number("/score/decision/hits"),
                wrong: number("/score/unsafe_reuse/hits"),
                note: "decisions; wrong: unsafe reuse",
                ..Self::default()
            },
        })
    }

    /// Both together. What one of them does not tell is not known of both.
    pub(super) fn and(self, other: &Self) -> Self {
        let both = |one: Option<u64>, other: Option<u64>| Some(one? + other?);
        let others = self.others.zip(other.others);
        Self {
            items: self.items + other.items,
            right: both(self.right, other.right),
            offered: both(self.offered, other.offered),
            asked: both(self.asked, other.asked),
            refused: both(self.refused, other.refused),
            wrong: both(self.wrong, other.wrong),
            others: others.map(|(one, other)| (one.0 + other.0, one.1 + other.1)),
            crashed: self.crashed + other.crashed,
            note: self.note,
        }
    }

    /// Right, offered right, asked otherwise, refused, wrong in silence, and those that are not to be answered.
    pub(super) fn cells(&self) -> [String; 6] {
        let told = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), |count| count.to_string());
        let [right, offered, asked, refused, wrong] =
            [self.right, self.offered, self.asked, self.refused, self.wrong].map(told);
        let others = match self.others {
            Some((_, 0)) | None => "–".to_owned(),
            Some((right, of)) => format!("{right} of {of}"),
        };
        [right, offered, asked, refused, wrong, others]
    }

    /// What its counts count, where it is not answers, and what went wrong.
    pub(super) fn note(&self) -> String {
        let note = match self.crashed {
            0 => self.note.to_owned(),
            crashed => format!("{} {crashed} CRASHED", self.note),
        };
        note.trim().to_owned()
    }

    pub(super) fn head() -> String {
        let counts = ["items", "right", "offered right", "asked otherwise", "refused", "wrong in silence"];
        row("set", "language", counts.map(str::to_owned), "not to answer", "")
    }

    pub(super) fn line(&self, set: &str, lang: &str) -> String {
        let [right, offered, asked, refused, wrong, others] = self.cells();
        let counts = [self.items.to_string(), right, offered, asked, refused, wrong];
        row(set, lang, counts, &others, &self.note())
    }

    /// A set that could not be measured, and why.
    pub(super) fn missing(set: &str, lang: &str, why: &str) -> String {
        row(set, lang, [(); 6].map(|()| "–".to_owned()), "–", why)
    }
}

fn row(set: &str, lang: &str, counts: [String; 6], others: &str, note: &str) -> String {
    let [items, right, offered, asked, refused, wrong] = counts;
    let line = format!(
        "{set:<36} {lang:<8} {items:>6} {right:>6} {offered:>14} {asked:>16} {refused:>8} {wrong:>17} {others:>14}  {note}"
    );
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_command_does_not_tell_is_no_zero() {
        let score = json!({ "score": { "decision": { "of": 3, "hits": 2 } } });
        let score = Score::read(&SetKind::Sufficiency, &score).unwrap();
        assert_eq!((score.right, score.asked, score.refused, score.wrong), (Some(2), None, None, None));
        assert!(score.line("a", "ko").contains('–'));
        assert_eq!(Score::read(&SetKind::Sufficiency, &json!({})), None);
    }

    #[test]
    fn those_without_an_answer_are_counted_apart() {
        let sets = json!({ "sets": {
            "answerable": { "items": 4, "right": 1, "asked_well": 1, "refused_wrongly": 1, "wrong": 1 },
            "unanswerable": { "items": 2, "right": 2, "refused": 2 },
        } });
        let score = Score::read(&SetKind::Tables { base: None }, &sets).unwrap();
        assert_eq!((score.items, score.right, score.offered), (4, Some(1), Some(1)));
        assert_eq!((score.refused, score.wrong, score.others), (Some(1), Some(1), Some((2, 2))));
        let crashed = Score { crashed: 2, ..score };
        assert!(crashed.line("a", "ko").contains("2 of 2") && crashed.line("a", "ko").contains("2 CRASHED"));
    }
}
