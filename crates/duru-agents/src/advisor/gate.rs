//! Gate 1 with a model and the rules together: the model may doubt, the facts decide.

use super::decide::Sufficient;
use super::state::{Reuse, Variant};
use super::sufficiency::{DataSource, Judgement, Kept, Search, Talk, Verdict, judge};
use super::understand::{DataKind, Question};

/// What gate 1 says, and what is used of what is there.
pub(super) struct Passed {
    pub(super) judgement: Judgement,
    pub(super) reuse: Vec<Reuse>,
    /// What must be searched for.
    pub(super) scope: Vec<DataKind>,
}

/// What is judged.
pub(super) struct Evidence<'a> {
    pub(super) question: &'a Question,
    pub(super) searches: &'a [Search],
    /// What the searches are known by.
    pub(super) ids: &'a [String],
    pub(super) talk: &'a Talk,
    pub(super) now: jiff::Timestamp,
}

impl Evidence<'_> {
    pub(super) fn judge(&self) -> Judgement {
        judge(self.question, self.searches, self.talk, self.now)
    }

    /// Of data that need a search beside them, those that are good by themselves.
    fn good(&self, judgement: &Judgement) -> Vec<Kept> {
        let kinds: Vec<DataKind> =
            self.question.required.iter().filter(|kind| !judgement.missing.contains(kind)).copied().collect();
        if kinds.is_empty() {
            return Vec::new();
        }
        let alone = Question { required: kinds, ..self.question.clone() };
        let judged = judge(&alone, self.searches, self.talk, self.now);
        if judged.verdict == Verdict::Reuse { judged.kept } else { Vec::new() }
    }
}

/// The rules' judgement as a decision's answer.
pub(super) fn draft(judgement: &Judgement) -> Sufficient {
    Sufficient {
        is_sufficient: judgement.verdict == Verdict::Reuse,
        confidence: judgement.confidence,
        data_source: judgement.data_source,
        missing_data_types: judgement.missing.clone(),
        reasoning: judgement.reasoning.clone(),
    }
}

/// The model's answer within what the facts allow: it may find data wanting that the rules would take, and never
/// takes what the facts rule out.
pub(super) fn weigh(mut judgement: Judgement, said: &Sufficient) -> Judgement {
    if judgement.verdict == Verdict::Search {
        return judgement;
    }
    let sure = said.confidence;
    let verdict = match judgement.verdict {
        Verdict::Reuse if said.is_sufficient && sure > 0.9 => Verdict::Reuse,
        // The rules see nothing wrong, the model is not sure: a look at the data settles it.
        Verdict::Reuse if sure > 0.6 => Verdict::Verify,
        middle @ (Verdict::Verify | Verdict::Confirm) if sure > 0.6 => middle,
        _ => Verdict::Search,
    };
    if verdict == Verdict::Search && judgement.verdict != Verdict::Search {
        judgement.missing = said.missing_data_types.clone();
        judgement.data_source = DataSource::None;
    }
    judgement.verdict = verdict;
    judgement.confidence = sure;
    if !said.reasoning.trim().is_empty() {
        judgement.reasoning = said.reasoning.clone();
        judgement.reasoning_en = said.reasoning.clone();
    }
    judgement
}

/// A model was asked and did not answer: nothing is reused.
pub(super) fn failed(mut judgement: Judgement, required: &[DataKind], why: &str) -> Judgement {
    judgement.verdict = if required.is_empty() { Verdict::Reuse } else { Verdict::Search };
    judgement.confidence = 0.0;
    judgement.missing = required.to_vec();
    judgement.kept.clear();
    judgement.data_source = DataSource::None;
    judgement.reasoning = why.to_owned();
    judgement.reasoning_en = why.to_owned();
    judgement
}

/// What the verdict means for the plan.
pub(super) fn pass(mut judgement: Judgement, evidence: &Evidence<'_>, variant: Variant) -> Passed {
    let required = &evidence.question.required;
    if variant == Variant::A && matches!(judgement.verdict, Verdict::Verify | Verdict::Confirm) {
        judgement.verdict = Verdict::Search;
    }
    match judgement.verdict {
        Verdict::Reuse => {
            let reuse = reuses(&judgement.kept, evidence.ids);
            Passed { judgement, reuse, scope: Vec::new() }
        }
        Verdict::Verify | Verdict::Confirm => {
            let reuse = reuses(&judgement.kept, evidence.ids);
            Passed { judgement, reuse, scope: searchable(required) }
        }
        Verdict::Search => {
            let kept = if judgement.confidence == 0.0 { Vec::new() } else { evidence.good(&judgement) };
            let had: Vec<DataKind> = kept.iter().map(|kept| kept.kind).collect();
            let scope: Vec<DataKind> =
                searchable(required).into_iter().filter(|kind| !had.contains(kind)).collect();
            let reuse = reuses(&kept, evidence.ids);
            judgement.kept = kept;
            Passed { judgement, reuse, scope }
        }
    }
}

/// A contract is brought, not searched for.
pub(super) fn searchable(kinds: &[DataKind]) -> Vec<DataKind> {
    kinds.iter().filter(|kind| **kind != DataKind::Contract).copied().collect()
}

fn reuses(kept: &[Kept], ids: &[String]) -> Vec<Reuse> {
    let mut reuses: Vec<Reuse> = Vec::new();
    for one in kept {
        let Some(id) = ids.get(one.search) else { continue };
        match reuses.iter_mut().find(|reuse| reuse.search == *id) {
            Some(reuse) if reuse.kinds.contains(&one.kind) => {}
            Some(reuse) => reuse.kinds.push(one.kind),
            None => reuses.push(Reuse { search: id.clone(), kinds: vec![one.kind] }),
        }
    }
    reuses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::{Context, understand};

    fn judged(verdict: Verdict) -> Judgement {
        let question = understand("강남구 시세", &Context::default());
        let now = "2026-05-13T10:00:00+09:00".parse().unwrap();
        Judgement { verdict, ..judge(&question, &[], &Talk::default(), now) }
    }

    fn said(is_sufficient: bool, confidence: f32) -> Sufficient {
        Sufficient {
            is_sufficient,
            confidence,
            data_source: DataSource::ChatHistory,
            missing_data_types: vec![],
            reasoning: String::new(),
        }
    }

    #[test]
    fn a_model_may_doubt_and_never_takes_what_the_facts_rule_out() {
        let verdict =
            |rule, is_sufficient, confidence| weigh(judged(rule), &said(is_sufficient, confidence)).verdict;
        assert_eq!(verdict(Verdict::Search, true, 0.99), Verdict::Search);
        assert_eq!(verdict(Verdict::Reuse, true, 0.95), Verdict::Reuse);
        assert_eq!(verdict(Verdict::Reuse, true, 0.9), Verdict::Verify);
        assert_eq!(verdict(Verdict::Reuse, false, 0.3), Verdict::Search);
        assert_eq!(verdict(Verdict::Confirm, true, 0.95), Verdict::Confirm);
        assert_eq!(verdict(Verdict::Verify, true, 0.5), Verdict::Search);
        let failed = failed(judged(Verdict::Reuse), &[DataKind::Market], "no answer");
        assert_eq!((failed.verdict, failed.confidence), (Verdict::Search, 0.0));
        assert_eq!((failed.missing, failed.reasoning.as_str()), (vec![DataKind::Market], "no answer"));
    }
}
