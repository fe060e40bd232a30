//! A breakdown that is asked for beside the first of it: errors by service, and which service had the most?

use duru_language::{Ending, Link, Op, Particle, Sense};

use super::reading::Reading;
use crate::analyst::frame::{Dimension, Frame};

impl Reading<'_> {
    /// Errors by service, which had the most? The breakdown is a question of its own: it is wanted whole, and its first
    /// row answers the other one.
    pub(super) fn breaks_down_too(&self) -> bool {
        let Some(rank) = &self.draft.rank else { return false };
        let divides = |dimension: &Dimension| self.draft.divided.iter().any(|placed| placed.it == *dimension);
        // Of what else is asked (which user, by service), the first is wanted.
        let dimensions = &self.draft.dimensions;
        !self.draft.both_ends
            && !dimensions.is_empty()
            && dimensions.iter().all(|placed| divides(&placed.it.dimension))
            && self.draft.divided.iter().any(|placed| self.asks_apart(placed.at, rank.at))
    }

    /// No reader takes the first alone where the whole is asked for, too.
    pub(super) fn keep_whole(&self, frame: &mut Frame) {
        let ranked = frame.limit == Some(1) && !frame.dimensions.is_empty() && !frame.measures.is_empty();
        if ranked && self.draft.limit.is_none() && self.breaks_down_too() {
            frame.limit = None;
        }
    }

    /// Whether the words that divide stand in another question than those that rank.
    fn asks_apart(&self, divided: usize, ranked: usize) -> bool {
        let clause = self.items[divided].clause;
        if clause != self.items[ranked].clause {
            return self.says_what(clause, 0..self.items.len());
        }
        let joint = (divided + 1..ranked).find(|place| self.begins_anew(*place));
        joint.is_some_and(|joint| self.says_what(clause, 0..joint + 1))
    }

    /// Whether another question begins behind this word: by service *and* which, 건수*랑* 어디가, 보여*주고*.
    fn begins_anew(&self, at: usize) -> bool {
        let item = &self.items[at];
        let asks = self
            .items
            .get(at + 1)
            .is_some_and(|next| next.senses.iter().any(|sense| matches!(sense, Sense::Ask(_))));
        let joins = self.link_at(at, Link::And) || item.particle(Particle::With);
        joins && asks || item.op(Op::Show) && item.ending(Ending::Connective)
    }

    /// Whether it is said what is counted there, or that it is to be shown: 서비스별, 에러가 제일 많은 곳 is one thought, for
    /// its first part asks for nothing.
    fn says_what(&self, clause: usize, mut places: std::ops::Range<usize>) -> bool {
        let divides = |place: usize| {
            self.column_at(place).is_some_and(|column| {
                self.draft.divided.iter().any(|placed| placed.it == Dimension::Column(column.clone()))
            })
        };
        places.any(|place| {
            let item = &self.items[place];
            item.clause == clause
                && !divides(place)
                && (!item.mentions.is_empty() || item.any_op(&[Op::Count, Op::Rate, Op::Show]).is_some())
        })
    }
}
