//! Shares: which conditions are the part, and which the whole.

use duru_language::{Op, Sense, Unit};

use super::assemble::Unfit;
use super::draft::Placed;
use super::items::ItemKind;
use super::reading::Reading;
use crate::analyst::frame::{Dimension, Filter, Frame, Measure, Test};

impl Reading<'_> {
    /// Whether a share, a rate or percent are spoken of, and not a mere quotient.
    pub(super) fn asks_percent(&self) -> bool {
        self.items.iter().any(|item| {
            item.any_op(&[Op::Rate, Op::Share]).is_some()
                || item.senses.contains(&Sense::Unit(Unit::Percent))
                || matches!(item.kind, ItemKind::Number(_, Some(Unit::Percent)))
        })
    }

    /// Rates of a condition: which filters are the part, and which the whole.
    pub(super) fn rates(&mut self, frame: &mut Frame) -> Result<(), Unfit> {
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
        let several = frame.filters.iter().any(|filter| {
            matches!(&filter.test, Test::OneOf(values) if values.len() > 1)
                && self
                    .draft
                    .dimensions
                    .iter()
                    .any(|placed| placed.it.dimension == Dimension::Column(filter.column.clone()))
        });
        let each = (self.draft.each || self.draft.both)
            && frame
                .filters
                .iter()
                .any(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() > 1));
        if several || each {
            self.draft.share = true;
        }
        let among = self.items.iter().any(|item| item.op(Op::Among)) && self.draft.rate.is_some();
        if self.draft.share
            && !among
            && !(self.draft.dimensions.is_empty() && self.draft.columns.is_empty() && !each)
        {
            return Ok(());
        }
        self.draft.share = false;
        self.part_of_whole(frame, at)
    }

    /// The conditions that make the part, and the word that tells it from the whole.
    fn named_part(&self, at: usize) -> (Option<usize>, Vec<Filter>) {
        let among = self.items.iter().position(|item| item.op(Op::Among));
        let identify = self.table_of().and_then(|table| table.identify.clone());
        let time = self.table_of().and_then(|table| table.time.clone());
        let placed: Vec<Placed<Filter>> = self.draft.filters.clone();
        let eligible = |one: &&Placed<Filter>| Some(&one.it.column.name) != time.as_ref();
        // What percentage of A were B.
        let verb = (at != usize::MAX && !self.items[at].korean)
            .then(|| {
                self.items
                    .iter()
                    .skip(at)
                    .position(|item| {
                        item.senses.contains(&duru_language::Sense::Link(duru_language::Link::Is))
                            || item.op(Op::Happens)
                    })
                    .map(|place| place + at)
            })
            .flatten();
        // What percentage of A belonged to B.
        let deed = |item: &super::items::Item| {
            item.kind == ItemKind::Unknown && !item.korean && item.text.trim().ends_with("ed")
        };
        let verb = verb.or_else(|| {
            let english = at != usize::MAX && !self.items[at].korean;
            (at.min(self.items.len())..self.items.len()).find(|place| english && deed(&self.items[*place]))
        });
        let of = at != usize::MAX
            && (self.link_at(at + 1, duru_language::Link::Of) || self.items[at].text.ends_with("of"));
        // Of all A, what percentage is B.
        let whole_first = at != usize::MAX
            && !self.items[at].korean
            && (0..at.min(2)).any(|place| self.link_at(place, duru_language::Link::Of));
        let among = among.or(verb.filter(|_| of)).or(Some(at).filter(|_| whole_first && !of));
        let mut part: Vec<Filter> = match among {
            // A의 B 중 C; C among B.
            Some(among) => {
                let english = !self.items[among].korean && self.items[among].op(Op::Among);
                let side = |one: &&Placed<Filter>| if english { one.at < among } else { one.at > among };
                let mut found: Vec<Filter> =
                    placed.iter().filter(eligible).filter(side).map(|one| one.it.clone()).collect();
                if found.len() > 1 {
                    found.retain(|filter| Some(&filter.column.name) != identify.as_ref());
                }
                // What is added in a clause of its own is a condition on the whole.
                let clause = self.items.get(at).map(|item| item.clause);
                let own = |filter: &Filter| {
                    placed.iter().any(|one| one.it == *filter && Some(self.items[one.at].clause) == clause)
                };
                if found.iter().any(own) {
                    found.retain(own);
                }
                found
            }
            None => Vec::new(),
        };
        let of_each = among.is_some_and(|among| !self.items[among].korean)
            && (!self.draft.dimensions.is_empty() || !self.draft.columns.is_empty());
        if part.is_empty() && !of_each {
            let near = placed
                .iter()
                .filter(eligible)
                .filter(|one| Some(&one.it.column.name) != identify.as_ref() || placed.len() == 1);
            let before = near.clone().filter(|one| one.at < at).max_by_key(|one| one.at);
            part = before
                .or_else(|| near.clone().min_by_key(|one| one.at))
                .map(|one| one.it.clone())
                .into_iter()
                .collect();
        }
        (among, part)
    }

    pub(super) fn part_of_whole(&mut self, frame: &mut Frame, at: usize) -> Result<(), Unfit> {
        let (among, mut part) = self.named_part(at);
        if part.is_empty() {
            // 캐시 적중 비율: of those that say yes or no.
            let truth = self.draft.columns.iter().map(|placed| placed.it.clone()).find(|column| {
                self.described(column).is_some_and(|known| {
                    known.kind == duru_sql::Kind::Boolean
                        || !known.values.is_empty()
                            && known
                                .values
                                .iter()
                                .all(|value| matches!(value.value.as_str(), "true" | "false"))
                })
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
        let whose = among.and_then(|among| {
            self.draft.columns.iter().find(|column| column.at < among).map(|column| column.it.clone())
        });
        match whose {
            Some(column) => {
                self.draft.columns.retain(|known| known.it != column);
                frame.measures.push(Measure::RateOf(column, part));
            }
            None => frame.measures.push(Measure::Rate(part)),
        }
        Ok(())
    }
}
