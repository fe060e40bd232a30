//! Conditions on rows: values, their negation, presence, texts, and what happened since.

use duru_language::{Ask, Ending, Link, Op, Particle, Sense, TimeWord, Unit};

use super::items::ItemKind;
use super::link::Mention;
use super::reading::Reading;
use crate::analyst::frame::{Column, Compare, Filter, Test};

impl Reading<'_> {
    /// Since the deploy, v2.4.0 이후: a moment that the data knows, or only the asker.
    pub(super) fn events(&mut self) {
        for at in 0..self.items.len() {
            let event = self.op_at(at, Op::Event);
            let version = self.version_at(at);
            if !event && version.is_none() || self.items[at].used || self.is_background(at) {
                continue;
            }
            let Some((marker, before)) = self.since_marker(at) else { continue };
            let near = (at.saturating_sub(3)..(at + 4).min(self.items.len())).find_map(|place| Some((place, self.version_at(place)?)));
            match near {
                Some((place, filter)) => {
                    let time = self.table_of().and_then(|table| Some(Column::new(&table.name, table.time.as_ref()?)));
                    if let Some(time) = time {
                        self.draft.filter(place, Filter::new(time, Test::SinceFirst(vec![filter], before)));
                        self.use_item(place);
                    }
                }
                None if event => self.draft.event = true,
                None => continue,
            }
            self.use_item(at);
            self.use_item(marker);
            for place in at..marker {
                if self.items[place].op(Op::Event) {
                    self.use_item(place);
                }
            }
        }
    }

    /// A version or the like: something of which there is a first row.
    fn version_at(&self, at: usize) -> Option<Filter> {
        self.items.get(at).filter(|item| !item.used)?.mentions.iter().find_map(|mention| match mention {
            Mention::Value(column, value) if column.name.ends_with("version") => {
                Some(Filter::new(column.clone(), Test::OneOf(vec![value.clone()])))
            }
            _ => None,
        })
    }

    /// The word that makes an event a time: 이후, since, around; and whether what was before is asked for.
    fn since_marker(&self, at: usize) -> Option<(usize, bool)> {
        let of = |place: usize| {
            let item = self.items.get(place)?;
            let time = |word: TimeWord| item.senses.contains(&Sense::Time(word));
            let after = time(TimeWord::After) || time(TimeWord::During) || item.op(Op::About) || item.text.starts_with('때');
            let before = time(TimeWord::Before) || time(TimeWord::Previous);
            (after || before).then_some((place, before && !time(TimeWord::After)))
        };
        let from = self.items[at].particle(Particle::From).then_some((at, false));
        from.or_else(|| (at + 1..at + 4).find_map(|place| of(place).filter(|_| self.items[place].korean)))
            .or_else(|| (at.saturating_sub(3)..at).rev().find_map(|place| of(place).filter(|_| !self.items[place].korean)))
    }

    /// What rows have or lack: user 없는, without a trace, 에러가 없는 서비스.
    pub(super) fn presence(&mut self) {
        for at in 0..self.items.len() {
            // 에러를 한번도 안 겪은, 로그를 안 남긴.
            if self.op_at(at, Op::Not) && self.never(at) {
                continue;
            }
            // 0건인 서비스, zero errors.
            if let ItemKind::Number(value, unit) = self.items[at].kind
                && value == 0.0
                && unit.is_none_or(|unit| matches!(unit, Unit::Item | Unit::Times))
                && !self.items[at].used
            {
                let target = if self.items[at].korean { self.before(at) } else { self.next(at) };
                if let Some(target) = target.filter(|target| self.conditions_at(*target).is_some())
                    && self.lacks(target)
                {
                    self.use_item(at);
                    self.use_item(target);
                }
                continue;
            }
            let (absent, present) = (self.op_at(at, Op::Absent), self.op_at(at, Op::Present));
            if !absent && !present {
                let with = self.link_at(at, Link::With) && !self.items[at].korean;
                if with {
                    self.has(at);
                }
                continue;
            }
            let item = &self.items[at];
            let asked = item.ending(Ending::Question) || item.op(Op::Exists) || item.ending(Ending::Statement);
            if present && asked && !item.ending(Ending::Modifier) {
                continue;
            }
            // 라는 말이 있는: what is searched for was said.
            if present && item.korean && self.before_word(at) {
                self.use_item(at);
                continue;
            }
            let Some(mut target) = (if item.korean { self.before(at) } else { self.next(at).or_else(|| self.before(at)) }) else { continue };
            // 한 건도 없는.
            if let ItemKind::Number(..) = self.items[target].kind
                && let Some(noun) = self.before(target)
                && self.items[at].korean
            {
                self.use_item(target);
                target = noun;
            }
            if absent && self.lacks(target) || present && self.shows(target) {
                self.use_item(at);
                self.use_item(target);
            }
        }
    }

    fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().take(3).find(|place| {
            let item = &self.items[*place];
            !item.is_empty() && !item.used || matches!(item.kind, ItemKind::Number(..))
        })
    }

    /// A verb that is denied: of groups, that none of their rows is so.
    fn never(&mut self, at: usize) -> bool {
        let korean = self.items[at].korean;
        let verb = |place: usize| self.items.get(place).is_some_and(|item| item.op(Op::Happens) || item.kind == ItemKind::Unknown);
        // 나지 않은: the verb goes before.
        let place = if korean && self.items[at].text.starts_with(['않', '못']) { at.checked_sub(1).filter(|place| verb(*place)) } else { Some(at + 1).filter(|place| verb(*place)) };
        let Some(place) = place else { return false };
        let near = if korean { self.before(at.min(place)) } else { (place + 1..place + 4).find(|place| self.items.get(*place).is_some_and(|item| !item.is_empty())) };
        let Some(mut target) = near else { return false };
        if let ItemKind::Number(..) = self.items[target].kind
            && let Some(noun) = self.before(target)
            && korean
        {
            self.use_item(target);
            target = noun;
        }
        if (self.conditions_at(target).is_some() || self.is_table(target)) && self.lacks(target) {
            self.use_item(at);
            self.use_item(place);
            self.use_item(target);
            return true;
        }
        false
    }

    fn before_word(&self, at: usize) -> bool {
        (0..at).rev().take(2).any(|place| self.items[place].any_op(&[Op::Word, Op::Contains]).is_some())
    }

    fn lacks(&mut self, target: usize) -> bool {
        if self.items[target].used {
            return false;
        }
        if let Some(filters) = self.conditions_at(target) {
            self.draft.none_of.extend(filters);
            self.draft.none_of_clause = Some(self.items[target].clause);
            return true;
        }
        if let Some(column) = self.column_at(target) {
            self.draft.filter(target, Filter::new(column, Test::Absent));
            return true;
        }
        if let ItemKind::Text(text) = self.items[target].kind.clone() {
            return self.text_column().is_some_and(|column| {
                self.draft.filter(target, Filter::new(column, Test::Lacks(text)));
                true
            });
        }
        if self.is_table(target) {
            self.draft.quiet = true;
            return true;
        }
        false
    }

    fn shows(&mut self, target: usize) -> bool {
        if self.items[target].used {
            return false;
        }
        // 에러가 있는 서비스: those that have such rows.
        if self.is_value(target) {
            self.named_value(target);
            return self.items[target].used;
        }
        match self.column_at(target) {
            Some(column) => {
                self.draft.filter(target, Filter::new(column, Test::Present));
                true
            }
            None => false,
        }
    }

    /// "Lines with a stack trace": a column after "with" whose value is not said.
    fn has(&mut self, at: usize) {
        let Some(target) = self.next(at) else { return };
        let followed = Some(target + 1).filter(|next| *next < self.items.len()).is_some_and(|next| {
            self.is_value(next) || matches!(self.items[next].kind, ItemKind::Number(..) | ItemKind::Name(_) | ItemKind::Text(_))
                || self.items[next].op(Op::Contains)
        });
        let column = self.column_at(target).filter(|column| self.described(column).is_some_and(|column| column.nullable && !column.is_number()));
        if let (Some(column), false, false) = (column, followed, self.is_value(target))
            && self.draft.rank.is_none()
            && self.items[at + 1..target].iter().all(|item| item.any_op(&[Op::Most, Op::Least, Op::Top]).is_none())
        {
            self.draft.filter(target, Filter::new(column, Test::Present));
            self.use_item(at);
            self.use_item(target);
        }
    }

    /// The conditions that an item stands for, if it stands for certain ones.
    pub(super) fn conditions_at(&self, at: usize) -> Option<Vec<Filter>> {
        let item = self.items.get(at).filter(|item| !item.used)?;
        item.mentions.iter().find_map(|mention| match mention {
            Mention::Value(column, value) => Some(vec![Filter::new(column.clone(), Test::OneOf(vec![value.clone()]))]),
            Mention::Condition(filters) => Some(filters.clone()),
            _ => None,
        })
    }

    pub(super) fn text_column(&self) -> Option<Column> {
        let table = self.table_of()?;
        table.text.as_ref().map(|text| Column::new(&table.name, text))
    }

    /// 평균 말고 p95, 서비스 말고 날짜별로: what is said first is not wanted.
    pub(super) fn instead(&mut self) {
        for at in 1..self.items.len() {
            if !(self.op_at(at, Op::Exclude) && self.items[at].korean) {
                continue;
            }
            let before = &self.items[at - 1];
            let figure = before.any_op(&[Op::Average, Op::Median, Op::Maximum, Op::Minimum, Op::Sum, Op::Count, Op::Total, Op::All, Op::Rate, Op::Share, Op::Distinct]).is_some() || matches!(before.kind, ItemKind::Percentile(_));
            let column = self.column_at(at - 1).is_some() && !self.is_value(at - 1);
            if figure && before.mentions.is_empty() || column {
                self.use_item(at);
                self.use_item(at - 1);
                self.draft.objects = true;
            }
        }
    }

    pub(super) fn values(&mut self) {
        for at in 0..self.items.len() {
            if self.items[at].used || self.is_asked_column(at) {
                continue;
            }
            match self.items[at].kind.clone() {
                ItemKind::Word => self.named_value(at),
                ItemKind::Name(name) => self.name(at, &name),
                ItemKind::Text(text) => self.quoted(at, &text),
                ItemKind::Number(value, None | Some(Unit::Item)) => self.equal(at, value),
                ItemKind::Unknown => self.searched(at),
                _ => {}
            }
        }
    }

    /// A word for a column that is also a value is the column where it is counted or grouped by.
    fn is_asked_column(&self, at: usize) -> bool {
        let beside = self.neighbours(at);
        if self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Value(column, _) | Mention::Part(column, ..) if beside.contains(column))) {
            return false;
        }
        let also_value = self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Value(..)));
        self.column_at(at).is_some()
            && (also_value && !self.is_table(at + 1)
                || self.items.get(at + 1).is_some_and(|next| next.op(Op::Per) && next.korean)
                || at > 0 && self.items[at - 1].senses.iter().any(|sense| matches!(sense, Sense::Ask(Ask::Which | Ask::HowMany))))
    }

    fn named_value(&mut self, at: usize) {
        let beside: Vec<Column> = self.neighbours(at);
        let text = self.text_column();
        let identify = self.table_of().and_then(|table| Some(Column::new(&table.name, table.identify.as_ref()?)));
        let own_column = self.column_at(at);
        let other = self.items[at].senses.iter().any(|sense| matches!(sense, Sense::Op(_) | Sense::Filler | Sense::Link(_)));
        let searched = self.is_searched(at);
        let kinds = self.kinds_after(at);
        let word = self.bare(at).to_owned();
        let spelled = self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Value(_, value) if *value == word && value.chars().any(|letter| !letter.is_ascii_lowercase())));
        // Lower is better: named beside it, whole values before parts of them, what tells rows apart first, texts last.
        let rank = |column: &Column, whole: bool, full: bool, phrase: bool, values: usize| {
            let quiet = self.described(column).is_some_and(|column| column.quiet);
            let named = beside.contains(column);
            if quiet && !named || own_column.is_some() && !named && !whole {
                return None;
            }
            // A value that is also an everyday word is meant where it is written as it is kept.
            if other && whole && !named && !spelled {
                return None;
            }
            let is_text = Some(column) == text.as_ref();
            let identity = Some(column) == identify.as_ref();
            // One of several words of a value is meant where it is said what it is a part of.
            if !whole && !full && !named && !identity && !kinds.contains(column) && !(is_text && (searched || phrase)) {
                return None;
            }
            let wanted = named || is_text && searched;
            Some((!wanted, is_text && !searched, !whole && !identity, !identity, values))
        };
        let mut best: Option<((bool, bool, bool, bool, usize), Choice)> = None;
        for mention in &self.items[at].mentions {
            let found = match mention {
                Mention::Value(column, value) => rank(column, true, true, true, 1).map(|rank| (rank, Choice::Value(column.clone(), value.clone()))),
                Mention::Condition(filters) => Some(((true, false, false, true, 1), Choice::Condition(filters.clone()))),
                Mention::Part(column, word, values) => {
                    rank(column, false, covers(word, values), word.contains(' '), values.len()).map(|rank| (rank, Choice::Part(column.clone(), word.clone(), values.clone())))
                }
                _ => None,
            };
            if let Some((rank, choice)) = found
                && best.as_ref().is_none_or(|(known, _)| rank < *known)
            {
                best = Some((rank, choice));
            }
        }
        match best.map(|(_, choice)| choice) {
            Some(Choice::Value(column, value)) => {
                let same = self.items[at].mentions.iter().filter_map(|mention| match mention {
                    Mention::Value(other, value) if *other == column => Some(value.clone()),
                    _ => None,
                });
                let same: Vec<String> = same.collect();
                let identity = Some(&column) == identify.as_ref();
                match same.len() {
                    0 | 1 => self.equals(at, column, vec![value]),
                    _ if identity => self.unclear(at, column, same),
                    _ => self.equals(at, column, same),
                }
            }
            Some(Choice::Condition(filters)) => {
                self.use_item(at);
                filters.into_iter().for_each(|filter| self.draft.filter(at, filter));
            }
            Some(Choice::Part(column, word, values)) => self.part(at, column, word, values, text.as_ref(), identify.as_ref()),
            None => {}
        }
        // A word of the domain that is no value here may still be searched for.
        if !self.items[at].used && searched && !self.items[at].mentions.is_empty() && self.items[at].senses.is_empty() && own_column.is_none() && !self.is_table(at) && text.is_some() {
            self.searched(at);
        }
        // What it means besides is then what it means.
        if !self.items[at].used && other {
            self.items[at].mentions.retain(|mention| !matches!(mention, Mention::Value(..) | Mention::Part(..)));
        }
    }

    fn part(&mut self, at: usize, column: Column, word: String, values: Vec<String>, text: Option<&Column>, identify: Option<&Column>) {
        // A word that means something else besides is no text that is searched for.
        let is_text = Some(&column) == text;
        let others = self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Table(_) | Mention::Column(_)));
        if is_text && (!self.items[at].senses.is_empty() || others) && !self.is_searched(at) {
            return;
        }
        match values.as_slice() {
            [_] if !is_text => self.equals(at, column, values),
            _ if Some(&column) == identify => self.unclear(at, column, values),
            _ => {
                let test = if self.negated(at) { Test::Lacks(word) } else { Test::Contains(vec![word]) };
                self.use_item(at);
                self.use_neighbour(at, &column);
                let either = self.is_alternative(at);
                self.draft.filter_or(at, Filter::new(column, test), either);
            }
        }
    }

    /// Redis 또는 Elasticsearch: what follows an "or", or the particle for it.
    fn is_alternative(&self, at: usize) -> bool {
        at > 0 && (self.link_at(at - 1, Link::Or) || self.items[at - 1].particle(Particle::Or))
    }

    /// Columns that are named right beside an item, and so say whose value it is: 결제 서비스, path /login.
    fn neighbours(&self, at: usize) -> Vec<Column> {
        let mut all = Vec::new();
        for place in [at.checked_sub(1), Some(at + 1)].into_iter().flatten() {
            let per = self.items.get(place + 1).is_some_and(|next| next.op(Op::Per) && next.korean);
            if !per && self.items.get(place).is_some_and(|item| !item.used) {
                all.extend(self.items[place].mentions.iter().filter_map(|mention| match mention {
                    Mention::Column(column) => Some(column.clone()),
                    _ => None,
                }));
            }
        }
        all
    }

    /// Columns whose kinds the next word speaks of: in "timeout errors" a kind of error is meant.
    fn kinds_after(&self, at: usize) -> Vec<Column> {
        let Some((table, next)) = self.table_of().zip(self.items.get(at + 1)) else { return Vec::new() };
        let named = |column: &str, values: &[String]| next.mentions.iter().any(|mention| matches!(mention, Mention::Value(other, value) if other.name == column && values.contains(value)));
        let kinds = table.columns.iter().filter(|column| column.implies.as_ref().is_some_and(|implied| named(&implied.column, &implied.is)) && table.text.as_ref() != Some(&column.name));
        kinds.map(|column| Column::new(&table.name, &column.name)).collect()
    }

    fn equals(&mut self, at: usize, column: Column, values: Vec<String>) {
        self.use_item(at);
        self.use_neighbour(at, &column);
        // 치명적인 오류: one thing in two words.
        if at > 0 && self.items[at - 1].particle(Particle::Is) && self.draft.value_places.iter().any(|(other, _, place)| *other == column && *place + 1 == at) {
            return;
        }
        let ranked = self.described(&column).is_some_and(|known| matches!(known.kind, duru_sql::Kind::Ordered(_)));
        if ranked && let Some(compare) = self.at_least_level(at) {
            self.draft.filter(at, Filter::new(column, Test::Rank(compare, values.concat())));
            return;
        }
        let test = if self.negated(at) { Test::NoneOf(values) } else { Test::OneOf(values) };
        if let Test::OneOf(values) = &test {
            self.draft.value_places.extend(values.iter().map(|value| (column.clone(), value.clone(), at)));
        }
        self.draft.filter(at, Filter::new(column, test));
    }

    /// WARN 이상, warnings or worse.
    fn at_least_level(&mut self, at: usize) -> Option<Compare> {
        let mut place = self.next(at).filter(|place| *place <= at + 2)?;
        // WARN 레벨 이상.
        if self.column_at(place).is_some_and(|column| self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Value(other, _) if *other == column))) {
            self.use_item(place);
            place = self.next(place)?;
        }
        let item = &self.items[place];
        let compare = match () {
            () if item.op(Op::AtLeast) && (item.korean || item.text.starts_with("or") || item.text.starts_with("and")) => Compare::AtLeast,
            () if item.op(Op::AtMost) && (item.korean || item.text.starts_with("or") || item.text.starts_with("and")) => Compare::AtMost,
            () if item.op(Op::More) && item.korean && item.text.starts_with("초과") => Compare::More,
            () => return None,
        };
        self.use_item(place);
        Some(compare)
    }

    /// The noun that says what kind of thing a value is says no more: 결제 서비스, service payment-api.
    fn use_neighbour(&mut self, at: usize, column: &Column) {
        for place in [at.checked_sub(1), Some(at + 1)].into_iter().flatten() {
            let names = self.items.get(place).is_some_and(|item| {
                !item.used && item.mentions.contains(&Mention::Column(column.clone())) && item.senses.is_empty()
            });
            let per = self.items.get(place + 1).is_some_and(|next| next.op(Op::Per) && next.korean)
                || self.items.get(place + 1).is_some_and(|next| next.op(Op::Count) && next.korean && place == at + 1);
            let asked = place > 0 && self.items[place - 1].senses.iter().any(|sense| matches!(sense, Sense::Ask(_)));
            let subject = place < at && self.items[place].particles.iter().any(|particle| matches!(particle, Particle::Subject | Particle::Topic | Particle::Object));
            let listed = place == at + 1 && self.link_at(at, Link::And);
            if names && !per && !asked && !listed && (place > at || !subject || self.items[place].particle(Particle::Subject)) {
                self.use_item(place);
            }
        }
    }

    fn unclear(&mut self, at: usize, column: Column, values: Vec<String>) {
        self.use_item(at);
        self.use_neighbour(at, &column);
        self.draft.unclear.push((column, values));
    }

    /// Whether a value is left out: payment-api 빼고, except payment-api. Marks the word that says so.
    pub(super) fn negated(&mut self, at: usize) -> bool {
        let listed = |reading: &Self, place: usize| {
            let item = &reading.items[place];
            reading.is_value(place)
                || reading.column_at(place).is_some()
                || reading.is_table(place)
                || matches!(item.kind, ItemKind::Mark(',') | ItemKind::Name(_))
                || item.senses.iter().any(|sense| matches!(sense, Sense::Link(Link::And | Link::Or | Link::Article | Link::In | Link::From | Link::For | Link::Of) | Sense::Filler))
        };
        let mut place = at + 1;
        while place < self.items.len() && place <= at + 6 {
            let item = &self.items[place];
            if item.korean && (item.op(Op::Exclude) || item.op(Op::Not) && !item.text.starts_with('안')) {
                self.use_item(place);
                return true;
            }
            let apart = self.items[place - 1].particles.iter().any(|particle| matches!(particle, Particle::Topic | Particle::At | Particle::Subject));
            if !listed(self, place) || apart {
                break;
            }
            place += 1;
        }
        let mut place = at;
        while place > 0 && place + 6 > at {
            place -= 1;
            let item = &self.items[place];
            if !item.korean && (item.op(Op::Exclude) || item.op(Op::Not)) {
                self.use_item(place);
                return true;
            }
            if !listed(self, place) {
                break;
            }
        }
        // A list of which the head was left out.
        at > 1
            && self.draft.filters.iter().any(|placed| {
                placed.at + 2 >= at && placed.at < at && matches!(placed.it.test, Test::NoneOf(_))
                    && (self.link_at(at - 1, Link::And) || self.link_at(at - 1, Link::Or) || self.items[at - 1].kind == ItemKind::Mark(','))
            })
    }

    /// An identifier that is no known value: its form, or the noun beside it, tells the column.
    fn name(&mut self, at: usize, name: &str) {
        if let Some((column, value)) = self.linked.exact(&format!("v{name}")) {
            return self.equals(at, column, vec![value]);
        }
        let shaped = self.linked.shaped(name);
        let named = self.neighbours(at);
        let column = match shaped.as_slice() {
            [one] => Some(one.clone()),
            several => several.iter().find(|column| named.contains(column)).or_else(|| named.iter().find(|column| {
                self.described(column).is_some_and(|column| !column.is_number() && !column.is_time())
            })).or(several.first()).cloned(),
        };
        // A column whose values are all known has no other.
        let listed = |column: &Column| self.described(column).is_some_and(|known| !known.values.is_empty() && known.key.is_none());
        match column {
            Some(column) if listed(&column) => {
                let near: Vec<String> = self.described(&column).map(|known| known.values.iter().map(|value| value.value.clone()).filter(|value| close(value, name)).collect()).unwrap_or_default();
                if !near.is_empty() {
                    self.unclear(at, column, near);
                }
            }
            Some(column) => self.equals(at, column, vec![name.to_owned()]),
            None => {
                if let Some(column) = self.text_column().filter(|_| self.is_searched(at)) {
                    self.use_item(at);
                    self.draft.filter(at, Filter::new(column, Test::Contains(vec![name.to_owned()])));
                } else if let Some((column, near)) = self.nearly_named(name) {
                    self.unclear(at, column, near);
                }
            }
        }
    }

    /// What tells rows apart, if one of its values is a misspelling away.
    fn nearly_named(&self, name: &str) -> Option<(Column, Vec<String>)> {
        let table = self.table_of()?;
        let column = Column::new(&table.name, table.identify.as_ref()?);
        let known = self.described(&column)?.values.iter().map(|known| known.value.clone());
        let near: Vec<String> = known.filter(|value| close(value, name)).collect();
        (!near.is_empty()).then_some((column, near))
    }

    /// Whether an item is what texts are searched for: the text is named, or a word such as "containing" is beside it.
    fn is_searched(&self, at: usize) -> bool {
        let near = at.saturating_sub(3)..(at + 4).min(self.items.len());
        let beside = at.saturating_sub(2)..(at + 3).min(self.items.len());
        let says = beside.into_iter().any(|place| self.items[place].any_op(&[Op::Contains, Op::Word, Op::Begins, Op::Finishes]).is_some());
        let text = self.text_column();
        says || near.into_iter().any(|place| place != at && text.is_some() && self.column_at(place) == text && !self.items[place].used)
            || self.items[at].particle(Particle::Quote)
            || self.goes_on_with_texts(at)
    }

    /// Containing timeout but not gateway: one more text after another.
    fn goes_on_with_texts(&self, at: usize) -> bool {
        self.draft.filters.iter().any(|placed| {
            matches!(placed.it.test, Test::Contains(_) | Test::Lacks(_))
                && (placed.at + 2..=placed.at + 3).contains(&at)
                && self.items[placed.at + 1..at].iter().all(|item| item.any_op(&[Op::Not, Op::Exclude]).is_some() || item.senses.iter().any(|sense| matches!(sense, Sense::Link(Link::And | Link::Or))))
        })
    }

    fn quoted(&mut self, at: usize, text: &str) {
        let known = self.linked.exact(text);
        let named = self.neighbours(at);
        let column = named.iter().find(|column| self.described(column).is_some_and(|column| !column.is_number() && !column.is_time())).cloned();
        let (begins, finishes) = (self.near_op(at, Op::Begins), self.near_op(at, Op::Finishes));
        let partial = self.is_searched(at) || begins.is_some() || finishes.is_some();
        if let (Some((value_of, value)), false) = (&known, partial)
            && column.as_ref().is_none_or(|column| column == value_of)
        {
            return self.equals(at, value_of.clone(), vec![value.clone()]);
        }
        let Some(column) = column.or_else(|| self.text_column()) else { return };
        self.use_item(at);
        self.use_neighbour(at, &column);
        let negated = self.negated(at);
        let test = match (begins, finishes) {
            (Some(place), _) => {
                self.use_item(place);
                Test::StartsWith(text.to_owned())
            }
            (_, Some(place)) => {
                self.use_item(place);
                Test::EndsWith(text.to_owned())
            }
            _ if negated => Test::Lacks(text.to_owned()),
            _ => Test::Contains(vec![text.to_owned()]),
        };
        let either = self.is_alternative(at);
        self.draft.filter_or(at, Filter::new(column, test), either);
    }

    fn near_op(&self, at: usize, op: Op) -> Option<usize> {
        (at.saturating_sub(3)..(at + 4).min(self.items.len())).find(|place| self.items[*place].op(op))
    }

    /// A number beside a column: status 500, 401 응답.
    fn equal(&mut self, at: usize, value: f64) {
        let named = self.neighbours(at);
        let column = named.into_iter().find(|column| self.described(column).is_some_and(DomainNumber::is_code));
        let code = || {
            let table = self.table_of()?;
            let status = table.columns.iter().find(|column| column.name.ends_with("status_code") || column.name.ends_with("status"))?;
            let fits = (100.0..600.0).contains(&value) && value.fract() == 0.0 && status.is_number();
            (fits && matches!(self.items[at].kind, ItemKind::Number(_, None))).then(|| Column::new(&table.name, &status.name))
        };
        let top = at > 0 && self.items[at - 1].any_op(&[Op::Top, Op::Bottom, Op::First, Op::Last, Op::Most]).is_some();
        if let (Some(column), false) = (column.or_else(code), top) {
            self.use_item(at);
            self.use_neighbour(at, &column);
            let negated = self.negated(at);
            let number = if value.fract() == 0.0 { format!("{value:.0}") } else { value.to_string() };
            let key = self.described(&column).is_some_and(|column| column.key.is_some());
            self.skip_severity(at);
            // Another code than 200 is a code.
            if negated && key {
                self.draft.filter(at, Filter::new(column.clone(), Test::Present));
            }
            let test = match (negated, key) {
                (true, _) => Test::NoneOf(vec![number]),
                (false, true) => Test::OneOf(vec![number]),
                (false, false) => Test::Number(Compare::Equal, value),
            };
            self.draft.filter(at, Filter::new(column, test));
        }
    }

    /// 500 에러: responses of that code, whatever level they were written with.
    fn skip_severity(&mut self, at: usize) {
        let Some(next) = self.items.get(at + 1).filter(|_| self.items[at].particles.is_empty()) else { return };
        let severity = next.mentions.iter().any(|mention| matches!(mention, Mention::Value(column, _) if self.described(column).is_some_and(|known| matches!(known.kind, duru_sql::Kind::Ordered(_)))));
        if severity {
            self.use_item(at + 1);
        }
    }

    /// A word that nobody knows, where texts are searched: 메시지에 deadlock이 들어간.
    fn searched(&mut self, at: usize) {
        let Some(column) = self.text_column() else { return };
        if !self.is_searched(at) {
            return;
        }
        // Words that stand together are one text.
        let mut end = at;
        while self.items.get(end + 1).is_some_and(|item| item.kind == ItemKind::Unknown && !item.used) && self.items[end].particles.is_empty() {
            end += 1;
        }
        let particle = |text: &str| text.to_owned();
        let words: Vec<String> = (at..=end).map(|place| particle(self.bare(place))).collect();
        (at..=end).for_each(|place| self.use_item(place));
        let text = words.join(" ");
        let test = if self.negated(end) { Test::Lacks(text) } else { Test::Contains(vec![text]) };
        let either = self.is_alternative(at);
        self.draft.filter_or(at, Filter::new(column, test), either);
    }

    /// An item's word without its particles.
    pub(super) fn bare(&self, at: usize) -> &str {
        let item = &self.items[at];
        item.text.get(..item.own_length).unwrap_or(&item.text)
    }
}

/// Whether one is the other, misspelt: at most two letters are missing, too many, other or swapped.
pub(super) fn close(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let most = if a.len().min(b.len()) >= 8 { 2 } else { 1 };
    a.len() >= 4 && b.len() >= 4 && a != b && distance(&a, &b) <= most
}

/// The number of letters that must change, where two that are swapped are one change.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for j in 0..=b.len() {
        rows[0][j] = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

/// Whether words are all that tells values apart from others: the payment of payment-api.
fn covers(word: &str, values: &[String]) -> bool {
    let telling = |text: &str| duru_sql::domain::spelled(text).split([' ', '/']).filter(|word| !word.is_empty() && !duru_language::words::glossary().is_generic(word)).count();
    let count = word.split(' ').count();
    let first = |value: &str| value.contains(['-', '_']) && duru_sql::domain::spelled(value).starts_with(word);
    values.iter().all(|value| telling(value) <= count || first(value))
}

/// What a word of the domain is taken for.
enum Choice {
    Value(Column, String),
    Condition(Vec<Filter>),
    Part(Column, String, Vec<String>),
}

/// Whether numbers are names rather than amounts.
trait DomainNumber {
    fn is_code(&self) -> bool;
}

impl DomainNumber for duru_sql::domain::DomainColumn {
    fn is_code(&self) -> bool {
        self.is_number() && (self.code || self.unit.is_none())
    }
}
