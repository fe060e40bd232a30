//! Tables of things rather than of events: what a row is called, which row is the greatest, what is shown of it.

use std::collections::BTreeSet;

use duru_language::{Ask, Link, Op, Particle, Sense};
use duru_sql::Kind;

use super::alike::Rows;
use super::assemble::Unfit;
use super::draft::{Placed, RankBy};
use super::link::Mention;
use super::reading::Reading;
use crate::analyst::frame::{self, Column, Dimension, Frame, Measure, Stat, Test};

impl Reading<'_> {
    /// Whether rows are things that are asked for by name, and not lines of a log.
    pub(super) fn is_of_things(&self) -> bool {
        self.domain.tables.len() > 1 || self.table_of().is_some_and(|table| table.time.is_none())
    }

    /// Whether tables are asked that nobody described: not a log whose description says what tells its rows apart.
    pub(super) fn is_foreign(&self) -> bool {
        self.is_of_things() || self.table_of().is_some_and(|table| table.identify.is_none())
    }

    /// The column that rows of a table are called by.
    pub(super) fn label(&self, name: &str) -> Option<Column> {
        let table = self.domain.table(name)?;
        let texts =
            || table.columns.iter().filter(|column| column.kind == Kind::Text && column.key.is_none());
        let own = |column: &&duru_sql::domain::DomainColumn| {
            column.name == "name" || column.nouns.iter().any(|noun| noun == "name")
        };
        let named = texts().find(own).or_else(|| {
            texts().find(|column| column.name.ends_with("name") || column.name.ends_with("title"))
        });
        let key = || texts().find(|column| table.primary_key.contains(&column.name));
        named.or_else(key).map(|column| Column::new(name, &column.name))
    }

    /// The column that rows of a table are called by, or the key that tells them apart.
    pub(super) fn name_or_key(&self, name: &str) -> Option<Column> {
        let key = || match self.domain.table(name)?.primary_key.as_slice() {
            [key] => Some(Column::new(name, key)),
            _ => None,
        };
        self.label(name).or_else(key)
    }

    /// What rows of these tables are.
    pub(super) fn rows(&self) -> Rows {
        if !self.is_foreign() {
            return Rows::Events;
        }
        Rows::Things(self.domain.tables.iter().filter_map(|table| self.label(&table.name)).collect())
    }

    /// How many customers there are is how many rows they have, and not how many names: two may be called alike.
    pub(super) fn count_things(&self, frame: &mut Frame) {
        let having = frame.having.iter_mut().map(|having| &mut having.measure);
        for measure in frame.measures.iter_mut().chain(having) {
            let Measure::Distinct(column, filters) = measure else { continue };
            if self.name_or_key(&column.table).as_ref() != Some(column) {
                continue;
            }
            let key = self.domain.table(&column.table).map(|table| table.primary_key.as_slice());
            if column.table == frame.table && filters.is_empty() {
                *measure = Measure::Count;
            } else if column.table == frame.table {
                *measure = Measure::CountOf(std::mem::take(filters));
            } else if let Some([key]) = key {
                column.name.clone_from(key);
            }
        }
    }

    /// Rows of which nothing else is asked are shown by what they are called.
    pub(super) fn name_rows(&self, frame: &mut Frame) {
        if frame.is_rows() && frame.show.is_empty() {
            frame.show.extend(self.label(&frame.table));
        }
    }

    /// What groups are made by where a table is named: each journal, per state.
    pub(super) fn group_column_at(&self, at: usize) -> Option<Column> {
        let column = self.column_at(at);
        if column.is_some() || !self.is_of_things() {
            return column;
        }
        let table = self.items.get(at)?.mentions.iter().find_map(|mention| match mention {
            Mention::Table(table) => Some(table),
            _ => None,
        })?;
        self.label(table)
    }

    /// How far a table is from the one that is asked about; nothing, if no keys lead there.
    pub(super) fn hops(&self, table: &str) -> Option<usize> {
        match &self.draft.table {
            Some(own) if own != table => frame::hops(self.domain, own, table),
            _ => Some(0),
        }
    }

    /// Whether rows of another table are called by a word that is a mere value of this column.
    pub(super) fn is_rather_called(&self, at: usize, column: &Column) -> bool {
        let key = |column: &Column| {
            self.domain.joins.iter().any(|join| {
                join.from == column.table && join.from_columns.contains(&column.name)
                    || join.to == column.table && join.to_columns.contains(&column.name)
            })
        };
        let named = self.label(&column.table).as_ref() == Some(column)
            || key(column)
            || self.neighbours(at).contains(column);
        self.is_of_things()
            && !named
            && self.items[at].mentions.iter().any(|mention| match mention {
                Mention::Value(other, _) => {
                    other.table != column.table
                        && self.label(&other.table).as_ref() == Some(other)
                        && self.hops(&other.table).is_some()
                }
                _ => false,
            })
    }

    /// How long, how high: the number that the adjective speaks of.
    pub(super) fn how_much_of_thing(&mut self, at: usize) -> bool {
        let text = self.items[at].text.trim().to_lowercase();
        let next = self.items.get(at + 1).map(|item| item.text.trim().to_lowercase()).unwrap_or_default();
        let (adjective, words) = match text.strip_prefix("how ") {
            Some(adjective) => (adjective.to_owned(), 1),
            None if text == "how" => (next, 2),
            None => return false,
        };
        let Some(table) = self.table_of().filter(|_| self.is_of_things()) else { return false };
        let place = |column: &duru_sql::domain::DomainColumn| {
            duru_language::words::attribute_place(&adjective, &column.nouns)
        };
        let numbers = table.columns.iter().filter(|column| column.is_number());
        let Some(column) =
            numbers.filter(|column| place(column).is_some()).min_by_key(|column| place(column))
        else {
            return false;
        };
        let column = Column::new(&table.name, &column.name);
        self.draft.columns.push(Placed { it: column, at });
        (at..at + words).for_each(|place| self.use_item(place));
        true
    }

    /// The table that is named just before a value: a city named Springfield.
    pub(super) fn table_before(&self, at: usize) -> Option<String> {
        let table = |place: usize| {
            self.items.get(place)?.mentions.iter().find_map(|mention| match mention {
                Mention::Table(table) if self.hops(table).is_some() => Some(table.clone()),
                _ => None,
            })
        };
        // The Mississippi river; but not a Wyoming city.
        let after = table(at + 1).filter(|table| Some(table) != self.draft.table.as_ref());
        let apart = (at.saturating_sub(1)..at)
            .any(|place| [Link::In, Link::From, Link::Of].iter().any(|link| self.link_at(place, *link)));
        let before = (at.saturating_sub(2)..at).rev().find_map(table);
        after.or_else(|| before.filter(|table| !apart || Some(table) != self.draft.table.as_ref()))
    }

    /// Whether an adjective speaks of rows by a number of theirs: the largest city, and not the largest population.
    pub(super) fn is_attribute_of_rows(&self, at: usize) -> bool {
        let own = |column: &Column| Some(&column.table) == self.draft.table.as_ref();
        let attribute = self.items[at]
            .mentions
            .iter()
            .any(|mention| matches!(mention, Mention::Attribute(column, _) if own(column)));
        let number = |place: usize| {
            self.column_at(place)
                .is_some_and(|column| self.described(&column).is_some_and(|column| column.is_number()))
        };
        attribute && self.is_of_things() && !self.next(at).is_some_and(number)
    }

    /// The number of the rows that an adjective speaks of, and whether it wants more of it.
    pub(super) fn attribute_at(&self, at: usize) -> Option<(Column, bool)> {
        let item = &self.items[at];
        let word = item.text.trim().to_lowercase();
        let own = item.mentions.iter().filter_map(|mention| match mention {
            Mention::Attribute(column, more) if Some(&column.table) == self.draft.table.as_ref() => {
                Some((column, *more))
            }
            _ => None,
        });
        let place = |column: &Column| {
            let nouns = self.described(column).map(|known| known.nouns.as_slice()).unwrap_or_default();
            duru_language::words::attribute_place(&word, nouns).unwrap_or(usize::MAX)
        };
        // 금액이 가장 큰: the number that was named right before.
        let named = (at.saturating_sub(2)..at).rev().find_map(|place| {
            let column = self.column_at(place).filter(|_| !self.is_value(place))?;
            let subject =
                [Particle::Subject, Particle::Topic].iter().any(|one| self.items[place].particle(*one));
            (subject && self.described(&column).is_some_and(|known| known.is_number())).then_some(column)
        });
        // The smallest state by area.
        let said = |column: &Column| !self.draft.columns.iter().any(|placed| placed.it == *column);
        own.min_by_key(|(column, _)| (said(column), place(column)))
            .map(|(column, more)| (named.unwrap_or_else(|| column.clone()), more))
    }

    /// What is asked of things is shown of them, in their order: the population of the largest state.
    pub(super) fn show_things(&self, frame: &mut Frame) {
        let own = |dimension: &Dimension| matches!(dimension, Dimension::Column(column) if column.table == frame.table);
        let asked = self.draft.dimensions.iter().all(|placed| placed.it.how == super::draft::How::Asked);
        let plain = frame.measures.is_empty()
            && frame.having.is_empty()
            && frame.compare.is_none()
            && frame.none_of.is_empty()
            && !frame.count_groups
            && !self.draft.counted
            && !self.draft.distinct
            && !self.draft.share;
        let ranked = self.draft.rank.as_ref().is_none_or(|rank| rank.by == RankBy::Figure);
        if !(self.is_of_things() && asked && plain && ranked && frame.dimensions.iter().all(own))
            || frame.dimensions.is_empty()
        {
            return;
        }
        frame.show.extend(self.label(&frame.table).filter(|_| frame.show.is_empty()));
        for dimension in std::mem::take(&mut frame.dimensions) {
            if let Dimension::Column(column) = dimension
                && !frame.show.contains(&column)
            {
                frame.show.push(column);
            }
        }
    }

    /// The highest point in the country: a text beside a number that is called alike, and the first row by that number.
    pub(super) fn extreme_by_name(&self, frame: &mut Frame) {
        let Some(table) = self.domain.table(&frame.table).filter(|_| self.is_of_things()) else { return };
        let everywhere = |filter: &frame::Filter| {
            self.described(&filter.column).is_some_and(|known| known.values.len() == 1)
        };
        let plain = frame.is_rows() && frame.order.is_none() && frame.filters.iter().all(everywhere);
        let Some((column, word)) = frame.show.iter().find_map(|column| {
            let (word, _) = column.name.split_once('_').filter(|(word, _)| word.ends_with("est"))?;
            Some((column.clone(), word.to_owned()))
        }) else {
            return;
        };
        let number = table.columns.iter().find(|other| other.is_number() && other.name.starts_with(&word));
        if let Some(number) = number.filter(|_| plain) {
            let least = ["lowest", "smallest", "shortest", "least"].contains(&word.as_str());
            let by = frame::By::Column(Column::new(&column.table, &number.name));
            frame.order = Some(frame::Order { by, descending: !least });
            frame.limit = Some(1);
        }
    }

    /// Of numbers whose names stand together, the last is meant: population density.
    pub(super) fn head_of_numbers(&mut self, place: usize) -> Option<(usize, Column)> {
        let number = |place: usize| {
            self.column_at(place).filter(|column| {
                Some(&column.table) == self.draft.table.as_ref()
                    && self.described(column).is_some_and(|column| column.is_number())
            })
        };
        let next = number(place + 1).filter(|_| self.items[place].particles.is_empty())?;
        self.skip_item(place);
        Some((place + 1, next))
    }

    /// 국가 이름, country name: no more than the country; restaurant name: what restaurants are called.
    pub(super) fn name_of(&mut self, at: usize) -> bool {
        let word = self.bare(at).to_lowercase();
        if !self.is_of_things() || at == 0 || !matches!(word.as_str(), "name" | "names" | "이름" | "명") {
            return false;
        }
        let before = &self.items[at - 1];
        let column = before.mentions.iter().any(|mention| matches!(mention, Mention::Column(_)));
        let table = before.mentions.iter().find_map(|mention| match mention {
            Mention::Table(table) => Some(table.clone()),
            _ => None,
        });
        if column {
            self.skip_item(at);
            return true;
        }
        let Some(label) = table.and_then(|table| self.label(&table)) else { return false };
        self.draft.columns.push(Placed { it: label, at });
        self.use_item(at);
        true
    }

    /// The state with the greatest density: rows are put in order, and the first is wanted.
    pub(super) fn greatest_thing(&mut self, at: usize, stat: Stat, column: &Column) -> bool {
        let asked = |reading: &Self, place: usize| {
            // The capital of the state with the largest area.
            let with = (place + 1..at).any(|after| {
                at - place <= 4
                    && [Link::With, Link::That, Link::Have].iter().any(|link| reading.link_at(after, *link))
            });
            reading.is_table(place)
                && (with
                    || (place.saturating_sub(3)..place).any(|before| {
                        reading.items[before].senses.iter().any(|sense| {
                            matches!(sense, Sense::Ask(Ask::Which | Ask::What | Ask::Who))
                                || matches!(sense, Sense::Op(Op::Show | Op::List))
                        })
                    }))
        };
        let things = self.is_of_things()
            && Some(&column.table) == self.draft.table.as_ref()
            && (0..at).any(|place| asked(self, place));
        if things {
            self.draft.columns.push(Placed { it: column.clone(), at });
            self.rank(at, stat == Stat::Maximum, RankBy::Figure);
        }
        things
    }

    /// What of a frame can't be asked of these tables, or would count rows twice.
    pub(super) fn fits_tables(&self, frame: &mut Frame) -> Result<(), Unfit> {
        let mut tables = BTreeSet::new();
        frame::columns(frame, &mut |column| {
            tables.insert(column.table.clone());
        });
        tables.remove(&frame.table);
        if tables.iter().any(|table| frame::hops(self.domain, &frame.table, table).is_none()) {
            return Err(Unfit::NoTable);
        }
        let timed = frame.dimensions.iter().any(Dimension::is_time)
            || frame.time.is_some()
            || frame.measures.iter().any(|measure| {
                matches!(measure, Measure::First | Measure::Last | Measure::Span | Measure::Age)
            })
            || frame.filters.iter().any(|filter| matches!(filter.test, Test::Hours(..) | Test::Weekdays(_)));
        let table = self.domain.table(&frame.table).ok_or(Unfit::NoTable)?;
        if timed && table.time.is_none() {
            return Err(Unfit::Periods);
        }
        // A row that belongs to several groups is counted in each of them.
        let grouped = |other: &String| {
            frame
                .dimensions
                .iter()
                .any(|one| matches!(one, Dimension::Column(column) if column.table == *other))
        };
        let doubled =
            tables.iter().any(|other| !grouped(other) && frame::multiplies(self.domain, &frame.table, other));
        if doubled {
            // Each row once, however many rows of the other table belong to it.
            let key = match table.primary_key.as_slice() {
                [key] => Some(Column::new(&table.name, key)),
                _ => None,
            };
            for measure in &mut frame.measures {
                match (&measure, &key) {
                    (Measure::Count, Some(key)) => *measure = Measure::Distinct(key.clone(), Vec::new()),
                    (Measure::Distinct(..), _) => {}
                    _ => return Err(Unfit::NoTable),
                }
            }
        }
        Ok(())
    }
}
