//! Several processes that answer one query together: the same rows as by one, whatever becomes of the others.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use datafusion_distributed::Worker;
use duru_logs::{BucketAddress, BucketLogs, Options, WorkerOptions};
use duru_sql::guard::Checked;
use duru_sql::{Error, Fault};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::bucket::{batch, ingester};
use crate::differential::asking;
use crate::rows::now;
use crate::seaweed::Seaweed;
use duru_sql::LogStore as _;

pub(crate) const SECRET: &str = "known-to-all-of-us";
const ANY: &str = "127.0.0.1:0";
/// Every query that reads a file is worth spreading.
const AT_ONCE: usize = 1;

pub(crate) fn options(peers: &[SocketAddr], secret: &str) -> WorkerOptions {
    let peers = peers.iter().map(SocketAddr::to_string).collect();
    // Nobody looks again by themselves: what a query does with somebody who is gone is tested.
    let look_every = Duration::from_secs(3_600);
    WorkerOptions { bytes_per_thread: AT_ONCE, look_every, ..WorkerOptions::new(peers, secret.to_owned()) }
}

/// One that works for others and asks nobody.
pub(crate) async fn worker(address: &BucketAddress) -> (BucketLogs, SocketAddr) {
    let store = reader(address).await;
    let listens = store.work_together(options(&[], SECRET), Some(ANY.parse().unwrap())).await.unwrap();
    (store, listens.unwrap())
}

async fn reader(address: &BucketAddress) -> BucketLogs {
    let options = Options { look_after: Duration::ZERO, threads: Some(1), ..Options::default() };
    BucketLogs::open(address, options).await.unwrap()
}

/// Lines in files and in a log that is not sealed.
async fn filled(weed: &Seaweed, folder: &Path) -> (BucketAddress, BucketLogs) {
    let address = weed.address("together", "ship=0");
    let store = ingester(&address, folder).await;
    for _ in 0..10 {
        store.append(batch(None, 130)).await.unwrap();
    }
    (address, store)
}

const BY_SERVICE: &str =
    "SELECT service, count(*), max(id) FROM logs WHERE deleted = FALSE GROUP BY service ORDER BY 2 DESC, 1";

async fn rows(store: &BucketLogs, sql: &str) -> Result<Vec<Vec<serde_json::Value>>, Error> {
    store.query_at(&Checked::trusted(sql), &asking(), now()).await.map(|answer| answer.rows)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_share_a_query_and_its_failures_arrive_as_what_they_are() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (address, alone) = filled(&weed, folder.path()).await;
    let ((_first, a), (_second, b)) = (worker(&address).await, worker(&address).await);
    let store = reader(&address).await;
    store.work_together(options(&[a, b], SECRET), None).await.unwrap();
    assert_eq!(store.workers().unwrap().ready, 2);
    assert_eq!(rows(&store, BY_SERVICE).await.unwrap(), rows(&alone, BY_SERVICE).await.unwrap());
    let seen = store.workers().unwrap();
    assert_eq!((seen.distributed, seen.fallbacks), (1, 0));
    for (sql, fault) in [
        ("SELECT max(1 / (id - id)) FROM logs WHERE deleted = FALSE", Fault::DivisionByZero),
        ("SELECT max(message::integer) FROM logs WHERE deleted = FALSE", Fault::NotOfType),
    ] {
        let Err(Error::Query { fault: found }) = rows(&store, sql).await else { panic!("{sql}") };
        assert_eq!(found, fault, "{sql}");
    }
    assert_eq!(store.workers().unwrap().fallbacks, 0, "a fault of the query is no worker's");
}

/// What would give other rows if each of several processes carried it out on its part.
const WHOLE: [&str; 8] = [
    "SELECT count(*) FROM logs WHERE deleted = FALSE",
    "SELECT count(*) AS n FROM logs WHERE deleted = FALSE UNION ALL \
     SELECT count(*) FROM logs WHERE deleted = FALSE AND level = 'ERROR' ORDER BY n",
    "SELECT count(*), max(m) FROM logs CROSS JOIN (SELECT max(id) AS m FROM logs WHERE deleted = FALSE) AS t \
     WHERE deleted = FALSE",
    "SELECT count(*) FROM (SELECT id FROM logs WHERE deleted = FALSE LIMIT 7) AS t",
    "SELECT service, count(*) FROM logs WHERE deleted = FALSE AND id > (SELECT avg(id) FROM logs WHERE deleted = FALSE) \
     GROUP BY service HAVING count(*) > (SELECT min(id) FROM logs WHERE deleted = FALSE) ORDER BY service",
    "SELECT id FROM logs WHERE deleted = FALSE ORDER BY id DESC LIMIT 5",
    "SELECT a.service, count(*) FROM logs AS a JOIN (SELECT service, max(id) AS m FROM logs WHERE deleted = FALSE \
     GROUP BY service) AS b ON a.service = b.service AND a.id <= b.m WHERE a.deleted = FALSE GROUP BY a.service ORDER BY 1",
    "SELECT id, row_number() OVER (PARTITION BY service ORDER BY id) AS n, count(*) OVER () AS of_all FROM logs \
     WHERE deleted = FALSE ORDER BY id LIMIT 50",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_not_be_divided_gives_the_same_rows_with_one_thread_and_with_several() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (address, alone) = filled(&weed, folder.path()).await;
    // In files alone: lines in memory would keep plans from being divided as badly as they could be.
    alone.seal().await.unwrap();
    let ((_first, a), (_second, b)) = (worker(&address).await, worker(&address).await);
    for threads in [1, 3] {
        let options = Options { look_after: Duration::ZERO, threads: Some(threads), ..Options::default() };
        let store = BucketLogs::open(&address, options).await.unwrap();
        store.work_together(self::options(&[a, b], SECRET), None).await.unwrap();
        for sql in WHOLE.into_iter().chain([BY_SERVICE]) {
            assert_eq!(
                rows(&store, sql).await.unwrap(),
                rows(&alone, sql).await.unwrap(),
                "{threads}: {sql}"
            );
        }
        let seen = store.workers().unwrap();
        eprintln!("{threads} threads: {seen:?}");
        // With one, what needs all rows in one place stands on the files themselves.
        assert!(seen.distributed >= if threads == 1 { 0 } else { 3 }, "{threads}: {seen:?}");
        assert_eq!(seen.fallbacks, 0, "{threads}: {seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_another_bucket_is_sent_nothing() {
    let Some(weed) = Seaweed::start() else { return };
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (address, alone) = filled(&weed, folder.path()).await;
    let other = weed.address("of-others", "ship=0");
    let _lines = ingester(&other, elsewhere.path()).await;
    let (_worker, at) = worker(&other).await;
    let store = reader(&address).await;
    store.work_together(options(&[at], SECRET), None).await.unwrap();
    assert_eq!(store.workers().unwrap().other_version, [at.to_string()]);
    assert_eq!(rows(&store, BY_SERVICE).await.unwrap(), rows(&alone, BY_SERVICE).await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_does_not_know_the_secret_is_sent_nothing_and_carries_out_nothing() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (address, alone) = filled(&weed, folder.path()).await;
    let (_worker, at) = worker(&address).await;
    let store = reader(&address).await;
    store.work_together(options(&[at], "known-to-somebody-else"), None).await.unwrap();
    let seen = store.workers().unwrap();
    assert_eq!((seen.ready, seen.silent), (0, vec![at.to_string()]));
    assert_eq!(rows(&store, BY_SERVICE).await.unwrap(), rows(&alone, BY_SERVICE).await.unwrap());
    assert_eq!(store.workers().unwrap().distributed, 0);
    let short = reader(&address).await.work_together(options(&[], "short"), None).await;
    assert!(matches!(short, Err(Error::Denied { .. })), "{short:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_of_another_version_is_named_and_not_asked() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (address, alone) = filled(&weed, folder.path()).await;
    let listener = TcpListener::bind(ANY).await.unwrap();
    let at = listener.local_addr().unwrap();
    let service = Worker::default().with_version("0.0.1/0 somebody").into_worker_server();
    let incoming = tonic::transport::server::TcpIncoming::from(listener);
    let other =
        tokio::spawn(tonic::transport::Server::builder().add_service(service).serve_with_incoming(incoming));
    let store = reader(&address).await;
    store.work_together(options(&[at], SECRET), None).await.unwrap();
    let seen = store.workers().unwrap();
    assert_eq!((seen.ready, seen.other_version), (0, vec![at.to_string()]));
    assert_eq!(rows(&store, BY_SERVICE).await.unwrap(), rows(&alone, BY_SERVICE).await.unwrap());
    assert_eq!(store.workers().unwrap().distributed, 0);
    other.abort();
}

/// What a link to a worker does.
const PASS: u8 = 0;
const CUT: u8 = 1;
const SILENT: u8 = 2;

/// Stands between a process and a worker.
async fn link(to: SocketAddr) -> (SocketAddr, Arc<AtomicU8>) {
    let listener = TcpListener::bind(ANY).await.unwrap();
    let (at, manner) = (listener.local_addr().unwrap(), Arc::new(AtomicU8::new(PASS)));
    let shared = Arc::clone(&manner);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(to).await.unwrap();
            let (client_reads, client_writes) = client.into_split();
            let (server_reads, server_writes) = server.into_split();
            tokio::spawn(pass(client_reads, server_writes, Arc::clone(&shared)));
            tokio::spawn(pass(server_reads, client_writes, Arc::clone(&shared)));
        }
    });
    (at, manner)
}

async fn pass(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    manner: Arc<AtomicU8>,
) -> Option<()> {
    let mut bytes = vec![0; 4096];
    loop {
        let read = from.read(&mut bytes).await.ok().filter(|read| *read > 0)?;
        match manner.load(Ordering::SeqCst) {
            PASS => to.write_all(&bytes[..read]).await.ok()?,
            CUT => return None,
            _ => std::future::pending().await,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_dies_or_stands_still_in_the_middle_costs_time_and_no_row() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (address, alone) = filled(&weed, folder.path()).await;
    let expected = rows(&alone, BY_SERVICE).await.unwrap();
    for manner in [CUT, SILENT] {
        let ((_first, a), (_second, b)) = (worker(&address).await, worker(&address).await);
        let (between, link) = link(b).await;
        let store = reader(&address).await;
        store.work_together(options(&[a, between], SECRET), None).await.unwrap();
        assert_eq!(rows(&store, BY_SERVICE).await.unwrap(), expected);
        let before = store.workers().unwrap();
        assert_eq!((before.ready, before.distributed, before.fallbacks), (2, 1, 0));
        link.store(manner, Ordering::SeqCst);
        assert_eq!(rows(&store, BY_SERVICE).await.unwrap(), expected, "{manner}");
        let after = store.workers().unwrap();
        assert_eq!((after.distributed, after.fallbacks), (1, 1), "{manner}");
    }
}
