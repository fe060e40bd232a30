//! The passes over a question's items. Each takes what it understands; what nobody takes is unread.

use duru_language::time::{Period, Timed};
use duru_language::{Ask, Ending, Link, Op, Particle, Sense, Unit};
use duru_sql::domain::{Domain, DomainColumn, DomainTable};
use jiff::Zoned;

use super::draft::{Bound, Draft, How, Placed};
use super::items::{Item, ItemKind};
use super::link::{Linked, Mention};
use crate::analyst::frame::{Column, Compare, Dimension, Filter, Test};

pub(super) struct Reading<'a> {
    /// With its spelling mended.
    pub(super) question: String,
    pub(super) items: Vec<Item>,
    pub(super) draft: Draft,
    /// By clause.
    pub(super) background: Vec<bool>,
    /// Clauses of the background of which not all is understood: only names and times in them count.
    told: Vec<bool>,
    /// Whether a word was read that is spelt otherwise.
    pub(super) corrected: bool,
    pub(super) domain: &'a Domain,
    pub(super) linked: &'a Linked,
    pub(super) now: &'a Zoned,
}

/// What a clause does.
struct Clause {
    /// A question word, a count, a list.
    asks: bool,
    figure: bool,
    /// Some word is not known.
    unknown: bool,
    /// It ends as reasons and purposes do.
    reason: bool,
    /// It is a whole sentence, or in brackets.
    ends: bool,
    chatter: bool,
}

impl Clause {
    fn wants(&self) -> bool {
        self.asks || self.figure
    }
}

impl<'a> Reading<'a> {
    pub(super) fn new(question: &str, domain: &'a Domain, linked: &'a Linked, now: &'a Zoned) -> Self {
        let lexicons = [linked.general, &linked.lexicon];
        let (question, mended) = duru_language::spelling::corrected(question, &lexicons);
        Self {
            items: super::items::items(&question, linked, now),
            question: question.to_string(),
            draft: Draft::default(),
            background: Vec::new(),
            told: Vec::new(),
            corrected: !mended.is_empty(),
            domain,
            linked,
            now,
        }
    }

    /// All passes, in the order of what binds tighter.
    pub(super) fn read(&mut self) {
        self.table();
        self.find_background();
        self.bounds();
        self.times();
        self.drop_told_periods();
        self.events();
        self.instead();
        self.presence();
        self.known_texts();
        self.meanings();
        self.values();
        self.shares();
        self.figures();
        self.groups();
        self.ranks();
        self.orders();
        self.changes();
        self.words();
        self.words_of_texts();
        self.rest();
    }

    /// Marks the clauses that only tell why somebody asks: they have words that nobody knows, or end as reasons do, and
    /// ask for nothing. Values and times in them still count.
    fn find_background(&mut self) {
        let last = self.items.last().map_or(0, |item| item.clause);
        let clauses: Vec<Clause> = (0..=last).map(|clause| self.clause(clause)).collect();
        for (place, clause) in clauses.iter().enumerate() {
            // Somebody who asks elsewhere only tells here, if not all of it can be understood.
            let elsewhere =
                clauses.iter().enumerate().any(|(other, clause)| other != place && clause.wants());
            let told = clause.unknown
                && elsewhere
                && clause.ends
                && (!clause.wants() || clause.reason && !clause.figure);
            self.told.push(told);
            let why = !clause.asks && (clause.chatter && !clause.figure || clause.reason);
            self.background.push(told || why);
        }
        // Somebody asks something.
        if self.background.iter().all(|background| *background) {
            self.background.iter_mut().for_each(|background| *background = false);
            self.told.iter_mut().for_each(|told| *told = false);
        }
    }

    fn clause(&self, clause: usize) -> Clause {
        let of = || self.items.iter().filter(move |item| item.clause == clause);
        let asks = of().any(|item| {
            item.senses.iter().any(|sense| match sense {
                Sense::Ask(ask) => *ask != Ask::Why,
                Sense::Op(op) => matches!(
                    op,
                    Op::Count
                        | Op::Show
                        | Op::List
                        | Op::Exists
                        | Op::Per
                        | Op::Top
                        | Op::Rate
                        | Op::Share
                        | Op::Trend
                        | Op::Each
                ),
                _ => false,
            }) || item.ending(Ending::Question)
        });
        let figures = [Op::Average, Op::Sum, Op::Maximum, Op::Minimum, Op::Median, Op::Distinct, Op::Most];
        let figure =
            of().any(|item| item.any_op(&figures).is_some() || matches!(item.kind, ItemKind::Percentile(_)));
        let unknown = of().any(|item| item.kind == ItemKind::Unknown);
        let ends = [Ending::Background, Ending::Reason, Ending::Future, Ending::Adverb];
        let reason = of().next_back().is_some_and(|item| ends.iter().any(|ending| item.ending(*ending)));
        // Chatter speaks of nothing that is here.
        let chatter = unknown
            && of().all(|item| {
                item.mentions.is_empty()
                    && matches!(item.kind, ItemKind::Word | ItemKind::Unknown | ItemKind::Mark(_))
            });
        let ends = reason
            || of().next_back().is_some_and(|item| {
                item.ending(Ending::Statement)
                    || item.particle(Particle::Polite)
                    || item.particle(Particle::Is)
                    || matches!(item.kind, ItemKind::Mark('.' | '!' | '?' | ')' | ']'))
            });
        // 메일용), 보고용인데: what the answer is for.
        let purpose = of().rev().find(|item| !matches!(item.kind, ItemKind::Mark(_))).is_some_and(|item| {
            item.text.starts_with('용')
                && item.own_length == '용'.len_utf8()
                && item.senses.contains(&Sense::Filler)
        });
        let reason = reason || purpose;
        Clause { asks, figure, unknown: unknown || purpose, reason, ends: ends || purpose, chatter }
    }

    /// How many clauses ask for something.
    pub(super) fn asking_clauses(&self) -> usize {
        let last = self.items.last().map_or(0, |item| item.clause);
        (0..=last).filter(|clause| self.clause(*clause).wants()).count()
    }

    /// Whether an item stands in a clause that only tells why.
    pub(super) fn is_background(&self, at: usize) -> bool {
        self.items.get(at).is_some_and(|item| self.background.get(item.clause).copied().unwrap_or(false))
    }

    /// Whether an item stands in a clause of the background that is not understood.
    pub(super) fn is_told(&self, at: usize) -> bool {
        self.items.get(at).is_some_and(|item| self.told.get(item.clause).copied().unwrap_or(false))
    }

    pub(super) fn use_item(&mut self, at: usize) {
        if let Some(item) = self.items.get_mut(at) {
            item.used = true;
        }
    }

    /// Takes an item that only repeats what stands beside it.
    pub(super) fn skip_item(&mut self, at: usize) {
        self.use_item(at);
        if let Some(item) = self.items.get_mut(at) {
            item.redundant = true;
        }
    }

    pub(super) fn op_at(&self, at: usize, op: Op) -> bool {
        self.items.get(at).is_some_and(|item| !item.used && item.op(op)) && !self.is_background(at)
    }

    pub(super) fn link_at(&self, at: usize, link: Link) -> bool {
        self.items.get(at).is_some_and(|item| item.senses.contains(&Sense::Link(link)))
    }

    /// The next item that says something, within a few empty ones.
    pub(super) fn next(&self, at: usize) -> Option<usize> {
        (at + 1..self.items.len()).take(3).find(|place| !self.is_small(*place))
    }

    pub(super) fn previous(&self, at: usize) -> Option<usize> {
        (0..at).rev().take(3).find(|place| !self.is_small(*place))
    }

    fn is_small(&self, at: usize) -> bool {
        let item = &self.items[at];
        item.is_empty() || item.mentions.is_empty() && item.any_op(&[Op::Total, Op::All]).is_some()
    }

    pub(super) fn table_of(&self) -> Option<&'a DomainTable> {
        let name = self.draft.table.as_ref()?;
        self.domain.table(name)
    }

    pub(super) fn described(&self, column: &Column) -> Option<&'a DomainColumn> {
        self.domain.table(&column.table)?.column(&column.name)
    }

    /// The column that an item names; several tables may have one of that name.
    pub(super) fn column_at(&self, at: usize) -> Option<Column> {
        let item = self.items.get(at)?;
        let mut columns = item.mentions.iter().filter_map(|mention| match mention {
            Mention::Column(column) => Some(column),
            _ => None,
        });
        let own = columns.clone().find(|column| Some(&column.table) == self.draft.table.as_ref());
        let column = own.or_else(|| columns.next()).cloned();
        // 응답 is a row, and how long it took only beside a statistic.
        let rows = item.mentions.iter().any(|mention| matches!(mention, Mention::Table(_)));
        column.filter(|_| !rows || self.stat_beside(at))
    }

    fn stat_beside(&self, at: usize) -> bool {
        let ops =
            [Op::Average, Op::Maximum, Op::Minimum, Op::Median, Op::Sum, Op::Deviation, Op::Fast, Op::Slow];
        (at.saturating_sub(1)..(at + 2).min(self.items.len())).any(|place| {
            self.items[place].any_op(&ops).is_some()
                || matches!(self.items[place].kind, ItemKind::Percentile(_))
        })
    }

    pub(super) fn is_table(&self, at: usize) -> bool {
        self.items
            .get(at)
            .is_some_and(|item| item.mentions.iter().any(|mention| matches!(mention, Mention::Table(_))))
    }

    pub(super) fn is_value(&self, at: usize) -> bool {
        self.items.get(at).is_some_and(|item| {
            let column =
                item.mentions.iter().any(|mention| matches!(mention, Mention::Column(_) | Mention::Table(_)));
            let rows_follow = self.is_table(at + 1);
            item.mentions.iter().any(|mention| match mention {
                Mention::Value(..) | Mention::Condition(_) => !column || rows_follow || item.used,
                Mention::Part(..) => !column,
                _ => false,
            })
        })
    }

    /// Which table the question is about.
    fn table(&mut self) {
        if let [only] = self.domain.tables.as_slice() {
            self.draft.table = Some(only.name.clone());
            return;
        }
        let mut votes: Vec<(String, u32)> = Vec::new();
        // What is named first is what is asked for.
        let head = self.items.iter().find_map(|item| {
            item.mentions.iter().find_map(|mention| match mention {
                Mention::Table(table) => Some(table.clone()),
                _ => None,
            })
        });
        votes.extend(head.map(|table| (table, 3)));
        for item in &self.items {
            for mention in &item.mentions {
                let (table, weight) = match mention {
                    Mention::Table(table) => (table, 4),
                    Mention::Column(column) => (&column.table, 2),
                    // What rows are called by speaks more for its table than a mere value.
                    Mention::Value(column, _) => {
                        let own = column.name.strip_suffix("_name") == Some(column.table.as_str());
                        (&column.table, if own { 2 } else { 1 })
                    }
                    _ => continue,
                };
                match votes.iter_mut().find(|(known, _)| known == table) {
                    Some((_, votes)) => *votes += weight,
                    None => votes.push((table.clone(), weight)),
                }
            }
        }
        let best = votes.iter().max_by_key(|(_, votes)| *votes);
        self.draft.table = best.map(|(table, _)| table.clone());
    }

    /// Numbers with a comparison: 5건 이상, more than 3, between 1 and 5.
    fn bounds(&mut self) {
        for at in 0..self.items.len() {
            let Some((value, unit)) = self.amount(at).filter(|_| !self.items[at].used) else { continue };
            if let Some((compare, start, end)) = self.comparison(at) {
                (start..=end).for_each(|place| self.use_item(place));
                self.draft.bounds.push(Bound { compare, value, unit, at, end });
            } else if let Some((start, second, end)) = self.between(at)
                && let Some((other, unit_of)) = self.amount(second)
            {
                let unit = unit_of.or(unit);
                (start..=end).for_each(|place| self.use_item(place));
                self.draft.bounds.push(Bound { compare: Compare::AtLeast, value, unit, at, end });
                self.draft.bounds.push(Bound { compare: Compare::AtMost, value: other, unit, at, end });
            }
        }
    }

    /// Between 1 and 5, 1초에서 5초 사이: where it begins, its second number, and where it ends.
    fn between(&self, at: usize) -> Option<(usize, usize, usize)> {
        if self.link_at(at.wrapping_sub(1), Link::Between) && self.link_at(at + 1, Link::And) {
            return Some((at - 1, at + 2, at + 2));
        }
        let starts = [Particle::At, Particle::From, Particle::With]
            .iter()
            .any(|particle| self.items[at].particle(*particle));
        let during = self
            .items
            .get(at + 2)
            .is_some_and(|item| item.senses.contains(&Sense::Time(duru_language::TimeWord::During)));
        (starts && during).then_some((at, at + 1, at + 2))
    }

    fn amount(&self, at: usize) -> Option<(f64, Option<Unit>)> {
        match &self.items.get(at)?.kind {
            ItemKind::Number(value, unit) => Some((*value, *unit)),
            ItemKind::Time(Timed::Length(length)) => Some((f64::from(length.amount), Some(length.unit))),
            _ => None,
        }
    }

    /// How a number is compared, and the items that say so.
    fn comparison(&self, at: usize) -> Option<(Compare, usize, usize)> {
        let ops = [
            (Op::AtLeast, Compare::AtLeast),
            (Op::AtMost, Compare::AtMost),
            (Op::More, Compare::More),
            (Op::Less, Compare::Less),
        ];
        let of = |item: &Item| ops.iter().find(|(op, _)| item.op(*op)).map(|(_, compare)| *compare);
        let after = self.items.get(at + 1).filter(|item| !item.used);
        if let Some(compare) = after
            .and_then(|item| of(item).filter(|_| item.korean || item.op(Op::AtLeast) || item.op(Op::AtMost)))
        {
            return Some((compare, at, at + 1));
        }
        // 5 errors or more.
        if let Some(item) = self.items.get(at + 2).filter(|item| {
            !item.korean && (item.op(Op::AtLeast) || item.op(Op::AtMost)) && item.text.starts_with("or")
        }) {
            return of(item)
                .map(|compare| (compare, at, at + 2))
                .filter(|_| false)
                .or_else(|| of(item).map(|compare| (compare, at, at)));
        }
        // 20건보다 많은, 5%보다 낮은.
        if self.items[at].particle(Particle::Than) {
            let place = (at + 1..at + 4).find(|place| {
                self.items.get(*place).is_some_and(|item| {
                    item.any_op(&[
                        Op::Much,
                        Op::High,
                        Op::Long,
                        Op::Slow,
                        Op::More,
                        Op::Few,
                        Op::Low,
                        Op::Short,
                        Op::Fast,
                    ])
                    .is_some()
                })
            })?;
            let less = self.items[place].any_op(&[Op::Few, Op::Low, Op::Short, Op::Fast]).is_some();
            return Some((if less { Compare::Less } else { Compare::More }, at, place));
        }
        let before = at.checked_sub(1)?;
        // 최소 10건, 최대 5개.
        if self.items[before].korean
            && !self.items[before].used
            && self.items[before].any_op(&[Op::Minimum, Op::Maximum]).is_some()
            && !self
                .column_at(at + 1)
                .is_some_and(|column| self.described(&column).is_some_and(DomainColumn::is_number))
        {
            let compare = if self.items[before].op(Op::Minimum) { Compare::AtLeast } else { Compare::AtMost };
            return Some((compare, before, at));
        }
        let back = if self.link_at(before, Link::Article) || self.op_at(before, Op::About) {
            before.checked_sub(1)?
        } else {
            before
        };
        let item = &self.items[back];
        (!item.korean && !item.used).then_some(())?;
        of(item).map(|compare| (compare, back, at))
    }

    fn times(&mut self) {
        for at in 0..self.items.len() {
            let ItemKind::Time(timed) = self.items[at].kind.clone() else { continue };
            if self.items[at].used {
                continue;
            }
            match timed {
                Timed::Period(period) => self.period(at, period),
                Timed::Length(length) => {
                    self.draft.lengths.push(Placed { it: length, at });
                    continue;
                }
                Timed::Within(length) => self.draft.within = Some(length),
                Timed::Previous(length) => self.draft.previous = Some(length),
                // The weekly slide: chatter.
                Timed::Bucket(_) if self.is_chatter(at) => {}
                Timed::Bucket(length) => self.draft.group(at, Dimension::Every(length), How::Per),
                Timed::HourOfDay => self.draft.group(at, Dimension::HourOfDay, How::Per),
                Timed::DayOfWeek => self.draft.group(at, Dimension::DayOfWeek, How::Per),
                Timed::Hours(from, until) => self.time_filter(at, Test::Hours(from, until)),
                // By weekday.
                Timed::Weekdays(days)
                    if days.len() == 5
                        && at > 0
                        && (self.items[at - 1].op(Op::Per) || self.link_at(at - 1, Link::By)) =>
                {
                    self.draft.group(at, Dimension::DayOfWeek, How::Per);
                    self.use_item(at - 1);
                }
                // The weekend is the last one, unless a longer time has several.
                Timed::Weekdays(days)
                    if days == [6, 7]
                        && !self
                            .items
                            .iter()
                            .any(|item| matches!(item.kind, ItemKind::Time(Timed::Period(_))))
                        && !self.items[at].text.ends_with('s') =>
                {
                    if let Some(period) = self.last_weekend() {
                        self.period(at, period);
                    }
                }
                Timed::Weekdays(days) => self.time_filter(at, Test::Weekdays(days)),
                Timed::Vague => self.draft.vague = true,
                Timed::AllTime => self.draft.all_time = true,
                Timed::SameTime => self.draft.same_time = true,
                Timed::Narrowed => {}
            }
            self.use_item(at);
        }
    }

    /// A time that only tells when something else was yields to the one that is asked about.
    fn drop_told_periods(&mut self) {
        let asked = self.draft.periods.iter().any(|placed| !self.is_background(placed.at));
        if asked {
            let periods = std::mem::take(&mut self.draft.periods);
            self.draft.periods =
                periods.into_iter().filter(|placed| !self.is_background(placed.at)).collect();
        }
    }

    /// Whether nothing of the clause is here or asked for.
    fn is_chatter(&self, at: usize) -> bool {
        let clause = self.items[at].clause;
        let last = self.items.last().map_or(0, |item| item.clause);
        let unknown = self.items.iter().any(|item| item.clause == clause && item.kind == ItemKind::Unknown);
        clause != last
            && unknown
            && self.items.iter().filter(|item| item.clause == clause).all(|item| {
                item.mentions.is_empty()
                    && !item.senses.iter().any(|sense| {
                        matches!(
                            sense,
                            Sense::Ask(_)
                                | Sense::Op(Op::Count | Op::Per | Op::Average | Op::Trend | Op::Show)
                        )
                    })
            })
    }

    fn last_weekend(&self) -> Option<Period> {
        let today = self.now.date();
        let back = i64::from((today.weekday().to_monday_zero_offset() + 2) % 7);
        let saturday = today.checked_sub(jiff::Span::new().days(back.max(1))).ok()?;
        let at =
            |date: jiff::civil::Date| Some(date.to_zoned(self.now.time_zone().clone()).ok()?.timestamp());
        let monday = saturday.checked_add(jiff::Span::new().days(2)).ok()?;
        Some(Period::Range {
            from: at(saturday),
            until: at(monday).filter(|at| *at <= self.now.timestamp()),
            unit: None,
        })
    }

    fn time_filter(&mut self, at: usize, test: Test) {
        if let Some((table, time)) = self.table_of().and_then(|table| Some((table, table.time.as_ref()?))) {
            self.draft.filter(at, Filter::new(Column::new(&table.name, time), test));
        }
    }

    fn period(&mut self, at: usize, period: Period) {
        // 어제 말고 오늘: another one is meant.
        let other = self.op_at(at + 1, Op::Exclude)
            || self.op_at(at + 1, Op::Objection) && self.items[at + 1].text.starts_with("아니");
        if other && self.items[at + 1].korean {
            return self.use_item(at + 1);
        }
        if at > 0 && self.op_at(at - 1, Op::Not) && !self.items[at - 1].korean {
            return self.use_item(at - 1);
        }
        let than = self.items[at].particle(Particle::Than)
            || self.link_at(at.wrapping_sub(1), Link::Than)
            // Than they had yesterday.
            || (2..=3).any(|back| {
                at >= back
                    && self.link_at(at - back, Link::Than)
                    && self.items[at - back + 1..at].iter().all(|item| item.is_empty() || item.op(Op::Reference))
            })
            // 지난주 에러율보다.
            || self.items.get(at + 1).is_some_and(|item| {
                item.particle(Particle::Than) && matches!(item.kind, ItemKind::Word)
            })
            || (1..=2).any(|back| {
                at >= back
                    && self.items[at - back].op(Op::Compare)
                    && !self.items[at - back].korean
                    && !self.items[at - back].text.eq_ignore_ascii_case("compare")
            })
            || self.items.get(at + 1).is_some_and(|item| {
                item.op(Op::Compare)
                    && item.korean
                    && item.endings.is_empty()
                    && !self.items[at].particle(Particle::With)
            });
        if than && self.draft.against.is_none() {
            self.draft.against = Some(Placed { it: period, at });
        } else if !self.draft.periods.iter().any(|known| known.it == period) {
            self.draft.periods.push(Placed { it: period, at });
        }
    }

    /// A length that nothing else took is when, if no period was said.
    pub(super) fn leftover_lengths(&mut self) {
        for Placed { it, at } in std::mem::take(&mut self.draft.lengths) {
            let long = it.unit != Unit::Second && it.unit != Unit::Millisecond && !self.draft.all_time;
            // 하루에 몇 건, 하루 몇 건씩.
            let how_many = it.amount == 1
                && (self.items[at].particle(Particle::At)
                    || self.next(at).is_some_and(|next| {
                        self.items[next].senses.contains(&Sense::Ask(Ask::HowMany))
                            && self.items[next..].iter().any(|item| item.op(Op::Each))
                    }));
            let unsaid = self.draft.periods.is_empty() && !how_many;
            if !self.items[at].used && long && unsaid && it.seconds() >= 60.0 {
                self.draft.periods.push(Placed { it: Period::Last(it), at });
                self.use_item(at);
            } else if !self.items[at].used && it.amount == 1 && it.seconds() >= 3_600.0 {
                // 하루 에러가 50건: of each day; 어제 하루: said twice.
                let each = self.items.iter().any(|item| item.particle(Particle::Even) || item.op(Op::Each));
                let per_day = !self.draft.bounds.is_empty() || self.draft.rank.is_some() || each || how_many;
                let same = self.draft.periods.iter().any(|known| {
                    known.at + 1 == at && self.seconds(Some(&known.it)) <= it.seconds() * 1.1
                });
                if per_day && !same {
                    self.draft.group(at, Dimension::Every(it), How::Per);
                }
                if per_day || same {
                    self.use_item(at);
                }
            } else if !self.items[at].used && self.draft.periods.iter().any(|known| matches!(known.it, Period::Last(length) if (length.seconds() - it.seconds()).abs() < 1.0)) {
                self.use_item(at);
            }
        }
    }
}
