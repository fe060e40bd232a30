//! How long one question may wait for models, whatever each call may.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::SetupError;

/// How long a person waits for a model, per question. When it is over, the rules answer the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Until the first word of the answer; all decisions before it share this.
    pub first_word: Duration,
    /// Until its last.
    pub total: Duration,
}

impl Default for Patience {
    /// Half a minute, and a minute and a half.
    fn default() -> Self {
        Patience { first_word: Duration::from_secs(30), total: Duration::from_secs(90) }
    }
}

impl Patience {
    /// The variable for the time to the first word, in seconds.
    pub const FIRST_WORD: &str = "DURU_FIRST_WORD_SECONDS";
    /// The variable for the time in all, in seconds.
    pub const TOTAL: &str = "DURU_QUESTION_SECONDS";

    pub(super) fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, SetupError> {
        let usual = Patience::default();
        let seconds = |name: &'static str, usual: Duration| {
            let Some(text) = get(name).filter(|text| !text.trim().is_empty()) else { return Ok(usual) };
            match text.trim().parse::<u32>() {
                Ok(seconds) if seconds > 0 => Ok(Duration::from_secs(u64::from(seconds))),
                _ => Err(SetupError::Seconds { variable: name, value: text }),
            }
        };
        let first_word = seconds(Self::FIRST_WORD, usual.first_word)?;
        // Whoever waits longer for the first word waits at least as long for the last.
        let total = seconds(Self::TOTAL, usual.total.max(first_word))?;
        Ok(Patience { first_word: first_word.min(total), total })
    }
}

/// Until when a question waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuestionTime {
    pub(super) first_word: Instant,
    pub(super) end: Instant,
}

impl QuestionTime {
    pub(super) fn starting_now(patience: Patience) -> Self {
        let now = Instant::now();
        QuestionTime { first_word: now + patience.first_word, end: now + patience.total }
    }
}

/// The questions that are being answered.
#[derive(Default)]
pub(super) struct OpenQuestions(Mutex<HashMap<String, QuestionTime>>);

/// From so many on, those whose time is long over are forgotten.
const MANY: usize = 1024;

/// So long a question is remembered after its time: its run may still make decisions.
const KEPT: Duration = Duration::from_secs(3600);

impl OpenQuestions {
    /// The time of a question; it runs from the first decision about it.
    pub(super) fn time_of(&self, question: &str, patience: Patience) -> QuestionTime {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(time) = open.get(question) {
            return *time;
        }
        if open.len() >= MANY {
            let now = Instant::now();
            open.retain(|_, time| time.end + KEPT > now);
        }
        let time = QuestionTime::starting_now(patience);
        open.insert(question.to_owned(), time);
        time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_read_and_what_is_none_is_refused() {
        let read = |first: Option<&str>, total: Option<&str>| {
            Patience::read(|name| {
                let value = if name == Patience::FIRST_WORD { first } else { total };
                value.map(str::to_owned)
            })
        };
        let of = |first, total| Patience {
            first_word: Duration::from_secs(first),
            total: Duration::from_secs(total),
        };
        assert_eq!(read(None, None).unwrap(), of(30, 90));
        assert_eq!(read(Some("120"), None).unwrap(), of(120, 120));
        assert_eq!(read(None, Some("10")).unwrap(), of(10, 10));
        let error = read(Some("soon"), None).unwrap_err().to_string();
        assert!(error.contains(Patience::FIRST_WORD) && error.contains("soon"), "{error}");
        assert!(read(None, Some("0")).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_of_a_question_runs_from_its_first_decision() {
        let open = OpenQuestions::default();
        let first = open.time_of("a", Patience::default());
        tokio::time::advance(Duration::from_secs(20)).await;
        assert_eq!(open.time_of("a", Patience::default()).end, first.end);
        assert_eq!(open.time_of("b", Patience::default()).end, first.end + Duration::from_secs(20));
    }
}
