//! Lengths of time, and what they are lengths of.

use jiff::ToSpan as _;

use super::{Piece, Reader, Timed};
use crate::segment::TokenKind;
use crate::sense::{Link, Op, Particle, Sense, TimeWord, Unit};
use crate::time::calendar::{self, Days};
use crate::time::clock;
use crate::time::period::{Length, Period};

impl Reader<'_> {
    pub(super) fn with_length(&mut self, at: usize, length: Length, end: usize) -> Option<usize> {
        if self.is(end, TimeWord::Ago) || self.is(end, TimeWord::Before) && self.particle(end, Particle::From)
        {
            // 2주 전 월요일.
            if let (Unit::Week, Some(TimeWord::Weekday(day))) = (length.unit, self.word(end + 1)) {
                let week = i32::try_from(length.amount).ok()?;
                let days = calendar::weekday(day, Some(-week), false, self.now)?;
                return self.piece(at..end + 2, Piece::Days(days));
            }
            return self.piece(at..end + 1, Piece::Ago(length));
        }
        let bare = self.tokens.get(end + 1).is_none_or(|token| matches!(token.kind, TokenKind::Mark(_)));
        if self.is(end, TimeWord::Previous) && !self.unit_of_number(end + 1)
            || self.is(end, TimeWord::Before) && bare && !self.is(end, TimeWord::Ago)
        {
            return self.push(at..end + 1, Timed::Previous(Some(length)));
        }
        let mut last = end;
        let mut within = false;
        while self.is(last, TimeWord::During) || self.is(last, TimeWord::Within) {
            within |= self.is(last, TimeWord::Within);
            last += 1;
        }
        if self.op(end, Op::Per) && length.unit != Unit::Millisecond {
            return self.push(at..end + 1, Timed::Bucket(length));
        }
        // 3월 16일 하루 동안, 주말 이틀간: said twice. The 1일 of 이번달 1일 is a day of it.
        let dated = self.has_unit(end - 1, Unit::DayOfMonth);
        if let Some((tokens, Piece::Days(days))) = self.pieces.last_mut()
            && tokens.end == at
            && !(dated && days.unit == Some(Unit::Month))
            && (length.amount == 1 && length.unit == Unit::Day
                || calendar::add(days.first, (length.seconds() / 86_400.0) as i64) == days.after)
        {
            tokens.end = last;
            return Some(last);
        }
        let day = length.unit == Unit::Day && self.tokens[end - 1].has(Sense::Unit(Unit::DayOfMonth));
        if day
            && length.amount <= 31
            && let Some((from, month)) = self.month_before(at)
        {
            let number = i8::try_from(length.amount).ok()?;
            let date = month.with().day(number).build().ok()?;
            if let Some(from) = from {
                self.pieces.pop();
                return self.piece(from..last, Piece::Days(Days::one(date)));
            }
            return self.piece(at..last, Piece::Days(Days::one(date)));
        }
        // 200ms에서 500ms 사이 is an amount; a window is longer.
        if last > end && length.seconds() >= 1.0 {
            let what = if within { Timed::Within(length) } else { Timed::Period(Period::Last(length)) };
            return self.push(at..last, what);
        }
        let dated =
            [Particle::At, Particle::From, Particle::Until].iter().any(|one| self.particle(end - 1, *one));
        if day && dated && length.amount <= 31 {
            let number = i8::try_from(length.amount).ok()?;
            let this = self.now.date().first_of_month().with().day(number).build().ok();
            let this = this.filter(|day| *day <= self.now.date());
            let date = this.or_else(|| {
                self.now.date().first_of_month().checked_sub(1.month()).ok()?.with().day(number).build().ok()
            })?;
            return self.piece(at..end, Piece::Days(Days::one(date)));
        }
        self.push(at..end, Timed::Length(length))
    }

    /// The month that a bare number of a day belongs to: 이번 달 10일, where the month and its day are one piece, and
    /// 3월 1일~7일, 3월 1일부터 7일까지, where they are two.
    pub(super) fn month_before(&self, at: usize) -> Option<(Option<usize>, jiff::civil::Date)> {
        let (tokens, Piece::Days(days)) = self.pieces.last()? else { return None };
        let month = days.first.first_of_month();
        if days.unit == Some(Unit::Month)
            && tokens.end == at
            && self.tokens[at - 1].particles.iter().all(|one| *one == Particle::Of)
        {
            return Some((Some(tokens.start), month));
        }
        let joint = tokens.end + 1 == at
            && (self.tokens[tokens.end].is_mark('~') || self.tokens[tokens.end].is_mark('-'));
        let opened =
            tokens.end == at && [Particle::From, Particle::At].iter().any(|one| self.particle(at - 1, *one));
        (days.is_one() && (joint || opened)).then_some((None, month))
    }

    pub(super) fn unit_of_number(&self, at: usize) -> bool {
        self.number(at).is_some() && self.unit(at + 1).is_some()
    }

    /// 최근 3시간, the last hour, last Friday, 직전 24시간.
    pub(super) fn recent(&mut self, at: usize, word: TimeWord) -> Option<usize> {
        let mut next = at + 1;
        while self.op(next, Op::About) || self.link(next, Link::Article) {
            next += 1;
        }
        // Last week is one of the calendar, as long as no article makes it the last seven days.
        let plain =
            next == at + 1 && (word == TimeWord::Previous || !(at > 0 && self.link(at - 1, Link::Article)));
        // The four previous days.
        let count = at.checked_sub(1).and_then(|before| self.number(before)).filter(|count| *count >= 1.0);
        if let (Some(count), Some(unit), TimeWord::Previous) = (count, self.unit(next), word) {
            let length = Length::new(count as u32, unit);
            return self.push(at - 1..next + 1, Timed::Previous(Some(length)));
        }
        if let Some(unit) = self.unit(next).filter(|_| plain && word == TimeWord::Previous)
            && let Some(days) = self.days_before(unit)
        {
            return self.piece(at..next + 1, Piece::Days(days));
        }
        if let Some(word) = self
            .unit(next)
            .and_then(|unit| calendar_word(unit, -1))
            .filter(|_| plain && self.tokens[at].has(Sense::Op(Op::Last)))
        {
            return self.piece(at..next + 1, Piece::Days(calendar::named(word, self.now)?));
        }
        let length = self.length(next).or_else(|| self.whole(1.0, self.unit(next)?, next + 1));
        if let Some((length, mut end)) = length {
            while self.is(end, TimeWord::During) || self.is(end, TimeWord::Within) {
                end += 1;
            }
            if self.is(end, TimeWord::Previous) && !self.unit_of_number(end + 1) {
                return self.push(at..end + 1, Timed::Previous(Some(length)));
            }
            let what = if word == TimeWord::Previous {
                Timed::Previous(Some(length))
            } else {
                Timed::Period(Period::Last(length))
            };
            return self.push(at..end, what);
        }
        if let Some((days, end)) = self.same_month_last_year(next) {
            return self.piece(at..end, Piece::Days(days));
        }
        match self.word(next) {
            Some(TimeWord::Weekday(day)) => {
                let days = calendar::weekday(day, None, true, self.now)?;
                self.piece(at..next + 1, Piece::Days(days))
            }
            Some(TimeWord::Weekend) => {
                let days = calendar::named(TimeWord::WeekendOf(-1), self.now)?;
                self.piece(at..next + 1, Piece::Days(days))
            }
            Some(TimeWord::Part(..)) if word == TimeWord::Recent => {
                // Last night is yesterday's.
                let (hours, count) = clock::read(self.tokens, next, None)?;
                let yesterday = calendar::named(TimeWord::Day(-1), self.now)?;
                self.pieces.push((at..next, Piece::Days(yesterday)));
                self.piece(next..next + count, Piece::Hours(hours))
            }
            // 최근 15건 speaks of order.
            _ if self.number(next).is_some() => None,
            _ if word == TimeWord::Previous => self.push(at..at + 1, Timed::Previous(None)),
            // "The last error" speaks of order, not of time.
            _ if self.tokens[at].has(Sense::Op(Op::Last)) || self.tokens[at].has(Sense::Op(Op::Newest)) => {
                None
            }
            _ => self.push(at..at + 1, Timed::Period(Period::Last(Length::new(1, Unit::Hour)))),
        }
    }

    /// The unit of the calendar before the last one of its kind that was said, or before the one of today.
    pub(super) fn days_before(&self, unit: Unit) -> Option<Days> {
        let spoken = self.pieces.iter().rev().find_map(|(_, piece)| match piece {
            Piece::Days(days) if days.unit == Some(unit) => Some(days.first),
            _ => None,
        });
        let Some(after) = spoken else {
            let word = if unit == Unit::Day { TimeWord::Day(-1) } else { calendar_word(unit, -1)? };
            return calendar::named(word, self.now);
        };
        let first = after.checked_sub(Length::new(1, unit).span()?).ok()?;
        Some(Days { first, after, unit: Some(unit) })
    }

    /// The previous 6 hours by themselves are those before now; beside another time they are those before it.
    pub(super) fn settle_previous(&mut self) {
        if self.spans.iter().any(|span| matches!(span.what, Timed::Period(_))) || self.is_compared() {
            return;
        }
        for place in 0..self.spans.len() {
            let tokens = self.spans[place].tokens.clone();
            let Timed::Previous(Some(length)) = self.spans[place].what else { continue };
            // 그 직전 and before that are of two words, and point at something; so does 직전 3시간은?
            let plain = self.is(tokens.start, TimeWord::Previous) && self.tokens[tokens.start].words == 1;
            let asked = [Particle::Topic, Particle::With, Particle::Than]
                .iter()
                .any(|one| self.particle(tokens.end - 1, *one));
            if plain && !asked {
                self.spans[place].what = Timed::Period(Period::Last(length));
                self.spans[place].until = Some(self.now.timestamp());
            }
        }
    }

    /// Whether a sentence sets times against each other, goes on with another one, or moves along its rows.
    fn is_compared(&self) -> bool {
        let ops = [Op::Compare, Op::Difference, Op::Increase, Op::Decrease, Op::Moving];
        self.link(0, Link::And) || (0..self.tokens.len()).any(|at| ops.iter().any(|op| self.op(at, *op)))
    }
}

/// A week, month or year of the calendar, so many from this one.
pub(super) fn calendar_word(unit: Unit, by: i32) -> Option<TimeWord> {
    Some(match unit {
        Unit::Week => TimeWord::Week(by),
        Unit::Month => TimeWord::Month(by),
        Unit::Quarter => TimeWord::Quarter(by),
        Unit::Year => TimeWord::Year(by),
        _ => return None,
    })
}
