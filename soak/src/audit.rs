//! What a round left behind, compared with what was promised on the way and
//! with a run of the same seed that nothing disturbed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use anyhow::{Context, Result};
use duru::store::{Checkpoints, Kind, MemoryStore, Owner, Row, RowQuery, Seq};
use duru::testkit::ledger::Ledger;
use duru::testkit::sweep::Shown;
use duru::{Mode, ThreadId};
use tokio::task::JoinSet;

use crate::acks::{self, Ack};
use crate::audit_watch::Watched;
use crate::crew::Crew;
use crate::mortal::{MORTALS, Mortals, mortal_name};
use crate::place::{PATIENCE, Place};
use crate::round::Round;
use crate::scenario::Fault;
use crate::work::{Pace, Works, hash, name, turns};
use crate::worker::LEDGER;

/// What an audit found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    pub(crate) deaths: u64,
    /// Faults of the scenario's own kind.
    pub(crate) faults: u64,
    pub(crate) hit: BTreeMap<String, u64>,
    /// Acknowledged commits, and events that a reader saw.
    pub(crate) commits: u64,
    pub(crate) events: u64,
    pub(crate) steps: u64,
    pub(crate) turns: u64,
    pub(crate) lost: u64,
    pub(crate) duplicates: u64,
    /// Tries of an effect beyond the first, under its one key: these are allowed.
    pub(crate) retries: u64,
    pub(crate) forks: u64,
    pub(crate) gaps: u64,
    pub(crate) stuck: u64,
    /// Events that readers saw along the way; those that they did not see, saw
    /// twice, and saw as something else.
    pub(crate) watched: u64,
    pub(crate) skipped: u64,
    pub(crate) doubled: u64,
    pub(crate) misread: u64,
    /// What was deleted and is shown.
    pub(crate) back: u64,
    /// Everything else that is not as it should be: final states, errors, damage.
    pub(crate) wrong: u64,
    /// Why calls were put off, and how often.
    pub(crate) later: BTreeMap<String, u64>,
    /// From a restart to the first progress.
    pub(crate) recovered_ms: Vec<u64>,
    /// One line for everything that is counted as broken.
    pub(crate) told: Vec<String>,
}

impl Findings {
    pub(crate) fn is_broken(&self) -> bool {
        let seen = self.skipped + self.doubled + self.misread + self.back;
        self.lost + self.duplicates + self.forks + self.gaps + self.stuck + self.wrong + seen > 0
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.deaths += other.deaths;
        self.faults += other.faults;
        self.commits += other.commits;
        self.events += other.events;
        self.steps += other.steps;
        self.turns += other.turns;
        self.lost += other.lost;
        self.duplicates += other.duplicates;
        self.retries += other.retries;
        self.forks += other.forks;
        self.gaps += other.gaps;
        self.stuck += other.stuck;
        self.watched += other.watched;
        self.skipped += other.skipped;
        self.doubled += other.doubled;
        self.misread += other.misread;
        self.back += other.back;
        self.wrong += other.wrong;
        self.recovered_ms.extend(other.recovered_ms);
        self.told.extend(other.told);
        for (name, count) in other.hit {
            *self.hit.entry(name).or_default() += count;
        }
        for (why, count) in other.later {
            *self.later.entry(why).or_default() += count;
        }
    }

    /// Whether a fault fired and work was done; otherwise the round shows nothing.
    pub(crate) fn counts(&self) -> bool {
        self.faults > 0 && self.turns > 0
    }
}

/// What was promised about a thread.
#[derive(Default)]
struct Promised {
    version: u64,
    turns: u64,
    rows: Vec<(Seq, u64)>,
    events: Vec<(Seq, u64)>,
    watched: Vec<Watched>,
}

/// How many threads are looked at once.
const AUDITORS: usize = 4;

/// What the auditors share.
struct Desk {
    store: Arc<dyn Checkpoints>,
    works: Works,
    undisturbed: Works,
    promised: HashMap<String, Promised>,
}

pub(crate) async fn audit(round: &Round<'_>, crew: &Crew) -> Result<Findings> {
    let mut findings = Findings { deaths: crew.deaths, hit: crew.hit.clone(), ..Findings::default() };
    findings.wrong += crew.wrong.len() as u64;
    findings.told.extend(crew.wrong.iter().cloned());
    let promised = promises(crew, &mut findings)?;
    // A store that fails needs a reason, and only an absent database is one.
    if round.scenario.fault != Fault::Down {
        let failed: Vec<_> = findings.later.iter().filter(|(why, _)| why.starts_with("backend")).collect();
        findings.wrong += failed.iter().map(|(_, count)| **count).sum::<u64>();
        findings.told.extend(failed.iter().map(|(why, count)| format!("{count} times: {why}")));
    }

    let store = round.audit_at.open(PATIENCE).await?;
    let works = Works::new(round.seed, &store, &Ledger::in_memory(), Pace(Default::default()));
    let expected_ledger = Ledger::in_memory();
    let memory: Arc<dyn Checkpoints> = Arc::new(MemoryStore::new());
    let undisturbed = Works::new(round.seed, &memory, &expected_ledger, Pace(Default::default()));
    let desk = Arc::new(Desk { store, works, undisturbed, promised });
    let mut auditors = JoinSet::new();
    for first in 0..AUDITORS {
        let (desk, threads) = (Arc::clone(&desk), round.threads);
        auditors.spawn(async move {
            let mut findings = Findings::default();
            for index in (first..threads).step_by(AUDITORS) {
                let thread = format!("thread {}", name(index));
                match findings.thread(index, &desk).await {
                    // A forked thread is not read any further; its forks are counted by then.
                    Err(error) if is_damage(&error) => {
                        findings.wrong += 1;
                        findings.told.push(format!("{thread}: {error}"));
                    }
                    other => other.context(thread)?,
                }
            }
            anyhow::Ok(findings)
        });
    }
    let mortals = Mortals::new(&desk.store, &Owner::this_process());
    for index in 0..MORTALS {
        findings.mortal(index, &mortals, &*desk.store).await?;
    }
    while let Some(found) = auditors.join_next().await {
        findings.add(found.context("an auditor panicked")??);
    }
    findings.effects(&Ledger::in_file(round.folder.join(LEDGER)), &expected_ledger)?;
    drop(desk);
    if let Place::Sqlite(path) = &round.audit_at {
        let conn = rusqlite::Connection::open(path)?;
        let said: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        if said != "ok" {
            findings.wrong += 1;
            findings.told.push(format!("the database is damaged: {said}"));
        }
    }
    Ok(findings)
}

fn is_damage(error: &anyhow::Error) -> bool {
    use duru::store::Error::Corrupt;
    matches!(error.downcast_ref(), Some(duru::Error::Store(Corrupt { .. })))
        || matches!(error.downcast_ref(), Some(Corrupt { .. }))
}

/// What all workers wrote down, by thread.
fn promises(crew: &Crew, findings: &mut Findings) -> Result<HashMap<String, Promised>> {
    let mut promised: HashMap<String, Promised> = HashMap::new();
    let mut versions: HashMap<(String, u64, u64), Vec<(Seq, u64)>> = HashMap::new();
    for start in &crew.starts {
        let mut first = None;
        let mut readers: HashMap<u64, (String, Watched)> = HashMap::new();
        for ack in acks::read(&start.acks)? {
            match ack {
                Ack::Commit { at_ms, thread, incarnation, version, rows } => {
                    first.get_or_insert(at_ms);
                    findings.commits += 1;
                    let twice = versions.insert((thread.clone(), incarnation, version), rows.clone());
                    if twice.is_some() {
                        findings.forks += 1;
                        findings.told.push(format!("{thread}: version {version} was acknowledged twice"));
                    }
                    let promised = promised.entry(thread).or_default();
                    promised.version = promised.version.max(version);
                    promised.rows.extend(rows);
                }
                Ack::Event { thread, seq, hash } => {
                    findings.events += 1;
                    promised.entry(thread).or_default().events.push((seq, hash));
                }
                Ack::Watch { reader, thread, mode, from } => {
                    readers.insert(reader, (thread, Watched { mode, from, seen: Vec::new() }));
                }
                Ack::Seen { reader, seq, hash } => {
                    if let Some((_, watched)) = readers.get_mut(&reader) {
                        watched.seen.push((seq, hash));
                    }
                }
                Ack::Back { thread, text } => {
                    findings.back += 1;
                    findings.told.push(format!("{thread}: {text}"));
                }
                Ack::Done { thread, turns } => {
                    let promised = promised.entry(thread).or_default();
                    promised.turns = promised.turns.max(turns);
                }
                Ack::Later { why } => *findings.later.entry(why).or_default() += 1,
                Ack::Wrong { thread, text } => {
                    findings.wrong += 1;
                    findings.told.push(format!("{thread}: {text}"));
                }
            }
        }
        for (thread, watched) in readers.into_values() {
            promised.entry(thread).or_default().watched.push(watched);
        }
        if let (Some(first), true) = (first, start.recovers) {
            findings.recovered_ms.push(first.saturating_sub(start.at_ms));
        }
    }
    Ok(promised)
}

impl Findings {
    async fn thread(&mut self, index: usize, desk: &Desk) -> Result<()> {
        let thread = desk.works.thread(index)?;
        let id = thread.id();
        let (store, nothing) = (&desk.store, Promised::default());
        let promised = desk.promised.get(id.as_str()).unwrap_or(&nothing);
        let version = store.head(id).await?.map_or(0, |head| head.version);
        if version < promised.version {
            self.lost += promised.version - version;
            self.told.push(format!("{id}: version {} acknowledged, {version} found", promised.version));
        }
        let rows = store.rows(id, RowQuery::default()).await?;
        for row in &rows {
            if let Err(error) = row.verify(id) {
                self.wrong += 1;
                self.told.push(format!("{id}: {error}"));
            }
        }
        self.chain(id.as_str(), &rows);
        let sums: HashMap<Seq, u64> = rows.iter().map(|row| (row.seq, row.checksum)).collect();
        self.missing(id.as_str(), "row", &promised.rows, &sums);

        let mut reader = thread.events(0, Mode::ALL).await?;
        let (mut events, mut log) = (HashMap::new(), BTreeMap::new());
        while let Some(event) = reader.next_ready().await? {
            if event.seq != events.len() as u64 {
                self.gaps += 1;
                self.told.push(format!("{id}: event {} follows {} events", event.seq, events.len()));
            }
            events.insert(event.seq, hash(Shown::of(&event).text));
            log.insert(event.seq, (event.mode, hash(Shown::of(&event).text)));
        }
        self.missing(id.as_str(), "event", &promised.events, &events);
        for watched in &promised.watched {
            self.watched(id.as_str(), watched, &log);
        }

        let state = thread.state().await?;
        let done = turns(&state);
        self.turns += done;
        if done < promised.turns {
            self.lost += 1;
            self.told.push(format!("{id}: turn {} was done and is lost", promised.turns));
        }
        if !state.tasks.is_empty() {
            self.stuck += 1;
            self.told.push(format!("{id}: it never finished; next: {}", state.next().join(", ")));
            return Ok(());
        }
        let expected = desk.undisturbed.undisturbed(index, done).await?;
        if state.checkpoint.is_some() && state.values != expected.values {
            self.wrong += 1;
            self.told.push(format!("{id}: it ended as {:?}, not {:?}", state.values, expected.values));
        }
        Ok(())
    }

    /// A thread that was deleted and made again: what is there is whole, and its owner's alone.
    async fn mortal(&mut self, index: usize, mortals: &Mortals, store: &dyn Checkpoints) -> Result<()> {
        let name = mortal_name(index);
        match mortals.audit(index).await {
            Ok(None) => {}
            Ok(Some(text)) => {
                self.back += 1;
                self.told.push(format!("{name}: {text}"));
            }
            Err(error) => {
                self.wrong += 1;
                self.told.push(format!("{name}: {error}"));
            }
        }
        let rows = store.rows(&ThreadId::new(&name)?, RowQuery::default()).await?;
        self.chain(&name, &rows);
        Ok(())
    }

    /// Every checkpoint extends the one before it, and the log has no gap.
    pub(crate) fn chain(&mut self, id: &str, rows: &[Row]) {
        let mut next = 0;
        let mut heads = HashMap::new();
        for row in rows {
            if row.seq != next {
                self.gaps += 1;
                self.told.push(format!("{id}: row {} should be {next}", row.seq));
            }
            next = row.end();
            if row.kind == Kind::Checkpoint {
                self.steps += 1;
                let record: serde_json::Value = serde_json::from_slice(&row.payload).unwrap_or_default();
                let parent = record["parent"].as_str().map(str::to_owned);
                let id_of = record["id"].as_str().unwrap_or_default().to_owned();
                if heads.insert(row.ns.clone(), id_of) != parent {
                    self.forks += 1;
                    self.told.push(format!("{id}: the checkpoint in row {} forks the thread", row.seq));
                }
            }
        }
    }

    fn missing(&mut self, id: &str, what: &str, promised: &[(Seq, u64)], found: &HashMap<Seq, u64>) {
        for (seq, sum) in promised {
            if found.get(seq) != Some(sum) {
                self.lost += 1;
                let how = if found.contains_key(seq) { "is another now" } else { "is gone" };
                self.told.push(format!("{id}: {what} {seq} was acknowledged and {how}"));
            }
        }
    }

    /// Each effect was applied under one key, and just those that the work asks for.
    fn effects(&mut self, found: &Ledger, expected: &Ledger) -> Result<()> {
        let (found, expected) = (found.applied()?, expected.applied()?);
        for (effect, keys) in &found.applied {
            if *keys > 1 {
                self.duplicates += 1;
                self.told.push(format!("effect {effect} was applied {keys} times"));
            }
            self.retries += (found.attempts.get(effect).copied().unwrap_or(0) - keys) as u64;
        }
        // A thread that is stuck was not run again undisturbed; it is counted already.
        if self.stuck == 0 {
            let names = |of: &BTreeMap<String, usize>, not: &BTreeMap<String, usize>| {
                of.keys().filter(|name| !not.contains_key(*name)).cloned().collect::<Vec<_>>()
            };
            for effect in names(&expected.applied, &found.applied) {
                self.wrong += 1;
                self.told.push(format!("effect {effect} was never applied"));
            }
            for effect in names(&found.applied, &expected.applied) {
                self.wrong += 1;
                self.told.push(format!("effect {effect} was applied and nothing asked for it"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use duru::{Namespace, RunId};

    fn row(seq: Seq, kind: Kind, payload: &str) -> Row {
        Row {
            seq,
            events: 1,
            ns: Namespace::root(),
            kind,
            run: RunId::from_u128(1),
            checkpoint: None,
            source: None,
            at_ms: 0,
            format: duru::store::FORMAT,
            payload: payload.into(),
            checksum: 0,
        }
    }

    fn chain(rows: &[Row]) -> (u64, u64, u64) {
        let mut findings = Findings::default();
        findings.chain("t", rows);
        assert_eq!(findings.is_broken(), !findings.told.is_empty());
        (findings.steps, findings.forks, findings.gaps)
    }

    #[test]
    fn gaps_and_forks_are_seen() {
        let (a, b) = (r#"{"id":"a"}"#, r#"{"id":"b","parent":"a"}"#);
        let good = [row(0, Kind::Checkpoint, a), row(1, Kind::Task, "{}"), row(2, Kind::Checkpoint, b)];
        assert_eq!(chain(&good), (2, 0, 0));
        assert_eq!(chain(&[row(0, Kind::Checkpoint, a), row(2, Kind::Checkpoint, b)]), (2, 0, 1));
        let twice = [row(0, Kind::Checkpoint, a), row(1, Kind::Checkpoint, b), row(2, Kind::Checkpoint, b)];
        assert_eq!(chain(&twice), (3, 1, 0));
    }

    /// What an audit finds of a thread after one call, if it is compared with the work of another seed.
    async fn audited(index: usize, seed: u64) -> Findings {
        let works = |seed| {
            let store: Arc<dyn Checkpoints> = Arc::new(MemoryStore::new());
            (Works::new(seed, &store, &Ledger::in_memory(), Pace(Default::default())), store)
        };
        let ((works, store), (undisturbed, _)) = (works(1), works(seed));
        works.advance(index, true, &mut |_| {}).await.unwrap();
        let mut findings = Findings::default();
        let desk = Desk { store, works, undisturbed, promised: HashMap::new() };
        findings.thread(index, &desk).await.unwrap();
        findings
    }

    #[tokio::test]
    async fn a_thread_that_waits_for_ever_is_stuck() {
        assert!(!audited(0, 1).await.is_broken(), "a chain is done after one call");
        // Its fifth kind asks, and nobody answers.
        assert_eq!(audited(4, 1).await.stuck, 1);
    }

    #[tokio::test]
    async fn a_thread_that_ends_otherwise_is_wrong() {
        let other = (2..).find(|seed| hash((seed, 0_usize)) % 4 != hash((1_u64, 0_usize)) % 4).unwrap();
        assert_eq!(audited(0, other).await.wrong, 1);
    }

    #[test]
    fn what_was_acknowledged_must_be_there_as_it_was() {
        let mut findings = Findings::default();
        findings.missing("t", "row", &[(0, 7), (1, 8), (2, 9)], &HashMap::from([(0, 7), (1, 5)]));
        assert_eq!(findings.lost, 2);
    }

    #[test]
    fn a_second_key_is_a_second_act_and_a_second_try_is_not() {
        let (found, expected) = (Ledger::in_memory(), Ledger::in_memory());
        for (effect, key) in [("a", "1"), ("a", "1"), ("b", "2"), ("b", "3"), ("c", "4")] {
            found.apply(effect, key).unwrap();
        }
        for effect in ["a", "b", "d"] {
            expected.apply(effect, "1").unwrap();
        }
        let mut findings = Findings::default();
        findings.effects(&found, &expected).unwrap();
        // One that nobody asked for, and one that is missing.
        assert_eq!((findings.duplicates, findings.retries, findings.wrong), (1, 1, 2));
    }
}
