//! The book and the log of decisions as the graph's memory.

use async_trait::async_trait;
use duru::memory::{Error, Memory, Search};
use duru_sql::guard::Lang;
use jiff::{SignedDuration, Timestamp};

use super::age::id_of;
use super::{Book, Exchange, Fact, FactSource, Forget, Held, secret};
use crate::advisor::ab::{self, Decision, Evidence, Made, Outcome, Place, Tracker};
use crate::advisor::draft::{Document, Shelf};
use crate::advisor::sufficiency::Tier;
use crate::advisor::understand::region::{Region, Relation};
use crate::advisor::understand::{Context, Newness, understand};
use crate::advisor::{Advice, KnownFact, Memories, PastSearch, Recall, RecallError, Variant};

/// So many characters of what is remembered go into a question.
const BUDGET: usize = 6_000;
/// So many earlier searches, the newest first.
const SEARCHES: usize = 6;
/// A longer run was not a run but a thread that waited.
const LONGEST: SignedDuration = SignedDuration::from_hours(1);

/// What the advisor remembers of people and of its own decisions, on a store.
pub struct Notebook {
    book: Book,
    tracker: Tracker,
    shelf: Shelf,
    memory: Memory,
}

impl Notebook {
    pub fn new(memory: Memory) -> Self {
        Self {
            book: Book::new(memory.clone()),
            tracker: Tracker::new(memory.clone()),
            shelf: Shelf::new(memory.clone()),
            memory,
        }
    }

    /// Forgets what is remembered of a person, the log of decisions about their
    /// questions with it, and with everything the documents that were made for
    /// them. How many memories and documents there were.
    pub async fn forget(&self, user: &str, what: Forget<'_>) -> Result<usize, Error> {
        let at = match what {
            Forget::All => None,
            Forget::One(id) => match self.book.get(user, id).await? {
                Some(one) => Some(one.at()),
                None => return Ok(0),
            },
        };
        self.tracker.forget(user, at).await?;
        let documents = match what {
            Forget::All => self.shelf.clear(user).await?,
            Forget::One(_) => 0,
        };
        Ok(documents + self.book.forget(user, what).await?)
    }

    /// Logs what was decided about reuse, and takes a wish to search again as
    /// evidence about the turn before.
    async fn track(&self, user: &str, thread: &str, done: &Advice) -> Result<(), Error> {
        let variant = match done.variant {
            Variant::A => ab::Variant::A,
            Variant::B => ab::Variant::B,
            Variant::Off => return Ok(()),
        };
        let Some(judged) = &done.sufficiency_result else { return Ok(()) };
        let turn = done.turn().saturating_sub(1);
        let asks_anew =
            done.force_search || understand(&done.query, &Context::default()).newness == Newness::Latest;
        if let Some(before) = turn.checked_sub(1).filter(|_| asks_anew) {
            self.tracker.learn(Place { user, thread, turn: before }, Evidence::AskedAgain).await?;
        }
        let searched = done.used.iter().any(|used| !used.found.items.is_empty());
        let later = done.verify_search_data || done.user_confirmed.is_some();
        let at = time(done);
        let since = Timestamp::now().duration_since(at);
        let own: f64 = done.used.iter().map(|used| used.seconds).sum();
        let plausible = since >= SignedDuration::ZERO && since <= LONGEST;
        let decision = Decision {
            timestamp: at,
            variant,
            query: secret::hidden(&done.query).into_owned(),
            supervisor_decision: judged.verdict,
            execute_node_decision: later.then_some(if searched { Made::Search } else { Made::Skip }),
            actual_result: Outcome::Unknown,
            execution_time: if plausible { since.as_secs_f64() } else { own },
        };
        self.tracker.log(Place { user, thread, turn }, decision).await
    }
}

#[async_trait]
impl Recall for Notebook {
    async fn recall(&self, user: &str, query: &str, now: Timestamp) -> Result<Memories, RecallError> {
        let recalled = self.book.recall(user, BUDGET, now).await.map_err(unavailable)?;
        let lines = |tier| -> Vec<String> {
            match tier {
                Tier::ShortTerm => {
                    recalled.recent.iter().map(|one| format!("{} → {}", one.asked, one.answered)).collect()
                }
                Tier::MidTerm => recalled.summaries.iter().map(|one| one.text.clone()).collect(),
                _ => recalled.facts.iter().map(|fact| fact.text(Lang::Ko)).collect(),
            }
        };
        // What was found about other places is of no use to this question, and all of it is carried through every step.
        let asked = understand(query, &Context::default()).regions();
        let near = |held: &Held| {
            let other = |place: &Region, known: &Region| place.relation(known) == Relation::Elsewhere;
            let about = &held.search.regions;
            about.is_empty()
                || asked.is_empty()
                || asked.iter().any(|place| about.iter().any(|known| !other(place, known)))
        };
        let searches = recalled.held().into_iter().filter(near).take(SEARCHES).filter_map(|held| {
            // What an older version kept and this one can't read is only not used again.
            let past: PastSearch = serde_json::from_value(held.data).ok()?;
            Some(PastSearch { tier: held.search.tier, ..past })
        });
        Ok(Memories {
            short_term: lines(Tier::ShortTerm),
            mid_term: lines(Tier::MidTerm),
            long_term: lines(Tier::LongTerm),
            searches: searches.collect(),
            facts: recalled.facts.iter().filter_map(known).collect(),
        })
    }

    async fn remember(&self, user: &str, thread: &str, done: &Advice) -> Result<(), RecallError> {
        let answer = done.final_response.as_ref().map(|answer| answer.text.as_str()).unwrap_or_default();
        let made = done.previous_search_results.iter().filter(|past| past.query == done.query);
        let held = made.map(|past| {
            let mut search = past.held();
            // The data say them all again.
            search.found.iter_mut().for_each(|found| found.items.clear());
            Held { search, data: serde_json::to_value(past).unwrap_or_default() }
        });
        // What stands in a contract that somebody brings is not what they say of themselves.
        let brings = done.question().brings_contract;
        let turn = done.turn();
        let entries = done.ledger.entries.iter().filter(|entry| entry.turn == turn && !brings).cloned();
        let exchange = Exchange::new(thread, time(done), done.query.as_str(), answer)
            .holding(held)
            .entered(turn, entries);
        self.book.remember(user, exchange).await.map_err(unavailable)?;
        self.track(user, thread, done).await.map_err(unavailable)
    }

    async fn keep(&self, user: &str, document: &Document) -> Result<(), RecallError> {
        self.shelf.put(user, document).await.map_err(unavailable)
    }

    async fn compared(&self, user: &str, thread: &str, turn: usize, same: bool) -> Result<(), RecallError> {
        let place = Place { user, thread, turn: turn.saturating_sub(1) };
        self.tracker.learn(place, Evidence::Shadow { same }).await.map(drop).map_err(unavailable)
    }

    async fn skipped(&self, thread: &str) -> Result<Vec<String>, RecallError> {
        let search = match Search::within(["todo_skip", thread]) {
            Ok(search) => search.limit(200),
            // A thread with such a name has no place to keep them in.
            Err(_) => return Ok(Vec::new()),
        };
        let hits = self.memory.search(search).await.map_err(unavailable)?;
        Ok(hits.into_iter().map(|hit| hit.item.key).collect())
    }
}

/// A fact as a question may use it.
fn known(fact: &Fact) -> Option<KnownFact> {
    Some(KnownFact {
        id: id_of(fact),
        what: fact.kind.what()?,
        value: fact.figure.clone()?,
        at: fact.last.to_string(),
        corrected: fact.source == Some(FactSource::Corrected),
    })
}

fn time(done: &Advice) -> Timestamp {
    done.now.parse().unwrap_or_else(|_| Timestamp::now())
}

fn unavailable(error: Error) -> RecallError {
    RecallError::Unavailable(error.to_string())
}
