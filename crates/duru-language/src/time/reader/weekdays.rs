//! Days of a week, with the week in either order: friday last week, 지난주 금요일, 금요일(지난주).

use super::{Piece, Reader};
use crate::segment::TokenKind;
use crate::sense::{Link, Op, Particle, Sense, TimeWord};
use crate::time::calendar::{self, Days};
use crate::time::clock;

impl Reader<'_> {
    /// A week, or the day or weekend of it that is said behind.
    pub(super) fn week(&self, at: usize, by: i32) -> Option<(Days, usize)> {
        let next = self.past_possessive(at + 1);
        let next = next + usize::from(self.link(next, Link::On) || self.is_mark(next, '('));
        if let Some(TimeWord::Weekday(day)) = self.word(next) {
            return Some((
                calendar::weekday(day, Some(by), false, self.now)?,
                self.past_bracket(at, next + 1),
            ));
        }
        if self.is(at + 1, TimeWord::SameDay) {
            let spoken = self.pieces.iter().rev().find_map(|(_, piece)| match piece {
                Piece::Days(days) if days.is_one() => Some(days.first),
                _ => None,
            });
            let day = spoken.unwrap_or(self.now.date()).weekday().to_monday_one_offset();
            return Some((calendar::weekday(u8::try_from(day).ok()?, Some(by), false, self.now)?, at + 2));
        }
        let days = calendar::named(TimeWord::Week(by), self.now)?;
        if self.is(at + 1, TimeWord::Weekend) {
            let first = calendar::add(days.first, 5);
            return Some((Days { first, after: days.after, unit: None }, at + 2));
        }
        Some((days, at + 1))
    }

    /// A weekday: of the week that is said behind it, or the last one.
    pub(super) fn weekday(&self, at: usize, day: u8) -> Option<(Days, usize)> {
        if self.is_other_than_weekday(at, day) {
            return None;
        }
        let near = self.tokens[at].particles.iter().all(|one| matches!(one, Particle::Of | Particle::At));
        let mark = self.link(at + 1, Link::Of) || self.is_mark(at + 1, '(') || self.is_mark(at + 1, ',');
        let next = at + 1 + usize::from(mark);
        let next = next + usize::from(self.link(next, Link::Article) && self.word(next).is_none());
        if let Some(TimeWord::Week(by)) = self.word(next).filter(|_| near) {
            return Some((
                calendar::weekday(day, Some(by), false, self.now)?,
                self.past_bracket(at, next + 1),
            ));
        }
        Some((calendar::weekday(day, None, false, self.now)?, at + 1))
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_mark(mark))
    }

    /// Past the bracket that was opened since a token.
    fn past_bracket(&self, from: usize, end: usize) -> usize {
        let opened = (from..end).any(|at| self.is_mark(at, '('));
        end + usize::from(opened && self.is_mark(end, ')'))
    }

    /// Sat, sun and mon are other words as often: they are days beside what speaks of days.
    fn is_other_than_weekday(&self, at: usize, day: u8) -> bool {
        let token = &self.tokens[at];
        // No other weekday is written with three bytes.
        let short = token.end - token.start == 3 && matches!(day, 1 | 6 | 7) && token.particles.is_empty();
        short && !self.is_placed_before(at) && !self.is_placed_behind(at)
    }

    fn is_placed_before(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let links = [Link::On, Link::From, Link::Between, Link::During];
        let words = [
            TimeWord::After,
            TimeWord::Before,
            TimeWord::Recent,
            TimeWord::Previous,
            TimeWord::This,
            TimeWord::During,
        ];
        let joined = self.is_list(before)
            && before
                .checked_sub(1)
                .is_some_and(|first| self.pieces.iter().any(|(tokens, _)| tokens.contains(&first)));
        let alone = self.tokens.get(at + 1).is_none_or(|next| matches!(next.kind, TokenKind::Mark(_)));
        links.iter().any(|link| self.link(before, *link))
            || words.iter().any(|word| self.is(before, *word))
            || [Op::Every, Op::Each].iter().any(|op| self.op(before, *op))
            || matches!(self.word(before), Some(TimeWord::Week(_) | TimeWord::Weekday(_)))
            || joined
            || alone && self.tokens[before].has(Sense::Filler)
    }

    fn is_placed_behind(&self, at: usize) -> bool {
        let next = at + 1 + usize::from(self.is_list(at + 1) || self.is_mark(at + 1, '('));
        let word = matches!(
            self.word(next),
            Some(TimeWord::Week(_) | TimeWord::Weekday(_) | TimeWord::Part(..) | TimeWord::MonthName(_))
        );
        word || clock::read(self.tokens, at + 1, None).is_some()
            || self.tokens.get(at + 1).is_some_and(|token| matches!(token.kind, TokenKind::Date(..)))
    }

    /// What stands between two days: and, to, or, vs, a comma.
    fn is_list(&self, at: usize) -> bool {
        self.is_joint(at) || self.link(at, Link::Or) || self.op(at, Op::Compare) || self.is_mark(at, ',')
    }
}
