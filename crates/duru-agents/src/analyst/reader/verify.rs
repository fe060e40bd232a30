//! A second look at a frame: does it say everything that the question said? The passes take words as they go, and a word
//! that was taken may still have come to nothing. What a frame does not show is not passed over: the person is asked.

use std::collections::BTreeSet;

use duru_language::{Ask, Op, Sense, Unit};

use super::confidence::is_deed;
use super::items::{Item, ItemKind};
use super::link::Mention;
use super::reading::Reading;
use crate::analyst::frame::{By, Column, Dimension, Filter, Frame, Measure, Order, Stat, Test};

impl Reading<'_> {
    /// The words of which a frame shows nothing.
    pub(super) fn unaccounted(&self, frame: &Frame) -> Vec<String> {
        let shown = Shown::of(frame, self.table_of().and_then(|table| table.time.as_deref()));
        let lost = (0..self.items.len()).filter(|at| {
            let item = &self.items[*at];
            item.used && self.counts_nobody(*at)
                || item.used
                    && !item.redundant
                    && !self.is_background(*at)
                    && !self.is_told(*at)
                    && matches!(item.kind, ItemKind::Word)
                    && !self.says_all(*at)
                    && !(self.names_shown(item, &shown)
                        && self.does_shown(item, &shown)
                        && self.answers_which(*at, frame))
        });
        let mut lost: Vec<String> = lost.map(|at| self.items[at].text.trim().to_owned()).collect();
        lost.extend(self.second_superlative(frame));
        lost.extend(self.unknown_relations(frame));
        lost
    }

    /// Whether the words tell of two ends of an order. An unknown word may be one of them.
    pub(super) fn speaks_of_both_ends(&self) -> bool {
        let ends = [
            Op::Most,
            Op::Least,
            Op::Top,
            Op::Maximum,
            Op::Minimum,
            Op::Much,
            Op::Few,
            Op::High,
            Op::Low,
            Op::Slow,
            Op::Fast,
            Op::Bad,
            Op::First,
            Op::Last,
            Op::Newest,
            Op::Oldest,
        ];
        let may_be = |item: &&Item| {
            item.any_op(&ends).is_some()
                || item.kind == ItemKind::Unknown
                || item.mentions.iter().any(|mention| matches!(mention, Mention::Attribute(..)))
        };
        self.draft.both_ends || self.items.iter().filter(may_be).count() > 1
    }

    /// Chrome vs Safari, the two each: values of a column are set against each other, and a frame has one figure of all of them.
    pub(super) fn lumps(&self, frame: &Frame) -> bool {
        let one_figure = !frame.measures.is_empty()
            && frame.dimensions.is_empty()
            && frame.compare.is_none()
            && frame.all_of.is_none()
            && !frame.count_groups
            && frame.measures.iter().filter(|measure| **measure != Measure::Count).count() < 2;
        let several = frame.filters.iter().any(|filter| {
            matches!(&filter.test, Test::OneOf(values) if values.len() > 1)
                && self.draft.value_places.iter().filter(|(column, ..)| *column == filter.column).count() > 1
        });
        let apart = self.items.iter().any(|item| item.any_op(&[Op::Compare, Op::Each]).is_some());
        one_figure && several && apart && !self.is_of_things()
    }

    /// Things that do something to others: a river that runs through states. Which column says so, nobody told.
    fn unknown_relations(&self, frame: &Frame) -> Vec<String> {
        if !self.is_of_things() {
            return Vec::new();
        }
        let mut tables = 0;
        for table in &self.domain.tables {
            let named =
                self.items.iter().any(|item| item.mentions.contains(&Mention::Table(table.name.clone())));
            tables += usize::from(named && table.name != frame.table);
        }
        let verbs = self.items.iter().filter(|item| is_deed(item)).map(|item| item.text.trim().to_owned());
        // The Mississippi runs: a river, or the state.
        let several = self.items.iter().any(|item| {
            let names = item.mentions.iter().filter(|mention| {
                matches!(mention, Mention::Value(column, _)
                    if column.name.strip_suffix("_name") == Some(column.table.as_str()))
            });
            item.used && names.count() > 1
        });
        if tables > 0 || several { verbs.collect() } else { Vec::new() }
    }

    /// The biggest city in the smallest state: a frame has one order only.
    fn second_superlative(&self, frame: &Frame) -> Option<String> {
        let superlative = |item: &&Item| {
            let attribute = item.mentions.iter().any(|mention| matches!(mention, Mention::Attribute(..)));
            item.used
                && (attribute && item.text.ends_with("est")
                    || item.any_op(&[Op::Maximum, Op::Minimum]).is_some() && item.mentions.is_empty())
        };
        let second = self.items.iter().filter(superlative).nth(1)?;
        let several =
            frame.measures.iter().filter(|measure| matches!(measure, Measure::Stat(..))).count() > 1;
        (self.is_of_things() && !frame.both_ends && !several).then(|| second.text.trim().to_owned())
    }

    /// People are counted, and these rows are nobody's.
    fn counts_nobody(&self, at: usize) -> bool {
        let people = self.items[at].senses.contains(&Sense::Unit(Unit::People))
            || matches!(self.bare(at).to_lowercase().as_str(), "people" | "persons" | "inhabitants");
        people
            && self.is_of_things()
            && self.person().is_none()
            && !self.is_table(at)
            && self.column_at(at).is_none()
    }

    /// 서비스 전체, across all services: no more than if it were not said. 그 서비스: asked back about elsewhere.
    fn says_all(&self, at: usize) -> bool {
        let near = [at.checked_sub(1), Some(at + 1), at.checked_sub(2)];
        near.into_iter()
            .flatten()
            .filter_map(|place| self.items.get(place))
            .any(|item| item.any_op(&[Op::All, Op::Total, Op::Every, Op::Reference]).is_some())
            || self.column_at(at).is_some_and(|column| {
                self.described(&column).is_some_and(|column| column.kind == duru_sql::Kind::Json)
            })
    }

    /// Which jobs: rows that have them among much else are no list of jobs.
    fn answers_which(&self, at: usize, frame: &Frame) -> bool {
        let which = at > 0 && self.items[at - 1].senses.contains(&Sense::Ask(Ask::Which));
        let value = self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Value(..)));
        let Some(column) = self.column_at(at).filter(|_| which && !value && !self.is_table(at)) else {
            return true;
        };
        let lists = frame.is_rows() && frame.limit != Some(1) && frame.order.is_none();
        !lists || self.is_of_things() || frame.show.contains(&column)
    }

    /// Whether the columns and values that a word stands for are in the frame.
    fn names_shown(&self, item: &Item, shown: &Shown<'_>) -> bool {
        let attributes = item.mentions.iter().filter_map(|mention| match mention {
            Mention::Attribute(column, _) => Some(column),
            _ => None,
        });
        let attributes: Vec<&Column> = attributes.collect();
        if !attributes.is_empty() && attributes.len() == item.mentions.len() && self.is_of_things() {
            return shown.orders_something();
        }
        // Which of its values is meant will be asked.
        let open = |column: &Column| self.draft.unclear.iter().any(|(unclear, _)| unclear == column);
        let names_open = item.mentions.iter().any(|mention| match mention {
            Mention::Column(column) | Mention::Value(column, _) | Mention::Part(column, ..) => open(column),
            _ => false,
        });
        if names_open {
            return true;
        }
        if item.mentions.is_empty() || !item.senses.is_empty() {
            return true;
        }
        item.mentions.iter().any(|mention| match mention {
            Mention::Table(_) | Mention::Rate(_) | Mention::Named(..) => true,
            Mention::Column(column) | Mention::Attribute(column, _) => shown.has(column),
            Mention::Value(column, value) => shown.has(column) || shown.searches(value),
            Mention::Part(column, part, _) => shown.has(column) || shown.searches(part),
            Mention::Condition(filters) => filters.iter().any(|filter| shown.has(&filter.column)),
        })
    }

    /// Whether what a word wants done is done.
    fn does_shown(&self, item: &Item, shown: &Shown<'_>) -> bool {
        if item.mentions.iter().any(|mention| !matches!(mention, Mention::Attribute(..))) {
            return true;
        }
        let wants = item.senses.iter().filter_map(|sense| match sense {
            Sense::Op(op) => shown.does(*op),
            Sense::Ask(Ask::When) => Some(shown.times),
            _ => None,
        });
        let all: Vec<bool> = wants.collect();
        let meanings = item.senses.iter().filter(|sense| !matches!(sense, Sense::Time(_))).count();
        // A word of several meanings has one of them.
        all.is_empty() || all.len() < meanings || all.contains(&true)
    }
}

/// What a frame shows.
struct Shown<'a> {
    frame: &'a Frame,
    columns: BTreeSet<Column>,
    /// Moments or stretches of time, or rows with theirs.
    times: bool,
    /// Since the first of some rows, or of those of another query.
    since: bool,
}

impl<'a> Shown<'a> {
    fn of(frame: &'a Frame, time: Option<&str>) -> Self {
        let mut columns = BTreeSet::new();
        gather(frame, &mut columns);
        let measured = frame
            .measures
            .iter()
            .any(|measure| matches!(measure, Measure::First | Measure::Last | Measure::Span | Measure::Age));
        let times = measured || frame.is_rows() || frame.dimensions.iter().any(Dimension::is_time);
        if let Some(time) = time.filter(|_| times || frame.time.is_some()) {
            columns.insert(Column::new(&frame.table, time));
        }
        let since =
            frame.filters.iter().any(|filter| matches!(filter.test, Test::SinceFirst(..) | Test::FirstOf(_)));
        Self { frame, columns, times, since }
    }

    fn has(&self, column: &Column) -> bool {
        self.columns.contains(column)
            // What rows are listed with shows all of them.
            || self.frame.is_rows() && self.frame.show.is_empty()
    }

    /// Whether rows are put in order by a number, or one is measured.
    fn orders_something(&self) -> bool {
        self.measure(|measure| matches!(measure, Measure::Stat(..)))
            || matches!(&self.frame.order, Some(Order { by: By::Column(_), .. }))
    }

    /// Whether a text is looked for.
    fn searches(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let same = |word: &String| {
            let word = word.to_lowercase();
            text.contains(&word) || word.contains(&text)
        };
        self.frame.filters.iter().any(|filter| match &filter.test {
            Test::Contains(words) | Test::ContainsAll(words) => words.iter().any(same),
            Test::Lacks(word) | Test::StartsWith(word) | Test::EndsWith(word) => same(word),
            _ => false,
        })
    }

    fn measure(&self, fits: impl Fn(&Measure) -> bool) -> bool {
        self.frame.measures.iter().chain(self.frame.having.iter().map(|having| &having.measure)).any(fits)
    }

    fn stat(&self, fits: impl Fn(Stat) -> bool) -> bool {
        self.measure(|measure| matches!(measure, Measure::Stat(stat, ..) if fits(*stat)))
    }

    /// Whether an operation is seen in the frame; nothing, if it need not be.
    fn does(&self, op: Op) -> Option<bool> {
        let frame = self.frame;
        let ranked = frame.order.is_some() || frame.limit.is_some() || frame.both_ends;
        let named = self.measure(|measure| matches!(measure, Measure::Named(..)));
        Some(match op {
            Op::Average => {
                self.stat(|stat| matches!(stat, Stat::Average | Stat::Percentile(_)))
                    || self.measure(|measure| matches!(measure, Measure::PerValue(_)))
                    || frame.window.is_some()
                    || named
            }
            Op::Median => self.stat(|stat| matches!(stat, Stat::Percentile(_))),
            Op::Maximum => self.stat(|stat| stat == Stat::Maximum) || ranked,
            Op::Minimum => self.stat(|stat| stat == Stat::Minimum) || ranked,
            Op::Sum => {
                self.stat(|stat| stat == Stat::Sum)
                    || self.measure(|measure| matches!(measure, Measure::Count | Measure::CountOf(_)))
                    || frame.window.is_some()
                    || frame.count_groups
                    || named
            }
            Op::Deviation => self.stat(|stat| stat == Stat::Deviation),
            Op::Distinct => {
                self.measure(|measure| matches!(measure, Measure::Distinct(..) | Measure::RateOf(..)))
                    || frame.count_groups
                    || !frame.dimensions.is_empty() && frame.measures.is_empty()
            }
            Op::Rate | Op::Share => {
                frame.compare.is_some()
                    || self.measure(|measure| {
                        matches!(
                            measure,
                            Measure::Rate(_)
                                | Measure::RateOf(..)
                                | Measure::Share
                                | Measure::Ratio(..)
                                | Measure::Named(..)
                        )
                    })
            }
            Op::Cumulative | Op::Moving => frame.window.is_some(),
            Op::Trend => {
                frame.dimensions.iter().any(Dimension::is_time) || frame.compare.is_some() || frame.is_rows()
            }
            Op::Per => !frame.dimensions.is_empty() || self.measure(|m| matches!(m, Measure::PerValue(_))),
            Op::Top | Op::Most => ranked || frame.best_each.is_some() || frame.compare.is_some(),
            Op::First | Op::Last | Op::Newest | Op::Oldest => {
                let ranked = ranked && (frame.is_rows() || !frame.dimensions.is_empty());
                self.times || ranked || frame.compare.is_some() || frame.silent.is_some() || self.since
            }
            Op::Count => frame.count_groups || !frame.measures.is_empty(),
            _ => return None,
        })
    }
}

/// Every column of a frame, those of the queries within it too.
fn gather(frame: &Frame, columns: &mut BTreeSet<Column>) {
    crate::analyst::frame::columns(frame, &mut |column| {
        columns.insert(column.clone());
    });
    columns.extend(frame.all_of.iter().cloned());
    for filter in frame.filters.iter().chain(&frame.none_of).chain(&frame.some_of) {
        within(filter, columns);
    }
    if let Some(By::Column(column)) = frame.order.as_ref().map(|order| &order.by) {
        columns.insert(column.clone());
    }
    let measures = frame.measures.iter().chain(frame.having.iter().map(|having| &having.measure));
    for filter in measures.flat_map(|measure| match measure {
        Measure::CountOf(filters)
        | Measure::Rate(filters)
        | Measure::Distinct(_, filters)
        | Measure::RateOf(_, filters)
        | Measure::Stat(_, _, filters) => filters.as_slice(),
        _ => &[],
    }) {
        within(filter, columns);
    }
}

fn within(filter: &Filter, columns: &mut BTreeSet<Column>) {
    columns.insert(filter.column.clone());
    match &filter.test {
        Test::Either(filters) | Test::SinceFirst(filters, _) => {
            filters.iter().for_each(|filter| within(filter, columns));
        }
        Test::FirstOf(frame) => gather(frame, columns),
        _ => {}
    }
}
