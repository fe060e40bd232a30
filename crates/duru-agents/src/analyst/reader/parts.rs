//! Figures of several things at once, and of parts of a whole.

use duru_language::Op;
use duru_language::time::Length;

use super::draft::{How, Placed, RankBy};
use super::reading::Reading;
use crate::analyst::frame::{Column, Dimension, Filter, Frame, Measure, Stat, Test};

use super::assemble::{Unfit, contradictory};

impl Reading<'_> {
    /// Failed, but never logged in: what a group has and what it lacks are conditions on the group, not on single rows.
    pub(super) fn contrast(&self, frame: &mut Frame) {
        let Some(lacking) = self.draft.none_of_clause.filter(|_| !frame.none_of.is_empty()) else { return };
        let identify = self.table_of().and_then(|table| table.identify.clone());
        let time = self.table_of().and_then(|table| table.time.clone());
        for placed in &self.draft.filters {
            let shared = Some(&placed.it.column.name) == time.as_ref()
                || Some(&placed.it.column.name) == identify.as_ref();
            if self.items[placed.at].clause != lacking && !shared {
                frame.filters.retain(|filter| *filter != placed.it);
                frame.some_of.push(placed.it.clone());
            }
        }
    }

    /// Logs without INFO: where nothing is divided, single rows lack it.
    pub(super) fn rows_without(&self, frame: &mut Frame) {
        if !frame.dimensions.is_empty()
            || frame.measures.iter().any(|measure| matches!(measure, Measure::Distinct(..)))
        {
            return;
        }
        let plain = |filter: &Filter| matches!(filter.test, Test::OneOf(_));
        if frame.none_of.iter().all(plain) && frame.none_of.len() == 1 && frame.some_of.is_empty() {
            for filter in std::mem::take(&mut frame.none_of) {
                if let Test::OneOf(values) = filter.test {
                    frame.filters.push(Filter::new(filter.column, Test::NoneOf(values)));
                }
            }
        }
    }

    /// 4xx와 5xx: conditions of which a row fulfils one at most are figures of their own.
    pub(super) fn side_by_side(&mut self, frame: &mut Frame) {
        let mut classes: Vec<(usize, Vec<Filter>)> = Vec::new();
        let mut named = false;
        for placed in self.draft.filters.iter().filter(|placed| matches!(placed.it.test, Test::Number(..))) {
            match classes.iter_mut().find(|(at, _)| *at == placed.at) {
                Some((_, filters)) => filters.push(placed.it.clone()),
                None => classes.push((placed.at, vec![placed.it.clone()])),
            }
        }
        // 4xx와 5xx 비율: the share of one was read by its name.
        for placed in &self.draft.measures {
            if let Measure::Rate(filters) = &placed.it
                && filters.iter().all(|filter| matches!(filter.test, Test::Number(..)))
                && !classes.is_empty()
            {
                classes.push((placed.at, filters.clone()));
                named = true;
            }
        }
        classes.retain(|(at, _)| {
            self.draft.measures.iter().any(|placed| placed.at == *at)
                || self.items[*at]
                    .mentions
                    .iter()
                    .any(|mention| matches!(mention, super::link::Mention::Condition(_)))
        });
        let all: Vec<Filter> = classes.iter().flat_map(|(_, filters)| filters.iter().cloned()).collect();
        if classes.len() < 2 || !contradictory(&all) {
            return;
        }
        frame.filters.retain(|filter| !all.contains(filter));
        let column = all[0].column.clone();
        if self.described(&column).is_some_and(|known| known.nullable || known.key.is_some()) {
            frame.filters.push(Filter::new(column, Test::Present));
        }
        let rated = named | self.draft.rate.take().is_some() | std::mem::take(&mut self.draft.share);
        self.draft.measures.retain(|placed| !matches!(&placed.it, Measure::Rate(filters) if filters.iter().all(|filter| all.contains(filter))));
        for (_, filters) in classes {
            frame.measures.push(if rated { Measure::Rate(filters) } else { Measure::CountOf(filters) });
        }
        self.draft.counted = false;
        self.draft.counts.clear();
        self.draft.compared &= self.draft.growth || self.draft.against.is_some();
    }

    /// 에러 수와 경고 수: a figure for each value, where each is counted by itself.
    pub(super) fn split_counts(&mut self, frame: &mut Frame) -> Result<(), Unfit> {
        let counts: Vec<usize> = self.draft.counts.clone();
        if self.mixes_figures(&counts) {
            return Err(Unfit::Periods);
        }
        if counts.len() < 2 {
            return Ok(());
        }
        // A Korean count follows what it counts, an English one goes before it.
        let korean = self.items[counts[0]].korean;
        let part = |at: usize| {
            if korean {
                counts.iter().position(|count| at < *count).unwrap_or(counts.len() - 1)
            } else {
                counts.iter().rposition(|count| at > *count).unwrap_or(0)
            }
        };
        let periods: Vec<usize> = self.draft.periods.iter().map(|placed| part(placed.at)).collect();
        if self.draft.periods.len() > 1
            && periods.windows(2).any(|pair| pair[0] != pair[1])
            && !self.draft.compared
        {
            // Two questions about two times: one answer would mix them.
            return Err(Unfit::Periods);
        }
        let places = self.draft.value_places.clone();
        let mut parts: Vec<Vec<Filter>> = vec![Vec::new(); counts.len()];
        // What is looked for in texts is each part's own.
        for placed in self.draft.filters.iter().filter(|placed| matches!(placed.it.test, Test::Contains(_))) {
            parts[part(placed.at)].push(placed.it.clone());
            frame.filters.retain(|filter| *filter != placed.it);
        }
        for (column, value, at) in &places {
            let mine = part(*at);
            let elsewhere = places.iter().any(|(other, _, place)| other == column && part(*place) != mine);
            let repeated = places
                .iter()
                .any(|(other, same, place)| other == column && same == value && part(*place) != mine);
            if (mine > 0 || elsewhere) && !repeated {
                let test = if value.is_empty() { continue } else { Test::OneOf(vec![value.clone()]) };
                parts[mine].push(Filter::new(column.clone(), test));
            }
        }
        if parts.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let local: Vec<Column> = parts.iter().flatten().map(|filter| filter.column.clone()).collect();
        frame
            .filters
            .retain(|filter| !(local.contains(&filter.column) && matches!(filter.test, Test::OneOf(_))));
        frame.measures.extend(
            parts
                .into_iter()
                .map(|filters| if filters.is_empty() { Measure::Count } else { Measure::CountOf(filters) }),
        );
        self.draft.counted = false;
        Ok(())
    }

    /// Total lines, warnings, errors: all of them, and a figure for each value.
    pub(super) fn tallies(&mut self, frame: &mut Frame) {
        let total = (0..self.items.len()).any(|at| {
            self.items[at].any_op(&[Op::Total, Op::All]).is_some()
                && self.next(at).is_some_and(|next| self.is_table(next))
        });
        let counts = |measure: &Measure| matches!(measure, Measure::CountOf(_));
        if total && frame.measures.len() > 1 && frame.measures.iter().all(counts) {
            return frame.measures.insert(0, Measure::Count);
        }
        let listed = frame.filters.iter().position(|filter| {
            matches!(&filter.test, Test::OneOf(values) if values.len() > 1)
                && self.draft.value_places.iter().filter(|(column, ..)| *column == filter.column).count() > 1
        });
        let Some(place) = listed else { return };
        let column = frame.filters[place].column.clone();
        if total
            && frame.measures.is_empty()
            && self.draft.measures.is_empty()
            && self.draft.dimensions.is_empty()
        {
            let Test::OneOf(values) = frame.filters.remove(place).test else { return };
            let of = |value| Measure::CountOf(vec![Filter::new(column.clone(), Test::OneOf(vec![value]))]);
            frame.measures.push(Measure::Count);
            frame.measures.extend(values.into_iter().map(of));
            self.draft.counted = false;
        }
    }

    /// Errors and their share of all lines: the share is of all, and the errors are counted among them.
    pub(super) fn rate_of_all(&self, frame: &mut Frame) {
        let rated = frame.measures.iter().chain(frame.having.iter().map(|having| &having.measure));
        let part = rated.flat_map(|measure| match measure {
            Measure::Rate(filters) => filters.as_slice(),
            _ => &[],
        });
        let part: Vec<Filter> = part.filter(|filter| frame.filters.contains(filter)).cloned().collect();
        if part.is_empty() {
            return;
        }
        frame.filters.retain(|filter| !part.contains(filter));
        let counts =
            frame.measures.iter_mut().chain(frame.having.iter_mut().map(|having| &mut having.measure));
        for measure in counts.filter(|measure| **measure == Measure::Count) {
            *measure = Measure::CountOf(part.clone());
        }
    }

    /// 토스와 카카오 평균 응답시간: a share or an average of several values is asked of each.
    pub(super) fn each_of_several(&mut self, frame: &mut Frame) {
        let figure = |measure: &Measure| matches!(measure, Measure::Rate(_) | Measure::Stat(..));
        let together = self.items.iter().any(|item| item.any_op(&[Op::Total, Op::Sum, Op::Among]).is_some());
        let plain =
            frame.dimensions.is_empty() && self.draft.dimensions.is_empty() && frame.compare.is_none();
        if frame.measures.is_empty() || !frame.measures.iter().all(figure) || together || !plain {
            return;
        }
        let several = frame.filters.iter().find(|filter| {
            let places = self.draft.value_places.iter().filter(|(column, ..)| *column == filter.column);
            let mut places: Vec<usize> = places.map(|(.., at)| *at).collect();
            places.dedup();
            matches!(&filter.test, Test::OneOf(values) if values.len() > 1) && places.len() > 1
        });
        if let Some(filter) = several {
            frame.dimensions.push(Dimension::Column(filter.column.clone()));
        }
    }

    /// Whether a statistic of one thing stands beside a count of another.
    fn mixes_figures(&self, counts: &[usize]) -> bool {
        if let (Some(stat), Some(count)) = (
            self.draft
                .measures
                .iter()
                .find(|placed| matches!(placed.it, Measure::Stat(..) | Measure::Rate(_))),
            counts.first(),
        ) {
            let (low, high) = (stat.at.min(*count), stat.at.max(*count));
            let between = self.items[low..high].iter().any(|item| {
                item.senses.contains(&duru_language::Sense::Link(duru_language::Link::And))
                    || item.ending(duru_language::Ending::Connective)
            });
            let own = |side: &dyn Fn(usize) -> bool| {
                self.draft.value_places.iter().any(|(column, _, at)| {
                    side(*at)
                        && !self
                            .draft
                            .value_places
                            .iter()
                            .any(|(other, _, place)| other == column && side(*place) != side(*at))
                })
            };
            let text = self
                .draft
                .filters
                .iter()
                .any(|placed| placed.at > high && matches!(placed.it.test, Test::Contains(_)));
            return between
                && (own(&|at| at > high) && own(&|at| at < high && at > low)
                    || text && own(&|at| at < high));
        }
        false
    }

    pub(super) fn duration(&self) -> Option<Column> {
        let table = self.table_of()?;
        table.duration.as_ref().map(|name| Column::new(&table.name, name))
    }

    /// Statistics that were said, with the column that they are of.
    pub(super) fn statistics(&mut self, frame: &mut Frame) {
        // 5 requests with the highest duration: rows in that order.
        if self.draft.limit.is_some()
            && self.draft.dimensions.is_empty()
            && self.draft.row_noun
            && let [Placed { it: Measure::Stat(stat @ (Stat::Maximum | Stat::Minimum), column, _), at }] =
                self.draft.measures.as_slice()
        {
            let (descending, at, column) = (*stat == Stat::Maximum, *at, column.clone());
            self.draft.columns.push(Placed { it: column, at });
            self.draft.rank.get_or_insert(super::draft::Rank {
                descending,
                by: RankBy::Figure,
                at,
                first: true,
            });
            self.draft.measures.clear();
        }
        frame.measures.extend(self.draft.measures.iter().map(|placed| placed.it.clone()));
        let numbers: Vec<Column> = self
            .draft
            .columns
            .iter()
            .filter(|placed| self.described(&placed.it).is_some_and(|column| column.is_number()))
            .map(|placed| placed.it.clone())
            .collect();
        for Placed { it: stat, at } in std::mem::take(&mut self.draft.stats) {
            let of_stat = frame.measures.iter().find_map(|measure| match measure {
                Measure::Stat(_, column, _) => Some(column.clone()),
                _ => None,
            });
            let bucket = self.draft.dimensions.iter().position(|placed| placed.it.how == How::Per);
            let counts = self.draft.counted || self.draft.row_noun || self.counts_something();
            match (stat, numbers.first().cloned().or(of_stat)) {
                (Stat::Maximum | Stat::Minimum, Some(column))
                    if self.draft.limit.is_some() && self.draft.dimensions.is_empty() =>
                {
                    self.draft.columns.push(Placed { it: column, at });
                    self.draft.rank.get_or_insert(super::draft::Rank {
                        descending: stat == Stat::Maximum,
                        by: RankBy::Figure,
                        at,
                        first: true,
                    });
                }
                (_, Some(column)) => frame.measures.push(Measure::Stat(stat, column, Vec::new())),
                (Stat::Average, None) if counts && let Some(length) = self.near_length(at) => {
                    frame.measures.push(Measure::PerValue(Dimension::Every(length)))
                }
                (Stat::Average, None) if counts && let Some(place) = bucket => {
                    let each = self.draft.dimensions.remove(place).it.dimension;
                    frame.measures.push(Measure::PerValue(each));
                }
                (Stat::Sum, None) => self.draft.counted = true,
                (Stat::Maximum | Stat::Minimum, None) => {
                    let descending = stat == Stat::Maximum;
                    self.draft.rank.get_or_insert(super::draft::Rank {
                        descending,
                        by: RankBy::Figure,
                        at,
                        first: true,
                    });
                }
                (_, None) if self.items[at].text.eq_ignore_ascii_case("mean") => {
                    self.draft.unread.push("mean".to_owned())
                }
                (_, None) => {
                    if let Some(duration) = self.duration() {
                        frame.measures.push(Measure::Stat(stat, duration, Vec::new()));
                    }
                }
            }
        }
        self.draft.columns.retain(|placed| !numbers.contains(&placed.it) || frame.measures.is_empty());
    }

    pub(super) fn counts_something(&self) -> bool {
        self.items.iter().any(|item| item.op(Op::Count))
            || !self.draft.filters.is_empty() && self.duration().is_none()
    }

    /// 하루 평균: the length beside a statistic.
    pub(super) fn near_length(&mut self, at: usize) -> Option<Length> {
        let from = at.saturating_sub(2);
        let place = (from..=at + 2).find(|place| {
            matches!(self.items.get(*place).map(|item| &item.kind), Some(super::items::ItemKind::Time(duru_language::time::Timed::Length(length))) if length.amount == 1)
        })?;
        let super::items::ItemKind::Time(duru_language::time::Timed::Length(length)) = self.items[place].kind
        else {
            return None;
        };
        self.draft.periods.retain(|period| period.at != place);
        Some(length)
    }
}
