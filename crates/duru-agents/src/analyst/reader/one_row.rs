//! Figures that make up one row: there is no first one of them, so a superlative asks for the greatest or the least.

use duru_language::{Link, Op, Particle, Sense};

use super::draft::{How, RankBy};
use super::items::Item;
use super::reading::Reading;
use crate::analyst::frame::{Frame, Measure, Stat};

impl Reading<'_> {
    /// By job, the average and the slowest: one figure of each group beside another, and no first group.
    fn adds_an_extreme(&self, frame: &Frame) -> bool {
        let Some(rank) = &self.draft.rank else { return false };
        let per = !self.draft.dimensions.is_empty()
            && self.draft.dimensions.len() == frame.dimensions.len()
            && self.draft.dimensions.iter().all(|placed| placed.it.how == How::Per && placed.at < rank.at);
        let figure = |item: &Item| item.any_op(&[Op::Average, Op::Median]).is_some();
        let Some(said) = self.items[..rank.at].iter().rposition(figure) else { return false };
        let and = self.items[said..rank.at]
            .iter()
            .any(|item| item.particle(Particle::With) || item.senses.contains(&Sense::Link(Link::And)));
        per && and && frame.having.is_empty()
    }

    /// Average, median and slowest; the longest and the shortest, in milliseconds.
    pub(super) fn extremes_of_one_row(&self, frame: &mut Frame) {
        let one_row = (frame.dimensions.is_empty() || self.adds_an_extreme(frame))
            && frame.order.is_some()
            && frame.compare.is_none()
            && frame.best_each.is_none()
            && !frame.count_groups
            && frame.limit.is_none_or(|limit| limit == 1);
        let Some(rank) =
            self.draft.rank.as_ref().filter(|rank| matches!(rank.by, RankBy::Duration | RankBy::Figure))
        else {
            return;
        };
        let stats = frame.measures.iter().filter_map(|measure| match measure {
            Measure::Stat(stat, column, filters) => Some((*stat, column.clone(), filters.clone())),
            _ => None,
        });
        let stats: Vec<_> = stats.collect();
        let Some((_, column, filters)) = stats.first().cloned().filter(|_| one_row) else { return };
        // Nobody said that it is an average.
        if !self.items.iter().any(|item| item.op(Op::Average)) {
            frame.measures.retain(|measure| !matches!(measure, Measure::Stat(Stat::Average, ..)));
        }
        for (stat, wanted) in [
            (Stat::Maximum, rank.descending || frame.both_ends),
            (Stat::Minimum, !rank.descending || frame.both_ends),
        ] {
            let measure = Measure::Stat(stat, column.clone(), filters.clone());
            if wanted && !frame.measures.contains(&measure) {
                frame.measures.push(measure);
            }
        }
        frame.order = None;
        frame.limit = None;
        frame.both_ends = false;
    }
}
