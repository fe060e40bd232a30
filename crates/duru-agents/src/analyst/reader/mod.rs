//! The reader: a question in plain language, read into a frame, asked back about, or refused with the words that were
//! not understood.

mod alike;
mod amend;
mod assemble;
mod breakdowns;
mod changes;
mod clarify;
mod composed;
mod confidence;
mod divide;
mod draft;
mod explain;
mod figures;
mod follow;
mod groups;
mod hints;
mod items;
mod known_texts;
mod link;
mod meanings;
mod moments;
mod money;
mod one_row;
mod parts;
mod periods;
mod presence;
mod reading;
mod refuse;
mod rest;
mod shares;
mod texts;
mod things;
mod unread;
mod values;
mod verify;
mod weights;
mod witnesses;

use duru_language::time::Period;
use duru_language::{Lang, Sense};
use duru_sql::domain::Domain;
use jiff::Zoned;

use super::frame::{Filter, Frame, Test};
pub use clarify::{AskBack, Clarification, QueryAnalysis, ServiceType, TimeClarity};
pub use confidence::Confidence;
pub use follow::ReadTurn;
pub use hints::hints;
pub use link::Linked;
use reading::Reading;
pub use refuse::{Refusal, RefusalKind};
pub use unread::{UNREAD, UNSURE_READING, says_yes};
use weights::{CERTAIN, NAMES_NOTHING, SHORT_QUESTION};

/// So often a person is asked back about one question.
pub const ROUNDS: u8 = 2;

/// What a question is read with.
pub struct Subject<'a> {
    pub domain: &'a Domain,
    pub linked: &'a Linked,
    pub now: &'a Zoned,
    pub lang: Lang,
    /// The questions before this one, oldest first.
    pub previous: &'a [ReadTurn],
    /// What the person said when asked back.
    pub answers: &'a [Reply],
    /// How often this question was asked back about.
    pub asked: u8,
    /// A period from the person's picker: it counts whatever the words say. Whether it should is for the caller to ask.
    pub picked: Option<Period>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub field: String,
    pub value: String,
}

/// How a question was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Understanding {
    Query(Box<Understood>),
    Clarify(Box<Clarification>),
    Refuse(Refusal),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    pub frame: Frame,
    pub sql: String,
    /// How it was understood, in a sentence.
    pub explanation: String,
    pub analysis: QueryAnalysis,
    /// Whether the question before was needed.
    pub resolved: bool,
    /// What was said besides the question.
    pub unused: Vec<String>,
    pub confidence: Confidence,
}

/// Reads a question. How sure the reading is decides whether it is given, shown to the person for them to decide, or
/// withheld with the words that were not understood.
pub fn understand(question: &str, subject: &Subject<'_>) -> Understanding {
    let mut reading = Reading::new(question, subject.domain, subject.linked, subject.now);
    reading.read();
    let refuse = |kind, words| Understanding::Refuse(Refusal::new(kind, words, subject.lang));
    if let Some((kind, word)) = reading.off_limits(!subject.previous.is_empty()) {
        return refuse(kind, vec![word]);
    }
    let first = whole(&mut reading, subject);
    let mut confidence = match &first {
        Ok((frame, _, before)) => Some(reading.confidence(frame, before.map(|before| &before.frame))),
        Err(_) => None,
    };
    let unread = reading.draft.unread.len() + confidence.as_ref().map_or(0, |it| it.lost.len());
    let is_short = question.split_whitespace().count() <= SHORT_QUESTION;
    let is_sure = confidence.as_ref().is_some_and(|it| it.value >= CERTAIN);
    let certain = unread == 0 && is_short && is_sure && !reading.is_foreign();
    let second =
        if certain { composed::Opinion::default() } else { second_reading(&reading, &first, subject) };
    let count = forgive(&mut reading, confidence.as_mut(), &second);
    let unread = reading.draft.unread.clone();
    let rows = reading.rows();
    let (frame, lost, before) = match first {
        Ok(whole) => whole,
        Err(unfit) => {
            let only_second = witnesses::weigh(None, count, &second.readings, &rows);
            return match (only_second, unfit) {
                (Some(weighed), _) => unread::end(&mut reading, weighed, &[], false, subject),
                (None, _) if !unread.is_empty() => refuse(RefusalKind::NotUnderstood, unread),
                (None, Some(unfit)) => Understanding::Refuse(Refusal::unfit(unfit, question, subject.lang)),
                (None, None) => refuse(RefusalKind::NotUnderstood, vec![question.to_owned()]),
            };
        }
    };
    let first = confidence.map(|confidence| (frame, confidence));
    let Some(weighed) = witnesses::weigh(first, count, &second.readings, &rows) else {
        return refuse(RefusalKind::NotUnderstood, vec![question.to_owned()]);
    };
    unread::end(&mut reading, weighed, &lost, before.is_some(), subject)
}

/// Words that were not understood and, as the second reader says, name nothing are only told.
fn forgive(
    reading: &mut Reading<'_>,
    confidence: Option<&mut Confidence>,
    second: &composed::Opinion,
) -> witnesses::Unread {
    let mut count = witnesses::Unread::default();
    let mut found_by_second = Vec::new();
    let question = reading.question.clone();
    // In seconds: another unit is wanted than the one that is shown.
    let is_unit = |item: &items::Item| {
        item.kind == items::ItemKind::Word
            && item.senses.iter().any(|sense| matches!(sense, Sense::Unit(unit) if unit.seconds().is_some()))
    };
    let units = reading.items.iter().filter(|item| is_unit(item));
    let units: Vec<String> = units.map(|item| item.text.trim().to_owned()).collect();
    let mut matters = |word: &String| {
        if units.contains(word) {
            count.lost += 1.0;
            return true;
        }
        let (likely, found) = second.naming(&question, word);
        if likely < NAMES_NOTHING {
            count.fillers += 1;
            return false;
        }
        let place = if found { &mut count.found } else { &mut count.lost };
        found_by_second.extend(found.then(|| word.clone()));
        *place += f64::from(likely);
        true
    };
    let (unread, told) = std::mem::take(&mut reading.draft.unread).into_iter().partition(&mut matters);
    reading.draft.unread = unread;
    let told: Vec<String> = told;
    reading.draft.unused.extend(told);
    if let Some(confidence) = confidence {
        let (lost, told): (Vec<String>, Vec<String>) =
            std::mem::take(&mut confidence.lost).into_iter().partition(&mut matters);
        confidence.lost = lost;
        reading.draft.unused.extend(told);
    }
    reading.draft.found_by_second = found_by_second;
    count
}

/// What the second reader says: of whole questions, not of what changes an earlier one or answers a question back.
fn second_reading(reading: &Reading<'_>, first: &Whole<'_>, subject: &Subject<'_>) -> composed::Opinion {
    let follows = matches!(first, Ok((.., Some(_))));
    let replies = subject.answers.iter().any(|answer| answer.field != UNREAD);
    if follows || replies {
        return composed::Opinion::default();
    }
    let mut all = composed::read(reading);
    for one in &mut all.readings {
        let composed::Second::Frame(frame) = &mut one.what else { continue };
        reading.keep_whole(frame);
        if let Some(picked) = &subject.picked {
            frame.time = Some(picked.clone());
        }
    }
    all
}

/// The frame of a question that was read, with references that nothing explains, and the turn that it goes on from.
type Whole<'a> = Result<(Frame, Vec<super::frame::Column>, Option<&'a ReadTurn>), Option<assemble::Unfit>>;

fn whole<'a>(reading: &mut Reading<'_>, subject: &Subject<'a>) -> Whole<'a> {
    let own = reading.assemble();
    let leans = |before: &&ReadTurn| {
        let other = own.as_ref().is_ok_and(|own| reading.is_of_another_table(own, before));
        !other && reading.leans(own.as_ref().ok())
    };
    let before = subject.previous.last().filter(leans);
    let (mut frame, mut lost) = match (before, own) {
        (Some(before), own) => reading.edit(before, own.ok()),
        (None, Ok(frame)) => (frame, reading.draft.references.clone()),
        (None, Err(unfit)) => return Err(Some(unfit)),
    };
    if before.is_none()
        && reading.draft.refers
        && frame.filters.is_empty()
        && frame.time.is_none()
        && frame.is_rows()
    {
        return Err(None);
    }
    if let Some(picked) = &subject.picked {
        frame.time = Some(picked.clone());
    }
    reply(reading, &mut frame, subject, &mut lost);
    if reading.draft.exists && frame.is_rows() && reading.lists_anything(&frame) {
        frame.measures.push(super::frame::Measure::Count);
    }
    reading.finish(&mut frame);
    Ok((frame, lost, before))
}

/// What the person answered goes into the frame.
fn reply(
    reading: &mut Reading<'_>,
    frame: &mut Frame,
    subject: &Subject<'_>,
    lost: &mut Vec<super::frame::Column>,
) {
    for answer in subject.answers {
        let mut said = Reading::new(&answer.value, subject.domain, subject.linked, subject.now);
        said.read();
        if answer.field == "time" {
            if let Some(period) = said.draft.periods.first() {
                frame.time = Some(period.it.clone());
                reading.draft.vague = false;
                reading.draft.event = false;
                reading.draft.periods.push(period.clone());
            }
            continue;
        }
        let of = |column: &super::frame::Column| {
            column.short() == answer.field
                || column.short().strip_suffix("_id") == Some(answer.field.as_str())
        };
        let everything = said
            .items
            .iter()
            .any(|item| item.any_op(&[duru_language::Op::All, duru_language::Op::Total]).is_some());
        if everything {
            reading.draft.every = true;
            reading.draft.unclear.retain(|(column, _)| !of(column));
        } else if let Some(filter) =
            said.draft.filters.into_iter().map(|placed| placed.it).find(|filter| of(&filter.column))
        {
            frame.filters.retain(|known| known.column != filter.column);
            frame.filters.push(filter);
        } else if let Some(column) = lost.iter().find(|column| of(column)).cloned() {
            frame.filters.push(Filter::new(column, Test::OneOf(vec![answer.value.trim().to_owned()])));
        }
        lost.retain(|column| !of(column));
    }
}
