//! From what was found to a whole frame.

use duru_language::time::{Length, Period};
use duru_language::{Op, TimeWord, Unit};

use super::draft::{Bound, How, Placed, RankBy};
use super::reading::Reading;
use crate::analyst::frame::{
    By, Column, Compare, Comparison, Dimension, Filter, Frame, Having, Keep, Measure, Order, Stat, Test, Than,
};

/// Why no frame comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    /// A condition on groups, and no groups.
    NothingToGroup,
    /// A share of nothing.
    NothingToShare,
    /// Periods that can't be set against each other.
    Periods,
    /// A number that is compared with nothing.
    Number,
    /// Nothing that this table has.
    NoTable,
}

/// Whether no number can fulfil all conditions on its column: it would find nothing, and look like an answer.
fn contradictory(filters: &[Filter]) -> bool {
    let ends = |column: &Column| {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for filter in filters.iter().filter(|filter| filter.column == *column) {
            match filter.test {
                Test::Number(Compare::AtLeast | Compare::More, value) => low = low.max(value),
                Test::Number(Compare::AtMost | Compare::Less, value) => high = high.min(value),
                _ => {}
            }
        }
        low >= high && filters.iter().any(|filter| filter.column == *column && matches!(filter.test, Test::Number(Compare::Less, value) if value <= low)) || low > high
    };
    filters.iter().any(|filter| ends(&filter.column))
}

impl Reading<'_> {
    /// The frame that a question makes by itself.
    pub(super) fn assemble(&mut self) -> Result<Frame, Unfit> {
        let table = self.draft.table.clone().ok_or(Unfit::NoTable)?;
        let mut frame = Frame { table, ..Frame::default() };
        frame.filters = self.draft.filters.iter().map(|placed| placed.it.clone()).collect();
        // 토스 아니고 카카오: the other one.
        for without in frame.filters.clone() {
            if let Test::NoneOf(values) = &without.test {
                for filter in frame.filters.iter_mut().filter(|filter| filter.column == without.column) {
                    if let Test::OneOf(all) = &mut filter.test {
                        all.retain(|value| !values.contains(value));
                    }
                }
            }
        }
        frame.filters.retain(|filter| !matches!(&filter.test, Test::OneOf(values) if values.is_empty()));
        let named: Vec<Column> = frame.filters.iter().filter(|filter| matches!(filter.test, Test::OneOf(_))).map(|filter| filter.column.clone()).collect();
        frame.filters.retain(|filter| !(matches!(filter.test, Test::NoneOf(_)) && named.contains(&filter.column)));
        frame.none_of = self.draft.none_of.clone();
        frame.limit = self.draft.limit;
        frame.window = self.draft.window;
        self.levels(&mut frame);
        self.side_by_side(&mut frame);
        self.when(&mut frame)?;
        self.contrast(&mut frame);
        self.split_counts(&mut frame)?;
        self.statistics(&mut frame);
        self.rates(&mut frame)?;
        self.dimensions(&mut frame);
        self.conditions_on_groups(&mut frame)?;
        self.rows_without(&mut frame);
        self.moments(&mut frame);
        self.count_rows(&mut frame);
        self.order(&mut frame);
        if contradictory(&frame.filters) {
            return Err(Unfit::Number);
        }
        if !frame.having.is_empty() && frame.dimensions.is_empty() {
            return Err(Unfit::NothingToGroup);
        }
        // Whether it grew is seen by both figures; only groups are left out.
        if frame.dimensions.is_empty()
            && let Some(compare) = &mut frame.compare
        {
            compare.keep = Keep::All;
        }
        let mut seen: Vec<Measure> = Vec::new();
        frame.measures.retain(|measure| {
            let new = !seen.contains(measure);
            seen.push(measure.clone());
            new
        });
        Ok(frame)
    }

    /// What every frame needs, however it came about.
    pub(super) fn finish(&self, frame: &mut Frame) {
        // The rows of one trace are a story.
        let story = frame.filters.iter().any(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() == 1) && self.described(&filter.column).is_some_and(|column| column.journey));
        if story && frame.is_rows() && frame.order.is_none() {
            frame.order = Some(Order { by: By::Time, descending: false });
        }
        // The hours of one day are just hours.
        if self.seconds(frame.time.as_ref()) <= 129_600.0 {
            for dimension in frame.dimensions.iter_mut().filter(|dimension| **dimension == Dimension::HourOfDay) {
                *dimension = Dimension::Every(Length::new(1, Unit::Hour));
            }
        }
        if frame.dimensions.is_empty() || frame.measures.is_empty() {
            return;
        }
        // Groups without a single value have no average; of the others, one wants to know how many there are of.
        let columns: Vec<&Column> = frame.measures.iter().filter_map(|measure| match measure {
            Measure::Stat(_, column, _) => Some(column),
            _ => None,
        }).collect();
        if columns.len() == frame.measures.len() {
            let column = columns[0].clone();
            if columns.iter().all(|other| **other == column) && !frame.filters.iter().any(|filter| filter.column == column) {
                frame.filters.push(Filter::new(column, Test::Present));
            }
            if frame.compare.is_none() && frame.window.is_none() {
                frame.measures.push(Measure::Count);
            }
        }
    }

    /// The kind of an error says that it is one: a level beside it only repeats that, unless it is another.
    fn levels(&self, frame: &mut Frame) {
        for item in self.items.iter().filter(|item| item.used) {
            for mention in &item.mentions {
                let super::link::Mention::Column(column) = mention else { continue };
                let Some(implied) = self.described(column).and_then(|known| known.implies.as_ref()) else { continue };
                let said = implied.words.iter().any(|word| item.text.to_lowercase().contains(word.as_str()));
                let fixed = frame.filters.iter().any(|filter| filter.column.name == implied.column || filter.column == *column && matches!(filter.test, Test::OneOf(_)));
                let used = item.mentions.iter().all(|mention| !matches!(mention, super::link::Mention::Value(..)));
                if said && !fixed && used {
                    let column = Column::new(&column.table, &implied.column);
                    frame.filters.push(Filter::new(column, Test::OneOf(implied.is.clone())));
                }
            }
        }
        let ranked = |filter: &Filter| matches!(filter.test, Test::Rank(..));
        let Some(column) = frame.filters.iter().find(|filter| ranked(filter)).map(|filter| filter.column.clone()) else { return };
        frame.filters.retain(|filter| filter.column != column || ranked(filter));
    }

    fn when(&mut self, frame: &mut Frame) -> Result<(), Unfit> {
        let mut periods: Vec<Period> = self.draft.periods.iter().map(|placed| placed.it.clone()).collect();
        if periods.is_empty() && let Some(length) = self.draft.within.filter(|_| self.draft.bounds.is_empty() || !self.draft.dimensions.is_empty()) {
            periods.push(Period::Last(length));
        }
        if self.draft.quiet {
            return self.quiet(frame, &periods);
        }
        let against = self.draft.against.as_ref().map(|placed| placed.it.clone());
        let rated = self.draft.rate.is_some() || self.draft.share || self.draft.measures.iter().any(|placed| matches!(placed.it, Measure::Rate(_)));
        let compared = self.draft.compared && !(rated && self.draft.against.is_none() && !self.draft.growth) || self.draft.growth;
        let (this, other) = match (periods.as_slice(), against, self.draft.previous) {
            ([], None, None) => (None, None),
            ([this], None, Some(_)) => (Some(this.clone()), this.previous(self.now)),
            ([], None, Some(Some(length))) => {
                let this = Period::Last(length);
                let with = this.previous(self.now);
                (Some(this), with.filter(|_| compared))
            }
            ([this], Some(other), _) => (Some(this.clone()), Some(other)),
            ([], Some(other), _) => (Some(self.current(&other)), Some(other)),
            ([this], None, None) => {
                // 주별로 어떻게 변했는지: the buckets show it.
                let over_time = self.draft.trend || self.draft.dimensions.iter().any(|placed| placed.it.dimension.is_time());
                let with = this.previous(self.now).filter(|_| compared && !over_time && self.draft.keep != Keep::New && !self.compares_values(frame));
                (Some(this.clone()), with)
            }
            ([first, second], ..) => {
                let later = first.bounds(self.now).0 >= second.bounds(self.now).0;
                let (this, other) = if later { (first, second) } else { (second, first) };
                (Some(this.clone()), Some(other.clone()))
            }
            _ => return Err(Unfit::Periods),
        };
        let whole = other.clone();
        let other = match (&this, other) {
            (Some(this), Some(other)) if !matches!(self.draft.keep, Keep::New | Keep::Gone) => Some(other.up_to_the_same_time(this, self.now).unwrap_or(other)),
            (_, other) => other,
        };
        if self.draft.keep == Keep::New && other.is_none() {
            let from = this.as_ref().ok_or(Unfit::Periods)?.bounds(self.now).0;
            let with = Period::Range { from: None, until: from, unit: None };
            frame.compare = Some(Comparison { with, whole: None, keep: Keep::New });
        } else if let Some(with) = other {
            let whole = whole.filter(|whole| *whole != with);
            frame.compare = Some(Comparison { with, whole, keep: self.draft.keep });
        }
        frame.time = this;
        Ok(())
    }

    /// Values side by side, rather than periods: payment와 order 비교.
    fn compares_values(&self, frame: &Frame) -> bool {
        !self.draft.growth
            && (frame.filters.iter().any(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() > 1)) || !self.draft.dimensions.is_empty())
    }

    /// What goes on now of the same kind as a period of the past.
    fn current(&self, other: &Period) -> Period {
        let today = |unit: Unit| -> Option<Period> {
            let date = self.now.date();
            let first = match unit {
                Unit::Week => date.checked_sub(jiff::Span::new().days(i64::from(date.weekday().to_monday_zero_offset()))).ok()?,
                Unit::Month => date.first_of_month(),
                _ => date,
            };
            let from = first.to_zoned(self.now.time_zone().clone()).ok()?.timestamp();
            Some(Period::Range { from: Some(from), until: None, unit: Some(unit) })
        };
        match other {
            Period::Range { unit: Some(unit), .. } => today(*unit),
            Period::Range { .. } => today(Unit::Day),
            Period::Last(length) => Some(Period::Last(*length)),
        }
        .unwrap_or_else(|| other.clone())
    }

    /// Nothing was written in a period: of two, the shorter one; the longer one says what there should be.
    fn quiet(&self, frame: &mut Frame, periods: &[Period]) -> Result<(), Unfit> {
        let mut periods = periods.to_vec();
        periods.sort_by(|a, b| self.seconds(Some(a)).total_cmp(&self.seconds(Some(b))));
        frame.silent = Some(periods.first().ok_or(Unfit::Periods)?.clone());
        frame.time = periods.get(1).cloned();
        frame.measures.push(Measure::Last);
        if let Some((table, name)) = self.table_of().and_then(|table| Some((table, table.identify.as_ref()?)))
            && self.draft.dimensions.is_empty()
            && self.draft.columns.is_empty()
        {
            frame.dimensions.push(Dimension::Column(Column::new(&table.name, name)));
        }
        Ok(())
    }

    /// Failed, but never logged in: what a group has and what it lacks are conditions on the group, not on single rows.
    fn contrast(&self, frame: &mut Frame) {
        let Some(lacking) = self.draft.none_of_clause.filter(|_| !frame.none_of.is_empty()) else { return };
        let identify = self.table_of().and_then(|table| table.identify.clone());
        let time = self.table_of().and_then(|table| table.time.clone());
        for placed in &self.draft.filters {
            let shared = Some(&placed.it.column.name) == time.as_ref() || Some(&placed.it.column.name) == identify.as_ref();
            if self.items[placed.at].clause != lacking && !shared {
                frame.filters.retain(|filter| *filter != placed.it);
                frame.some_of.push(placed.it.clone());
            }
        }
    }

    /// Logs without INFO: where nothing is divided, single rows lack it.
    fn rows_without(&self, frame: &mut Frame) {
        if !frame.dimensions.is_empty() || frame.measures.iter().any(|measure| matches!(measure, Measure::Distinct(..))) {
            return;
        }
        let plain = |filter: &Filter| matches!(filter.test, Test::OneOf(_));
        if frame.none_of.iter().all(plain) && frame.none_of.len() == 1 && frame.some_of.is_empty() {
            for filter in std::mem::take(&mut frame.none_of) {
                if let Test::OneOf(values) = filter.test {
                    frame.filters.push(Filter::new(filter.column, Test::NoneOf(values)));
                }
            }
        }
    }

    /// 4xx와 5xx: conditions of which a row fulfils one at most are figures of their own.
    fn side_by_side(&mut self, frame: &mut Frame) {
        let mut classes: Vec<(usize, Vec<Filter>)> = Vec::new();
        let mut named = false;
        for placed in self.draft.filters.iter().filter(|placed| matches!(placed.it.test, Test::Number(..))) {
            match classes.iter_mut().find(|(at, _)| *at == placed.at) {
                Some((_, filters)) => filters.push(placed.it.clone()),
                None => classes.push((placed.at, vec![placed.it.clone()])),
            }
        }
        // 4xx와 5xx 비율: the share of one was read by its name.
        for placed in &self.draft.measures {
            if let Measure::Rate(filters) = &placed.it && filters.iter().all(|filter| matches!(filter.test, Test::Number(..))) && !classes.is_empty() {
                classes.push((placed.at, filters.clone()));
                named = true;
            }
        }
        classes.retain(|(at, _)| self.draft.measures.iter().any(|placed| placed.at == *at) || self.items[*at].mentions.iter().any(|mention| matches!(mention, super::link::Mention::Condition(_))));
        let all: Vec<Filter> = classes.iter().flat_map(|(_, filters)| filters.iter().cloned()).collect();
        if classes.len() < 2 || !contradictory(&all) {
            return;
        }
        frame.filters.retain(|filter| !all.contains(filter));
        let column = all[0].column.clone();
        if self.described(&column).is_some_and(|known| known.nullable || known.key.is_some()) {
            frame.filters.push(Filter::new(column, Test::Present));
        }
        let rated = named | self.draft.rate.take().is_some() | std::mem::take(&mut self.draft.share);
        self.draft.measures.retain(|placed| !matches!(&placed.it, Measure::Rate(filters) if filters.iter().all(|filter| all.contains(filter))));
        for (_, filters) in classes {
            frame.measures.push(if rated { Measure::Rate(filters) } else { Measure::CountOf(filters) });
        }
        self.draft.counted = false;
        self.draft.counts.clear();
        self.draft.compared &= self.draft.growth || self.draft.against.is_some();
    }

    /// 에러 수와 경고 수: a figure for each value, where each is counted by itself.
    fn split_counts(&mut self, frame: &mut Frame) -> Result<(), Unfit> {
        let counts: Vec<usize> = self.draft.counts.clone();
        // A statistic of one thing, and a count of another.
        if let (Some(stat), Some(count)) = (self.draft.measures.iter().find(|placed| matches!(placed.it, Measure::Stat(..) | Measure::Rate(_))), counts.first()) {
            let (low, high) = (stat.at.min(*count), stat.at.max(*count));
            let between = self.items[low..high].iter().any(|item| item.senses.contains(&duru_language::Sense::Link(duru_language::Link::And)) || item.ending(duru_language::Ending::Connective));
            let own = |side: &dyn Fn(usize) -> bool| self.draft.value_places.iter().any(|(column, _, at)| side(*at) && !self.draft.value_places.iter().any(|(other, _, place)| other == column && side(*place) != side(*at)));
            let text = self.draft.filters.iter().any(|placed| placed.at > high && matches!(placed.it.test, Test::Contains(_)));
            if between && (own(&|at| at > high) && own(&|at| at < high && at > low) || text && own(&|at| at < high)) {
                return Err(Unfit::Periods);
            }
        }
        if counts.len() < 2 {
            return Ok(());
        }
        // A Korean count follows what it counts, an English one goes before it.
        let korean = self.items[counts[0]].korean;
        let part = |at: usize| if korean { counts.iter().position(|count| at < *count).unwrap_or(counts.len() - 1) } else { counts.iter().rposition(|count| at > *count).unwrap_or(0) };
        let periods: Vec<usize> = self.draft.periods.iter().map(|placed| part(placed.at)).collect();
        if self.draft.periods.len() > 1 && periods.windows(2).any(|pair| pair[0] != pair[1]) && !self.draft.compared {
            // Two questions about two times: one answer would mix them.
            return Err(Unfit::Periods);
        }
        let places = self.draft.value_places.clone();
        let mut parts: Vec<Vec<Filter>> = vec![Vec::new(); counts.len()];
        for (column, value, at) in &places {
            let mine = part(*at);
            let elsewhere = places.iter().any(|(other, _, place)| other == column && part(*place) != mine);
            let repeated = places.iter().any(|(other, same, place)| other == column && same == value && part(*place) != mine);
            if (mine > 0 || elsewhere) && !repeated {
                let test = if value.is_empty() { continue } else { Test::OneOf(vec![value.clone()]) };
                parts[mine].push(Filter::new(column.clone(), test));
            }
        }
        if parts.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let local: Vec<Column> = parts.iter().flatten().map(|filter| filter.column.clone()).collect();
        frame.filters.retain(|filter| !(local.contains(&filter.column) && matches!(filter.test, Test::OneOf(_))));
        frame.measures.extend(parts.into_iter().map(|filters| if filters.is_empty() { Measure::Count } else { Measure::CountOf(filters) }));
        self.draft.counted = false;
        Ok(())
    }

    fn duration(&self) -> Option<Column> {
        let table = self.table_of()?;
        table.duration.as_ref().map(|name| Column::new(&table.name, name))
    }

    /// Statistics that were said, with the column that they are of.
    fn statistics(&mut self, frame: &mut Frame) {
        // 5 requests with the highest duration: rows in that order.
        if self.draft.limit.is_some() && self.draft.dimensions.is_empty() && self.draft.row_noun
            && let [Placed { it: Measure::Stat(stat @ (Stat::Maximum | Stat::Minimum), column, _), at }] = self.draft.measures.as_slice()
        {
            let (descending, at, column) = (*stat == Stat::Maximum, *at, column.clone());
            self.draft.columns.push(Placed { it: column, at });
            self.draft.rank.get_or_insert(super::draft::Rank { descending, by: RankBy::Figure, at, first: true });
            self.draft.measures.clear();
        }
        frame.measures.extend(self.draft.measures.iter().map(|placed| placed.it.clone()));
        let numbers: Vec<Column> = self
            .draft
            .columns
            .iter()
            .filter(|placed| self.described(&placed.it).is_some_and(|column| column.is_number()))
            .map(|placed| placed.it.clone())
            .collect();
        for Placed { it: stat, at } in std::mem::take(&mut self.draft.stats) {
            let of_stat = frame.measures.iter().find_map(|measure| match measure {
                Measure::Stat(_, column, _) => Some(column.clone()),
                _ => None,
            });
            let bucket = self.draft.dimensions.iter().position(|placed| placed.it.how == How::Per);
            let counts = self.draft.counted || self.draft.row_noun || self.counts_something();
            match (stat, numbers.first().cloned().or(of_stat)) {
                (Stat::Maximum | Stat::Minimum, Some(column)) if self.draft.limit.is_some() && self.draft.dimensions.is_empty() => {
                    self.draft.columns.push(Placed { it: column, at });
                    self.draft.rank.get_or_insert(super::draft::Rank { descending: stat == Stat::Maximum, by: RankBy::Figure, at, first: true });
                }
                (_, Some(column)) => frame.measures.push(Measure::Stat(stat, column, Vec::new())),
                (Stat::Average, None) if counts && let Some(length) = self.near_length(at) => frame.measures.push(Measure::PerValue(Dimension::Every(length))),
                (Stat::Average, None) if counts && let Some(place) = bucket => {
                    let each = self.draft.dimensions.remove(place).it.dimension;
                    frame.measures.push(Measure::PerValue(each));
                }
                (Stat::Sum, None) => self.draft.counted = true,
                (Stat::Maximum | Stat::Minimum, None) => {
                    let descending = stat == Stat::Maximum;
                    self.draft.rank.get_or_insert(super::draft::Rank { descending, by: RankBy::Figure, at, first: true });
                }
                (_, None) if self.items[at].text.eq_ignore_ascii_case("mean") => self.draft.unread.push("mean".to_owned()),
                (_, None) => {
                    if let Some(duration) = self.duration() {
                        frame.measures.push(Measure::Stat(stat, duration, Vec::new()));
                    }
                }
            }
        }
        self.draft.columns.retain(|placed| !numbers.contains(&placed.it) || frame.measures.is_empty());
    }

    fn counts_something(&self) -> bool {
        self.items.iter().any(|item| item.op(Op::Count)) || !self.draft.filters.is_empty() && self.duration().is_none()
    }

    /// 하루 평균: the length beside a statistic.
    fn near_length(&mut self, at: usize) -> Option<Length> {
        let from = at.saturating_sub(2);
        let place = (from..=at + 2).find(|place| {
            matches!(self.items.get(*place).map(|item| &item.kind), Some(super::items::ItemKind::Time(duru_language::time::Timed::Length(length))) if length.amount == 1)
        })?;
        let super::items::ItemKind::Time(duru_language::time::Timed::Length(length)) = self.items[place].kind else { return None };
        self.draft.periods.retain(|period| period.at != place);
        Some(length)
    }

    /// Rates of a condition: which filters are the part, and which the whole.
    fn rates(&mut self, frame: &mut Frame) -> Result<(), Unfit> {
        let Some(at) = self.draft.rate else {
            if self.draft.share && self.draft.dimensions.is_empty() && self.draft.columns.is_empty() {
                return self.part_of_whole(frame, usize::MAX);
            }
            return Ok(());
        };
        if frame.measures.iter().any(|measure| matches!(measure, Measure::Rate(_))) {
            return Ok(());
        }
        // 토스·카카오·네이버 비율: the shares of several values of a column.
        let several = frame.filters.iter().any(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() > 1) && self.draft.dimensions.iter().any(|placed| placed.it.dimension == Dimension::Column(filter.column.clone())));
        let each = (self.draft.each || self.draft.both) && frame.filters.iter().any(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() > 1));
        if several || each {
            self.draft.share = true;
        }
        let among = self.items.iter().any(|item| item.op(Op::Among)) && self.draft.rate.is_some();
        if self.draft.share && !among && !(self.draft.dimensions.is_empty() && self.draft.columns.is_empty() && !each) {
            return Ok(());
        }
        self.draft.share = false;
        self.part_of_whole(frame, at)
    }

    fn part_of_whole(&mut self, frame: &mut Frame, at: usize) -> Result<(), Unfit> {
        let among = self.items.iter().position(|item| item.op(Op::Among));
        let identify = self.table_of().and_then(|table| table.identify.clone());
        let time = self.table_of().and_then(|table| table.time.clone());
        let placed: Vec<Placed<Filter>> = self.draft.filters.clone();
        let eligible = |one: &&Placed<Filter>| Some(&one.it.column.name) != time.as_ref();
        // What percentage of A were B.
        let verb = (at != usize::MAX && !self.items[at].korean).then(|| self.items.iter().skip(at).position(|item| item.senses.contains(&duru_language::Sense::Link(duru_language::Link::Is)) || item.op(Op::Happens)).map(|place| place + at)).flatten();
        let of = at != usize::MAX && self.link_at(at + 1, duru_language::Link::Of) || at != usize::MAX && self.items[at].text.ends_with("of");
        let among = among.or(verb.filter(|_| of));
        let mut part: Vec<Filter> = match among {
            // A의 B 중 C; C among B.
            Some(among) => {
                let english = !self.items[among].korean && self.items[among].op(Op::Among);
                let side = |one: &&Placed<Filter>| if english { one.at < among } else { one.at > among };
                let mut found: Vec<Filter> = placed.iter().filter(eligible).filter(side).map(|one| one.it.clone()).collect();
                if found.len() > 1 {
                    found.retain(|filter| Some(&filter.column.name) != identify.as_ref());
                }
                found
            }
            None => Vec::new(),
        };
        let of_each = among.is_some_and(|among| !self.items[among].korean) && (!self.draft.dimensions.is_empty() || !self.draft.columns.is_empty());
        if part.is_empty() && !of_each {
            let near = placed.iter().filter(eligible).filter(|one| Some(&one.it.column.name) != identify.as_ref() || placed.len() == 1);
            let before = near.clone().filter(|one| one.at < at).max_by_key(|one| one.at);
            part = before.or_else(|| near.clone().min_by_key(|one| one.at)).map(|one| one.it.clone()).into_iter().collect();
        }
        if part.is_empty() {
            // 캐시 적중 비율: of those that say yes or no.
            let truth = self.draft.columns.iter().map(|placed| placed.it.clone()).find(|column| {
                self.described(column).is_some_and(|known| known.kind == duru_sql::Kind::Boolean || !known.values.is_empty() && known.values.iter().all(|value| matches!(value.value.as_str(), "true" | "false")))
            });
            if let Some(column) = truth {
                self.draft.columns.retain(|placed| placed.it != column);
                frame.filters.push(Filter::new(column.clone(), Test::Present));
                part = vec![Filter::new(column, Test::OneOf(vec!["true".into()]))];
            }
        }
        if part.is_empty() {
            if self.draft.dimensions.is_empty() && self.draft.columns.is_empty() {
                return Err(Unfit::NothingToShare);
            }
            self.draft.share = true;
            return Ok(());
        }
        self.draft.share = false;
        frame.filters.retain(|filter| !part.contains(filter));
        let whose = among.and_then(|among| self.draft.columns.iter().find(|column| column.at < among).map(|column| column.it.clone()));
        match whose {
            Some(column) => {
                self.draft.columns.retain(|known| known.it != column);
                frame.measures.push(Measure::RateOf(column, part));
            }
            None => frame.measures.push(Measure::Rate(part)),
        }
        Ok(())
    }

    fn dimensions(&mut self, frame: &mut Frame) {
        for placed in &self.draft.dimensions {
            frame.dimensions.push(placed.it.dimension.clone());
        }
        let contrasted = self.items.iter().filter(|item| item.op(Op::Much) || item.op(Op::Slow) || item.op(Op::High)).count() > 1
            || self.items.iter().any(|item| item.op(Op::More) && item.text.starts_with('더'));
        if self.draft.compared || self.draft.each || contrasted || self.draft.both && self.draft.columns.is_empty() && self.draft.dimensions.is_empty() {
            let several: Vec<Column> = frame
                .filters
                .iter()
                .filter(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() > 1))
                .map(|filter| filter.column.clone())
                .collect();
            for column in several {
                self.add_dimension(frame, Dimension::Column(column));
            }
        }
        self.leftover_columns(frame);
        if self.draft.both && self.all_of(frame) {
            return;
        }
        // 흐름 of one trace: its rows, in their order.
        let one = frame.filters.iter().any(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() == 1) && self.described(&filter.column).is_some_and(|column| column.values.is_empty()));
        if self.draft.trend && one && frame.is_rows() && !self.draft.counted {
            self.draft.trend = false;
            self.draft.newest = Some(false);
        }
        if self.draft.trend && !frame.dimensions.iter().any(Dimension::is_time) && frame.compare.is_none()
            || frame.window.is_some() && !frame.dimensions.iter().any(Dimension::is_time)
        {
            frame.dimensions.insert(0, self.fitting_bucket(frame.time.as_ref()));
        }
        // 몇 시에 에러가 많이 나: by the hour of the day.
        let often = self.items.iter().any(|item| item.op(Op::Much) || item.op(Op::Often));
        if self.draft.when && self.draft.hour && often && frame.dimensions.is_empty() {
            frame.dimensions.push(Dimension::HourOfDay);
            self.draft.when = false;
        }
        if self.draft.when && self.draft.rank.is_some() && frame.dimensions.is_empty() {
            frame.dimensions.push(self.fitting_bucket(frame.time.as_ref()));
            self.draft.when = false;
        }
        let per = self.draft.dimensions.iter().filter(|placed| placed.it.how == How::Per).count();
        let asked = frame.dimensions.len() - per.min(frame.dimensions.len());
        if self.draft.rank.as_ref().is_some_and(|rank| rank.first) && per > 0 && asked > 0 && frame.having.is_empty() {
            frame.best_each = Some(frame.limit.take().unwrap_or(1));
        }
    }

    fn add_dimension(&self, frame: &mut Frame, dimension: Dimension) {
        if !frame.dimensions.contains(&dimension) {
            frame.dimensions.push(dimension);
        }
    }

    /// Columns that were only named: asked for, where something is counted or listed; shown, where rows are.
    fn leftover_columns(&mut self, frame: &mut Frame) {
        let columns: Vec<Column> = self.draft.columns.iter().map(|placed| placed.it.clone()).collect();
        let text = self.text_column();
        let (time, duration) = (self.table_of().and_then(|table| table.time.clone()), self.duration());
        let aggregated = self.draft.counted || self.draft.rank.is_some() || !frame.measures.is_empty() || !frame.dimensions.is_empty()
            || !self.draft.bounds.is_empty() || frame.compare.is_some() || self.draft.distinct || !frame.none_of.is_empty() || self.draft.share || self.draft.rate.is_some();
        for column in columns {
            let fixed = frame.filters.iter().any(|filter| filter.column == column && match &filter.test {
                Test::OneOf(values) => values.len() == 1,
                Test::NoneOf(_) => self.draft.rank.is_none() && !self.draft.each,
                _ => false,
            });
            let known = self.described(&column);
            if Some(&column.name) == time.as_ref() {
                self.draft.when |= !aggregated || self.draft.one_row.is_some();
            } else if known.is_some_and(|known| known.is_number() && !known.code) {
                let place = self.draft.columns.iter().find(|placed| placed.it == column).map_or(0, |placed| placed.at);
                let bounded = self.draft.bounds.iter().any(|bound| bound.unit.is_none() && bound.at > place && bound.at - place <= 4);
                let ranked = bounded || self.draft.rank.is_some() || Some(&column) == duration.as_ref() && self.draft.bounds.iter().any(|bound| bound.unit.and_then(Unit::seconds).is_some());
                if !ranked && !frame.measures.iter().any(|measure| matches!(measure, Measure::Stat(..))) && self.draft.one_row.is_none() {
                    frame.measures.push(Measure::Stat(Stat::Average, column, Vec::new()));
                }
            } else if fixed || self.draft.one_row.is_some() && !aggregated {
                frame.show.push(column);
            } else if aggregated && (Some(&column) != text.as_ref() || self.draft.rank.is_some() || self.draft.distinct) || !self.draft.row_noun && Some(&column) != text.as_ref() {
                self.add_dimension(frame, Dimension::Column(column));
            } else {
                frame.show.push(column);
            }
        }
    }

    /// Traces in which both services have errors.
    fn all_of(&mut self, frame: &mut Frame) -> bool {
        let Some(column) = frame.filters.iter().find(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() > 1)).map(|filter| filter.column.clone()) else {
            return false;
        };
        let counted: Vec<Column> = frame.measures.iter().filter_map(|measure| match measure {
            Measure::Distinct(column, _) => Some(column.clone()),
            _ => None,
        }).collect();
        let by = counted.first().cloned().or_else(|| frame.dimensions.iter().find_map(|dimension| match dimension {
            Dimension::Column(other) if *other != column => Some(other.clone()),
            _ => None,
        }));
        let Some(by) = by else { return false };
        frame.count_groups = !counted.is_empty() || self.draft.counted;
        frame.measures.clear();
        frame.dimensions = vec![Dimension::Column(by)];
        frame.all_of = Some(column);
        self.draft.counted = false;
        true
    }

    /// How long a period is.
    fn seconds(&self, period: Option<&Period>) -> f64 {
        let (from, until) = period.map(|period| period.bounds(self.now)).unwrap_or_default();
        from.map_or(f64::MAX, |from| (until.unwrap_or_else(|| self.now.timestamp()).as_second() - from.as_second()) as f64)
    }

    /// Stretches of time that fit a period: about as many as one can look at.
    pub(super) fn fitting_bucket(&self, period: Option<&Period>) -> Dimension {
        let unit = match self.seconds(period) {
            short if short <= 7_200.0 => Unit::Minute,
            day if day <= 172_800.0 => Unit::Hour,
            _ => Unit::Day,
        };
        Dimension::Every(Length::new(1, unit))
    }

    /// Numbers that groups or rows are compared with.
    fn conditions_on_groups(&mut self, frame: &mut Frame) -> Result<(), Unfit> {
        for bound in std::mem::take(&mut self.draft.bounds) {
            self.bound(frame, &bound)?;
        }
        // How many users have at least five: the users are groups, and those are counted.
        if !frame.having.is_empty() || !frame.none_of.is_empty() {
            let of_having = |column: &Column| frame.having.iter().any(|having| matches!(&having.measure, Measure::Distinct(other, _) if other == column));
            let counted = frame.measures.iter().position(|measure| matches!(measure, Measure::Distinct(column, _) if !of_having(column)));
            if let Some(place) = counted
                && frame.dimensions.iter().all(|dimension| matches!((dimension, &frame.measures[place]), (Dimension::Column(a), Measure::Distinct(b, _)) if a == b))
                && let Measure::Distinct(column, _) = frame.measures.remove(place)
            {
                frame.dimensions = vec![Dimension::Column(column)];
                frame.measures.clear();
                frame.count_groups = true;
                self.draft.counted = false;
            }
        }
        Ok(())
    }

    fn bound(&mut self, frame: &mut Frame, bound: &Bound) -> Result<(), Unfit> {
        let than = |value: f64| Than::Number(value);
        let mut having = |frame: &mut Frame, measure: Measure, value: f64| {
            frame.having.push(Having { measure, compare: bound.compare, than: than(value) });
        };
        if let Some(seconds) = bound.unit.and_then(Unit::seconds) {
            let stat = frame.measures.iter().find(|measure| matches!(measure, Measure::Stat(_, column, _) if self.described(column).is_some_and(|column| column.unit.is_some()))).cloned();
            let column = match &stat {
                Some(Measure::Stat(_, column, _)) => column.clone(),
                _ => self.duration().ok_or(Unfit::Number)?,
            };
            let value = in_unit(bound.value * seconds, self.described(&column).and_then(|column| column.unit.as_deref()));
            // 1초 이상 걸린 요청: each row by itself.
            let slow = (bound.at.saturating_sub(2)..bound.at).any(|place| !self.items[place].korean && ["slower", "longer", "faster", "took"].iter().any(|word| self.items[place].text.to_lowercase().starts_with(word)));
            let taken = slow || self.items.get(bound.end + 1).is_some_and(|item| item.op(Op::Takes) || item.op(Op::Long)) || self.items[bound.at + 1..=bound.end.max(bound.at + 1).min(self.items.len() - 1)].iter().any(|item| item.op(Op::Long) || item.op(Op::Slow));
            let named = stat.filter(|_| !frame.dimensions.is_empty() && !taken && self.stat_before(bound.at));
            match named {
                Some(measure) => having(frame, measure, value),
                None => frame.filters.push(Filter::new(column, Test::Number(bound.compare, value))),
            }
            return Ok(());
        }
        if bound.unit == Some(Unit::Percent) {
            let rate = frame.measures.iter().find(|measure| matches!(measure, Measure::Rate(_) | Measure::RateOf(..) | Measure::Share)).cloned();
            let rate = rate.or_else(|| self.draft.share.then_some(Measure::Share)).ok_or(Unfit::NothingToShare)?;
            having(frame, rate, bound.value);
            return Ok(());
        }
        // What is counted: the column after an English number, or right before a Korean one.
        let noun = if self.items[bound.at].korean { bound.at.checked_sub(1) } else { (bound.end + 1..bound.end + 4).find(|place| self.column_at(*place).is_some()) };
        let column = noun.and_then(|place| self.column_at(place)).filter(|_| !noun.is_some_and(|place| self.is_value(place)));
        if let Some(column) = column.or_else(|| (bound.unit == Some(Unit::People)).then(|| self.person()).flatten()) {
            let known = self.described(&column);
            if known.is_some_and(|known| known.is_number()) {
                let stat = frame.measures.iter().find(|measure| matches!(measure, Measure::Stat(_, other, _) if *other == column)).cloned();
                match stat.filter(|_| !frame.dimensions.is_empty()) {
                    Some(measure) => having(frame, measure, bound.value),
                    None => frame.filters.push(Filter::new(column, Test::Number(bound.compare, bound.value))),
                }
                return Ok(());
            }
            let other = frame.dimensions.iter().any(|dimension| *dimension != Dimension::Column(column.clone()))
                || frame.measures.iter().any(|measure| matches!(measure, Measure::Distinct(other, _) if *other != column));
            let counted = matches!(bound.unit, Some(Unit::Kind | Unit::Place | Unit::People)) || !self.items[bound.at].korean || self.draft.distinct
                || matches!(bound.unit, Some(Unit::Item) | None) && other;
            if counted {
                frame.dimensions.retain(|dimension| *dimension != Dimension::Column(column.clone()));
                let measure = Measure::Distinct(column, Vec::new());
                if !frame.measures.contains(&measure) {
                    frame.measures.push(measure.clone());
                }
                having(frame, measure, bound.value);
                return Ok(());
            }
        }
        // A number of a column that is named nearby: 온도 30 이상, rating higher than 4.
        let plain = bound.unit.is_none();
        let near = (bound.at.saturating_sub(4)..bound.at).rev().filter(|_| plain).find_map(|place| self.column_at(place).filter(|column| self.described(column).is_some_and(|column| column.is_number())));
        if let Some(column) = near {
            frame.filters.push(Filter::new(column, Test::Number(bound.compare, bound.value)));
            return Ok(());
        }
        having(frame, Measure::Count, bound.value);
        Ok(())
    }

    fn stat_before(&self, at: usize) -> bool {
        (at.saturating_sub(5)..at).any(|place| self.items[place].any_op(&[Op::Average, Op::Maximum, Op::Minimum, Op::Median, Op::Sum]).is_some() || matches!(self.items[place].kind, super::items::ItemKind::Percentile(_)))
    }

    /// When: first and last, how long from one to the other, how long ago.
    fn moments(&mut self, frame: &mut Frame) {
        if self.draft.span {
            frame.measures.push(Measure::Span);
            return;
        }
        if self.items.iter().any(|item| item.op(Op::Age)) {
            frame.measures = vec![Measure::Age];
            return;
        }
        let Some(last) = self.draft.one_row else { return };
        // 처음 에러를 만난 서비스: what the first row has.
        let asked = self.draft.dimensions.iter().all(|placed| placed.it.how == How::Asked);
        if asked && !self.draft.when && frame.measures.is_empty() && !self.draft.counted && !frame.dimensions.iter().any(Dimension::is_time) && self.draft.rank.is_none() {
            frame.show.extend(frame.dimensions.drain(..).filter_map(|dimension| match dimension {
                Dimension::Column(column) => Some(column),
                _ => None,
            }));
        }
        let grouped = !frame.dimensions.is_empty();
        let moment = if last { Measure::Last } else { Measure::First };
        if self.draft.both_ends && (self.draft.when || grouped) {
            frame.measures.extend([Measure::First, Measure::Last]);
            self.draft.both_ends = false;
        } else if self.draft.when || grouped && frame.measures.is_empty() {
            frame.measures.push(moment);
        } else if frame.measures.is_empty() && !self.draft.counted {
            frame.limit = Some(frame.limit.unwrap_or(1));
            frame.order = Some(Order { by: By::Time, descending: last });
        }
    }

    /// How many rows, where nothing else is asked of them.
    fn count_rows(&mut self, frame: &mut Frame) {
        if self.draft.share && !frame.measures.contains(&Measure::Share) {
            if !frame.measures.contains(&Measure::Count) {
                frame.measures.push(Measure::Count);
            }
            frame.measures.push(Measure::Share);
        }
        let rated = frame.measures.iter().any(|measure| matches!(measure, Measure::Rate(_) | Measure::RateOf(..) | Measure::PerValue(_) | Measure::CountOf(_) | Measure::Count));
        if self.draft.counted && !rated && !self.draft.span {
            frame.measures.insert(0, Measure::Count);
        }
        let grouped = !frame.dimensions.is_empty();
        let listing = grouped && frame.measures.is_empty() && !self.draft.counted && self.draft.rank.is_none() && frame.having.is_empty() && frame.compare.is_none() && frame.none_of.is_empty()
            && !frame.dimensions.iter().any(Dimension::is_time) && self.draft.dimensions.iter().all(|placed| placed.it.how == How::Asked) && (self.draft.distinct || self.draft.listed);
        if grouped && frame.measures.is_empty() && !frame.count_groups && !listing {
            frame.measures.push(Measure::Count);
        }
        if frame.compare.is_some() && frame.measures.is_empty() {
            frame.measures.push(Measure::Count);
        }
        if self.draft.rank.is_some() && !grouped && frame.measures.is_empty() && self.draft.rank.as_ref().is_some_and(|rank| rank.by == RankBy::Count && !rank.first) {
            frame.measures.push(Measure::Count);
        }
    }

    fn order(&mut self, frame: &mut Frame) {
        if let Some(newest) = self.draft.newest
            && frame.order.is_none()
        {
            frame.order = Some(Order { by: By::Time, descending: newest });
        }
        if let Some(ascending) = self.draft.ascending {
            let by = if frame.is_rows() { By::Time } else { By::Measure(0) };
            frame.order = Some(Order { by, descending: !ascending });
        }
        let Some(rank) = self.draft.rank.clone() else { return };
        frame.both_ends = self.draft.both_ends;
        let number = self.draft.columns.iter().map(|placed| placed.it.clone()).find(|column| self.described(column).is_some_and(|column| column.is_number()));
        let figure = match rank.by {
            RankBy::Duration => self.draft.measures.iter().find_map(|placed| match &placed.it {
                Measure::Stat(_, column, _) => Some(column.clone()),
                _ => None,
            }).or(number).or_else(|| self.duration()),
            RankBy::Figure => number,
            _ => None,
        };
        if frame.is_rows() {
            if let Some(column) = figure.or_else(|| self.duration().filter(|_| rank.by == RankBy::Figure)) {
                frame.order = Some(Order { by: By::Column(column), descending: rank.descending });
                frame.limit = frame.limit.or(rank.first.then_some(1));
            }
            return;
        }
        let by = match rank.by {
            RankBy::Growth => By::Growth,
            RankBy::Duration | RankBy::Figure | RankBy::Quality => match frame.measures.iter().position(|measure| !matches!(measure, Measure::Count | Measure::CountOf(_))) {
                Some(place) => By::Measure(place),
                None => match figure {
                    Some(column) => {
                        frame.measures.retain(|measure| *measure != Measure::Count);
                        frame.measures.insert(0, Measure::Stat(Stat::Average, column, Vec::new()));
                        By::Measure(0)
                    }
                    None => By::Measure(0),
                },
            },
            RankBy::Count => {
                let named = frame.measures.iter().position(|measure| matches!(measure, Measure::Count));
                By::Measure(named.unwrap_or(0))
            }
        };
        frame.order = Some(Order { by, descending: rank.descending });
        let asked = self.draft.dimensions.iter().any(|placed| placed.it.how == How::Per) && frame.dimensions.len() == 1 && !self.items.iter().any(|item| item.op(Op::Most));
        let ordered = self.items.iter().any(|item| item.any_op(&[Op::Order, Op::Descending, Op::Ascending]).is_some()) || self.draft.each || self.draft.both;
        if rank.first && frame.limit.is_none() && frame.best_each.is_none() && !asked && !ordered {
            frame.limit = Some(1);
        }
    }
}

/// Seconds as a column has them.
fn in_unit(seconds: f64, unit: Option<&str>) -> f64 {
    match unit {
        Some("ms") => seconds * 1_000.0,
        Some("minutes") => seconds / 60.0,
        Some("hours") => seconds / 3_600.0,
        Some("days") => seconds / 86_400.0,
        _ => seconds,
    }
}

#[allow(dead_code)]
fn _unused(_: TimeWord) {}
