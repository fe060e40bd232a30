//! What the words of a question stand for in tables that nobody described: everything that their names and values allow. Which of it
//! is meant is chosen later.

use duru_language::time::Period;
use duru_language::{Unit, english};
use jiff::civil::Date;

use super::slots::time;
use super::thing::{Thing, kind};
use crate::analyst::frame::{Column, Filter, Test};
use crate::analyst::reader::items::{Item, ItemKind};
use crate::analyst::reader::link::Mention;
use crate::analyst::reader::money::is_currency;
use crate::analyst::reader::reading::Reading;

/// All that an item may stand for in several tables.
pub(super) fn thing(reading: &Reading<'_>, item: &Item) -> Thing {
    let mut thing = Thing::default();
    match &item.kind {
        ItemKind::Time(timed) => time(&mut thing, timed),
        ItemKind::Number(value, unit) => {
            thing.number = Some(*value);
            thing.is_money = is_currency(*unit);
            thing.kinds.push("N");
            thing.period = year(*value, reading).filter(|_| unit.is_none());
            thing.kinds.extend(thing.period.as_ref().map(|_| "T"));
        }
        ItemKind::Percentile(part) => {
            thing.percentile = Some(*part);
            thing.kinds.push("P");
        }
        ItemKind::Text(text) | ItemKind::Name(text) => written(&mut thing, reading, text),
        ItemKind::Word | ItemKind::Unknown if !item.mentions.is_empty() => {
            every_mention(&mut thing, reading, item);
        }
        ItemKind::Word | ItemKind::Unknown => {
            let own = item.text.get(..item.own_length).unwrap_or(&item.text).trim();
            // A letter by itself is a value, or the beginning of one.
            let letter = own.len() == 1 && own.chars().all(|letter| letter.is_ascii_uppercase());
            if letter && !matches!(own, "I" | "A") {
                written(&mut thing, reading, own);
            } else if item.senses.is_empty() {
                parts_of_names(&mut thing, reading, own);
            }
        }
        ItemKind::Mark(_) => {}
    }
    thing
}

/// A bare number may be a year.
fn year(value: f64, reading: &Reading<'_>) -> Option<Period> {
    if !(1950.0..2050.0).contains(&value) || value.fract() != 0.0 {
        return None;
    }
    let zone = reading.now.time_zone();
    let begin = |year: f64| Date::new(year as i16, 1, 1).ok()?.to_zoned(zone.clone()).ok();
    let (from, until) = (begin(value)?.timestamp(), begin(value + 1.0)?.timestamp());
    Some(Period::Range { from: Some(from), until: Some(until), unit: Some(Unit::Year) })
}

/// A text that stands just so in the question: a value of some columns, or a part of one.
fn written(thing: &mut Thing, reading: &Reading<'_>, text: &str) {
    for table in &reading.domain.tables {
        for column in &table.columns {
            let same = column.values.iter().find(|known| known.value.eq_ignore_ascii_case(text));
            let column = Column::new(&table.name, &column.name);
            thing
                .values
                .extend(same.map(|known| Filter::new(column, Test::OneOf(vec![known.value.clone()]))));
        }
    }
    thing.kinds.push(if thing.values.is_empty() { "X" } else { "V" });
    thing.text = Some(text.to_owned());
}

/// Columns and tables of whose names a word is a part: the weight, where the column is `weight_kg`.
fn parts_of_names(thing: &mut Thing, reading: &Reading<'_>, word: &str) {
    let lower = word.to_lowercase();
    let lemmas = english::lemmas(&lower);
    let fits = |own: &str| own == lower || english::lemmas(own).iter().any(|lemma| lemmas.contains(lemma));
    let telling = lower.chars().count() > 1
        && !["id", "name", "type", "number", "date", "code", "value"].iter().any(|general| fits(general));
    let has = |nouns: &[String]| nouns.iter().any(|noun| noun.split([' ', '_']).any(fits));
    if !telling {
        return;
    }
    for table in &reading.domain.tables {
        let columns = table.columns.iter().filter(|column| has(&column.nouns));
        thing.columns.extend(columns.map(|column| Column::new(&table.name, &column.name)));
        thing.tables.extend(has(&table.nouns).then(|| table.name.clone()));
    }
    kinds_of_mentions(thing, reading);
}

fn every_mention(thing: &mut Thing, reading: &Reading<'_>, item: &Item) {
    for mention in &item.mentions {
        match mention {
            Mention::Value(column, value) => {
                thing.values.push(Filter::new(column.clone(), Test::OneOf(vec![value.clone()])));
            }
            Mention::Part(column, _, values) if item.mentions.len() == 1 => {
                thing.values.push(Filter::new(column.clone(), Test::OneOf(values.clone())));
            }
            // Of several conditions that hold together none is left out.
            Mention::Condition(filters) if filters.len() == 1 => thing.values.extend(filters.iter().cloned()),
            Mention::Column(column) => thing.columns.push(column.clone()),
            Mention::Attribute(column, more) => thing.attributes.push((column.clone(), *more)),
            Mention::Rate(filters) => thing.rate = Some(filters.clone()),
            Mention::Named(name, expression) => thing.named = Some((name.clone(), expression.clone())),
            Mention::Table(table) => thing.tables.push(table.clone()),
            Mention::Part(..) | Mention::Condition(_) => {}
        }
    }
    kinds_of_mentions(thing, reading);
}

fn kinds_of_mentions(thing: &mut Thing, reading: &Reading<'_>) {
    let kinds = &mut thing.kinds;
    kinds.extend((!thing.values.is_empty()).then_some("V"));
    kinds.extend((!thing.tables.is_empty()).then_some("R"));
    if let Some(column) = thing.columns.first() {
        kinds.extend(reading.described(column).map(|known| kind(reading, column, known)));
    } else if !thing.tables.is_empty() {
        kinds.push("Ci");
    }
    kinds.extend((!thing.attributes.is_empty()).then_some("A"));
    kinds.extend((thing.rate.is_some() || thing.named.is_some()).then_some("M"));
}
