//! The engine's crash sweeps on PostgreSQL. Failpoints are one per process, so
//! each sweep runs in a process of its own.

use std::process::{Command, Stdio};
use std::sync::Arc;

use duru::store::Checkpoints;
use duru::testkit::sweep::{self, ENGINE_FAILPOINTS, Report};
use duru_store::PostgresStore;

use crate::pg_kill::STORE_FAILPOINTS;
use crate::{pg_server, thread};

fn child(test: &str) {
    if pg_server::shared().is_none() {
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", test, "--nocapture"])
        .env("DURU_SWEEP", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    print!("{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn judge(report: &Report, deaths: usize) {
    let first: Vec<&str> = report.wrong.iter().take(3).map(String::as_str).collect();
    assert!(first.is_empty(), "{} wrong of {}:\n{}", report.wrong.len(), report.deaths, first.join("\n"));
    assert!(report.deaths >= deaths, "only {} deaths", report.deaths);
    println!("{} runs killed", report.deaths);
}

/// One store for the whole sweep, emptied each time: making tables takes longer
/// than a run.
struct Place(Arc<PostgresStore>);

impl Place {
    async fn new() -> Self {
        assert!(std::env::var_os("DURU_SWEEP").is_some(), "this is no test by itself");
        Self(Arc::new(pg_server::shared().unwrap().store().await))
    }

    async fn make(&self) -> Arc<dyn Checkpoints> {
        self.0.delete(&thread("trip")).await.unwrap();
        assert_eq!(self.0.threads(0, 1).await.unwrap(), []);
        self.0.clone()
    }
}

#[test]
fn over_store_calls() {
    child("pg_sweep::child_store_calls");
}

#[tokio::test]
#[ignore = "a child of the test above"]
async fn child_store_calls() {
    let place = Place::new().await;
    judge(&sweep::over_store_calls(async || place.make().await).await, 200);
}

#[test]
fn over_failpoints() {
    child("pg_sweep::child_failpoints");
}

#[tokio::test]
#[ignore = "a child of the test above"]
async fn child_failpoints() {
    let place = Place::new().await;
    let report = sweep::over_failpoints(async || place.make().await).await;
    judge(&report, 400);
    for name in ENGINE_FAILPOINTS.iter().chain(STORE_FAILPOINTS) {
        assert!(report.hit.contains(*name), "failpoint {name} was never hit");
    }
}
