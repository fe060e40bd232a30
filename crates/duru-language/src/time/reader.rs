//! From tokens to spans of time: first pieces (a day, an hour, a length), then what they are together.

use std::ops::Range;

use jiff::{ToSpan as _, Zoned};

use super::calendar::{self, Days};
use super::clock::{self, Hours};
use super::period::{Length, Period};
use crate::segment::{Token, TokenKind};
use crate::sense::{Link, Op, Particle, Sense, TimeWord, Unit};

/// What a stretch of a sentence says about time.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeSpan {
    pub tokens: Range<usize>,
    pub what: Timed,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Timed {
    Period(Period),
    /// A length that is not said to be when: 3초, 24시간.
    Length(Length),
    /// Within so long: the last 10 minutes, or any 10 minutes.
    Within(Length),
    /// The time before the one that was said, as long as it or so long.
    Previous(Option<Length>),
    Bucket(Length),
    HourOfDay,
    DayOfWeek,
    /// From hour to hour of every day.
    Hours(u8, u8),
    /// Monday is 1.
    Weekdays(Vec<u8>),
    Vague,
    AllTime,
    SameTime,
    /// A day whose hours are said elsewhere.
    Narrowed,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Piece {
    Days(Days),
    Hours(Hours),
    /// So long before now.
    Ago(Length),
    Now,
}

struct Reader<'a> {
    tokens: &'a [Token],
    now: &'a Zoned,
    spans: Vec<TimeSpan>,
    pieces: Vec<(Range<usize>, Piece)>,
}

/// What a sentence says about time, in its order.
pub fn read(tokens: &[Token], now: &Zoned) -> Vec<TimeSpan> {
    let mut reader = Reader { tokens, now, spans: Vec::new(), pieces: Vec::new() };
    let mut at = 0;
    while at < tokens.len() {
        at = reader.take(at).unwrap_or(at + 1);
    }
    reader.combine();
    let mut spans = reader.spans;
    spans.sort_by_key(|span| span.tokens.start);
    spans
}

impl Reader<'_> {
    fn word(&self, at: usize) -> Option<TimeWord> {
        self.tokens.get(at)?.senses.iter().find_map(|sense| match sense {
            Sense::Time(word) => Some(*word),
            _ => None,
        })
    }

    fn is(&self, at: usize, word: TimeWord) -> bool {
        self.tokens.get(at).is_some_and(|token| token.has(Sense::Time(word)))
    }

    fn op(&self, at: usize, op: Op) -> bool {
        self.tokens.get(at).is_some_and(|token| token.has(Sense::Op(op)))
    }

    fn link(&self, at: usize, link: Link) -> bool {
        self.tokens.get(at).is_some_and(|token| token.has(Sense::Link(link)))
    }

    fn unit(&self, at: usize) -> Option<Unit> {
        self.tokens.get(at)?.senses.iter().find_map(|sense| match sense {
            Sense::Unit(unit) if unit.seconds().is_some() => Some(*unit),
            _ => None,
        })
    }

    fn number(&self, at: usize) -> Option<f64> {
        match self.tokens.get(at)?.kind {
            TokenKind::Number(value) => Some(value),
            _ => None,
        }
    }

    fn particle(&self, at: usize, particle: Particle) -> bool {
        self.tokens.get(at).is_some_and(|token| token.particle(particle))
    }

    fn push(&mut self, tokens: Range<usize>, what: Timed) -> Option<usize> {
        let end = tokens.end;
        self.spans.push(TimeSpan { tokens, what });
        Some(end)
    }

    fn piece(&mut self, tokens: Range<usize>, piece: Piece) -> Option<usize> {
        let end = tokens.end;
        self.pieces.push((tokens, piece));
        Some(end)
    }

    /// Takes what begins here; where it ends.
    fn take(&mut self, at: usize) -> Option<usize> {
        if let (Some(value), Some(TimeWord::Bucket(unit))) = (self.number(at), self.word(at + 1))
            && value >= 1.0
        {
            return self.push(at..at + 2, Timed::Bucket(Length::new(value as u32, unit)));
        }
        if let Some((length, end)) = self.length(at) {
            return self.with_length(at, length, end);
        }
        // "In the last week" is the last seven days; "last week" one of the calendar.
        if let Some(TimeWord::Week(-1) | TimeWord::Month(-1) | TimeWord::Year(-1)) = self.word(at)
            && at > 0
            && self.link(at - 1, Link::Article)
        {
            let unit = match self.word(at) {
                Some(TimeWord::Week(_)) => Unit::Week,
                Some(TimeWord::Month(_)) => Unit::Month,
                _ => Unit::Year,
            };
            return self.push(at..at + 1, Timed::Period(Period::Last(Length::new(1, unit))));
        }
        if let Some(end) = self.first_hour(at).or_else(|| self.last_day(at)) {
            return Some(end);
        }
        if let Some((days, end)) = self.date(at) {
            return self.piece(at..end, Piece::Days(days));
        }
        if let Some((hours, count)) = clock::read(self.tokens, at, self.last_half()) {
            return self.piece(at..at + count, Piece::Hours(hours));
        }
        if let Some(unit) = self.unit(at).filter(|unit| unit.seconds() >= Some(86_400.0)) {
            if self.is(at + 1, TimeWord::Before) || self.is(at + 1, TimeWord::Previous) {
                return self.push(at..at + 2, Timed::Previous(Some(Length::new(1, unit))));
            }
            // Week over week.
            if self.is(at + 1, TimeWord::During) && self.unit(at + 2) == Some(unit) {
                return self.push(at..at + 3, Timed::Previous(Some(Length::new(1, unit))));
            }
        }
        let word = self.word(at)?;
        match word {
            TimeWord::Recent | TimeWord::Previous => self.recent(at, word),
            TimeWord::This => {
                if let Some(word) = self.unit(at + 1).and_then(|unit| calendar_word(unit, 0)) {
                    return self.piece(at..at + 2, Piece::Days(calendar::named(word, self.now)?));
                }
                let TimeWord::Weekday(day) = self.word(at + 1)? else { return None };
                let days = calendar::weekday(day, Some(0), false, self.now)?;
                self.piece(at..at + 2, Piece::Days(days))
            }
            TimeWord::JustNow => {
                self.push(at..at + 1, Timed::Period(Period::Last(Length::new(1, Unit::Hour))))
            }
            TimeWord::Vague => self.push(at..at + 1, Timed::Vague),
            TimeWord::Bucket(unit) => self.push(at..at + 1, Timed::Bucket(Length::new(1, unit))),
            TimeWord::HourOfDay => self.push(at..at + 1, Timed::HourOfDay),
            TimeWord::DayOfWeek => self.push(at..at + 1, Timed::DayOfWeek),
            TimeWord::AllTime => self.push(at..at + 1, Timed::AllTime),
            TimeWord::SameTime => self.push(at..at + 1, Timed::SameTime),
            TimeWord::Weekdays => self.push(at..at + 1, Timed::Weekdays((1..=5).collect())),
            TimeWord::Weekend => self.push(at..at + 1, Timed::Weekdays(vec![6, 7])),
            TimeWord::Now => self.piece(at..at + 1, Piece::Now),
            _ => None,
        }
    }

    fn is_joint(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_mark('~') || token.is_mark('-'))
            || self.link(at, Link::To)
            || self.link(at, Link::And)
            || self.link(at, Link::Through)
    }

    /// 2-4시, between 2 and 4 pm: the first hour has no sign of its own.
    fn first_hour(&mut self, at: usize) -> Option<usize> {
        let value = self.number(at).filter(|value| (0.0..=24.0).contains(value) && value.fract() == 0.0)?;
        (self.is_joint(at + 1) && self.tokens[at].particles.is_empty()).then_some(())?;
        let (hours, _) = clock::read(self.tokens, at + 2, None).filter(|(hours, _)| hours.exact)?;
        let mut minutes = value as i64 * 60;
        if hours.from >= 720 && minutes < 720 && hours.half.is_some() && minutes + 720 < hours.from {
            minutes += 720;
        }
        self.piece(
            at..at + 1,
            Piece::Hours(Hours { from: minutes, until: minutes + 60, exact: true, half: hours.half }),
        )
    }

    /// 3월 1일~7일, March 1 to 7: the second day is of the same month.
    fn last_day(&mut self, at: usize) -> Option<usize> {
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

    fn last_half(&self) -> Option<clock::Half> {
        self.pieces.iter().rev().find_map(|(_, piece)| match piece {
            Piece::Hours(hours) => hours.half,
            _ => None,
        })
    }

    /// A length: 3시간, a week, 30-minute. "An hour" is one where the article is the number.
    fn length(&self, at: usize) -> Option<(Length, usize)> {
        if let Some(TimeWord::Length(amount, unit)) = self.word(at) {
            return Some((Length::new(amount, unit), at + 1));
        }
        let value = self.number(at).filter(|value| *value >= 1.0 && value.fract() == 0.0 && *value < 1e6)?;
        let hyphen =
            usize::from(self.tokens.get(at + 1).is_some_and(|token| token.is_mark('-') && !token.spaced));
        let unit = self.unit(at + 1 + hyphen)?;
        // 3월 5일 and 2시 30분 are no lengths; nor is a year of the calendar.
        let year = unit == Unit::Year && value >= 1900.0;
        (!year).then_some((Length::new(value as u32, unit), at + 2 + hyphen))
    }

    fn with_length(&mut self, at: usize, length: Length, end: usize) -> Option<usize> {
        if self.is(end, TimeWord::Ago) || self.is(end, TimeWord::Before) && self.particle(end, Particle::From)
        {
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
        // 3월 16일 하루 동안, 주말 이틀간: said twice.
        if let Some((tokens, Piece::Days(days))) = self.pieces.last_mut()
            && tokens.end == at
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
    fn month_before(&self, at: usize) -> Option<(Option<usize>, jiff::civil::Date)> {
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

    fn unit_of_number(&self, at: usize) -> bool {
        self.number(at).is_some() && self.unit(at + 1).is_some()
    }

    /// 최근 3시간, the last hour, last Friday, 직전 24시간.
    fn recent(&mut self, at: usize, word: TimeWord) -> Option<usize> {
        let mut next = at + 1;
        while self.op(next, Op::About) || self.link(next, Link::Article) {
            next += 1;
        }
        // Last week is one of the calendar, as long as no article makes it the last seven days.
        let plain =
            next == at + 1 && (word == TimeWord::Previous || !(at > 0 && self.link(at - 1, Link::Article)));
        if let Some(word) = self
            .unit(next)
            .and_then(|unit| calendar_word(unit, -1))
            .filter(|_| plain && (self.tokens[at].has(Sense::Op(Op::Last)) || word == TimeWord::Previous))
        {
            return self.piece(at..next + 1, Piece::Days(calendar::named(word, self.now)?));
        }
        let length = self.length(next).or_else(|| {
            let unit = self.unit(next)?;
            Some((Length::new(1, unit), next + 1))
        });
        if let Some((length, mut end)) = length {
            while self.is(end, TimeWord::During) || self.is(end, TimeWord::Within) {
                end += 1;
            }
            if self.is(end, TimeWord::Previous) {
                return self.push(at..end + 1, Timed::Previous(Some(length)));
            }
            let korean_previous = word == TimeWord::Previous && !self.is(at, TimeWord::Recent);
            let what = if korean_previous {
                Timed::Previous(Some(length))
            } else {
                Timed::Period(Period::Last(length))
            };
            return self.push(at..end, what);
        }
        match self.word(next) {
            Some(TimeWord::Weekday(day)) => {
                let days = calendar::weekday(day, None, true, self.now)?;
                self.piece(at..next + 1, Piece::Days(days))
            }
            Some(TimeWord::Weekend) => {
                let saturday = calendar::weekday(6, None, true, self.now)?;
                let days =
                    Days { first: saturday.first, after: calendar::add(saturday.first, 2), unit: None };
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

    /// Days that are named by a word or a date.
    fn date(&self, at: usize) -> Option<(Days, usize)> {
        match self.tokens.get(at)?.kind {
            TokenKind::Date(year, month, day) => {
                return Some((calendar::day(year, month, day, self.now)?, at + 1));
            }
            TokenKind::YearMonth(year, month) => {
                return Some((calendar::month(Some(year), month, self.now)?, at + 1));
            }
            _ => {}
        }
        match self.word(at) {
            Some(word @ TimeWord::Week(by)) => {
                let on = usize::from(self.link(at + 1, Link::On));
                if let Some(TimeWord::Weekday(day)) = self.word(at + 1 + on) {
                    return Some((calendar::weekday(day, Some(by), false, self.now)?, at + 2 + on));
                }
                if self.is(at + 1, TimeWord::SameDay) {
                    let spoken = self.pieces.iter().rev().find_map(|(_, piece)| match piece {
                        Piece::Days(days) if days.is_one() => Some(days.first),
                        _ => None,
                    });
                    let day = spoken.unwrap_or(self.now.date()).weekday().to_monday_one_offset();
                    return Some((
                        calendar::weekday(u8::try_from(day).ok()?, Some(by), false, self.now)?,
                        at + 2,
                    ));
                }
                let days = calendar::named(word, self.now)?;
                if self.is(at + 1, TimeWord::Weekend) {
                    let first = calendar::add(days.first, 5);
                    return Some((Days { first, after: days.after, unit: None }, at + 2));
                }
                return Some((days, at + 1));
            }
            Some(TimeWord::Weekday(day)) => {
                let of = usize::from(self.link(at + 1, Link::Of));
                if let Some(TimeWord::Week(by)) = self.word(at + 1 + of) {
                    return Some((calendar::weekday(day, Some(by), false, self.now)?, at + 2 + of));
                }
                return Some((calendar::weekday(day, None, false, self.now)?, at + 1));
            }
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

    /// March 3, March 3rd 2026, 3 March is read at its number.
    fn month_name(&self, at: usize, month: u8) -> Option<(Days, usize)> {
        let year = |at: usize| {
            self.number(at).filter(|value| (1900.0..2200.0).contains(value)).map(|value| value as i16)
        };
        let comma = |at: usize| usize::from(self.tokens.get(at).is_some_and(|token| token.is_mark(',')));
        if let Some(value) = self.number(at + 1).filter(|value| (1.0..32.0).contains(value)) {
            let after = at + 2 + comma(at + 2);
            let (year, end) = match year(after) {
                Some(year) => (Some(year), after + 1),
                None => (None, at + 2),
            };
            return Some((calendar::day(year, month, value as u8, self.now)?, end));
        }
        match year(at + 1) {
            Some(year) => Some((calendar::month(Some(year), month, self.now)?, at + 2)),
            // "may" is a verb as often as a month.
            None if month == 5 && !self.link(at.wrapping_sub(1), Link::In) => None,
            None => Some((calendar::month(None, month, self.now)?, at + 1)),
        }
    }

    /// 2026년 3월 1일, 3월 1일, 3월, 2025년, 1분기, 3 March.
    fn numbered_date(&self, at: usize) -> Option<(Days, usize)> {
        let value = self.number(at)?;
        let has =
            |at: usize, unit: Unit| self.tokens.get(at).is_some_and(|token| token.has(Sense::Unit(unit)));
        // 10 March, the 10th of March.
        let of = usize::from(self.link(at + 1, Link::Of));
        if let Some(TimeWord::MonthName(month)) = self.word(at + 1 + of)
            && (1.0..32.0).contains(&value)
        {
            return Some((calendar::day(None, month, value as u8, self.now)?, at + 2 + of));
        }
        if let Some(date) = self.ordinal_day(at, value) {
            return Some((Days::one(date), at + 1));
        }
        if has(at + 1, Unit::Year) && (1900.0..2200.0).contains(&value) {
            let year = value as i16;
            return match self.number(at + 2).filter(|_| has(at + 3, Unit::MonthOfYear)) {
                Some(month) => self.month_and_day(Some(year), month, at + 4),
                None => Some((calendar::year(year)?, at + 2)),
            };
        }
        if has(at + 1, Unit::MonthOfYear) && (1.0..13.0).contains(&value) {
            return self.month_and_day(None, value, at + 2);
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
    fn ordinal_day(&self, at: usize, value: f64) -> Option<jiff::civil::Date> {
        let token = &self.tokens[at];
        let ordinal = token.end - token.start == value.to_string().len() + 2;
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

    fn month_and_day(&self, year: Option<i16>, month: f64, at: usize) -> Option<(Days, usize)> {
        let month = month as u8;
        let day = self.number(at).filter(|day| (1.0..32.0).contains(day));
        let unit =
            |at: usize| self.tokens.get(at).is_some_and(|token| token.has(Sense::Unit(Unit::DayOfMonth)));
        match day {
            Some(day) if unit(at + 1) => Some((calendar::day(year, month, day as u8, self.now)?, at + 2)),
            _ => {
                let days = calendar::month(year, month, self.now)?;
                Some(self.third_of(days, at))
            }
        }
    }

    /// Mid March, the end of last month: English says the part first.
    fn part_of(&self, at: usize) -> Option<(Days, usize)> {
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
        let (days, end) = self.date(next)?;
        (days.unit == Some(Unit::Month)).then(|| (third(days, part), end))
    }

    /// The beginning, middle or end of a month: 3월 초.
    fn third_of(&self, days: Days, at: usize) -> (Days, usize) {
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

/// A week, month or year of the calendar, so many from this one.
fn calendar_word(unit: Unit, by: i32) -> Option<TimeWord> {
    Some(match unit {
        Unit::Week => TimeWord::Week(by),
        Unit::Month => TimeWord::Month(by),
        Unit::Quarter => TimeWord::Quarter(by),
        Unit::Year => TimeWord::Year(by),
        _ => return None,
    })
}

mod combine;
