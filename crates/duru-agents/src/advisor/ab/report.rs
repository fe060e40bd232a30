//! The figures of the variants.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Decision, Outcome, Variant};

/// What a variant's decisions come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    pub total_requests: usize,
    pub correct_skips: usize,
    pub incorrect_skips: usize,
    pub correct_searches: usize,
    pub incorrect_searches: usize,
    /// Of those whose outcome is known; none if none is.
    pub accuracy: Option<f64>,
    /// In seconds.
    pub avg_execution_time: f64,
    pub skip_rate: f64,
}

/// By variant, and all together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub variants: BTreeMap<Variant, Metrics>,
    pub total: Metrics,
}

impl Metrics {
    pub fn of<'a>(decisions: impl IntoIterator<Item = &'a Decision>) -> Self {
        let mut metrics = Self::default();
        let (mut skips, mut seconds) = (0_usize, 0.0);
        for decision in decisions {
            metrics.total_requests += 1;
            skips += usize::from(decision.skipped());
            seconds += decision.execution_time;
            match decision.actual_result {
                Outcome::CorrectSkip => metrics.correct_skips += 1,
                Outcome::IncorrectSkip => metrics.incorrect_skips += 1,
                Outcome::CorrectSearch => metrics.correct_searches += 1,
                Outcome::IncorrectSearch => metrics.incorrect_searches += 1,
                Outcome::Unknown => {}
            }
        }
        let right = metrics.correct_skips + metrics.correct_searches;
        let known = right + metrics.incorrect_skips + metrics.incorrect_searches;
        metrics.accuracy = (known > 0).then(|| right as f64 / known as f64);
        if metrics.total_requests > 0 {
            metrics.avg_execution_time = seconds / metrics.total_requests as f64;
            metrics.skip_rate = skips as f64 / metrics.total_requests as f64;
        }
        metrics
    }

    /// How many outcomes are not known.
    pub fn unknown(&self) -> usize {
        let known =
            self.correct_skips + self.incorrect_skips + self.correct_searches + self.incorrect_searches;
        self.total_requests.saturating_sub(known)
    }
}

impl Report {
    pub fn of(decisions: &[Decision]) -> Self {
        let of = |variant| Metrics::of(decisions.iter().filter(|one| one.variant == variant));
        let variants = [Variant::A, Variant::B].map(|variant| (variant, of(variant)));
        Self { variants: variants.into(), total: Metrics::of(decisions) }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::advisor::ab::{Evidence, Made};
    use crate::advisor::sufficiency::Verdict;

    fn decision(variant: Variant, verdict: Verdict, made: Option<Made>) -> Decision {
        Decision {
            timestamp: Timestamp::UNIX_EPOCH,
            variant,
            query: "q".to_owned(),
            supervisor_decision: verdict,
            execute_node_decision: made,
            actual_result: Outcome::Unknown,
            execution_time: 2.0,
        }
    }

    #[test]
    fn figures_by_hand() {
        let mut right = decision(Variant::A, Verdict::Reuse, None);
        right.actual_result = right.outcome(Evidence::Shadow { same: true }).unwrap();
        let mut wrong = decision(Variant::B, Verdict::Verify, Some(Made::Skip));
        wrong.actual_result = wrong.outcome(Evidence::AskedAgain).unwrap();
        let mut needless = decision(Variant::B, Verdict::Search, Some(Made::Search));
        needless.actual_result = needless.outcome(Evidence::Labelled { search_needed: false }).unwrap();
        let open =
            Decision { execution_time: 6.0, ..decision(Variant::B, Verdict::Confirm, Some(Made::Search)) };
        assert_eq!(open.outcome(Evidence::AskedAgain), None);
        let report = Report::of(&[right, wrong, needless, open]);
        let (a, b) = (&report.variants[&Variant::A], &report.variants[&Variant::B]);
        assert_eq!((a.total_requests, a.correct_skips, a.accuracy, a.skip_rate), (1, 1, Some(1.0), 1.0));
        assert_eq!((b.incorrect_skips, b.incorrect_searches, b.accuracy, b.unknown()), (1, 1, Some(0.0), 1));
        assert_eq!(report.total.avg_execution_time, 3.0);
        assert_eq!(report.total.accuracy, Some(1.0 / 3.0));
        assert_eq!(Report::of(&[]).total.accuracy, None);
    }

    #[test]
    fn the_log_has_the_fields_by_their_names() {
        let json = serde_json::to_value(decision(Variant::B, Verdict::Verify, Some(Made::Skip))).unwrap();
        let mut names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "actual_result",
                "execute_node_decision",
                "execution_time",
                "query",
                "supervisor_decision",
                "timestamp",
                "variant"
            ]
        );
        assert_eq!(json["actual_result"], "unknown");
    }
}
