//! Questions that go on from the one before: they edit its frame.

use duru_language::{Op, Particle};
use serde::{Deserialize, Serialize};

use super::draft::How;
use super::link::Mention;
use super::reading::Reading;
use crate::analyst::frame::{By, Column, Dimension, Filter, Frame, Having, Measure, Order, Test, Than};

/// A question that was answered, or asked back about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadTurn {
    pub frame: Frame,
    /// Values of the first row of its answer.
    pub top: Vec<(Column, String)>,
}

impl Reading<'_> {
    /// Whether a question needs the one before to be whole.
    pub(super) fn leans(&self, frame: Option<&Frame>) -> bool {
        let draft = &self.draft;
        let said = draft.objects
            || draft.refers
            || !draft.references.is_empty()
            || self.items.iter().any(|item| item.any_op(&[Op::Again, Op::Instead, Op::Objection]).is_some());
        if said {
            return true;
        }
        let asks = draft.counted
            || !draft.measures.is_empty()
            || draft.rank.is_some()
            || draft.listed
            || draft.trend
            || draft.exists
            || draft.share
            || draft.rate.is_some();
        // Nothing narrows it down: of what was asked before.
        if draft.filters.is_empty() && draft.periods.is_empty() && !draft.all_time && draft.none_of.is_empty()
        {
            return true;
        }
        let both_ways = draft.filters.iter().any(|placed| {
            matches!(placed.it.test, Test::NoneOf(_))
                && draft.filters.iter().any(|other| {
                    other.it.column == placed.it.column && matches!(other.it.test, Test::OneOf(_))
                })
        });
        if both_ways {
            return true;
        }
        // 경고는 몇 건?, what about orders: no time of its own, and a topic instead of another.
        let topic = self.items.iter().any(|item| {
            item.used
                && item.particle(Particle::Topic)
                && item
                    .mentions
                    .iter()
                    .any(|mention| matches!(mention, Mention::Value(..) | Mention::Part(..)))
        });
        let only = self.items.iter().any(|item| item.particle(Particle::Only));
        let what_about = self.items.first().is_some_and(|item| {
            matches!(
                item.text.to_lowercase().as_str(),
                "and" | "what about" | "how about" | "그럼" | "그러면" | "그리고" | "ok" | "now"
            )
        });
        if draft.periods.is_empty() && !draft.all_time && (topic || what_about || only) {
            return true;
        }
        let about = draft.row_noun || !draft.filters.is_empty();
        let whole = about
            && (asks
                || draft.row_noun
                || !draft.periods.is_empty() && frame.is_some_and(|frame| !frame.is_rows()));
        let divided = !draft.dimensions.is_empty() && (asks || draft.row_noun) && about;
        !(whole || divided || asks && !draft.dimensions.is_empty() && !draft.periods.is_empty())
    }

    /// How many customers are there, after a question about orders: it names what it is about, and that is something else.
    pub(super) fn is_of_another_table(&self, own: &Frame, before: &ReadTurn) -> bool {
        let named = Mention::Table(own.table.clone());
        own.table != before.frame.table
            && !self.draft.refers
            && self.draft.references.is_empty()
            && self.items.iter().any(|item| item.mentions.contains(&named))
    }

    /// The frame of the turn before, as this question changes it; and references that nothing explains.
    pub(super) fn edit(&mut self, before: &ReadTurn, own: Option<Frame>) -> (Frame, Vec<Column>) {
        let mut frame = before.frame.clone();
        let mut lost = Vec::new();
        let own = own.unwrap_or_else(|| Frame { table: frame.table.clone(), ..Frame::default() });
        for column in self.draft.references.clone() {
            if !self.refer(&mut frame, before, &column) {
                lost.push(column);
            }
        }
        self.refer_by_value(&mut frame, &before.frame);
        let among = self.of_the_first(&mut frame, &before.frame);
        for filter in &own.filters {
            // 1초 이상인 것만: of the figures that were shown.
            let shown = frame
                .measures
                .iter()
                .find(|measure| matches!(measure, Measure::Stat(_, column, _) if *column == filter.column))
                .cloned();
            match (&filter.test, shown) {
                (Test::Number(compare, value), Some(measure)) if !frame.dimensions.is_empty() => {
                    frame.having.push(Having { measure, compare: *compare, than: Than::Number(*value) });
                }
                _ => self.replace(&mut frame, filter),
            }
        }

        self.other_amount(&mut frame);
        if own.time.is_some() {
            frame.time = own.time.as_ref().map(|time| {
                let before = before.frame.time.as_ref();
                let moved = self
                    .same_hours(time, before)
                    .or_else(|| self.same_day(time, before))
                    .or_else(|| super::amend::same_beginning(time, before));
                moved.unwrap_or_else(|| time.clone())
            });
            frame.compare.clone_from(&own.compare);
        } else if self.draft.all_time {
            frame.time = None;
        }
        if own.compare.is_some() {
            frame.compare.clone_from(&own.compare);
        }
        // The 24 hours before that.
        if let (Some(_), Some(time), true) =
            (self.draft.previous, &before.frame.time, self.draft.periods.is_empty() && !self.draft.compared)
        {
            frame.time = time.previous(self.now);
            frame.compare = None;
        }
        self.edit_figures(&mut frame, &own, among);
        if (self.draft.share || self.draft.rate.is_some())
            && own.measures.is_empty()
            && !frame.dimensions.is_empty()
            && !frame.measures.contains(&Measure::Share)
        {
            frame.measures.push(Measure::Share);
        }
        (frame, lost)
    }

    fn edit_figures(&self, frame: &mut Frame, own: &Frame, among: bool) {
        let per = self.draft.dimensions.iter().any(|placed| placed.it.how == How::Per);
        let grouped = !own.dimensions.is_empty() && !among;
        if grouped {
            frame.dimensions.clone_from(&own.dimensions);
            frame.best_each = own.best_each;
            frame.count_groups = false;
            frame.limit = own.limit;
            frame.order.clone_from(&own.order);
        }
        let counted = own.measures.as_slice() == [Measure::Count] && !self.draft.counted;
        let keeps = counted && !frame.measures.is_empty() && grouped;
        if !own.measures.is_empty() && !keeps {
            self.other_measures(frame, own);
            if !grouped && !per {
                frame.having.clear();
            }
            frame.order.clone_from(&own.order);
        }
        if own.is_rows()
            && (self.draft.listed || self.draft.row_noun && self.items.iter().any(|item| item.op(Op::Show)))
            && !frame.is_rows()
            && !among
        {
            frame.dimensions.clear();
            frame.measures.clear();
            frame.having.clear();
            frame.order = None;
            frame.limit = own.limit;
        }
        if own.limit.is_some() {
            frame.limit = own.limit;
        }
        if let Some(order) = &own.order {
            // An order of rows says nothing of groups.
            let of_rows = order.by == By::Time && !frame.dimensions.is_empty() && self.draft.newest.is_none();
            match of_rows {
                true if self.draft.rank.is_some() => {
                    frame.order = Some(Order { by: By::Measure(0), descending: order.descending })
                }
                true => {}
                false => frame.order = Some(order.clone()),
            }
        }
        if self.items.iter().any(|item| item.op(Op::Total))
            && own.measures.is_empty()
            && frame.is_rows()
            && !self.draft.listed
            && own.filters.is_empty()
            && own.time.is_none()
        {
            frame.measures.push(Measure::Count);
        }
        if !own.having.is_empty() {
            frame.having.clone_from(&own.having);
        }
        if let Some(rank) = self
            .draft
            .rank
            .as_ref()
            .filter(|_| !grouped && !frame.dimensions.is_empty() && own.order.is_none())
        {
            frame.order = Some(Order { by: By::Measure(0), descending: rank.descending });
            frame.limit = frame.limit.or(rank.first.then_some(1));
        }
        if own.window.is_some() {
            frame.window = own.window;
        }
        frame.show.extend(own.show.iter().cloned());
    }

    /// The figures of the follow-up, beside those that were shown or in their place.
    fn other_measures(&self, frame: &mut Frame, own: &Frame) {
        let before = frame.measures.iter().find_map(|measure| match measure {
            Measure::Stat(_, column, _) => Some(column.clone()),
            _ => None,
        });
        let by_default = self.takes_duration(own);
        // 에러율도: besides what was shown.
        let also = self.draft.measures.iter().any(|placed| self.items[placed.at].particle(Particle::Also));
        let kept = if also { std::mem::take(&mut frame.measures) } else { Vec::new() };
        frame.measures = kept.into_iter().chain(own.measures.iter().cloned()).collect();
        // 평균 말고 p95: of the number that was asked about.
        for measure in &mut frame.measures {
            if let (Measure::Stat(_, column, _), Some(before), true) = (measure, &before, by_default) {
                column.clone_from(before);
            }
        }
    }

    /// Sets a condition in the place of the one on the same column.
    fn replace(&self, frame: &mut Frame, filter: &Filter) {
        // "payment 말고 order": what is left out was there before.
        if let Test::NoneOf(values) = &filter.test
            && let Some(known) = frame.filters.iter_mut().find(|known| known.column == filter.column)
            && let Test::OneOf(all) = &mut known.test
        {
            all.retain(|value| !values.contains(value));
            if all.is_empty() {
                frame.filters.retain(|known| known.column != filter.column);
            }
            return;
        }
        // FATAL까지 합쳐서: besides what was there.
        let added = self.draft.filters.iter().find(|placed| placed.it == *filter).is_some_and(|placed| {
            let item = &self.items[placed.at];
            item.particle(Particle::Until)
                || item.particle(Particle::Also)
                    && self
                        .items
                        .iter()
                        .any(|item| item.op(Op::Total) || item.op(Op::Sum) || item.op(Op::Both))
        });
        if let (true, Test::OneOf(values)) = (added, &filter.test)
            && let Some(known) = frame.filters.iter_mut().find(|known| known.column == filter.column)
            && let Test::OneOf(all) = &mut known.test
        {
            all.extend(values.iter().cloned());
            return;
        }
        let instead = !matches!(filter.test, Test::Hours(..) | Test::Weekdays(_) | Test::Contains(_));
        if instead {
            frame.filters.retain(|known| known.column != filter.column);
        }
        // A figure of a condition is that of another one now: 에러율 → 경고율 keeps its own.
        frame.filters.push(filter.clone());
    }

    /// 그 서비스: the one that was named, or the first of the answer.
    fn refer(&self, frame: &mut Frame, turn: &ReadTurn, column: &Column) -> bool {
        let before = &turn.frame;
        let fixed = before.filters.iter().any(|filter| {
            filter.column == *column && matches!(&filter.test, Test::OneOf(values) if values.len() == 1)
        });
        if fixed {
            return true;
        }
        if before.dimensions.contains(&Dimension::Column(column.clone())) {
            frame.filters.retain(|filter| filter.column != *column);
            let test = match turn.top.iter().find(|(known, _)| known == column) {
                Some((_, value)) => Test::OneOf(vec![value.clone()]),
                None => Test::FirstOf(Box::new(before.clone())),
            };
            frame.filters.push(Filter::new(column.clone(), test));
            self.narrow(frame, column);
            return true;
        }
        before.filters.iter().any(|filter| filter.column == *column)
    }

    /// What was divided by a column is now about one value of it.
    fn narrow(&self, frame: &mut Frame, column: &Column) {
        frame.dimensions.retain(|dimension| *dimension != Dimension::Column(column.clone()));
        frame.limit = None;
        frame.order = None;
        frame.having.clear();
        frame.best_each = None;
    }

    /// 그 에러: the first value of what the answer before was divided by.
    fn refer_by_value(&mut self, frame: &mut Frame, before: &Frame) {
        let referred = self.items.windows(2).any(|pair| {
            pair[0].op(Op::Reference)
                && pair[1].mentions.iter().any(|mention| matches!(mention, Mention::Value(..)))
        });
        let column = before.dimensions.iter().rev().find_map(|dimension| match dimension {
            Dimension::Column(column) => Some(column.clone()),
            _ => None,
        });
        if let (true, Some(column)) = (referred && before.limit == Some(1), column) {
            frame.filters.push(Filter::new(column.clone(), Test::FirstOf(Box::new(before.clone()))));
            self.narrow(frame, &column);
        }
    }

    /// 그중 제일 많은 서비스의 …: of the answer before, the first one; what else is asked is asked of it.
    fn of_the_first(&mut self, frame: &mut Frame, before: &Frame) -> bool {
        if !self.draft.refers || self.draft.rank.is_none() {
            return false;
        }
        let named: Vec<Column> = self
            .draft
            .columns
            .iter()
            .map(|placed| placed.it.clone())
            .chain(self.draft.dimensions.iter().filter_map(|placed| match &placed.it.dimension {
                Dimension::Column(column) => Some(column.clone()),
                _ => None,
            }))
            .collect();
        let Some(column) = named
            .iter()
            .find(|column| before.dimensions.contains(&Dimension::Column((*column).clone())))
            .cloned()
        else {
            return false;
        };
        if named.len() < 2 {
            return false;
        }
        frame.filters.push(Filter::new(column.clone(), Test::FirstOf(Box::new(before.clone()))));
        self.narrow(frame, &column);
        self.draft.columns.retain(|placed| placed.it != column);
        self.draft.dimensions.retain(|placed| placed.it.dimension != Dimension::Column(column.clone()));
        self.draft.rank = None;
        frame.dimensions =
            named.into_iter().filter(|other| *other != column).map(Dimension::Column).collect();
        true
    }
}
