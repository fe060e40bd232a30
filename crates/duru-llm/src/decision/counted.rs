//! What decisions took, as numbers of the process.

use duru_telemetry::count;

use super::outcome::Outcome;

/// Counts a decision: who made it, how long that took, and the tokens and dollars that a model took for it.
pub(super) fn counted<T>(outcome: &Outcome<T>) {
    // A rule that answers in the place of a model that was to decide is another matter than one that decides.
    let by = if outcome.fallback().is_some() { "fallback" } else { outcome.by.word() };
    let made: [(&str, &str); 2] = [("decision", &outcome.decision), ("by", by)];
    count("duru_decisions", "Decisions, by name and who made them", &made, 1.0);
    let seconds = outcome.latency.as_secs_f64();
    count("duru_decision_seconds", "How long decisions took, by name and who made them", &made, seconds);
    let Some(model) = outcome.model.as_deref().filter(|_| outcome.calls > 0) else { return };
    count(
        "duru_model_calls",
        "Requests to models for decisions",
        &[("model", model)],
        f64::from(outcome.calls),
    );
    for (kind, tokens) in [("input", outcome.usage.input_tokens), ("output", outcome.usage.output_tokens)] {
        let labels = [("model", model), ("kind", kind)];
        count("duru_model_tokens", "Tokens that models read and wrote for decisions", &labels, tokens as f64);
    }
    if let Some(dollars) = outcome.cost {
        count(
            "duru_model_dollars",
            "What models cost, where the price is known",
            &[("model", model)],
            dollars,
        );
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use duru_messages::UsageMetadata;

    use super::*;
    use crate::decision::{By, DecisionPolicy};

    /// A model that was asked twice and did not do: a fallback, and what it cost all the same.
    #[test]
    fn decisions_are_counted_by_who_made_them_with_what_models_took() {
        let outcome = |by, calls| Outcome {
            value: (),
            by,
            why: Some("no reply".to_owned()),
            decision: "test/counted".to_owned(),
            prompt: String::new(),
            model: Some("test-model".to_owned()),
            calls,
            latency: Duration::from_millis(500),
            usage: UsageMetadata::new(100, 20),
            cost: Some(0.25),
            policy: DecisionPolicy::Model,
            witness: None,
        };
        counted(&outcome(By::Model, 1));
        counted(&outcome(By::Rule, 2));
        counted(&outcome(By::Rule, 0));
        let all = duru_telemetry::tallies();
        let value = |name: &str, words: &[&str]| {
            let of = |tally: &&duru_telemetry::Tally| {
                tally.name == name
                    && tally.labels.iter().map(|(_, word)| word.as_str()).eq(words.iter().copied())
            };
            all.iter().find(of).map(|tally| tally.value)
        };
        let made = |by: &str| value("duru_decisions", &["test/counted", by]);
        assert_eq!((made("model"), made("fallback"), made("rule")), (Some(1.0), Some(1.0), Some(1.0)));
        assert_eq!(value("duru_decision_seconds", &["test/counted", "model"]), Some(0.5));
        assert_eq!(value("duru_model_calls", &["test-model"]), Some(3.0));
        assert_eq!(value("duru_model_tokens", &["test-model", "input"]), Some(200.0));
        assert_eq!(value("duru_model_tokens", &["test-model", "output"]), Some(40.0));
        assert_eq!(value("duru_model_dollars", &["test-model"]), Some(0.5));
    }
}
