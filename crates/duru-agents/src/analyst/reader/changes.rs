//! Comparisons of periods, and words that say how the answer is wanted.

use duru_language::{Ask, Ending, Link, Op, Particle, Sense, Unit};

use super::draft::{Placed, RankBy};
use super::items::ItemKind;
use super::reading::Reading;
use crate::analyst::frame::{Column, Filter, Keep, Measure, Stat, Test, Window};

impl Reading<'_> {
    /// Grew, fell, appeared, compared with.
    pub(super) fn changes(&mut self) {
        for at in 0..self.items.len() {
            if self.items[at].used || self.is_background(at) {
                continue;
            }
            let item = self.items[at].clone();
            // 승인 떨어진: it came, rather than fell.
            let came = item.op(Op::Happens)
                && item.ending(Ending::Modifier)
                && self.draft.against.is_none()
                && self.draft.periods.len() < 2
                && self.draft.previous.is_none();
            if (item.op(Op::Increase) || item.op(Op::Decrease)) && !came {
                let more = item.op(Op::Increase);
                // 늘어난 서비스: only those; 늘었어?: whether.
                if item.ending(Ending::Modifier) || self.is_relative(at) {
                    self.draft.keep = if more { Keep::More } else { Keep::Fewer };
                }
                self.draft.growth = true;
                self.draft.compared = true;
                self.use_item(at);
            } else if item.op(Op::Compare) || item.op(Op::Difference) {
                self.draft.compared = true;
                self.draft.growth |= item.op(Op::Difference);
                self.use_item(at);
            } else if item.op(Op::Appear) {
                self.draft.keep = Keep::New;
                self.use_item(at);
            } else if item.op(Op::Gone) {
                self.draft.quiet = true;
                self.use_item(at);
            } else if item.op(Op::More)
                && !item.korean
                && self.items.iter().any(|other| other.senses.contains(&Sense::Link(Link::Than)))
            {
                self.draft.keep = Keep::More;
                self.draft.compared = true;
                self.use_item(at);
            } else if item.op(Op::Less)
                && !item.korean
                && self.items.iter().any(|other| other.senses.contains(&Sense::Link(Link::Than)))
            {
                self.draft.keep = Keep::Fewer;
                self.draft.compared = true;
                self.use_item(at);
            } else if item.op(Op::Usual) {
                self.draft.usual = true;
                self.use_item(at);
            }
        }
        // 어제보다 많은 서비스.
        if self.draft.against.is_some() {
            self.draft.compared = true;
            for at in 0..self.items.len() {
                let item = &self.items[at];
                if !item.used
                    && (item.op(Op::Much)
                        || item.op(Op::High)
                        || item.op(Op::Few)
                        || item.op(Op::Low)
                        || item.op(Op::Slow)
                        || item.op(Op::Bad))
                {
                    let fewer = item.op(Op::Few) || item.op(Op::Low);
                    let which = !item.korean
                        && self
                            .draft
                            .dimensions
                            .iter()
                            .any(|placed| placed.it.how == super::draft::How::Asked);
                    if item.ending(Ending::Modifier) || which {
                        self.draft.keep = if fewer { Keep::Fewer } else { Keep::More };
                    }
                    self.draft.growth = true;
                    self.took_longer(at);
                    self.use_item(at);
                }
            }
        }
        self.growth_in_percent();
        self.folds();
    }

    /// By how many per cent it grew: the two figures tell; no share is asked for.
    fn growth_in_percent(&mut self) {
        let Some(at) = self.draft.rate.filter(|_| self.draft.growth) else { return };
        let percent = |item: &super::items::Item| {
            item.senses.contains(&Sense::Unit(Unit::Percent))
                || item.text.to_lowercase().starts_with("percent")
        };
        if (at..(at + 2).min(self.items.len())).any(|place| percent(&self.items[place])) {
            self.draft.rate = None;
            self.draft.counted |= self.draft.measures.is_empty() && self.draft.stats.is_empty();
        }
    }

    /// Slower than before: by how long it took.
    fn took_longer(&mut self, at: usize) {
        let speed = self.items[at].any_op(&[Op::Slow, Op::Fast]).is_some();
        let duration =
            self.table_of().and_then(|table| Some(Column::new(&table.name, table.duration.as_ref()?)));
        if let Some(duration) =
            duration.filter(|_| speed && self.draft.measures.is_empty() && self.draft.stats.is_empty())
        {
            self.draft.measure(at, Measure::Stat(Stat::Average, duration, Vec::new()));
        }
    }

    /// A relative clause in English: services that grew.
    fn is_relative(&self, at: usize) -> bool {
        !self.items[at].korean && self.link_at(at.wrapping_sub(1), Link::That)
    }

    /// Twice as many: 2배 이상 늘어난.
    fn folds(&mut self) {
        for bound in self.draft.bounds.clone() {
            if bound.unit == Some(Unit::Fold) {
                self.draft.keep = Keep::Times(bound.compare, bound.value);
                self.draft.compared = true;
            }
        }
        self.draft.bounds.retain(|bound| bound.unit != Some(Unit::Fold));
    }

    /// Words that say how the answer is wanted, or that refer to the answer before.
    pub(super) fn words(&mut self) {
        for at in 0..self.items.len() {
            let item = self.items[at].clone();
            if item.used || self.is_background(at) {
                continue;
            }
            let used = match item.kind {
                ItemKind::Mark(_) => true,
                ItemKind::Word => self.word(at, &item),
                _ => false,
            };
            if used {
                self.use_item(at);
            }
        }
    }

    /// A word about the answer itself; whether it is taken.
    fn word(&mut self, at: usize, item: &super::items::Item) -> bool {
        let ask = item.senses.iter().find_map(|sense| match sense {
            Sense::Ask(ask) => Some(*ask),
            _ => None,
        });
        if item.op(Op::Age) {
        } else if item.op(Op::Journey) {
            self.draft.newest = Some(false);
            self.draft.row_noun = true;
        } else if item.op(Op::Trend) {
            self.draft.trend = true;
        } else if item.op(Op::Cumulative) {
            self.draft.window = Some(Window::Cumulative);
        } else if item.op(Op::Moving) {
            self.moving(at);
        } else if item.op(Op::List) {
            self.draft.listed = true;
        } else if item.op(Op::Exists)
            || item.op(Op::Present)
                && (item.ending(Ending::Question)
                    || item.ending(Ending::Statement)
                    || item.ending(Ending::Connective))
        {
            self.draft.exists = true;
        } else if item.op(Op::Both) {
            self.draft.both = true;
        } else if item.op(Op::All) || item.op(Op::Total) && item.mentions.is_empty() {
            self.all(at);
            // Total logs: how many.
            let noun = self.items.get(at + 1).is_some_and(|next| {
                next.used && (!next.mentions.is_empty() || matches!(next.kind, ItemKind::Number(..)))
            });
            self.draft.counted |= item.op(Op::Total)
                && !item.korean
                && (noun || self.is_table(at + 1) || self.is_value(at + 1));
        } else if ask == Some(Ask::When) {
            self.draft.when = true;
            self.draft.hour |= item.text.contains('시') || item.text.contains("hour");
        } else if ask == Some(Ask::HowMuch) || ask == Some(Ask::HowOften) {
            self.draft.counted |= self.draft.measures.is_empty() && self.draft.stats.is_empty();
        } else if item.senses.contains(&Sense::Time(duru_language::TimeWord::Recent)) {
            self.draft.newest.get_or_insert(true);
        } else if item.op(Op::Reference)
            && ["그때", "그 당시", "그당시", "그 시점", "back then", "at that time"]
                .iter()
                .any(|word| item.text.to_lowercase().starts_with(word))
        {
            self.draft.event = true;
            self.draft.refers = true;
        } else if item.op(Op::Reference) || item.op(Op::Among) {
            self.refers(at);
        } else {
            return self.helping_word(at, item, ask);
        }
        true
    }

    /// A word that only helps another one, where there is one; whether it is taken.
    fn helping_word(&mut self, at: usize, item: &super::items::Item, ask: Option<Ask>) -> bool {
        if item.op(Op::Per) {
            !self.draft.dimensions.is_empty()
        } else if item.op(Op::Other) {
            self.draft.filters.iter().any(|placed| {
                matches!(
                    placed.it.test,
                    crate::analyst::frame::Test::NoneOf(_) | crate::analyst::frame::Test::Lacks(_)
                )
            })
        } else if item.senses.iter().any(|sense| {
            matches!(
                sense,
                Sense::Unit(
                    Unit::Millisecond
                        | Unit::Second
                        | Unit::Minute
                        | Unit::Percent
                        | Unit::Item
                        | Unit::Times
                )
            )
        }) {
            !self.draft.measures.is_empty()
                || !self.draft.stats.is_empty()
                || self.draft.rate.is_some()
                || self.draft.share
                || self.draft.counted
                || self.items.iter().any(|other| other.op(Op::Age))
        } else if item.op(Op::Kind) {
            at > 0 && self.items[at - 1].used
        } else if item.op(Op::More) && item.text == "더" {
            self.draft.each |= !self.draft.compared;
            true
        } else if item
            .any_op(&[Op::High, Op::Low, Op::Slow, Op::Fast, Op::Bad, Op::Good, Op::Long, Op::Short])
            .is_some()
        {
            self.draft.each
                || self.draft.compared
                || self.draft.rank.is_some()
                || !self.draft.bounds.is_empty()
        } else if item.senses.contains(&Sense::Time(duru_language::TimeWord::Within)) {
            // Within the last hour: the period says it.
            !self.draft.periods.is_empty()
        } else if item.op(Op::Same) {
            self.same(at)
        } else if item.op(Op::Much) && item.mentions.is_empty() && ask.is_none() {
            // 많이: how much is not said; only in "how many".
            self.draft.counted |=
                self.items.iter().any(|other| other.senses.contains(&Sense::Ask(Ask::HowMuch)));
            true
        } else {
            item.mentions.is_empty() && item.senses.iter().any(|sense| says_nothing(*sense))
        }
    }

    fn moving(&mut self, at: usize) {
        let near = (at.saturating_sub(3)..(at + 4).min(self.items.len())).find_map(|place| {
            match &self.items[place].kind {
                ItemKind::Number(value, _) if !self.items[place].used => Some((place, *value)),
                ItemKind::Time(duru_language::time::Timed::Length(length)) => {
                    Some((place, f64::from(length.amount)))
                }
                _ => None,
            }
        });
        if let Some((place, _)) = near {
            self.use_item(place);
            self.draft.lengths.retain(|length| length.at != place);
        }
        self.draft.window = Some(Window::Moving(near.map_or(7, |(_, value)| value as u32)));
        self.draft.stats.retain(|stat| stat.at.abs_diff(at) > 1);
    }

    /// All services: nothing is left out; 전체 로그 수: of all.
    fn all(&mut self, at: usize) {
        let identify = self.table_of().and_then(|table| table.identify.clone());
        // 서비스 전체.
        if let Some(before) = at.checked_sub(1)
            && self.column_at(before).is_some_and(|column| Some(&column.name) == identify.as_ref())
            && !self.items[before].used
            && self.items[before].particles.is_empty()
        {
            self.draft.every = true;
            return self.use_item(before);
        }
        if let Some(column) = self.column_at(at + 1).filter(|_| !self.items[at + 1].used)
            && Some(&column.name) == identify.as_ref()
            && !self.items.get(at + 2).is_some_and(|item| {
                item.op(Op::Per)
                    || item.senses.iter().any(|sense| matches!(sense, Sense::Link(Link::With | Link::That)))
            })
        {
            self.draft.every = true;
            self.use_item(at + 1);
        }
    }

    /// 그 서비스, that error: a column whose value the answer before has.
    fn refers(&mut self, at: usize) {
        let article = self.items[at]
            .senses
            .iter()
            .any(|sense| matches!(sense, Sense::Link(Link::Article | Link::That)));
        match self.column_at(at + 1).filter(|_| !self.items[at + 1].used) {
            Some(column) if self.items[at].op(Op::Reference) => {
                self.draft.references.push(column);
                self.use_item(at + 1);
            }
            // The errors, this page: an article.
            _ if article
                && self.items.get(at + 1).is_some_and(|next| {
                    !next.mentions.is_empty()
                        || matches!(next.kind, ItemKind::Time(_) | ItemKind::Name(_) | ItemKind::Unknown)
                        || next.used
                }) => {}
            _ => self.draft.refers = true,
        }
    }

    /// In the same trace: rows are grouped by it.
    fn same(&mut self, at: usize) -> bool {
        let Some(column) = self.column_at(at + 1).filter(|_| !self.items[at + 1].used) else { return false };
        self.draft.columns.push(Placed { it: column, at: at + 1 });
        self.use_item(at + 1);
        true
    }

    /// Rows are logged; people who log in do what rows do not tell.
    fn people_do(&self, at: usize) -> bool {
        let logs = self.items[at].text.to_lowercase().starts_with("log") && self.items[at].op(Op::Happens);
        let person = self.person();
        logs && person.is_some() && (at.saturating_sub(2)..at).any(|place| self.column_at(place) == person)
    }

    /// What is left: columns whose part the whole tells, and what nobody understood.
    pub(super) fn rest(&mut self) {
        self.leftover_lengths();
        let done: Vec<String> = (0..self.items.len())
            .filter(|at| self.people_do(*at))
            .map(|at| self.items[at].text.clone())
            .collect();
        self.draft.unread.extend(done);
        for at in 0..self.items.len() {
            let item = self.items[at].clone();
            if item.used || self.is_background(at) || self.name_of(at) {
                continue;
            }
            let unit = item.senses.iter().find_map(|sense| match sense {
                Sense::Unit(unit)
                    if unit.seconds() >= Some(3_600.0) && matches!(item.kind, ItemKind::Word) =>
                {
                    Some(*unit)
                }
                _ => None,
            });
            if let Some(unit) = unit {
                let length = duru_language::time::Length::new(1, unit);
                self.draft.group(
                    at,
                    crate::analyst::frame::Dimension::Every(length),
                    super::draft::How::Asked,
                );
                self.use_item(at);
            } else if self.is_table(at) {
                self.draft.row_noun = true;
                self.use_item(at);
            } else if let Some(column) = self.column_at(at) {
                // 고객 id.
                if column.short() == "id"
                    && at > 0
                    && self.column_at(at - 1).is_some()
                    && self.items[at - 1].particles.is_empty()
                {
                    self.skip_item(at);
                    continue;
                }
                // 운영 서버 에러: between two values it only says what kind of thing has them.
                let value =
                    |place: usize| self.draft.value_places.iter().any(|(_, _, known)| *known == place);
                if item.particles.is_empty() && at > 0 && value(at - 1) && value(at + 1) {
                    self.skip_item(at);
                    continue;
                }
                // What holds keys is named together with one of them.
                if self.described(&column).is_some_and(|column| column.kind == duru_sql::Kind::Json) || self.draft.measures.iter().any(|placed| matches!(&placed.it, crate::analyst::frame::Measure::Rate(filters) if filters.iter().any(|filter| filter.column == column))) {
                    self.skip_item(at);
                    continue;
                }
                self.draft.columns.push(Placed { it: column, at });
                self.use_item(at);
            }
        }
        self.left_out_later();
        self.said_again();
        self.deeds();
        // 느리다는 얘기가 있던데: only told.
        for at in 0..self.items.len() {
            let item = &self.items[at];
            if !item.used
                && item.ending(Ending::Background)
                && item.any_op(&[Op::Present, Op::Exists]).is_some()
            {
                self.skip_item(at);
            }
        }
        for at in 0..self.items.len() {
            let item = &self.items[at];
            if item.used || item.is_empty() || is_quiet(item) {
                continue;
            }
            let text = item.text.trim().to_owned();
            let changes = matches!(
                item.kind,
                ItemKind::Number(..) | ItemKind::Time(_) | ItemKind::Name(_) | ItemKind::Text(_)
            );
            if self.is_background(at) && !changes || self.is_verb_of_a_noun(at) {
                self.draft.unused.push(text);
            } else {
                self.draft.unread.push(text);
            }
        }
        if self.draft.rank.as_ref().is_some_and(|rank| rank.by == RankBy::Growth) {
            self.draft.compared = true;
        }
    }

    /// 크롬 쓰는 분들은 제외하고: what is left out was named a few words before.
    fn left_out_later(&mut self) {
        for at in 0..self.items.len() {
            if self.items[at].used || !self.items[at].korean || !self.items[at].op(Op::Exclude) {
                continue;
            }
            let named =
                self.draft.value_places.iter().rev().find(|(.., place)| *place < at && at - *place <= 7);
            let Some((column, _, last)) = named.cloned() else { continue };
            // A list of them stands together.
            let of = |(other, _, place): &&(Column, String, usize)| {
                *other == column && *place <= last && last - *place <= 2
            };
            let left_out: Vec<String> =
                self.draft.value_places.iter().filter(of).map(|(_, value, _)| value.clone()).collect();
            for placed in self.draft.filters.iter_mut().filter(|placed| placed.it.column == column) {
                if let Test::OneOf(values) = &mut placed.it.test {
                    values.retain(|one| !left_out.contains(one));
                }
            }
            self.draft
                .filters
                .retain(|placed| !matches!(&placed.it.test, Test::OneOf(all) if all.is_empty()));
            self.draft.value_places.retain(|known| !of(&known));
            self.draft.filter(last, Filter::new(column, Test::NoneOf(left_out)));
            self.use_item(at);
            // 나머지: all but those.
            if self.items.get(at + 1).is_some_and(|next| next.op(Op::Other)) {
                self.use_item(at + 1);
            }
        }
    }

    /// Published in, received by: how things belong together is told by their keys.
    fn deeds(&mut self) {
        for at in 1..self.items.len() {
            let item = &self.items[at];
            let verb = item.kind == ItemKind::Unknown && !item.korean && item.text.ends_with("ed");
            let links = [Link::In, Link::By, Link::At, Link::To, Link::On, Link::From, Link::For, Link::With];
            let linked = links.iter().any(|link| self.link_at(at + 1, *link)) || self.items.len() == at + 1;
            if verb && linked && !item.used && self.is_of_things() {
                self.items[at].senses.push(Sense::Op(Op::Happens));
                self.use_item(at);
            }
        }
    }

    /// 두 주, two places, 둘: how many there are of what is named already; "one" that stands for a noun.
    fn said_again(&mut self) {
        let mut counts: Vec<usize> = vec![
            self.draft.periods.len() + usize::from(self.draft.against.is_some()),
            self.draft.measures.len() + usize::from(self.draft.counted),
        ];
        counts.extend(self.draft.filters.iter().filter_map(|placed| match &placed.it.test {
            Test::OneOf(values) => Some(values.len()),
            _ => None,
        }));
        for at in 0..self.items.len() {
            let amount = match &self.items[at].kind {
                ItemKind::Number(value, None | Some(Unit::Item | Unit::Place | Unit::Times)) => *value,
                ItemKind::Time(duru_language::time::Timed::Length(length)) => f64::from(length.amount),
                _ => continue,
            };
            let both_ends = self.draft.both_ends && self.draft.limit.map(f64::from) == Some(amount);
            let known =
                both_ends || counts.iter().any(|count| *count > 1 && (*count as f64 - amount).abs() < 0.5);
            let pronoun = matches!(self.items[at].text.trim().to_lowercase().as_str(), "one" | "ones");
            if !self.items[at].used && (known || pronoun) {
                self.skip_item(at);
            }
        }
    }

    /// A short unknown verb before a noun (때린 계정, 먹은 에러) tells only that it happened.
    fn is_verb_of_a_noun(&self, at: usize) -> bool {
        let item = &self.items[at];
        let text = item.text.trim();
        let adnominal = text
            .chars()
            .last()
            .and_then(duru_language::hangul::Syllable::of)
            .is_some_and(|last| last.tail == 4);
        item.kind == ItemKind::Unknown
            && item.korean
            && item.particles.is_empty()
            && adnominal
            && (2..=3).contains(&text.chars().count())
            && self.items.get(at + 1).is_some_and(|next| next.used || next.is_empty())
            && at > 0
            && self.items[at - 1].particles.iter().any(|particle| {
                matches!(particle, Particle::Subject | Particle::Object | Particle::At | Particle::By)
            })
    }
}

/// Words whose absence changes nothing, wherever they stand.
fn says_nothing(sense: Sense) -> bool {
    match sense {
        Sense::Filler | Sense::Link(_) => true,
        Sense::Ask(ask) => matches!(ask, Ask::What | Ask::How | Ask::Whether),
        Sense::Op(op) => matches!(
            op,
            Op::Show
                | Op::Happens
                | Op::Only
                | Op::Again
                | Op::Instead
                | Op::Objection
                | Op::Value
                | Op::Contains
                | Op::Word
                | Op::Equal
                | Op::Each
                | Op::Rank
        ),
        Sense::Time(word) => matches!(
            word,
            duru_language::TimeWord::This | duru_language::TimeWord::During | duru_language::TimeWord::Now
        ),
        _ => false,
    }
}

fn is_quiet(item: &super::items::Item) -> bool {
    item.particle(Particle::Polite) && item.text.chars().count() < 3
}
