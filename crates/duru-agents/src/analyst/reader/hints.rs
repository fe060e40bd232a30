//! What the words of a question stand for in the tables, as text: a model that writes a query need not guess how a value is
//! spelt, which column a word names, or when last week was.

use duru_language::time::{Period, Timed};

use super::Subject;
use super::items::{Item, ItemKind};
use super::link::Mention;
use super::reading::Reading;
use crate::analyst::frame::{Column, Filter, Test, condition, span};

/// A word that may stand for more than this stands for nothing in particular.
const MEANINGS: usize = 3;

/// So many are told.
const MOST: usize = 24;

/// One line for each word of the question that stands for something.
pub fn hints(question: &str, subject: &Subject<'_>) -> Vec<String> {
    let mut reading = Reading::new(question, subject.domain, subject.linked, subject.now);
    reading.read();
    let mut all = Vec::new();
    for item in &reading.items {
        let word = item.text.get(..item.own_length).filter(|own| !own.is_empty()).unwrap_or(&item.text);
        for meaning in meanings(item, &reading) {
            let line = format!("{word:?}: {meaning}");
            if all.len() < MOST && !all.contains(&line) {
                all.push(line);
            }
        }
    }
    all
}

fn meanings(item: &Item, reading: &Reading<'_>) -> Vec<String> {
    if let ItemKind::Time(timed) = &item.kind {
        return period(timed)
            .map(|period| format!("the time {}", span(&period, reading.now)))
            .into_iter()
            .collect();
    }
    let all: Vec<String> = item.mentions.iter().filter_map(|mention| meaning(mention, reading)).collect();
    if all.len() > MEANINGS { Vec::new() } else { all }
}

fn period(timed: &Timed) -> Option<Period> {
    match timed {
        Timed::Period(period) => Some(period.clone()),
        Timed::Within(length) => Some(Period::Last(*length)),
        _ => None,
    }
}

fn meaning(mention: &Mention, reading: &Reading<'_>) -> Option<String> {
    let printed = |filter: &Filter| {
        let text = condition(filter, reading.domain, reading.now.time_zone());
        if reading.domain.tables.len() > 1 { format!("{} with {text}", filter.column.table) } else { text }
    };
    let all = |filters: &[Filter]| filters.iter().map(printed).collect::<Vec<_>>().join(" AND ");
    let is = |column: &Column, values: &[String]| Filter::new(column.clone(), Test::OneOf(values.to_vec()));
    match mention {
        Mention::Value(column, value) => Some(printed(&is(column, std::slice::from_ref(value)))),
        Mention::Part(column, _, values) if values.len() <= MEANINGS => Some(printed(&is(column, values))),
        Mention::Part(..) => None,
        Mention::Condition(filters) => Some(all(filters)),
        Mention::Column(column) | Mention::Attribute(column, _) => {
            Some(format!("the column {}.{}", column.table, column.name))
        }
        Mention::Table(table) => (reading.domain.tables.len() > 1).then(|| format!("the rows of {table}")),
        Mention::Rate(filters) => Some(format!("of a hundred rows, how many have {}", all(filters))),
        Mention::Named(name, expression) => Some(format!("the figure {name} = {expression}")),
    }
}
