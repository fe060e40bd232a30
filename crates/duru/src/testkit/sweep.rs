//! The crash sweep: kill a run at every place where it can be killed, let
//! another process go on, and compare with the run that nothing disturbed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::cases::{CASES, Case, Trip, TripUpdate};
use super::crash::{CrashStore, Death};
use super::ledger::{Applied, Ledger};
use crate::failpoint;
use crate::store::{Checkpoints, Kind, RowQuery};
use crate::{App, Error, Event, Mode, Namespace, Run, ThreadId};

/// The failpoints of the engine. A sweep that never hits one of them is no sweep.
pub const ENGINE_FAILPOINTS: &[&str] = &[
    "run.claim",
    "node.start",
    "node.end",
    "writes.flush",
    "checkpoint.insert",
    "commit.sent",
    "commit.acked",
    "events.published",
    "run.close",
];

/// How a thread ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// The final state.
    pub values: Map<String, Value>,
    /// How often each effect was applied.
    pub applied: BTreeMap<String, usize>,
}

/// An event that a reader saw, in a form that a dead process leaves behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Its number.
    pub seq: u64,
    /// Everything else.
    pub text: String,
}

impl Shown {
    /// Of an event.
    pub fn of(event: &Event) -> Self {
        Self { seq: event.seq, text: format!("{event:?}") }
    }

    /// As a line of a file.
    pub fn to_line(&self) -> String {
        format!("{} {}\n", self.seq, self.text)
    }

    /// Of a line of a file; none if the process died while it wrote it.
    pub fn from_line(line: &str) -> Option<Self> {
        let (seq, text) = line.strip_suffix('\n')?.split_once(' ')?;
        Some(Self { seq: seq.parse().ok()?, text: text.to_owned() })
    }
}

/// What a sweep saw.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// How many runs were killed.
    pub deaths: usize,
    /// Failpoints that were passed.
    pub hit: BTreeSet<String>,
    /// Everything that was not as in the undisturbed run.
    pub wrong: Vec<String>,
}

impl Report {
    /// Adds another report.
    pub fn add(&mut self, other: Self) {
        self.deaths += other.deaths;
        self.hit.extend(other.hit);
        self.wrong.extend(other.wrong);
    }
}

/// The case of a name.
pub fn case(name: &str) -> Option<&'static Case> {
    CASES.iter().find(|case| case.name == name)
}

/// A case's graph on a store, with a world to act on.
pub fn app(case: &Case, store: Arc<dyn Checkpoints>, ledger: &Ledger) -> App<Trip> {
    (case.build)().provide(ledger.clone()).on(store)
}

/// Takes a thread to its end from wherever it stands: begins it, goes on with
/// it, or answers what it asks, one question at a time. Tells `show` of every
/// event that a reader sees on the way.
pub async fn finish(app: &App<Trip>, show: &mut (dyn FnMut(&Event) + Send)) -> Result<(), Error> {
    let thread = app.thread("trip")?;
    // Far more than any case needs: a run that never ends is a defect too.
    for _ in 0..50 {
        // A commit that a dead process had under way may still arrive: asking for the head waits for it.
        app.store().head(thread.id()).await?;
        let state = thread.state().await?;
        let run = if state.checkpoint.is_none() {
            thread.invoke(TripUpdate::new().at("home"))
        } else if let Some(question) = state.questions().first() {
            thread.answer([(question.id, answer(question.value.get()))])
        } else if state.tasks.is_empty() {
            return Ok(());
        } else {
            thread.go_on()
        };
        watch(run, show).await?;
    }
    Err(Error::NothingToResume { thread: thread.id().clone(), reason: "it never ends".into() })
}

async fn watch(run: Run<Arc<Trip>>, show: &mut (dyn FnMut(&Event) + Send)) -> Result<(), Error> {
    let mut stream = run.stream(Mode::ALL).await?;
    while let Some(event) = stream.next().await? {
        show(&event);
    }
    stream.outcome().await.map(drop)
}

fn answer(question: &str) -> Value {
    match question {
        "\"go on?\"" => true.into(),
        "\"who?\"" => "kim".into(),
        _ => 3.into(),
    }
}

/// How the thread stands, after it was taken to its end. What was shown to
/// readers before must still be there, number by number.
pub async fn ending(
    store: Arc<dyn Checkpoints>,
    case: &Case,
    ledger: &Ledger,
    shown: &[Shown],
) -> Result<Ending, String> {
    let app = app(case, Arc::clone(&store), ledger);
    finish(&app, &mut |_| {}).await.map_err(|error| format!("it could not be finished: {error}"))?;
    let thread = app.thread("trip").map_err(|error| error.to_string())?;
    let state = thread.state().await.map_err(|error| error.to_string())?;
    chain_of_checkpoints(&*store, thread.id()).await?;
    let mut reader = thread.events(0, Mode::ALL).await.map_err(|error| error.to_string())?;
    let mut all = Vec::new();
    while let Some(event) = reader.next_ready().await.map_err(|error| error.to_string())? {
        all.push(event);
    }
    for shown in shown {
        let kept = usize::try_from(shown.seq).ok().and_then(|seq| all.get(seq)).map(Shown::of);
        if kept.as_ref() != Some(shown) {
            return Err(format!("event {} was shown and is lost: {}, now {kept:?}", shown.seq, shown.text));
        }
    }
    let Applied { applied, .. } = ledger.applied().map_err(|error| error.to_string())?;
    Ok(Ending { values: state.values, applied })
}

/// Every checkpoint extends the one before it: nobody forked the thread. And
/// the log has no gap.
async fn chain_of_checkpoints(store: &dyn Checkpoints, thread: &ThreadId) -> Result<(), String> {
    let rows = store.rows(thread, RowQuery::default()).await.map_err(|error| error.to_string())?;
    let mut next = 0;
    let mut heads: BTreeMap<Namespace, String> = BTreeMap::new();
    for row in rows {
        if row.seq != next {
            return Err(format!("row {} should be {next}: the log has a gap", row.seq));
        }
        next = row.end();
        row.verify(thread).map_err(|error| error.to_string())?;
        if row.kind == Kind::Checkpoint {
            let record: Value = serde_json::from_slice(&row.payload).map_err(|error| error.to_string())?;
            let parent = record["parent"].as_str().map(str::to_owned);
            let id = record["id"].as_str().unwrap_or_default().to_owned();
            if heads.insert(row.ns.clone(), id) != parent {
                return Err(format!("row {}: checkpoint forks the thread", row.seq));
            }
        }
    }
    Ok(())
}

/// Kills every case at every call to its store, before and after the call.
pub async fn over_store_calls<F: AsyncFn() -> Arc<dyn Checkpoints>>(make: F) -> Report {
    let mut report = Report::default();
    for case in CASES {
        let expected = undisturbed(case, make().await).await;
        for death in [Death::Before, Death::After] {
            for nth in 1.. {
                let store = make().await;
                let ledger = Ledger::in_memory();
                let dying = Arc::new(CrashStore::new(Arc::clone(&store), nth, death));
                let mut shown = Vec::new();
                let dead = app(case, Arc::clone(&dying) as Arc<dyn Checkpoints>, &ledger);
                let crashed = finish(&dead, &mut |event| shown.push(Shown::of(event))).await;
                drop(dead);
                if !dying.died() {
                    break;
                }
                report.deaths += 1;
                let place = format!("{} killed {death:?} store call {nth} ({crashed:?})", case.name);
                compare(&mut report, place, &expected, ending(store, case, &ledger, &shown).await);
            }
        }
    }
    report
}

/// Kills every case at every hit of every failpoint, in this process.
pub async fn over_failpoints<F: AsyncFn() -> Arc<dyn Checkpoints>>(make: F) -> Report {
    let mut report = Report::default();
    for case in CASES {
        failpoint::disarm();
        let expected = undisturbed(case, make().await).await;
        let hits = failpoint::hits();
        report.hit.extend(hits.keys().map(|name| (*name).to_owned()));
        for (name, count) in hits {
            for nth in 1..=count {
                let store = make().await;
                let ledger = Ledger::in_memory();
                failpoint::arm(name, nth);
                let mut shown = Vec::new();
                let dead = app(case, Arc::clone(&store), &ledger);
                let crashed = finish(&dead, &mut |event| shown.push(Shown::of(event))).await;
                drop(dead);
                failpoint::disarm();
                report.deaths += 1;
                let place = format!("{} killed at {name}:{nth} ({crashed:?})", case.name);
                compare(&mut report, place, &expected, ending(store, case, &ledger, &shown).await);
            }
        }
    }
    failpoint::disarm();
    report
}

/// How a case ends when nothing disturbs it.
pub async fn undisturbed(case: &Case, store: Arc<dyn Checkpoints>) -> Result<Ending, String> {
    ending(store, case, &Ledger::in_memory(), &[]).await
}

/// Notes what is not as it should be.
pub fn compare(
    report: &mut Report,
    place: String,
    expected: &Result<Ending, String>,
    found: Result<Ending, String>,
) {
    match (expected, found) {
        (Ok(expected), Ok(found)) if *expected == found => {}
        (Ok(expected), found) => {
            report.wrong.push(format!("{place}:\n  expected {expected:?}\n  found    {found:?}"))
        }
        (Err(error), _) => report.wrong.push(format!("{place}: the undisturbed run failed: {error}")),
    }
}
