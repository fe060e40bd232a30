//! How a reading ends: as an answer, as an offer that the person decides on, or withheld.

use duru_language::time::{Length, Period};
use duru_language::{Lang, Unit};

use super::clarify::{AskBack, Clarification};
use super::reading::Reading;
use super::refuse::{Refusal, RefusalKind};
use super::weights::ASK;
use super::witnesses::Weighed;
use super::{ROUNDS, Reply, Subject, Understanding, Understood, explain};
use crate::analyst::frame::{Column, Frame, print};

/// What the person is asked about: whether words may be left out.
pub const UNREAD: &str = "unread";

/// The kind of question back where all words were read.
pub const UNSURE_READING: &str = "unsure_reading";

/// Which of the readings that were offered the person wants, if any.
fn picked(answers: &[Reply], offered: &[String]) -> Option<usize> {
    let answer = answers.iter().find(|answer| answer.field == UNREAD)?.value.trim();
    if let Some(place) = offered.iter().position(|reading| reading.trim() == answer) {
        return Some(place);
    }
    // "2", "2번", "2."
    let digits = answer.find(|letter: char| !letter.is_ascii_digit()).map_or(answer, |end| &answer[..end]);
    match digits.parse::<usize>() {
        Ok(number) => number.checked_sub(1).filter(|place| *place < offered.len()),
        Err(_) => says_yes(answer).then_some(0),
    }
}

/// Whether an answer agrees to what was offered.
pub fn says_yes(answer: &str) -> bool {
    let answer = answer.trim().to_lowercase();
    ["yes", "y", "ok", "네", "예", "응", "좋아"].iter().any(|word| answer.starts_with(word))
}

/// How a reading ends, by how sure it is. What was not understood is never passed over in silence.
pub(super) fn end(
    reading: &mut Reading<'_>,
    weighed: Weighed,
    lost: &[Column],
    resolved: bool,
    subject: &Subject<'_>,
) -> Understanding {
    let Weighed { mut candidates, is_sure, confidence } = weighed;
    let mut words = std::mem::take(&mut reading.draft.unread);
    let mut lost_words = confidence.lost.clone();
    // What only the second reader found, its readings do not leave out.
    if candidates.first().is_some_and(|best| !best.is_first) {
        let found = &reading.draft.found_by_second;
        words.retain(|word| !found.contains(word));
        lost_words.retain(|word| !found.contains(word));
    }
    reading.draft.unused.extend(words.iter().cloned());
    words.extend(lost_words);
    candidates.retain(|one| one.value >= ASK && says_something(&one.frame) || words.is_empty());
    let explained =
        |frame: &Frame| explain::explain(frame, subject.domain, subject.lang, subject.now.time_zone());
    let offered: Vec<String> = candidates.iter().map(|one| explained(&one.frame)).collect();
    let picked = picked(subject.answers, &offered);
    let may_ask = subject.asked < ROUNDS;
    // What was said and has no part in the reading is not passed over, unless both readers say it first or nobody is there to say whether
    // it matters: of answers that left words out, on sets that nothing was learnt from, 19 of 49 were wrong, and 17 of 197 of the others.
    let agreed = candidates.first().is_some_and(|best| best.is_agreed);
    let uses_all = reading.draft.unused.is_empty() || agreed || !may_ask;
    // Where nobody can be asked any more, nobody can say either that an unread word does not matter.
    let may_leave_out = words.is_empty() || may_ask;
    let sure = picked.is_some() || is_sure && uses_all && may_leave_out && !candidates.is_empty();
    if candidates.is_empty() || !(sure || may_ask) {
        return Understanding::Refuse(Refusal::new(RefusalKind::NotUnderstood, words, subject.lang));
    }
    let place = picked.unwrap_or(0);
    let mut frame = candidates.swap_remove(place).frame;
    let needs = reading.needs(&frame, lost, resolved);
    let not_used = explain::not_used(&reading.draft.unused, subject.lang);
    let explanation = offered[place].clone() + &not_used;
    if !needs.is_empty() && may_ask {
        let mut open = reading.ask(&needs, frame, subject.lang);
        open.asks.extend((!sure && !words.is_empty()).then(|| ask(&words, &[], "", subject.lang)));
        return Understanding::Clarify(Box::new(open));
    }
    let analysis = reading.analyse(&frame, &needs);
    if !sure {
        let meaning = if offered.len() > 1 { &not_used } else { &explanation };
        let asks = vec![ask(&words, &offered, meaning, subject.lang)];
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

/// The question back that offers one reading or several. `meaning`: how the one is understood; of several, what was not used.
fn ask(words: &[String], offered: &[String], meaning: &str, lang: Lang) -> AskBack {
    let list = words.join(", ");
    let several = offered.len() > 1;
    let question = match (several, words.is_empty()) {
        (true, true) => lang
            .pick(format!("어느 것을 물으셨나요?{meaning}"), format!("Which of these do you mean?{meaning}")),
        (true, false) => lang.pick(
            format!("‘{list}’은(는) 이해하지 못했습니다. 어느 것을 물으셨나요?"),
            format!("I don't understand “{list}”. Which of these do you mean?"),
        ),
        (false, true) => lang.pick(
            format!("이렇게 이해했는데, 맞나요? {meaning}"),
            format!("Is this what you mean? {meaning}"),
        ),
        (false, false) => lang.pick(
            format!("‘{list}’은(는) 이해하지 못했습니다. 이 말을 빼고 이렇게 답할까요? {meaning}"),
            format!("I don't understand “{list}”. Shall I answer without it? {meaning}"),
        ),
    };
    let options = if several {
        let none = lang.pick("모두 아닙니다", "none of these");
        offered.iter().cloned().chain([none.to_owned()]).collect()
    } else {
        lang.pick(["네", "아니요"], ["yes", "no"]).map(Into::into).into()
    };
    AskBack {
        field: UNREAD.into(),
        kind: if words.is_empty() { UNSURE_READING } else { "unread_words" }.into(),
        question,
        options,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_picked_by_its_words_its_number_or_a_yes_and_by_nothing_else() {
        let offered: Vec<String> = ["errors by day", "10 errors", "errors"].map(String::from).into();
        let of = |value: &str| picked(&[Reply { field: UNREAD.into(), value: value.into() }], &offered);
        for (value, place) in
            [("errors", 2), ("10 errors", 1), ("1", 0), ("2번", 1), ("3.", 2), ("네", 0), ("yes", 0)]
        {
            assert_eq!(of(value), Some(place), "{value}");
        }
        for value in ["none of these", "모두 아닙니다", "0", "4", "no", ""] {
            assert_eq!(of(value), None, "{value}");
        }
    }
}
