//! From tokens to spans of time: first pieces (a day, an hour, a length), then what they are together.

mod amounts;
mod bounds;
mod combine;
mod dates;
mod hour_ranges;
mod lengths;
mod month_weeks;
mod stretches;
mod weekdays;
mod years;

use std::collections::HashSet;
use std::ops::Range;

use jiff::{Timestamp, Zoned};

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
    /// Where a period ends as it was said, which may be ahead: this quarter is a whole one. Nothing, if it goes on.
    pub until: Option<Timestamp>,
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
    /// The tokens of all pieces.
    taken: HashSet<usize>,
    /// Where pieces of hours begin.
    hours_begin: HashSet<usize>,
}

/// What a sentence says about time, in its order.
pub fn read(tokens: &[Token], now: &Zoned) -> Vec<TimeSpan> {
    let mut reader = Reader {
        tokens,
        now,
        spans: Vec::new(),
        pieces: Vec::new(),
        taken: HashSet::new(),
        hours_begin: HashSet::new(),
    };
    let mut at = 0;
    while at < tokens.len() {
        at = reader.take(at).unwrap_or(at + 1);
    }
    reader.settle_years();
    reader.settle_hours();
    reader.combine();
    reader.settle_previous();
    let mut spans = reader.spans;
    spans.sort_by_key(|span| span.tokens.start);
    spans
}

impl Reader<'_> {
    fn word(&self, at: usize) -> Option<TimeWord> {
        self.tokens.get(at).filter(|_| !self.begins_noun(at))?.senses.iter().find_map(|sense| match sense {
            Sense::Time(word) => Some(*word),
            _ => None,
        })
    }

    fn is(&self, at: usize, word: TimeWord) -> bool {
        self.tokens.get(at).is_some_and(|token| token.has(Sense::Time(word))) && !self.begins_noun(at)
    }

    /// 2분기 전세, 이전 달성률: what begins another noun says nothing about time. 3시간 전쯤 and 직전 분기별 do.
    fn begins_noun(&self, at: usize) -> bool {
        let Some([word, next]) = self.tokens.get(at..at + 2) else { return false };
        let glued = !next.spaced && word.particles.is_empty() && !matches!(next.kind, TokenKind::Mark(_));
        let goes_on = |sense: &Sense| matches!(sense, Sense::Time(_) | Sense::Op(Op::About | Op::Per));
        glued
            && !next.senses.iter().any(goes_on)
            && word.senses.iter().any(|sense| match sense {
                Sense::Time(TimeWord::Ago) => word.spaced && !next.has(Sense::Filler),
                Sense::Time(TimeWord::PreviousUnit(_) | TimeWord::WeekOfMonth(_) | TimeWord::NthWeek(_)) => {
                    true
                }
                _ => false,
            })
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

    fn has_unit(&self, at: usize, unit: Unit) -> bool {
        self.tokens.get(at).is_some_and(|token| token.has(Sense::Unit(unit)))
    }

    /// 3rd and third, not 3, nor one.
    fn is_ordinal(&self, at: usize, value: f64) -> bool {
        let token = &self.tokens[at];
        token.senses.iter().any(|sense| matches!(sense, Sense::Ordinal(_)))
            || token.senses.is_empty() && token.end - token.start == value.to_string().len() + 2
    }

    fn particle(&self, at: usize, particle: Particle) -> bool {
        self.tokens.get(at).is_some_and(|token| token.particle(particle))
    }

    fn push(&mut self, tokens: Range<usize>, what: Timed) -> Option<usize> {
        let end = tokens.end;
        let until = matches!(what, Timed::Period(_)).then(|| self.now.timestamp());
        self.spans.push(TimeSpan { tokens, what, until });
        Some(end)
    }

    fn piece(&mut self, tokens: Range<usize>, piece: Piece) -> Option<usize> {
        let end = tokens.end;
        self.pieces.push((tokens, piece));
        Some(end)
    }

    /// Takes what begins here; where it ends.
    fn take(&mut self, at: usize) -> Option<usize> {
        // 전세 시세: the rest of a noun is no number.
        if at > 0 && self.begins_noun(at - 1) {
            return None;
        }
        if let (Some(value), Some(TimeWord::Bucket(unit))) = (self.number(at), self.word(at + 1))
            && value >= 1.0
        {
            return self.push(at..at + 2, Timed::Bucket(Length::new(value as u32, unit)));
        }
        if let Some(end) = self.month_week(at) {
            return Some(end);
        }
        if let Some((days, end)) = self.part_of_year(at) {
            return self.piece(at..end, Piece::Days(days));
        }
        if let Some(days) = self.unit_to_date(at) {
            return self.piece(at..at + 1, Piece::Days(days));
        }
        if let Some((length, end)) = self.length(at) {
            return self.with_length(at, length, end);
        }
        if let Some(length) = self.last_unit(at) {
            return self.push(at..at + 1, Timed::Period(Period::Last(length)));
        }
        let part = self.first_hour(at).or_else(|| self.bare_hours(at)).or_else(|| self.first_part(at));
        if let Some(end) = part.or_else(|| self.last_day(at)) {
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
            TimeWord::PreviousUnit(unit) => {
                let days = self.days_before(unit)?;
                self.piece(at..at + 1, Piece::Days(days))
            }
            TimeWord::This => {
                if let Some(word) = self.unit(at + 1).and_then(|unit| lengths::calendar_word(unit, 0)) {
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
            TimeWord::AllTime if self.goes_on(at) => self.piece(at..at + 1, Piece::Now),
            TimeWord::AllTime => self.push(at..at + 1, Timed::AllTime),
            TimeWord::SameTime => self.push(at..at + 1, Timed::SameTime),
            TimeWord::Weekdays => self.push(at..at + 1, Timed::Weekdays((1..=5).collect())),
            TimeWord::Weekend => self.push(at..at + 1, Timed::Weekdays(vec![6, 7])),
            TimeWord::Now => self.piece(at..at + 1, Piece::Now),
            _ => None,
        }
    }

    /// "In the last week" is the last seven days; "last week" one of the calendar.
    fn last_unit(&self, at: usize) -> Option<Length> {
        let unit = match self.word(at)? {
            TimeWord::Week(-1) => Unit::Week,
            TimeWord::Month(-1) => Unit::Month,
            TimeWord::Year(-1) => Unit::Year,
            _ => return None,
        };
        (at > 0 && self.link(at - 1, Link::Article)).then(|| Length::new(1, unit))
    }

    /// Year to date: the one of today.
    fn unit_to_date(&self, at: usize) -> Option<Days> {
        let word = self.unit(at).and_then(|unit| lengths::calendar_word(unit, 0))?;
        let counted = at > 0 && self.number(at - 1).is_some();
        (self.is(at + 1, TimeWord::UntilNow) && !counted).then(|| calendar::named(word, self.now))?
    }

    /// This month so far, 월요일부터 지금까지: up to now, of a time that was just said.
    fn goes_on(&self, at: usize) -> bool {
        let Some((tokens, piece)) = self.pieces.last().filter(|(tokens, _)| tokens.end == at) else {
            return false;
        };
        let open = self.particle(at - 1, Particle::From)
            || matches!(piece, Piece::Days(days) if days.after > self.now.date())
            || tokens.start > 0
                && (self.link(tokens.start - 1, Link::From) || self.is(tokens.start - 1, TimeWord::After));
        open && self.is(at, TimeWord::UntilNow)
    }

    /// Past the 's of last year's, where there is one.
    fn past_possessive(&self, at: usize) -> usize {
        let bare =
            |at: usize| self.tokens.get(at).is_some_and(|token| !token.spaced && token.has(Sense::Filler));
        let mark = self.tokens.get(at).is_some_and(|token| token.is_mark('\''));
        if mark { at + 1 + usize::from(bare(at + 1)) } else { at }
    }

    fn is_joint(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_mark('~') || token.is_mark('-'))
            || self.link(at, Link::To)
            || self.link(at, Link::And)
            || self.link(at, Link::Through)
    }

    fn last_half(&self) -> Option<clock::Half> {
        self.pieces.iter().rev().find_map(|(_, piece)| match piece {
            Piece::Hours(hours) => hours.half,
            _ => None,
        })
    }
}
