//! What a question to the advisor takes without a model, as the product runs it: its embedded tools, the laws in an index
//! on disk, its memory and every step in an SQLite file.
//!
//! `cargo xtask bench advisor` builds and runs it on the conversations of the tests. Beside it, the same with nothing but
//! memory: what is left is the advisor itself.

#![allow(clippy::unwrap_used, reason = "a measurement that can't go on has failed")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use duru::memory::Memory;
use duru::store::{Checkpoints, Memories, MemoryStore};
use duru::{App, Outcome};
use duru_agents::advisor::memory::Notebook;
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::{Advice, Inquiry, Toolbox, Variant, graph};
use duru_llm::WordsOnly;
use duru_llm::decision::Decider;
use duru_search::index::{EmbeddedIndex, Index};
use duru_search::ingest::Library;
use duru_search::retrieve::Searcher;
use duru_search::sample;
use duru_search::text::Thesaurus;
use duru_store::SqliteStore;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Conversation {
    id: String,
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    ask: String,
    after_minutes: i64,
}

/// How long a question took, and what it was about.
struct Took {
    intent: String,
    ask: String,
    time: Duration,
}

#[tokio::main]
async fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let conversations: Vec<Conversation> = files
        .iter()
        .flat_map(|file| {
            serde_json::from_str::<Vec<Conversation>>(&std::fs::read_to_string(file).unwrap()).unwrap()
        })
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let laws = laws(&folder.path().join("documents")).await;
    let file = Arc::new(SqliteStore::open(folder.path().join("threads.db")).unwrap());
    let on_disk = advisor(laws.clone(), Arc::clone(&file) as _, Arc::clone(&file) as _);
    let (before, spent) = (file.transactions(), cpu_ms());
    let disk = measure(&on_disk, &conversations).await;
    let spent = cpu_ms().zip(spent).map(|(now, then)| (now - then) / (disk.len() + WARM) as f64);
    let transactions = file.transactions() - before;
    let store = Arc::new(MemoryStore::new());
    let in_memory = advisor(laws, Arc::clone(&store) as _, store as _);
    let memory = measure(&in_memory, &conversations).await;
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let slowest = disk.iter().max_by_key(|took| took.time).map(|took| took.ask.as_str());
    println!(
        "{}",
        json!({
            "profile": profile, "conversations": conversations.len(),
            "on_disk": figures(times(&disk)), "in_memory": figures(times(&memory)), "by_intent": by_intent(&disk), "slowest": slowest,
            "cpu_ms_per_question": spent,
            "transactions_per_question": transactions as f64 / (disk.len() + WARM) as f64,
        })
    );
}

/// The samples that the product begins with.
async fn laws(folder: &Path) -> Searcher {
    let thesaurus = Arc::new(Thesaurus::built_in());
    let embedder = Arc::new(WordsOnly);
    let index: Arc<dyn Index> =
        Arc::new(EmbeddedIndex::open(folder, "hashed", thesaurus.lexicon().clone()).unwrap());
    Library::new(Arc::clone(&index), Arc::clone(&embedder) as _)
        .ingest_texts(&sample::texts())
        .await
        .unwrap();
    Searcher::new(index, embedder, thesaurus)
}

fn advisor(laws: Searcher, store: Arc<dyn Checkpoints>, memories: Arc<dyn Memories>) -> App<Advice, Inquiry> {
    let mut sources = Sources::built_in(start().to_zoned(jiff::tz::TimeZone::UTC).date());
    sources.laws = Some(laws);
    let notebook = Notebook::new(Memory::new(memories));
    let toolbox = Toolbox::new(&sources).with_memory(Arc::new(notebook)).for_one("local");
    graph(toolbox).unwrap().provide(Decider::by_rules()).on(store)
}

fn start() -> Timestamp {
    "2026-05-13T10:00:00+09:00".parse().unwrap()
}

/// The first questions compile patterns; they do not count.
const WARM: usize = 10;

/// Has every conversation once, one a day, all by one person, whose memory grows with them.
async fn measure(advisor: &App<Advice, Inquiry>, conversations: &[Conversation]) -> Vec<Took> {
    let mut all = Vec::new();
    for (day, conversation) in conversations.iter().enumerate() {
        let mut now = start() + SignedDuration::from_hours(24 * i64::try_from(day).unwrap());
        for turn in &conversation.turns {
            now += SignedDuration::from_mins(turn.after_minutes);
            let inquiry = Inquiry {
                now: Some(now.to_string()),
                variant: Some(Variant::B),
                ..Inquiry::question(turn.ask.as_str())
            };
            let thread = advisor.thread(conversation.id.as_str()).unwrap();
            let began = Instant::now();
            let outcome = thread.invoke(inquiry).await.unwrap();
            let time = began.elapsed();
            let Outcome::Done(end) = outcome else { panic!("{}: not done", turn.ask) };
            let intent = serde_json::to_value(end.planning.intent).unwrap();
            let intent = intent.as_str().unwrap_or_default().to_owned();
            all.push(Took { intent, ask: turn.ask.clone(), time });
        }
    }
    all.split_off(WARM.min(all.len()))
}

/// What this process has computed so far; only Linux tells.
fn cpu_ms() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which may hold anything: the 12th and the 13th field, in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) * 10.0)
}

fn times(took: &[Took]) -> impl Iterator<Item = Duration> {
    took.iter().map(|took| took.time)
}

fn figures(times: impl Iterator<Item = Duration>) -> Value {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    let at = |share: f64| {
        let place = (times.len().saturating_sub(1)) as f64 * share;
        times.get(place as usize).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    json!({ "questions": times.len(), "p50_ms": at(0.5), "p99_ms": at(0.99), "longest_ms": at(1.0) })
}

fn by_intent(took: &[Took]) -> BTreeMap<&str, Value> {
    let mut groups: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for one in took {
        groups.entry(&one.intent).or_default().push(one.time);
    }
    groups.into_iter().map(|(intent, times)| (intent, figures(times.into_iter()))).collect()
}
