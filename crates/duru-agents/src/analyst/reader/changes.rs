//! Comparisons of periods, and words that say how the answer is wanted.

use duru_language::{Ask, Ending, Link, Op, Particle, Sense, Unit};

use super::draft::Placed;
use super::items::ItemKind;
use super::reading::Reading;
use crate::analyst::frame::{Column, Keep, Measure, Stat, Window};

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
            // 3시간으로 늘려: the time, and nothing that grew.
            if (item.op(Op::Increase) || item.op(Op::Decrease)) && self.is_of_time(at) {
                self.skip_item(at);
            } else if (item.op(Op::Increase) || item.op(Op::Decrease)) && !came {
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
        self.more_than_before();
        self.growth_in_percent();
        self.folds();
    }

    /// Whether it is a time or a number that is made another one.
    fn is_of_time(&self, at: usize) -> bool {
        let before = self.previous(at).map(|place| &self.items[place]);
        before.is_some_and(|item| {
            matches!(item.kind, ItemKind::Time(_) | ItemKind::Number(..))
                && item.particles.iter().any(|particle| matches!(particle, Particle::By | Particle::Until))
        }) && !self.items[at].ending(Ending::Modifier)
    }

    /// 어제보다 많은 서비스.
    fn more_than_before(&mut self) {
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
            item.mentions.is_empty() && item.senses.iter().any(|sense| super::rest::says_nothing(*sense))
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
    pub(super) fn people_do(&self, at: usize) -> bool {
        let logs = self.items[at].text.to_lowercase().starts_with("log") && self.items[at].op(Op::Happens);
        let person = self.person();
        logs && person.is_some() && (at.saturating_sub(2)..at).any(|place| self.column_at(place) == person)
    }
}
