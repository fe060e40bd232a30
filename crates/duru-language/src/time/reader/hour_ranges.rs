//! Hours that have no sign of their own: 2-4시, between 2 and 4 pm, from 9 to 11 yesterday.

use super::{Piece, Reader};
use crate::segment::TokenKind;
use crate::sense::{Link, Op, Sense, TimeWord};
use crate::time::clock::{self, Hours};

impl Reader<'_> {
    fn hour(&self, at: usize) -> Option<i64> {
        let value = self.number(at).filter(|value| (0.0..=24.0).contains(value) && value.fract() == 0.0)?;
        Some(value as i64 * 60)
    }

    /// 2-4시, between 2 and 4 pm: the first hour has no sign of its own.
    pub(super) fn first_hour(&mut self, at: usize) -> Option<usize> {
        let mut minutes = self.hour(at)?;
        (self.is_joint(at + 1) && self.tokens[at].particles.is_empty()).then_some(())?;
        let (hours, _) = clock::read(self.tokens, at + 2, None).filter(|(hours, _)| hours.exact)?;
        if hours.from >= 720 && minutes < 720 && hours.half.is_some() && minutes + 720 < hours.from {
            minutes += 720;
        }
        self.piece(
            at..at + 1,
            Piece::Hours(Hours { from: minutes, until: minutes + 60, exact: true, half: hours.half }),
        )
    }

    /// From 9 to 11 yesterday: two numbers are hours of the day beside them, if nothing is counted.
    pub(super) fn bare_hours(&mut self, at: usize) -> Option<usize> {
        let (first, second) = (self.hour(at)?, self.hour(at + 2)?);
        (self.is_joint(at + 1) && self.tokens[at].particles.is_empty()).then_some(())?;
        let opened = at > 0 && (self.link(at - 1, Link::From) || self.link(at - 1, Link::Between));
        // Errors rose from 3 to 7 yesterday.
        let changed = at > 1 && [Op::Increase, Op::Decrease].iter().any(|op| self.op(at - 2, *op));
        let start = at - usize::from(opened);
        let day_before = self.pieces.last().is_some_and(|(tokens, piece)| {
            tokens.end == start && matches!(piece, Piece::Days(days) if days.is_one())
        });
        let ends = self.tokens.get(at + 3).is_none_or(|next| {
            let linked = next.senses.iter().any(|sense| matches!(sense, Sense::Link(_)));
            linked || matches!(next.kind, TokenKind::Mark(_))
        });
        let said = day_before && ends || opened && self.day_begins(at + 3);
        (said && !changed).then_some(())?;
        let hours = |from: i64| Piece::Hours(Hours { from, until: from + 60, exact: true, half: None });
        self.piece(at..at + 1, hours(first));
        self.piece(at + 2..at + 3, hours(second))
    }

    /// Whether a day is said here, behind on or not.
    fn day_begins(&self, at: usize) -> bool {
        let at = at + usize::from(self.link(at, Link::On));
        let named = self.is(at, TimeWord::Recent) || self.is(at, TimeWord::This);
        // 3 to 5 March are days themselves.
        let month = matches!(self.word(at), Some(TimeWord::MonthName(_))) && self.number(at + 1).is_none();
        !month && self.date(at).is_some_and(|(days, _)| days.is_one())
            || named && matches!(self.word(at + 1), Some(TimeWord::Weekday(_)))
    }
}
