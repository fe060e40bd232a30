//! Conditions on rows: values, their negation, presence, texts, and what happened since.

use duru_language::time::Timed;
use duru_language::{Ask, Link, Op, Particle, Sense, Unit};

use super::items::ItemKind;
use super::link::Mention;
use super::reading::Reading;
use crate::analyst::frame::{Column, Compare, Filter, Test};

impl Reading<'_> {
    /// The conditions that an item stands for, if it stands for certain ones.
    pub(super) fn conditions_at(&self, at: usize) -> Option<Vec<Filter>> {
        let item = self.items.get(at).filter(|item| !item.used)?;
        item.mentions.iter().find_map(|mention| match mention {
            Mention::Value(column, value) => {
                Some(vec![Filter::new(column.clone(), Test::OneOf(vec![value.clone()]))])
            }
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
            let objects = self.op_at(at, Op::Objection) && self.items[at].text.starts_with("아니");
            if !(self.op_at(at, Op::Exclude) || objects) || !self.items[at].korean {
                continue;
            }
            let before = &self.items[at - 1];
            // 1초가 아니라 3초.
            let amount = matches!(before.kind, ItemKind::Number(..) | ItemKind::Time(Timed::Length(_)));
            if objects && amount && !before.used {
                self.skip_item(at - 1);
                self.skip_item(at);
                self.draft.objects = true;
                continue;
            }
            let figure = before
                .any_op(&[
                    Op::Average,
                    Op::Median,
                    Op::Maximum,
                    Op::Minimum,
                    Op::Sum,
                    Op::Count,
                    Op::Total,
                    Op::All,
                    Op::Rate,
                    Op::Share,
                    Op::Distinct,
                ])
                .is_some()
                || matches!(before.kind, ItemKind::Percentile(_));
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
                ItemKind::Word if self.is_told(at) => {}
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
    pub(super) fn is_asked_column(&self, at: usize) -> bool {
        let beside = self.neighbours(at);
        if self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Value(column, _) | Mention::Part(column, ..) if beside.contains(column))) {
            return false;
        }
        let also_value = self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Value(..)));
        self.column_at(at).is_some()
            && (also_value && !self.is_table(at + 1)
                || self.items.get(at + 1).is_some_and(|next| next.op(Op::Per) && next.korean)
                || at > 0
                    && self.items[at - 1]
                        .senses
                        .iter()
                        .any(|sense| matches!(sense, Sense::Ask(Ask::Which | Ask::HowMany))))
    }

    pub(super) fn named_value(&mut self, at: usize) {
        let beside: Vec<Column> = self.neighbours(at);
        let text = self.text_column();
        let identify =
            self.table_of().and_then(|table| Some(Column::new(&table.name, table.identify.as_ref()?)));
        let own_column = self.column_at(at);
        let other = self.items[at]
            .senses
            .iter()
            .any(|sense| matches!(sense, Sense::Op(_) | Sense::Filler | Sense::Link(_)));
        let searched = self.is_searched(at);
        let label =
            self.draft.table.as_ref().filter(|_| self.is_of_things()).and_then(|table| self.label(table));
        let hops_of_name = at > 0
            && [Link::In, Link::From, Link::Of].iter().any(|link| self.link_at(at - 1, *link))
            || self.is_table(at + 1);
        let beside_table = self.table_before(at).filter(|_| self.is_of_things());
        let kinds = self.kinds_after(at);
        let word = self.bare(at).to_owned();
        // Live, staging and development: in a list of values it is one.
        let listed: Vec<Column> = self.columns_listed_beside(at);
        let spelled = self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Value(_, value) if *value == word && value.chars().any(|letter| !letter.is_ascii_lowercase())));
        // Lower is better: named beside it, whole values before parts of them, what tells rows apart first, texts last.
        let rank = |column: &Column, whole: bool, full: bool, phrase: bool, values: usize| {
            let quiet = self.described(column).is_some_and(|column| column.quiet);
            let named = beside.contains(column);
            if quiet && !named || own_column.is_some() && !named && !whole {
                return None;
            }
            // A value that is also an everyday word is meant where it is written as it is kept.
            if other && whole && !named && !spelled && !listed.contains(column) {
                return None;
            }
            let is_text = Some(column) == text.as_ref();
            let identity = Some(column) == identify.as_ref();
            // One of several words of a value is meant where it is said what it is a part of.
            if !whole
                && !full
                && !named
                && !identity
                && !kinds.contains(column)
                && !(is_text && (searched || phrase))
            {
                return None;
            }
            let wanted = named || is_text && searched;
            // A city in Wyoming is not called so.
            let own_name = hops_of_name && label.as_ref() == Some(column);
            let beside =
                beside_table.as_ref().is_some_and(|table| self.label(table).as_ref() == Some(column));
            let hops = if beside { 0 } else { self.hops(&column.table)? * 2 + usize::from(own_name) + 1 };
            // Springfield is a capital, and cities are called so: what rows are called by comes first.
            let hops = hops + if self.is_rather_called(at, column) { 4 } else { 0 };
            Some((hops, !wanted, is_text && !searched, !whole && !identity, !identity, values))
        };
        let mut best: Option<(Fit, Choice)> = None;
        for mention in &self.items[at].mentions {
            let found = match mention {
                Mention::Value(column, value) => rank(column, true, true, true, 1)
                    .map(|rank| (rank, Choice::Value(column.clone(), value.clone()))),
                Mention::Condition(filters) => {
                    Some(((0, true, false, false, true, 1), Choice::Condition(filters.clone())))
                }
                Mention::Part(column, word, values) => {
                    rank(column, false, covers(word, values), word.contains(' '), values.len())
                        .map(|rank| (rank, Choice::Part(column.clone(), word.clone(), values.clone())))
                }
                _ => None,
            };
            if let Some((rank, choice)) = found
                && best.as_ref().is_none_or(|(known, _)| rank < *known)
            {
                best = Some((rank, choice));
            }
        }
        if let Some((_, choice)) = best {
            self.choose(at, choice, text.as_ref(), identify.as_ref());
        }
        // A word of the domain that is no value here may still be searched for.
        if !self.items[at].used
            && searched
            && !self.items[at].mentions.is_empty()
            && self.items[at].senses.is_empty()
            && own_column.is_none()
            && !self.is_table(at)
            && text.is_some()
        {
            self.searched(at);
        }
        // What it means besides is then what it means.
        if !self.items[at].used && other {
            self.items[at]
                .mentions
                .retain(|mention| !matches!(mention, Mention::Value(..) | Mention::Part(..)));
        }
    }

    fn choose(&mut self, at: usize, choice: Choice, text: Option<&Column>, identify: Option<&Column>) {
        match choice {
            Choice::Value(column, value) => {
                let same = self.items[at].mentions.iter().filter_map(|mention| match mention {
                    Mention::Value(other, value) if *other == column => Some(value.clone()),
                    _ => None,
                });
                let same: Vec<String> = same.collect();
                let identity = Some(&column) == identify;
                match same.len() {
                    0 | 1 => self.equals(at, column, vec![value]),
                    _ if identity => self.unclear(at, column, same),
                    _ => self.equals(at, column, same),
                }
            }
            Choice::Condition(filters) => {
                self.use_item(at);
                filters.into_iter().for_each(|filter| self.draft.filter(at, filter));
            }
            Choice::Part(column, word, values) => {
                self.part(at, column, word, values, text, identify);
            }
        }
    }

    pub(super) fn part(
        &mut self,
        at: usize,
        column: Column,
        word: String,
        values: Vec<String>,
        text: Option<&Column>,
        identify: Option<&Column>,
    ) {
        // A word that means something else besides is no text that is searched for.
        let is_text = Some(&column) == text;
        let others = self.items[at]
            .mentions
            .iter()
            .any(|mention| matches!(mention, Mention::Table(_) | Mention::Column(_)));
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
    pub(super) fn is_alternative(&self, at: usize) -> bool {
        at > 0 && (self.link_at(at - 1, Link::Or) || self.items[at - 1].particle(Particle::Or))
    }

    /// Columns that are named right beside an item, and so say whose value it is: 결제 서비스, path /login.
    pub(super) fn neighbours(&self, at: usize) -> Vec<Column> {
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

    /// Columns of which a value stands beside an item in a list.
    fn columns_listed_beside(&self, at: usize) -> Vec<Column> {
        let joins = |place: usize| {
            self.link_at(place, Link::And)
                || self.link_at(place, Link::Or)
                || self.items.get(place).is_some_and(|item| item.kind == ItemKind::Mark(','))
        };
        let after = (at + 1..at + 3).take_while(|place| joins(*place)).last().map(|place| place + 1);
        let before = (at.saturating_sub(2)..at).rev().take_while(|place| joins(*place)).last();
        let beside = [after, before.and_then(|place| place.checked_sub(1))];
        let mentions = beside.into_iter().flatten().filter_map(|place| self.items.get(place));
        let values = mentions.flat_map(|item| &item.mentions).filter_map(|mention| match mention {
            Mention::Value(column, _) => Some(column.clone()),
            _ => None,
        });
        values.collect()
    }

    /// Columns whose kinds the next word speaks of: in "timeout errors" a kind of error is meant.
    pub(super) fn kinds_after(&self, at: usize) -> Vec<Column> {
        let Some((table, next)) = self.table_of().zip(self.items.get(at + 1)) else { return Vec::new() };
        let named = |column: &str, values: &[String]| {
            next.mentions.iter().any(|mention| matches!(mention, Mention::Value(other, value) if other.name == column && values.contains(value)))
        };
        let kinds = table.columns.iter().filter(|column| {
            column.implies.as_ref().is_some_and(|implied| named(&implied.column, &implied.is))
                && table.text.as_ref() != Some(&column.name)
        });
        kinds.map(|column| Column::new(&table.name, &column.name)).collect()
    }

    pub(super) fn equals(&mut self, at: usize, column: Column, values: Vec<String>) {
        self.use_item(at);
        self.use_neighbour(at, &column);
        // 치명적인 오류: one thing in two words.
        if at > 0
            && self.items[at - 1].particle(Particle::Is)
            && self.draft.value_places.iter().any(|(other, _, place)| *other == column && *place + 1 == at)
        {
            return;
        }
        let ranked =
            self.described(&column).is_some_and(|known| matches!(known.kind, duru_sql::Kind::Ordered(_)));
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
    pub(super) fn at_least_level(&mut self, at: usize) -> Option<Compare> {
        let mut place = self.next(at).filter(|place| *place <= at + 2)?;
        // WARN 레벨 이상.
        if self.column_at(place).is_some_and(|column| {
            self.items[at]
                .mentions
                .iter()
                .any(|mention| matches!(mention, Mention::Value(other, _) if *other == column))
        }) {
            self.use_item(place);
            place = self.next(place)?;
        }
        let item = &self.items[place];
        let compare = match () {
            () if item.op(Op::AtLeast)
                && (item.korean || item.text.starts_with("or") || item.text.starts_with("and")) =>
            {
                Compare::AtLeast
            }
            () if item.op(Op::AtMost)
                && (item.korean || item.text.starts_with("or") || item.text.starts_with("and")) =>
            {
                Compare::AtMost
            }
            () if item.op(Op::More) && item.korean && item.text.starts_with("초과") => Compare::More,
            () => return None,
        };
        self.use_item(place);
        Some(compare)
    }

    /// The noun that says what kind of thing a value is says no more: 결제 서비스, service payment-api.
    pub(super) fn use_neighbour(&mut self, at: usize, column: &Column) {
        for place in [at.checked_sub(1), Some(at + 1)].into_iter().flatten() {
            let names = self.items.get(place).is_some_and(|item| {
                !item.used
                    && item.mentions.contains(&Mention::Column(column.clone()))
                    && item.senses.is_empty()
            });
            let per = self.items.get(place + 1).is_some_and(|next| next.op(Op::Per) && next.korean)
                || self
                    .items
                    .get(place + 1)
                    .is_some_and(|next| next.op(Op::Count) && next.korean && place == at + 1);
            let asked =
                place > 0 && self.items[place - 1].senses.iter().any(|sense| matches!(sense, Sense::Ask(_)));
            let subject = place < at
                && self.items[place].particles.iter().any(|particle| {
                    matches!(particle, Particle::Subject | Particle::Topic | Particle::Object)
                });
            let listed = place == at + 1 && self.link_at(at, Link::And);
            if names
                && !per
                && !asked
                && !listed
                && (place > at || !subject || self.items[place].particle(Particle::Subject))
            {
                self.skip_item(place);
            }
        }
    }

    pub(super) fn unclear(&mut self, at: usize, column: Column, values: Vec<String>) {
        self.use_item(at);
        self.use_neighbour(at, &column);
        self.draft.unclear.push((column, values));
    }

    /// Two whole values that stand beside each other without a particle, and no column has both.
    fn of_another_column(&self, at: usize, other: usize) -> bool {
        let columns = |place: usize| {
            let values = self.items[place].mentions.iter().filter_map(|mention| match mention {
                Mention::Value(column, _) => Some(column),
                _ => None,
            });
            values.collect::<Vec<_>>()
        };
        let (own, others) = (columns(at), columns(other));
        self.items[at].particles.is_empty()
            && !own.is_empty()
            && !others.is_empty()
            && !own.iter().any(|column| others.contains(column))
    }

    /// Whether a value is left out: payment-api 빼고, except payment-api. Marks the word that says so.
    pub(super) fn negated(&mut self, at: usize) -> bool {
        let listed = |reading: &Self, place: usize| {
            let item = &reading.items[place];
            reading.is_value(place)
                || reading.column_at(place).is_some()
                || reading.is_table(place)
                || matches!(item.kind, ItemKind::Mark(',') | ItemKind::Name(_))
                || item.senses.iter().any(|sense| {
                    matches!(
                        sense,
                        Sense::Link(
                            Link::And
                                | Link::Or
                                | Link::Article
                                | Link::In
                                | Link::From
                                | Link::For
                                | Link::Of
                        ) | Sense::Filler
                    )
                })
        };
        let mut place = at + 1;
        while place < self.items.len() && place <= at + 6 {
            let item = &self.items[place];
            if item.korean && (item.op(Op::Exclude) || item.op(Op::Not) && !item.text.starts_with('안')) {
                self.use_item(place);
                return true;
            }
            let apart = self.items[place - 1]
                .particles
                .iter()
                .any(|particle| matches!(particle, Particle::Topic | Particle::At | Particle::Subject));
            // web-app 운영 말고: what is left out is the other thing's.
            let apart = apart || place == at + 1 && self.of_another_column(at, place);
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
                placed.at + 2 >= at
                    && placed.at < at
                    && matches!(placed.it.test, Test::NoneOf(_))
                    && (self.link_at(at - 1, Link::And)
                        || self.link_at(at - 1, Link::Or)
                        || self.items[at - 1].kind == ItemKind::Mark(','))
            })
    }

    /// A number beside a column: status 500, 401 응답.
    pub(super) fn equal(&mut self, at: usize, value: f64) {
        let named = self.neighbours(at);
        let column =
            named.into_iter().find(|column| self.described(column).is_some_and(DomainNumber::is_code));
        let code = || {
            let table = self.table_of()?;
            let status = table
                .columns
                .iter()
                .find(|column| column.name.ends_with("status_code") || column.name.ends_with("status"))?;
            let fits = (100.0..600.0).contains(&value) && value.fract() == 0.0 && status.is_number();
            (fits && matches!(self.items[at].kind, ItemKind::Number(_, None)))
                .then(|| Column::new(&table.name, &status.name))
        };
        let top = at > 0
            && self.items[at - 1].any_op(&[Op::Top, Op::Bottom, Op::First, Op::Last, Op::Most]).is_some();
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
    pub(super) fn skip_severity(&mut self, at: usize) {
        let Some(next) = self.items.get(at + 1).filter(|_| self.items[at].particles.is_empty()) else {
            return;
        };
        let severity = next.mentions.iter().any(|mention| matches!(mention, Mention::Value(column, _) if self.described(column).is_some_and(|known| matches!(known.kind, duru_sql::Kind::Ordered(_)))));
        if severity {
            self.skip_item(at + 1);
        }
    }
}

/// Whether words are all that tells values apart from others: the payment of payment-api.
fn covers(word: &str, values: &[String]) -> bool {
    let telling = |text: &str| {
        duru_sql::domain::spelled(text)
            .split([' ', '/'])
            .filter(|word| !word.is_empty() && !duru_language::words::glossary().is_generic(word))
            .count()
    };
    let count = word.split(' ').count();
    let first =
        |value: &str| value.contains(['-', '_']) && duru_sql::domain::spelled(value).starts_with(word);
    values.iter().all(|value| telling(value) <= count || first(value))
}

/// How badly a value fits, in order of weight: how far away its table is, not named beside it, a text that is not searched, a part, no identity,
/// and how many values have the word.
type Fit = (usize, bool, bool, bool, bool, usize);

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
