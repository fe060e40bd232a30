//! Who makes a decision, in words.

use duru_llm::decision::{DecisionPolicy, PolicyReason};
use serde_json::{Value, json};

use crate::lang::Lang;

pub(super) fn who(policy: DecisionPolicy, lang: Lang) -> &'static str {
    match policy {
        DecisionPolicy::Model => lang.pick("모델", "model"),
        DecisionPolicy::Rule => lang.pick("규칙", "rule"),
        DecisionPolicy::UnlessCertain => {
            lang.pick("규칙이 확실하지 않으면 모델", "model unless rule is certain")
        }
        DecisionPolicy::Agree => lang.pick("둘이 같아야, 아니면 물음", "both agree, else ask"),
        DecisionPolicy::AgreeUnlessCertain => {
            lang.pick("규칙이 확실하면 규칙, 아니면 둘이 같아야", "rule if certain, else both agree or ask")
        }
        DecisionPolicy::Witness => lang.pick("규칙, 모델은 증인", "rule, model as witness"),
        // A newer one than this program knows.
        _ => policy.word(),
    }
}

pub(super) fn why(reason: Option<&PolicyReason<'_>>, lang: Lang) -> String {
    match reason {
        None => lang.pick("모델이 없음", "there is no model").to_owned(),
        Some(PolicyReason::Set(variable)) => {
            lang.pick(format!("{variable}(으)로 정함"), format!("set by {variable}"))
        }
        Some(PolicyReason::Measured(evidence)) => lang.pick(evidence.in_korean(), evidence.in_english()),
        Some(PolicyReason::MeasuredHere(evidence)) => {
            let own = |text: String| format!("DURU_POLICIES: {text}");
            lang.pick(own(evidence.in_korean()), own(evidence.in_english()))
        }
        Some(_) => lang.pick("이 모델은 재어 보지 않음", "this model was not measured").to_owned(),
    }
}

pub(super) fn as_json(policy: DecisionPolicy, reason: Option<&PolicyReason<'_>>) -> Value {
    let (because, variable, evidence) = match reason {
        None => ("no_model", None, None),
        Some(PolicyReason::Set(variable)) => ("set", Some(*variable), None),
        Some(PolicyReason::Measured(evidence)) => ("measured", None, Some(*evidence)),
        Some(PolicyReason::MeasuredHere(evidence)) => {
            ("measured_here", Some("DURU_POLICIES"), Some(*evidence))
        }
        Some(_) => ("unmeasured", None, None),
    };
    json!({ "who": policy.word(), "because": because, "variable": variable, "evidence": evidence })
}
