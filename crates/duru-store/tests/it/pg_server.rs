//! A real PostgreSQL for the tests: started by the first of them, shared by
//! all, and stopped some seconds after the last by a process that watches.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use duru_store::{PostgresOptions, PostgresStore};

use crate::pg_cluster::programs;
pub(crate) use crate::pg_cluster::{Server, as_nobody, free_port, give_away, install};

/// The server stops when nobody has used it for so long.
const IDLE: Duration = Duration::from_secs(5);

/// The shared server; none if there is no PostgreSQL here, which is said aloud
/// and, in CI, an error.
pub(crate) fn shared() -> Option<&'static Shared> {
    static SHARED: OnceLock<Option<Shared>> = OnceLock::new();
    let shared = SHARED.get_or_init(|| programs().map(|_| Shared::join())).as_ref();
    if shared.is_none() {
        let why = "there is no PostgreSQL 15 in /usr/lib/postgresql";
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}");
        skip(why);
    }
    shared
}

/// Says aloud that a test was not run.
pub(crate) fn skip(why: &str) {
    eprintln!("\n*** SKIPPED: {why} ***\n");
}

/// The server that all tests share.
pub(crate) struct Shared {
    pub(crate) url: String,
    /// Locked as long as this process lives, however it ends.
    _using: File,
}

static SCHEMAS: AtomicU64 = AtomicU64::new(0);

impl Shared {
    // It outlives this process on purpose.
    #[allow(clippy::zombie_processes)]
    fn join() -> Self {
        let folder = place();
        std::fs::create_dir_all(&folder).unwrap();
        // One at a time: it starts the server, or finds it running and stays.
        let door = open(&folder, "door");
        door.lock().unwrap();
        let using = open(&folder, "using");
        using.lock_shared().unwrap();
        let url = || std::fs::read_to_string(folder.join("url")).ok();
        if !url().is_some_and(|url| is_there(&url)) {
            drop(std::fs::remove_file(folder.join("url")));
            let mut watchdog = Command::new(std::env::current_exe().unwrap())
                .args(["--ignored", "--exact", "pg_server::watchdog"])
                .env("DURU_PG_FOLDER", &folder)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(File::create(folder.join("watchdog.log")).unwrap())
                // Not to be ended with the test that happened to come first.
                .process_group(0)
                .spawn()
                .unwrap();
            while url().is_none() {
                assert!(
                    watchdog.try_wait().unwrap().is_none(),
                    "the server did not start; see {}",
                    folder.display()
                );
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        Self { url: url().unwrap(), _using: using }
    }

    /// The name of a schema that nobody else uses.
    pub(crate) fn fresh_schema(&self) -> String {
        format!("t{}_{}", std::process::id(), SCHEMAS.fetch_add(1, Ordering::Relaxed))
    }

    /// An empty store.
    pub(crate) async fn store(&self) -> PostgresStore {
        open_store(&self.url, &self.fresh_schema()).await
    }
}

pub(crate) async fn open_store(url: &str, schema: &str) -> PostgresStore {
    let options = PostgresOptions { schema: schema.to_owned(), ..PostgresOptions::default() };
    PostgresStore::connect_with(url, options).await.unwrap()
}

/// A folder for this build's server, where its user can reach it.
fn place() -> PathBuf {
    let mut hash = DefaultHasher::new();
    std::env::current_exe().unwrap().hash(&mut hash);
    std::env::temp_dir().join(format!("duru-pg-{:x}", hash.finish()))
}

fn open(folder: &Path, name: &str) -> File {
    File::options().create(true).append(true).open(folder.join(name)).unwrap()
}

fn is_there(url: &str) -> bool {
    let place = url.split(['@', '/']).nth(3).unwrap();
    TcpStream::connect(place).is_ok()
}

/// Starts the server and stops it when all have left.
#[test]
#[ignore = "started by the other tests as a process of its own"]
fn watchdog() {
    let Some(folder) = std::env::var_os("DURU_PG_FOLDER") else { panic!("this is no test by itself") };
    let folder = PathBuf::from(folder);
    let inner = folder.join("server");
    drop(std::fs::remove_dir_all(&inner));
    std::fs::create_dir(&inner).unwrap();
    let server = Server::start(&inner);
    std::fs::write(folder.join("url.new"), server.url()).unwrap();
    std::fs::rename(folder.join("url.new"), folder.join("url")).unwrap();
    let (door, using) = (open(&folder, "door"), open(&folder, "using"));
    let mut since = Instant::now();
    loop {
        std::thread::sleep(Duration::from_millis(200));
        if door.try_lock().is_err() {
            since = Instant::now();
            continue;
        }
        match using.try_lock() {
            Err(_) => since = Instant::now(),
            Ok(()) if since.elapsed() > IDLE => {
                // Whoever comes now waits at the door, and finds nothing.
                std::fs::remove_file(folder.join("url")).unwrap();
                drop(server);
                std::fs::remove_dir_all(&inner).unwrap();
                return;
            }
            Ok(()) => using.unlock().unwrap(),
        }
        door.unlock().unwrap();
    }
}
