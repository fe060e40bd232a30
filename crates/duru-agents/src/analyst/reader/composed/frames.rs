//! From the words of the network to a frame. What does not fit makes no frame at all: nothing is left out.

use duru_language::Unit;
use duru_language::time::Length;
use duru_meaning::Term;

use super::conditions;
use super::thing::Thing;
use crate::analyst::frame::{Column, Dimension, Filter, Frame, Measure, Stat, Window};
use crate::analyst::reader::reading::Reading;

/// The frame of what was written, if it makes sense, and whether a part of it was guessed.
pub(super) fn frame(
    terms: &[Term],
    things: &[Thing],
    table: String,
    reading: &Reading<'_>,
) -> Option<(Frame, bool)> {
    let mut writer = Writer {
        terms,
        at: 0,
        things,
        reading,
        frame: Frame { table, ..Frame::default() },
        listed: false,
        guessed: false,
    };
    writer.all()?;
    let Writer { mut frame, listed, guessed, .. } = writer;
    // Groups are shown with how many rows they have, unless only their names are wanted.
    let measured = !frame.measures.is_empty() || frame.count_groups;
    if !frame.dimensions.is_empty() && !measured && !listed {
        return None;
    }
    if !frame.having.is_empty() && frame.dimensions.is_empty() {
        return None;
    }
    conditions::merge(&mut frame.filters);
    if reading.is_foreign() {
        reading.count_things(&mut frame);
    }
    reading.fits_tables(&mut frame).ok()?;
    Some((frame, guessed))
}

pub(super) struct Writer<'a> {
    pub(super) terms: &'a [Term],
    pub(super) at: usize,
    pub(super) things: &'a [Thing],
    pub(super) reading: &'a Reading<'a>,
    pub(super) frame: Frame,
    /// Only the names of groups are wanted.
    listed: bool,
    /// What rows are grouped by was not found, and is taken to be what tells them apart.
    guessed: bool,
}

impl<'a> Writer<'a> {
    fn all(&mut self) -> Option<()> {
        self.shown()?;
        while self.at < self.terms.len() {
            self.expect(";")?;
            match self.word()? {
                "by" => self.groups()?,
                "where" => {
                    let filters = self.conditions(&[";"])?;
                    self.frame.filters.extend(filters);
                }
                "time" => self.time()?,
                "vs" => self.compared()?,
                "having" => self.having()?,
                "order" => self.order()?,
                "limit" => self.frame.limit = Some(self.count()?),
                "ends" => self.frame.both_ends = true,
                "each" => {
                    self.frame.best_each = Some(self.count()?);
                    self.frame.limit = None;
                }
                "cumulative" => self.frame.window = Some(Window::Cumulative),
                "moving" => self.frame.window = Some(Window::Moving(self.count()?)),
                _ => return None,
            }
        }
        Some(())
    }

    pub(super) fn peek(&self) -> Option<&'a Term> {
        self.terms.get(self.at)
    }

    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Term::Word(known)) if *known == word)
    }

    pub(super) fn next(&mut self) -> Option<&'a Term> {
        self.at += 1;
        self.terms.get(self.at - 1)
    }

    pub(super) fn word(&mut self) -> Option<&'static str> {
        match self.next()? {
            Term::Word(word) => Some(word),
            Term::Thing(_) => None,
        }
    }

    pub(super) fn thing(&mut self) -> Option<&'a Thing> {
        match self.next()? {
            Term::Thing(thing) => self.things.get(*thing),
            Term::Word(_) => None,
        }
    }

    pub(super) fn expect(&mut self, word: &str) -> Option<()> {
        self.is(word).then(|| self.at += 1)
    }

    pub(super) fn take(&mut self, word: &str) -> bool {
        let is = self.is(word);
        self.at += usize::from(is);
        is
    }

    pub(super) fn count(&mut self) -> Option<u32> {
        let value = match self.next()? {
            Term::Word(word) => word.parse().ok()?,
            Term::Thing(thing) => {
                let thing = self.things.get(*thing)?;
                thing.number.or(thing.length.map(|length| f64::from(length.amount)))?
            }
        };
        (1.0..=10_000.0).contains(&value).then_some(value as u32)
    }

    /// The column that a thing names, by a noun or an adjective.
    pub(super) fn column(&mut self) -> Option<Column> {
        let thing = self.thing()?;
        thing.column.clone().or_else(|| Some(thing.attribute.as_ref()?.0.clone()))
    }

    fn shown(&mut self) -> Option<()> {
        while self.at < self.terms.len() && !self.is(";") {
            match self.peek()? {
                Term::Word("rows") => {
                    self.at += 1;
                    if self.take("(") {
                        loop {
                            let column = self.column()?;
                            self.frame.show.push(column);
                            if !self.take(",") {
                                break;
                            }
                        }
                        self.expect(")")?;
                    }
                }
                Term::Word("values") => {
                    self.at += 1;
                    self.listed = true;
                }
                Term::Word("exists") => {
                    self.at += 1;
                    self.frame.measures.push(Measure::Count);
                }
                Term::Word("groups") => {
                    self.at += 1;
                    self.frame.count_groups = true;
                }
                Term::Word("share") => {
                    self.at += 1;
                    self.frame.measures.extend([Measure::Count, Measure::Share]);
                }
                _ => {
                    let figure = self.figure()?;
                    if !self.frame.measures.contains(&figure) {
                        self.frame.measures.push(figure);
                    }
                }
            }
        }
        Some(())
    }

    pub(super) fn figure(&mut self) -> Option<Measure> {
        let word = match self.next()? {
            Term::Thing(thing) => {
                let thing = self.things.get(*thing)?;
                return match (&thing.rate, &thing.named) {
                    (Some(filters), _) => Some(Measure::Rate(filters.clone())),
                    (None, Some((name, expression))) => {
                        Some(Measure::Named(name.clone(), expression.clone()))
                    }
                    _ => None,
                };
            }
            Term::Word(word) => *word,
        };
        match word {
            "count" => return Some(Measure::Count),
            "share" => return Some(Measure::Share),
            "first" => return Some(Measure::First),
            "last" => return Some(Measure::Last),
            "span" => return Some(Measure::Span),
            "age" => return Some(Measure::Age),
            _ => {}
        }
        self.expect("(")?;
        let measure = match word {
            "ratio" | "diff" => {
                let one = Box::new(self.figure()?);
                self.expect(",")?;
                let other = Box::new(self.figure()?);
                if word == "ratio" {
                    Measure::Ratio(one, other, self.reading.asks_percent())
                } else {
                    Measure::Difference(one, other)
                }
            }
            "countif" => Measure::CountOf(self.conditions(&[")"])?),
            "rate" => Measure::Rate(self.conditions(&[")"])?),
            "rated" => {
                let column = self.column()?;
                self.expect(",")?;
                Measure::RateOf(column, self.conditions(&[")"])?)
            }
            "per" => Measure::PerValue(self.dimension()?),
            "distinct" => {
                let column = self.column()?;
                Measure::Distinct(column, self.only()?)
            }
            "pct" => {
                let part = self.thing()?.percentile?;
                self.expect(",")?;
                let column = self.number_column()?;
                Measure::Stat(Stat::Percentile(part), column, self.only()?)
            }
            _ => {
                let stat = match word {
                    "sum" => Stat::Sum,
                    "avg" => Stat::Average,
                    "max" => Stat::Maximum,
                    "min" => Stat::Minimum,
                    "median" => Stat::Percentile(0.5),
                    _ => return None,
                };
                let column = self.number_column()?;
                Measure::Stat(stat, column, self.only()?)
            }
        };
        self.expect(")")?;
        Some(measure)
    }

    fn number_column(&mut self) -> Option<Column> {
        self.column().filter(|column| self.reading.described(column).is_some_and(|known| known.is_number()))
    }

    /// What a figure is restricted to.
    fn only(&mut self) -> Option<Vec<Filter>> {
        if self.take("|") { self.conditions(&[")"]) } else { Some(Vec::new()) }
    }

    fn dimension(&mut self) -> Option<Dimension> {
        if let Some(Term::Word(word)) = self.peek() {
            self.at += 1;
            let every = |unit| Some(Dimension::Every(Length::new(1, unit)));
            return match *word {
                "minute" => every(Unit::Minute),
                "hour" => every(Unit::Hour),
                "day" => every(Unit::Day),
                "week" => every(Unit::Week),
                "month" => every(Unit::Month),
                "hourofday" => Some(Dimension::HourOfDay),
                "weekday" => Some(Dimension::DayOfWeek),
                // Where rows come from, if the word for it is no thing of the table: 제일 많은 데, which ones.
                "<lost>" => {
                    let table = self.reading.table_of()?;
                    let place = Column::new(&table.name, table.identify.as_ref()?);
                    self.guessed = true;
                    let fixed = self.frame.dimensions.contains(&Dimension::Column(place.clone()));
                    (!fixed).then_some(Dimension::Column(place))
                }
                "every" => {
                    self.expect("(")?;
                    let length = self.thing()?.length?;
                    self.expect(")")?;
                    Some(Dimension::Every(length))
                }
                _ => None,
            };
        }
        self.column().map(Dimension::Column)
    }

    fn groups(&mut self) -> Option<()> {
        while self.at < self.terms.len() && !self.is(";") {
            let dimension = self.dimension()?;
            self.frame.dimensions.push(dimension);
        }
        Some(())
    }
}
