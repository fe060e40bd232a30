//! In which order a search gives what it has found: the same on every backend.
//!
//! The score of an item is the share of the text's terms that it has, where a
//! term that few items have weighs more: one that `n` items within the
//! namespace have (those that are expired don't count, those that the filter
//! keeps back do) weighs `1 / (1 + ln n)`, one that no item has weighs 1.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::vec;

use super::text::MAX_QUERY_TERMS;
use super::{Filter, Hit, Item, Namespace, Search};

/// An item that a search may give.
#[derive(Debug, Clone)]
pub struct Candidate<I> {
    /// By which its backend finds it again.
    pub id: I,
    /// Where it is.
    pub namespace: Namespace,
    /// Its key.
    pub key: String,
    /// When it was last put.
    pub updated_ms: u64,
    /// Which of the search's terms it has: the n-th bit for the n-th term.
    pub terms: u64,
}

// A term more would have no bit.
const _: () = assert!(MAX_QUERY_TERMS == u64::BITS as usize);

/// A search on its way from candidates to hits. Values are read in order, and
/// only until the page is full.
pub struct Page<I> {
    ranked: vec::IntoIter<(I, Option<f64>)>,
    filter: Filter,
    skip: usize,
    limit: usize,
    /// The scores of the items that were asked for.
    asked: VecDeque<Option<f64>>,
    hits: Vec<Hit>,
}

impl<I> Page<I> {
    /// Puts the candidates in order: all live items within the namespace that
    /// have a term of the text, or just all if there is no text.
    pub fn new(search: Search, mut candidates: Vec<Candidate<I>>) -> Self {
        let weights = search.terms().map(|terms| weights(terms.len(), &candidates));
        let score = |terms: u64| weights.as_deref().map(|weights| score(weights, terms));
        let mut scored: Vec<_> = candidates.drain(..).map(|c| (score(c.terms), c)).collect();
        scored.sort_by(|(a_score, a), (b_score, b)| {
            let by_score = b_score.unwrap_or(0.0).total_cmp(&a_score.unwrap_or(0.0));
            let key = |c: &Candidate<I>| Reverse(c.updated_ms);
            by_score
                .then_with(|| key(a).cmp(&key(b)))
                .then_with(|| (&a.namespace, &a.key).cmp(&(&b.namespace, &b.key)))
        });
        let mut skip = search.offset;
        if search.filter.is_empty() {
            // What is skipped need not be read.
            scored.drain(..skip.min(scored.len()));
            skip = 0;
        }
        let ranked: Vec<_> = scored.into_iter().map(|(score, candidate)| (candidate.id, score)).collect();
        Self {
            ranked: ranked.into_iter(),
            filter: search.filter,
            skip,
            limit: search.limit,
            asked: VecDeque::new(),
            hits: Vec::new(),
        }
    }

    /// The next items to read and to [`offer`](Self::offer), `most` at once;
    /// none when the page is full.
    pub fn wanted(&mut self, most: usize) -> Vec<I> {
        let room = self.limit - self.hits.len();
        // Only a filter can make more necessary than there is room for.
        let count = if self.filter.is_empty() || room == 0 { most.min(room) } else { most };
        let (ids, scores): (Vec<I>, Vec<Option<f64>>) = self.ranked.by_ref().take(count).unzip();
        self.asked.extend(scores);
        ids
    }

    /// The items that were wanted, one after the other; none for one that is
    /// gone by now.
    pub fn offer(&mut self, item: Option<Item>) {
        let score = self.asked.pop_front().flatten();
        let Some(item) = item.filter(|item| self.filter.passes(&item.value)) else { return };
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.hits.len() < self.limit {
            self.hits.push(Hit { item, score });
        }
    }

    /// What was found.
    pub fn into_hits(self) -> Vec<Hit> {
        self.hits
    }
}

fn weights<I>(terms: usize, candidates: &[Candidate<I>]) -> Vec<f64> {
    let mut counts = vec![0_u32; terms];
    for candidate in candidates {
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += u32::from(candidate.terms >> bit & 1 == 1);
        }
    }
    counts.into_iter().map(|count| 1.0 / (1.0 + f64::from(count.max(1)).ln())).collect()
}

fn score(weights: &[f64], terms: u64) -> f64 {
    let found = weights.iter().enumerate().filter(|(bit, _)| terms >> bit & 1 == 1);
    found.map(|(_, weight)| weight).sum::<f64>() / weights.iter().sum::<f64>()
}
