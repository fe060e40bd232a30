//! The things of a table that stand in a question, and the words between them.

use std::ops::Range;

use duru_language::time::{Period, Timed};
use duru_meaning::{KINDS, Stretch, Term};

use super::foreign;
use super::thing::{Thing, kind};
use crate::analyst::frame::{Column, Filter, Frame, Test, columns};
use crate::analyst::reader::items::{Item, ItemKind};
use crate::analyst::reader::link::Mention;
use crate::analyst::reader::money::is_currency;
use crate::analyst::reader::reading::Reading;

#[derive(Debug, Clone)]
pub(super) struct Slots {
    pub(super) stretches: Vec<Stretch>,
    /// Where each stretch begins in the question.
    begins: Vec<usize>,
    pub(super) things: Vec<Thing>,
    /// Things from this number on were named by overlooked words.
    relinked: usize,
    /// Some of those are hardly near to what they are taken for.
    guessed: bool,
}

impl Slots {
    pub(super) fn of(reading: &Reading<'_>) -> Self {
        let mut slots = Self {
            stretches: Vec::new(),
            begins: Vec::new(),
            things: Vec::new(),
            relinked: usize::MAX,
            guessed: false,
        };
        let question = reading.question.as_str();
        let starts = starts(question, &reading.items);
        let mut at = 0;
        for (place, item) in reading.items.iter().enumerate() {
            let phrase = reading.draft.phrases.iter().find(|phrase| phrase.contains(&place));
            // A phrase is one thing, where it begins.
            let (says, ends) = match phrase.map(Vec::as_slice) {
                Some([first, .., last]) if *first == place => {
                    let whole = phrase.is_some_and(|phrase| last - first + 1 == phrase.len());
                    (*last, if whole { *last } else { place })
                }
                Some(_) => continue,
                None => (place, place),
            };
            let thing = if reading.is_foreign() {
                foreign::thing(reading, &reading.items[says])
            } else {
                thing(reading, says, &reading.items[says])
            };
            // 결제 서비스, trace 0f1e…: the value says it all.
            let said =
                item.redundant && phrase.is_none() && thing.column.is_some() && thing.filters.is_empty()
                    || says_whose(reading, place, &thing);
            let (Some(start), Some(end)) = (starts[place], starts[ends]) else { continue };
            if thing.kinds.is_empty() || said || start < at {
                continue;
            }
            slots.plain(question, at, start);
            let own = end + own_length(&reading.items[ends]);
            slots.thing(question, start, own, thing);
            at = own;
        }
        slots.plain(question, at, question.len());
        slots
    }

    /// Where a word of a stretch stands in the question.
    pub(super) fn word(&self, stretch: usize, word: usize) -> Option<Range<usize>> {
        let text = self.stretches.get(stretch)?.text.as_str();
        let mut end = 0;
        let mut found = None;
        for own in text.split_whitespace().take(word + 1) {
            let start = end + text[end..].find(own)?;
            end = start + own.len();
            found = Some(start..end);
        }
        let (begin, found) = (self.begins[stretch], found?);
        Some(begin + found.start..begin + found.end)
    }

    /// Whether a word belongs to what overlooked words named.
    pub(super) fn is_relinked(&self, question: &str, word: &str) -> bool {
        let relinked =
            |stretch: &Stretch| stretch.thing.as_ref().is_some_and(|(number, _)| *number >= self.relinked);
        let mut places = self.stretches.iter().zip(&self.begins).filter(|(stretch, _)| relinked(stretch));
        places.any(|(stretch, begin)| {
            question
                .get(*begin..begin + stretch.text.len())
                .is_some_and(|text| text.contains(word) || word.contains(text))
        })
    }

    pub(super) fn guess(&mut self, guessed: bool) {
        self.guessed |= guessed;
    }

    pub(super) fn is_guessed(&self) -> bool {
        self.guessed
    }

    /// Whether something that was found is not used, words for rows apart.
    pub(super) fn has_unused(&self, terms: &[Term]) -> bool {
        let used = |number: usize| terms.contains(&Term::Thing(number));
        (0..self.things.len()).any(|number| !used(number) && self.things[number].tables.is_empty())
    }

    /// Whether a table is named of which the frame has nothing.
    pub(super) fn misses_table(&self, frame: &Frame) -> bool {
        let mut needed = vec![frame.table.clone()];
        columns(frame, &mut |column| needed.push(column.table.clone()));
        needed.extend(frame.filters.iter().map(|filter| filter.column.table.clone()));
        let named = self.things.iter().filter(|thing| !thing.tables.is_empty());
        let has = |table: &String| needed.contains(table);
        let found = |thing: &Thing| {
            thing.tables.iter().any(has) || thing.columns.iter().any(|column| has(&column.table))
        };
        named.into_iter().any(|thing| !found(thing))
    }

    /// Whether a stretch stands for a condition.
    pub(super) fn is_value(&self, stretch: usize) -> bool {
        let thing = self.stretches.get(stretch).and_then(|stretch| stretch.thing.as_ref());
        thing.is_some_and(|(number, _)| self.things[*number].kinds.contains(&"V"))
    }

    /// Some words of a plain stretch stand for a thing, and so does another stretch with them.
    pub(super) fn name(&mut self, stretch: usize, words: Range<usize>, with: Option<usize>, thing: Thing) {
        let (Some(first), Some(last)) = (self.word(stretch, words.start), self.word(stretch, words.end - 1))
        else {
            return;
        };
        let number = self.things.len();
        self.relinked = self.relinked.min(number);
        let mark = Some((number, kinds_of(&thing)));
        self.things.push(thing);
        if let Some(with) = with {
            self.stretches[with].thing.clone_from(&mark);
        }
        let whole = self.stretches.remove(stretch);
        let begin = self.begins.remove(stretch);
        let cuts = [0, first.start - begin, last.end - begin, whole.text.len()];
        for part in (0..3).rev() {
            let text = &whole.text[cuts[part]..cuts[part + 1]];
            if text.trim().is_empty() {
                continue;
            }
            let spaced = if cuts[part] == 0 {
                whole.spaced
            } else {
                part == 1 || text.starts_with(char::is_whitespace)
            };
            let thing = mark.clone().filter(|_| part == 1);
            self.begins.insert(stretch, begin + cuts[part] + text.len() - text.trim_start().len());
            self.stretches.insert(stretch, Stretch { text: text.trim().to_owned(), spaced, thing });
        }
    }

    fn plain(&mut self, question: &str, from: usize, to: usize) {
        let text = question.get(from..to).unwrap_or_default();
        if !text.trim().is_empty() {
            self.begins.push(from + text.len() - text.trim_start().len());
            self.stretches.push(Stretch {
                text: text.trim().to_owned(),
                spaced: spaced(question, from, text),
                thing: None,
            });
        }
    }

    fn thing(&mut self, question: &str, from: usize, to: usize, thing: Thing) {
        let text = question.get(from..to).unwrap_or_default();
        let kinds = kinds_of(&thing);
        // What was said before is the same thing.
        let same = self.things.iter().position(|known| *known == thing);
        let number = same.unwrap_or(self.things.len());
        if same.is_none() {
            self.things.push(thing);
        }
        self.begins.push(from + text.len() - text.trim_start().len());
        self.stretches.push(Stretch {
            text: text.trim().to_owned(),
            spaced: spaced(question, from, text),
            thing: Some((number, kinds)),
        });
    }
}

/// The word before an identifier that only says of what it is one.
fn says_whose(reading: &Reading<'_>, place: usize, thing: &Thing) -> bool {
    let named = matches!(reading.items.get(place + 1).map(|next| &next.kind), Some(ItemKind::Name(_)));
    let of_it = |column: &Column| {
        reading.draft.found.iter().any(|placed| placed.at == place + 1 && placed.it.column == *column)
    };
    named && thing.column.as_ref().is_some_and(of_it)
}

fn kinds_of(thing: &Thing) -> Vec<usize> {
    thing.kinds.iter().filter_map(|kind| KINDS.iter().position(|known| known == kind)).collect()
}

/// Where each item begins.
fn starts(question: &str, items: &[Item]) -> Vec<Option<usize>> {
    let mut at = 0;
    let start = |item: &Item| {
        let start = at + question.get(at..)?.find(&item.text)?;
        at = start + own_length(item);
        Some(start)
    };
    items.iter().map(start).collect()
}

fn spaced(question: &str, from: usize, text: &str) -> bool {
    from == 0
        || text.starts_with(char::is_whitespace)
        || question.get(..from).is_some_and(|before| before.ends_with(char::is_whitespace))
}

/// How much of an item's text is the thing itself.
fn own_length(item: &Item) -> usize {
    match item.kind {
        // 20건: the number is the thing.
        ItemKind::Number(..) => {
            let text = &item.text[..item.own_length.min(item.text.len())];
            let digits = text
                .find(|letter: char| !(letter.is_ascii_digit() || matches!(letter, '.' | ',')))
                .unwrap_or(text.len());
            if digits > 0 {
                return digits;
            }
            text.find(char::is_whitespace).unwrap_or(text.len())
        }
        _ => item.own_length.min(item.text.len()),
    }
}

fn thing(reading: &Reading<'_>, place: usize, item: &Item) -> Thing {
    let mut thing = Thing::default();
    match &item.kind {
        ItemKind::Time(timed) => time(&mut thing, timed),
        ItemKind::Number(value, unit) => {
            thing.number = Some(*value);
            thing.is_money = is_currency(*unit);
            thing.kinds.push("N");
            filters(&mut thing, reading, place);
        }
        ItemKind::Percentile(part) => {
            thing.percentile = Some(*part);
            thing.kinds.push("P");
        }
        ItemKind::Text(text) => {
            filters(&mut thing, reading, place);
            if thing.filters.is_empty()
                && let Some(column) = reading.text_column()
            {
                thing.filters.push(Filter::new(column, Test::Contains(vec![text.clone()])));
            }
            thing.text = Some(text.clone());
            thing.kinds = vec!["X"];
        }
        ItemKind::Name(_) => {
            filters(&mut thing, reading, place);
            if !thing.filters.is_empty() {
                thing.kinds = vec!["I"];
            }
        }
        ItemKind::Word | ItemKind::Unknown => {
            filters(&mut thing, reading, place);
            mentions(&mut thing, reading, item);
        }
        ItemKind::Mark(_) => {}
    }
    thing
}

pub(super) fn time(thing: &mut Thing, timed: &Timed) {
    match timed {
        Timed::Period(period) => {
            thing.period = Some(period.clone());
            thing.kinds.push("T");
        }
        Timed::Length(length) => {
            thing.length = Some(*length);
            thing.kinds.push("D");
        }
        Timed::Within(length) => {
            thing.length = Some(*length);
            thing.period = Some(Period::Last(*length));
            thing.kinds.extend(["T", "D"]);
        }
        Timed::Bucket(length) if length.amount > 1 => {
            thing.length = Some(*length);
            thing.kinds.push("D");
        }
        _ => {}
    }
}

/// The conditions that the first reader found here, as they are without a negation.
fn filters(thing: &mut Thing, reading: &Reading<'_>, place: usize) {
    for placed in reading.draft.found.iter().filter(|placed| placed.at == place) {
        let test = match &placed.it.test {
            Test::NoneOf(values) => Test::OneOf(values.clone()),
            Test::Lacks(text) => Test::Contains(vec![text.clone()]),
            Test::Present | Test::Absent | Test::Number(..) => continue,
            other => other.clone(),
        };
        let filter = Filter::new(placed.it.column.clone(), test);
        if !thing.filters.contains(&filter) {
            thing.filters.push(filter);
        }
    }
    if !thing.filters.is_empty() {
        thing.kinds.push("V");
    }
}

fn mentions(thing: &mut Thing, reading: &Reading<'_>, item: &Item) {
    for mention in &item.mentions {
        match mention {
            Mention::Value(column, value) if thing.filters.is_empty() && item.senses.is_empty() => {
                thing.filters.push(Filter::new(column.clone(), Test::OneOf(vec![value.clone()])));
                thing.kinds.push("V");
            }
            Mention::Condition(filters) if thing.filters.is_empty() => {
                thing.filters.clone_from(filters);
                thing.kinds.push("V");
            }
            Mention::Column(column) if thing.column.is_none() => {
                thing.column = Some(column.clone());
            }
            Mention::Attribute(column, more) => thing.attribute = Some((column.clone(), *more)),
            Mention::Rate(filters) => thing.rate = Some(filters.clone()),
            Mention::Named(name, expression) => thing.named = Some((name.clone(), expression.clone())),
            Mention::Table(_) => thing.rows = true,
            _ => {}
        }
    }
    let ops = [duru_language::Op::Slow, duru_language::Op::Fast];
    if thing.attribute.is_none()
        && let (Some(op), Some(duration)) = (item.any_op(&ops), reading.duration())
    {
        thing.attribute = Some((duration, op == duru_language::Op::Slow));
    }
    if let Some(column) = &thing.column {
        thing.kinds.extend(reading.described(column).map(|known| kind(reading, column, known)));
    }
    thing.kinds.extend(thing.attribute.as_ref().map(|_| "A"));
    thing.kinds.extend((thing.rate.is_some() || thing.named.is_some()).then_some("M"));
    thing.kinds.extend(thing.rows.then_some("R"));
}
