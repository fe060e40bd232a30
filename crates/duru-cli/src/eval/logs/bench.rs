//! The analyst on the lines that the questions are about, and what it makes of a question.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use duru::store::MemoryStore;
use duru::{App, Outcome, Unfinished};
use duru_agents::analyst::reader::{AskBack, UNREAD};
use duru_agents::analyst::{Analysis, Inquiry, Toolbox, graph};
use duru_llm::decision::Decider;
use duru_logs::{EmbeddedLogs, Options};
use duru_sql::guard::{Clock, Guard};
use duru_sql::ingest::{Ingest, Mapping, Settings};
use duru_sql::postgres::PostgresLogs;
use duru_sql::{Answer, Asking, Catalog, Limits, LogStore, TableSource as _};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Item;
use crate::args::EvalLogs;
use crate::eval::figures::Figures;
use crate::eval::tables::Verdict;
use crate::logs::Problem as LogsProblem;
use crate::output::Output;
use crate::problem::Problem;

/// So many of what is offered are tried.
const OFFERS: usize = 6;
/// So many rows are compared.
const ROWS: usize = 20_000;

#[derive(Deserialize)]
struct AskedBack {
    clarifications: Vec<AskBack>,
}

/// What was made of a question: one line of the file.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Said {
    pub(super) id: String,
    /// `sql`, `clarify` or `refuse`.
    pub(super) action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sql: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) explanation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// What it asked back about, separated by commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) field: Option<String>,
    /// The queries of the readings that it offered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) offered: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<Verdict>,
}

pub(super) struct Bench {
    embedded: Arc<dyn LogStore>,
    pub(super) postgres: Option<PostgresLogs>,
    guard: Guard,
    pub(super) now: Timestamp,
    pub(super) timezone: String,
    /// What the tables' description is made with for a model without an analyst.
    pub(super) tools: Toolbox,
    pub(super) figures: Figures,
}

impl Bench {
    pub(super) async fn set_up(args: &EvalLogs, folder: &Path, output: &Output) -> Result<Self, Problem> {
        let timezone = args.timezone.clone().unwrap_or_else(|| "Asia/Seoul".to_owned());
        let zone = TimeZone::get(&timezone).map_err(|error| Problem::Usage(error.to_string()))?;
        let now = match &args.now {
            Some(now) => now.parse().map_err(|error: jiff::Error| Problem::Usage(error.to_string()))?,
            None => Timestamp::now(),
        };
        let store = EmbeddedLogs::open(folder, Options::default()).await.map_err(LogsProblem::Store)?;
        let embedded: Arc<dyn LogStore> = Arc::new(store);
        output.progress(output.lang.pick("로그를 넣습니다…", "Taking in the lines…"));
        let mapping = Mapping { keep_ids: true, timezone: Some(timezone.clone()), ..Mapping::default() };
        let settings = Arc::new(Settings::new(&mapping).map_err(LogsProblem::Settings)?);
        let ingest = Ingest { store: Some(Arc::clone(&embedded)), settings, format: None };
        ingest
            .files(std::slice::from_ref(&args.logs), &mut |_| {})
            .await
            .map_err(|(file, error)| LogsProblem::File { file, error })?;
        let postgres = match &args.postgres {
            Some(url) => {
                let options = duru_sql::postgres::Options { make: false, ..Default::default() };
                Some(PostgresLogs::connect_with(url, options).await.map_err(LogsProblem::Store)?)
            }
            None => None,
        };
        let guard = Guard::new(Catalog::logs());
        let guard = guard.with_clock(Clock::new(now, zone));
        let tools = Toolbox::new(Arc::clone(&embedded) as _, Guard::new(Catalog::logs()));
        Ok(Self { embedded, postgres, guard, now, timezone, tools, figures: Figures::default() })
    }

    /// An analyst with nothing in its memory.
    pub(super) fn analyst(&self, decider: Decider) -> anyhow::Result<App<Analysis, Inquiry>> {
        let graph = graph(Toolbox::new(Arc::clone(&self.embedded) as _, Guard::new(Catalog::logs())));
        let graph = graph.context("the analyst's graph does not compile")?;
        Ok(graph.provide(decider).on(Arc::new(MemoryStore::new())))
    }

    pub(super) async fn answer(&self, analyst: &App<Analysis, Inquiry>, item: &Item) -> anyhow::Result<Said> {
        self.figures.question_asked();
        let outcome = self.ask(analyst, item, &item.id, BTreeMap::new()).await?;
        self.figures.question_answered();
        let asked = match outcome {
            Outcome::Done(end) => return Ok(told(item, &end)),
            Outcome::Paused(questions) => {
                questions.first().context("it waits for nothing")?.get::<AskedBack>()?.clarifications
            }
            other => anyhow::bail!("the run ended with {other:?}"),
        };
        let fields: Vec<&str> = asked.iter().map(|ask| ask.field.as_str()).collect();
        let mut offered = BTreeSet::new();
        let readings = asked.iter().filter(|ask| ask.field == UNREAD).flat_map(|ask| &ask.options);
        for (at, reading) in readings.take(OFFERS).enumerate() {
            let picked = BTreeMap::from([(UNREAD.to_owned(), reading.clone())]);
            let thread = format!("{}-{at}", item.id);
            if let Outcome::Done(end) = self.ask(analyst, item, &thread, picked).await? {
                offered.extend(told(item, &end).sql);
            }
        }
        Ok(Said {
            id: item.id.clone(),
            action: "clarify",
            field: Some(fields.join(",")),
            offered: offered.into_iter().collect(),
            ..Said::default()
        })
    }

    /// A conversation up to its last question, with what a person picks there.
    async fn ask(
        &self,
        analyst: &App<Analysis, Inquiry>,
        item: &Item,
        thread: &str,
        picked: BTreeMap<String, String>,
    ) -> anyhow::Result<Outcome<Arc<Analysis>>> {
        let thread = analyst.thread(thread)?;
        let inquiry = |question: &str, answers| Inquiry {
            question: Some(question.to_owned()),
            timezone: Some(self.timezone.clone()),
            now: Some(self.now.to_string()),
            clarification_answers: answers,
            ..Inquiry::default()
        };
        let (last, before) = item.questions().split_last().context("it has no question")?;
        for question in before {
            let inquiry = inquiry(question, BTreeMap::new());
            let outcome = thread.invoke(inquiry).on_unfinished(Unfinished::Discard).await?;
            anyhow::ensure!(matches!(outcome, Outcome::Done(_) | Outcome::Paused(_)), "{outcome:?}");
        }
        Ok(thread.invoke(inquiry(last, picked)).on_unfinished(Unfinished::Discard).await?)
    }

    /// The rows of a query as the embedded store has them.
    pub(super) async fn rows(&self, sql: &str) -> anyhow::Result<Answer> {
        let checked = self.guard.check(sql).map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
        Ok(self.embedded.query(&checked, &self.asking()).await?)
    }

    fn asking(&self) -> Asking {
        let limits =
            Limits { rows: ROWS, bytes: 256 << 20, time: Duration::from_secs(60), ..Limits::default() };
        Asking { timezone: self.timezone.clone(), limits, cancel: CancellationToken::new(), who: None }
    }

    /// Whether the two stores give different rows.
    pub(super) async fn differs(&self, sql: &str) -> bool {
        let Some(postgres) = &self.postgres else { return false };
        let Ok(checked) = self.guard.check(sql) else { return true };
        let asking = self.asking();
        match (self.embedded.query(&checked, &asking).await, postgres.query(&checked, &asking).await) {
            (Ok(ours), Ok(theirs)) => sorted(&ours) != sorted(&theirs),
            (Err(_), Err(_)) => false,
            _ => true,
        }
    }
}

fn told(item: &Item, end: &Analysis) -> Said {
    let said = Said { id: item.id.clone(), ..Said::default() };
    match &end.problem {
        None => Said {
            action: "sql",
            sql: end.generated_sql.clone(),
            explanation: Some(end.explanation.clone()),
            ..said
        },
        Some(trouble) => Said { action: "refuse", reason: Some(trouble.message.clone()), ..said },
    }
}

/// The rows in an order of their own; numbers as far as they are the same number.
fn sorted(answer: &Answer) -> Vec<String> {
    let cell = |value: &Value| match value.as_f64() {
        Some(number) => format!("{number:.6}"),
        None => value.to_string(),
    };
    let row = |row: &Vec<Value>| row.iter().map(cell).collect::<Vec<_>>().join("\u{1f}");
    let mut rows: Vec<String> = answer.rows.iter().map(row).collect();
    rows.sort_unstable();
    rows
}
