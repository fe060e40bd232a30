//! A real PostgreSQL for the tests: started by the first of them, shared by
//! all, and stopped some seconds after the last by a process that watches.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use duru::ThreadId;
use duru::store::{Checkpoints, Row, RowQuery};
use duru_store::{PostgresOptions, PostgresStore};

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

pub(crate) fn is_root() -> bool {
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

/// Installs a Debian package, if we may.
pub(crate) fn install(package: &str) {
    if is_root() && Path::new("/usr/bin/apt-get").exists() {
        eprintln!("*** installing {package} with apt-get ***");
        let lock = std::env::temp_dir().join("duru-apt.lock");
        // One test at a time, and a new machine knows no packages yet. Whether it
        // worked, the caller sees.
        for arguments in [&["update", "-q"][..], &["install", "-y", package]] {
            let mut command = Command::new("flock");
            command.arg(&lock).arg("apt-get").args(arguments).stdin(Stdio::null());
            drop(command.status());
        }
    }
}

/// The folder of PostgreSQL's programs.
fn programs() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let look = || {
        let folder = PathBuf::from("/usr/lib/postgresql/15/bin");
        folder.join("initdb").exists().then_some(folder)
    };
    let found = FOUND.get_or_init(|| {
        look().or_else(|| {
            install("postgresql-15");
            look()
        })
    });
    found.as_deref()
}

/// A command that runs as a user whom PostgreSQL accepts, and that ends when
/// the thread ends that started it.
pub(crate) fn as_nobody(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "INT"]);
    if is_root() {
        let user = user();
        command.args([format!("--reuid={user}"), format!("--regid={user}"), "--clear-groups".to_owned()]);
    }
    command.arg(program).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    command
}

fn user() -> &'static str {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    if users.lines().any(|line| line.starts_with("postgres:")) { "postgres" } else { "nobody" }
}

/// Gives a file or folder to the user who runs the servers.
pub(crate) fn give_away(path: &Path) {
    if is_root() {
        let status = Command::new("chown").arg("-R").arg(user()).arg(path).status().unwrap();
        assert!(status.success());
    }
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A server of our own.
pub(crate) struct Server {
    folder: PathBuf,
    pub(crate) port: u16,
    process: Option<Child>,
}

impl Server {
    /// Makes a cluster and starts it.
    pub(crate) fn start(folder: &Path) -> Self {
        let programs = programs().unwrap();
        let log = File::create(folder.join("initdb.log")).unwrap();
        give_away(folder);
        let data = folder.join("data");
        let status = as_nobody(&programs.join("initdb"))
            .args(["-U", "duru", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data)
            .stderr(log)
            .status()
            .unwrap();
        assert!(status.success(), "{}", std::fs::read_to_string(folder.join("initdb.log")).unwrap());
        // Everybody may come, except one who needs a password.
        let rules = "host all locked 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n";
        std::fs::write(data.join("pg_hba.conf"), rules).unwrap();
        let mut server = Self { folder: folder.to_owned(), port: free_port(), process: None };
        // Somebody else may take the port before the server does.
        while !server.try_resume() {
            server.port = free_port();
        }
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://duru@127.0.0.1:{}/postgres", self.port)
    }

    /// Starts it again.
    pub(crate) fn resume(&mut self) {
        assert!(self.try_resume(), "{}", self.log());
    }

    fn try_resume(&mut self) -> bool {
        let mut command = as_nobody(&programs().unwrap().join("postgres"));
        command.arg("-D").arg(self.folder.join("data")).args(["-p", &self.port.to_string()]);
        for setting in [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=200",
            "shared_buffers=32MB",
        ] {
            command.args(["-c", setting]);
        }
        command.stderr(File::create(self.folder.join("server.log")).unwrap());
        let process = self.process.insert(command.spawn().unwrap());
        let give_up = Instant::now() + Duration::from_secs(60);
        loop {
            std::thread::sleep(Duration::from_millis(20));
            if process.try_wait().unwrap().is_some() {
                let log = std::fs::read_to_string(self.folder.join("server.log")).unwrap();
                assert!(log.contains("could not bind"), "{log}");
                return false;
            }
            if answers(self.port) {
                return true;
            }
            assert!(Instant::now() < give_up, "the server does not answer");
        }
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("server.log")).unwrap_or_default()
    }

    /// Stops it at once, as by a loss of power.
    pub(crate) fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            drop(Command::new("kill").args(["-QUIT", &process.id().to_string()]).status());
            process.wait().unwrap();
        }
    }
}

fn answers(port: u16) -> bool {
    let mut command = Command::new(programs().unwrap().join("pg_isready"));
    command.args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]);
    command.status().unwrap().success()
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
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

pub(crate) async fn all_rows(store: &PostgresStore, t: &ThreadId) -> Vec<Row> {
    store.rows(t, RowQuery::default()).await.unwrap()
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
