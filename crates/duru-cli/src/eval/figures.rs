//! What a model cost while a set was measured, how long questions took, and how often the rule answered in its place.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use duru_llm::decision::Decider;
use duru_messages::UsageMetadata;
use serde_json::{Value, json};

use crate::args::EvalModel;

/// Clones count together.
#[derive(Clone, Default)]
pub(super) struct Figures(Arc<Mutex<Sums>>);

#[derive(Default)]
struct Sums {
    calls: u64,
    usage: UsageMetadata,
    fallbacks: BTreeMap<String, u64>,
    /// What every question took.
    seconds: Vec<f64>,
    /// When the question was asked that has no answer yet.
    asked: Option<Instant>,
}

impl Figures {
    /// The same decider; what it decides for a question without an answer is counted.
    pub(super) fn counting(&self, decider: &Decider) -> Decider {
        let figures = self.clone();
        decider.telling(move |outcome| figures.count(outcome.calls, &outcome.usage, outcome.fallback()))
    }

    /// A question is asked now.
    pub(super) fn question_asked(&self) {
        self.sums().asked = Some(Instant::now());
    }

    /// It was answered, or asked back about. What is tried after that, to judge it, costs nobody anything.
    pub(super) fn question_answered(&self) {
        self.questions_answered(1);
    }

    /// The same of several that were asked one after another.
    pub(super) fn questions_answered(&self, questions: u32) {
        let mut sums = self.sums();
        if let Some(asked) = sums.asked.take() {
            let each = asked.elapsed().checked_div(questions).unwrap_or(Duration::ZERO).as_secs_f64();
            sums.seconds.extend((0..questions).map(|_| each));
        }
    }

    pub(super) fn count(&self, calls: u32, usage: &UsageMetadata, fallback: Option<&str>) {
        let mut sums = self.sums();
        if sums.asked.is_none() {
            return;
        }
        sums.calls += u64::from(calls);
        sums.usage.add(usage);
        if let Some(why) = fallback {
            *sums.fallbacks.entry(reason(why)).or_default() += 1;
        }
    }

    /// A command's answer, with these figures where a model was named.
    pub(super) fn add_to(&self, mut answer: Value, with: &EvalModel) -> Value {
        if with.model.is_some() {
            let sums = self.sums();
            answer["calls"] = json!(sums.calls);
            answer["input_tokens"] = json!(sums.usage.input_tokens);
            answer["output_tokens"] = json!(sums.usage.output_tokens);
            answer["seconds"] = json!(median(&sums.seconds));
            answer["fallbacks"] = json!(sums.fallbacks);
        }
        answer
    }

    // Every change leaves sums that hold, so a panic elsewhere does not spoil them.
    fn sums(&self) -> MutexGuard<'_, Sums> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The one in the middle; none of none.
fn median(seconds: &[f64]) -> Option<f64> {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some((upper + sorted.get(sorted.len() / 2 - 1)?) / 2.0)
}

/// A reason without what differs from one time to the next: how long it took, and what exactly did not fit.
fn reason(why: &str) -> String {
    const UNFIT: &str = "the answer did not fit";
    if why.starts_with(UNFIT) {
        return UNFIT.to_owned();
    }
    let word = |word: &str| if word.parse::<f64>().is_ok() { "…".to_owned() } else { word.to_owned() };
    why.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decided_after_the_answer_is_not_counted() {
        let (figures, with) =
            (Figures::default(), EvalModel { model: Some("m".to_owned()), ..EvalModel::default() });
        figures.question_asked();
        figures.count(2, &UsageMetadata::new(10, 5), Some("the answer did not fit, twice: no `sql`"));
        figures.question_answered();
        figures.count(1, &UsageMetadata::new(10, 5), None);
        let answer = figures.add_to(json!({ "items": 1 }), &with);
        assert_eq!((&answer["calls"], &answer["input_tokens"]), (&2.into(), &10.into()));
        assert_eq!(answer["output_tokens"], 5);
        assert_eq!(answer["fallbacks"], json!({ "the answer did not fit": 1 }));
        assert!(answer["seconds"].is_f64(), "{answer}");
        let plain = json!({ "items": 1 });
        assert_eq!(figures.add_to(plain.clone(), &EvalModel::default()), plain, "no model was named");
    }

    #[test]
    fn reasons_that_differ_in_figures_are_one() {
        assert_eq!(
            reason("m failed too often and rests for 4 s"),
            reason("m failed too often and rests for 31 s")
        );
        assert_eq!(
            reason("no reply from qwen2.5: nothing came for 3.25 s"),
            "no reply from qwen2.5: nothing came for … s"
        );
    }

    #[test]
    fn the_middle_of_an_even_number_is_between_two() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
