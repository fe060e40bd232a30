//! How sure a reading is, from signs that know no subject: what was left unread, what was taken for granted, what the
//! frame does not show. A logistic weighs them; two thresholds decide whether it is answered, asked about or refused.

use duru_language::{Ask, Op, Sense, Unit};

use super::draft::How;
use super::items::{Item, ItemKind};
use super::link::Mention;
use super::reading::Reading;
use super::weights::{BIAS, WEIGHTS};
use crate::analyst::frame::{Column, Compare, Dimension, Filter, Frame, Measure, Test, Than};

/// So many signs there are; `weights.rs` has their names.
pub(super) const SIGNS: usize = WEIGHTS.len();

/// What speaks for a reading and against it.
#[derive(Debug, Clone, PartialEq)]
pub struct Confidence {
    /// The probability that it is right.
    pub value: f64,
    /// By their names.
    pub signs: Vec<(&'static str, f64)>,
    /// Words that the frame shows nothing of.
    pub lost: Vec<String>,
}

impl Confidence {
    fn of(signs: [f64; SIGNS], lost: Vec<String>) -> Self {
        let sum: f64 = WEIGHTS.iter().zip(signs).map(|((_, weight), sign)| weight * sign).sum();
        let signs = WEIGHTS.iter().zip(signs).map(|((name, _), sign)| (*name, sign)).collect();
        Self { value: 1.0 / (1.0 + (-(BIAS + sum)).exp()), signs, lost }
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
    pub(super) fn confidence(&self, frame: &Frame, idle: &[bool], before: Option<&Frame>) -> Confidence {
        let lost = if before.is_some() { Vec::new() } else { self.unaccounted(frame) };
        let content = self.items.iter().filter(|item| !item.is_empty()).count().max(1);
        let unread = &self.draft.unread;
        let share = up_to(unread.len(), content) / up_to(content, content);
        let clauses = self.items.last().map_or(0, |item| item.clause) + 1;
        let special = frame.best_each.is_some()
            || frame.both_ends
            || frame.window.is_some()
            || frame.all_of.is_some()
            || frame.silent.is_some()
            || !frame.none_of.is_empty();
        let marks =
            |mark: char| self.items.iter().filter(|item| item.kind == ItemKind::Mark(mark)).count();
        let columns = frame.dimensions.iter().filter(|dimension| !dimension.is_time()).count();
        let signs = [
            up_to(unread.len(), 3),
            share,
            up_to(lost.len(), 2),
            up_to(self.draft.unused.len(), 4),
            yes(self.background.iter().any(|is| *is)),
            up_to(self.searched_words(frame), 2),
            yes(self.takes_duration(frame)),
            up_to(self.groups_by_mere_names(frame), 2),
            up_to(frame.dimensions.len().saturating_sub(1), 2),
            up_to(self.figures_asked().saturating_sub(frame.measures.len() + columns), 3),
            up_to(self.numbers_not_used(frame), 2),
            up_to(self.periods_not_used(frame), 2),
            up_to(frame.filters.len(), 5),
            yes(before.is_some()),
            yes(before.is_some_and(|before| before == frame)),
            yes(frame.compare.is_some()),
            yes(special),
            yes(self.corrected),
            up_to(content, 30) / 10.0,
            up_to(clauses.saturating_sub(1), 5),
            up_to(self.ambiguous_values(), 3),
            up_to(self.values_in_part(), 3),
            up_to(self.joined(frame), 3),
            yes(self.is_of_things()),
            yes(self.drops_negation(frame)),
            yes(frame.filters.is_empty() && frame.time.is_none()),
            yes(frame.is_rows()),
            yes(frame.measures.as_slice() == [Measure::Count] && !self.draft.counted && before.is_none()),
            up_to(frame.having.len(), 2),
            up_to(marks('?').saturating_sub(1), 2),
            yes(marks('(') > 0),
            yes(frame.order.is_some() && frame.limit.is_some()),
            yes(frame.measures.iter().any(|measure| matches!(measure, Measure::Rate(_) | Measure::Share))),
            up_to(self.superlatives().saturating_sub(1), 2),
            yes(self.asks_for_unread()),
            up_to(self.idle_words(idle, is_value), 3),
            up_to(self.idle_words(idle, is_column), 3),
            up_to(self.idle_words(idle, is_operator), 3),
            up_to(self.idle_words(idle, is_question), 2),
            up_to(self.idle_words(idle, is_amount), 3),
            up_to(self.idle_words(idle, is_total), 2),
            up_to(self.idle_words(idle, is_row), 2),
        ];
        Confidence::of(signs, lost)
    }

    /// Words of a kind without which the question is read just the same.
    fn idle_words(&self, idle: &[bool], kind: impl Fn(&Item) -> bool) -> usize {
        let counts = |at: usize| idle[at] && !self.is_background(at) && kind(&self.items[at]);
        (0..idle.len().min(self.items.len())).filter(|at| counts(*at)).count()
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
    fn takes_duration(&self, frame: &Frame) -> bool {
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

    /// Dimensions that no word such as "per" or "which" made.
    fn groups_by_mere_names(&self, frame: &Frame) -> usize {
        let asked = |dimension: &Dimension| {
            self.draft.dimensions.iter().any(|placed| {
                placed.it.dimension == *dimension
                    && (placed.it.how == How::Per || self.asks_near(placed.at))
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
            let how = |sense: &Sense| matches!(sense, Sense::Ask(Ask::HowMany | Ask::HowMuch | Ask::When));
            item.used && (item.senses.iter().any(how) || item.any_op(&ops).is_some() || item.op(Op::Count))
        };
        self.items.iter().filter(asks).count()
    }

    fn superlatives(&self) -> usize {
        let ops = [Op::Most, Op::Least, Op::Top, Op::Maximum, Op::Minimum];
        self.items.iter().filter(|item| item.any_op(&ops).is_some()).count()
    }

    /// Numbers of the question that the frame does not have.
    fn numbers_not_used(&self, frame: &Frame) -> usize {
        let mut shown: Vec<f64> = Vec::new();
        numbers(frame, &mut shown);
        let near = |value: f64| {
            shown.iter().any(|one| {
                let factors = [1.0, 1_000.0, 60_000.0, 3_600_000.0, 60.0, 3_600.0, 86_400.0, 0.01, 100.0];
                factors.iter().any(|factor| (one - value * factor).abs() < 1e-6)
            })
        };
        let text = format!("{:?}", frame.filters);
        let missing = |item: &&Item| match item.kind {
            ItemKind::Number(value, unit) => {
                !near(value)
                    && !text.contains(&value.to_string())
                    && !(value == 1.0 && unit.is_some_and(|unit| unit != Unit::People))
            }
            _ => false,
        };
        self.items.iter().filter(missing).count()
    }

    /// Times of the question beyond those that the frame has.
    fn periods_not_used(&self, frame: &Frame) -> usize {
        let timed = |item: &&Item| {
            matches!(item.kind, ItemKind::Time(duru_language::time::Timed::Period(_)))
        };
        let shown = usize::from(frame.time.is_some()) + usize::from(frame.compare.is_some());
        self.items.iter().filter(timed).count().saturating_sub(shown)
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

    /// Whether something is left out or lacking in the question, and nothing of the frame is.
    fn drops_negation(&self, frame: &Frame) -> bool {
        let said = self.items.iter().any(|item| {
            item.used && item.any_op(&[Op::Not, Op::Exclude, Op::Absent]).is_some()
        });
        let shown = frame.filters.iter().any(|filter| {
            matches!(filter.test, Test::NoneOf(_) | Test::Lacks(_) | Test::Absent | Test::Present)
        });
        said && !shown && frame.none_of.is_empty() && frame.silent.is_none()
    }
}

fn is_value(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Name(_) | ItemKind::Text(_))
        || item.mentions.iter().any(|m| matches!(m, Mention::Value(..) | Mention::Part(..) | Mention::Condition(_)))
}

fn is_row(item: &Item) -> bool {
    item.mentions.iter().any(|mention| matches!(mention, Mention::Table(_)))
}

fn is_column(item: &Item) -> bool {
    !is_value(item)
        && !is_row(item)
        && item.mentions.iter().any(|m| matches!(m, Mention::Column(_) | Mention::Attribute(..)))
}

fn is_total(item: &Item) -> bool {
    item.any_op(&[Op::All, Op::Total, Op::Count, Op::Every]).is_some()
}

fn is_operator(item: &Item) -> bool {
    let operator = |sense: &Sense| matches!(sense, Sense::Op(_)) && !super::changes::says_nothing(*sense);
    item.mentions.is_empty() && !is_total(item) && item.senses.iter().any(operator)
}

fn is_question(item: &Item) -> bool {
    item.senses.iter().any(|sense| matches!(sense, Sense::Ask(_)) && !super::changes::says_nothing(*sense))
}

fn is_amount(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Number(..) | ItemKind::Time(_) | ItemKind::Percentile(_))
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

/// Every number that a frame has.
fn numbers(frame: &Frame, all: &mut Vec<f64>) {
    all.extend(frame.limit.map(f64::from));
    all.extend(frame.best_each.map(f64::from));
    if let Some(crate::analyst::frame::Window::Moving(count)) = frame.window {
        all.push(f64::from(count));
    }
    let tests = |filters: &[Filter], all: &mut Vec<f64>| {
        for filter in filters {
            match &filter.test {
                Test::Number(_, value) => all.push(*value),
                Test::Hours(from, until) => all.extend([f64::from(*from), f64::from(*until)]),
                Test::FirstOf(frame) => numbers(frame, all),
                _ => {}
            }
        }
    };
    tests(&frame.filters, all);
    for measure in frame.measures.iter().chain(frame.having.iter().map(|having| &having.measure)) {
        match measure {
            Measure::CountOf(filters)
            | Measure::Rate(filters)
            | Measure::Distinct(_, filters)
            | Measure::RateOf(_, filters)
            | Measure::Stat(_, _, filters) => tests(filters, all),
            _ => {}
        }
    }
    for having in &frame.having {
        match having.than {
            Than::Number(value) => all.push(value),
            Than::Ago(length) => all.push(f64::from(length.amount)),
        }
    }
    if let Some(crate::analyst::frame::Keep::Times(Compare::More | Compare::AtLeast | Compare::Less | Compare::AtMost | Compare::Equal, times)) =
        frame.compare.as_ref().map(|compare| compare.keep)
    {
        all.push(times);
    }
}
