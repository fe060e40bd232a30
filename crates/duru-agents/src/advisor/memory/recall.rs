//! What is remembered, as much of it as there is room for.

use duru_sql::guard::Lang;
use serde::{Deserialize, Serialize};

use super::digest;
use super::exchange::{Body, Exchange, Held, Remembered, Summary};
use super::fact::Fact;
use crate::advisor::sufficiency::Tier;

/// What is remembered of a person, the newest first, within a budget.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recalled {
    pub recent: Vec<Exchange>,
    pub summaries: Vec<Summary>,
    pub facts: Vec<Fact>,
    /// How many things there was no room for.
    pub left_out: usize,
}

impl Recalled {
    pub fn is_empty(&self) -> bool {
        self.recent.is_empty() && self.summaries.is_empty() && self.facts.is_empty()
    }

    /// What was found then, each with its tier, the newest first.
    pub fn held(&self) -> Vec<Held> {
        let of = |held: &[Held], tier| {
            let with = |one: &Held| {
                let mut one = one.clone();
                one.search.tier = tier;
                one
            };
            held.iter().map(with).collect::<Vec<_>>()
        };
        let recent = self.recent.iter().flat_map(|one| of(&one.held, Tier::ShortTerm));
        recent.chain(self.summaries.iter().flat_map(|one| of(&one.held, Tier::MidTerm))).collect()
    }

    /// As lines of text: what is known of the person, then what was said.
    pub fn text(&self, lang: Lang) -> String {
        let facts = self.facts.iter().map(|fact| fact.text(lang));
        let summaries = self.summaries.iter().map(|summary| summary.text.clone());
        let recent = self.recent.iter().map(line);
        facts.chain(summaries).chain(recent).collect::<Vec<_>>().join("\n")
    }

    /// Fills the budget, in characters of [`text`](Self::text) in the longer
    /// language: facts may take a quarter of it, summaries another, and recent
    /// exchanges all that is left. One that does not fit in full is tried as a
    /// summary.
    pub(super) fn within(budget: usize, all: Vec<Remembered>) -> Self {
        let mut recalled = Self::default();
        let (mut exchanges, mut summaries) = (Vec::new(), Vec::new());
        let mut left = Room { whole: budget, part: budget / 4 };
        for one in all {
            match one.body {
                Body::Fact(fact) => {
                    let size = size(&fact.text(Lang::Ko)).max(size(&fact.text(Lang::En)));
                    recalled.keep(left.take(size).then_some(fact), |all| &mut all.facts);
                }
                Body::Summary(summary) => summaries.push(summary),
                Body::Exchange(exchange) => exchanges.push(exchange),
            }
        }
        // What is kept for summaries is not taken by exchanges, if there are any.
        let kept = summaries.iter().map(|summary| size(&summary.text)).sum::<usize>().min(budget / 4);
        left.part = left.whole.saturating_sub(kept);
        for exchange in exchanges {
            if left.take(size(&line(&exchange))) {
                recalled.recent.push(exchange);
                continue;
            }
            let summary = digest::summarise(&exchange);
            let fits = left.take(size(&summary.text));
            recalled.keep(fits.then_some(summary), |all| &mut all.summaries);
        }
        left.part = left.whole;
        for summary in summaries {
            let fits = left.take(size(&summary.text));
            recalled.keep(fits.then_some(summary), |all| &mut all.summaries);
        }
        recalled
    }

    fn keep<T>(&mut self, one: Option<T>, list: impl Fn(&mut Self) -> &mut Vec<T>) {
        match one {
            Some(one) => list(self).push(one),
            None => self.left_out += 1,
        }
    }
}

fn line(exchange: &Exchange) -> String {
    format!("{} → {}", exchange.asked, exchange.answered)
}

/// A line and its end.
fn size(text: &str) -> usize {
    text.chars().count() + 1
}

struct Room {
    whole: usize,
    /// Of the whole, for what is being taken now.
    part: usize,
}

impl Room {
    fn take(&mut self, size: usize) -> bool {
        let fits = size <= self.part && size <= self.whole;
        if fits {
            self.part -= size;
            self.whole -= size;
        }
        fits
    }
}
