//! Days that are named by a word, a date or a part of a longer time.

use jiff::ToSpan as _;

use super::{Piece, Reader};
use crate::segment::TokenKind;
use crate::sense::{Link, Particle, Sense, TimeWord, Unit};
use crate::time::calendar::{self, Days};

impl Reader<'_> {
    /// 3월 1일~7일, March 1 to 7: the second day is of the same month.
    pub(super) fn last_day(&mut self, at: usize) -> Option<usize> {
        let value = self.number(at).filter(|value| (1.0..32.0).contains(value) && value.fract() == 0.0)?;
        let (tokens, Piece::Days(first)) = self.pieces.last()?.clone() else { return None };
        let joined = tokens.end + 1 == at && self.is_joint(tokens.end)
            || tokens.end == at
                && (self.particle(at - 1, Particle::From) || self.particle(at - 1, Particle::At));
        let of_month = tokens.end == at && first.unit == Some(Unit::Month);
        (joined && first.is_one() || of_month).then_some(())?;
        let unit = self.tokens.get(at + 1).is_some_and(|token| token.has(Sense::Unit(Unit::DayOfMonth)));
        let other = self.unit(at + 1).is_some()
            || self
                .tokens
                .get(at + 1)
                .is_some_and(|token| token.senses.iter().any(|sense| matches!(sense, Sense::Unit(_))));
        (unit || !other && !of_month).then_some(())?;
        let day = first.first.with().day(value as i8).build().ok()?;
        let end = at + 1 + usize::from(unit);
        if of_month {
            self.pieces.pop();
            return self.piece(tokens.start..end, Piece::Days(Days::one(day)));
        }
        self.piece(at..end, Piece::Days(Days::one(day)))
    }

    /// Days that are named by a word or a date.
    pub(super) fn date(&self, at: usize) -> Option<(Days, usize)> {
        match self.tokens.get(at)?.kind {
            // 3/4 of the users is a share.
            TokenKind::Date(None, ..) if self.link(at + 1, Link::Of) => return None,
            TokenKind::Date(year, month, day) => {
                return Some((calendar::day(year, month, day, self.now)?, at + 1));
            }
            TokenKind::YearMonth(year, month) => {
                return Some((calendar::month(Some(year), month, self.now)?, at + 1));
            }
            _ => {}
        }
        match self.word(at) {
            Some(TimeWord::Week(by)) => return self.week(at, by),
            Some(TimeWord::Weekday(day)) => return self.weekday(at, day),
            Some(TimeWord::This) if self.is(at + 1, TimeWord::Weekend) => {
                let week = calendar::named(TimeWord::Week(0), self.now)?;
                return Some((
                    Days { first: calendar::add(week.first, 5), after: week.after, unit: None },
                    at + 2,
                ));
            }
            Some(TimeWord::MonthName(month)) => return self.month_name(at, month),
            Some(TimeWord::Early | TimeWord::Middle | TimeWord::Late) => return self.part_of(at),
            Some(word) => {
                if let Some(days) = calendar::named(word, self.now) {
                    return Some(self.third_of(days, at + 1));
                }
            }
            None => {}
        }
        self.numbered_date(at)
    }

    /// March 3, March 3rd 2026, March last year; 3 March is read at its number.
    pub(super) fn month_name(&self, at: usize, month: u8) -> Option<(Days, usize)> {
        let comma = |at: usize| usize::from(self.tokens.get(at).is_some_and(|token| token.is_mark(',')));
        let year = |at: usize| {
            let of = usize::from(self.link(at, Link::Of));
            self.year(at + of + comma(at))
        };
        let the = usize::from(self.link(at + 1, Link::Article));
        let day = self.number(at + 1 + the).filter(|value| (1.0..32.0).contains(value));
        if let Some(value) = day.filter(|value| the == 0 || self.is_ordinal(at + 2, *value)) {
            let after = at + 2 + the;
            let (year, end) = match year(after) {
                Some((year, end)) => (Some(year), end),
                None => (self.shared_year(at, after, month), after),
            };
            return Some((calendar::day(year, month, value as u8, self.now)?, end));
        }
        match year(at + 1) {
            Some((year, end)) => Some((calendar::month(Some(year), month, self.now)?, end)),
            None if self.is_verb(at, month) => None,
            None => {
                let year = self.shared_year(at, at + 1, month);
                Some((calendar::month(year, month, self.now)?, at + 1))
            }
        }
    }

    /// May and march are other words as often as months: may I, march through the list, a march of errors.
    fn is_verb(&self, at: usize, month: u8) -> bool {
        let placed = at > 0
            && ([Link::In, Link::Of, Link::From, Link::To, Link::Between, Link::During, Link::Through]
                .iter()
                .any(|link| self.link(at - 1, *link))
                || [TimeWord::After, TimeWord::Before, TimeWord::Recent, TimeWord::This, TimeWord::During]
                    .iter()
                    .any(|word| self.is(at - 1, *word)));
        let beside = self.is_joint(at + 1) && matches!(self.word(at + 2), Some(TimeWord::MonthName(_)));
        match month {
            5 => !placed && !beside,
            3 => {
                let noun = at > 0 && self.is_single_article(at - 1) || self.link(at + 1, Link::Of);
                let verb = self.link(at + 1, Link::Through) || self.link(at + 1, Link::To);
                !placed && !beside && (noun || verb)
            }
            _ => false,
        }
    }

    /// 3월 1일, 3월, 2025년, 3 March, the 5th of this month.
    pub(super) fn numbered_date(&self, at: usize) -> Option<(Days, usize)> {
        let value = self.number(at)?;
        let ordinal = self.is_ordinal(at, value);
        // 10 March 2025, the 10th of March.
        let of = usize::from(self.link(at + 1, Link::Of));
        let named = (1.0..32.0).contains(&value) && value.fract() == 0.0;
        match self.word(at + 1 + of) {
            Some(TimeWord::MonthName(month)) if named => {
                let after = at + 2 + of;
                let (year, end) = match self.year(after) {
                    Some((year, end)) => (Some(year), end),
                    None => (self.shared_year(at, after, month), after),
                };
                return Some((calendar::day(year, month, value as u8, self.now)?, end));
            }
            Some(word @ TimeWord::Month(_)) if named && ordinal => {
                let month = calendar::named(word, self.now)?.first;
                return Some((Days::one(month.with().day(value as i8).build().ok()?), at + 2 + of));
            }
            _ => {}
        }
        if let Some(date) = self.ordinal_day(at, value) {
            return Some((Days::one(date), at + 1));
        }
        if self.has_unit(at + 1, Unit::Year) && (1900.0..2200.0).contains(&value) {
            return Some((calendar::year(value as i16)?, at + 2));
        }
        if self.has_unit(at + 1, Unit::MonthOfYear) && (1.0..13.0).contains(&value) {
            return self.month_and_day(self.shared_year(at, at + 2, value as u8), value, at + 2);
        }
        // A bare year stands after a preposition: in 2022, since 2021.
        let placed = [Link::In, Link::From, Link::Of, Link::Between, Link::To, Link::During]
            .iter()
            .any(|link| at > 0 && self.link(at - 1, *link))
            || at > 0
                && (self.is(at - 1, TimeWord::After)
                    || self.is(at - 1, TimeWord::Before)
                    || self.is(at - 1, TimeWord::During));
        let bare = self.unit(at + 1).is_none() && value.fract() == 0.0 && (1900.0..2100.0).contains(&value);
        (placed && bare).then_some(())?;
        Some((calendar::year(value as i16)?, at + 1))
    }

    /// On the 15th: the last one that there was; but not the 3rd error.
    pub(super) fn ordinal_day(&self, at: usize, value: f64) -> Option<jiff::civil::Date> {
        let ordinal = self.is_ordinal(at, value);
        let ends = self.tokens.get(at + 1).is_none_or(|next| {
            matches!(next.kind, TokenKind::Mark(_) | TokenKind::Number(_))
                || next.senses.iter().any(|sense| matches!(sense, Sense::Link(_)))
        });
        let the = at > 0 && self.link(at - 1, Link::Article);
        (ordinal && ends && the && (1.0..32.0).contains(&value)).then_some(())?;
        let first = self.now.date().first_of_month();
        let this = first.with().day(value as i8).build().ok().filter(|day| *day <= self.now.date());
        this.or_else(|| first.checked_sub(1.month()).ok()?.with().day(value as i8).build().ok())
    }

    pub(super) fn month_and_day(&self, year: Option<i16>, month: f64, at: usize) -> Option<(Days, usize)> {
        let month = month as u8;
        let day = self.number(at).filter(|day| (1.0..32.0).contains(day));
        let unit =
            |at: usize| self.tokens.get(at).is_some_and(|token| token.has(Sense::Unit(Unit::DayOfMonth)));
        // 3월 1~7일: the unit is said once.
        let range = self.tokens.get(at + 1).is_some_and(|token| token.is_mark('~') || token.is_mark('-'))
            && self.number(at + 2).is_some()
            && unit(at + 3);
        match day {
            Some(day) if range => Some((calendar::day(year, month, day as u8, self.now)?, at + 1)),
            Some(day) if unit(at + 1) => Some((calendar::day(year, month, day as u8, self.now)?, at + 2)),
            _ => {
                let days = calendar::month(year, month, self.now)?;
                Some(self.third_of(days, at))
            }
        }
    }

    /// Mid March, the end of last month: English says the part first.
    pub(super) fn part_of(&self, at: usize) -> Option<(Days, usize)> {
        let part = self
            .word(at)
            .filter(|word| matches!(word, TimeWord::Early | TimeWord::Middle | TimeWord::Late))?;
        let mut next = at + 1;
        while self.link(next, Link::Of)
            || self.link(next, Link::Article)
            || self.tokens.get(next).is_some_and(|token| token.is_mark('-'))
        {
            next += 1;
        }
        (next < self.tokens.len()
            && self
                .word(next)
                .is_none_or(|word| !matches!(word, TimeWord::Early | TimeWord::Middle | TimeWord::Late)))
        .then_some(())?;
        // Since the start of the year: only where it begins is told.
        let opened = self
            .opening(at)
            .is_some_and(|before| self.is(before, TimeWord::After) || self.link(before, Link::From));
        if let Some(word) = self.unit(next).and_then(|unit| super::lengths::calendar_word(unit, 0))
            && opened
            && part == TimeWord::Early
            && self.link(next - 1, Link::Article)
        {
            return Some((calendar::named(word, self.now)?, next + 1));
        }
        let (days, end) = self.date(next)?;
        (days.unit == Some(Unit::Month)).then(|| (third(days, part), end))
    }

    /// The beginning, middle or end of a month: 3월 초.
    pub(super) fn third_of(&self, days: Days, at: usize) -> (Days, usize) {
        match self.word(at) {
            Some(part @ (TimeWord::Early | TimeWord::Middle | TimeWord::Late))
                if days.unit == Some(Unit::Month) =>
            {
                (third(days, part), at + 1)
            }
            _ => (days, at),
        }
    }
}

fn third(month: Days, part: TimeWord) -> Days {
    let from = |count: i64| calendar::add(month.first, count);
    let (first, after) = match part {
        TimeWord::Early => (month.first, from(10)),
        TimeWord::Middle => (from(10), from(20)),
        _ => (from(20), month.after),
    };
    Days { first, after, unit: None }
}
