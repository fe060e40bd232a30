//! A beginning with a length, and hours with the part of the day that they are in.

use std::ops::Range;

use super::combine::End;
use super::{Piece, Reader, Timed};
use crate::sense::{Link, Particle, TimeWord};
use crate::time::calendar::at;
use crate::time::clock::Hours;
use crate::time::period::{Length, Period};

impl Reader<'_> {
    /// 14:05부터 20분간, from 22:00 for 2 hours: a beginning and how long it goes on. Whether it is one.
    pub(super) fn lasts(&mut self, pieces: &[(Range<usize>, Piece)], place: &mut usize, first: &End) -> bool {
        let end = first.tokens.end;
        let before = self.opening(first.tokens.start);
        let opened = self.particle(end - 1, Particle::From)
            || before.into_iter().chain(first.tokens.clone()).any(|at| self.link(at, Link::From));
        let from_for = self.link(end, Link::For);
        let Some(length) = self.length_at(end + usize::from(from_for)).filter(|_| opened || from_for) else {
            return false;
        };
        let Some(span) = length.1.span() else { return false };
        let mut tokens = first.tokens.start..length.0.end;
        tokens.start = before.filter(|at| self.link(*at, Link::From)).unwrap_or(tokens.start);
        let mut from = first.from;
        // From 14:05 for 20 minutes today: the day stands behind.
        if let (None, Some(hours), Some((next, Piece::Days(day)))) =
            (first.days, first.hours, pieces.get(*place))
            && next.start == tokens.end
            && day.is_one()
        {
            from = at(day.first, hours.from, self.now);
            tokens.end = next.end;
            *place += 1;
        }
        let Some(until) = from
            .and_then(|from| from.to_zoned(self.now.time_zone().clone()).checked_add(span).ok())
            .map(|until| until.timestamp())
        else {
            return false;
        };
        self.spans.retain(|span| span.tokens != length.0);
        self.add(tokens, from, Some(until), None);
        true
    }

    /// The length that was read at a token, and its tokens.
    fn length_at(&self, at: usize) -> Option<(Range<usize>, Length)> {
        let span = self.spans.iter().find(|span| span.tokens.start == at)?;
        match span.what {
            Timed::Length(length) | Timed::Period(Period::Last(length)) if !self.is(at, TimeWord::Recent) => {
                Some((span.tokens.clone(), length))
            }
            _ => None,
        }
    }

    /// 08:15 to 08:45 this morning, 2:15 in the afternoon: the part of the day is that of the hours before it, and is
    /// no time of its own.
    pub(super) fn settle_hours(&mut self) {
        let mut place = 1;
        while place < self.pieces.len() {
            let (tokens, Piece::Hours(part)) = self.pieces[place].clone() else {
                place += 1;
                continue;
            };
            let exact = |piece: &Piece| matches!(piece, Piece::Hours(hours) if hours.exact);
            // The day may stand between: 2:15 yesterday afternoon.
            let day = matches!(self.pieces[place - 1].1, Piece::Days(days) if days.is_one()) && place > 1;
            let hours = place - 1 - usize::from(day);
            let near = (hours..place).all(|at| self.near(self.pieces[at].0.end, self.pieces[at + 1].0.start));
            if part.exact || !exact(&self.pieces[hours].1) || !near {
                place += 1;
                continue;
            }
            let first = hours - usize::from(hours > 0 && exact(&self.pieces[hours - 1].1));
            let shift = |hours: &Hours| {
                [0, 720].into_iter().find(|by| (part.from..part.until).contains(&(hours.from + by)))
            };
            let shifts: Vec<Option<i64>> = self.pieces[first..=hours]
                .iter()
                .map(|(_, piece)| match piece {
                    Piece::Hours(hours) => shift(hours),
                    _ => None,
                })
                .collect();
            if shifts.iter().all(Option::is_some) {
                for ((_, piece), by) in
                    self.pieces[first..=hours].iter_mut().zip(shifts.into_iter().flatten())
                {
                    if let Piece::Hours(hours) = piece {
                        *hours = Hours {
                            from: hours.from + by,
                            until: hours.until + by,
                            half: part.half,
                            ..*hours
                        };
                    }
                }
                self.pieces[place - 1].0.end = tokens.end;
                self.pieces.remove(place);
            } else {
                place += 1;
            }
        }
    }
}
