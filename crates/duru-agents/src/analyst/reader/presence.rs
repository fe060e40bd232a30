//! What happened since a moment that the data knows, and what rows have or lack.

use duru_language::{Ending, Link, Op, Particle, Sense, TimeWord, Unit};

use super::items::ItemKind;
use super::link::Mention;
use super::reading::Reading;
use crate::analyst::frame::{Column, Dimension, Filter, Test};

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
            // 2.4.0 때: of that version.
            let when = self.items[marker].text.starts_with('때')
                || self.items[marker].senses.contains(&Sense::Time(TimeWord::During));
            if !event && when && matches!(self.items[at].kind, ItemKind::Name(_)) {
                continue;
            }
            if self.before_and_after(at, marker) {
                continue;
            }
            let near = (at.saturating_sub(3)..(at + 4).min(self.items.len()))
                .find_map(|place| Some((place, self.version_at(place)?)));
            match near {
                Some((place, filter)) => {
                    let time = self
                        .table_of()
                        .and_then(|table| Some(Column::new(&table.name, table.time.as_ref()?)));
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

    /// Before v2.4.0 and after it: a figure for each version.
    fn before_and_after(&mut self, at: usize, marker: usize) -> bool {
        let says = |place: usize, words: &[TimeWord]| {
            self.items
                .get(place)
                .is_some_and(|item| words.iter().any(|word| item.senses.contains(&Sense::Time(*word))))
        };
        let places = at.saturating_sub(3)..(marker.max(at) + 5).min(self.items.len());
        let before = places.clone().find(|place| says(*place, &[TimeWord::Before, TimeWord::Previous]));
        let after = places.clone().find(|place| says(*place, &[TimeWord::After]));
        let version = places.clone().find_map(|place| Some((place, self.version_at(place)?.column)));
        let (Some(before), Some(after), Some((place, column))) = (before, after, version) else {
            return false;
        };
        if before == after {
            return false;
        }
        self.draft.group(place, Dimension::Column(column), super::draft::How::Per);
        for used in [before, after, place, at] {
            self.use_item(used);
        }
        true
    }

    /// A version or the like: something of which there is a first row.
    pub(super) fn version_at(&self, at: usize) -> Option<Filter> {
        let item = self.items.get(at).filter(|item| !item.used)?;
        if let ItemKind::Name(name) = &item.kind {
            let exact = self.linked.exact(name).or_else(|| self.linked.exact(&format!("v{name}")));
            let (column, value) = exact.filter(|(column, _)| column.name.ends_with("version"))?;
            return Some(Filter::new(column, Test::OneOf(vec![value])));
        }
        item.mentions.iter().find_map(|mention| match mention {
            Mention::Value(column, value) if column.name.ends_with("version") => {
                Some(Filter::new(column.clone(), Test::OneOf(vec![value.clone()])))
            }
            _ => None,
        })
    }

    /// The word that makes an event a time: 이후, since, around; and whether what was before is asked for.
    pub(super) fn since_marker(&self, at: usize) -> Option<(usize, bool)> {
        let of = |place: usize| {
            let item = self.items.get(place)?;
            let time = |word: TimeWord| item.senses.contains(&Sense::Time(word));
            let after = time(TimeWord::After)
                || time(TimeWord::During)
                || item.op(Op::About)
                || item.text.starts_with('때');
            let before = time(TimeWord::Before) || time(TimeWord::Previous);
            (after || before).then_some((place, before && !time(TimeWord::After)))
        };
        let from = self.items[at].particle(Particle::From).then_some((at, false));
        // 나간 뒤로: what says before or after, rather than what only says when.
        let sure = |place: &usize| {
            let during = |item: &super::items::Item| item.senses.contains(&Sense::Time(TimeWord::During));
            !self.items.get(*place).is_some_and(during)
        };
        from.or_else(|| {
            let after = |place: usize| of(place).filter(|_| self.items[place].korean);
            (at + 1..at + 5).filter(sure).find_map(after).or_else(|| (at + 1..at + 4).find_map(after))
        })
        .or_else(|| {
            (at.saturating_sub(3)..at).rev().find_map(|place| of(place).filter(|_| !self.items[place].korean))
        })
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
            let asked =
                item.ending(Ending::Question) || item.op(Op::Exists) || item.ending(Ending::Statement);
            if present && asked && !item.ending(Ending::Modifier) {
                continue;
            }
            // 라는 말이 있는: what is searched for was said.
            if present && item.korean && self.before_word(at) {
                self.use_item(at);
                continue;
            }
            let Some(mut target) =
                (if item.korean { self.before(at) } else { self.next(at).or_else(|| self.before(at)) })
            else {
                continue;
            };
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

    pub(super) fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().take(3).find(|place| {
            let item = &self.items[*place];
            !item.is_empty() && !item.used || matches!(item.kind, ItemKind::Number(..))
        })
    }

    /// A verb that is denied: of groups, that none of their rows is so.
    pub(super) fn never(&mut self, at: usize) -> bool {
        let korean = self.items[at].korean;
        let verb = |place: usize| {
            self.items.get(place).is_some_and(|item| {
                item.any_op(&[Op::Happens, Op::Present]).is_some() || item.kind == ItemKind::Unknown
            })
        };
        // 나지 않은: the verb goes before.
        let place = if korean && self.items[at].text.starts_with(['않', '못']) {
            at.checked_sub(1).filter(|place| verb(*place))
        } else {
            Some(at + 1).filter(|place| verb(*place))
        };
        let Some(place) = place else { return false };
        let near = if korean {
            self.before(at.min(place))
        } else {
            (place + 1..place + 4).find(|place| self.items.get(*place).is_some_and(|item| !item.is_empty()))
        };
        let Some(mut target) = near else { return false };
        if let ItemKind::Number(..) = self.items[target].kind
            && let Some(noun) = self.before(target)
            && korean
        {
            self.use_item(target);
            target = noun;
        }
        // 사용자가 안 붙은 로그: rows that lack it.
        let rows_follow = korean
            && self
                .column_at(target)
                .is_some_and(|column| self.described(&column).is_some_and(|known| known.nullable))
            && (self.is_table(at.max(place) + 1) || self.is_value(at.max(place) + 1));
        if (self.conditions_at(target).is_some() || self.is_table(target) || rows_follow)
            && self.lacks(target)
        {
            self.use_item(at);
            self.use_item(place);
            self.use_item(target);
            return true;
        }
        false
    }

    pub(super) fn before_word(&self, at: usize) -> bool {
        (0..at).rev().take(2).any(|place| self.items[place].any_op(&[Op::Word, Op::Contains]).is_some())
    }

    pub(super) fn lacks(&mut self, target: usize) -> bool {
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

    pub(super) fn shows(&mut self, target: usize) -> bool {
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
    pub(super) fn has(&mut self, at: usize) {
        let Some(target) = self.next(at) else { return };
        let followed = Some(target + 1).filter(|next| *next < self.items.len()).is_some_and(|next| {
            self.is_value(next)
                || matches!(
                    self.items[next].kind,
                    ItemKind::Number(..) | ItemKind::Name(_) | ItemKind::Text(_)
                )
                || self.items[next].op(Op::Contains)
        });
        let column = self.column_at(target).filter(|column| {
            self.described(column).is_some_and(|column| column.nullable && !column.is_number())
        });
        if let (Some(column), false, false) = (column, followed, self.is_value(target))
            && self.draft.rank.is_none()
            && self.items[at + 1..target]
                .iter()
                .all(|item| item.any_op(&[Op::Most, Op::Least, Op::Top]).is_none())
        {
            self.draft.filter(target, Filter::new(column, Test::Present));
            self.use_item(at);
            self.use_item(target);
        }
    }
}
