//! What divides the answer, and in which order it comes.

use duru_language::time::Timed;
use duru_language::{Ask, Ending, Link, Op, Particle, Sense, Unit};

use super::draft::{How, Rank, RankBy};
use super::items::ItemKind;
use super::reading::Reading;
use crate::analyst::frame::Dimension;

impl Reading<'_> {
    pub(super) fn groups(&mut self) {
        for at in 0..self.items.len() {
            if self.items[at].used || self.is_background(at) {
                continue;
            }
            let item = &self.items[at];
            if item.op(Op::Per) && item.korean {
                self.per_before(at);
            } else if item.op(Op::Per) || item.senses.contains(&Sense::Link(Link::By)) {
                self.per_after(at);
            } else if item.op(Op::Each) || item.op(Op::Every) {
                self.each(at);
            } else if item.senses.iter().any(|sense| matches!(sense, Sense::Ask(Ask::Which | Ask::What))) {
                self.which(at);
            } else if item.senses.contains(&Sense::Ask(Ask::Who))
                && !item.senses.contains(&Sense::Link(Link::That))
            {
                if let Some(column) = self.several_values() {
                    self.draft.group(at, Dimension::Column(column), How::Per);
                    self.use_item(at);
                } else if let Some(person) = self.person() {
                    self.draft.group(at, Dimension::Column(person), How::Asked);
                    self.use_item(at);
                }
            } else if item.senses.contains(&Sense::Ask(Ask::Where)) && (item.korean || at == 0) {
                self.place(at);
            }
        }
    }

    /// 서비스와 레벨별: the columns before it.
    fn per_before(&mut self, at: usize) {
        let mut place = at;
        let mut found = false;
        while let Some(before) = place.checked_sub(1) {
            let next = &self.items[before + 1];
            let joined = before + 1 == at
                || self.items[before].particle(Particle::With)
                || matches!(next.kind, ItemKind::Mark(_))
                || next.senses.contains(&Sense::Link(Link::And));
            let column = self.column_at(before).filter(|_| joined && !self.items[before].used);
            // 브라우저 종류별: its values are its kinds.
            let column = column.or_else(|| {
                let named =
                    before.checked_sub(1).filter(|_| self.items[before].op(Op::Kind) && before + 1 == at)?;
                let column = self.column_at(named).filter(|_| {
                    !self.items[named].used && !self.is_value(named) && self.items[named].particles.is_empty()
                })?;
                Some(column)
            });
            // 유형별: the kinds of what is named.
            let column = column.or_else(|| {
                self.kind_column().filter(|_| self.items[before].op(Op::Kind) && before + 1 == at)
            });
            match column {
                Some(column) => {
                    // 날짜별.
                    let time = self.described(&column).is_some_and(|column| column.is_time());
                    let dimension = if time {
                        Dimension::Every(duru_language::time::Length::new(1, Unit::Day))
                    } else {
                        Dimension::Column(column)
                    };
                    self.draft.group(before, dimension, How::Per);
                    self.use_item(before);
                    found = true;
                }
                None if matches!(
                    self.items[before].kind,
                    ItemKind::Mark(',' | '/' | '·' | '+' | '&' | ')' | '(')
                ) || self.items[before].senses.contains(&Sense::Link(Link::And)) => {}
                None => break,
            }
            place = before;
        }
        let averaged = self.items[at].text.starts_with('당');
        if found {
            self.use_item(at);
            self.draft.averaged |= averaged && self.draft.stats.iter().any(|_| true);
            // Columns are kept in the order of the question.
            self.draft.dimensions.sort_by_key(|placed| placed.at);
        } else if self.items[at].text.starts_with("기준") {
            self.skip_item(at);
        } else if self.draft.dimensions.iter().any(|placed| placed.at + 2 >= at && placed.at < at) {
            self.use_item(at);
        } else if let Some(unit) = at.checked_sub(1).and_then(|before| {
            self.items[before].senses.iter().find_map(|sense| match sense {
                Sense::Unit(unit) if unit.seconds() >= Some(60.0) => Some(*unit),
                _ => None,
            })
        }) {
            // 날마다.
            self.draft.group(at, Dimension::Every(duru_language::time::Length::new(1, unit)), How::Per);
            self.use_item(at);
            self.use_item(at - 1);
        } else if !self.items[at].endings.is_empty() || self.items[at].text.ends_with("묶어") {
            self.per_verb(at);
        } else if let Some(ItemKind::Time(Timed::Length(length))) =
            at.checked_sub(1).map(|before| self.items[before].kind.clone())
        {
            self.draft.group(at, Dimension::Every(length), How::Per);
            self.use_item(at);
            self.use_item(at - 1);
        }
    }

    /// 서비스와 레벨을 함께 묶어서: the columns that the verb is done to.
    fn per_verb(&mut self, at: usize) {
        let clause = self.items[at].clause;
        let done_to = |item: &super::items::Item| {
            item.particles.iter().any(|one| matches!(one, Particle::Object | Particle::By | Particle::With))
        };
        let places: Vec<usize> = (at.saturating_sub(6)..at)
            .filter(|place| {
                self.items[*place].clause == clause
                    && !self.items[*place].used
                    && done_to(&self.items[*place])
            })
            .collect();
        for place in places {
            if let Some(column) = self.column_at(place).filter(|_| !self.is_value(place)) {
                self.draft.group(place, Dimension::Column(column), How::Per);
                self.use_item(place);
                self.use_item(at);
            }
        }
    }

    /// By service and level: the columns after it.
    fn per_after(&mut self, at: usize) {
        let mut place = at + 1;
        let mut found = false;
        while let Some(item) = self.items.get(place) {
            if let ItemKind::Time(Timed::Length(length)) = item.kind {
                self.draft.group(place, Dimension::Every(length), How::Per);
                self.use_item(place);
                found = true;
            } else if let Some(column) =
                self.kind_column().filter(|_| item.op(Op::Kind) && self.column_at(place).is_none())
            {
                self.draft.group(place, Dimension::Column(column), How::Per);
                self.use_item(place);
                found = true;
            } else if let Some(column) =
                self.group_column_at(place).filter(|_| !item.used && !self.is_value(place))
            {
                if self.described(&column).is_some_and(|column| column.is_number() && !column.code) && !found
                {
                    // Top services by latency: an order, not a group.
                    break;
                }
                if self.described(&column).is_some_and(|column| column.is_time()) {
                    break;
                }
                self.draft.group(place, Dimension::Column(column), How::Per);
                self.use_item(place);
                found = true;
            } else if item.used && matches!(item.kind, ItemKind::Time(_)) && found
                || !(item.is_empty() || item.op(Op::Each) || item.op(Op::All))
            {
                break;
            } else if item.op(Op::Each) {
                self.use_item(place);
            }
            place += 1;
        }
        if found {
            self.use_item(at);
        }
    }

    /// Each service, 각 서비스; every 10 minutes.
    fn each(&mut self, at: usize) {
        // 한 시간씩.
        if let Some(ItemKind::Time(Timed::Length(length))) = at
            .checked_sub(1)
            .filter(|before| self.items[at].korean && !self.items[*before].used)
            .map(|before| self.items[before].kind.clone())
        {
            self.draft.group(at, Dimension::Every(length), How::Per);
            self.use_item(at - 1);
            return self.use_item(at);
        }
        match self.items.get(at + 1).map(|item| item.kind.clone()) {
            Some(ItemKind::Time(Timed::Length(length))) => {
                self.draft.group(at, Dimension::Every(length), How::Per);
                self.use_item(at + 1);
            }
            _ => match self.items.get(at + 1).and_then(|item| {
                item.senses.iter().find_map(|sense| match sense {
                    Sense::Unit(unit) if unit.seconds().is_some() => Some(*unit),
                    _ => None,
                })
            }) {
                Some(unit) => {
                    self.draft.group(
                        at,
                        Dimension::Every(duru_language::time::Length::new(1, unit)),
                        How::Per,
                    );
                    self.use_item(at + 1);
                }
                None => match self
                    .kind_column()
                    .filter(|_| self.op_at(at + 1, Op::Kind))
                    .or_else(|| self.group_column_at(at + 1))
                    .filter(|_| !self.items[at + 1].used && !self.is_value(at + 1))
                {
                    Some(column) => {
                        self.draft.group(at, Dimension::Column(column), How::Per);
                        self.use_item(at + 1);
                    }
                    None => self.draft.each = true,
                },
            },
        }
        self.use_item(at);
    }

    /// Which service, 어떤 에러 유형.
    fn which(&mut self, at: usize) {
        // 둘 중 어느 쪽이: which of the named ones.
        let side = self.bare(at).ends_with(['쪽', '게', '거', '것'])
            || ["쪽", "게", "거", "것", "one"].iter().any(|word| {
                self.items.get(at + 1).is_some_and(|item| item.text.starts_with(word) && item.is_empty())
            });
        if let Some(column) = self.several_values().filter(|_| side) {
            self.draft.group(at, Dimension::Column(column), How::Per);
            return self.use_item(at);
        }
        let mut place = at + 1;
        let small = |item: &super::items::Item| {
            item.senses.iter().any(|sense| {
                matches!(sense, Sense::Filler | Sense::Link(Link::Article | Link::Of | Link::Is))
            }) && item.mentions.is_empty()
                || matches!(item.kind, ItemKind::Mark(_))
        };
        while self.items.get(place).is_some_and(|item| {
            small(item)
                || item.used && !matches!(item.kind, ItemKind::Time(_))
                || item.any_op(&[Op::Other, Op::Distinct, Op::Top]).is_some()
                || matches!(item.kind, ItemKind::Number(..))
        }) && place < at + 4
        {
            place += 1;
        }
        // Which 3 hours: of stretches of one hour, the first three.
        if let Some(ItemKind::Time(Timed::Length(length))) =
            self.items.get(at + 1).map(|item| item.kind.clone())
        {
            let one = duru_language::time::Length::new(1, length.unit);
            self.draft.group(at, Dimension::Every(one), How::Asked);
            self.draft.lengths.retain(|placed| placed.at != at + 1);
            self.draft.limit.get_or_insert(length.amount);
            self.use_item(at + 1);
            return self.use_item(at);
        }
        // 어떤 에러, what kinds of errors: which kinds of it.
        let direct = self.items.get(at + 1).is_some_and(|item| {
            item.op(Op::Kind)
                || item.mentions.iter().any(|mention| matches!(mention, super::link::Mention::Value(..)))
        });
        if let Some(column) = self.kind_column().filter(|_| {
            direct && !self.draft.filters.iter().any(|placed| placed.it.column.name == "service_version")
        }) {
            self.draft.group(at, Dimension::Column(column), How::Asked);
            self.use_item(at + 1);
            return self.use_item(at);
        }
        if let Some(column) =
            self.column_at(place).filter(|_| !self.items[place].used && !self.is_value(place))
        {
            let known = self.described(&column);
            if known.is_some_and(|column| column.is_time()) {
                self.draft.when = true;
            } else if known.is_some_and(|column| column.is_number() && column.unit.is_some()) {
                return self.use_item(at);
            } else {
                self.draft.group(place, Dimension::Column(column), How::Asked);
            }
            self.use_item(place);
        } else if let Some(unit) = self.items.get(place).and_then(|item| {
            item.senses.iter().find_map(|sense| match sense {
                Sense::Unit(unit) if unit.seconds().is_some() => Some(*unit),
                _ => None,
            })
        }) {
            self.draft.group(place, Dimension::Every(duru_language::time::Length::new(1, unit)), How::Asked);
            self.use_item(place);
        }
        self.use_item(at);
    }

    /// The column whose values are the kinds of what was named: of errors, their types.
    fn kind_column(&self) -> Option<crate::analyst::frame::Column> {
        let table = self.table_of()?;
        let named = |column: &str, values: &[String]| {
            self.draft
                .value_places
                .iter()
                .any(|(other, value, _)| other.name == column && values.contains(value))
        };
        let column = table.columns.iter().find(|column| {
            column.implies.as_ref().is_some_and(|implied| named(&implied.column, &implied.is))
        })?;
        let it = crate::analyst::frame::Column::new(&table.name, &column.name);
        (!self.draft.filters.iter().any(|placed| placed.it.column == it)).then_some(it)
    }

    /// A column of which several values were named: which of them is asked.
    fn several_values(&self) -> Option<crate::analyst::frame::Column> {
        self.draft.filters.iter().find_map(|placed| match &placed.it.test {
            crate::analyst::frame::Test::OneOf(values) if values.len() > 1 => Some(placed.it.column.clone()),
            _ => None,
        })
    }

    /// 어디서 났어: what tells rows apart.
    fn place(&mut self, at: usize) {
        if let Some(column) = self.several_values() {
            self.draft.group(at, Dimension::Column(column), How::Per);
            return self.use_item(at);
        }
        if let Some((table, name)) = self.table_of().and_then(|table| Some((table, table.identify.as_ref()?)))
        {
            let column = crate::analyst::frame::Column::new(&table.name, name);
            self.draft.group(at, Dimension::Column(column), How::Asked);
            self.use_item(at);
        }
    }

    /// 가장 많은, top 5, slowest.
    pub(super) fn ranks(&mut self) {
        for at in 0..self.items.len() {
            if self.items[at].used || self.is_background(at) {
                continue;
            }
            let item = self.items[at].clone();
            let attribute = self.attribute_at(at);
            if let Some((column, more)) = attribute.filter(|_| {
                item.text.ends_with("est")
                    || item.text == "worst"
                    || at > 0 && self.items[at - 1].op(Op::Most)
            }) {
                // The hottest sensor, 제일 뜨거운 센서.
                if at > 0 && self.items[at - 1].op(Op::Most) {
                    self.use_item(at - 1);
                }
                self.draft.columns.push(super::draft::Placed { it: column, at });
                self.limit_beside(at);
                self.rank(at, more, RankBy::Figure);
            } else if let ItemKind::Number(value, Some(Unit::Rank)) = item.kind {
                // 1등, 3위까지.
                self.draft.limit = Some(value as u32);
                self.rank(at, true, RankBy::Count);
            } else if item.any_op(&[Op::Top, Op::Bottom]).is_some() {
                let descending = item.op(Op::Top);
                self.limit_beside(at);
                self.rank(at, descending, RankBy::Count);
            } else if (item.op(Op::Most) || item.op(Op::Least) && !item.korean)
                && self.items.get(at + 1).is_some_and(|next| {
                    next.mentions.iter().any(|mention| matches!(mention, super::link::Mention::Attribute(..)))
                })
            {
                // The adjective takes it along.
            } else if item.op(Op::Most) || item.op(Op::Least) && !item.korean {
                self.superlative(at, item.op(Op::Least) && !item.op(Op::Most));
            } else if let Some((by, descending)) = adjective(&item) {
                // Worst at the top: all of them, in that order.
                let all = (at + 1..at + 4).any(|place| {
                    self.items.get(place).is_some_and(|item| {
                        matches!(item.text.trim(), "at the top" | "on top" | "first" | "at top")
                    })
                });
                let superlative = item.text.ends_with("est")
                    || item.text.starts_with("worst")
                    || item.text.starts_with("최악")
                    || item.text.starts_with("busiest");
                if matches!(by, RankBy::Figure | RankBy::Quality)
                    && superlative
                    && self.extreme(at, descending)
                {
                    continue;
                }
                if superlative && all {
                    self.weak_rank(at, descending, by);
                } else if superlative {
                    self.limit_beside(at);
                    self.rank(at, descending, by);
                } else if matches!(by, RankBy::Duration) && item.ending(Ending::Modifier)
                    || item.text.eq_ignore_ascii_case("slow")
                {
                    // 느린 API: an order that a number of them, or the word 순, makes a ranking.
                    self.weak_rank(at, descending, by);
                }
            }
        }
        self.counts();
    }

    pub(super) fn rank(&mut self, at: usize, descending: bool, by: RankBy) {
        self.use_item(at);
        // The biggest city in the smallest state: two things, and not both ends of one order.
        let of_another = self.is_of_things()
            && self.draft.rank.as_ref().is_some_and(|rank| {
                let between = rank.at.min(at) + 1..rank.at.max(at);
                !between.clone().any(|place| self.link_at(place, Link::And))
            });
        match &mut self.draft.rank {
            Some(rank) => {
                if rank.descending != descending && rank.by == by && !of_another {
                    self.draft.both_ends = true;
                }
                if by != RankBy::Count {
                    rank.by = by;
                    rank.descending = descending;
                }
            }
            none => *none = Some(Rank { descending, by, at, first: true }),
        }
    }

    fn weak_rank(&mut self, at: usize, descending: bool, by: RankBy) {
        self.use_item(at);
        match &mut self.draft.rank {
            Some(rank) => rank.by = by,
            none => *none = Some(Rank { descending, by, at, first: false }),
        }
    }

    /// 가장 and the adjective that follows, most and what is most.
    fn superlative(&mut self, at: usize, least: bool) {
        let mut place = at + 1;
        while self.items.get(place).is_some_and(|item| item.is_empty() && adjective(item).is_none())
            && place < at + 3
        {
            place += 1;
        }
        // 젤 처음, the very last.
        if self
            .items
            .get(place)
            .is_some_and(|item| item.any_op(&[Op::First, Op::Last, Op::Newest, Op::Oldest]).is_some())
        {
            return self.use_item(at);
        }
        // 제일 큰 금액: the greatest of the numbers themselves, beside other figures of them.
        if let Some((RankBy::Figure | RankBy::Quality, descending)) =
            self.items.get(place).and_then(adjective)
            && self.extreme(place, descending)
        {
            return self.use_item(at);
        }
        let adjective = self
            .items
            .get(place)
            .filter(|item| !item.used || item.op(Op::Increase) || item.op(Op::Decrease))
            .and_then(adjective);
        self.limit_beside(at);
        match adjective {
            Some((by, descending)) => {
                self.use_item(place);
                self.rank(at, descending != least, by);
            }
            None => self.rank(at, !least, RankBy::Count),
        }
    }

    /// An adjective before a number: the worst load time is the longest one.
    fn extreme(&mut self, at: usize, descending: bool) -> bool {
        let column = self
            .column_at(at + 1)
            .filter(|column| self.described(column).is_some_and(|column| column.is_number()));
        let Some(column) = column.filter(|_| !self.draft.measures.is_empty()) else { return false };
        let stat = if descending {
            crate::analyst::frame::Stat::Maximum
        } else {
            crate::analyst::frame::Stat::Minimum
        };
        self.draft.measure(at, crate::analyst::frame::Measure::Stat(stat, column, Vec::new()));
        self.use_item(at);
        self.use_item(at + 1);
        true
    }

    /// The number beside a ranking word: top 5, 상위 세 개.
    fn limit_beside(&mut self, at: usize) {
        let near =
            [Some(at + 1), Some(at + 2), at.checked_sub(1), Some(at + 3), Some(at + 4), at.checked_sub(2)];
        for place in near.into_iter().flatten() {
            if self.items.get(place).is_none_or(|item| item.used) {
                continue;
            }
            // Which one has the most: no number is wanted.
            if self.is_pronoun(place) {
                self.use_item(place);
                continue;
            }
            if let ItemKind::Number(value, unit) = self.items[place].kind
                && value >= 1.0
                && value.fract() == 0.0
                && value <= 10_000.0
                && unit.is_none_or(|unit| {
                    matches!(unit, Unit::Item | Unit::Place | Unit::People | Unit::Kind | Unit::Rank)
                })
                && self.draft.limit.is_none()
            {
                self.draft.limit = Some(value as u32);
                return self.use_item(place);
            }
        }
    }

    /// The "one" of "which one".
    fn is_pronoun(&self, at: usize) -> bool {
        let asks = |item: &super::items::Item| item.senses.iter().any(|sense| matches!(sense, Sense::Ask(_)));
        let one = matches!(self.items[at].kind, ItemKind::Number(value, None) if value == 1.0)
            && !self.items[at].korean;
        one && at.checked_sub(1).is_some_and(|before| asks(&self.items[before]))
    }

    /// Numbers that nothing took so far and that say how many are wanted: 10개만, 5 of them.
    fn counts(&mut self) {
        for at in 0..self.items.len() {
            let ItemKind::Number(value, unit) = self.items[at].kind else { continue };
            if self.items[at].used || value < 1.0 || value.fract() != 0.0 || self.draft.limit.is_some() {
                continue;
            }
            let counted =
                unit.is_some_and(|unit| matches!(unit, Unit::Item | Unit::Place | Unit::People | Unit::Kind));
            let before_noun = unit.is_none()
                && !self.items[at].korean
                && self.next(at).is_some_and(|next| {
                    self.is_table(next)
                        || self.is_value(next)
                        || self.column_at(next).is_some()
                        || self.items[next]
                            .any_op(&[
                                Op::Newest,
                                Op::Oldest,
                                Op::Last,
                                Op::First,
                                Op::Slow,
                                Op::Most,
                                Op::Long,
                            ])
                            .is_some()
                });
            // 한 건지, per 1000 lines: no limit.
            let loose = value == 1.0
                && self.draft.rank.is_none()
                && !self.items[at].particle(Particle::Only)
                && self.draft.one_row.is_none();
            let per = at > 0 && self.items[at - 1].op(Op::Per);
            if (counted || before_noun) && !loose && !per {
                self.draft.limit = Some(value as u32);
                self.use_item(at);
            }
        }
    }

    /// 최신순, sorted by count, oldest first.
    pub(super) fn orders(&mut self) {
        for at in 0..self.items.len() {
            if self.items[at].used || self.is_background(at) {
                continue;
            }
            let item = &self.items[at];
            let (newest, oldest) = (item.op(Op::Newest), item.op(Op::Oldest));
            if newest || oldest {
                self.draft.newest = Some(newest);
                self.limit_beside(at);
                self.use_item(at);
            } else if item.op(Op::Descending) || item.op(Op::Ascending) {
                self.draft.ascending = Some(item.op(Op::Ascending));
                self.use_item(at);
            } else if item.op(Op::Order) && at > 0 && self.items[at - 1].op(Op::Appear) {
                self.draft.newest = Some(true);
                self.use_item(at - 1);
                self.use_item(at);
            } else if item.op(Op::Order) {
                let before = at
                    .checked_sub(1)
                    .and_then(|place| adjective(&self.items[place]).map(|found| (place, found)));
                if let Some((place, (by, descending))) = before {
                    self.use_item(place);
                    self.weak_rank(at, descending, by);
                }
                self.use_item(at);
            } else if item.op(Op::First) || item.op(Op::Last) {
                self.end_of_time(at);
            }
        }
    }

    /// The first, the last: of rows in time, or when it was.
    fn end_of_time(&mut self, at: usize) {
        let last = self.items[at].op(Op::Last);
        // 처음부터 끝까지: all of it, in its order.
        if self.items[at].particle(Particle::From) || self.items[at].particle(Particle::Until) {
            self.draft.newest = Some(false);
            return self.use_item(at);
        }
        self.limit_beside(at);
        self.use_item(at);
        if self.draft.one_row.is_some_and(|known| known != last) {
            self.draft.both_ends = true;
        }
        self.draft.one_row.get_or_insert(last);
    }
}

/// What an adjective ranks by, and whether more of it comes first.
fn adjective(item: &super::items::Item) -> Option<(RankBy, bool)> {
    let kinds = [
        (Op::Much, RankBy::Count, true),
        (Op::Often, RankBy::Count, true),
        (Op::Few, RankBy::Count, false),
        (Op::Rarely, RankBy::Count, false),
        (Op::High, RankBy::Figure, true),
        (Op::Low, RankBy::Figure, false),
        (Op::Bad, RankBy::Quality, true),
        (Op::Good, RankBy::Quality, false),
        (Op::Slow, RankBy::Duration, true),
        (Op::Long, RankBy::Duration, true),
        (Op::Fast, RankBy::Duration, false),
        (Op::Short, RankBy::Duration, false),
        (Op::Increase, RankBy::Growth, true),
        (Op::Decrease, RankBy::Growth, false),
    ];
    kinds.into_iter().find(|(op, ..)| item.op(*op)).map(|(_, by, descending)| (by, descending))
}
