//! What a set came to, as far as its command tells: right, asked back, refused, wrong in silence.

use serde_json::Value;

use super::sets::SetKind;

/// Counts of a set's items. What a command does not tell is none, and no zero.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    items: u64,
    right: Option<u64>,
    asked: Option<u64>,
    refused: Option<u64>,
    wrong: Option<u64>,
    /// What `right` counts, where it is not answers.
    note: &'static str,
}

impl Score {
    /// From what the command says, and the lines that it wrote for the items.
    pub(super) fn read(kind: &SetKind, answer: &Value, said: &str) -> Option<Self> {
        let number = |place: &str| answer.pointer(place).and_then(Value::as_u64);
        let actions = |action: &str| {
            let lines = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            lines.filter(|line| line["action"] == action).count() as u64
        };
        Some(match kind {
            SetKind::Documents { .. } => {
                let (questions, without) = (number("/questions")?, number("/unanswerable")?);
                let (answered, right) = (number("/answered")?, number("/answered_right")?);
                let recognised = number("/recognised")?;
                let refused = number("/refused")?;
                Self {
                    items: questions + without,
                    right: Some(right + recognised),
                    // "This may be what you mean".
                    asked: Some(questions.saturating_sub(answered + refused)),
                    refused: Some(refused),
                    wrong: Some(answered.saturating_sub(right) + without.saturating_sub(recognised)),
                    note: "",
                }
            }
            SetKind::Logs { .. } => Self {
                items: number("/items")?,
                right: number("/right_kind"),
                asked: Some(actions("clarify")),
                refused: Some(actions("refuse")),
                wrong: None,
                note: "the right kind of answer; rows are not compared",
            },
            SetKind::Tables { .. } => {
                let sets = answer.get("sets")?;
                let of = |set: &str, column: &str| sets[set][column].as_u64().unwrap_or(0);
                let both = |column: &str| of("answerable", column) + of("unanswerable", column);
                Self {
                    items: both("items"),
                    right: Some(both("right")),
                    asked: Some(both("asked")),
                    refused: Some(both("refused")),
                    wrong: Some(both("wrong")),
                    note: "",
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

    pub(super) fn head() -> String {
        row(["set", "language", "items", "right", "asked", "refused", "wrong in silence"], "")
    }

    pub(super) fn line(&self, set: &str, lang: &str) -> String {
        let told = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), |count| count.to_string());
        let cells = [self.right, self.asked, self.refused, self.wrong].map(told);
        let items = self.items.to_string();
        row([set, lang, &items, &cells[0], &cells[1], &cells[2], &cells[3]], self.note)
    }

    /// A set that could not be measured, and why.
    pub(super) fn missing(set: &str, lang: &str, why: &str) -> String {
        row([set, lang, "–", "–", "–", "–", "–"], why)
    }
}

fn row(cells: [&str; 7], note: &str) -> String {
    let [set, lang, items, right, asked, refused, wrong] = cells;
    let line =
        format!("{set:<28} {lang:<8} {items:>6} {right:>6} {asked:>6} {refused:>8} {wrong:>17}  {note}");
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_command_does_not_tell_is_no_zero() {
        let answer = json!({ "items": 3, "right_kind": 2 });
        let said = "{\"action\": \"sql\"}\n{\"action\": \"clarify\"}\n{\"action\": \"refuse\"}\n";
        let score = Score::read(&SetKind::Logs { lines: None }, &answer, said).unwrap();
        assert_eq!((score.right, score.asked, score.refused, score.wrong), (Some(2), Some(1), Some(1), None));
        assert!(score.line("a", "ko").contains('–'));
        assert_eq!(Score::read(&SetKind::Sufficiency, &json!({}), ""), None);
    }

    #[test]
    fn tables_count_both_wholes() {
        let sets = json!({ "sets": {
            "answerable": { "items": 4, "right": 1, "asked": 1, "refused": 1, "wrong": 1 },
            "unanswerable": { "items": 2, "right": 2, "refused": 2 },
        } });
        let score = Score::read(&SetKind::Tables { base: None }, &sets, "").unwrap();
        assert_eq!((score.items, score.right, score.refused, score.wrong), (6, Some(3), Some(3), Some(1)));
    }
}
