//! How long something is: 3시간, 1분 30초, an hour and a half.

use super::Reader;
use crate::quantity;
use crate::sense::{Link, Op, Sense, TimeWord, Unit};
use crate::time::period::Length;

/// What a length is counted in when it has parts, from long to short; weeks have no parts of their own.
const CLOCK: [Unit; 5] = [Unit::Day, Unit::Hour, Unit::Minute, Unit::Second, Unit::Millisecond];

impl Reader<'_> {
    /// The length that begins here, and where it ends.
    pub(super) fn length(&self, at: usize) -> Option<(Length, usize)> {
        if let Some(TimeWord::Length(amount, unit)) = self.word(at) {
            return self.whole(amount.into(), unit, at + 1);
        }
        if let Some((unit, end)) = self.single_unit(at) {
            return self.whole(1.0, unit, end);
        }
        if self.op(at, Op::Half) {
            let article = usize::from(self.link(at + 1, Link::Article));
            let unit = self.unit(at + 1 + article)?;
            return length(0.5, unit).map(|length| (length, at + 2 + article));
        }
        if let Some(quarters) = self.quarters(at) {
            return Some(quarters);
        }
        let (value, unit, end) = self.amount(at)?;
        self.whole(value, unit, end)
    }

    /// A number and its unit; 3월 5일 and 2시 30분 are none, nor are a year of the calendar and 3분의 1.
    fn amount(&self, at: usize) -> Option<(f64, Unit, usize)> {
        let value = self.number(at).filter(|value| *value > 0.0 && *value < 1e6)?;
        let hyphen =
            usize::from(self.tokens.get(at + 1).is_some_and(|token| token.is_mark('-') && !token.spaced));
        let unit = self.unit(at + 1 + hyphen)?;
        // 1.2m is a million as often as minutes.
        let letter = &self.tokens[at + 1 + hyphen];
        let short = unit == Unit::Minute && letter.end - letter.start == 1 && value.fract() != 0.0;
        let other =
            short || unit == Unit::Year && value >= 1900.0 || quantity::is_denominator(self.tokens, at);
        (!other).then_some((value, unit, at + 2 + hyphen))
    }

    /// A quarter of an hour, three quarters of a year.
    fn quarters(&self, at: usize) -> Option<(Length, usize)> {
        let count = self.number(at);
        let next = at + usize::from(count.is_some());
        let part = self.has_unit(next, Unit::Quarter)
            && self.link(next + 1, Link::Of)
            && self.link(next + 2, Link::Article);
        let unit = self.unit(next + 3).filter(|_| part)?;
        length(count.unwrap_or(1.0) / 4.0, unit).map(|length| (length, next + 4))
    }

    /// Longer than a minute, for an hour, an hour and a half: the article is the number. The hour is none.
    fn single_unit(&self, at: usize) -> Option<(Unit, usize)> {
        let unit = self.unit(at + 1).filter(|_| self.is_single_article(at))?;
        let compared = [Op::More, Op::Less, Op::AtLeast, Op::AtMost, Op::About, Op::Takes]
            .iter()
            .any(|op| at > 0 && self.op(at - 1, *op));
        let linked = [Link::For, Link::Than].iter().any(|link| at > 0 && self.link(at - 1, *link));
        let parted = self.fraction(at + 2).is_some() || self.smaller(at + 2, unit).is_some();
        (compared || linked || parted).then_some((unit, at + 2))
    }

    /// A or an, not the.
    pub(super) fn is_single_article(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.has(Sense::Link(Link::Article)) && token.end - token.start <= 2)
    }

    /// And a half, and a quarter, 반: how much, and where it ends.
    fn fraction(&self, at: usize) -> Option<(f64, usize)> {
        if at > 0 && self.is(at, TimeWord::Half) && self.tokens[at - 1].particles.is_empty() {
            return Some((0.5, at + 1));
        }
        self.link(at, Link::And).then_some(())?;
        let part = at + 1 + usize::from(self.link(at + 1, Link::Article));
        if self.op(part, Op::Half) {
            return Some((0.5, part + 1));
        }
        // A quarter of the users is a share.
        let quarter = self.has_unit(part, Unit::Quarter) && self.is_single_article(at + 1);
        (quarter && !self.link(part + 1, Link::Of)).then_some((0.25, part + 1))
    }

    /// The smaller part that goes on with a length, as seconds, its unit, and where it ends: 20분, and 5 seconds, and a
    /// minute, a comma and ten minutes.
    fn smaller(&self, at: usize, than: Unit) -> Option<(f64, Unit, usize)> {
        let comma = usize::from(self.tokens.get(at).is_some_and(|token| token.is_mark(',')));
        let and = usize::from(self.link(at + comma, Link::And));
        let at = at + comma + and;
        let word = match self.word(at) {
            Some(TimeWord::Length(amount, unit)) => Some((amount.into(), unit, at + 1)),
            _ => None,
        };
        let one = || {
            self.unit(at + 1)
                .filter(|_| and == 1 && self.is_single_article(at))
                .map(|unit| (1.0, unit, at + 2))
        };
        let (value, unit, end) = word.or_else(|| self.amount(at)).or_else(one)?;
        let seconds = value * unit.seconds()?;
        let fits = CLOCK.contains(&than) && CLOCK.contains(&unit) && Some(seconds) < than.seconds();
        fits.then_some((seconds, unit, end))
    }

    /// A length with the smaller parts that follow it: a half, minutes after hours.
    pub(super) fn whole(&self, value: f64, unit: Unit, end: usize) -> Option<(Length, usize)> {
        if let Some((part, after)) = self.fraction(end)
            && let Some(length) = length(value + part, unit)
        {
            return Some((length, after));
        }
        let (mut seconds, mut smallest, mut last) = (value * unit.seconds()?, unit, end);
        while self.tokens[last - 1].particles.is_empty()
            && let Some((part, unit, after)) = self.smaller(last, smallest)
        {
            (seconds, smallest, last) = (seconds + part, unit, after);
        }
        if last == end {
            return length(value, unit).map(|length| (length, end));
        }
        length(seconds / smallest.seconds()?, smallest).map(|length| (length, last))
    }
}

/// So many of a unit; a broken number is a whole one of a smaller unit.
fn length(value: f64, unit: Unit) -> Option<Length> {
    let whole = |value: f64| {
        (value >= 1.0 && (value - value.round()).abs() < 1e-6 && value < 1e9).then(|| value.round() as u32)
    };
    if let Some(amount) = whole(value) {
        return Some(Length::new(amount, unit));
    }
    let months = match unit {
        Unit::Year => Some(12.0),
        Unit::Quarter => Some(3.0),
        _ => None,
    };
    if let Some(amount) = months.and_then(|months| whole(value * months)) {
        return Some(Length::new(amount, Unit::Month));
    }
    // Half a month is fifteen days.
    let seconds = if unit == Unit::Month { value * 30.0 * 86_400.0 } else { value * unit.seconds()? };
    let smaller = CLOCK.iter().filter(|one| one.seconds() < unit.seconds());
    smaller.into_iter().find_map(|one| Some(Length::new(whole(seconds / one.seconds()?)?, *one)))
}
