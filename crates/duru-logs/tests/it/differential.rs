//! The same queries on PostgreSQL and on the embedded store give the same answers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use duru_logs::testkit::PlainTable;
use duru_logs::{BucketLogs, EmbeddedLogs, Options};
use duru_sql::guard::{Checked, Lang};
use duru_sql::{Answer, Asking, Batch, Catalog, Error, Kind, Limits, LogStore, Table, TableColumn};
use jiff::Timestamp;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::pg_cluster::free_port;
use crate::postgres::{Postgres, skip};
use crate::rows::{lines, now};
use crate::seaweed::Seaweed;
use crate::ties::{Sorted, tied};
use crate::workers;

pub(crate) fn asking() -> Asking {
    let limits =
        Limits { rows: 100_000, bytes: 1 << 30, time: Duration::from_secs(120), ..Limits::default() };
    Asking { timezone: "Asia/Seoul".into(), limits, cancel: CancellationToken::new(), who: None }
}

/// What may be there in addition to our own queries.
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(&std::env::var_os("DURU_SHARED")?).join(path);
    path.exists().then_some(path)
}

/// Two ways to ask: in memory and in files, with lines deleted afterwards.
async fn store(folder: &Path) -> EmbeddedLogs {
    let options = Options { seal_rows: 1_500, ..Options::default() };
    let store = EmbeddedLogs::open(folder, options).await.unwrap();
    for part in all_lines().chunks(250) {
        store.append(Batch { key: None, records: part.to_vec() }).await.unwrap();
    }
    store
}

/// The same lines in a bucket: taken in by two ingesters in turn, in files and in parts of logs, and asked by one that
/// only reads.
pub(crate) struct InBucket {
    _weed: Seaweed,
    _ingesters: [BucketLogs; 2],
    _folder: tempfile::TempDir,
    pub(crate) reader: BucketLogs,
    /// It spreads what it is asked over itself and the two others.
    pub(crate) together: BucketLogs,
    _workers: [BucketLogs; 2],
}

impl InBucket {
    /// Those that must give the same.
    fn ways(&self) -> [(&'static str, &BucketLogs); 2] {
        [("in a bucket", &self.reader), ("in a bucket, by three", &self.together)]
    }

    /// Whether most queries were spread in fact.
    fn most_were_distributed(&self, queries: usize) {
        let seen = self.together.workers().unwrap();
        assert!(seen.distributed * 2 > queries as u64, "{seen:?} of {queries}");
        eprintln!("{} spread, {} alone after all", seen.distributed, seen.fallbacks);
    }
}

pub(crate) async fn in_bucket() -> Option<InBucket> {
    let weed = Seaweed::start()?;
    let folder = tempfile::tempdir().unwrap();
    let options = || Options { seal_rows: 700, look_after: Duration::ZERO, ..Options::default() };
    let open = async |name: &str| {
        let address = weed.address("lines", "ship=10m").or_folder(|| Some(folder.path().join(name)));
        BucketLogs::open(&address, options()).await.unwrap()
    };
    let ingesters = [open("a").await, open("b").await];
    for (i, part) in all_lines().chunks(250).enumerate() {
        ingesters[i % 2].append(Batch { key: None, records: part.to_vec() }).await.unwrap();
    }
    for ingester in &ingesters {
        ingester.ship().await.unwrap();
    }
    let reader = open("c").await;
    let address = weed.address("lines", "read_only=true");
    let ((first, a), (second, b)) = (workers::worker(&address).await, workers::worker(&address).await);
    let together = BucketLogs::open(&address, options()).await.unwrap();
    // It takes a part of its own questions, too.
    let own = ([127, 0, 0, 1], free_port()).into();
    together.work_together(workers::options(&[a, b, own], workers::SECRET), Some(own)).await.unwrap();
    assert_eq!(together.workers().unwrap().ready, 3);
    let _workers = [first, second];
    Some(InBucket { _weed: weed, _ingesters: ingesters, _folder: folder, reader, together, _workers })
}

fn all_lines() -> Vec<duru_sql::Record> {
    lines(11, 4_000)
}

/// PostgreSQL's clock stands still, too.
fn frozen(sql: &str, now: Timestamp) -> String {
    let mut parts: Vec<String> = sql.split('\'').map(str::to_owned).collect();
    // Outside of quotes are the even ones.
    for part in parts.iter_mut().step_by(2) {
        for word in ["now()", "NOW()", "CURRENT_TIMESTAMP"] {
            *part = part.replace(word, &format!("TIMESTAMPTZ \u{1}{now}\u{1}"));
        }
        *part = part.replace("CURRENT_DATE", &format!("(TIMESTAMPTZ \u{1}{now}\u{1})::date"));
    }
    parts.join("'").replace('\u{1}', "'")
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            // PostgreSQL's decimals have at least 16 digits, and floats are summed in another order.
            (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-3)
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        _ => a == b,
    }
}

pub(crate) fn same_rows(a: &[Vec<Value>], b: &[Vec<Value>]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)))
}

/// Whether the rows are the same in any order.
fn same_set(a: &[Vec<Value>], b: &[Vec<Value>]) -> bool {
    let key = |row: &Vec<Value>| {
        let text = |value: &Value| match value.as_f64() {
            Some(number) => format!("{number:.6e}"),
            None => value.to_string(),
        };
        row.iter().map(text).collect::<Vec<_>>().join("|")
    };
    let sorted = |rows: &[Vec<Value>]| {
        let mut rows = rows.to_vec();
        rows.sort_by_key(key);
        rows
    };
    same_rows(&sorted(a), &sorted(b))
}

/// Asks both a query that others wrote. Where its ORDER BY leaves open which rows come
/// first or are cut by LIMIT, any choice is right.
async fn compared(
    postgres: &Postgres,
    sql: &str,
    now: Timestamp,
    ask: impl AsyncFn(&str) -> Result<Answer, Error>,
) -> Option<String> {
    let expected = postgres.ask(&frozen(sql, now)).await;
    assert!(expected.is_ok(), "{expected:?} of {sql}");
    let mut what = difference(expected, ask(sql).await, true);
    if what.is_some()
        && let Some(Sorted { limited, whole, keys }) = Sorted::of(sql)
    {
        let expected = postgres.ask(&frozen(&limited, now)).await.unwrap().1;
        let among = postgres.ask(&frozen(&whole, now)).await.unwrap().1;
        what = match ask(&limited).await {
            Err(e) => Some(format!("the embedded store fails: {e}")),
            Ok(found) => (!tied(&expected, &found.rows, &among, &keys))
                .then(|| format!("not even ties explain it: expected {expected:?}, found {:?}", found.rows)),
        };
    } else if what.is_some() {
        // Without an order any is right.
        what = difference(postgres.ask(&frozen(sql, now)).await, ask(sql).await, false);
    }
    what.map(|what| format!("{sql}\n    {what}"))
}

/// What PostgreSQL says.
type Expected = Result<(Vec<String>, Vec<Vec<Value>>), String>;

/// What both say, if that is not the same.
fn difference(expected: Expected, found: Result<Answer, Error>, ordered: bool) -> Option<String> {
    match (expected, found) {
        (Err(_), Err(_)) => None,
        (Err(e), Ok(_)) => Some(format!("PostgreSQL fails: {e}, the embedded store does not")),
        (Ok(_), Err(e)) => Some(format!("the embedded store fails: {e}")),
        (Ok((names, rows)), Ok(answer)) => {
            let found_names: Vec<_> = answer.columns.iter().map(|column| column.name.clone()).collect();
            let equal = if ordered { same_rows(&rows, &answer.rows) } else { same_set(&rows, &answer.rows) };
            if names != found_names {
                return Some(format!("columns {names:?}, found {found_names:?}"));
            }
            (!equal).then(|| {
                let first =
                    rows.iter().zip(&answer.rows).find(|(a, b)| !same_rows(&[(*a).clone()], &[(*b).clone()]));
                format!("{} rows, found {}; first difference {first:?}", rows.len(), answer.rows.len())
            })
        }
    }
}

fn report(all: usize, wrong: &[String]) {
    assert!(wrong.is_empty(), "{} of {all} differ:\n{}", wrong.len(), wrong.join("\n"));
    eprintln!("{all} queries, the same answers");
}

/// The queries of a file, each ended by a semicolon at a line's end.
fn queries(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    lines
        .join("\n")
        .split(";\n")
        .map(|sql| sql.trim().trim_end_matches(';').to_owned())
        .filter(|sql| !sql.is_empty())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn our_queries_give_what_postgresql_gives() {
    let folder = tempfile::tempdir().unwrap();
    let Some(postgres) = Postgres::start(folder.path()).await else { return };
    postgres.load(&all_lines()).await;
    let logs = tempfile::tempdir().unwrap();
    let store = store(logs.path()).await;
    let bucket = in_bucket().await;
    let all = queries(include_str!("queries.sql"));
    let mut wrong = Vec::new();
    let mut compare = |sql: &str, expected: &Expected, found, where_: &str| {
        let what = difference(expected.clone(), found, true);
        wrong.extend(what.map(|what| format!("{where_}: {sql}\n    {what}")));
    };
    let failing = queries(include_str!("failing.sql"));
    for sql in all.iter().chain(&failing) {
        let expected = postgres.ask(&frozen(sql, now())).await;
        // Queries that fail in PostgreSQL must not be answered here.
        assert_eq!(expected.is_ok(), all.contains(sql), "{expected:?} of {sql}");
        let checked = Checked::trusted(sql.as_str());
        compare(sql, &expected, store.query_at(&checked, &asking(), now()).await, "in a folder");
        for (where_, store) in bucket.iter().flat_map(InBucket::ways) {
            compare(sql, &expected, store.query_at(&checked, &asking(), now()).await, where_);
        }
    }
    assert!(all.len() >= 80, "{}", all.len());
    bucket.iter().for_each(|bucket| bucket.most_were_distributed(all.len()));
    report(all.len() + failing.len(), &wrong);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_not_be_made_equal_is_refused() {
    let logs = tempfile::tempdir().unwrap();
    let store = store(logs.path()).await;
    for sql in queries(include_str!("refused.sql")) {
        let found = store.query_at(&Checked::trusted(sql.as_str()), &asking(), now()).await;
        let Err(e @ Error::Unsupported { .. }) = found else { panic!("{sql} gives {found:?}") };
        assert!(e.to_string().contains("does not support "), "{e}");
        assert!(e.text(Lang::Ko).contains("지원하지 않는"), "{e}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_gold_queries_of_the_log_questions_give_what_postgresql_gives() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../eval/logs");
    let sets = ["questions", "fifth_questions", "ninth_questions"];
    let own = sets.map(|set| own.join(format!("{set}.jsonl")));
    let folder = tempfile::tempdir().unwrap();
    let Some(postgres) = Postgres::start(folder.path()).await else { return };
    postgres.load(&all_lines()).await;
    let logs = tempfile::tempdir().unwrap();
    let store = store(logs.path()).await;
    let bucket = in_bucket().await;
    let (mut all, mut wrong) = (0, Vec::new());
    let paths = own.into_iter().chain(shared("eval/logs/dev.jsonl"));
    let text: String = paths.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let Some(sql) = entry["gold_sql"].as_str() else { continue };
        all += 1;
        let ask = async |sql: &str| store.query_at(&Checked::trusted(sql), &asking(), now()).await;
        wrong.extend(compared(&postgres, sql, now(), ask).await);
        for (where_, bucket) in bucket.iter().flat_map(InBucket::ways) {
            let ask = async |sql: &str| bucket.query_at(&Checked::trusted(sql), &asking(), now()).await;
            // PostgreSQL is asked again only where ties may be the reason.
            let same = match (store.query_at(&Checked::trusted(sql), &asking(), now()).await, ask(sql).await)
            {
                (Ok(folder), Ok(bucket)) => same_rows(&folder.rows, &bucket.rows),
                _ => false,
            };
            if !same {
                wrong.extend(
                    compared(&postgres, sql, now(), ask).await.map(|what| format!("{where_}: {what}")),
                );
            }
        }
    }
    bucket.iter().for_each(|bucket| bucket.most_were_distributed(all));
    report(all, &wrong);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_benign_queries_give_what_postgresql_gives() {
    let (Some(benign), Some(seed), Some(schema)) = (
        shared("eval/sql_guard/sql_benign.dev.jsonl"),
        shared("eval/sql_guard/seed.sql"),
        shared("eval/sql_guard/schema.json"),
    ) else {
        return skip("DURU_SHARED names no folder with further queries, in addition to queries.sql");
    };
    let folder = tempfile::tempdir().unwrap();
    let Some(postgres) = Postgres::start(folder.path()).await else { return };
    let seed = std::fs::read_to_string(seed).unwrap().replace(":'marker'", "'M'").replace(":ndel", "40");
    postgres.run(&seed).await;
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let mut table = table(&schema["tables"][0]);
    // In the order of `SELECT *`.
    let order = "SELECT column_name::text FROM information_schema.columns WHERE table_name = 'logs' AND table_schema = 'public' ORDER BY ordinal_position";
    let (_, order) = postgres.ask(order).await.unwrap();
    table.columns.sort_by_key(|column| order.iter().position(|row| row[0] == column.name.as_str()));
    let names = table.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
    let (_, rows) = postgres.ask(&format!("SELECT {names} FROM logs ORDER BY id")).await.unwrap();
    let spill = tempfile::tempdir().unwrap();
    let plain = PlainTable::new(table, rows, spill.path()).unwrap();
    let now: Timestamp = "2026-11-14T12:00:00Z".parse().unwrap();
    let (mut all, mut wrong) = (0, Vec::new());
    for line in std::fs::read_to_string(benign).unwrap().lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let sql = entry["sql"].as_str().unwrap();
        all += 1;
        let ask = async |sql: &str| plain.query(sql, &asking(), now).await;
        wrong.extend(compared(&postgres, sql, now, ask).await);
    }
    report(all, &wrong);
}

fn table(schema: &Value) -> Table {
    let kind = |name: &str| match name {
        "bigint" => Kind::Bigint,
        "integer" => Kind::Integer,
        "double precision" => Kind::Double,
        "timestamptz" => Kind::Timestamp,
        "boolean" => Kind::Boolean,
        "jsonb" => Kind::Json,
        _ => Kind::Text,
    };
    let columns = schema["columns"].as_object().unwrap().iter().map(|(name, of)| TableColumn {
        name: name.clone(),
        kind: kind(of.as_str().unwrap()),
        description: None,
        synonyms: vec![],
    });
    let mut table = Catalog::logs().tables.remove(0);
    table.columns = columns.collect();
    table
}
