//! What the answer is divided by, and conditions on its groups.

use duru_language::{Op, Unit};

use super::draft::{Bound, How};
use super::money::is_currency;
use super::reading::Reading;
use crate::analyst::frame::{Column, Dimension, Filter, Frame, Having, Measure, Stat, Test, Than, Window};

use super::assemble::Unfit;

impl Reading<'_> {
    pub(super) fn dimensions(&mut self, frame: &mut Frame) {
        for placed in &self.draft.dimensions {
            frame.dimensions.push(placed.it.dimension.clone());
        }
        let contrasted = self
            .items
            .iter()
            .filter(|item| item.op(Op::Much) || item.op(Op::Slow) || item.op(Op::High))
            .count()
            > 1
            || self.items.iter().any(|item| item.op(Op::More) && item.text.starts_with('더'));
        if self.draft.compared
            || self.draft.each
            || contrasted
            || self.draft.both && self.draft.columns.is_empty() && self.draft.dimensions.is_empty()
        {
            let several: Vec<Column> = frame
                .filters
                .iter()
                .filter(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() > 1))
                .map(|filter| filter.column.clone())
                .collect();
            for column in several {
                self.add_dimension(frame, Dimension::Column(column));
            }
        }
        self.leftover_columns(frame);
        if self.draft.both && self.all_of(frame) {
            return;
        }
        // 흐름 of one trace: its rows, in their order.
        let one = frame.filters.iter().any(|filter| {
            matches!(&filter.test, Test::OneOf(values) if values.len() == 1)
                && self.described(&filter.column).is_some_and(|column| column.values.is_empty())
        });
        if self.draft.trend && one && frame.is_rows() && !self.draft.counted {
            self.draft.trend = false;
            self.draft.newest = Some(false);
        }
        if self.draft.trend && !frame.dimensions.iter().any(Dimension::is_time) && frame.compare.is_none()
            || frame.window.is_some() && !frame.dimensions.iter().any(Dimension::is_time)
        {
            frame.dimensions.insert(0, self.fitting_bucket(frame.time.as_ref()));
        }
        // 몇 시에 에러가 많이 나: by the hour of the day.
        let often = self.items.iter().any(|item| item.op(Op::Much) || item.op(Op::Often));
        if self.draft.when && self.draft.hour && often && frame.dimensions.is_empty() {
            frame.dimensions.push(Dimension::HourOfDay);
            self.draft.when = false;
        }
        if self.draft.when && self.draft.rank.is_some() && frame.dimensions.is_empty() {
            frame.dimensions.push(self.fitting_bucket(frame.time.as_ref()));
            self.draft.when = false;
        }
        let per = self.draft.dimensions.iter().filter(|placed| placed.it.how == How::Per).count();
        let asked = frame.dimensions.len() - per.min(frame.dimensions.len());
        if self.draft.rank.as_ref().is_some_and(|rank| rank.first)
            && per > 0
            && asked > 0
            && frame.having.is_empty()
        {
            frame.best_each = Some(frame.limit.take().unwrap_or(1));
        }
    }

    pub(super) fn add_dimension(&self, frame: &mut Frame, dimension: Dimension) {
        if !frame.dimensions.contains(&dimension) {
            frame.dimensions.push(dimension);
        }
    }

    /// The five slowest calls, 금액이 가장 큰 세 건: rows in an order, and not groups.
    fn ranks_rows(&self, frame: &Frame) -> bool {
        let Some(rank) = self.draft.rank.as_ref().filter(|rank| rank.first) else { return false };
        let counted = |place: usize| {
            let item = &self.items[place];
            let rows = matches!(item.kind, super::items::ItemKind::Number(_, Some(Unit::Item)))
                && item.text.contains('건');
            rows || self.is_table(place) && !self.items[rank.at].korean
        };
        matches!(rank.by, super::draft::RankBy::Duration | super::draft::RankBy::Figure)
            && self.draft.limit.is_some()
            && self.draft.dimensions.is_empty()
            && frame.measures.is_empty()
            && (rank.at + 1..(rank.at + 5).min(self.items.len())).any(counted)
    }

    /// Columns that were only named: asked for, where something is counted or listed; shown, where rows are.
    pub(super) fn leftover_columns(&mut self, frame: &mut Frame) {
        let columns: Vec<Column> = self.draft.columns.iter().map(|placed| placed.it.clone()).collect();
        let text = self.text_column();
        let (time, duration) = (self.table_of().and_then(|table| table.time.clone()), self.duration());
        let rows = self.ranks_rows(frame);
        let aggregated = self.draft.counted
            || self.draft.rank.is_some() && !rows
            || !frame.measures.is_empty()
            || !frame.dimensions.is_empty()
            || !self.draft.bounds.is_empty()
            || frame.compare.is_some()
            || self.draft.distinct
            || !frame.none_of.is_empty()
            || self.draft.share
            || self.draft.rate.is_some();
        for column in columns {
            // What is asked of things is shown of them.
            let ranked = self.draft.rank.as_ref().is_some_and(|rank| rank.by == super::draft::RankBy::Figure);
            let plain = !self.draft.counted
                && frame.measures.is_empty()
                && self.draft.bounds.is_empty()
                && frame.dimensions.is_empty();
            if self.is_of_things() && (!aggregated || ranked && plain) {
                if column.table == frame.table {
                    frame.show.extend(self.label(&frame.table).filter(|_| frame.show.is_empty()));
                    if !frame.show.contains(&column) {
                        frame.show.push(column);
                    }
                } else {
                    self.add_dimension(frame, Dimension::Column(column));
                }
                continue;
            }
            let fixed = frame.filters.iter().any(|filter| {
                filter.column == column
                    && match &filter.test {
                        Test::OneOf(values) => values.len() == 1,
                        Test::NoneOf(_) => self.draft.rank.is_none() && !self.draft.each,
                        _ => false,
                    }
            });
            let known = self.described(&column);
            if Some(&column.name) == time.as_ref() {
                self.draft.when |= !aggregated || self.draft.one_row.is_some();
            } else if known.is_some_and(|known| known.is_number() && !known.code) {
                let bounded = self.is_bounded(&column);
                let ranked = bounded
                    || self.draft.rank.is_some()
                    || Some(&column) == duration.as_ref()
                        && self.draft.bounds.iter().any(|bound| bound.unit.and_then(Unit::seconds).is_some());
                if !ranked
                    && !frame.measures.iter().any(|measure| matches!(measure, Measure::Stat(..)))
                    && self.draft.one_row.is_none()
                {
                    // Figures that add up over time are sums.
                    let sum = frame.window == Some(Window::Cumulative);
                    let stat = if sum { Stat::Sum } else { Stat::Average };
                    frame.measures.push(Measure::Stat(stat, column, Vec::new()));
                }
            } else if fixed || self.draft.one_row.is_some() && !aggregated {
                frame.show.push(column);
            } else if aggregated
                && (Some(&column) != text.as_ref() || self.draft.rank.is_some() || self.draft.distinct)
                || !self.draft.row_noun && Some(&column) != text.as_ref()
            {
                self.add_dimension(frame, Dimension::Column(column));
            } else {
                frame.show.push(column);
            }
        }
    }

    /// Whether a bound stands beside the word for a column: it is the column's, and no figure is asked of it.
    fn is_bounded(&self, column: &Column) -> bool {
        let named = self.draft.columns.iter().find(|placed| placed.it == *column);
        let place = named.map_or(0, |placed| placed.at);
        self.draft.bounds.iter().any(|bound| {
            let after = bound.at > place && bound.at - place <= 4;
            // Fewer than a thousand people.
            let before = self.is_of_things() && place > bound.at && place - bound.at <= 2;
            bound.unit.is_none_or(|unit| unit == Unit::People) && (after || before)
        })
    }

    /// Traces in which both services have errors.
    pub(super) fn all_of(&mut self, frame: &mut Frame) -> bool {
        let Some(column) = frame
            .filters
            .iter()
            .find(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() > 1))
            .map(|filter| filter.column.clone())
        else {
            return false;
        };
        let counted: Vec<Column> = frame
            .measures
            .iter()
            .filter_map(|measure| match measure {
                Measure::Distinct(column, _) => Some(column.clone()),
                _ => None,
            })
            .collect();
        let by = counted.first().cloned().or_else(|| {
            frame.dimensions.iter().find_map(|dimension| match dimension {
                Dimension::Column(other) if *other != column => Some(other.clone()),
                _ => None,
            })
        });
        let Some(by) = by else { return false };
        frame.count_groups = !counted.is_empty() || self.draft.counted;
        frame.measures.clear();
        frame.dimensions = vec![Dimension::Column(by)];
        frame.all_of = Some(column);
        self.draft.counted = false;
        true
    }

    /// Numbers that groups or rows are compared with.
    pub(super) fn conditions_on_groups(&mut self, frame: &mut Frame) -> Result<(), Unfit> {
        for bound in std::mem::take(&mut self.draft.bounds) {
            self.bound(frame, &bound)?;
        }
        // How many users have at least five: the users are groups, and those are counted.
        if !frame.having.is_empty() || !frame.none_of.is_empty() {
            let of_having = |column: &Column| {
                frame
                    .having
                    .iter()
                    .any(|having| matches!(&having.measure, Measure::Distinct(other, _) if other == column))
            };
            let counted = frame
                .measures
                .iter()
                .position(|measure| matches!(measure, Measure::Distinct(column, _) if !of_having(column)));
            if let Some(place) = counted
                && frame.dimensions.iter().all(|dimension| matches!((dimension, &frame.measures[place]), (Dimension::Column(a), Measure::Distinct(b, _)) if a == b))
                && let Measure::Distinct(column, _) = frame.measures.remove(place)
            {
                frame.dimensions = vec![Dimension::Column(column)];
                frame.measures.clear();
                frame.count_groups = true;
                self.draft.counted = false;
            }
        }
        Ok(())
    }

    pub(super) fn bound(&mut self, frame: &mut Frame, bound: &Bound) -> Result<(), Unfit> {
        let than = |value: f64| Than::Number(value);
        let having = |frame: &mut Frame, measure: Measure, value: f64| {
            frame.having.push(Having { measure, compare: bound.compare, than: than(value) });
        };
        if let Some(seconds) = bound.unit.and_then(Unit::seconds) {
            return self.bound_of_time(frame, bound, seconds);
        }
        if is_currency(bound.unit) {
            return self.bound_of_money(frame, bound);
        }
        if bound.unit == Some(Unit::Percent) {
            let rate = frame
                .measures
                .iter()
                .find(|measure| matches!(measure, Measure::Rate(_) | Measure::RateOf(..) | Measure::Share))
                .cloned();
            let rate =
                rate.or_else(|| self.draft.share.then_some(Measure::Share)).ok_or(Unfit::NothingToShare)?;
            having(frame, rate, bound.value);
            return Ok(());
        }
        // What is counted: the column after an English number, or right before a Korean one.
        let noun = if self.items[bound.at].korean {
            bound.at.checked_sub(1)
        } else {
            (bound.end + 1..bound.end + 4).find(|place| self.column_at(*place).is_some())
        };
        let column = noun
            .and_then(|place| self.column_at(place))
            .filter(|_| !noun.is_some_and(|place| self.is_value(place)));
        if let Some(column) =
            column.or_else(|| (bound.unit == Some(Unit::People)).then(|| self.person()).flatten())
        {
            let known = self.described(&column);
            if known.is_some_and(|known| known.is_number()) {
                let stat = frame
                    .measures
                    .iter()
                    .find(|measure| matches!(measure, Measure::Stat(_, other, _) if *other == column))
                    .cloned();
                match stat.filter(|_| !frame.dimensions.is_empty()) {
                    Some(measure) => having(frame, measure, bound.value),
                    None => frame.filters.push(Filter::new(column, Test::Number(bound.compare, bound.value))),
                }
                return Ok(());
            }
            let other =
                frame.dimensions.iter().any(|dimension| *dimension != Dimension::Column(column.clone()))
                    || frame
                        .measures
                        .iter()
                        .any(|measure| matches!(measure, Measure::Distinct(other, _) if *other != column));
            let counted = matches!(bound.unit, Some(Unit::Kind | Unit::Place | Unit::People))
                || !self.items[bound.at].korean
                || self.draft.distinct
                || matches!(bound.unit, Some(Unit::Item) | None) && other;
            if counted {
                frame.dimensions.retain(|dimension| *dimension != Dimension::Column(column.clone()));
                let measure = Measure::Distinct(column, Vec::new());
                if !frame.measures.contains(&measure) {
                    frame.measures.push(measure.clone());
                }
                having(frame, measure, bound.value);
                return Ok(());
            }
        }
        // A number of a column that is named nearby: 온도 30 이상, rating higher than 4.
        let plain = bound.unit.is_none();
        let near = (bound.at.saturating_sub(4)..bound.at).rev().filter(|_| plain).find_map(|place| {
            self.column_at(place)
                .filter(|column| self.described(column).is_some_and(|column| column.is_number()))
        });
        if let Some(column) = near {
            frame.filters.push(Filter::new(column, Test::Number(bound.compare, bound.value)));
            return Ok(());
        }
        having(frame, Measure::Count, bound.value);
        Ok(())
    }

    /// A bound in seconds or the like: of a figure of the groups, or of each row.
    fn bound_of_time(&self, frame: &mut Frame, bound: &Bound, seconds: f64) -> Result<(), Unfit> {
        let stat = frame.measures.iter().find(|measure| matches!(measure, Measure::Stat(_, column, _) if self.described(column).is_some_and(|column| column.unit.is_some()))).cloned();
        let column = match &stat {
            Some(Measure::Stat(_, column, _)) => column.clone(),
            _ => self.duration().ok_or(Unfit::Number)?,
        };
        let value =
            in_unit(bound.value * seconds, self.described(&column).and_then(|column| column.unit.as_deref()));
        // 1초 이상 걸린 요청: each row by itself.
        let slow = (bound.at.saturating_sub(2)..bound.at).any(|place| {
            !self.items[place].korean
                && ["slower", "longer", "faster", "took"]
                    .iter()
                    .any(|word| self.items[place].text.to_lowercase().starts_with(word))
        });
        let taken = slow
            || self.items.get(bound.end + 1).is_some_and(|item| item.op(Op::Takes) || item.op(Op::Long))
            || self.items[bound.at + 1..=bound.end.max(bound.at + 1).min(self.items.len() - 1)]
                .iter()
                .any(|item| item.op(Op::Long) || item.op(Op::Slow));
        let named = stat.filter(|_| !frame.dimensions.is_empty() && !taken && self.stat_before(bound.at));
        match named {
            Some(measure) => {
                let than = Than::Number(value);
                frame.having.push(Having { measure, compare: bound.compare, than });
            }
            None => frame.filters.push(Filter::new(column, Test::Number(bound.compare, value))),
        }
        Ok(())
    }

    pub(super) fn stat_before(&self, at: usize) -> bool {
        (at.saturating_sub(5)..at).any(|place| {
            self.items[place].any_op(&[Op::Average, Op::Maximum, Op::Minimum, Op::Median, Op::Sum]).is_some()
                || matches!(self.items[place].kind, super::items::ItemKind::Percentile(_))
        })
    }
}

/// Seconds as a column has them.
pub(super) fn in_unit(seconds: f64, unit: Option<&str>) -> f64 {
    match unit {
        Some("ms") => seconds * 1_000.0,
        Some("minutes") => seconds / 60.0,
        Some("hours") => seconds / 3_600.0,
        Some("days") => seconds / 86_400.0,
        _ => seconds,
    }
}
