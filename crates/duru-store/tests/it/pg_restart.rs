//! The server goes away and comes back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use duru::store::{Checkpoints, Error};
use duru::testkit::ledger::Ledger;
use duru::testkit::sweep;
use duru_store::{PostgresOptions, PostgresStore};

use crate::pg_server::{self, Server};
use crate::{all_rows, one_row, thread};

fn server() -> Option<(tempfile::TempDir, Server)> {
    pg_server::shared()?;
    let folder = tempfile::Builder::new().prefix("duru-pg-").tempdir().unwrap();
    let server = Server::start(folder.path());
    Some((folder, server))
}

async fn open(server: &Server, patience: Duration) -> PostgresStore {
    let options = PostgresOptions { patience, ..PostgresOptions::default() };
    PostgresStore::connect_with(&server.url(), options).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn commits_outlast_a_restart() {
    let Some((_folder, mut server)) = server() else { return };
    let store = Arc::new(open(&server, Duration::from_secs(30)).await);
    let until = Instant::now() + Duration::from_secs(4);
    let writers: Vec<_> = (0..4)
        .map(|i| {
            let store = store.clone();
            tokio::spawn(async move {
                let t = thread(&format!("t{i}"));
                let (mut head, mut longest) = (None, Duration::ZERO);
                while Instant::now() < until {
                    let began = Instant::now();
                    head = Some(store.commit(one_row(&t, head, b"{}")).await.unwrap());
                    assert_eq!(store.head(&t).await.unwrap(), head);
                    longest = longest.max(began.elapsed());
                }
                (t, head.unwrap(), longest)
            })
        })
        .collect();
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(400)).await;
        tokio::task::block_in_place(|| server.stop());
        tokio::time::sleep(Duration::from_millis(500)).await;
        tokio::task::block_in_place(|| server.resume());
    }
    for writer in writers {
        let (t, head, longest) = writer.await.unwrap();
        assert!(longest > Duration::from_millis(400), "the server was never away");
        assert_eq!(store.head(&t).await.unwrap(), Some(head));
        let rows = all_rows(&*store, &t).await;
        assert_eq!(rows.len() as u64, head.version);
        rows.iter().for_each(|row| row.verify(&t).unwrap());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stays_away_is_an_error_in_good_time() {
    let Some((_folder, mut server)) = server() else { return };
    let store = open(&server, Duration::from_millis(300)).await;
    let t = thread("t");
    let head = store.commit(one_row(&t, None, b"1")).await.unwrap();
    tokio::task::block_in_place(|| server.stop());

    let began = Instant::now();
    let errors = [
        store.commit(one_row(&t, Some(head), b"2")).await.unwrap_err(),
        store.head(&t).await.unwrap_err(),
        store.delete(&t).await.unwrap_err(),
    ];
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    for error in errors {
        assert!(matches!(error, Error::Backend { .. }), "{error}");
        assert!(error.to_string().contains("nothing listens there"), "{error}");
    }

    // It is back, and so are we.
    tokio::task::block_in_place(|| server.resume());
    assert_eq!(store.head(&t).await.unwrap(), Some(head));
    store.commit(one_row(&t, Some(head), b"2")).await.unwrap();
    assert_eq!(all_rows(&store, &t).await.len(), 2);
}

/// A run goes on as if nothing had happened, or fails and can be resumed.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_outlasts_a_restart_or_can_be_resumed() {
    let Some((_folder, mut server)) = server() else { return };
    let case = sweep::case("looping").unwrap();
    let mut failed = 0;
    let expected = sweep::undisturbed(case, Arc::new(duru::store::MemoryStore::new())).await.unwrap();
    for round in 0..3_u64 {
        let (schema, url) = (format!("round{round}"), server.url());
        let open = async |patience| {
            let options = PostgresOptions { schema: schema.clone(), patience, ..PostgresOptions::default() };
            PostgresStore::connect_with(&url, options).await.unwrap()
        };
        // The first has no patience at all.
        let store = Arc::new(open(Duration::from_secs(round * 20)).await);
        let ledger = Ledger::in_memory();
        let run = tokio::spawn({
            let ledger = ledger.clone();
            async move {
                let mut shown = Vec::new();
                let app = sweep::app(case, store, &ledger);
                let result = sweep::finish(&app, &mut |event| shown.push(sweep::Shown::of(event))).await;
                (result, shown)
            }
        });
        // It dies somewhere in the middle, or before, or after.
        tokio::time::sleep(Duration::from_millis(5 * round)).await;
        tokio::task::block_in_place(|| server.stop());
        tokio::time::sleep(Duration::from_millis(200)).await;
        tokio::task::block_in_place(|| server.resume());
        let (result, shown) = run.await.unwrap();
        if let Err(error) = result {
            assert!(round == 0, "{error}");
            failed += 1;
        }
        let store = Arc::new(open(Duration::from_secs(20)).await);
        assert_eq!(sweep::ending(store, case, &ledger, &shown).await.unwrap(), expected);
    }
    assert_eq!(failed, 1, "the run without patience did not notice");
}
