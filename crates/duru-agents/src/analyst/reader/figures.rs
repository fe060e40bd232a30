//! What is counted, averaged, or shared out.

use duru_language::{Ask, Link, Op, Particle, Sense, Unit};

use super::draft::Placed;
use super::items::ItemKind;
use super::link::Mention;
use super::reading::Reading;
use crate::analyst::frame::{Column, Measure, Stat};

impl Reading<'_> {
    /// Rates and shares: named ones, and those of a condition.
    pub(super) fn shares(&mut self) {
        for at in 0..self.items.len() {
            if self.items[at].used || self.is_background(at) {
                continue;
            }
            let named = self.items[at].mentions.iter().find_map(|mention| match mention {
                Mention::Rate(filters) => Some(Measure::Rate(filters.clone())),
                Mention::Named(name, expression) => Some(Measure::Named(name.clone(), expression.clone())),
                _ => None,
            });
            if let Some(measure) = named {
                // A share of rows that have the column at all.
                if let Measure::Rate(filters) = &measure
                    && let Some(filter) = filters.first()
                    && self.described(&filter.column).is_some_and(|column| column.key.is_some())
                {
                    self.draft.filter(
                        at,
                        crate::analyst::frame::Filter::new(
                            filter.column.clone(),
                            crate::analyst::frame::Test::Present,
                        ),
                    );
                }
                self.draft.measure(at, measure);
                self.use_item(at);
                continue;
            }
            // What % is it.
            let percent = self.items[at].senses.contains(&Sense::Unit(Unit::Percent))
                && matches!(self.items[at].kind, ItemKind::Word)
                && at > 0
                && self.items[at - 1].senses.iter().any(|sense| matches!(sense, Sense::Ask(_)));
            if percent {
                self.draft.rate = Some(at);
                self.use_item(at);
                self.use_item(at - 1);
            } else if self.is_of_things() && self.column_at(at).is_some() {
                // The rating of a restaurant is no rate.
            } else if self.op_at(at, Op::Share) {
                self.draft.share = true;
                self.use_item(at);
            } else if self.op_at(at, Op::Rate) {
                self.draft.rate = Some(at);
                self.use_item(at);
            }
        }
    }

    pub(super) fn figures(&mut self) {
        for at in 0..self.items.len() {
            if self.items[at].used || self.is_background(at) {
                continue;
            }
            if self.how_much_of_thing(at) {
                continue;
            }
            // The largest city: not the greatest of some number that is named, but the city.
            if self.is_attribute_of_rows(at) {
                continue;
            }
            if let Some(stat) = self.stat_at(at) {
                self.statistic(at, stat);
            } else if self.items[at].senses.contains(&Sense::Ask(Ask::HowMany)) {
                self.how_many(at);
            } else if self.op_at(at, Op::Distinct) {
                self.distinct(at);
            } else if self.op_at(at, Op::Count) && self.items[at].mentions.is_empty() {
                self.count(at);
            } else if self.items[at].senses.contains(&Sense::Ask(Ask::HowLong)) || self.op_at(at, Op::Takes) {
                self.takes(at);
            }
        }
    }

    fn stat_at(&self, at: usize) -> Option<Stat> {
        // Total amount: a sum, where rows are things.
        let total = self.items[at].any_op(&[Op::Total]).is_some() && !self.items[at].korean;
        if total && self.is_of_things() && self.number_follows(at) {
            return Some(Stat::Sum);
        }
        let item = &self.items[at];
        if let ItemKind::Percentile(part) = item.kind {
            return Some(Stat::Percentile(part));
        }
        let ops = [
            (Op::Average, Stat::Average),
            (Op::Minimum, Stat::Minimum),
            (Op::Maximum, Stat::Maximum),
            (Op::Sum, Stat::Sum),
            (Op::Median, Stat::Percentile(0.5)),
            (Op::Deviation, Stat::Deviation),
        ];
        ops.into_iter().find(|(op, _)| item.op(*op)).map(|(_, stat)| stat)
    }

    /// A statistic and the column it is of: the nearest number, first in the direction of the language.
    fn number_follows(&self, at: usize) -> bool {
        (at + 1..(at + 4).min(self.items.len())).any(|place| {
            self.column_at(place).is_some_and(|column| {
                self.described(&column).is_some_and(|known| known.is_number() && !known.code)
            })
        })
    }

    fn statistic(&mut self, at: usize, stat: Stat) {
        // The highest average, the lowest error rate: an order of the figure that follows.
        if matches!(stat, Stat::Maximum | Stat::Minimum)
            && let Some(next) = self.next(at)
            && !self.items[at].particle(Particle::With)
            && self.items[at + 1..next].iter().all(|item| {
                !item.senses.contains(&Sense::Link(Link::And)) && !matches!(item.kind, ItemKind::Mark(_))
            })
            && (self.stat_at(next).is_some()
                || self.items[next]
                    .mentions
                    .iter()
                    .any(|mention| matches!(mention, Mention::Rate(_) | Mention::Named(..)))
                || self.items[next].op(Op::Rate))
        {
            self.use_item(at);
            let rank = super::draft::Rank {
                descending: stat == Stat::Maximum,
                by: super::draft::RankBy::Figure,
                at,
                first: true,
            };
            self.draft.rank.get_or_insert(rank);
            return;
        }
        let number = |reading: &Self, place: usize| {
            let column = reading.column_at(place).filter(|_| !reading.is_value(place))?;
            let known = reading.described(&column)?;
            known.is_number().then_some(column)
        };
        let clause = self.items[at].clause;
        let same =
            |reading: &Self, place: usize| reading.items.get(place).is_some_and(|item| item.clause == clause);
        let after = (at + 1..at + 6)
            .take_while(|place| same(self, *place))
            .find_map(|place| Some((place, number(self, place)?)));
        let before = (at.saturating_sub(5)..at)
            .rev()
            .take_while(|place| same(self, *place))
            .find_map(|place| Some((place, number(self, place)?)));
        // Of two numbers the one that is not another statistic's: 최대 응답시간과 평균 응답시간.
        let found = match (before, after) {
            (Some((b, column)), Some((a, other))) => {
                Some(if a - at <= at - b { (a, other) } else { (b, column) })
            }
            (before, after) => after.or(before),
        };
        self.use_item(at);
        let found = match found {
            Some((place, _)) if self.is_of_things() && place > at => self.head_of_numbers(place).or(found),
            found => found,
        };
        match found {
            Some((place, column))
                if matches!(stat, Stat::Maximum | Stat::Minimum)
                    && self.greatest_thing(at, stat, &column) =>
            {
                self.use_item(place);
            }
            Some((place, column)) => {
                self.use_item(place);
                self.draft.measure(at, Measure::Stat(stat, column, Vec::new()));
            }
            None => self.draft.stats.push(Placed { it: stat, at }),
        }
    }

    /// 몇 건, 몇 명, how many users.
    fn how_many(&mut self, at: usize) {
        self.use_item(at);
        let before = self.draft.measures.len();
        self.how_many_of(at);
        if self.draft.measures.len() == before && self.draft.counted {
            self.draft.counts.push(at);
        }
    }

    fn how_many_of(&mut self, at: usize) {
        let unit = self.items.get(at + 1).and_then(|item| {
            item.senses
                .iter()
                .find_map(|sense| match sense {
                    Sense::Unit(unit) if unit.seconds().is_some() || item.senses.len() == 1 => Some(*unit),
                    _ => None,
                })
                .or_else(|| {
                    item.senses.iter().find_map(|sense| match sense {
                        Sense::Unit(unit) => Some(*unit),
                        _ => None,
                    })
                })
        });
        // 고객은 몇 분: people, not minutes.
        let people = unit == Some(Unit::Minute)
            && self.person().is_some_and(|person| {
                (at.saturating_sub(4)..at).any(|place| self.column_at(place).as_ref() == Some(&person))
            });
        let unit = if people { Some(Unit::People) } else { unit };
        if unit.is_some() {
            self.use_item(at + 1);
        }
        if matches!(unit, Some(Unit::Percent)) {
            self.draft.rate = Some(at);
            return;
        }
        // 몇 시 몇 분.
        if matches!(unit, Some(Unit::OClock))
            || matches!(unit, Some(Unit::Minute))
                && at > 1
                && self.items[at - 1].senses.contains(&Sense::Unit(Unit::OClock))
        {
            self.draft.when = true;
            return;
        }
        let kind = unit == Some(Unit::Kind) || self.op_at(at + 1, Op::Kind);
        if kind && let Some(column) = self.kind_of_value(at) {
            self.use_item(at + 1);
            return self.draft.measure(at, Measure::Distinct(column, Vec::new()));
        }
        if matches!(unit, Some(Unit::Second | Unit::Millisecond | Unit::Minute | Unit::Hour)) {
            return self.takes(at);
        }
        match self.items[at].korean {
            true => self.how_many_in_korean(at, unit),
            false => self.counted_noun(at),
        }
    }

    fn how_many_in_korean(&mut self, at: usize, unit: Option<Unit>) {
        let noun = self.previous(at).filter(|place| self.items[*place].clause == self.items[at].clause);
        // 고유 IP는 몇 개: said already.
        if noun.is_some_and(|noun| {
            self.draft
                .measures
                .iter()
                .any(|placed| placed.at == noun && matches!(placed.it, Measure::Distinct(..)))
        }) {
            return;
        }
        let column = noun
            .and_then(|place| Some((place, self.column_at(place)?)))
            .filter(|(place, _)| !self.items[*place].used && !self.is_value(*place));
        // 몇 개의 서비스: the noun follows.
        if let Some(column) = self
            .column_at(at + 2)
            .filter(|_| unit.is_some() && self.items[at + 1].particle(Particle::Of) && !self.is_value(at + 2))
        {
            return self.count_values(at + 2, column);
        }
        match (unit, column) {
            (Some(Unit::Times | Unit::Item), Some((place, _)))
                if self.items[place].particle(Particle::Subject) && unit == Some(Unit::Times) =>
            {
                self.draft.counted = true
            }
            (Some(Unit::Times), _) => self.draft.counted = true,
            // 어떤 함수에서 몇 건씩, 에러 유형 하나씩.
            (_, Some((place, _)))
                if self.items[place].particle(Particle::At)
                    || place > 0
                        && self.items[place - 1]
                            .senses
                            .iter()
                            .any(|sense| matches!(sense, Sense::Ask(Ask::Which))) =>
            {
                self.draft.counted = true
            }
            (_, Some((place, column))) => self.count_values(place, column),
            (Some(Unit::People), None) => match self.person() {
                Some(person) => self.draft.measure(at, Measure::Distinct(person, Vec::new())),
                None => self.draft.counted = true,
            },
            _ => self.draft.counted = true,
        }
    }

    /// 에러가 몇 종류: the column whose values are kinds of what was named.
    fn kind_of_value(&self, at: usize) -> Option<Column> {
        let table = self.table_of()?;
        (0..at).rev().take(4).find_map(|place| {
            let named = |column: &str, values: &[String]| self.items[place].mentions.iter().any(|mention| matches!(mention, Mention::Value(other, value) if other.name == column && values.contains(value)));
            let column = table.columns.iter().find(|column| column.implies.as_ref().is_some_and(|implied| named(&implied.column, &implied.is)))?;
            Some(Column::new(&table.name, &column.name))
        })
    }

    /// The noun after "how many", "number of": a column's values are counted once each, rows as they are.
    fn counted_noun(&mut self, at: usize) {
        // Count of each error type: the types are groups.
        if self.op_at(at + 1, Op::Each) || self.link_at(at + 1, Link::Of) && self.op_at(at + 2, Op::Each) {
            self.draft.counted = true;
            return;
        }
        let mut place = at + 1;
        while self.items.get(place).is_some_and(|item| {
            item.is_empty() || item.op(Op::Distinct) || item.op(Op::Total) || item.op(Op::All)
        }) {
            if self.items[place].op(Op::Distinct) || self.items[place].op(Op::Total) {
                self.use_item(place);
            }
            place += 1;
        }
        // The average number of citations: counted already.
        let number = |column: Column| self.described(&column).is_some_and(|known| known.is_number());
        if self.is_of_things()
            && self.items.get(place).is_some_and(|item| item.used)
            && self.column_at(place).is_some_and(number)
        {
            return;
        }
        // How many people live there: a number that rows have.
        if self.is_of_things()
            && let Some(column) = self.items.get(place).and_then(|item| {
                item.mentions.iter().find_map(|mention| match mention {
                    Mention::Column(column) if self.hops(&column.table).is_some() => Some(column.clone()),
                    _ => None,
                })
            })
            && self.described(&column).is_some_and(|known| known.is_number() && !known.code)
        {
            self.use_item(place);
            return self.draft.columns.push(Placed { it: column, at: place });
        }
        // 5xx errors per service: what stands before the noun is a condition on it.
        while self.items.get(place).is_some_and(|item| item.used && !matches!(item.kind, ItemKind::Time(_)))
            && place < at + 5
        {
            place += 1;
        }
        match self
            .column_at(place)
            .filter(|_| !self.is_value(place) && !self.items[place].used && !self.is_table(place))
        {
            Some(column)
                if !self.described(&column).is_some_and(|column| column.is_number())
                    && Some(&column) != self.text_column().as_ref() =>
            {
                self.count_values(place, column)
            }
            text => {
                self.draft.counted = true;
                if text.is_some() || self.is_table(place) {
                    self.use_item(place);
                }
            }
        }
    }

    fn count_values(&mut self, place: usize, column: Column) {
        self.use_item(place);
        self.draft.measure(place, Measure::Distinct(column, Vec::new()));
    }

    pub(super) fn person(&self) -> Option<Column> {
        let table = self.table_of()?;
        table.person.as_ref().map(|person| Column::new(&table.name, person))
    }

    fn distinct(&mut self, at: usize) {
        self.use_item(at);
        self.draft.distinct = true;
        let near = [self.next(at), self.previous(at)];
        let column = near.into_iter().flatten().find_map(|place| {
            let column =
                self.column_at(place).filter(|_| !self.items[place].used && !self.is_value(place))?;
            Some((place, column))
        });
        let counts = self
            .items
            .iter()
            .any(|item| item.op(Op::Count) || item.senses.contains(&Sense::Ask(Ask::HowMany)))
            // Daily distinct users.
            || self.draft.dimensions.iter().any(|placed| placed.it.dimension.is_time());
        let bounded =
            self.draft.bounds.iter().any(|bound| bound.end + 1 >= at.saturating_sub(1) && bound.at <= at + 1);
        if let Some((place, column)) = column
            && counts
            && !bounded
        {
            self.count_values(place, column);
        }
    }

    /// 에러 수, 사용자 수, the number of requests.
    fn count(&mut self, at: usize) {
        self.use_item(at);
        // 건수 말고 사람 수로: another figure is meant.
        if self.op_at(at + 1, Op::Exclude) && self.items[at + 1].korean {
            return self.use_item(at + 1);
        }
        // First occurrence: when.
        if at > 0 && self.items[at - 1].any_op(&[Op::First, Op::Last]).is_some() {
            self.draft.when = true;
            return;
        }
        let before = self.draft.measures.len();
        self.count_of(at);
        if self.draft.measures.len() == before && self.draft.counted {
            self.draft.counts.push(at);
        }
    }

    fn count_of(&mut self, at: usize) {
        if !self.items[at].korean {
            let before = at
                .checked_sub(1)
                .and_then(|place| self.column_at(place))
                .filter(|_| !self.items[at - 1].used && !self.is_value(at - 1));
            // Level counts: how many of each.
            if let (Some(column), "counts") = (&before, self.items[at].text.to_lowercase().as_str()) {
                self.draft.group(
                    at - 1,
                    crate::analyst::frame::Dimension::Column(column.clone()),
                    super::draft::How::Per,
                );
                self.use_item(at - 1);
                self.draft.counted = true;
                return;
            }
            if let (Some(column), false) = (before, self.link_at(at + 1, Link::Of)) {
                return self.count_values(at - 1, column);
            }
            if at > 0 && self.draft.measures.iter().any(|placed| placed.at + 1 == at) {
                return;
            }
            if self.link_at(at + 1, Link::Of)
                || self.items[at].text.contains("of")
                || self.items[at].text.contains('#')
                || self.items.get(at + 1).is_some_and(|next| {
                    next.op(Op::Distinct) || next.senses.contains(&Sense::Link(Link::Article))
                })
            {
                return self.counted_noun(at);
            }
            self.draft.counted = true;
            return;
        }
        // 고유 사용자 수: that was said already.
        if at > 0
            && self
                .draft
                .measures
                .iter()
                .any(|placed| placed.at + 1 == at && matches!(placed.it, Measure::Distinct(..)))
        {
            return;
        }
        let noun = (0..at)
            .rev()
            .take(2)
            .take_while(|place| !matches!(self.items[*place].kind, ItemKind::Mark(_)))
            .find(|place| !self.items[*place].is_empty());
        let column = noun.and_then(|place| Some((place, self.column_at(place)?)));
        match column {
            Some((place, _))
                if place > 0
                    && (self.items[place - 1].op(Op::Each)
                        || self.items[place - 1].senses.contains(&Sense::Ask(Ask::Which))) =>
            {
                self.draft.counted = true
            }
            Some((place, column))
                if place + 1 == at
                    && !self.items[place].used
                    && !self.is_value(place)
                    && self.items[place]
                        .particles
                        .iter()
                        .all(|one| matches!(one, Particle::Of | Particle::Plural))
                    && !self.described(&column).is_some_and(|column| column.is_number())
                    && !self.is_table(place) =>
            {
                self.count_values(place, column);
            }
            _ => self.draft.counted = true,
        }
    }

    /// How long something took: the duration of rows, or from the first to the last of them.
    fn takes(&mut self, at: usize) {
        let Some(table) = self.table_of() else { return };
        let Some(duration) = table.duration.as_ref().map(|name| Column::new(&table.name, name)) else {
            return;
        };
        self.use_item(at);
        let asked = self.items[at].senses.iter().any(|sense| matches!(sense, Sense::Ask(_)));
        let near = at.saturating_sub(4)..(at + 4).min(self.items.len());
        let much = near.clone().find(|place| {
            self.items[*place]
                .senses
                .iter()
                .any(|sense| matches!(sense, Sense::Ask(Ask::HowMuch | Ask::HowLong)))
        });
        // One trace or session as a whole took from its first row to its last.
        let whole = self.draft.filters.iter().any(|placed| {
            placed.it.column.name.ends_with("trace_id") || placed.it.column.name.ends_with("session_id")
        });
        if asked || much.is_some() {
            if let Some(place) = much {
                self.use_item(place);
            }
            if whole {
                self.draft.span = true;
            } else if self.draft.measures.is_empty() && self.draft.stats.is_empty() {
                self.draft.stats.push(Placed { it: Stat::Average, at });
            }
        }
        if !self.draft.columns.iter().any(|known| known.it == duration) {
            self.draft.columns.push(Placed { it: duration, at });
        }
    }
}
