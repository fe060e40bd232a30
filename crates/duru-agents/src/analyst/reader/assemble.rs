//! From what was found to a whole frame.

use duru_language::time::Length;
use duru_language::{Op, Unit};

use super::draft::{How, RankBy};
use super::reading::Reading;
use crate::analyst::frame::{
    By, Column, Compare, Dimension, Filter, Frame, Keep, Measure, Order, Stat, Test,
};

/// Why no frame comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// A condition on groups, and no groups.
    NothingToGroup,
    /// A share of nothing.
    NothingToShare,
    /// Periods that can't be set against each other.
    Periods,
    /// A number that is compared with nothing.
    Number,
    /// Two texts that no row has together.
    Texts,
    /// Nothing that this table has.
    NoTable,
}

/// Whether no number can fulfil all conditions on its column: it would find nothing, and look like an answer.
pub(super) fn contradictory(filters: &[Filter]) -> bool {
    let ends = |column: &Column| {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for filter in filters.iter().filter(|filter| filter.column == *column) {
            match filter.test {
                Test::Number(Compare::AtLeast | Compare::More, value) => low = low.max(value),
                Test::Number(Compare::AtMost | Compare::Less, value) => high = high.min(value),
                _ => {}
            }
        }
        low >= high
            && filters.iter().any(|filter| {
                filter.column == *column
                    && matches!(filter.test, Test::Number(Compare::Less, value) if value <= low)
            })
            || low > high
    };
    filters.iter().any(|filter| ends(&filter.column))
}

/// 토스 아니고 카카오: the other one.
fn left_out_of_lists(frame: &mut Frame) {
    for without in frame.filters.clone() {
        if let Test::NoneOf(values) = &without.test {
            for filter in frame.filters.iter_mut().filter(|filter| filter.column == without.column) {
                if let Test::OneOf(all) = &mut filter.test {
                    all.retain(|value| !values.contains(value));
                }
            }
        }
    }
    frame.filters.retain(|filter| !matches!(&filter.test, Test::OneOf(values) if values.is_empty()));
    let named: Vec<Column> = frame
        .filters
        .iter()
        .filter(|filter| matches!(filter.test, Test::OneOf(_)))
        .map(|filter| filter.column.clone())
        .collect();
    frame
        .filters
        .retain(|filter| !(matches!(filter.test, Test::NoneOf(_)) && named.contains(&filter.column)));
}

impl Reading<'_> {
    /// The frame that a question makes by itself.
    pub(super) fn assemble(&mut self) -> Result<Frame, Unfit> {
        let table = self.draft.table.clone().ok_or(Unfit::NoTable)?;
        let mut frame = Frame { table, ..Frame::default() };
        frame.filters = self.draft.filters.iter().map(|placed| placed.it.clone()).collect();
        left_out_of_lists(&mut frame);
        frame.none_of = self.draft.none_of.clone();
        frame.limit = self.draft.limit;
        frame.window = self.draft.window;
        self.levels(&mut frame);
        self.side_by_side(&mut frame);
        self.when(&mut frame)?;
        self.contrast(&mut frame);
        self.split_counts(&mut frame)?;
        self.tallies(&mut frame);
        self.statistics(&mut frame);
        self.rates(&mut frame)?;
        self.each_of_several(&mut frame);
        self.dimensions(&mut frame);
        self.show_things(&mut frame);
        self.conditions_on_groups(&mut frame)?;
        self.rows_without(&mut frame);
        self.moments(&mut frame);
        self.count_rows(&mut frame);
        self.rate_of_all(&mut frame);
        self.extreme_by_name(&mut frame);
        self.order(&mut frame);
        self.extremes_of_one_row(&mut frame);
        if contradictory(&frame.filters) {
            return Err(Unfit::Number);
        }
        // Of each value of a column there is one value.
        let each_of_itself = frame
            .measures
            .iter()
            .any(|measure| matches!(measure, Measure::PerValue(each) if frame.dimensions.contains(each)));
        if each_of_itself {
            return Err(Unfit::NothingToShare);
        }
        self.fits_tables(&mut frame)?;
        if self.two_texts_at_once(&frame.filters) {
            return Err(Unfit::Texts);
        }
        if !frame.having.is_empty() && frame.dimensions.is_empty() {
            return Err(Unfit::NothingToGroup);
        }
        // Whether it grew is seen by both figures; only groups are left out.
        if frame.dimensions.is_empty()
            && let Some(compare) = &mut frame.compare
        {
            compare.keep = Keep::All;
        }
        // How many different users there are of each user says nothing.
        frame.dimensions.retain(|dimension| {
            !matches!(dimension, Dimension::Column(column)
                if frame.measures.as_slice() == [Measure::Distinct(column.clone(), Vec::new())])
        });
        let mut seen: Vec<Measure> = Vec::new();
        frame.measures.retain(|measure| {
            let new = !seen.contains(measure);
            seen.push(measure.clone());
            new
        });
        Ok(frame)
    }

    /// Two whole texts, of which a row has one: two questions, or one of either.
    fn two_texts_at_once(&self, filters: &[Filter]) -> bool {
        let texts = filters.iter().filter(|filter| {
            matches!(&filter.test, Test::Contains(words)
                if words.len() == 1 && self.linked.known_texts.iter().any(|known| known.text == words[0]))
        });
        texts.count() > 1
    }

    /// What every frame needs, however it came about.
    pub(super) fn finish(&self, frame: &mut Frame) {
        self.own_duration(frame);
        // The rows of one trace are a story.
        let story = frame.filters.iter().any(|filter| {
            matches!(&filter.test, Test::OneOf(values) if values.len() == 1)
                && self.described(&filter.column).is_some_and(|column| column.journey)
        });
        if story && frame.is_rows() && frame.order.is_none() {
            frame.order = Some(Order { by: By::Time, descending: false });
        }
        // The hours of one day are just hours.
        if self.seconds(frame.time.as_ref()) <= 129_600.0 {
            for dimension in
                frame.dimensions.iter_mut().filter(|dimension| **dimension == Dimension::HourOfDay)
            {
                *dimension = Dimension::Every(Length::new(1, Unit::Hour));
            }
        }
        if frame.dimensions.is_empty() || frame.measures.is_empty() {
            return;
        }
        // Groups without a single value have no average; of the others, one wants to know how many there are of.
        let columns: Vec<&Column> = frame
            .measures
            .iter()
            .filter_map(|measure| match measure {
                Measure::Stat(_, column, _) => Some(column),
                _ => None,
            })
            .collect();
        if columns.len() == frame.measures.len() {
            let column = columns[0].clone();
            if columns.iter().all(|other| **other == column)
                && !frame.filters.iter().any(|filter| filter.column == column)
            {
                frame.filters.push(Filter::new(column, Test::Present));
            }
            if frame.compare.is_none() && frame.window.is_none() {
                frame.measures.push(Measure::Count);
            }
        }
    }

    /// 토스 응답시간: how long the column that is asked about took, if there is a column for that.
    fn own_duration(&self, frame: &mut Frame) {
        let Some(general) = self.duration() else { return };
        let mut columns = frame.filters.iter().map(|filter| &filter.column).chain(
            frame.dimensions.iter().filter_map(|dimension| match dimension {
                Dimension::Column(column) => Some(column),
                _ => None,
            }),
        );
        let own = columns.find_map(|column| self.described(column)?.duration.as_ref());
        let Some(own) = own.map(|name| Column::new(&frame.table, name)) else { return };
        for measure in &mut frame.measures {
            if let Measure::Stat(_, column, _) = measure
                && *column == general
            {
                *column = own.clone();
            }
        }
    }

    /// The kind of an error says that it is one: a level beside it only repeats that, unless it is another.
    pub(super) fn levels(&self, frame: &mut Frame) {
        for item in self.items.iter().filter(|item| item.used) {
            for mention in &item.mentions {
                let super::link::Mention::Column(column) = mention else { continue };
                let Some(implied) = self.described(column).and_then(|known| known.implies.as_ref()) else {
                    continue;
                };
                let said = implied.words.iter().any(|word| item.text.to_lowercase().contains(word.as_str()));
                let fixed = frame.filters.iter().any(|filter| {
                    filter.column.name == implied.column
                        || filter.column == *column && matches!(filter.test, Test::OneOf(_))
                });
                let used =
                    item.mentions.iter().all(|mention| !matches!(mention, super::link::Mention::Value(..)));
                if said && !fixed && used {
                    let column = Column::new(&column.table, &implied.column);
                    frame.filters.push(Filter::new(column, Test::OneOf(implied.is.clone())));
                }
            }
        }
        let ranked = |filter: &Filter| matches!(filter.test, Test::Rank(..));
        let Some(column) =
            frame.filters.iter().find(|filter| ranked(filter)).map(|filter| filter.column.clone())
        else {
            return;
        };
        frame.filters.retain(|filter| filter.column != column || ranked(filter));
    }

    /// How many rows, where nothing else is asked of them.
    pub(super) fn count_rows(&mut self, frame: &mut Frame) {
        if self.draft.share && !frame.measures.contains(&Measure::Share) {
            if !frame.measures.contains(&Measure::Count) {
                frame.measures.push(Measure::Count);
            }
            frame.measures.push(Measure::Share);
        }
        let rated = frame.measures.iter().any(|measure| {
            matches!(
                measure,
                Measure::Rate(_)
                    | Measure::RateOf(..)
                    | Measure::PerValue(_)
                    | Measure::CountOf(_)
                    | Measure::Count
            )
        });
        if self.draft.counted && !rated && !self.draft.span {
            frame.measures.insert(0, Measure::Count);
        }
        let grouped = !frame.dimensions.is_empty();
        let listing = grouped
            && frame.measures.is_empty()
            && !self.draft.counted
            && self.draft.rank.is_none()
            && frame.having.is_empty()
            && frame.compare.is_none()
            && frame.none_of.is_empty()
            && !frame.dimensions.iter().any(Dimension::is_time)
            && self.draft.dimensions.iter().all(|placed| placed.it.how == How::Asked)
            && (self.draft.distinct || self.draft.listed || self.is_of_things());
        if grouped && frame.measures.is_empty() && !frame.count_groups && !listing {
            frame.measures.push(Measure::Count);
        }
        // Payment errors past hour?
        let asked = self.items.last().is_some_and(|item| item.kind == super::items::ItemKind::Mark('?'))
            && !self.is_of_things()
            && !self.draft.exists
            && !frame.filters.is_empty()
            && !self.items.iter().any(|item| {
                item.any_op(&[Op::Show, Op::List, Op::Happens, Op::First, Op::Last, Op::Newest]).is_some()
                    || item.senses.iter().any(|sense| matches!(sense, duru_language::Sense::Ask(_)))
                    || !item.endings.is_empty()
            });
        if asked
            && frame.is_rows()
            && frame.time.is_some()
            && self.draft.rank.is_none()
            && frame.limit.is_none()
        {
            frame.measures.push(Measure::Count);
        }
        if frame.compare.is_some() && frame.measures.is_empty() {
            frame.measures.push(Measure::Count);
        }
        if self.draft.rank.is_some()
            && !grouped
            && frame.measures.is_empty()
            && self.draft.rank.as_ref().is_some_and(|rank| rank.by == RankBy::Count && !rank.first)
        {
            frame.measures.push(Measure::Count);
        }
    }

    pub(super) fn order(&mut self, frame: &mut Frame) {
        if let Some(newest) = self.draft.newest
            && frame.order.is_none()
        {
            frame.order = Some(Order { by: By::Time, descending: newest });
        }
        if let Some(ascending) = self.draft.ascending {
            let by = if frame.is_rows() { By::Time } else { By::Measure(0) };
            frame.order = Some(Order { by, descending: !ascending });
        }
        let Some(rank) = self.draft.rank.clone() else { return };
        frame.both_ends = self.draft.both_ends;
        let number = self
            .draft
            .columns
            .iter()
            .map(|placed| placed.it.clone())
            .find(|column| self.described(column).is_some_and(|column| column.is_number()));
        let figure = match rank.by {
            RankBy::Duration => self
                .draft
                .measures
                .iter()
                .find_map(|placed| match &placed.it {
                    Measure::Stat(_, column, _) => Some(column.clone()),
                    _ => None,
                })
                .or(number)
                .or_else(|| self.duration()),
            RankBy::Figure => number,
            _ => None,
        };
        if frame.is_rows() {
            if let Some(column) = figure.or_else(|| self.duration().filter(|_| rank.by == RankBy::Figure)) {
                frame.order = Some(Order { by: By::Column(column), descending: rank.descending });
                frame.limit = frame.limit.or(rank.first.then_some(1));
            }
            return;
        }
        let by = match rank.by {
            RankBy::Growth => By::Growth,
            RankBy::Duration | RankBy::Figure | RankBy::Quality => match frame
                .measures
                .iter()
                .position(|measure| !matches!(measure, Measure::Count | Measure::CountOf(_)))
            {
                Some(place) => By::Measure(place),
                None => match figure {
                    Some(column) => {
                        frame.measures.retain(|measure| *measure != Measure::Count);
                        frame.measures.insert(0, Measure::Stat(Stat::Average, column, Vec::new()));
                        By::Measure(0)
                    }
                    None => By::Measure(0),
                },
            },
            RankBy::Count => {
                let named = frame.measures.iter().position(|measure| matches!(measure, Measure::Count));
                By::Measure(named.unwrap_or(0))
            }
        };
        frame.order = Some(Order { by, descending: rank.descending });
        let asked = self.draft.dimensions.iter().any(|placed| placed.it.how == How::Per)
            && frame.dimensions.len() == 1
            && !self.items.iter().any(|item| item.op(Op::Most));
        let ordered =
            self.items.iter().any(|item| item.any_op(&[Op::Order, Op::Descending, Op::Ascending]).is_some())
                || self.draft.each
                || self.draft.both;
        let whole = asked || ordered || self.breaks_down_too();
        if rank.first && frame.limit.is_none() && frame.best_each.is_none() && !whole {
            frame.limit = Some(1);
        }
    }
}
