//! Nothing that was deleted comes back: not at another server, not to another person, not by a run that was about to begin.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use duru::store::{
    Checkpoints, Commit, Error, Head, MemoryStore, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer,
};
use duru::{Cx, END, ErasedGraph, Graph, Namespace, Result, State, ThreadId, ThreadLog};
use duru_server::{Keys, NewKey, People, Security, Server, Stores};
use duru_store::{PostgresOptions, PostgresStore, SqliteStore};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::pg_server;

const SECRET: &str = "KIM-SECRET";

/// Ends of streams and of runs come long before this.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

#[derive(State, Clone)]
struct Diary {
    #[merge(append)]
    lines: Vec<String>,
    /// All of them, to be found by.
    text: String,
}

/// Each turn keeps what it was told.
fn diary() -> ErasedGraph {
    let mut g = Graph::<Diary>::new("diary");
    let count =
        g.node("write", |s: Arc<Diary>, _: Cx| async move { Ok(DiaryUpdate::new().text(s.lines.join(" "))) });
    g.start(count).edge(count, END);
    g.compile().unwrap().erased()
}

/// A running server, and the keys of two people.
pub(crate) struct Replica {
    address: String,
    pub(crate) kim: String,
    park: String,
    _stop: DropGuard,
}

async fn key(stores: &Stores, name: &str) -> String {
    let new = NewKey { name: name.into(), per_second: Some(5000), ..NewKey::default() };
    Keys::new(stores.catalog.clone()).add(new).await.unwrap().0
}

pub(crate) async fn replica(stores: Stores) -> Replica {
    let (kim, park) = (key(&stores, "kim").await, key(&stores, "park").await);
    let server = Server::new(stores).graph(diary()).security(Security::default());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    Replica { address, kim, park, _stop: stop.drop_guard() }
}

impl Replica {
    /// Sends a request and leaves its answer to be read.
    pub(crate) async fn begin(&self, key: &str, line: &str, body: Option<Value>) -> TcpStream {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = format!(
            "{line} HTTP/1.1\r\nconnection: close\r\nhost: {}\r\nx-api-key: {key}\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    /// The status and everything that came.
    async fn ask(&self, key: &str, line: &str, body: Option<Value>) -> (u16, String) {
        let mut stream = self.begin(key, line, body).await;
        let mut bytes = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("an answer").unwrap();
        let text = String::from_utf8(bytes).unwrap();
        (text.split(' ').nth(1).unwrap().parse().unwrap(), text)
    }

    pub(crate) async fn make(&self, key: &str, thread: &str) {
        let (status, said) = self.ask(key, "POST /threads", Some(json!({ "thread_id": thread }))).await;
        assert_eq!(status, 200, "{said}");
    }

    pub(crate) async fn turn(&self, key: &str, thread: &str, line: &str) -> String {
        let run = json!({ "assistant_id": "diary", "input": { "lines": [line] } });
        let (status, said) = self.ask(key, &format!("POST /threads/{thread}/runs/wait"), Some(run)).await;
        assert_eq!(status, 200, "{said}");
        said
    }

    async fn lines(&self, key: &str, thread: &str) -> Value {
        let (status, said) = self.ask(key, &format!("GET /threads/{thread}/state"), None).await;
        assert_eq!(status, 200, "{said}");
        let body = &said[said.find('{').unwrap()..=said.rfind('}').unwrap()];
        serde_json::from_str::<Value>(body).unwrap()["values"]["lines"].clone()
    }

    /// Everything that a person is shown of a thread, whichever way they ask.
    async fn everything(&self, key: &str, thread: &str) -> String {
        let mut all = String::new();
        for (line, body) in [
            (format!("GET /threads/{thread}"), None),
            (format!("GET /threads/{thread}/state"), None),
            (format!("POST /threads/{thread}/history"), Some(json!({ "limit": 100 }))),
            ("POST /threads/search".into(), Some(json!({ "text": SECRET, "select": ["thread_id"] }))),
            ("POST /threads/search".into(), Some(json!({ "ids": [thread] }))),
            (format!("GET /threads/{thread}/runs"), None),
        ] {
            let (status, said) = self.ask(key, &line, body).await;
            assert_eq!(status, 200, "{line}: {said}");
            // What was asked for is not what was found.
            assert!(!said.contains(SECRET), "{line}: {said}");
            all += &said;
        }
        all
    }
}

pub(crate) fn fresh() -> String {
    let id = duru::RunId::random(duru::Clock::now_ms(&duru::SystemClock));
    id.to_string()
}

/// Threads of kim's that are warm at one server are removed at another, or by an erasure; park makes them again.
async fn nothing_comes_back(here: &Replica, there: &Replica, stores: &Stores) {
    for (round, erased) in [false, true, false].into_iter().enumerate() {
        let thread = fresh();
        here.make(&here.kim, &thread).await;
        here.turn(&here.kim, &thread, SECRET).await;
        here.turn(&here.kim, &thread, "more").await;
        let (status, found) =
            here.ask(&here.kim, "POST /threads/search", Some(json!({ "text": SECRET }))).await;
        assert!(status == 200 && found.contains(&thread), "what was said is not at hand: {found}");
        // Somebody still reads along.
        let along = json!({ "channels": ["values", "updates", "lifecycle"], "since": 0 });
        let mut along =
            here.begin(&here.kim, &format!("POST /threads/{thread}/stream/events"), Some(along)).await;
        let mut seen = String::new();
        while !seen.contains(SECRET) {
            let mut bytes = vec![0; 4096];
            let more = timeout(PATIENCE, along.read(&mut bytes)).await.expect("events").unwrap();
            assert!(more > 0, "the stream ends too early: {seen}");
            seen += &String::from_utf8_lossy(&bytes[..more]);
        }
        if erased {
            let id = ThreadId::new(&thread).unwrap();
            assert_eq!(People::new(stores.clone()).remove_thread(&id).await.unwrap(), 2);
        } else {
            let (status, said) = there.ask(&there.kim, &format!("DELETE /threads/{thread}"), None).await;
            assert_eq!(status, 204, "{said}");
        }
        there.make(&there.park, &thread).await;
        there.turn(&there.park, &thread, "park's").await;
        let said = there.turn(&there.park, &thread, "and more").await;
        assert!(!said.contains(SECRET));
        // As far as kim had come: the versions are the same.
        let run = json!({
            "assistant_id": "diary", "input": { "lines": ["hello"] }, "stream_mode": ["values", "updates", "debug"],
        });
        let (status, shown) =
            here.ask(&here.park, &format!("POST /threads/{thread}/runs/stream"), Some(run)).await;
        assert!(status == 200 && shown.contains("hello"), "{shown}");
        assert!(!shown.contains(SECRET), "round {round}: the next owner is shown {shown}");
        there.turn(&there.park, &thread, "bye").await;
        for replica in [here, there] {
            assert_eq!(
                replica.lines(&replica.park, &thread).await,
                json!(["park's", "and more", "hello", "bye"])
            );
            replica.everything(&replica.park, &thread).await;
            assert_eq!(replica.ask(&replica.kim, &format!("GET /threads/{thread}"), None).await.0, 404);
        }
        // Who read along was told nothing of the next owner, and was sent away.
        let mut bytes = Vec::new();
        timeout(PATIENCE, along.read_to_end(&mut bytes)).await.expect("the stream ends").unwrap();
        seen += &String::from_utf8_lossy(&bytes);
        assert!(!seen.contains("park's") && !seen.contains("hello"), "{seen}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_thread_does_not_come_back_at_the_other_of_two_servers() {
    let stores = Stores::of(Arc::new(MemoryStore::new()));
    nothing_comes_back(&replica(stores.clone()).await, &replica(stores.clone()).await, &stores).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_thread_does_not_come_back_at_the_other_of_two_servers_on_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Stores::of(Arc::new(SqliteStore::open(folder.path().join("threads.db")).unwrap()));
    nothing_comes_back(&replica(open()).await, &replica(open()).await, &open()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_thread_does_not_come_back_at_the_other_of_two_servers_on_one_postgres() {
    let Some(pg) = pg_server::shared() else { return };
    let options = PostgresOptions { schema: pg.fresh_schema(), ..PostgresOptions::default() };
    let open =
        async || Stores::of(Arc::new(PostgresStore::connect_with(&pg.url, options.clone()).await.unwrap()));
    let (here, there) = (replica(open().await).await, replica(open().await).await);
    nothing_comes_back(&here, &there, &open().await).await;
}

/// A store that holds up the commits that make threads until it is told to go on, and counts reads.
struct Held {
    store: Arc<MemoryStore>,
    came: Semaphore,
    go_on: Semaphore,
    reads: AtomicUsize,
}

impl Held {
    fn new() -> Arc<Self> {
        let (came, go_on) = (Semaphore::new(0), Semaphore::new(0));
        Arc::new(Self { store: Arc::new(MemoryStore::new()), came, go_on, reads: AtomicUsize::new(0) })
    }

    fn stores(self: &Arc<Self>) -> Stores {
        Stores { checkpoints: self.clone(), ..Stores::of(self.store.clone()) }
    }
}

#[async_trait]
impl Checkpoints for Held {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.store.head(thread).await
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        if commit.version == 0 {
            self.came.add_permits(1);
            self.go_on.acquire().await.unwrap().forget();
        }
        self.store.commit(commit).await
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        self.store.rows(thread, query).await
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.store.snapshot(thread, ns, until).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.store.due(now_ms, after, limit).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.store.threads(offset, limit).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.store.delete(thread).await
    }
}

#[tokio::test]
async fn a_run_that_was_about_to_begin_does_not_bring_its_thread_back() {
    let held = Held::new();
    let replica = replica(held.stores()).await;
    let thread = fresh();
    replica.make(&replica.kim, &thread).await;
    let run = json!({ "assistant_id": "diary", "input": { "lines": [SECRET] } });
    let (status, said) = replica.ask(&replica.kim, &format!("POST /threads/{thread}/runs"), Some(run)).await;
    assert_eq!(status, 200, "{said}");
    timeout(PATIENCE, held.came.acquire()).await.expect("it begins").unwrap().forget();
    assert_eq!(replica.ask(&replica.kim, &format!("DELETE /threads/{thread}"), None).await.0, 204);
    replica.make(&replica.park, &thread).await;
    held.go_on.add_permits(2);
    // Park's own run comes after it.
    let said = replica.turn(&replica.park, &thread, "park's").await;
    assert!(!said.contains(SECRET), "{said}");
    assert_eq!(replica.lines(&replica.park, &thread).await, json!(["park's"]));
    replica.everything(&replica.park, &thread).await;
}

#[tokio::test]
async fn who_reads_events_after_a_rollback_does_not_keep_the_store_busy() {
    let held = Held::new();
    held.go_on.add_permits(10);
    let replica = replica(held.stores()).await;
    let thread = fresh();
    replica.make(&replica.kim, &thread).await;
    replica.turn(&replica.kim, &thread, "one").await;
    replica.turn(&replica.kim, &thread, "two").await;
    let log = ThreadLog::new(held.clone(), ThreadId::new(&thread).unwrap());
    log.rollback(log.state().await.unwrap().run.unwrap()).await.unwrap();
    let wanted = json!({ "channels": ["values", "lifecycle"], "since": 0 });
    let mut readers = Vec::new();
    for _ in 0..3 {
        let path = format!("POST /threads/{thread}/stream/events");
        readers.push(replica.begin(&replica.kim, &path, Some(wanted.clone())).await);
    }
    for reader in &mut readers {
        let mut bytes = vec![0; 4096];
        assert!(timeout(PATIENCE, reader.read(&mut bytes)).await.expect("events").unwrap() > 0);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    held.reads.store(0, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let reads = held.reads.load(Ordering::SeqCst);
    assert!(reads < 20, "three readers that wait have read the log {reads} times in a second");
}
