//! The conditions of a frame: which rows it is about.

use duru_meaning::Term;

use super::frames::Writer;
use super::thing::Thing;
use crate::analyst::frame::{Column, Compare, Dimension, Filter, Frame, Having, Measure, Test, Than};
use crate::analyst::reader::assemble::contradictory;
use crate::analyst::reader::divide::in_unit;
use crate::analyst::reader::money::may_be_money;
use crate::analyst::reader::reading::Reading;

/// Whether a frame can only find what is known before: nothing, everything, or one of each. Nobody asks that.
pub(super) fn is_vain(frame: &Frame, reading: &Reading<'_>) -> bool {
    let is_whole = |text: &String| reading.linked.known_texts.iter().any(|known| known.text == *text);
    let apart = |one: &Filter, other: &Filter| {
        one.column == other.column
            && match (&one.test, &other.test) {
                (Test::OneOf(values), Test::OneOf(others)) => {
                    !values.iter().any(|value| others.contains(value))
                }
                (Test::OneOf(values), Test::NoneOf(others)) | (Test::NoneOf(others), Test::OneOf(values)) => {
                    values.iter().all(|value| others.contains(value))
                }
                // Whole texts of rows: no row has two of them, unless one is a part of the other.
                (Test::Contains(texts), Test::Contains(others)) => {
                    let shared = |text: &String| {
                        others
                            .iter()
                            .any(|other| text.contains(other.as_str()) || other.contains(text.as_str()))
                    };
                    texts.iter().chain(others).all(is_whole) && !texts.iter().any(shared)
                }
                _ => false,
            }
    };
    let filters = &frame.filters;
    let contradicts =
        filters.iter().enumerate().any(|(at, one)| filters[at + 1..].iter().any(|other| apart(one, other)));
    let grouped = |column: &Column| frame.dimensions.contains(&Dimension::Column(column.clone()));
    let one_each = |measure: &Measure| match measure {
        Measure::Distinct(column, _) | Measure::RateOf(column, _) => grouped(column),
        Measure::Rate(of) => {
            of.iter().all(|one| filters.contains(one))
                || of.iter().any(|one| filters.iter().any(|other| apart(one, other)))
        }
        _ => false,
    };
    let twice = |at: usize| frame.dimensions[at + 1..].contains(&frame.dimensions[at]);
    // Every group has a row.
    let empty = |having: &Having| {
        having.measure == Measure::Count
            && match (having.compare, having.than) {
                (Compare::Equal | Compare::AtMost, Than::Number(number)) => number < 1.0,
                (Compare::Less, Than::Number(number)) => number <= 1.0,
                _ => false,
            }
    };
    let empty = frame.compare.is_none() && frame.having.iter().any(empty);
    empty
        || contradicts
        || contradictory(filters)
        || frame.measures.iter().any(one_each)
        || (0..frame.dimensions.len()).any(twice)
}

impl Writer<'_> {
    /// Conditions up to one of these words.
    pub(super) fn conditions(&mut self, until: &[&str]) -> Option<Vec<Filter>> {
        let mut all = Vec::new();
        while self.at < self.terms.len() && !until.iter().any(|word| self.is(word)) && !self.is(",") {
            let mut either = vec![self.condition()?];
            while self.take("/") {
                either.push(self.condition()?);
            }
            if either.len() == 1 {
                all.extend(either.pop()?);
            } else {
                all.push(joined(either)?);
            }
        }
        (!all.is_empty()).then_some(all)
    }

    fn condition(&mut self) -> Option<Vec<Filter>> {
        let not = self.take("-");
        let thing = self.thing()?;
        if self.take("?") {
            let present = match self.word()? {
                "yes" => !not,
                "no" => not,
                _ => return None,
            };
            let of_rows = || Some(Column::new(thing.tables.first()?, ""));
            if let (None, Some(rows)) = (&thing.column, of_rows()) {
                return Some(vec![Filter::new(rows, Test::HasRows(present))]);
            }
            let column = thing.column.clone()?;
            return Some(vec![Filter::new(column, if present { Test::Present } else { Test::Absent })]);
        }
        let compare = match self.peek() {
            Some(Term::Word(">")) => Some(Compare::More),
            Some(Term::Word(">=")) => Some(Compare::AtLeast),
            Some(Term::Word("<")) => Some(Compare::Less),
            Some(Term::Word("<=")) => Some(Compare::AtMost),
            Some(Term::Word("=")) => Some(Compare::Equal),
            _ => None,
        };
        if let Some(compare) = compare {
            self.at += 1;
            if self.take("avg") {
                let column = thing.number_column()?;
                return (!not).then(|| vec![Filter::new(column, Test::Average(compare))]);
            }
            return self.compare(thing, compare, not);
        }
        if self.take("@") {
            let period = self.thing()?.period.clone()?;
            let column = thing.column.clone()?;
            return (!not).then(|| vec![Filter::new(column, Test::During(period))]);
        }
        if let Some(Term::Word(sign @ ("~" | "^" | "$"))) = self.peek() {
            self.at += 1;
            let text = self.thing()?.text.clone()?;
            let column = thing.column.clone()?;
            let test = match (*sign, not) {
                ("^", false) => Test::StartsWith(text),
                ("$", false) => Test::EndsWith(text),
                ("~", false) => Test::Contains(vec![text]),
                ("~", true) => Test::Lacks(text),
                _ => return None,
            };
            return Some(vec![Filter::new(column, test)]);
        }
        if let (true, Some(column)) = (thing.filters.is_empty(), &thing.column) {
            let flag = self.reading.described(column).is_some_and(|known| {
                matches!(known.kind, duru_sql::Kind::Boolean)
                    || known.values.iter().any(|value| value.value == "true")
            });
            let value = if not { "false" } else { "true" };
            return flag.then(|| vec![Filter::new(column.clone(), Test::OneOf(vec![value.into()]))]);
        }
        if thing.filters.is_empty() {
            return None;
        }
        if !not {
            return Some(thing.filters.clone());
        }
        let [only] = thing.filters.as_slice() else { return None };
        let test = match &only.test {
            Test::OneOf(values) => Test::NoneOf(values.clone()),
            Test::Contains(words) if words.len() == 1 => Test::Lacks(words[0].clone()),
            _ => return None,
        };
        Some(vec![Filter::new(only.column.clone(), test)])
    }

    fn compare(&mut self, thing: &Thing, compare: Compare, not: bool) -> Option<Vec<Filter>> {
        if let Some(filter) = thing.filters.first().filter(|_| thing.column.is_none()) {
            // A level and worse.
            let Test::OneOf(values) = &filter.test else { return None };
            let ordered = self
                .reading
                .described(&filter.column)
                .is_some_and(|known| matches!(known.kind, duru_sql::Kind::Ordered(_)));
            self.next()?;
            return (ordered && !not && values.len() == 1)
                .then(|| vec![Filter::new(filter.column.clone(), Test::Rank(compare, values[0].clone()))]);
        }
        let column = thing.number_column()?;
        let known = self.reading.described(&column).filter(|known| known.is_number())?;
        let value = match self.next()? {
            Term::Word(word) => word.parse().ok()?,
            Term::Thing(other) => {
                let other = self.things.get(*other)?;
                match (other.length, other.number) {
                    (Some(length), _) => in_unit(length.seconds(), known.unit.as_deref()),
                    (None, Some(number)) if !other.is_money || may_be_money(known) => number,
                    _ => return None,
                }
            }
        };
        (!not).then(|| vec![Filter::new(column, Test::Number(compare, value))])
    }
}

/// One of several conditions holds.
fn joined(either: Vec<Vec<Filter>>) -> Option<Filter> {
    let first = either.first()?.first()?.column.clone();
    let values = |all: &[Filter]| match all {
        [Filter { column, test: Test::OneOf(values) }] if *column == first => Some(values.clone()),
        _ => None,
    };
    let listed: Option<Vec<Vec<String>>> = either.iter().map(|all| values(all)).collect();
    if let Some(listed) = listed {
        return Some(Filter::new(first, Test::OneOf(listed.concat())));
    }
    let single: Option<Vec<Filter>> =
        either.into_iter().map(|all| <[Filter; 1]>::try_from(all).ok().map(|[one]| one)).collect();
    Some(Filter::new(first, Test::Either(single?)))
}

/// Several values that a column is not to have are one condition; the same condition twice is one.
pub(super) fn merge(filters: &mut Vec<Filter>) {
    let mut merged: Vec<Filter> = Vec::new();
    for filter in filters.drain(..) {
        if let Test::NoneOf(more) = &filter.test
            && let Some(Filter { test: Test::NoneOf(values), .. }) = merged
                .iter_mut()
                .find(|known| known.column == filter.column && matches!(known.test, Test::NoneOf(_)))
        {
            values.extend(more.iter().cloned());
        } else if !merged.contains(&filter) {
            merged.push(filter);
        }
    }
    *filters = merged;
}
