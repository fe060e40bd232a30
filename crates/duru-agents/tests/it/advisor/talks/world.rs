//! The conversations, and an advisor that counts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use duru::store::MemoryStore;
use duru::{App, Outcome};
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::tools::{Error, Fault, Faulty, Found, Parameters, Registry, Tool, Used};
use duru_agents::advisor::understand::DataKind;
use duru_agents::advisor::{Advice, Inquiry, Toolbox, Variant, graph};
use duru_llm::WordsOnly;
use duru_llm::decision::Decider;
use duru_search::index::{EmbeddedIndex, Index};
use duru_search::ingest::{Ingest, Library};
use duru_search::retrieve::Searcher;
use duru_search::text::Thesaurus;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct Conversation {
    pub(super) id: String,
    pub(super) turns: Vec<Turn>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Turn {
    pub(super) ask: String,
    after_minutes: i64,
    pub(super) reuse: Reuse,
    pub(super) searches: Vec<DataKind>,
    #[serde(default = "search_new")]
    person: String,
    facts: Vec<OneOf>,
}

fn search_new() -> String {
    "search_new".to_owned()
}

/// What may be done with earlier data; see the conversations' README.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reuse {
    First,
    None,
    Right,
    Part,
    Wrong,
    Ask,
    Check,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOf {
    Only(String),
    Any(Vec<String>),
}

pub(super) fn conversations() -> Vec<Conversation> {
    let files = [
        include_str!("../conversations/market.json"),
        include_str!("../conversations/law.json"),
        include_str!("../conversations/loan.json"),
        include_str!("../conversations/contract.json"),
        include_str!("../conversations/compound.json"),
        include_str!("../conversations/odd.json"),
        include_str!("../conversations/nearby.json"),
    ];
    files.iter().flat_map(|file| serde_json::from_str::<Vec<Conversation>>(file).unwrap()).collect()
}

/// A conversation of these questions, a minute apart.
pub(super) fn questions_of(questions: &[&str]) -> Conversation {
    let turn = |ask: &&str| Turn {
        ask: (*ask).to_owned(),
        after_minutes: 1,
        reuse: Reuse::First,
        searches: Vec::new(),
        person: search_new(),
        facts: Vec::new(),
    };
    Conversation { id: "own".to_owned(), turns: questions.iter().map(turn).collect() }
}

impl Turn {
    pub(super) fn facts(&self) -> usize {
        self.facts.len()
    }

    /// The facts that an answer lacks.
    pub(super) fn lacking(&self, answer: &str) -> Vec<String> {
        let said = |text: &String| answer.contains(text.as_str());
        self.facts
            .iter()
            .filter_map(|fact| match fact {
                OneOf::Only(text) => (!said(text)).then(|| text.clone()),
                OneOf::Any(texts) => (!texts.iter().any(said)).then(|| texts.join("|")),
            })
            .collect()
    }
}

/// How the advisor is tried.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    pub(super) variant: Variant,
    /// The tools that fail, how, and how often.
    pub(super) faults: [Option<(&'static str, Fault, usize)>; 2],
    /// Whether tools take the registry's time.
    pub(super) slow: bool,
    /// Whether models decide around the execution.
    pub(super) enhanced: bool,
}

impl Trial {
    pub(super) fn gates_on() -> Self {
        Self { variant: Variant::B, faults: [None; 2], slow: false, enhanced: true }
    }
}

/// Every call of a tool, in order.
pub(super) type Calls = Arc<Mutex<Vec<(String, Parameters)>>>;

/// A tool that is counted, and takes its time where it should.
struct Counted {
    inner: Arc<dyn Tool>,
    calls: Calls,
    takes: Duration,
}

#[async_trait]
impl Tool for Counted {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn call(&self, parameters: &Parameters, given: &[Used]) -> Result<Found, Error> {
        self.calls.lock().unwrap().push((self.name().to_owned(), parameters.clone()));
        if !self.takes.is_zero() {
            tokio::time::sleep(self.takes).await;
        }
        self.inner.call(parameters, given).await
    }
}

pub(super) struct World {
    sources: Sources,
}

impl World {
    /// What its tools are called.
    pub(super) fn tools(&self) -> Vec<String> {
        self.sources.tools().names().map(str::to_owned).collect()
    }

    pub(super) async fn new() -> Self {
        let mut sources = Sources::built_in(jiff::civil::date(2026, 5, 13));
        sources.laws = Some(laws().await);
        Self { sources }
    }

    pub(super) fn advisor(&self, trial: Trial, decider: Decider) -> (App<Advice, Inquiry>, Calls) {
        let calls = Calls::default();
        let registry = Registry::built_in();
        let tools = self.sources.tools().map(|inner| {
            let seconds = registry.tool(inner.name()).map_or(0.0, |tool| tool.seconds);
            let takes = if trial.slow { Duration::from_secs_f64(seconds) } else { Duration::ZERO };
            let fault = trial.faults.into_iter().flatten().find(|(name, ..)| *name == inner.name());
            let broken: Arc<dyn Tool> = match fault {
                Some((_, fault, times)) => Arc::new(Faulty::new(inner, fault, times)),
                None => inner,
            };
            Arc::new(Counted { inner: broken, calls: Arc::clone(&calls), takes })
        });
        let mut toolbox = Toolbox::new(&self.sources).with_tools(tools);
        toolbox.bounds.enhanced = trial.enhanced;
        // The person of a conversation is there to be asked.
        toolbox.bounds.worth_asking = Duration::ZERO;
        (graph(toolbox).unwrap().provide(decider).on(Arc::new(MemoryStore::new())), calls)
    }
}

/// The law of the conversations, as the researcher's index has it.
async fn laws() -> Searcher {
    let folder = tempfile::tempdir().unwrap();
    // One file for each statute, as statutes come.
    for (number, statute) in include_str!("../conversations/law.md").split("\n# ").enumerate() {
        let text = format!("# {}", statute.trim_start_matches("# "));
        std::fs::write(folder.path().join(format!("{number}.md")), text).unwrap();
    }
    let thesaurus = Arc::new(Thesaurus::built_in());
    let index: Arc<dyn Index> = Arc::new(EmbeddedIndex::in_memory(thesaurus.lexicon().clone()).unwrap());
    let library = Library::new(Arc::clone(&index), Arc::new(WordsOnly));
    library.ingest(&Ingest::of([folder.path().to_owned()]), |_| {}).await.unwrap();
    Searcher::new(index, Arc::new(WordsOnly), thesaurus)
}

/// What a turn came to.
pub(super) struct Seen {
    pub(super) end: Arc<Advice>,
    /// The tools that ran for it.
    pub(super) calls: Vec<(String, Parameters)>,
    /// Whether the person was asked about earlier data.
    pub(super) asked: bool,
}

impl Seen {
    pub(super) fn answer(&self) -> &str {
        self.end.final_response.as_ref().map(|answer| answer.text.as_str()).unwrap_or_default()
    }

    /// The kinds that were searched for.
    pub(super) fn searched(&self) -> Vec<DataKind> {
        let mut kinds: Vec<DataKind> = self
            .calls
            .iter()
            .filter_map(|(tool, _)| match tool.as_str() {
                "legal_search" | "law_digest" => Some(DataKind::Legal),
                "market_data" | "real_estate_search" => Some(DataKind::Market),
                "loan_data" => Some(DataKind::Loan),
                "infrastructure" => Some(DataKind::Infrastructure),
                _ => None,
            })
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// How many calls of a tool repeated another one of the run.
    pub(super) fn repeated(&self) -> Vec<&(String, Parameters)> {
        let before = |at: usize| self.calls[..at].contains(&self.calls[at]);
        (0..self.calls.len()).filter(|at| before(*at)).map(|at| &self.calls[at]).collect()
    }
}

pub(super) fn start() -> Timestamp {
    "2026-05-13T10:00:00+09:00".parse().unwrap()
}

/// Has a whole conversation; every turn that ends is told.
pub(super) async fn talk(
    world: &World,
    trial: Trial,
    decider: Decider,
    conversation: &Conversation,
    mut told: impl FnMut(&Turn, Option<Seen>),
) {
    let (app, calls) = world.advisor(trial, decider);
    let thread = app.thread(conversation.id.as_str()).unwrap();
    let mut now = start();
    for turn in &conversation.turns {
        now += SignedDuration::from_mins(turn.after_minutes);
        calls.lock().unwrap().clear();
        let inquiry = Inquiry {
            interactive: true,
            variant: Some(trial.variant),
            now: Some(now.to_string()),
            user: Some("kim".to_owned()),
            ..Inquiry::question(turn.ask.as_str())
        };
        let mut asked = false;
        let mut outcome = thread.invoke(inquiry).await;
        let end = loop {
            match outcome {
                Ok(Outcome::Done(end)) => break Some(end),
                Ok(Outcome::Paused(questions)) => {
                    let mut answers = BTreeMap::new();
                    for question in questions {
                        let about_data = question.value.get().contains("user_confirmation_required");
                        asked |= about_data;
                        // Whatever else is asked, the person agrees with.
                        let answer = if about_data { turn.person.clone() } else { "confirm".to_owned() };
                        answers.insert(question.id, answer);
                    }
                    outcome = thread.answer(answers).await;
                }
                other => {
                    eprintln!("{} {}: {other:?}", conversation.id, turn.ask);
                    break None;
                }
            }
        };
        let calls = calls.lock().unwrap().clone();
        told(turn, end.map(|end| Seen { end, calls, asked }));
    }
}
