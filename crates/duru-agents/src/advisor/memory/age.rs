//! How what is remembered grows old. Pure: times arrive as arguments.

use jiff::{SignedDuration, Timestamp};

use super::digest;
use super::exchange::{Body, Remembered};
use super::fact::{Fact, FactKind};
use super::heard::distil;

/// How long, and how many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ages {
    /// Exchanges are kept in full for so long, at most so many.
    pub recent: (SignedDuration, usize),
    /// Then as summaries.
    pub summaries: (SignedDuration, usize),
    /// At most so many facts: those heard last and most often.
    pub facts: usize,
    /// From this weight on, twice as long.
    pub heavy: usize,
}

impl Default for Ages {
    fn default() -> Self {
        let days = |days: i64| SignedDuration::from_hours(24 * days);
        Self { recent: (days(7), 10), summaries: (days(90), 60), facts: 50, heavy: 4 }
    }
}

/// What must be put and what forgotten.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) put: Vec<Remembered>,
    pub(super) forget: Vec<String>,
}

impl Ages {
    /// All that is remembered, as it should be now, newest first, and what that
    /// changes. Done twice it changes nothing the second time.
    pub(super) fn settle(&self, all: Vec<Remembered>, now: Timestamp) -> (Vec<Remembered>, Changes) {
        let mut changes = Changes::default();
        let (mut exchanges, mut summaries, mut facts) = (Vec::new(), Vec::new(), Vec::new());
        for one in all {
            match &one.body {
                Body::Exchange(_) => exchanges.push(one),
                Body::Summary(_) => summaries.push(one),
                Body::Fact(_) => facts.push(one),
            }
        }
        newest_first(&mut exchanges);
        let old = self.past(self.recent, &exchanges, now);
        let mut kept = Vec::new();
        for (one, old) in exchanges.into_iter().zip(old) {
            let summary = match &one.body {
                Body::Exchange(exchange) if old => digest::summarise(exchange),
                _ => {
                    kept.push(one);
                    continue;
                }
            };
            let one = Remembered { id: one.id, body: Body::Summary(summary) };
            changes.put.push(one.clone());
            summaries.push(one);
        }
        newest_first(&mut summaries);
        let old = self.past(self.summaries, &summaries, now);
        for (one, old) in summaries.into_iter().zip(old) {
            match &one.body {
                Body::Summary(summary) if old => {
                    // Facts are kept at once; what an older version wrote down is made into facts here.
                    let made = if summary.distilled { Vec::new() } else { distil(summary, &one.id) };
                    for fact in made {
                        hear(&mut facts, fact, &mut changes);
                    }
                    changes.put.retain(|put| put.id != one.id);
                    changes.forget.push(one.id);
                }
                _ => kept.push(one),
            }
        }
        kept.extend(self.fewer(facts, &mut changes));
        (kept, changes)
    }

    /// Which of them, newest first, are past their time.
    fn past(
        &self,
        (longest, most): (SignedDuration, usize),
        all: &[Remembered],
        now: Timestamp,
    ) -> Vec<bool> {
        let heavy = |one: &Remembered| {
            let (terms, regions) = match &one.body {
                Body::Exchange(exchange) => (&exchange.terms, &exchange.regions),
                Body::Summary(summary) => (&summary.terms, &summary.regions),
                Body::Fact(_) => return false,
            };
            digest::weight(terms, regions) >= self.heavy
        };
        all.iter()
            .enumerate()
            .map(|(place, one)| {
                let factor = if heavy(one) { 2 } else { 1 };
                place >= most * factor as usize || now.duration_since(one.at()) > longest * factor
            })
            .collect()
    }

    /// The facts that are worth keeping, what was asked for first.
    fn fewer(&self, mut facts: Vec<Remembered>, changes: &mut Changes) -> Vec<Remembered> {
        let rank = |one: &Remembered| match &one.body {
            Body::Fact(fact) => (fact.kind == FactKind::Said || fact.kind.is_figure(), fact.last, fact.seen),
            _ => (false, one.at(), 0),
        };
        facts.sort_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| a.id.cmp(&b.id)));
        for gone in facts.drain(facts.len().min(self.facts)..) {
            changes.put.retain(|put| put.id != gone.id);
            changes.forget.push(gone.id);
        }
        facts
    }
}

/// Adds a fact, to the one that is the same where there is one.
pub(super) fn hear(all: &mut Vec<Remembered>, fact: Fact, changes: &mut Changes) {
    let id = id_of(&fact);
    let known = all.iter().position(|one| one.id == id).map(|place| all.swap_remove(place).body);
    let fact = match known {
        Some(Body::Fact(mut known)) => {
            known.hear(fact);
            known
        }
        _ => fact,
    };
    let one = Remembered { id, body: Body::Fact(fact) };
    changes.put.retain(|put| put.id != one.id);
    changes.put.push(one.clone());
    all.push(one);
}

/// The same fact has the same id, so that hearing it twice keeps it once.
pub(super) fn id_of(fact: &Fact) -> String {
    let (kind, value) = fact.key();
    let text = format!("{kind:?}\u{1f}{}", value.unwrap_or_default());
    format!("fact-{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
}

fn newest_first(all: &mut [Remembered]) {
    all.sort_by(|a, b| b.at().cmp(&a.at()).then_with(|| b.id.cmp(&a.id)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::memory::Exchange;

    fn start() -> Timestamp {
        "2026-05-13T10:00:00+09:00".parse().unwrap()
    }

    fn after(days: i64) -> Timestamp {
        start() + SignedDuration::from_hours(24 * days)
    }

    fn one(id: &str, days: i64, asked: &str) -> Remembered {
        let exchange = Exchange::new("t", after(days), asked, "중앙값 5억");
        Remembered { id: id.to_owned(), body: Body::Exchange(exchange) }
    }

    fn forms(all: &[Remembered]) -> String {
        let letter = |one: &Remembered| match one.body {
            Body::Exchange(_) => 'e',
            Body::Summary(_) => 's',
            Body::Fact(_) => 'f',
        };
        all.iter().map(letter).collect()
    }

    #[test]
    fn an_exchange_becomes_a_summary_and_then_facts() {
        let ages = Ages::default();
        let all = vec![one("1", 0, "노원구 시세?")];
        let (all, changes) = ages.settle(all, after(7));
        assert!(changes.put.is_empty() && forms(&all) == "e");
        let (all, changes) = ages.settle(all, after(8));
        assert_eq!((forms(&all).as_str(), changes.put.len(), changes.forget.len()), ("s", 1, 0));
        let (all, changes) = ages.settle(all, after(91));
        assert_eq!((forms(&all).as_str(), changes.put.len(), changes.forget.len()), ("f", 1, 1));
        assert_eq!(all[0].text(duru_sql::guard::Lang::Ko), "관심 지역: 서울 노원구");
        let (_, changes) = ages.settle(all, after(500));
        assert!(changes.put.is_empty() && changes.forget.is_empty());
    }

    #[test]
    fn what_says_much_of_the_person_stays_longer() {
        let ages = Ages::default();
        let heavy = one("1", 0, "연봉 6천 신혼부부인데 예산 5억으로 노원구 아파트 찾아줘");
        let light = one("2", 0, "노원구 시세?");
        let (all, _) = ages.settle(vec![heavy, light], after(10));
        assert_eq!(forms(&all), "es");
    }

    #[test]
    fn many_push_the_oldest_down_and_a_crash_in_between_counts_nothing_twice() {
        let ages = Ages { recent: (SignedDuration::from_hours(24 * 7), 2), ..Ages::default() };
        let ages = Ages { summaries: (ages.summaries.0, 1), ..ages };
        let all: Vec<Remembered> = (0..5).map(|n| one(&n.to_string(), 0, "노원구 전세 시세?")).collect();
        let (settled, changes) = ages.settle(all.clone(), after(1));
        assert_eq!(forms(&settled), "eesff");
        // The facts were put, the summaries not yet forgotten.
        let mut crashed = all;
        crashed.extend(changes.put.into_iter().filter(|put| matches!(put.body, Body::Fact(_))));
        let (again, _) = ages.settle(crashed, after(1));
        let seen = |all: &[Remembered]| {
            all.iter().find_map(|one| match &one.body {
                Body::Fact(fact) => Some(fact.seen),
                _ => None,
            })
        };
        assert_eq!((seen(&settled), seen(&again)), (Some(2), Some(2)));
    }

    #[test]
    fn the_newest_budget_holds_and_facts_are_bounded() {
        let ages = Ages {
            summaries: (SignedDuration::ZERO, 0),
            recent: (SignedDuration::ZERO, 0),
            facts: 3,
            heavy: 99,
        };
        let all = vec![one("1", 0, "예산 5억, 노원구 전세"), one("2", 3, "예산 7억, 마포구 매매 아파트")];
        let (all, _) = ages.settle(all, after(4));
        assert_eq!(forms(&all), "fff");
        assert_eq!(all[0].text(duru_sql::guard::Lang::En), "budget: ₩700,000,000");
    }
}
