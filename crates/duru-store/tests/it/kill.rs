//! Real processes die, at every failpoint of the engine and of the store, and
//! another process goes on with what they left in the file.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use duru::failpoint;
use duru::testkit::ledger::Ledger;
use duru::testkit::sweep::{self, ENGINE_FAILPOINTS, Ending, Report, Shown};
use duru_store::SqliteStore;

const STORE_FAILPOINTS: &[&str] = &["store.commit.begin", "store.commit.written", "store.commit.done"];

/// The process that dies. It takes a case to its end, as far as it gets.
#[tokio::test]
#[ignore = "started by the other tests as a process of its own"]
async fn child() {
    let (Ok(case), Ok(folder)) = (std::env::var("DURU_CASE"), std::env::var("DURU_FOLDER")) else {
        panic!("this is no test by itself");
    };
    let folder = Path::new(&folder);
    if !failpoint::arm_from_env() {
        failpoint::disarm();
    }
    let store = Arc::new(SqliteStore::open(folder.join("trip.db")).unwrap());
    let ledger = Ledger::in_file(folder.join("ledger"));
    let mut shown = std::fs::File::create(folder.join("shown")).unwrap();
    let app = sweep::app(sweep::case(&case).unwrap(), store, &ledger);
    let show = &mut |event: &duru::Event| shown.write_all(Shown::of(event).to_line().as_bytes()).unwrap();
    sweep::finish(&app, show).await.unwrap();
    for (name, count) in failpoint::hits() {
        println!("hits {name} {count}");
    }
}

fn start_child(case: &str, folder: &Path, fail_at: Option<&str>) -> std::process::Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "kill::child", "--nocapture"]);
    command.env("DURU_CASE", case).env("DURU_FOLDER", folder).env_remove("FAIL_AT").stdin(Stdio::null());
    if let Some(fail_at) = fail_at {
        command.env("FAIL_AT", fail_at);
    }
    command.output().unwrap()
}

/// How often an undisturbed process passes each failpoint.
fn hits(case: &str) -> BTreeMap<String, u64> {
    let folder = tempfile::tempdir().unwrap();
    let output = start_child(case, folder.path(), None);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let hits = text.lines().filter_map(|line| line.strip_prefix("hits ")?.split_once(' '));
    hits.map(|(name, count)| (name.to_owned(), count.parse().unwrap())).collect()
}

async fn ending(case: &str, folder: &Path) -> Result<Ending, String> {
    let mut shown = Vec::new();
    if let Ok(file) = std::fs::File::open(folder.join("shown")) {
        let mut lines = BufReader::new(file);
        let mut line = String::new();
        while lines.read_line(&mut line).unwrap() > 0 {
            shown.extend(Shown::from_line(&line));
            line.clear();
        }
    }
    let store = Arc::new(SqliteStore::open(folder.join("trip.db")).map_err(|error| error.to_string())?);
    sweep::ending(store, sweep::case(case).unwrap(), &Ledger::in_file(folder.join("ledger")), &shown).await
}

/// Kills a case at every hit of every failpoint.
async fn sweep_case(case: &str) {
    let undisturbed = tempfile::tempdir().unwrap();
    let expected = ending(case, undisturbed.path()).await;
    let mut report = Report::default();
    for (name, count) in hits(case) {
        for nth in 1..=count {
            let folder = tempfile::tempdir().unwrap();
            let output = start_child(case, folder.path(), Some(&format!("{name}:{nth}")));
            // Nodes that run at once may pass a failpoint less often in another order.
            if output.status.success() {
                continue;
            }
            let place = format!("{case} killed at {name}:{nth}");
            assert_eq!(
                output.status.signal(),
                Some(6),
                "{place}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            report.deaths += 1;
            report.hit.insert(name.clone());
            sweep::compare(&mut report, place, &expected, ending(case, folder.path()).await);
        }
    }
    let first: Vec<&str> = report.wrong.iter().take(3).map(String::as_str).collect();
    assert!(first.is_empty(), "{} wrong of {}:\n{}", report.wrong.len(), report.deaths, first.join("\n"));
    assert!(report.deaths >= 40, "only {} deaths", report.deaths);
    let hit: BTreeSet<&str> = report.hit.iter().map(String::as_str).collect();
    // Only steps of several tasks, questions and failures flush a task by itself.
    let everywhere = ENGINE_FAILPOINTS.iter().filter(|name| **name != "writes.flush").chain(STORE_FAILPOINTS);
    for name in everywhere {
        assert!(hit.contains(name), "failpoint {name} was never hit");
    }
    if !matches!(case, "chain" | "looping") {
        assert!(hit.contains("writes.flush"), "failpoint writes.flush was never hit");
    }
    println!("{case}: {} processes killed", report.deaths);
}

/// A test for each case, by the `sweep_case` of whoever asks.
macro_rules! kill {
    ($($name:ident),*) => {
        $(
            #[tokio::test]
            async fn $name() {
                sweep_case(stringify!($name)).await;
            }
        )*

        /// Every case is killed, none is forgotten here.
        #[test]
        fn every_case_is_swept() {
            let swept: Vec<&str> = vec![$(stringify!($name)),*];
            let all: Vec<&str> = duru::testkit::cases::CASES.iter().map(|case| case.name).collect();
            assert_eq!(swept, all);
        }
    };
}

pub(crate) use kill;

mod cases {
    use super::sweep_case;
    kill!(chain, looping, fan_out, barrier, subgraph, embedded, interrupt, error_handler, asking_handler);
}
