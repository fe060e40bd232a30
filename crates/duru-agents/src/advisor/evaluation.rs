//! Measuring understanding and gate 1 on labelled cases.

pub mod conversations;

use duru_llm::decision::{By, Decider, Untrusted};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::decide::{JudgeSufficiency, SufficiencyAsked};
use super::lang::Lang;
use super::sufficiency::{self, DataSource, Found, Issue, Judgement, Said, Search, Talk, Tier, Verdict};
use super::understand::region::{self, Region};
use super::understand::{Context, DataKind, Intent, Question, Terms, understand};
use super::{gate, planner};

/// A labelled case: a question in its conversation.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    pub id: String,
    pub query: String,
    #[serde(default)]
    pub chat_history: Vec<Turn>,
    pub previous_search: Option<Previous>,
    pub now: String,
    pub expected: Option<Expected>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Turn {
    pub role: String,
    pub content: String,
    #[serde(default)]
    pub timestamp: Option<String>,
}

/// The search before the question, as cases write it down.
#[derive(Clone, Debug, Deserialize)]
pub struct Previous {
    #[serde(default)]
    pub query: String,
    pub region: Option<String>,
    #[serde(default)]
    pub conditions: Option<String>,
    #[serde(default)]
    pub source: Option<String>,
    #[serde(default)]
    pub results: Option<serde_json::Map<String, Value>>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Expected {
    pub intent: String,
    pub required_data_types: Vec<String>,
    pub regions: Vec<String>,
    pub decision: Option<String>,
}

/// What the rules say of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decided {
    pub id: String,
    pub intent: Intent,
    pub intent_confidence: f32,
    pub required_data_types: Vec<DataKind>,
    pub regions: Vec<String>,
    /// None: the question never reaches the gate.
    pub decision: Option<Verdict>,
    pub confidence: f32,
    pub data_source: DataSource,
    pub missing_data_types: Vec<DataKind>,
    pub issues: Vec<Issue>,
    pub reasoning: String,
}

/// Why a case can't be decided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("case {id}: `now` is no time: {now}")]
    Now { id: String, now: String },
    #[error("case {id}: there is no kind of data called {kind}")]
    Kind { id: String, kind: String },
}

/// Decides a case by rules.
///
/// # Errors
///
/// If the case's time or a kind of data in it can't be read.
pub fn decide(case: &Case) -> Result<Decided, Error> {
    let Read { question, searches, judged, .. } = read(case)?;
    Ok(decided(case, &question, &searches, judged))
}

/// A case as the rules read and judge it.
struct Read {
    question: Question,
    searches: Vec<Search>,
    judged: Judgement,
    now: Timestamp,
}

fn read(case: &Case) -> Result<Read, Error> {
    let now: Timestamp =
        case.now.parse().map_err(|_| Error::Now { id: case.id.clone(), now: case.now.clone() })?;
    let searches: Vec<Search> = match &case.previous_search {
        Some(previous) => vec![search(case, previous)?],
        None => Vec::new(),
    };
    let context = match searches.first() {
        Some(latest) => {
            Context { kinds: latest.kinds(), regions: latest.regions.clone(), ..Context::default() }
        }
        // Nothing was searched: then what was last asked tells what this is about.
        None => match case.chat_history.iter().rfind(|turn| turn.role == "user") {
            Some(turn) => {
                let last = understand(&turn.content, &Context::default());
                let drafting = last.intent == Intent::ContractCreation;
                Context { regions: last.regions(), kinds: last.required, drafting }
            }
            None => Context::default(),
        },
    };
    let question = understand(&case.query, &context);
    let found_at = searches.iter().flat_map(|search| &search.found).filter_map(|found| found.at).max();
    let since = |turn: &Turn| match (turn.timestamp.as_deref().map(str::parse::<Timestamp>), found_at) {
        (Some(Ok(said)), Some(found)) => said > found,
        _ => false,
    };
    let talk = Talk::of(case.chat_history.iter().map(|turn| match turn.role.as_str() {
        "user" if since(turn) => Said::AskedSince(&turn.content),
        "user" => Said::Asked(&turn.content),
        _ => Said::Answered(&turn.content),
    }));
    let judged = sufficiency::judge(&question, &searches, &talk, now);
    Ok(Read { question, searches, judged, now })
}

/// Decides a case with whoever `decider` has: the model may doubt, the facts decide.
///
/// # Errors
///
/// If the case's time or a kind of data in it can't be read.
pub async fn decide_with(case: &Case, decider: &Decider) -> Result<Decided, Error> {
    let Read { question, searches, judged, now } = read(case)?;
    if question.required.is_empty() || (searches.is_empty() && case.chat_history.is_empty()) {
        return Ok(decided(case, &question, &searches, judged));
    }
    let history = case.chat_history.iter().enumerate();
    let asked = SufficiencyAsked {
        question: Untrusted::new(case.query.as_str()),
        required: question.required.clone(),
        evidence: searches.iter().flat_map(|search| evidence(search, now)).collect(),
        history: history
            .map(|(at, turn)| Untrusted::new(format!("{}. {}: {}", at + 1, turn.role, turn.content)))
            .collect(),
        draft: gate::draft(&judged),
    };
    let outcome = decider.for_question(&case.id).decide::<JudgeSufficiency>(&asked).await;
    let judged = match outcome.failure() {
        Some(why) => gate::failed(judged, &question.required, why),
        None if outcome.by != By::Rule => gate::weigh(judged, &outcome.value),
        None => judged,
    };
    Ok(decided(case, &question, &searches, judged))
}

/// What a search of a case found, as the model reads it.
fn evidence(search: &Search, now: Timestamp) -> Vec<Untrusted> {
    let places: Vec<String> = search.regions.iter().map(Region::name).collect();
    let line = |found: &Found| {
        let minutes = found.at.map(|at| now.duration_since(at).as_mins());
        let age = minutes.map_or_else(|| "시각 모름".to_owned(), |minutes| format!("{minutes}분 전"));
        let kind = planner::kind(found.kind, Lang::Ko);
        Untrusted::new(format!("{kind}: {}, {} × {}, {age}", places.join(" "), search.query, found.count))
    };
    search.found.iter().map(line).collect()
}

fn decided(case: &Case, question: &Question, searches: &[Search], judged: Judgement) -> Decided {
    let answered = !matches!(question.intent, Intent::Unclear | Intent::Irrelevant);
    let regions = sufficiency::asked_regions(question, searches);
    Decided {
        id: case.id.clone(),
        intent: question.intent,
        intent_confidence: question.confidence,
        required_data_types: question.required.clone(),
        regions: regions.iter().map(Region::name).collect(),
        decision: answered.then_some(judged.verdict),
        confidence: judged.confidence,
        data_source: judged.data_source,
        missing_data_types: judged.missing,
        issues: judged.issues,
        reasoning: judged.reasoning,
    }
}

fn search(case: &Case, previous: &Previous) -> Result<Search, Error> {
    let named = previous.region.as_deref().unwrap_or_default().replace([',', '·', '/'], " , ");
    let regions: Vec<Region> = region::find(&named, &[]).into_iter().map(|place| place.region).collect();
    let mut found = Vec::new();
    for (name, result) in previous.results.iter().flatten() {
        let kind: DataKind = serde_json::from_value(Value::from(name.as_str()))
            .map_err(|_| Error::Kind { id: case.id.clone(), kind: name.clone() })?;
        found.push(Found {
            kind,
            count: result["count"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or_default(),
            at: result["timestamp"].as_str().and_then(|time| time.parse().ok()),
            source: previous.source.clone().unwrap_or_default(),
            items: Vec::new(),
        });
    }
    let conditions = previous.conditions.as_deref().unwrap_or_default().replace('/', " / ");
    let stated = Terms::read(&previous.query);
    let remembered = previous.source.as_deref().is_some_and(|source| source.contains("memory"));
    Ok(Search {
        query: previous.query.clone(),
        regions,
        terms: Terms::read(&conditions).or(&stated),
        stated,
        tier: if remembered { Tier::LongTerm } else { Tier::Conversation },
        found,
    })
}

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    pub hits: usize,
    pub of: usize,
}

impl Share {
    fn count(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.of += 1;
    }

    pub fn value(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.hits as f64 / self.of as f64 }
    }
}

/// The score of a set of cases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    pub decision: Share,
    pub intent: Share,
    pub regions: Share,
    pub types: Share,
    /// Cases that must search and were reused.
    pub unsafe_reuse: Share,
    /// Cases that could reuse and were searched.
    pub lost_reuse: Share,
}

impl Score {
    pub fn add(&mut self, expected: &Expected, decided: &Decided) {
        let decision = decided.decision.as_ref().map(name);
        self.decision.count(decision == expected.decision);
        self.intent.count(name(&decided.intent) == expected.intent.to_lowercase());
        self.regions.count(sorted(decided.regions.clone()) == sorted(expected.regions.clone()));
        let types = decided.required_data_types.iter().map(name).collect();
        self.types.count(sorted(types) == sorted(expected.required_data_types.clone()));
        match expected.decision.as_deref() {
            Some("search") => self.unsafe_reuse.count(decided.decision == Some(Verdict::Reuse)),
            Some("reuse") => self.lost_reuse.count(decided.decision == Some(Verdict::Search)),
            _ => {}
        }
    }
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

/// The name a value has in JSON.
fn name<T: Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
