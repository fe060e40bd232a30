//! Which tables a frame needs, and how they are joined.

use std::collections::{BTreeSet, VecDeque};

use duru_sql::domain::{Domain, DomainTable, Join};

use super::text::ident;
use crate::analyst::frame::{By, Column, Dimension, Filter, Frame, Measure, Test};

/// The tables of a frame, the one whose rows are asked for first.
pub(super) struct Tables<'a> {
    first: Option<&'a DomainTable>,
    joins: Vec<(&'a Join, &'a DomainTable)>,
}

impl<'a> Tables<'a> {
    pub(super) fn of(frame: &Frame, domain: &'a Domain) -> Self {
        let mut needed = BTreeSet::new();
        columns(frame, &mut |column| {
            needed.insert(column.table.clone());
        });
        needed.remove(&frame.table);
        let mut joins: Vec<(&Join, &DomainTable)> = Vec::new();
        for table in needed {
            for join in path(domain, &frame.table, &table).unwrap_or_default() {
                let known =
                    |name: &str| name == frame.table || joins.iter().any(|(_, table)| table.name == name);
                let other = if known(&join.from) { &join.to } else { &join.from };
                if !known(other)
                    && let Some(table) = domain.table(other)
                {
                    joins.push((join, table));
                }
            }
        }
        Self { first: domain.table(&frame.table), joins }
    }

    /// Whether columns must say whose they are.
    pub(super) fn several(&self) -> bool {
        !self.joins.is_empty()
    }

    pub(super) fn from(&self) -> String {
        let Some(first) = self.first else { return String::new() };
        let mut text = table_name(first);
        for (join, table) in &self.joins {
            text.push_str(&format!(" JOIN {} ON {}", table_name(table), keys_agree(join)));
        }
        text
    }
}

/// The condition that rows of two tables belong together.
pub(super) fn keys_agree(join: &Join) -> String {
    let pairs = join.from_columns.iter().zip(&join.to_columns);
    let equal = pairs.map(|(from, to)| {
        format!("{}.{} = {}.{}", ident(&join.from), ident(from), ident(&join.to), ident(to))
    });
    equal.collect::<Vec<_>>().join(" AND ")
}

pub(super) fn table_name(table: &DomainTable) -> String {
    if table.schema == "public" {
        ident(&table.name)
    } else {
        format!("{}.{}", ident(&table.schema), ident(&table.name))
    }
}

/// The shortest way from one table to another along keys.
pub(super) fn path<'a>(domain: &'a Domain, from: &str, to: &str) -> Option<Vec<&'a Join>> {
    let mut ways: VecDeque<(String, Vec<&Join>)> = VecDeque::from([(from.to_owned(), Vec::new())]);
    let mut seen = BTreeSet::from([from.to_owned()]);
    while let Some((at, way)) = ways.pop_front() {
        if at == to {
            return Some(way);
        }
        for join in &domain.joins {
            let next = match () {
                () if join.from == at => &join.to,
                () if join.to == at => &join.from,
                () => continue,
            };
            if seen.insert(next.clone()) {
                ways.push_back((next.clone(), way.iter().copied().chain([join]).collect()));
            }
        }
    }
    None
}

/// How many joins lead from one table to another.
pub(in crate::analyst) fn hops(domain: &Domain, from: &str, to: &str) -> Option<usize> {
    path(domain, from, to).map(|way| way.len())
}

/// Whether a row of the first table may have several of the second.
pub(in crate::analyst) fn multiplies(domain: &Domain, from: &str, to: &str) -> bool {
    let mut at = from.to_owned();
    path(domain, from, to).unwrap_or_default().into_iter().any(|join| {
        let many = join.to == at && join.from != at;
        at = if join.from == at { join.to.clone() } else { join.from.clone() };
        many
    })
}

/// Every column that a frame names.
pub(in crate::analyst) fn columns(frame: &Frame, see: &mut impl FnMut(&Column)) {
    fn filters(all: &[Filter], see: &mut impl FnMut(&Column)) {
        for filter in all {
            match &filter.test {
                Test::Either(some) => filters(some, see),
                Test::HasRows(_) => {}
                _ => see(&filter.column),
            }
        }
    }
    fn figure(measure: &Measure, see: &mut impl FnMut(&Column)) {
        match measure {
            Measure::Distinct(column, some)
            | Measure::RateOf(column, some)
            | Measure::Stat(_, column, some) => {
                see(column);
                filters(some, see);
            }
            Measure::CountOf(some) | Measure::Rate(some) => filters(some, see),
            Measure::PerValue(Dimension::Column(column)) => see(column),
            Measure::Ratio(one, other, _) | Measure::Difference(one, other) => {
                figure(one, see);
                figure(other, see);
            }
            _ => {}
        }
    }
    filters(&frame.filters, see);
    filters(&frame.none_of, see);
    filters(&frame.some_of, see);
    frame.show.iter().for_each(&mut *see);
    for dimension in &frame.dimensions {
        if let Dimension::Column(column) = dimension {
            see(column);
        }
    }
    for measure in frame.measures.iter().chain(frame.having.iter().map(|having| &having.measure)) {
        figure(measure, see);
    }
    if let Some(By::Column(column)) = frame.order.as_ref().map(|order| &order.by) {
        see(column);
    }
}
