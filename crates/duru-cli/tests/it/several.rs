//! Several servers on one database are one server, though one of them is killed every few seconds.
//! `cargo xtask soak replicas` is the long one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::pg_cluster::{Server, programs};
use crate::pg_server::skip;
use crate::replicas::{self, Plan, Report};

#[tokio::test]
async fn replicas_lose_and_double_nothing_while_they_are_killed() {
    if programs().is_none() {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "there is no PostgreSQL 15");
        return skip("there is no PostgreSQL 15 in /usr/lib/postgresql");
    }
    // On a busy machine a server may be killed while nobody listens to it: then once more.
    for _ in 0..3 {
        let report = storm(1).await;
        println!("{report}");
        assert!(report.is_well() && report.kills > 0, "{report}");
        if report.breaks > 0 {
            break;
        }
    }
}

/// The same on two databases, each with some of the threads.
#[tokio::test]
async fn replicas_on_two_databases_lose_and_double_nothing_while_they_are_killed() {
    if programs().is_none() {
        return skip("there is no PostgreSQL 15 in /usr/lib/postgresql");
    }
    let report = storm(2).await;
    println!("{report}");
    assert!(report.is_well() && report.kills > 0, "{report}");
}

async fn storm(databases: usize) -> Report {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (data, database) = (folder.path().join("servers"), folder.path().join("database"));
    std::fs::create_dir(&data).unwrap();
    std::fs::create_dir(&database).unwrap();
    let server = Server::start(&database);
    let (store, _others) = replicas::shards(&data, server.url(), databases).unwrap();
    let plan = Plan {
        program: env!("CARGO_BIN_EXE_duru").into(),
        store,
        database: server.url(),
        folder: data,
        replicas: 3,
        clients: 6,
        time: Duration::from_secs(6),
        between: 1.0..1.5,
        stop: Arc::new(AtomicBool::new(false)),
    };
    replicas::run(&plan).await.unwrap()
}
