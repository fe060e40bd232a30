//! When: the first and the last, from one to the other, how long ago.

use duru_language::Op;

use super::draft::How;
use super::reading::Reading;
use crate::analyst::frame::{By, Column, Dimension, Frame, Measure, Order};

impl Reading<'_> {
    /// When: first and last, how long from one to the other, how long ago.
    pub(super) fn moments(&mut self, frame: &mut Frame) {
        if self.draft.span {
            frame.measures.push(Measure::Span);
            return;
        }
        if self.items.iter().any(|item| item.op(Op::Age)) {
            frame.measures = vec![Measure::Age];
            return;
        }
        // How many lines, and the time of the newest one.
        if let Some(newest) = self.draft.newest.or(self.draft.one_row)
            && (self.draft.counted || !frame.measures.is_empty())
            && frame.dimensions.is_empty()
            && !self.draft.both_ends
            && self.time_of_a_row()
        {
            self.draft.newest = None;
            self.draft.one_row = None;
            if self.draft.counted && frame.measures.is_empty() {
                frame.measures.push(Measure::Count);
            }
            return frame.measures.push(if newest { Measure::Last } else { Measure::First });
        }
        let Some(last) = self.draft.one_row else { return };
        // 처음 에러를 만난 서비스: what the first row has.
        let asked = self.draft.dimensions.iter().all(|placed| placed.it.how == How::Asked);
        if asked
            && !self.draft.when
            && frame.measures.is_empty()
            && !self.draft.counted
            && !frame.dimensions.iter().any(Dimension::is_time)
            && self.draft.rank.is_none()
        {
            frame.show.extend(frame.dimensions.drain(..).filter_map(|dimension| match dimension {
                Dimension::Column(column) => Some(column),
                _ => None,
            }));
        }
        let grouped = !frame.dimensions.is_empty();
        let moment = if last { Measure::Last } else { Measure::First };
        if self.draft.both_ends && (self.draft.when || grouped) {
            frame.measures.extend([Measure::First, Measure::Last]);
            self.draft.both_ends = false;
        } else if self.draft.when || grouped && frame.measures.is_empty() {
            frame.measures.push(moment);
        } else if frame.measures.is_empty() && !self.draft.counted {
            frame.limit = Some(frame.limit.unwrap_or(1));
            frame.order = Some(Order { by: By::Time, descending: last });
        }
    }

    /// Whether the time of the first or last row is spoken of.
    fn time_of_a_row(&self) -> bool {
        let ends = [Op::Newest, Op::Oldest, Op::First, Op::Last];
        (0..self.items.len()).filter(|at| self.items[*at].any_op(&ends).is_some()).any(|at| {
            (at.saturating_sub(4)..(at + 4).min(self.items.len())).any(|place| {
                let time = |column: Column| self.described(&column).is_some_and(|known| known.is_time());
                self.items[place].text.trim() == "time" || self.column_at(place).is_some_and(time)
            })
        })
    }
}
