//! Days and hours that belong together, and ranges from one to another.

use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::Date;

use super::{Piece, Reader, Timed};
use crate::sense::{Link, Particle, TimeWord, Unit};
use crate::time::calendar::{Days, add, at};
use crate::time::clock::Hours;
use crate::time::period::{Length, Period};

/// One end of a range, or a period of its own.
#[derive(Debug, Clone)]
pub(super) struct End {
    pub(super) tokens: Range<usize>,
    pub(super) from: Option<Timestamp>,
    pub(super) until: Option<Timestamp>,
    pub(super) days: Option<Days>,
    pub(super) hours: Option<Hours>,
    pub(super) ago: Option<Length>,
    /// The day of its hours.
    pub(super) on: Date,
}

impl Reader<'_> {
    pub(super) fn combine(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        self.taken = pieces.iter().flat_map(|(tokens, _)| tokens.clone()).collect();
        let hours = pieces.iter().filter(|(_, piece)| matches!(piece, Piece::Hours(_)));
        self.hours_begin = hours.map(|(tokens, _)| tokens.start).collect();
        let mut place = 0;
        let mut day: Option<Days> = None;
        while place < pieces.len() {
            let Some((first, used)) = self.end(&pieces, place, day) else {
                place += 1;
                continue;
            };
            place += used;
            day = first.days.or(day);
            // The hours of every day of a longer time.
            if let (None, Some(hours)) = (first.days, first.hours)
                && self.is_daily(day)
            {
                self.daily(&pieces, &mut place, first.tokens.clone(), hours);
                continue;
            }
            // 어제 에러를 분 단위로, 10시부터: the hours narrow the day that was said.
            if let (None, Some(_), Some(whole)) = (first.days, first.hours, day.filter(|day| day.is_one())) {
                let from = at(whole.first, 0, self.now);
                for span in &mut self.spans {
                    if matches!(&span.what, Timed::Period(Period::Range { from: known, unit: Some(Unit::Day), .. }) if *known == from)
                    {
                        span.what = Timed::Narrowed;
                    }
                }
            }
            let second = pieces.get(place).filter(|(tokens, _)| self.joins(&first, tokens.start));
            if second.is_some()
                && let Some((other, used)) = self.end(&pieces, place, first.days.or(day))
            {
                place += used;
                day = other.days.or(day);
                // Between 10 and 11 yesterday: the day is that of both.
                let mut first = first;
                let mut other = other;
                self.same_week(&mut first, &mut other);
                if let (None, Some(hours), Some(days)) = (
                    first.days,
                    first.hours,
                    other.days.filter(|days| days.is_one() && other.hours.is_some()),
                ) {
                    first.from = at(days.first, hours.from, self.now);
                }
                self.range(&first, &other);
                continue;
            }
            if self.lasts(&pieces, &mut place, &first) {
                continue;
            }
            self.single(first);
        }
    }

    /// Whether hours alone are those of every day, because the time that was said has several.
    fn is_daily(&self, day: Option<Days>) -> bool {
        let long = self.spans.iter().any(|span| match &span.what {
            Timed::Period(Period::Last(length)) => length.seconds() > 129_600.0,
            _ => false,
        });
        long || day.is_some_and(|day| !day.is_one())
    }

    fn daily(
        &mut self,
        pieces: &[(Range<usize>, Piece)],
        place: &mut usize,
        tokens: Range<usize>,
        hours: Hours,
    ) {
        let (mut until, mut end) = (hours.until, tokens.end);
        if let Some((next, Piece::Hours(other))) = pieces.get(*place)
            && next.start <= tokens.end + 1
        {
            until = if other.exact { other.from } else { other.until };
            end = next.end;
            *place += 1;
        }
        let hour = |minutes: i64| u8::try_from(minutes.rem_euclid(1441) / 60).unwrap_or(24);
        self.push(tokens.start..end, Timed::Hours(hour(hours.from), hour(until)));
    }

    /// The end of a range that begins with this piece: a day with its hours, hours alone, or so long ago.
    fn end(&self, pieces: &[(Range<usize>, Piece)], place: usize, day: Option<Days>) -> Option<(End, usize)> {
        let (tokens, piece) = pieces.get(place)?.clone();
        let now = self.now;
        let none =
            End { tokens, from: None, until: None, days: None, hours: None, ago: None, on: now.date() };
        match piece {
            Piece::Days(days) => {
                let mut end = End {
                    from: at(days.first, 0, now),
                    until: at(days.after, 0, now),
                    days: Some(days),
                    ..none
                };
                if let Some((next, Piece::Hours(hours))) = pieces.get(place + 1)
                    && self.near(end.tokens.end, next.start)
                {
                    end.tokens.end = next.end;
                    if days.is_one() {
                        end.on = days.first;
                        end.hours = Some(*hours);
                        (end.from, end.until) =
                            (at(days.first, hours.from, now), at(days.first, hours.until, now));
                        return Some((end, 2));
                    }
                    return Some((End { tokens: end.tokens.start..next.start, ..end }, 1));
                }
                Some((end, 1))
            }
            Piece::Hours(hours) => {
                // The day may stand behind its hours: at 3pm yesterday.
                let behind = match pieces.get(place + 1) {
                    Some((next, Piece::Days(days)))
                        if self.near(none.tokens.end, next.start) && days.is_one() =>
                    {
                        Some((*days, next.end))
                    }
                    _ => None,
                };
                let (days, used) = match behind {
                    Some((days, _)) => (Some(days), 2),
                    None => (None, 1),
                };
                let on = days.or(day.filter(|day| day.is_one())).map_or(now.date(), |days| days.first);
                let mut end = End {
                    days,
                    hours: Some(hours),
                    on,
                    from: at(on, hours.from, now),
                    until: at(on, hours.until, now),
                    ..none
                };
                if let Some((_, stop)) = behind {
                    end.tokens.end = stop;
                }
                Some((end, used))
            }
            Piece::Ago(length) => {
                // 사흘 전 오후: the hours of that day.
                if let Some(day) = self.day_ago(length).filter(|_| self.has_hours(pieces, place)) {
                    let (tokens, _) = &pieces[place];
                    let dated = [(tokens.clone(), Piece::Days(day)), pieces[place + 1].clone()];
                    return self.end(&dated, 0, None);
                }
                let moment = length.span().and_then(|span| now.checked_sub(span).ok())?;
                let (from, days) = match length.unit {
                    Unit::Day => (at(moment.date(), 0, now), Some(Days::one(moment.date()))),
                    _ => (Some(moment.timestamp()), None),
                };
                Some((End { from, until: from, days, ago: Some(length), ..none }, 1))
            }
            Piece::Now => {
                Some((End { from: Some(now.timestamp()), until: Some(now.timestamp()), ..none }, 1))
            }
        }
    }

    fn day_ago(&self, length: Length) -> Option<Days> {
        let moment = length.span().and_then(|span| self.now.checked_sub(span).ok())?;
        (length.unit == Unit::Day).then(|| Days::one(moment.date()))
    }

    fn has_hours(&self, pieces: &[(Range<usize>, Piece)], place: usize) -> bool {
        let (tokens, _) = &pieces[place];
        let next = pieces.get(place + 1);
        next.is_some_and(|(next, piece)| {
            matches!(piece, Piece::Hours(_)) && self.near(tokens.end, next.start)
        })
    }

    /// 지난주 월요일부터 수요일까지: both days are of the week that was said of one.
    fn same_week(&self, first: &mut End, other: &mut End) {
        let has = |end: &End, week: bool| {
            self.tokens[end.tokens.clone()].iter().any(|token| {
                token.senses.iter().any(|sense| match sense {
                    crate::Sense::Time(TimeWord::Week(_)) => week,
                    crate::Sense::Time(TimeWord::Weekday(_)) => !week,
                    _ => false,
                })
            })
        };
        let (Some(start), Some(stop)) = (first.days, other.days) else { return };
        if !has(first, false) || !has(other, false) {
            return;
        }
        let apart = i64::from((stop.first - start.first).get_days()).rem_euclid(7);
        if has(other, true) && !has(first, true) {
            let day = Days::one(add(stop.first, -apart));
            *first = End {
                from: at(day.first, 0, self.now),
                until: at(day.after, 0, self.now),
                days: Some(day),
                ..first.clone()
            };
        } else {
            let day = Days::one(add(start.first, apart));
            *other = End {
                from: at(day.first, 0, self.now),
                until: at(day.after, 0, self.now),
                days: Some(day),
                ..other.clone()
            };
        }
    }

    /// Whether only small words stand between two places.
    pub(super) fn near(&self, end: usize, start: usize) -> bool {
        (end..start).all(|place| {
            let token = &self.tokens[place];
            let links = [
                Link::At,
                Link::In,
                Link::On,
                Link::Article,
                Link::Of,
                Link::From,
                Link::Between,
                Link::During,
            ];
            links.iter().any(|link| token.has(crate::Sense::Link(*link))) || token.is_mark(',')
        }) && start <= end + 2
    }

    /// Whether what begins at `start` ends the range that `first` begins.
    fn joins(&self, first: &End, start: usize) -> bool {
        let end = first.tokens.end;
        let before = self.opening(first.tokens.start);
        let mut opening = before.into_iter().chain(first.tokens.clone());
        // Compare errors between today and yesterday: two days, no range.
        let compared = self.tokens.iter().any(|token| {
            token.has(crate::Sense::Op(crate::Op::Compare))
                || token.has(crate::Sense::Op(crate::Op::Difference))
        });
        if compared && first.hours.is_none() && (end..start).any(|place| self.link(place, Link::And)) {
            return false;
        }
        let opened = self.particle(end - 1, Particle::From)
            || opening.any(|at| self.link(at, Link::Between) || self.link(at, Link::From));
        let gap = (end..start).collect::<Vec<_>>();
        let joint = |place: &usize| {
            let token = &self.tokens[*place];
            token.is_mark('~')
                || token.is_mark('-')
                || self.link(*place, Link::To)
                || self.link(*place, Link::Through)
        };
        match gap.as_slice() {
            // 10시에서 12시.
            [] => {
                opened
                    || self.is(start, TimeWord::UntilNow)
                    || (first.hours.is_some() || first.days.is_some_and(|days| days.is_one()))
                        && self.particle(end - 1, Particle::At)
            }
            [one] => joint(one) || opened && (self.link(*one, Link::And) || self.link(*one, Link::Article)),
            [one, two] => {
                (joint(one) || opened && self.link(*one, Link::And)) && self.link(*two, Link::Article)
            }
            _ => false,
        }
    }

    fn range(&mut self, first: &End, other: &End) {
        let mut until = match (other.hours, other.ago) {
            (Some(hours), _) if hours.exact => other.from,
            (_, Some(_)) => other.from,
            _ => other.until,
        };
        if let (Some(from), Some(end)) = (first.from, until)
            && end <= from
            && other.hours.is_some()
        {
            // 밤 10시부터 2시까지 reaches into the next day; 10시부터 2시 into the afternoon.
            let later = |hours: i64| Timestamp::from_second(end.as_second() + hours * 3_600).ok();
            until = later(12)
                .filter(|at| *at > from && first.hours.is_some_and(|hours| hours.half.is_none()))
                .or_else(|| later(24));
        }
        // 2월부터 4월까지, in March: the end is ahead, not a year ago.
        if let (Some(from), Some(end), Some(_), None) = (first.from, until, other.days, other.hours)
            && end <= from
        {
            let end = end.to_zoned(self.now.time_zone().clone());
            until = end.checked_add(jiff::Span::new().years(1)).ok().map(|end| end.timestamp());
        }
        let mut tokens = first.tokens.start..other.tokens.end;
        let opening = self
            .opening(tokens.start)
            .filter(|at| self.link(*at, Link::Between) || self.link(*at, Link::From));
        tokens.start = opening.unwrap_or(tokens.start);
        while self.is(tokens.end, TimeWord::During) {
            tokens.end += 1;
        }
        if other.tokens.clone().any(|at| self.is(at, TimeWord::UntilNow)) {
            // This month so far is still this month, and to be compared with one.
            let unit = first.days.filter(|_| first.hours.is_none()).and_then(|days| days.unit);
            return self.add_until_now(tokens, first.from, unit.filter(|_| first.until > until));
        }
        self.add(tokens, first.from, until, None);
    }
}
