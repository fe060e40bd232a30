//! How a reading ends: as an answer, as an offer that the person decides on, or withheld.

use duru_language::time::{Length, Period};
use duru_language::{Lang, Unit};

use super::clarify::{AskBack, Clarification, Need};
use super::confidence::Confidence;
use super::reading::Reading;
use super::refuse::{Refusal, RefusalKind};
use super::weights::ASK;
use super::{ROUNDS, Reply, Subject, Understanding, Understood, explain};
use crate::analyst::frame::{Frame, print};

/// What the person is asked about: whether words may be left out.
pub const UNREAD: &str = "unread";

/// Whether the person wants the question answered without the words that were not understood.
pub(super) fn agreed(answers: &[Reply]) -> bool {
    let yes = |value: &str| {
        let value = value.trim().to_lowercase();
        ["yes", "y", "ok", "네", "예", "응", "좋아"].iter().any(|word| value.starts_with(word))
    };
    answers.iter().any(|answer| answer.field == UNREAD && yes(&answer.value))
}

/// How a reading ends, by how sure it is. What was not understood is never passed over in silence.
pub(super) fn end(
    reading: &mut Reading<'_>,
    mut frame: Frame,
    needs: &[Need],
    confidence: Confidence,
    resolved: bool,
    subject: &Subject<'_>,
) -> Understanding {
    let mut words = std::mem::take(&mut reading.draft.unread);
    reading.draft.unused.extend(words.iter().cloned());
    words.extend(confidence.lost.iter().cloned());
    let unread = !words.is_empty();
    let agreed = agreed(subject.answers);
    let sure = agreed || !unread && confidence.is_sure;
    let may_ask = subject.asked < ROUNDS;
    let offers = confidence.value >= ASK && says_something(&frame) || words.is_empty();
    if !(sure || may_ask && offers) {
        return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, words, subject.lang));
    }
    let explanation = explain::explain(&frame, subject.domain, subject.lang, subject.now.time_zone())
        + &explain::not_used(&reading.draft.unused, subject.lang);
    if !needs.is_empty() && may_ask {
        let mut open = reading.ask(needs, frame, subject.lang);
        open.asks.extend((!sure && !words.is_empty()).then(|| ask(&words, "", subject.lang)));
        return Understanding::Clarify(Box::new(open));
    }
    let analysis = reading.analyse(&frame, needs);
    if !sure {
        let asks = vec![ask(&words, &explanation, subject.lang)];
        return Understanding::Clarify(Box::new(Clarification { asks, draft: frame, analysis }));
    }
    if reading.draft.vague && frame.time.is_none() {
        frame.time = Some(Period::Last(Length::new(1, Unit::Hour)));
    }
    Understanding::Query(Box::new(Understood {
        sql: print(&frame, subject.domain, subject.now.time_zone()),
        explanation,
        analysis,
        frame,
        resolved,
        unused: reading.draft.unused.clone(),
        confidence,
    }))
}

/// The question back that offers a reading.
fn ask(words: &[String], meaning: &str, lang: Lang) -> AskBack {
    let list = words.join(", ");
    let question = if words.is_empty() {
        lang.pick(
            format!("이렇게 이해했는데, 맞나요? {meaning}"),
            format!("Is this what you mean? {meaning}"),
        )
    } else {
        lang.pick(
            format!("‘{list}’은(는) 이해하지 못했습니다. 이 말을 빼고 이렇게 답할까요? {meaning}"),
            format!("I don't understand “{list}”. Shall I answer without it? {meaning}"),
        )
    };
    AskBack {
        field: UNREAD.into(),
        kind: if words.is_empty() { "unsure_reading" } else { "unread_words" }.into(),
        question,
        options: lang.pick(["네", "아니요"], ["yes", "no"]).map(Into::into).into(),
        required: true,
        allow_custom: false,
    }
}

/// Whether a frame is about certain rows or figures: else nothing of the question was understood.
fn says_something(frame: &Frame) -> bool {
    !frame.filters.is_empty()
        || frame.time.is_some() && !frame.is_rows()
        || !frame.dimensions.is_empty()
        || !frame.show.is_empty()
}
