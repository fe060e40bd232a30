//! What is known of the table, and kept until it changes much.

use std::sync::Arc;
use std::time::{Duration, Instant};

use duru_sql::{Asking, Catalog, ColumnKnowledge, Error, Kind, Knowledge, Limits, TableKnowledge, json_keys};
use jiff::Timestamp;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::columns::SCHEMA;
use crate::disk::Version;
use crate::reader::Reader;

/// So many values show how others of a column are written.
const SAMPLES: usize = 5;

/// So many texts that were written again and again, none longer than this: a question may search for their words.
const TEXTS: usize = 200;
const LONGEST: usize = 80;

/// A column with more values than this has no list of them.
const FEW: usize = 300;
/// Values are looked for among so many of the newest rows.
const SAMPLE: usize = 20_000;
/// Keys of JSON documents are looked for among so many.
const DOCUMENTS: usize = 2_000;
/// What is known may be so old while lines keep coming in.
const AGE: Duration = Duration::from_secs(20);

/// The last answer.
#[derive(Default)]
pub(crate) struct Known(Mutex<Option<Last>>);

struct Last {
    version: String,
    rows: u64,
    learned: Instant,
    knowledge: Arc<Knowledge>,
}

impl Last {
    /// Still true, or true enough: nothing has changed, or not much and not long ago.
    fn holds(&self, version: &Version) -> bool {
        let grown = version.rows().abs_diff(self.rows) > self.rows / 10;
        self.version == version.name() || (!grown && self.learned.elapsed() < AGE)
    }
}

impl Known {
    pub(crate) async fn get(&self, reader: &Reader, version: Arc<Version>) -> Result<Arc<Knowledge>, Error> {
        // One at a time: waiters get what the first found.
        let mut last = self.0.lock().await;
        if let Some(last) = last.as_ref().filter(|last| last.holds(&version)) {
            return Ok(Arc::clone(&last.knowledge));
        }
        let knowledge = Arc::new(learn(reader, &version).await?);
        let (rows, learned) = (version.rows(), Instant::now());
        *last = Some(Last { version: version.name(), rows, learned, knowledge: Arc::clone(&knowledge) });
        Ok(knowledge)
    }
}

fn asking(rows: usize) -> Asking {
    let limits = Limits { time: Duration::from_secs(60), rows, ..Limits::default() };
    Asking { timezone: "UTC".into(), limits, cancel: CancellationToken::new(), who: None }
}

async fn learn(reader: &Reader, version: &Arc<Version>) -> Result<Knowledge, Error> {
    let catalog = Catalog::logs();
    let Some(table) = catalog.table("logs").cloned() else { return Ok(Knowledge { tables: vec![] }) };
    let now = Timestamp::now();
    let ask = async |sql: String, rows: usize| reader.ask(sql, version.clone(), &asking(rows), now).await;
    let there_are_rows = version.rows() > version.dead.len() as u64;
    let mut columns = Vec::new();
    for (column, field) in table.columns.iter().zip(SCHEMA.fields()) {
        let name = &column.name;
        // Identifiers and free text are different in almost every row.
        let named = matches!(column.kind, Kind::Text | Kind::Ordered(_));
        let identifies = matches!(name.as_str(), "trace_id" | "session_id" | "user_id");
        let lists = named && !identifies && !matches!(name.as_str(), "message" | "stack_trace");
        let mut samples = Vec::new();
        let values = match lists {
            false if identifies => {
                let sql = format!(
                    "SELECT DISTINCT {name} AS v FROM (SELECT {name} FROM public.logs WHERE deleted = FALSE AND {name} IS NOT NULL \
                     ORDER BY created_at DESC LIMIT {SAMPLES}) AS newest ORDER BY 1"
                );
                let answer = ask(sql, SAMPLES).await?;
                samples.extend(answer.rows.iter().filter_map(|row| row.first()?.as_str().map(str::to_owned)));
                Vec::new()
            }
            false if name == "message" => {
                let sql = format!(
                    "SELECT message AS v FROM (SELECT message FROM public.logs WHERE deleted = FALSE \
                     ORDER BY created_at DESC LIMIT {SAMPLE}) AS newest WHERE length(message) <= {LONGEST} \
                     GROUP BY 1 HAVING count(*) > 2 ORDER BY count(*) DESC, 1 LIMIT {TEXTS}"
                );
                let answer = ask(sql, TEXTS).await?;
                samples.extend(answer.rows.iter().filter_map(|row| row.first()?.as_str().map(str::to_owned)));
                Vec::new()
            }
            false => Vec::new(),
            true => {
                let sql = format!(
                    "SELECT {name}::text AS v FROM (SELECT {name} FROM public.logs WHERE deleted = FALSE AND {name} IS NOT NULL \
                     ORDER BY created_at DESC LIMIT {SAMPLE}) AS newest GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {}",
                    FEW + 1
                );
                let answer = ask(sql, FEW + 1).await?;
                let words = answer.rows.iter().filter_map(|row| row.first()?.as_str().map(str::to_owned));
                if answer.rows.len() > FEW { Vec::new() } else { words.collect() }
            }
        };
        let empty = there_are_rows && field.is_nullable() && values.is_empty() && samples.is_empty() && {
            let sql = format!(
                "SELECT 1 AS v FROM public.logs WHERE deleted = FALSE AND {name} IS NOT NULL LIMIT 1"
            );
            ask(sql, 1).await?.rows.is_empty()
        };
        columns.push(ColumnKnowledge {
            name: name.clone(),
            data_type: type_name(&column.kind),
            nullable: field.is_nullable(),
            default: (name == "deleted").then(|| "false".to_owned()),
            values,
            samples,
            empty,
        });
    }
    let sql = format!(
        "SELECT metadata FROM public.logs WHERE deleted = FALSE AND metadata IS NOT NULL ORDER BY created_at DESC LIMIT {DOCUMENTS}"
    );
    columns.extend(json_keys("metadata", ask(sql, DOCUMENTS).await?.rows.iter().flatten()));
    let all = table.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
    let sql = format!(
        "SELECT {all} FROM public.logs WHERE deleted = FALSE ORDER BY created_at DESC, id DESC LIMIT 3"
    );
    let newest = ask(sql, 3).await?;
    let estimated_rows = version.rows().saturating_sub(version.dead.len() as u64);
    // Parquet files are sorted by time, and say which times they hold.
    let indexes = vec!["created_at".to_owned()];
    Ok(Knowledge { tables: vec![TableKnowledge { table, columns, indexes, estimated_rows, newest }] })
}

fn type_name(kind: &Kind) -> String {
    match kind {
        Kind::Integer => "integer",
        Kind::Bigint => "bigint",
        Kind::Numeric => "numeric(10,3)",
        Kind::Double => "double precision",
        Kind::Text => "text",
        Kind::Boolean => "boolean",
        Kind::Timestamp => "timestamp with time zone",
        Kind::LocalTimestamp => "timestamp without time zone",
        Kind::Date => "date",
        Kind::Json => "jsonb",
        Kind::Uuid => "uuid",
        Kind::Ordered(_) => "severity",
        Kind::Other(name) => name,
    }
    .to_owned()
}

/// Which of the ids are there; of lines that are deleted, only if those count.
pub(crate) async fn existing(
    reader: &Reader,
    version: &Arc<Version>,
    ids: &[i64],
    deleted_count: bool,
) -> Result<Vec<i64>, Error> {
    let among = if deleted_count { "TRUE" } else { "deleted = FALSE" };
    let mut found = Vec::new();
    for some in ids.chunks(500) {
        let list = some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let sql = format!("SELECT id FROM public.logs WHERE {among} AND id IN ({list})");
        let answer = reader.ask(sql, version.clone(), &asking(some.len() * 2), Timestamp::now()).await?;
        found.extend(answer.rows.iter().filter_map(|row| row.first()?.as_i64()));
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
