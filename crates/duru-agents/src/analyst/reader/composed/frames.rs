//! From the words of the network to a frame. What does not fit makes no frame at all: nothing is left out.

use duru_language::Unit;
use duru_language::time::{Length, Period};
use duru_meaning::Term;

use super::super::divide::in_unit;
use super::super::reading::Reading;
use super::slots::Thing;
use crate::analyst::frame::{
    By, Column, Compare, Comparison, Dimension, Filter, Frame, Having, Keep, Measure, Order, Stat, Test,
    Than, Window,
};

/// The frame of what was written, if it makes sense.
pub(super) fn frame(terms: &[Term], things: &[Thing], reading: &Reading<'_>) -> Option<Frame> {
    let table = reading.draft.table.clone()?;
    let mut writer =
        Writer { terms, at: 0, things, reading, frame: Frame { table, ..Frame::default() }, listed: false };
    writer.all()?;
    let Writer { mut frame, listed, .. } = writer;
    // Groups are shown with how many rows they have, unless only their names are wanted.
    let measured = !frame.measures.is_empty() || frame.count_groups;
    if !frame.dimensions.is_empty() && !measured && !listed {
        return None;
    }
    if !frame.having.is_empty() && frame.dimensions.is_empty() {
        return None;
    }
    merge(&mut frame.filters);
    reading.fits_tables(&mut frame).ok()?;
    Some(frame)
}

/// Whether a frame can only find what is known before: nothing, everything, or one of each. Nobody asks that.
pub(super) fn is_vain(frame: &Frame) -> bool {
    let apart = |one: &Filter, other: &Filter| {
        one.column == other.column
            && match (&one.test, &other.test) {
                (Test::OneOf(values), Test::OneOf(others)) => {
                    !values.iter().any(|value| others.contains(value))
                }
                (Test::OneOf(values), Test::NoneOf(others)) | (Test::NoneOf(others), Test::OneOf(values)) => {
                    values.iter().all(|value| others.contains(value))
                }
                _ => false,
            }
    };
    let filters = &frame.filters;
    let contradicts =
        filters.iter().enumerate().any(|(at, one)| filters[at + 1..].iter().any(|other| apart(one, other)));
    let grouped = |column: &Column| frame.dimensions.contains(&Dimension::Column(column.clone()));
    let one_each = |measure: &Measure| match measure {
        Measure::Distinct(column, _) | Measure::RateOf(column, _) => grouped(column),
        Measure::Rate(of) => {
            of.iter().all(|one| filters.contains(one))
                || of.iter().any(|one| filters.iter().any(|other| apart(one, other)))
        }
        _ => false,
    };
    let twice = |at: usize| frame.dimensions[at + 1..].contains(&frame.dimensions[at]);
    contradicts || frame.measures.iter().any(one_each) || (0..frame.dimensions.len()).any(twice)
}

struct Writer<'a> {
    terms: &'a [Term],
    at: usize,
    things: &'a [Thing],
    reading: &'a Reading<'a>,
    frame: Frame,
    /// Only the names of groups are wanted.
    listed: bool,
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

    fn peek(&self) -> Option<&'a Term> {
        self.terms.get(self.at)
    }

    fn is(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Term::Word(known)) if *known == word)
    }

    fn next(&mut self) -> Option<&'a Term> {
        self.at += 1;
        self.terms.get(self.at - 1)
    }

    fn word(&mut self) -> Option<&'static str> {
        match self.next()? {
            Term::Word(word) => Some(word),
            Term::Thing(_) => None,
        }
    }

    fn thing(&mut self) -> Option<&'a Thing> {
        match self.next()? {
            Term::Thing(thing) => self.things.get(*thing),
            Term::Word(_) => None,
        }
    }

    fn expect(&mut self, word: &str) -> Option<()> {
        self.is(word).then(|| self.at += 1)
    }

    fn take(&mut self, word: &str) -> bool {
        let is = self.is(word);
        self.at += usize::from(is);
        is
    }

    fn count(&mut self) -> Option<u32> {
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
    fn column(&mut self) -> Option<Column> {
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
                    self.frame.measures.push(figure);
                }
            }
        }
        Some(())
    }

    fn figure(&mut self) -> Option<Measure> {
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

    /// Conditions up to one of these words.
    fn conditions(&mut self, until: &[&str]) -> Option<Vec<Filter>> {
        let mut all = Vec::new();
        while self.at < self.terms.len() && !until.iter().any(|word| self.is(word)) && !self.is(",") {
            let mut either = vec![self.condition()?];
            while self.take("/") {
                either.push(self.condition()?);
            }
            if either.len() == 1 {
                all.extend(either.pop()?);
            } else {
                all.push(joined(either)?);
            }
        }
        (!all.is_empty()).then_some(all)
    }

    fn condition(&mut self) -> Option<Vec<Filter>> {
        let not = self.take("-");
        let thing = self.thing()?;
        if self.take("?") {
            let present = match self.word()? {
                "yes" => !not,
                "no" => not,
                _ => return None,
            };
            let column = thing.column.clone()?;
            return Some(vec![Filter::new(column, if present { Test::Present } else { Test::Absent })]);
        }
        let compare = match self.peek() {
            Some(Term::Word(">")) => Some(Compare::More),
            Some(Term::Word(">=")) => Some(Compare::AtLeast),
            Some(Term::Word("<")) => Some(Compare::Less),
            Some(Term::Word("<=")) => Some(Compare::AtMost),
            Some(Term::Word("=")) => Some(Compare::Equal),
            _ => None,
        };
        if let Some(compare) = compare {
            self.at += 1;
            return self.compare(thing, compare, not);
        }
        if let (true, Some(column)) = (thing.filters.is_empty(), &thing.column) {
            let flag = self.reading.described(column).is_some_and(|known| {
                matches!(known.kind, duru_sql::Kind::Boolean)
                    || known.values.iter().any(|value| value.value == "true")
            });
            let value = if not { "false" } else { "true" };
            return flag.then(|| vec![Filter::new(column.clone(), Test::OneOf(vec![value.into()]))]);
        }
        if thing.filters.is_empty() {
            return None;
        }
        if !not {
            return Some(thing.filters.clone());
        }
        let [only] = thing.filters.as_slice() else { return None };
        let test = match &only.test {
            Test::OneOf(values) => Test::NoneOf(values.clone()),
            Test::Contains(words) if words.len() == 1 => Test::Lacks(words[0].clone()),
            _ => return None,
        };
        Some(vec![Filter::new(only.column.clone(), test)])
    }

    fn compare(&mut self, thing: &Thing, compare: Compare, not: bool) -> Option<Vec<Filter>> {
        if let Some(filter) = thing.filters.first().filter(|_| thing.column.is_none()) {
            // A level and worse.
            let Test::OneOf(values) = &filter.test else { return None };
            let ordered = self
                .reading
                .described(&filter.column)
                .is_some_and(|known| matches!(known.kind, duru_sql::Kind::Ordered(_)));
            self.next()?;
            return (ordered && !not && values.len() == 1)
                .then(|| vec![Filter::new(filter.column.clone(), Test::Rank(compare, values[0].clone()))]);
        }
        let column = thing.column.clone().or_else(|| Some(thing.attribute.as_ref()?.0.clone()))?;
        let known = self.reading.described(&column).filter(|known| known.is_number())?;
        let value = match self.next()? {
            Term::Word(word) => word.parse().ok()?,
            Term::Thing(other) => {
                let other = self.things.get(*other)?;
                match (other.length, other.number) {
                    (Some(length), _) => in_unit(length.seconds(), known.unit.as_deref()),
                    (None, Some(number)) => number,
                    _ => return None,
                }
            }
        };
        (!not).then(|| vec![Filter::new(column, Test::Number(compare, value))])
    }

    fn period(&mut self) -> Option<Period> {
        self.thing()?.period.clone()
    }

    fn time(&mut self) -> Option<()> {
        self.frame.time = Some(self.period()?);
        (!self.is("/")).then_some(())
    }

    fn compared(&mut self) -> Option<()> {
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

    fn having(&mut self) -> Option<()> {
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
                    let compare = match self.word()? {
                        ">" => Compare::More,
                        ">=" => Compare::AtLeast,
                        "<" => Compare::Less,
                        "<=" => Compare::AtMost,
                        "=" => Compare::Equal,
                        _ => return None,
                    };
                    let value = match self.next()? {
                        Term::Word(word) => word.parse().ok()?,
                        Term::Thing(thing) => {
                            let thing = self.things.get(*thing)?;
                            match (&measure, thing.length, thing.number) {
                                (Measure::Stat(_, column, _), Some(length), _) => {
                                    let unit = self.reading.described(column)?.unit.as_deref();
                                    in_unit(length.seconds(), unit)
                                }
                                (Measure::Span, Some(length), _) => length.seconds(),
                                (_, None, Some(number)) => number,
                                _ => return None,
                            }
                        }
                    };
                    self.frame.having.push(Having { measure, compare, than: Than::Number(value) });
                }
            }
        }
        Some(())
    }

    fn order(&mut self) -> Option<()> {
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
                Some(measure) => match self.frame.measures.iter().position(|known| *known == measure) {
                    Some(place) => By::Measure(place),
                    None => {
                        // What is ordered by is shown.
                        self.frame.measures.push(measure);
                        By::Measure(self.frame.measures.len() - 1)
                    }
                },
                None => {
                    self.at = start;
                    let column = self.column()?;
                    if self.frame.dimensions.is_empty() {
                        By::Column(column)
                    } else {
                        let stat = |measure: &Measure| matches!(measure, Measure::Stat(_, known, _) if *known == column);
                        match self.frame.measures.iter().position(stat) {
                            Some(place) => By::Measure(place),
                            None if self.frame.dimensions.first()
                                == Some(&Dimension::Column(column.clone())) =>
                            {
                                By::Time
                            }
                            None => {
                                self.frame
                                    .measures
                                    .insert(0, Measure::Stat(Stat::Average, column, Vec::new()));
                                By::Measure(0)
                            }
                        }
                    }
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
}

/// One of several conditions holds.
fn joined(either: Vec<Vec<Filter>>) -> Option<Filter> {
    let first = either.first()?.first()?.column.clone();
    let values = |all: &[Filter]| match all {
        [Filter { column, test: Test::OneOf(values) }] if *column == first => Some(values.clone()),
        _ => None,
    };
    let listed: Option<Vec<Vec<String>>> = either.iter().map(|all| values(all)).collect();
    if let Some(listed) = listed {
        return Some(Filter::new(first, Test::OneOf(listed.concat())));
    }
    let single: Option<Vec<Filter>> =
        either.into_iter().map(|all| <[Filter; 1]>::try_from(all).ok().map(|[one]| one)).collect();
    Some(Filter::new(first, Test::Either(single?)))
}

/// Several values that a column is not to have are one condition; the same condition twice is one.
fn merge(filters: &mut Vec<Filter>) {
    let mut merged: Vec<Filter> = Vec::new();
    for filter in filters.drain(..) {
        if let Test::NoneOf(more) = &filter.test
            && let Some(Filter { test: Test::NoneOf(values), .. }) = merged
                .iter_mut()
                .find(|known| known.column == filter.column && matches!(known.test, Test::NoneOf(_)))
        {
            values.extend(more.iter().cloned());
        } else if !merged.contains(&filter) {
            merged.push(filter);
        }
    }
    *filters = merged;
}
