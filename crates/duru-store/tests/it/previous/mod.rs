//! What every version before has written is opened, migrated, read and gone on with.
//!
//! `tests/fixtures/` has a folder for every pair of schemas, e.g. `sqlite6-postgres8`: a database of SQLite, a dump of
//! PostgreSQL, and what was read from each when it was written. Before a schema is changed, write those of today:
//!
//! ```text
//! cargo test -p duru-store --test it -- --ignored --exact previous::write_the_fixtures_of_this_version
//! ```

mod content;

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use duru::store::{Claim, EntryKind, Owner, RunStatus, Worker};
use duru::{HistoryQuery, Outcome, Source, ThreadState, Unfinished};
use duru_store::SqliteStore;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;
use tokio_postgres::{Client, NoTls};

use self::content::{Store, described, fill, of};
use crate::pg_cluster::programs;
use crate::pg_server::{self, open_store};

/// The schema's name in the dumps. It stands in the text of functions, too, and is nothing else's name there.
const SCHEMA: &str = "written_by_the_version_before";

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn pack(path: &Path, bytes: &[u8]) {
    let mut file = GzEncoder::new(File::create(path).unwrap(), Compression::best());
    file.write_all(bytes).unwrap();
    file.finish().unwrap();
}

fn unpack(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

/// One version's folder.
fn folders() -> Vec<PathBuf> {
    let folders: Vec<PathBuf> =
        fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!folders.is_empty(), "there are no fixtures");
    folders
}

fn expected(folder: &Path, of: &str) -> Value {
    serde_json::from_slice(&unpack(&folder.join(format!("{of}.json.gz")))).unwrap()
}

async fn admin(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Goes on with what was left: a question, one inside a subgraph, a failure, an idle thread, a run of a dead worker.
async fn go_on<S: Store>(store: &Arc<S>) {
    let lines = async |name: &str| {
        let state = of(store, name).state().await.unwrap();
        assert!(state.tasks.is_empty(), "{name} is not done");
        state.values["lines"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned()
    };
    of(store, "waits").resume(true).await.unwrap().done().unwrap();
    assert_eq!(lines("waits").await, "answered true");
    of(store, "waits inside").resume("kim").await.unwrap().done().unwrap();
    assert_eq!(lines("waits inside").await, "nest and kim");
    let failed = of(store, "failed");
    assert!(
        matches!(failed.go_on().await.unwrap(), Outcome::Failed(_)),
        "what it was planned to do is done again"
    );
    failed.invoke(content::forgiving()).on_unfinished(Unfinished::Discard).await.unwrap().done().unwrap();
    for name in ["finished", "edited", "forked", "rolled back", "pruned", "long"] {
        let before = of(store, name).state().await.unwrap().values["total"].as_u64().unwrap();
        of(store, name).invoke(content::forgiving()).await.unwrap().done().unwrap();
        assert_eq!(of(store, name).state().await.unwrap().values["total"], before + 1, "{name}");
    }
    let worker = Worker { owner: Owner::named("worker of today"), lease_ms: 60_000 };
    let claim = Claim { worker, limit: 10, gone: Vec::new(), most_deaths: 5 };
    let claimed = store.claim(claim).await.unwrap().runs;
    assert_eq!(claimed.len(), 1, "one run of a thread at a time");
    assert_eq!((claimed[0].id.as_u128(), claimed[0].status, claimed[0].attempt), (3, RunStatus::Running, 2));
    assert!(of(store, "waits").delete().await.unwrap());
    assert!(store.remove(EntryKind::Cron, "every morning").await.unwrap());
}

/// What an index finds is what looking at everything finds.
async fn find<S: Store>(store: &Arc<S>) {
    let mut found = 0;
    for summary in store.threads(0, 1000).await.unwrap() {
        let thread = of(store, summary.thread.as_str());
        let all = thread.history(1000).await.unwrap();
        for past in &all {
            let at = thread.state_at(past.checkpoint.unwrap()).await.unwrap();
            assert_eq!((at.values, at.parent), (past.values.clone(), past.parent), "{}", summary.thread);
        }
        for source in Source::ALL {
            let of_source = thread.history(HistoryQuery::new().source(source).limit(1000)).await.unwrap();
            let wanted: Vec<_> = all.iter().filter(|past| past.source == Some(source)).collect();
            let checkpoints = |states: Vec<&ThreadState>| -> Vec<_> {
                states.into_iter().map(|past| (past.checkpoint, past.values.clone())).collect()
            };
            found += wanted.len();
            assert_eq!(checkpoints(of_source.iter().collect()), checkpoints(wanted), "{source}");
        }
    }
    assert!(found > 80, "{found}");
}

#[tokio::test]
async fn an_sqlite_store_of_every_version_before_opens_migrates_and_goes_on() {
    for folder in folders() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("duru.db");
        fs::write(&path, unpack(&folder.join("sqlite.db.gz"))).unwrap();
        let store = Arc::new(SqliteStore::open(&path).unwrap());
        assert_eq!(described(&store).await, expected(&folder, "sqlite"), "{}", folder.display());
        find(&store).await;
        go_on(&store).await;
        drop(store);
        // What was gone on with is there after the next start.
        let store = Arc::new(SqliteStore::open(&path).unwrap());
        assert_eq!(of(&store, "finished").state().await.unwrap().values["total"], 3);
    }
}

#[tokio::test]
async fn a_postgres_store_of_every_version_before_opens_migrates_and_goes_on() {
    let Some(pg) = pg_server::shared() else { return };
    for folder in folders() {
        let schema = pg.fresh_schema();
        let dump = String::from_utf8(unpack(&folder.join("postgres.sql.gz"))).unwrap();
        admin(&pg.url).await.batch_execute(&dump.replace(SCHEMA, &schema)).await.unwrap();
        let store = Arc::new(open_store(&pg.url, &schema).await);
        assert_eq!(described(&store).await, expected(&folder, "postgres"), "{}", folder.display());
        find(&store).await;
        go_on(&store).await;
        drop(store);
        let store = Arc::new(open_store(&pg.url, &schema).await);
        assert_eq!(of(&store, "finished").state().await.unwrap().values["total"], 3);
    }
}

/// The dump of a schema as statements that any client can send.
fn dumped(url: &str) -> String {
    let mut dump = Command::new(programs().unwrap().join("pg_dump"));
    dump.args(["--schema", SCHEMA, "--inserts", "--no-owner", "--no-privileges", "--dbname", url]);
    let output = dump.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    // What begins with a backslash is for psql, and what is set is for the session.
    let kept = text.lines().filter(|line| !line.starts_with('\\') && !line.starts_with("--"));
    kept.map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
#[ignore = "writes the fixtures of this version; see above"]
async fn write_the_fixtures_of_this_version() {
    let pg = pg_server::shared().unwrap();
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("duru.db");
    let store = Arc::new(SqliteStore::open(&path).unwrap());
    fill(&store).await;
    let of_sqlite = described(&store).await;
    drop(store);
    let conn = rusqlite::Connection::open(&path).unwrap();
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA journal_mode = DELETE").unwrap();
    let sqlite: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    drop(conn);

    let client = admin(&pg.url).await;
    client.batch_execute(&format!("DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")).await.unwrap();
    let store = Arc::new(open_store(&pg.url, SCHEMA).await);
    fill(&store).await;
    let of_postgres = described(&store).await;
    drop(store);
    let sql = format!("SELECT max(version) FROM {SCHEMA}.migrations");
    let postgres: i64 = client.query_one(&sql, &[]).await.unwrap().get(0);

    let folder = fixtures().join(format!("sqlite{sqlite}-postgres{postgres}"));
    fs::create_dir_all(&folder).unwrap();
    pack(&folder.join("sqlite.db.gz"), &fs::read(&path).unwrap());
    pack(&folder.join("postgres.sql.gz"), dumped(&pg.url).as_bytes());
    for (name, content) in [("sqlite", of_sqlite), ("postgres", of_postgres)] {
        pack(&folder.join(format!("{name}.json.gz")), &serde_json::to_vec(&content).unwrap());
    }
}
