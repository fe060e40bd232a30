//! Periods that stand alone or are open on one side: yesterday, since March, before noon.

use std::ops::Range;

use jiff::Timestamp;

use super::combine::End;
use super::{Reader, TimeSpan, Timed};
use crate::segment::TokenKind;
use crate::sense::{Link, Particle, TimeWord, Unit};
use crate::time::calendar::{Days, add, at};
use crate::time::period::Period;

impl Reader<'_> {
    /// A period that stands alone, or is open on one side.
    pub(super) fn single(&mut self, end: End) {
        if self.is_bounded(&end) {
            return;
        }
        let tokens = end.tokens.clone();
        match end.ago {
            // "An hour ago" is a moment: nobody can say how much around it is meant.
            Some(_) if end.days.is_none() => {
                self.push(tokens, Timed::Vague);
            }
            Some(_) => {
                let days = end.days.unwrap_or_else(|| Days::one(self.now.date()));
                self.add(
                    tokens,
                    at(days.first, 0, self.now),
                    at(add(days.first, 1), 0, self.now),
                    Some(Unit::Day),
                );
            }
            None if end.days.is_none() && end.hours.is_none() => {}
            // Year to date, in one word.
            None if end.tokens.clone().any(|at| self.is(at, TimeWord::UntilNow)) => {
                self.add_until_now(tokens, end.from, end.days.and_then(|days| days.unit));
            }
            None => {
                let unit = end.days.filter(|_| end.hours.is_none()).and_then(|days| days.unit);
                self.add(tokens, end.from, end.until, unit);
            }
        }
    }

    /// A period that is open on one side: since, after, before, until. Whether it is one.
    fn is_bounded(&mut self, end: &End) -> bool {
        let last = end.tokens.end - 1;
        // What ends another time does not begin this one: 사흘 전 오후.
        let before = self.opening(end.tokens.start).filter(|at| !self.taken.contains(at));
        let start = before.unwrap_or(end.tokens.start);
        let told = |word: TimeWord| before.is_some_and(|at| self.is(at, word));
        // Yesterday before 9 am: the word speaks of the hours.
        let next = |word: TimeWord| {
            self.is(last + 1, word) && !(end.hours.is_none() && self.hours_begin.contains(&(last + 2)))
        };
        let from = before.is_some_and(|at| self.link(at, Link::From));
        let on = from && self.goes_on_from(last + 1);
        let opened = from && (on || self.is_beginning(end));
        let mut tokens = end.tokens.clone();
        let after = next(TimeWord::After);
        if after || self.particle(last, Particle::From) || told(TimeWord::After) || opened {
            tokens.end += usize::from(after || on);
            if told(TimeWord::After) || opened {
                tokens.start = start;
            }
            if let Some(length) = end.ago {
                let what = Timed::Period(Period::Last(length));
                self.spans.push(TimeSpan { tokens, what, until: None });
                return true;
            }
            // After 6 pm on a day is over with it; since 6 pm goes on.
            let later =
                after || told(TimeWord::After) && !before.is_some_and(|at| self.link(at, Link::Because));
            let until = end.hours.filter(|_| later).and_then(|_| at(add(end.on, 1), 0, self.now));
            let until = until.filter(|until| *until <= self.now.timestamp());
            self.add(tokens, end.from, until, None);
            return true;
        }
        let from = end.hours.and_then(|_| at(end.on, 0, self.now));
        let earlier = next(TimeWord::Before) && (!self.is(last + 1, TimeWord::Ago) || end.hours.is_some());
        if earlier || told(TimeWord::Before) {
            tokens.end += usize::from(earlier);
            if !earlier {
                tokens.start = start;
            }
            self.add(tokens, from, end.from, None);
            return true;
        }
        // Orders by March 5; by month is another thing.
        let day = end.days.is_some_and(|days| days.is_one());
        let to = before.is_some_and(|at| self.link(at, Link::To) || day && self.link(at, Link::By));
        if self.particle(last, Particle::Until) || to {
            if to {
                tokens.start = start;
            }
            let exact = end.hours.is_some_and(|hours| hours.exact);
            self.add(tokens, from, if exact { end.from } else { end.until }, None);
            return true;
        }
        false
    }

    /// The word that says how a time is meant, before it and its article: since the 1st.
    pub(super) fn opening(&self, start: usize) -> Option<usize> {
        let before = start.checked_sub(1)?;
        let article = self.link(before, Link::Article) && !self.taken.contains(&before);
        Some(before.saturating_sub(usize::from(article)))
    }

    /// From the 3rd on: nothing that it is on follows.
    fn goes_on_from(&self, at: usize) -> bool {
        let ends = self.tokens.get(at + 1).is_none_or(|next| matches!(next.kind, TokenKind::Mark(_)));
        self.link(at, Link::On) && ends
    }

    /// Whether a time after from is where something begins: a moment, or a date in numbers. Errors from yesterday and
    /// photos from 2021 are those of that time.
    fn is_beginning(&self, end: &End) -> bool {
        let dated = end.days.is_some_and(|days| days.is_one())
            && self.tokens[end.tokens.clone()]
                .iter()
                .any(|token| matches!(token.kind, TokenKind::Number(_) | TokenKind::Date(..)));
        end.ago.is_some() || end.hours.is_some_and(|hours| hours.exact) || end.hours.is_none() && dated
    }

    /// Adds a period that is said to go on up to now.
    pub(super) fn add_until_now(
        &mut self,
        tokens: Range<usize>,
        from: Option<Timestamp>,
        unit: Option<Unit>,
    ) {
        let what = Timed::Period(Period::Range { from, until: None, unit });
        self.spans.push(TimeSpan { tokens, what, until: Some(self.now.timestamp()) });
    }

    /// Adds a period; nothing was written after now, so it ends there at the latest.
    pub(super) fn add(
        &mut self,
        tokens: Range<usize>,
        from: Option<Timestamp>,
        until: Option<Timestamp>,
        unit: Option<Unit>,
    ) {
        let past = until.filter(|until| *until <= self.now.timestamp());
        let what = Timed::Period(Period::Range { from, until: past, unit });
        self.spans.push(TimeSpan { tokens, what, until });
    }
}
