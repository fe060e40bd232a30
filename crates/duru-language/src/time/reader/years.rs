//! Years, and their months, quarters and halves: 작년 4분기, Q3 2025, the second half of last year.

use super::{Piece, Reader, Timed};
use crate::sense::{Link, Op, Particle, TimeWord, Unit};
use crate::time::calendar::{self, Days};

/// A part of a year, without the year.
#[derive(Clone, Copy)]
pub(super) enum YearPart {
    Month(u8),
    Quarter(u8),
    Half(u8),
}

impl YearPart {
    fn days(self, year: Option<i16>, now: &jiff::Zoned) -> Option<Days> {
        match self {
            Self::Month(month) => calendar::month(year, month, now),
            Self::Quarter(quarter) => calendar::months(year, quarter * 3 - 2, 3, now),
            Self::Half(half) => calendar::months(year, half * 6 - 5, 6, now),
        }
    }

    fn first_month(self) -> u8 {
        match self {
            Self::Month(month) => month,
            Self::Quarter(quarter) => quarter * 3 - 2,
            Self::Half(half) => half * 6 - 5,
        }
    }
}

impl Reader<'_> {
    /// A year that is said here, by a word or a number, and where it ends.
    pub(super) fn year(&self, at: usize) -> Option<(i16, usize)> {
        if let Some(TimeWord::Year(by)) = self.word(at) {
            return Some((self.now.year().checked_add(i16::try_from(by).ok()?)?, at + 1));
        }
        let value = self.number(at).filter(|value| value.fract() == 0.0)?;
        let named = self.has_unit(at + 1, Unit::Year);
        if (1900.0..2200.0).contains(&value) && (named || self.unit(at + 1).is_none()) {
            return Some((value as i16, at + 1 + usize::from(named)));
        }
        // 25년 3월: the year of a month or a quarter.
        let part = named && (0.0..100.0).contains(&value) && self.part_after_year(at + 2).is_some();
        part.then(|| (value as i16 + 2000, at + 2))
    }

    /// A quarter, half or numbered month, and where it ends. 3분기 is the third quarter; for 3 quarters, 2분기 이상 and
    /// 2분기 동안 are lengths.
    fn year_part(&self, at: usize) -> Option<(YearPart, usize)> {
        self.part_after_year(at).filter(|(_, end)| {
            let long = [TimeWord::During, TimeWord::Within, TimeWord::Ago, TimeWord::Previous]
                .iter()
                .any(|word| self.is(*end, *word))
                || [Op::AtLeast, Op::AtMost, Op::More, Op::Less].iter().any(|op| self.op(*end, *op));
            !(long && self.has_unit(end - 1, Unit::Quarter))
        })
    }

    /// The same behind a year, where a quarter is no length: 2024년 2분기 동안.
    fn part_after_year(&self, at: usize) -> Option<(YearPart, usize)> {
        match self.word(at) {
            Some(TimeWord::QuarterOfYear(quarter)) => return Some((YearPart::Quarter(quarter), at + 1)),
            Some(TimeWord::HalfOfYear(half)) => return Some((YearPart::Half(half), at + 1)),
            _ => {}
        }
        let value = self.number(at).filter(|value| (1.0..13.0).contains(value) && value.fract() == 0.0)?;
        let number = value as u8;
        if self.has_unit(at + 1, Unit::MonthOfYear) {
            return Some((YearPart::Month(number), at + 2));
        }
        let ordinal = self.is_ordinal(at, value);
        if self.has_unit(at + 1, Unit::Quarter) && number <= 4 {
            let named = ordinal || !self.tokens[at + 1].spaced;
            return named.then_some((YearPart::Quarter(number), at + 2));
        }
        (ordinal && number <= 2 && self.op(at + 1, Op::Half)).then_some((YearPart::Half(number), at + 2))
    }

    /// A year with a part of it, in either order, or a quarter or half by itself.
    pub(super) fn part_of_year(&self, at: usize) -> Option<(Days, usize)> {
        if let Some((year, end)) = self.year(at) {
            let next = self.past_possessive(end);
            if let Some(TimeWord::MonthName(month)) = self.word(next) {
                let (_, end) = self.month_name(next, month)?;
                let day = self.number(next + 1).filter(|_| end > next + 1);
                let days = match day.filter(|day| (1.0..32.0).contains(day)) {
                    Some(day) => calendar::day(Some(year), month, day as u8, self.now)?,
                    None => calendar::month(Some(year), month, self.now)?,
                };
                return Some((days, end));
            }
            let (part, end) = self.part_after_year(next)?;
            if let YearPart::Month(month) = part {
                return self.month_and_day(Some(year), month.into(), end);
            }
            return Some((part.days(Some(year), self.now)?, end));
        }
        let (part, end) = self.year_part(at)?;
        if matches!(part, YearPart::Month(_)) {
            return None;
        }
        let of = usize::from(self.link(end, Link::Of));
        if let Some((year, end)) = self.year(end + of) {
            return Some((part.days(Some(year), self.now)?, end));
        }
        // The first half of March.
        if let YearPart::Half(half) = part
            && let Some((month, end)) =
                self.date(end + of).filter(|(days, _)| of == 1 && days.unit == Some(Unit::Month))
        {
            let middle = calendar::add(month.first, 15);
            let (first, after) = if half == 1 { (month.first, middle) } else { (middle, month.after) };
            return Some((Days { first, after, unit: None }, end));
        }
        Some((part.days(self.shared_year(at, end, part.first_month()), self.now)?, end))
    }

    /// Last March and 지난 3월, in March, are that of last year.
    pub(super) fn same_month_last_year(&self, at: usize) -> Option<(Days, usize)> {
        let (month, end) = match (self.word(at), self.year_part(at)) {
            (Some(TimeWord::MonthName(month)), _) => (month, at + 1),
            (_, Some((YearPart::Month(month), end))) => (month, end),
            _ => return None,
        };
        let whole = i8::try_from(month) == Ok(self.now.month()) && self.number(end).is_none();
        whole.then(|| Some((calendar::month(Some(self.now.year() - 1), month, self.now)?, end)))?
    }

    /// 1~3월, 1-2분기: the unit is said once.
    pub(super) fn first_part(&mut self, at: usize) -> Option<usize> {
        let value = self.number(at).filter(|value| (1.0..13.0).contains(value) && value.fract() == 0.0)?;
        let mark = self.tokens.get(at + 1).is_some_and(|token| token.is_mark('~') || token.is_mark('-'));
        let (other, end) = self.year_part(at + 2).filter(|_| mark && self.tokens[at].particles.is_empty())?;
        let first = match other {
            YearPart::Month(_) => YearPart::Month(value as u8),
            YearPart::Quarter(_) if value <= 4.0 => YearPart::Quarter(value as u8),
            _ => return None,
        };
        let (before, month) = (at.checked_sub(1), first.first_month());
        let year = match self.pieces.last() {
            // 작년 1~3월.
            Some((tokens, Piece::Days(days))) if tokens.end == at && days.unit == Some(Unit::Year) => {
                let year = days.first.year();
                self.pieces.pop();
                Some(year)
            }
            _ => self.shared_year(at, end, month),
        };
        let from = before.filter(|_| year.is_some()).and_then(|before| self.year_start(before)).unwrap_or(at);
        self.piece(from..at + 1, Piece::Days(first.days(year, self.now)?))
    }

    /// Where the year begins that ends with this token.
    fn year_start(&self, last: usize) -> Option<usize> {
        (last.saturating_sub(1)..=last).find(|at| self.year(*at).is_some_and(|(_, end)| end == last + 1))
    }

    /// The year that was said of the part before, or is said of the one behind: 작년 1월과 2월, Jan and Feb 2025.
    pub(super) fn shared_year(&self, at: usize, end: usize, month: u8) -> Option<i16> {
        if let Some((tokens, Piece::Days(before))) = self.pieces.last() {
            let mark =
                tokens.end + 1 == at && (self.is_joint(tokens.end) || self.op(tokens.end, Op::Compare));
            let particle = tokens.end == at
                && [Particle::With, Particle::From, Particle::At]
                    .iter()
                    .any(|one| self.particle(at - 1, *one));
            let range = !self.link(tokens.end, Link::And)
                && !self.op(tokens.end, Op::Compare)
                && !self.particle(tokens.end - 1, Particle::With);
            if (mark || particle)
                && let Some((year, _)) = tokens.clone().find_map(|place| self.year(place))
            {
                let earlier = i16::from(month) < i16::from(before.first.month());
                return Some(if range && earlier { before.first.year() + 1 } else { year });
            }
        }
        let joint = self.is_joint(end) || self.op(end, Op::Compare);
        let (next, after) = match self.word(end + 1) {
            Some(TimeWord::MonthName(next)) => (next, end + 2),
            _ => self.year_part(end + 1).map(|(part, after)| (part.first_month(), after))?,
        };
        let day = usize::from(self.number(after).is_some_and(|day| day < 32.0));
        let (year, _) = self.year(after + day).filter(|_| joint)?;
        Some(if month > next { year - 1 } else { year })
    }

    /// Q1 revenue this year: the year stands a word away from its part.
    pub(super) fn settle_years(&mut self) {
        let whole = |piece: &Piece| matches!(piece, Piece::Days(days) if days.unit == Some(Unit::Year));
        let years: Vec<usize> = (0..self.pieces.len()).filter(|at| whole(&self.pieces[*at].1)).collect();
        let [place] = years.as_slice() else { return };
        let (said, Piece::Days(year)) = self.pieces[*place].clone() else { return };
        let near = |from: usize, to: usize| {
            from + 1 == to
                && !self.is_joint(from)
                && !self.op(from, Op::Compare)
                && self.tokens[from].particles.is_empty()
        };
        let parts: Vec<usize> = (0..self.pieces.len())
            .filter(|at| {
                let (tokens, piece) = &self.pieces[*at];
                let named = tokens.clone().any(|at| self.year_part(at).is_some())
                    && !tokens.clone().any(|at| self.year(at).is_some());
                named
                    && matches!(piece, Piece::Days(days) if !days.is_one())
                    && (near(tokens.end, said.start) || near(said.end, tokens.start))
            })
            .collect();
        for part in &parts {
            if let Piece::Days(days) = &mut self.pieces[*part].1 {
                let by = i64::from(year.first.year() - days.first.year());
                let shifted =
                    |day: jiff::civil::Date| day.checked_add(jiff::Span::new().years(by)).unwrap_or(day);
                *days = Days { first: shifted(days.first), after: shifted(days.after), ..*days };
            }
        }
        if !parts.is_empty() {
            self.pieces.remove(*place);
            self.push(said, Timed::Narrowed);
        }
    }
}
