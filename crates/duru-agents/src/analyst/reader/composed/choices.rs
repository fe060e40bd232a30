//! Where there are several tables, a word may stand for a column of each of them. Which one is meant, and whose rows are
//! asked for, is what needs the fewest joins between everything that the question names.

use duru_meaning::Term;

use super::slots::Slots;
use super::thing::Thing;
use crate::analyst::frame::{Column, Filter, hops};
use crate::analyst::reader::reading::Reading;

/// What a thing is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// As a condition.
    Value,
    /// As a number that is worked out, compared or put in order.
    Number,
    /// As what is shown of rows.
    Shown,
    /// As what rows are grouped or told apart by.
    Group,
    /// As something that is there or not.
    Presence,
}

/// How much a join costs: from the rows to a number of theirs, to what is shown, to anything else, and to a table that is
/// only mentioned.
const TO_NUMBER: f64 = 2.0;
const TO_SHOWN: f64 = 1.5;
const TO_OTHER: f64 = 1.0;
const TO_HEAD: f64 = 1.6;
const TO_MENTIONED: f64 = 0.3;

/// No keys lead there.
const NO_WAY: f64 = 9.0;

/// A later choice costs a little more than an earlier one.
const LATER: f64 = 0.05;

/// What the words of a frame are about: a table, and one choice for every thing.
pub(super) struct Settled {
    pub(super) table: String,
    pub(super) things: Vec<Thing>,
}

/// Chooses for everything that is used what it stands for.
pub(super) fn settle(terms: &[Term], slots: &Slots, reading: &Reading<'_>) -> Option<Settled> {
    let uses = uses(terms);
    let head = head(slots, &uses, reading);
    let cost = |table: &str| cost(table, &uses, slots, head.as_deref(), reading);
    let table = reading
        .domain
        .tables
        .iter()
        .map(|table| (cost(&table.name), &table.name))
        .min_by(|one, other| one.0.total_cmp(&other.0))
        .filter(|(cost, _)| *cost < NO_WAY)?
        .1
        .clone();
    let mut things = slots.things.clone();
    for (number, role) in &uses {
        let chosen = best(&slots.things[*number], *role, &table, reading)?;
        chosen.put(&mut things[*number]);
    }
    Some(Settled { table, things })
}

/// One of the things that words may stand for.
enum Choice {
    Filter(Filter),
    Column(Column),
    Attribute(Column, bool),
    Rows(String),
    /// It is the same whatever the table.
    Anyhow,
}

impl Choice {
    fn table(&self) -> Option<&str> {
        match self {
            Self::Filter(filter) => Some(&filter.column.table),
            Self::Column(column) | Self::Attribute(column, _) => Some(&column.table),
            Self::Rows(table) => Some(table),
            Self::Anyhow => None,
        }
    }

    fn put(self, thing: &mut Thing) {
        match self {
            Self::Filter(filter) => thing.filters = vec![filter],
            Self::Column(column) => thing.column = Some(column),
            Self::Attribute(column, more) => thing.attribute = Some((column, more)),
            Self::Rows(table) => thing.tables = vec![table],
            Self::Anyhow => {}
        }
    }
}

fn choices(thing: &Thing, role: Role, reading: &Reading<'_>) -> Vec<Choice> {
    let known = |column: &&Column, is: fn(&duru_sql::domain::DomainColumn) -> bool| {
        reading.described(column).is_some_and(is)
    };
    let columns = || thing.columns.iter().cloned().map(Choice::Column);
    let names = || thing.tables.iter().filter_map(|table| reading.name_or_key(table)).map(Choice::Column);
    let attributes =
        || thing.attributes.iter().map(|(column, more)| Choice::Attribute(column.clone(), *more));
    let fixed = thing.number.is_some() || thing.period.is_some() || thing.length.is_some();
    match role {
        _ if fixed || thing.percentile.is_some() => vec![Choice::Anyhow],
        Role::Value => {
            let flags = thing
                .columns
                .iter()
                .filter(|column| known(column, |known| matches!(known.kind, duru_sql::Kind::Boolean)));
            let values = thing.values.iter().cloned().map(Choice::Filter);
            let text = (thing.values.is_empty() && thing.text.is_some()).then_some(Choice::Anyhow);
            values.chain(flags.cloned().map(Choice::Column)).chain(text).collect()
        }
        Role::Number => {
            let numbers = thing.columns.iter().filter(|column| known(column, |known| known.is_number()));
            numbers.cloned().map(Choice::Column).chain(attributes()).collect()
        }
        Role::Shown => columns().chain(attributes()).chain(names()).collect(),
        Role::Group => names().chain(columns()).collect(),
        Role::Presence => {
            columns().chain(thing.tables.iter().cloned().map(Choice::Rows)).chain(attributes()).collect()
        }
    }
}

fn weighed(choice: &Choice, place: usize, table: &str, reading: &Reading<'_>) -> f64 {
    let away = match choice.table() {
        None => return 0.0,
        Some(other) => hops(reading.domain, table, other),
    };
    // A column that names rows is likelier meant than another with the same value.
    let is_name = match choice {
        Choice::Filter(filter) => reading.label(&filter.column.table).as_ref() == Some(&filter.column),
        _ => true,
    };
    let place = f64::from(u8::try_from(place.min(9)).unwrap_or(9));
    away.map_or(NO_WAY, |away| f64::from(u8::try_from(away).unwrap_or(u8::MAX)))
        + place * LATER
        + if is_name { 0.0 } else { 2.0 * LATER }
}

fn best(thing: &Thing, role: Role, table: &str, reading: &Reading<'_>) -> Option<Choice> {
    let all = choices(thing, role, reading).into_iter().enumerate();
    let weighed = all.map(|(place, choice)| (weighed(&choice, place, table, reading), choice));
    let (cost, choice) = weighed.min_by(|one, other| one.0.total_cmp(&other.0))?;
    (cost < NO_WAY).then_some(choice)
}

fn cost(
    table: &str,
    uses: &[(usize, Role)],
    slots: &Slots,
    head: Option<&str>,
    reading: &Reading<'_>,
) -> f64 {
    let far = |other: &str| {
        hops(reading.domain, table, other)
            .map_or(NO_WAY, |away| f64::from(u8::try_from(away).unwrap_or(u8::MAX)))
    };
    let mut cost = 0.0;
    for (number, role) in uses {
        let weight = match role {
            Role::Number => TO_NUMBER,
            Role::Shown => TO_SHOWN,
            _ => TO_OTHER,
        };
        let own = choices(&slots.things[*number], *role, reading);
        let least = own
            .iter()
            .enumerate()
            .map(|(place, choice)| weighed(choice, place, table, reading))
            .fold(NO_WAY, f64::min);
        cost += weight * least;
    }
    for thing in &slots.things {
        let nearest = thing.tables.iter().map(|other| far(other)).fold(NO_WAY, f64::min);
        if nearest < NO_WAY {
            cost += TO_MENTIONED * nearest;
        }
    }
    cost + head.map_or(0.0, |head| TO_HEAD * far(head).min(NO_WAY / 2.0))
}

/// The table whose rows are spoken of: the first that is named in English, the last in Korean, and not as a group.
fn head(slots: &Slots, uses: &[(usize, Role)], reading: &Reading<'_>) -> Option<String> {
    let rows = |number: &usize| {
        let thing = &slots.things[*number];
        !thing.tables.is_empty() && !uses.iter().any(|(used, _)| used == number)
    };
    let mut named = (0..slots.things.len()).filter(rows);
    let korean = reading.question.chars().any(duru_language::hangul::is_hangul);
    let number = if korean { named.next_back() } else { named.next() }?;
    slots.things[number].tables.first().cloned()
}

/// Which things a frame uses, and what for.
fn uses(terms: &[Term]) -> Vec<(usize, Role)> {
    let mut uses = Vec::new();
    let mut clause = "shown";
    let mut inside: Vec<&str> = Vec::new();
    for (place, term) in terms.iter().enumerate() {
        let word = |at: usize| match terms.get(at) {
            Some(Term::Word(word)) => Some(*word),
            _ => None,
        };
        match term {
            Term::Word(";") => {
                clause = word(place + 1).unwrap_or_default();
                inside.clear();
            }
            Term::Word("(") => inside.push(place.checked_sub(1).and_then(word).unwrap_or_default()),
            Term::Word(")") => {
                inside.pop();
            }
            // What follows restricts a figure.
            Term::Word("|") => inside.push("|"),
            Term::Word(_) => {}
            Term::Thing(thing) => {
                let next = word(place + 1);
                let before = place.checked_sub(1).and_then(word);
                let role = match (inside.last().copied(), next) {
                    (_, Some("?")) => Role::Presence,
                    (_, Some(">" | ">=" | "<" | "<=" | "=")) => Role::Number,
                    (_, Some("@" | "~" | "^" | "$")) => Role::Group,
                    (Some("sum" | "avg" | "max" | "min" | "median" | "pct"), _) => Role::Number,
                    (Some("rows"), _) => Role::Shown,
                    (Some("distinct" | "per"), _) => Role::Group,
                    (Some("rated"), _) if before == Some("(") => Role::Group,
                    (None, _) if clause == "by" => Role::Group,
                    (None, _) if clause == "order" => Role::Number,
                    _ => Role::Value,
                };
                let is_bound = matches!(before, Some(">" | ">=" | "<" | "<=" | "=" | "@" | "~" | "^" | "$"));
                let counts = matches!(clause, "time" | "vs" | "limit" | "each" | "moving");
                if !is_bound && !counts && !uses.contains(&(*thing, role)) {
                    uses.push((*thing, role));
                }
            }
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_thing_is_needed_for_is_told_by_where_it_stands() {
        use Term::{Thing, Word};
        // avg(0|1) rows(2) ; by 3 ; where 4 5>6 7?no ; time 8
        let terms = [
            Word("avg"),
            Word("("),
            Thing(0),
            Word("|"),
            Thing(1),
            Word(")"),
            Word("rows"),
            Word("("),
            Thing(2),
            Word(")"),
            Word(";"),
            Word("by"),
            Thing(3),
            Word(";"),
            Word("where"),
            Thing(4),
            Thing(5),
            Word(">"),
            Thing(6),
            Thing(7),
            Word("?"),
            Word("no"),
            Word(";"),
            Word("time"),
            Thing(8),
        ];
        let expected = [
            (0, Role::Number),
            (1, Role::Value),
            (2, Role::Shown),
            (3, Role::Group),
            (4, Role::Value),
            (5, Role::Number),
            (7, Role::Presence),
        ];
        assert_eq!(uses(&terms), expected);
    }
}
