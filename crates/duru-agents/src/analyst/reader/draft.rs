//! What was found in a question, piece by piece, before it is put together.

use duru_language::Unit;
use duru_language::time::{Length, Period};

use crate::analyst::frame::{Column, Compare, Dimension, Filter, Keep, Measure, Stat, Window};

/// Something and the item that said it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed<T> {
    pub(super) it: T,
    pub(super) at: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) table: Option<String>,
    pub(super) filters: Vec<Placed<Filter>>,
    /// Every condition as it was found, each for itself.
    pub(super) found: Vec<Placed<Filter>>,
    /// Words that name one thing together; the condition stands at the last.
    pub(super) phrases: Vec<Vec<usize>>,
    /// Words that may mean several values of a column.
    pub(super) unclear: Vec<(Column, Vec<String>)>,
    pub(super) periods: Vec<Placed<Period>>,
    /// The period that others are measured against: 어제보다.
    pub(super) against: Option<Placed<Period>>,
    pub(super) previous: Option<Option<Length>>,
    pub(super) within: Option<Length>,
    /// Lengths that are said for themselves.
    pub(super) lengths: Vec<Placed<Length>>,
    pub(super) vague: bool,
    pub(super) all_time: bool,
    pub(super) same_time: bool,
    /// Since something that only the asker knows: the deploy.
    pub(super) event: bool,
    pub(super) bounds: Vec<Bound>,
    pub(super) dimensions: Vec<Placed<Grouping>>,
    /// Every place where it is said by what the answer is divided, also by what was named before.
    pub(super) divided: Vec<Placed<Dimension>>,
    pub(super) measures: Vec<Placed<Measure>>,
    /// Statistics whose column is not said.
    pub(super) stats: Vec<Placed<Stat>>,
    /// Columns that are named and whose part is not known yet.
    pub(super) columns: Vec<Placed<Column>>,
    pub(super) counted: bool,
    /// The words by which rows are counted.
    pub(super) counts: Vec<usize>,
    /// Values, each where it was said.
    pub(super) value_places: Vec<(Column, String, usize)>,
    /// The clause that says what groups lack.
    pub(super) none_of_clause: Option<usize>,
    pub(super) distinct: bool,
    pub(super) averaged: bool,
    pub(super) rank: Option<Rank>,
    pub(super) limit: Option<u32>,
    pub(super) both_ends: bool,
    pub(super) ascending: Option<bool>,
    pub(super) newest: Option<bool>,
    pub(super) window: Option<Window>,
    pub(super) trend: bool,
    pub(super) compared: bool,
    pub(super) each: bool,
    pub(super) keep: Keep,
    /// The change itself is asked for.
    pub(super) growth: bool,
    pub(super) listed: bool,
    pub(super) exists: bool,
    pub(super) when: bool,
    /// 몇 시에: of every day.
    pub(super) hour: bool,
    pub(super) both: bool,
    pub(super) share: bool,
    pub(super) rate: Option<usize>,
    pub(super) none_of: Vec<Filter>,
    pub(super) quiet: bool,
    pub(super) every: bool,
    /// What the answer before was about: 그 서비스.
    pub(super) references: Vec<Column>,
    pub(super) refers: bool,
    pub(super) usual: bool,
    /// Something else than what was said or shown is wanted.
    pub(super) objects: bool,
    /// Rows are spoken of: 로그, requests.
    pub(super) row_noun: bool,
    /// One row: the last error.
    pub(super) one_row: Option<bool>,
    pub(super) span: bool,
    pub(super) unread: Vec<String>,
    /// Those of the unread words that the second reader found in the tables.
    pub(super) found_by_second: Vec<String>,
    /// What was said besides the question, and is not used.
    pub(super) unused: Vec<String>,
}

/// A column or stretch of time that divides the answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grouping {
    pub(super) dimension: Dimension,
    pub(super) how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// 서비스별.
    Per,
    /// 어느 서비스.
    Asked,
}

/// A number that something is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bound {
    pub(super) compare: Compare,
    pub(super) value: f64,
    pub(super) unit: Option<Unit>,
    pub(super) at: usize,
    /// The last item of it.
    pub(super) end: usize,
}

/// The first of an order: 가장 많은, slowest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rank {
    pub(super) descending: bool,
    pub(super) by: RankBy,
    pub(super) at: usize,
    /// Whether it was said that the first is wanted, and not only an order.
    pub(super) first: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RankBy {
    /// How many.
    Count,
    /// Bad or good, by whatever figure.
    Quality,
    /// A figure that is named elsewhere.
    Figure,
    /// How long something took.
    Duration,
    Growth,
}

impl Draft {
    pub(super) fn filter(&mut self, at: usize, filter: Filter) {
        self.filter_or(at, filter, false);
    }

    /// `either`: one of it and what was said right before it will do.
    pub(super) fn filter_or(&mut self, at: usize, filter: Filter, either: bool) {
        use crate::analyst::frame::Test;
        self.found.push(Placed { it: filter.clone(), at });
        for placed in &mut self.filters {
            if placed.it.column != filter.column {
                continue;
            }
            match (&mut placed.it.test, &filter.test) {
                (Test::OneOf(known), Test::OneOf(values)) | (Test::NoneOf(known), Test::NoneOf(values)) => {
                    known.extend(
                        values.iter().filter(|value| !known.contains(value)).cloned().collect::<Vec<_>>(),
                    );
                    return;
                }
                (Test::Contains(known), Test::Contains(texts)) if either => {
                    known.extend(texts.iter().cloned());
                    return;
                }
                (known, test) if known == test => return,
                _ => {}
            }
        }
        self.filters.push(Placed { it: filter, at });
    }

    pub(super) fn group(&mut self, at: usize, dimension: Dimension, how: How) {
        if how == How::Per {
            self.divided.push(Placed { it: dimension.clone(), at });
        }
        if !self.dimensions.iter().any(|known| known.it.dimension == dimension) {
            self.dimensions.push(Placed { it: Grouping { dimension, how }, at });
        }
    }

    pub(super) fn measure(&mut self, at: usize, measure: Measure) {
        if !self.measures.iter().any(|known| known.it == measure) {
            self.measures.push(Placed { it: measure, at });
        }
    }
}
