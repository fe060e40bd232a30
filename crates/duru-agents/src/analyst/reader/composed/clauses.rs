//! The clauses of a frame after what is shown: its time, what it is compared with, conditions on groups, and order.

use duru_language::time::Period;
use duru_meaning::Term;

use super::frames::Writer;
use super::thing::Thing;
use crate::analyst::frame::{
    By, Column, Compare, Comparison, Dimension, Filter, Having, Keep, Measure, Order, Stat, Test, Than,
};
use crate::analyst::reader::divide::in_unit;
use crate::analyst::reader::money::may_be_money;

impl Writer<'_> {
    fn period(&mut self) -> Option<Period> {
        self.thing()?.period.clone()
    }

    pub(super) fn time(&mut self) -> Option<()> {
        let mut time = self.period()?;
        // Yesterday and today are one period; those with something between them are none.
        while self.take("/") {
            time = time.together(&self.period()?, self.reading.now)?;
        }
        match self.year_column().zip(self.whole_year(&time)) {
            Some((column, year)) => {
                self.frame.filters.push(Filter::new(column, Test::Number(Compare::Equal, year)));
            }
            None => self.frame.time = Some(time),
        }
        Some(())
    }

    /// A table without a time may still have a number for the year.
    fn year_column(&self) -> Option<Column> {
        let table = self.reading.domain.table(&self.frame.table).filter(|table| table.time.is_none())?;
        let year = table.columns.iter().find(|column| {
            let named = column.nouns.iter().any(|noun| noun.split(' ').next_back() == Some("year"));
            named && column.is_number()
        })?;
        Some(Column::new(&table.name, &year.name))
    }

    fn whole_year(&self, period: &Period) -> Option<f64> {
        let Period::Range { from: Some(from), until: Some(until), .. } = period else { return None };
        let zone = self.reading.now.time_zone();
        let (from, until) = (from.to_zoned(zone.clone()), until.to_zoned(zone.clone()));
        let whole = from.day_of_year() == 1 && until.day_of_year() == 1 && until.year() == from.year() + 1;
        whole.then(|| f64::from(from.year()))
    }

    pub(super) fn compared(&mut self) -> Option<()> {
        let now = self.reading.now;
        let with =
            if self.take("before") { self.frame.time.as_ref()?.previous(now)? } else { self.period()? };
        let this = match &self.frame.time {
            Some(this) => this.clone(),
            None => self.reading.current(&with),
        };
        let mut keep = Keep::All;
        if self.take("keep") {
            keep = match self.word()? {
                "more" => Keep::More,
                "fewer" => Keep::Fewer,
                "new" => Keep::New,
                "gone" => Keep::Gone,
                "times" => {
                    self.expect("(")?;
                    let times = self.count()?;
                    self.expect(")")?;
                    Keep::Times(Compare::AtLeast, f64::from(times))
                }
                _ => return None,
            };
        }
        let whole = with.clone();
        let with = if matches!(keep, Keep::New | Keep::Gone) {
            with
        } else {
            with.up_to_the_same_time(&this, now).unwrap_or(with)
        };
        let whole = (whole != with).then_some(whole);
        self.frame.time = Some(this);
        self.frame.compare = Some(Comparison { with, whole, keep });
        Some(())
    }

    pub(super) fn having(&mut self) -> Option<()> {
        while self.at < self.terms.len() && !self.is(";") {
            match self.peek()? {
                Term::Word("none" | "some") => {
                    let none = self.word()? == "none";
                    self.expect("(")?;
                    let filters = self.conditions(&[")"])?;
                    self.expect(")")?;
                    if none {
                        self.frame.none_of.extend(filters);
                    } else {
                        self.frame.some_of.extend(filters);
                    }
                }
                Term::Word("silent") => {
                    self.at += 1;
                    self.expect("(")?;
                    self.frame.silent = Some(self.period()?);
                    self.frame.measures = vec![Measure::Last];
                    self.expect(")")?;
                }
                Term::Word("all") => return None,
                _ => {
                    let measure = self.figure()?;
                    let compare = self.comparison()?;
                    let value = self.bound_of(&measure)?;
                    self.frame.having.push(Having { measure, compare, than: Than::Number(value) });
                }
            }
        }
        Some(())
    }

    pub(super) fn order(&mut self) -> Option<()> {
        let start = self.at;
        let by = match self.peek()? {
            Term::Word("newest" | "oldest") => {
                let descending = self.word()? == "newest";
                self.frame.order = Some(Order { by: By::Time, descending });
                return Some(());
            }
            Term::Word("growth") => {
                self.at += 1;
                By::Growth
            }
            Term::Word("growthrate") => {
                self.at += 1;
                By::GrowthRate
            }
            Term::Word("day" | "hour" | "week" | "month" | "minute") => {
                self.at += 1;
                By::Time
            }
            _ => match self.figure() {
                Some(measure) => self.ordered_by(measure),
                None => {
                    self.at = start;
                    self.ordered_by_column()?
                }
            },
        };
        let descending = if self.take("asc") {
            false
        } else {
            self.take("desc");
            true
        };
        self.frame.order = Some(Order { by, descending });
        Some(())
    }

    /// What is ordered by is shown.
    fn ordered_by(&mut self, measure: Measure) -> By {
        let measures = &mut self.frame.measures;
        By::Measure(measures.iter().position(|known| *known == measure).unwrap_or_else(|| {
            measures.push(measure);
            measures.len() - 1
        }))
    }

    fn ordered_by_column(&mut self) -> Option<By> {
        let column = self.column()?;
        let frame = &mut self.frame;
        if frame.dimensions.is_empty() {
            return Some(By::Column(column));
        }
        let of_it = |measure: &Measure| matches!(measure, Measure::Stat(_, known, _) if *known == column);
        if let Some(place) = frame.measures.iter().position(of_it) {
            return Some(By::Measure(place));
        }
        if frame.dimensions.first() == Some(&Dimension::Column(column.clone())) {
            return Some(By::Time);
        }
        frame.measures.insert(0, Measure::Stat(Stat::Average, column, Vec::new()));
        Some(By::Measure(0))
    }

    fn comparison(&mut self) -> Option<Compare> {
        match self.word()? {
            ">" => Some(Compare::More),
            ">=" => Some(Compare::AtLeast),
            "<" => Some(Compare::Less),
            "<=" => Some(Compare::AtMost),
            "=" => Some(Compare::Equal),
            _ => None,
        }
    }

    /// What a figure is compared with, in its own unit.
    fn bound_of(&mut self, measure: &Measure) -> Option<f64> {
        let thing = match self.next()? {
            Term::Word(word) => return word.parse().ok(),
            Term::Thing(thing) => self.things.get(*thing)?,
        };
        match (measure, thing.length, thing.number) {
            (Measure::Stat(_, column, _), Some(length), _) => {
                let unit = self.reading.described(column)?.unit.as_deref();
                Some(in_unit(length.seconds(), unit))
            }
            (Measure::Span, Some(length), _) => Some(length.seconds()),
            (measure, None, Some(number)) => self.fits(measure, thing).then_some(number),
            _ => None,
        }
    }

    /// Whether a figure may be compared with a number: a sum of money only with money.
    fn fits(&self, measure: &Measure, number: &Thing) -> bool {
        let of_money = |column: &Column| self.reading.described(column).is_some_and(may_be_money);
        !number.is_money || matches!(measure, Measure::Stat(_, column, _) if of_money(column))
    }
}
