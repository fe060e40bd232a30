//! How sure a reading is, from signs that know no subject: what was left unread, what was taken for granted, what the
//! frame does not show. A logistic weighs them; two thresholds decide whether it is answered, asked about or refused.

use duru_language::{Ask, Op, Sense};

use super::draft::How;
use super::items::{Item, ItemKind};
use super::link::Mention;
use super::reading::Reading;
use super::weights::{BIAS, SURE, WEIGHTS};
use crate::analyst::frame::{Column, Dimension, Filter, Frame, Measure, Stat, Test};

/// So many signs there are; `weights.rs` has their names.
pub(super) const SIGNS: usize = WEIGHTS.len();

/// What speaks for a reading and against it.
#[derive(Debug, Clone, PartialEq)]
pub struct Confidence {
    /// The probability that it is right.
    pub value: f64,
    /// Enough for an answer.
    pub is_sure: bool,
    /// By their names.
    pub signs: Vec<(&'static str, f64)>,
    /// Words that the frame shows nothing of.
    pub lost: Vec<String>,
}

impl Confidence {
    /// Nothing was read at all.
    pub(super) fn none() -> Self {
        Self { value: 0.0, is_sure: false, signs: Vec::new(), lost: Vec::new() }
    }

    fn of(signs: [f64; SIGNS], lost: Vec<String>, things: bool) -> Self {
        let kind = usize::from(things);
        let weighed = WEIGHTS.iter().zip(signs).map(|((_, weights), sign)| weights[kind] * sign);
        let value = 1.0 / (1.0 + (-(BIAS[kind] + weighed.sum::<f64>())).exp());
        let signs = WEIGHTS.iter().zip(signs).map(|((name, _), sign)| (*name, sign)).collect();
        Self { value, is_sure: value >= SURE[kind], signs, lost }
    }
}

fn up_to(count: usize, most: usize) -> f64 {
    u32::try_from(count.min(most)).map_or(0.0, f64::from)
}

fn yes(is: bool) -> f64 {
    f64::from(u8::from(is))
}

impl Reading<'_> {
    /// `before`: the frame that a follow-up changed.
    pub(super) fn confidence(&self, frame: &Frame, before: Option<&Frame>) -> Confidence {
        let lost = if before.is_some() { Vec::new() } else { self.unaccounted(frame) };
        let content = self.items.iter().filter(|item| !item.is_empty()).count().max(1);
        let unread = &self.draft.unread;
        let clauses = self.items.last().map_or(0, |item| item.clause) + 1;
        let of = |clause: usize| {
            self.items.iter().filter(move |item| item.clause == clause && !item.is_empty()).count()
        };
        let long = (0..clauses).filter(|clause| of(*clause) > 2).count();
        let special = frame.best_each.is_some()
            || frame.both_ends
            || frame.window.is_some()
            || frame.all_of.is_some()
            || frame.silent.is_some()
            || !frame.none_of.is_empty();
        let marks = |mark: char| self.items.iter().filter(|item| item.kind == ItemKind::Mark(mark)).count();
        // The count that stands beside statistics was not asked for.
        let figures = frame.measures.len()
            - usize::from(frame.measures.len() > 1 && frame.measures.last() == Some(&Measure::Count));
        let said = |ops: &[Op]| yes(self.items.iter().any(|item| item.any_op(ops).is_some()));
        let signs = [
            up_to(unread.len(), 3),
            up_to(unread.len(), content) / up_to(content, content),
            up_to(lost.len(), 2),
            up_to(self.draft.unused.len(), 4),
            yes(self.background.iter().any(|is| *is)),
            up_to(self.searched_words(frame), 2),
            yes(self.takes_duration(frame)),
            up_to(self.groups_by_mere_names(frame), 2),
            up_to(frame.dimensions.len().saturating_sub(1), 2),
            up_to(self.figures_asked().saturating_sub(figures), 3),
            up_to(self.superlatives_not_shown(frame), 2),
            up_to(frame.filters.len(), 5),
            yes(before.is_some()),
            yes(frame.compare.is_some()),
            yes(special),
            yes(self.corrected),
            up_to(content, 30) / 10.0,
            up_to(clauses.saturating_sub(1), 5),
            up_to(long.saturating_sub(1), 4),
            up_to(self.asking_clauses().saturating_sub(1), 3),
            up_to(self.ambiguous_values(), 3),
            up_to(self.values_in_part(), 3),
            up_to(self.joined(frame), 3),
            yes(frame.filters.is_empty() && frame.time.is_none()),
            yes(frame.is_rows()),
            yes(frame.measures.as_slice() == [Measure::Count] && !self.draft.counted && before.is_none()),
            up_to(frame.having.len(), 2),
            yes(marks('(') > 0),
            yes(frame.order.is_some() && frame.limit.is_some()),
            yes(frame.measures.iter().any(|measure| matches!(measure, Measure::Rate(_) | Measure::Share))),
            said(&[Op::Not, Op::Exclude, Op::Absent, Op::Objection, Op::Instead]),
            said(&[Op::Compare, Op::Increase, Op::Decrease, Op::Difference, Op::Usual]),
            said(&[Op::Each, Op::Both, Op::Among, Op::Other, Op::Same]),
            said(&[Op::First, Op::Last, Op::Newest, Op::Oldest]),
            yes(self.many_groups(frame)),
            up_to(self.known_texts_unquoted(frame), 2),
            yes(self.one_word_for_several(frame)),
            yes(self.superlative_in_a_name(frame)),
            yes(self.superlative_of_a_column()),
            yes(self.is_of_things() && self.items.iter().any(is_deed)),
            yes(self.is_odd(frame)),
        ];
        Confidence::of(signs, lost, self.is_of_things())
    }

    /// Words that are looked for in texts, and nobody said so by quoting them.
    fn searched_words(&self, frame: &Frame) -> usize {
        let quoted = |word: &String| {
            self.items.iter().any(|item| matches!(&item.kind, ItemKind::Text(text) if text == word))
                || self.linked.known_texts.iter().any(|known| known.text == *word)
        };
        let words = frame.filters.iter().flat_map(|filter| match &filter.test {
            Test::Contains(words) | Test::ContainsAll(words) => words.as_slice(),
            _ => &[],
        });
        words.filter(|word| !quoted(word)).count()
    }

    /// Whether how long something took is measured or compared, and no word names that.
    pub(super) fn takes_duration(&self, frame: &Frame) -> bool {
        let Some(duration) = self.duration() else { return false };
        let named = self.items.iter().any(|item| {
            item.mentions.iter().any(|mention| {
                matches!(mention, Mention::Column(column) | Mention::Attribute(column, _) if *column == duration)
            }) || item.any_op(&[Op::Slow, Op::Fast, Op::Takes]).is_some()
        });
        let of = |filter: &Filter| filter.column == duration && matches!(filter.test, Test::Number(..));
        let used = frame.filters.iter().any(of)
            || frame.measures.iter().any(|m| matches!(m, Measure::Stat(_, column, _) if *column == duration));
        used && !named
    }

    /// What hardly anybody asks for: time divided twice, periods divided by time beside each other, rows without a time, days of
    /// waiting for an answer.
    fn is_odd(&self, frame: &Frame) -> bool {
        let times = frame.dimensions.iter().filter(|dimension| dimension.is_time()).count();
        let time = self.table_of().and_then(|table| table.time.as_ref());
        let timeless = |filter: &Filter| {
            Some(&filter.column.name) == time && matches!(filter.test, Test::Absent | Test::Present)
        };
        let duration = self.duration();
        let days = |filter: &Filter| {
            Some(&filter.column) == duration.as_ref()
                && matches!(filter.test, Test::Number(_, value) if value >= 3_600_000.0)
        };
        times > 1
            || times > 0 && frame.compare.is_some()
            || frame.filters.iter().any(|filter| timeless(filter) || days(filter))
    }

    /// Groups by something that has very many values, of which no first ones are wanted.
    fn many_groups(&self, frame: &Frame) -> bool {
        let many = |dimension: &Dimension| match dimension {
            Dimension::Column(column) => self.described(column).is_some_and(|known| known.values.is_empty()),
            _ => false,
        };
        let few = frame.limit.is_some() || !frame.having.is_empty() || frame.count_groups;
        !few && frame.dimensions.iter().any(many)
    }

    /// Whole texts that were found by their words.
    fn known_texts_unquoted(&self, frame: &Frame) -> usize {
        let quoted = |word: &String| {
            self.items.iter().any(|item| matches!(&item.kind, ItemKind::Text(text) if text == word))
        };
        let known = |word: &&String| self.linked.known_texts.iter().any(|known| known.text == **word);
        let words = frame.filters.iter().flat_map(|filter| match &filter.test {
            Test::Contains(words) => words.as_slice(),
            _ => &[],
        });
        words.filter(known).filter(|word| !quoted(word)).count()
    }

    /// Several values that one word stands for.
    fn one_word_for_several(&self, frame: &Frame) -> bool {
        frame.filters.iter().any(|filter| {
            let places = self.draft.value_places.iter().filter(|(column, ..)| *column == filter.column);
            let mut places: Vec<usize> = places.map(|(.., at)| *at).collect();
            places.dedup();
            matches!(&filter.test, Test::OneOf(values) if values.len() > places.len() && !places.is_empty())
        })
    }

    /// The highest point of a table that has one per row: no first one of them is found.
    fn superlative_in_a_name(&self, frame: &Frame) -> bool {
        let named = self.items.iter().any(|item| {
            item.text.split(' ').any(|word| word.ends_with("est"))
                && item.mentions.iter().any(|mention| matches!(mention, Mention::Column(_)))
        });
        named && frame.order.is_none() && frame.measures.is_empty()
    }

    /// The largest capital: the number that is meant may be another table's.
    fn superlative_of_a_column(&self) -> bool {
        (0..self.items.len()).any(|at| {
            let attribute = |mention: &Mention| matches!(mention, Mention::Attribute(..));
            let column = self.column_at(at + 1).filter(|_| !self.is_table(at + 1));
            self.items[at].mentions.iter().any(attribute)
                && column
                    .is_some_and(|column| self.described(&column).is_some_and(|known| !known.is_number()))
        })
    }

    /// Dimensions that no word such as "per" or "which" made.
    fn groups_by_mere_names(&self, frame: &Frame) -> usize {
        let asked = |dimension: &Dimension| {
            self.draft.dimensions.iter().any(|placed| {
                placed.it.dimension == *dimension && (placed.it.how == How::Per || self.asks_near(placed.at))
            })
        };
        frame.dimensions.iter().filter(|dimension| !asked(dimension)).count()
    }

    fn asks_near(&self, at: usize) -> bool {
        (at.saturating_sub(2)..=at + 2).filter_map(|place| self.items.get(place)).any(|item| {
            item.senses.iter().any(|sense| matches!(sense, Sense::Ask(_)))
                || item.any_op(&[Op::Most, Op::Top, Op::Distinct, Op::List]).is_some()
        })
    }

    /// Words that ask for a figure of their own.
    fn figures_asked(&self) -> usize {
        let ops = [Op::Average, Op::Sum, Op::Maximum, Op::Minimum, Op::Median, Op::Rate, Op::Share];
        let asks = |item: &&Item| {
            let how = |sense: &Sense| matches!(sense, Sense::Ask(Ask::HowMany | Ask::HowMuch));
            item.used && (item.senses.iter().any(how) || item.any_op(&ops).is_some() || item.op(Op::Count))
        };
        self.items.iter().filter(asks).count()
    }

    /// Superlatives beyond the order and the extremes that the frame has.
    fn superlatives_not_shown(&self, frame: &Frame) -> usize {
        let ops = [Op::Most, Op::Least, Op::Top, Op::Maximum, Op::Minimum];
        let said = self.items.iter().filter(|item| item.any_op(&ops).is_some()).count();
        let extreme =
            |measure: &&Measure| matches!(measure, Measure::Stat(Stat::Maximum | Stat::Minimum, ..));
        let shown = usize::from(frame.order.is_some())
            + usize::from(frame.both_ends)
            + frame.measures.iter().filter(extreme).count();
        said.saturating_sub(shown)
    }

    /// Words that are values of several columns.
    fn ambiguous_values(&self) -> usize {
        self.items.iter().filter(|item| item.used && columns_of(item).len() > 1).count()
    }

    /// Words that are only a part of the values they stand for.
    fn values_in_part(&self) -> usize {
        let part = |item: &&Item| {
            item.used
                && item.mentions.iter().any(|mention| matches!(mention, Mention::Part(..)))
                && !item.mentions.iter().any(|mention| matches!(mention, Mention::Value(..)))
        };
        self.items.iter().filter(part).count()
    }

    fn joined(&self, frame: &Frame) -> usize {
        let mut tables: Vec<String> = Vec::new();
        crate::analyst::frame::columns(frame, &mut |column| {
            if column.table != frame.table && !tables.contains(&column.table) {
                tables.push(column.table.clone());
            }
        });
        tables.len()
    }
}

/// A verb that says how things belong together, other than that they are or have something.
pub(super) fn is_deed(item: &Item) -> bool {
    item.op(Op::Happens)
        && !item.op(Op::Show)
        && item.mentions.is_empty()
        && !item.korean
        && !matches!(item.text.trim(), "is" | "are" | "was" | "were" | "have" | "has" | "had")
}

fn columns_of(item: &Item) -> Vec<&Column> {
    let mut all: Vec<&Column> = item
        .mentions
        .iter()
        .filter_map(|mention| match mention {
            Mention::Value(column, _) | Mention::Part(column, ..) => Some(column),
            _ => None,
        })
        .collect();
    all.sort();
    all.dedup();
    all
}
