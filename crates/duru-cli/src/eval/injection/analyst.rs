//! The analyst on a few lines, some of which were planted.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use async_trait::async_trait;
use duru::store::MemoryStore;
use duru::{Outcome, Unfinished};
use duru_agents::analyst::{Analysis, Inquiry, Toolbox, graph};
use duru_llm::decision::Decider;
use duru_logs::{EmbeddedLogs, Options};
use duru_sql::guard::{Checked, Guard};
use duru_sql::{
    Answer, Asking, Batch, Catalog, Error, Knowledge, Level, LogStore as _, LogType, Record, TableSource,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

use super::NOW;
use super::item::{Asked, LogField, PlantedLines};
use super::transcript::Transcript;

/// So long before the question the planted lines were written.
const BEFORE: SignedDuration = SignedDuration::from_mins(20);

/// A store that notes what it is asked to run.
struct WatchedStore {
    store: EmbeddedLogs,
    statements: Mutex<Vec<String>>,
}

#[async_trait]
impl TableSource for WatchedStore {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        self.statements.lock().unwrap_or_else(PoisonError::into_inner).push(query.sql().to_owned());
        self.store.query(query, asking).await
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        self.store.knowledge().await
    }

    async fn version(&self) -> Result<String, Error> {
        self.store.version().await
    }
}

pub(super) async fn ask(asked: &Asked, decider: &Decider) -> anyhow::Result<Transcript> {
    let folder = tempfile::tempdir()?;
    let store = EmbeddedLogs::open(folder.path(), Options::default()).await?;
    let now: Timestamp = NOW.parse()?;
    let mut records = ordinary_lines(now);
    if let Some((lines, text)) = &asked.lines {
        records.extend(planted_lines(lines, text, now));
    }
    store.append(Batch { key: None, records }).await?;
    let before = store.version().await?;
    let store = Arc::new(WatchedStore { store, statements: Mutex::default() });
    let tools = Toolbox::new(Arc::clone(&store) as _, Guard::new(Catalog::logs()));
    let analyst = graph(tools).context("the analyst's graph does not compile")?;
    let analyst = analyst.provide(decider.clone()).on(Arc::new(MemoryStore::new()));
    let inquiry = Inquiry {
        question: Some(asked.question.clone()),
        timezone: Some("Asia/Seoul".to_owned()),
        now: Some(NOW.to_owned()),
        ..Inquiry::default()
    };
    let mut transcript = Transcript::default();
    match analyst.thread("injection")?.invoke(inquiry).on_unfinished(Unfinished::Discard).await? {
        Outcome::Done(end) => hear(&end, &mut transcript),
        Outcome::Paused(questions) => {
            for question in &questions {
                transcript.say_all("asked back", &question.get::<Value>()?);
            }
        }
        other => anyhow::bail!("the run ended with {other:?}"),
    }
    transcript.statements =
        std::mem::take(&mut *store.statements.lock().unwrap_or_else(PoisonError::into_inner));
    // A store that changed was written to, whoever did it.
    if store.store.version().await? != before {
        transcript.statements.push("a write to the store".to_owned());
    }
    Ok(transcript)
}

fn hear(end: &Analysis, transcript: &mut Transcript) {
    transcript.say("query", end.generated_sql.clone().unwrap_or_default());
    if let Some(query) = &end.model_query {
        transcript.say("model's query", query.sql.as_str());
        transcript.say("model's explanation", query.explanation.as_str());
    }
    transcript.say("explanation", end.explanation.as_str());
    transcript.say("insight", end.insight.clone().unwrap_or_default());
    for suggestion in &end.suggestions {
        transcript.say("suggestion", suggestion.as_str());
    }
    if let Some(problem) = &end.problem {
        transcript.say("problem", problem.message.as_str());
    }
    if let Some(shown) = &end.formatted_results {
        transcript.shown = serde_json::to_string(&shown.data).unwrap_or_default();
    }
}

/// A morning of three services in which nothing special happens.
fn ordinary_lines(now: Timestamp) -> Vec<Record> {
    let kinds = [
        ("payment-api", Level::Error, "Card declined by the issuer", 3),
        ("payment-api", Level::Info, "Payment accepted", 6),
        ("order-api", Level::Warn, "Stock is low", 2),
        ("order-api", Level::Error, "Order could not be saved", 2),
        ("order-api", Level::Info, "Order placed", 5),
        ("auth-api", Level::Info, "Token refreshed", 4),
    ];
    let mut records = Vec::new();
    for (service, level, message, times) in kinds {
        for _ in 0..times {
            let at = SignedDuration::from_mins(3 * records.len() as i64 + 1);
            records.push(Record { message: message.to_owned(), ..record(now - at, service, level) });
        }
    }
    records
}

fn planted_lines(lines: &PlantedLines, text: &str, now: Timestamp) -> Vec<Record> {
    (0..lines.times)
        .map(|number| {
            let at = now - BEFORE - SignedDuration::from_secs(number as i64);
            let mut line = record(at, &lines.service, lines.level);
            let text = text.to_owned();
            match lines.field {
                LogField::Message => line.message = text,
                LogField::Service => line.service = text,
                LogField::Path => line.path = Some(text),
                LogField::UserId => line.user_id = Some(text),
                LogField::ErrorType => line.error_type = Some(text),
                LogField::StackTrace => line.stack_trace = Some(text),
                LogField::Metadata => {
                    line.metadata = Some(Map::from_iter([("note".to_owned(), text.into())]));
                }
            }
            line
        })
        .collect()
}

fn record(at: Timestamp, service: &str, level: Level) -> Record {
    Record {
        id: None,
        created_at: at,
        level,
        log_type: LogType::Backend,
        service: service.to_owned(),
        environment: "production".to_owned(),
        service_version: "v1.0.0".to_owned(),
        trace_id: None,
        user_id: Some("u-17".to_owned()),
        session_id: None,
        error_type: (level == Level::Error).then(|| "UpstreamError".to_owned()),
        message: "Request handled".to_owned(),
        stack_trace: None,
        path: Some("/checkout".to_owned()),
        method: Some("POST".to_owned()),
        action_type: None,
        function_name: None,
        file_path: None,
        duration_us: Some(120_000),
        deleted: false,
        metadata: None,
    }
}
