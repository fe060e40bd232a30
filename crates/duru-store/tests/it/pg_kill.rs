//! Real processes die, at every failpoint of the engine and of the store, and
//! another process goes on with what they left in the database.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use duru::failpoint;
use duru::store::Checkpoints;
use duru::testkit::ledger::Ledger;
use duru::testkit::sweep::{self, ENGINE_FAILPOINTS, Ending, Report, Shown};
use duru_store::PostgresStore;

use crate::pg_server::{self, Shared, open_store};
use crate::thread;

pub(crate) const STORE_FAILPOINTS: &[&str] = &["pg.commit.sent", "pg.commit.unknown", "pg.commit.done"];

/// The process that dies. It takes a case to its end, as far as it gets.
#[tokio::test]
#[ignore = "started by the other tests as a process of its own"]
async fn child() {
    let var = |name: &str| std::env::var(name).expect("this is no test by itself");
    let (case, folder) = (var("DURU_CASE"), var("DURU_FOLDER"));
    let folder = Path::new(&folder);
    let store = Arc::new(open_store(&var("DURU_URL"), &var("DURU_SCHEMA")).await);
    if !failpoint::arm_from_env() {
        failpoint::disarm();
    }
    let ledger = Ledger::in_file(folder.join("ledger"));
    let mut shown = std::fs::File::create(folder.join("shown")).unwrap();
    let app = sweep::app(sweep::case(&case).unwrap(), store, &ledger);
    let show = &mut |event: &duru::Event| shown.write_all(Shown::of(event).to_line().as_bytes()).unwrap();
    sweep::finish(&app, show).await.unwrap();
    for (name, count) in failpoint::hits() {
        println!("hits {name} {count}");
    }
}

/// A case, and where its processes leave their traces.
struct Place<'a> {
    pg: &'a Shared,
    case: &'a str,
    schema: &'a str,
    store: Arc<PostgresStore>,
    folder: tempfile::TempDir,
}

impl<'a> Place<'a> {
    /// Empties the schema: making tables takes longer than a run.
    async fn new(pg: &'a Shared, case: &'a str, schema: &'a str) -> Self {
        let store = Arc::new(open_store(&pg.url, schema).await);
        store.delete(&thread("trip")).await.unwrap();
        Self { pg, case, schema, store, folder: tempfile::tempdir().unwrap() }
    }

    fn start_child(&self, fail_at: Option<&str>) -> std::process::Output {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "pg_kill::child", "--nocapture"]);
        command.env("DURU_CASE", self.case).env("DURU_FOLDER", self.folder.path());
        let url = format!("{}?application_name={}", self.pg.url, self.schema);
        command.env("DURU_URL", url).env("DURU_SCHEMA", self.schema);
        command.env_remove("FAIL_AT").stdin(Stdio::null());
        if let Some(fail_at) = fail_at {
            command.env("FAIL_AT", fail_at);
        }
        command.output().unwrap()
    }

    /// How often an undisturbed process passes each failpoint.
    fn hits(&self) -> BTreeMap<String, u64> {
        let output = self.start_child(None);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let hits = text.lines().filter_map(|line| line.strip_prefix("hits ")?.split_once(' '));
        hits.map(|(name, count)| (name.to_owned(), count.parse().unwrap())).collect()
    }

    async fn ending(&self) -> Result<Ending, String> {
        let mut shown = Vec::new();
        if let Ok(file) = std::fs::File::open(self.folder.path().join("shown")) {
            let mut lines = BufReader::new(file);
            let mut line = String::new();
            while lines.read_line(&mut line).unwrap() > 0 {
                shown.extend(Shown::from_line(&line));
                line.clear();
            }
        }
        self.nobody_is_left().await;
        let ledger = Ledger::in_file(self.folder.path().join("ledger"));
        sweep::ending(self.store.clone(), sweep::case(self.case).unwrap(), &ledger, &shown).await
    }
}

impl Place<'_> {
    /// Waits until the server has noticed that the process is dead: what it
    /// sent last is then written, or never will be.
    async fn nobody_is_left(&self) {
        let (client, connection) =
            tokio_postgres::connect(&self.pg.url, tokio_postgres::NoTls).await.unwrap();
        let _connection = tokio::spawn(connection);
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1";
        while client.query_one(sql, &[&self.schema]).await.unwrap().get::<_, i64>(0) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

/// Kills a case at the first, a middle and the last hit of every failpoint.
async fn sweep_case(case: &str) {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let expected = Place::new(pg, case, &schema).await.ending().await;
    let mut report = Report::default();
    for (name, count) in Place::new(pg, case, &schema).await.hits() {
        for nth in BTreeSet::from([1, count.div_ceil(2), count]) {
            let place = Place::new(pg, case, &schema).await;
            let output = place.start_child(Some(&format!("{name}:{nth}")));
            // Nodes that run at once may pass a failpoint less often in another order.
            if output.status.success() {
                continue;
            }
            let what = format!("{case} killed at {name}:{nth}");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.signal(), Some(6), "{what}: {said}");
            report.deaths += 1;
            report.hit.insert(name.clone());
            sweep::compare(&mut report, what, &expected, place.ending().await);
        }
    }
    let first: Vec<&str> = report.wrong.iter().take(3).map(String::as_str).collect();
    assert!(first.is_empty(), "{} wrong of {}:\n{}", report.wrong.len(), report.deaths, first.join("\n"));
    assert!(report.deaths >= 20, "only {} deaths", report.deaths);
    // Only steps of several tasks, questions and failures flush a task by itself.
    let flushes = !matches!(case, "chain" | "looping");
    for name in ENGINE_FAILPOINTS.iter().chain(STORE_FAILPOINTS) {
        let hit = report.hit.contains(*name);
        assert!(hit || *name == "writes.flush" && !flushes, "failpoint {name} was never hit");
    }
    println!("{case}: {} processes killed", report.deaths);
}

mod cases {
    use super::sweep_case;
    crate::kill::kill!(
        chain,
        looping,
        fan_out,
        barrier,
        subgraph,
        embedded,
        interrupt,
        error_handler,
        asking_handler
    );
}
