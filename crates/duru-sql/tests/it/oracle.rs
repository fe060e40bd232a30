//! Two databases that differ only in what must not be seen. A query whose
//! results differ between them has leaked something.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use duru_sql::Catalog;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use crate::pg_cluster::{Server, programs};

const TIMEOUT: Duration = Duration::from_secs(2);
const LARGEST: usize = 8_000_000;

/// Attacks and what people ask, with what makes the two databases.
pub(crate) struct Attacks {
    pub(crate) catalog: Catalog,
    /// A script with the variables `marker`, and `hidden` or `ndel`.
    pub(crate) seed: PathBuf,
    pub(crate) attacks: Vec<Item>,
    pub(crate) benign: Vec<Item>,
}

impl Attacks {
    /// Our own, and those of the folder that `DURU_SHARED` names, in addition.
    pub(crate) fn sets() -> Vec<Self> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../eval/guard");
        let benign = crate::legitimate::QUERIES.iter().enumerate();
        let benign = benign.map(|(at, sql)| Item {
            id: format!("legitimate {at}"),
            class: "benign".into(),
            sql: (*sql).to_owned(),
            must_be_refused: false,
        });
        let mut sets = vec![Self {
            catalog: Catalog::logs(),
            seed: own.join("seed.sql"),
            attacks: items(&own.join("attacks.jsonl")),
            benign: benign.collect(),
        }];
        let shared = std::env::var_os("DURU_SHARED").map(|shared| Path::new(&shared).join("eval/sql_guard"));
        if let Some(folder) = shared.filter(|folder| folder.exists()) {
            let schema = std::fs::read_to_string(folder.join("schema.json")).unwrap();
            sets.push(Self {
                catalog: Catalog::read_json(&schema).unwrap(),
                seed: folder.join("seed.sql"),
                attacks: items(&folder.join("sql_attacks.dev.jsonl")),
                benign: items(&folder.join("sql_benign.dev.jsonl")),
            });
        }
        sets
    }

    /// What `psql` needs to make one of the databases.
    pub(crate) fn seeding(&self, marker: &str, hidden: &str) -> Vec<String> {
        let variables = [format!("marker={marker}"), format!("hidden={hidden}"), format!("ndel={hidden}")];
        let variables = variables.into_iter().flat_map(|variable| ["-v".to_owned(), variable]);
        variables.chain(["-f".to_owned(), self.seed.to_str().unwrap().to_owned()]).collect()
    }
}

/// One line of the attacks or of the benign queries.
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) class: String,
    pub(crate) sql: String,
    pub(crate) must_be_refused: bool,
}

pub(crate) fn items(file: &Path) -> Vec<Item> {
    let lines = std::fs::read_to_string(file).unwrap();
    let item = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        Item {
            id: text("id"),
            class: text("class"),
            sql: text("sql"),
            must_be_refused: line["expect"] == "reject",
        }
    };
    lines.lines().map(item).collect()
}

/// What a query gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Rows(Vec<Vec<Option<String>>>),
    Error(String),
    TimedOut,
}

/// What must never happen.
#[derive(Debug)]
#[allow(dead_code, reason = "shown when a test fails")]
pub(crate) enum Finding {
    /// The two databases answer differently.
    Leak,
    /// The database had to refuse what the guard let through.
    Denied(String),
    /// A function that does more than read, or that is not PostgreSQL's own.
    Calls(String),
    TooLarge(usize),
    TooLong(Duration),
}

pub(crate) struct Oracle {
    runtime: Runtime,
    /// The two, and one that has nothing to hide.
    databases: [Client; 3],
    /// Names of functions that only do harm here.
    harmful: HashSet<String>,
    // Stopped, then removed, after the connections.
    _server: Server,
    _folder: tempfile::TempDir,
}

impl Oracle {
    pub(crate) fn start(set: &Attacks) -> Option<Self> {
        if programs().is_none() {
            eprintln!("\n*** skipped: there is no PostgreSQL 15 in /usr/lib/postgresql ***\n");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path());
        for (database, marker, hidden) in
            [("sec_a", "AAA", "20"), ("sec_b", "BBBB", "33"), ("bare", "A", "0")]
        {
            psql(&server, "postgres", &["-c", &format!("CREATE DATABASE {database}")]);
            let seeding = set.seeding(marker, hidden);
            psql(&server, database, &seeding.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let connect = |user: &str, database: &str| {
            let parameters = format!("host=127.0.0.1 port={} user={user} dbname={database}", server.port);
            runtime.block_on(async {
                let (client, connection) = tokio_postgres::connect(&parameters, NoTls).await.unwrap();
                tokio::spawn(connection);
                client
            })
        };
        let owner = connect("duru", "sec_a");
        let harmful = runtime.block_on(async {
            let sql = "SELECT DISTINCT proname::text FROM pg_proc WHERE pronamespace <> 'pg_catalog'::regnamespace \
                       OR provolatile = 'v' AND proname NOT IN ('random', 'clock_timestamp') \
                       OR proname ~ '^(pg_|has_|inet_server|to_reg|current_setting|version$|.*_to_xml)'";
            owner.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
        });
        let databases = ["sec_a", "sec_b", "bare"].map(|database| connect("analyst_ro", database));
        let settings = format!("SET statement_timeout = {}; SET TimeZone = 'UTC'", TIMEOUT.as_millis());
        for client in &databases {
            runtime.block_on(client.batch_execute(&settings)).unwrap();
        }
        Some(Self { runtime, databases, harmful, _server: server, _folder: folder })
    }

    /// What a query would give if nothing had to be hidden from it.
    pub(crate) fn run_unguarded(&self, sql: &str) -> Outcome {
        self.run(2, sql)
    }

    /// Runs a query in one of the databases, at most 1,000 rows of it.
    pub(crate) fn run(&self, database: usize, sql: &str) -> Outcome {
        let client = &self.databases[database];
        let script = format!(
            "BEGIN READ ONLY; DECLARE guard_c NO SCROLL CURSOR FOR {sql}; FETCH 1000 FROM guard_c; ROLLBACK"
        );
        self.runtime.block_on(async {
            match client.simple_query(&script).await {
                Ok(messages) => Outcome::Rows(messages.iter().filter_map(row).collect()),
                Err(error) => {
                    client.batch_execute("ROLLBACK").await.unwrap();
                    match error.as_db_error() {
                        Some(error) if error.code().code() == "57014" => Outcome::TimedOut,
                        Some(error) => {
                            Outcome::Error(format!("{}: {}", error.code().code(), error.message()))
                        }
                        None => Outcome::Error(error.to_string()),
                    }
                }
            }
        })
    }

    /// What is wrong with a query that the guard has passed.
    pub(crate) fn judge(&self, sql: &str) -> Option<Finding> {
        // What stands in a string is not called; quotes in it are doubled.
        let bare: String = sql.split('\'').step_by(2).collect();
        if let Some(name) = called(&bare).find(|name| self.harmful.contains(*name)) {
            return Some(Finding::Calls(name.to_owned()));
        }
        let start = Instant::now();
        let first = self.run(0, sql);
        let taken = start.elapsed();
        match &first {
            Outcome::Error(text) if text.contains("permission denied") => {
                return Some(Finding::Denied(text.clone()));
            }
            Outcome::Rows(rows) => {
                let size: usize = rows.iter().flatten().flatten().map(String::len).sum();
                if size > LARGEST {
                    return Some(Finding::TooLarge(size));
                }
            }
            _ => {}
        }
        if taken > TIMEOUT + Duration::from_secs(8) {
            return Some(Finding::TooLong(taken));
        }
        let second = self.run(1, sql);
        match (&first, &second) {
            // A query that one of them did not finish in time says nothing.
            (Outcome::TimedOut, _) | (_, Outcome::TimedOut) => None,
            (one, other) if one == other => None,
            _ => Some(Finding::Leak),
        }
    }
}

/// The values of a row, if it is one.
pub(crate) fn row(message: &SimpleQueryMessage) -> Option<Vec<Option<String>>> {
    match message {
        SimpleQueryMessage::Row(row) => {
            Some((0..row.len()).map(|index| row.get(index).map(str::to_owned)).collect())
        }
        _ => None,
    }
}

/// Every name that an opening parenthesis follows at once: before the columns of an
/// alias stands a space.
fn called(sql: &str) -> impl Iterator<Item = &str> {
    sql.match_indices('(').filter_map(|(end, _)| {
        let before = sql[..end].trim_end_matches('"');
        let word = |character: char| character.is_alphanumeric() || character == '_';
        let start = before.char_indices().rev().take_while(|(_, character)| word(*character)).last()?.0;
        Some(&before[start..])
    })
}

fn psql(server: &Server, database: &str, args: &[&str]) {
    let mut command = Command::new(programs().unwrap().join("psql"));
    command.args(["-q", "-h", "127.0.0.1", "-U", "duru", "-v", "ON_ERROR_STOP=1", "-p"]);
    command.arg(server.port.to_string()).args(args).arg(database);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
