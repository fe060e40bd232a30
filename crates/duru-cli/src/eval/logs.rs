//! `duru eval logs`: the whole analyst, from the question to the embedded store's rows.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use duru::store::MemoryStore;
use duru::{App, Outcome, Unfinished};
use duru_agents::analyst::reader::AskBack;
use duru_agents::analyst::{Analysis, Inquiry, Toolbox, graph};
use duru_llm::decision::Decider;
use duru_logs::{EmbeddedLogs, Options};
use duru_sql::guard::{Clock, Guard};
use duru_sql::ingest::{Ingest, Mapping, Settings};
use duru_sql::postgres::PostgresLogs;
use duru_sql::{Answer, Asking, Catalog, Limits, LogStore, TableSource as _};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::policy::{Judge, Written, measure};
use super::tables::{Rows, same};
use crate::args::EvalLogs;
use crate::logs::Problem as LogsProblem;
use crate::output::Output;
use crate::problem::Problem;

/// How often progress is told.
const EVERY: usize = 10;
/// So many rows are compared.
const ROWS: usize = 1_000;

#[derive(Deserialize)]
struct Item {
    id: String,
    #[serde(default)]
    question: String,
    /// A conversation; the answer to its last question counts.
    #[serde(default)]
    turns: Vec<String>,
    #[serde(default)]
    expect: Option<String>,
    /// A query whose rows are right.
    #[serde(default)]
    gold_sql: Option<String>,
    #[serde(default)]
    order_matters: bool,
}

#[derive(Deserialize)]
struct Asked {
    clarifications: Vec<AskBack>,
}

/// What the answers are made with.
struct Bench {
    embedded: Arc<dyn LogStore>,
    postgres: Option<PostgresLogs>,
    guard: Guard,
    now: Timestamp,
    timezone: String,
}

pub(super) async fn run(args: &EvalLogs, output: &Output) -> Result<(), Problem> {
    let items = items(&args.questions)?;
    let folder =
        tempfile::tempdir().map_err(|source| Problem::Folder { folder: std::env::temp_dir(), source })?;
    let bench = Bench::set_up(args, folder.path(), output).await?;
    if let Some(file) = &args.with.write_policy {
        let to = Written { set: "logs", out: &args.out, file };
        return measure(&mut Judged { bench, items }, &args.with, &to, output).await;
    }
    let analyst = bench.analyst(super::decider(&args.with)?).map_err(Problem::Unexpected)?;
    let (mut lines, mut failed, mut right, mut differing) = (String::new(), 0, (0, 0), BTreeSet::new());
    for (done, item) in items.iter().enumerate() {
        match bench.answer(&analyst, item).await {
            Ok(said) => {
                if let Some(expect) = &item.expect {
                    right.1 += 1;
                    right.0 += usize::from(said["action"] == expect.as_str());
                }
                if let Some(sql) = said["sql"].as_str()
                    && bench.differs(sql).await
                {
                    differing.insert(item.id.clone());
                }
                // Writing to a string can't fail.
                let _ = writeln!(lines, "{said}");
            }
            Err(error) => {
                failed += 1;
                output.complain(&format!("{}: {error:#}", item.id));
            }
        }
        let done = done + 1;
        if done % EVERY == 0 || done == items.len() {
            output.progress(&format!("{done}/{}", items.len()));
        }
    }
    std::fs::write(&args.out, lines).map_err(|source| Problem::File { file: args.out.clone(), source })?;
    let lang = output.lang;
    let mut rows = vec![[
        lang.pick("답의 종류가 맞음", "right kind of answer").to_owned(),
        format!("{}/{}", right.0, right.1),
    ]];
    if bench.postgres.is_some() {
        let names: Vec<&str> = differing.iter().map(String::as_str).collect();
        let label = lang.pick("두 저장소의 결과가 다름", "stores disagree");
        rows.push([label.to_owned(), format!("{} {}", differing.len(), names.join(" "))]);
    }
    output.table(lang.pick(["항목", "건"], ["measure", "cases"]), rows)?;
    let answer = json!({
        "items": items.len(), "failed": failed, "right_kind": right.0, "labelled": right.1, "stores_disagree": differing,
    });
    if failed == 0 {
        return output.json(answer);
    }
    Err(Problem::Items { failed, of: items.len() }.after(answer, output))
}

fn items(file: &Path) -> Result<Vec<Item>, Problem> {
    let text =
        std::fs::read_to_string(file).map_err(|source| Problem::File { file: file.to_owned(), source })?;
    let bad = |(number, error): (usize, serde_json::Error)| Problem::File {
        file: file.to_owned(),
        source: std::io::Error::other(format!("line {number}: {error}")),
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| serde_json::from_str(line).map_err(|error| bad((at + 1, error)))).collect()
}

impl Bench {
    async fn set_up(args: &EvalLogs, folder: &Path, output: &Output) -> Result<Self, Problem> {
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
        Ok(Self { embedded, postgres, guard, now, timezone })
    }

    /// An analyst with nothing in its memory.
    fn analyst(&self, decider: Decider) -> anyhow::Result<App<Analysis, Inquiry>> {
        let graph = graph(Toolbox::new(Arc::clone(&self.embedded) as _, Guard::new(Catalog::logs())));
        let graph = graph.context("the analyst's graph does not compile")?;
        Ok(graph.provide(decider).on(Arc::new(MemoryStore::new())))
    }

    async fn answer(&self, analyst: &App<Analysis, Inquiry>, item: &Item) -> anyhow::Result<Value> {
        let thread = analyst.thread(item.id.as_str())?;
        let questions =
            if item.turns.is_empty() { std::slice::from_ref(&item.question) } else { &item.turns };
        let mut said = json!({ "id": item.id, "action": "refuse" });
        for question in questions {
            let inquiry = Inquiry {
                question: Some(question.clone()),
                timezone: Some(self.timezone.clone()),
                now: Some(self.now.to_string()),
                ..Inquiry::default()
            };
            said = match thread.invoke(inquiry).on_unfinished(Unfinished::Discard).await? {
                Outcome::Done(end) => match &end.problem {
                    None => json!({
                        "id": item.id, "action": "sql", "sql": end.generated_sql, "explanation": end.explanation,
                    }),
                    Some(trouble) => json!({ "id": item.id, "action": "refuse", "reason": trouble.message }),
                },
                Outcome::Paused(questions) => {
                    let first = questions.first().context("it waits for nothing")?;
                    let asked: Asked = first.get()?;
                    let fields: Vec<&str> =
                        asked.clarifications.iter().map(|ask| ask.field.as_str()).collect();
                    json!({ "id": item.id, "action": "clarify", "field": fields.join(",") })
                }
                other => anyhow::bail!("the run ended with {other:?}"),
            };
        }
        Ok(said)
    }

    fn asking(&self) -> Asking {
        let limits = Limits { rows: ROWS, ..Limits::default() };
        Asking { timezone: self.timezone.clone(), limits, cancel: CancellationToken::new(), who: None }
    }

    /// The rows of a query as they are compared; none if it can't be run.
    async fn rows(&self, sql: &str) -> Option<Rows> {
        let checked = self.guard.check(sql).ok()?;
        Some(Rows::of(&self.embedded.query(&checked, &self.asking()).await.ok()?))
    }

    /// Whether an answer is right: of the right kind, and with the rows of the query that is.
    async fn is_right(&self, item: &Item, said: &Value) -> anyhow::Result<Option<bool>> {
        let Some(expect) = &item.expect else { return Ok(None) };
        if expect == "sql" && item.gold_sql.is_none() {
            return Ok(None);
        }
        let of_its_kind = said["action"] == expect.as_str();
        let (Some(gold), Some(sql)) = (&item.gold_sql, said["sql"].as_str()) else {
            return Ok(Some(of_its_kind && expect != "sql"));
        };
        let gold = self.rows(gold).await.context("the reference query can't be run")?;
        let found = self.rows(sql).await;
        Ok(Some(of_its_kind && found.is_some_and(|found| same(&found, &gold, item.order_matters))))
    }

    /// Whether the two stores give different rows.
    async fn differs(&self, sql: &str) -> bool {
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

/// The questions, with the store that has the right rows.
struct Judged {
    bench: Bench,
    items: Vec<Item>,
}

impl Judge for Judged {
    fn names(&self) -> Vec<String> {
        self.items.iter().map(|item| item.id.clone()).collect()
    }

    async fn is_right(&mut self, question: usize, decider: Decider) -> anyhow::Result<Option<bool>> {
        let item = self.items.get(question).context("there is no such question")?;
        let said = self.bench.answer(&self.bench.analyst(decider)?, item).await?;
        self.bench.is_right(item, &said).await
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
