//! The fixture server as a process of its own, which can be killed.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::client::{Client, PATIENCE};
use crate::{pg_cluster, pg_server};

/// What the servers of a test keep their threads in.
pub(crate) struct Place {
    /// As the server's command line names it.
    url: String,
    /// Where the servers' logs are, and the file if it is one.
    folder: TempDir,
}

impl Place {
    pub(crate) fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        Self { url: format!("sqlite:{}", folder.path().join("threads.db").display()), folder }
    }

    /// A database of its own; none if there is no PostgreSQL here.
    pub(crate) fn postgres() -> Option<Self> {
        let shared = pg_server::shared()?;
        let name = shared.fresh_schema();
        let status = Command::new(pg_cluster::programs()?.join("createdb"))
            .args(["--maintenance-db", &shared.url, &name])
            .status()
            .unwrap();
        assert!(status.success(), "createdb {name}");
        let (server, _) = shared.url.rsplit_once('/').unwrap();
        Some(Self { url: format!("{server}/{name}"), folder: TempDir::new().unwrap() })
    }

    /// As the server's command line names it.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// A database that the test has the say over.
    pub(crate) fn at(url: String) -> Self {
        Self { url, folder: TempDir::new().unwrap() }
    }

    /// What the database itself answers.
    pub(crate) fn asked(&self, sql: &str) -> String {
        let psql = pg_cluster::programs().unwrap().join("psql");
        let output = Command::new(psql).args(["-d", &self.url, "-XqAtc", sql]).output().unwrap();
        assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Starts a server on a free port.
    pub(crate) fn serve(&self) -> Fixture {
        self.serve_at(0)
    }

    /// The same, told more.
    pub(crate) fn serve_with(&self, more: &[&str]) -> Fixture {
        Fixture::start(&self.url, 0, self.folder.path(), more, &[]).expect("any port is free")
    }

    /// The same, for as long as the server lives, and with more in its environment.
    pub(crate) fn serve_told(self, more: &[&str], variables: &[(&str, &str)]) -> Fixture {
        let fixture = Fixture::start(&self.url, 0, self.folder.path(), more, variables);
        let mut fixture = fixture.expect("any port is free");
        fixture.place = Some(self);
        fixture
    }

    /// Starts two servers.
    pub(crate) fn serve_two(&self) -> [Fixture; 2] {
        [self.serve(), self.serve()]
    }

    /// Starts a server on a port, once it is free.
    pub(crate) fn serve_at(&self, port: u16) -> Fixture {
        self.serve_at_with(port, &[])
    }

    /// The same, told more.
    pub(crate) fn serve_at_with(&self, port: u16, more: &[&str]) -> Fixture {
        let give_up = Instant::now() + PATIENCE;
        loop {
            if let Some(fixture) = Fixture::start(&self.url, port, self.folder.path(), more, &[]) {
                return fixture;
            }
            assert!(Instant::now() < give_up, "the server does not start on port {port}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A server. It is killed when this is dropped.
pub(crate) struct Fixture {
    process: Child,
    pub(crate) port: u16,
    log: PathBuf,
    /// The key that it made, if it was told to.
    pub(crate) key: Option<String>,
    /// Kept as long as it is served.
    place: Option<Place>,
}

impl Fixture {
    fn start(
        store: &str,
        port: u16,
        folder: &Path,
        more: &[&str],
        variables: &[(&str, &str)],
    ) -> Option<Self> {
        let (log, path) =
            tempfile::Builder::new().suffix(".log").tempfile_in(folder).unwrap().keep().unwrap();
        let mut process = Command::new(program())
            .args(["--port", &port.to_string(), "--store", store, "--steps"])
            .args(more)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let Some(port) = line.trim().rsplit(':').next().and_then(|port| port.parse().ok()) else {
            process.wait().unwrap();
            let said = std::fs::read_to_string(path).unwrap();
            assert!(said.contains("in use"), "the server did not start: {said}");
            return None;
        };
        let key = more.contains(&"--key-per-second").then(|| {
            let mut key = String::new();
            output.read_line(&mut key).unwrap();
            key.trim().to_owned()
        });
        Some(Self { process, port, log: path, key, place: None })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(format!("127.0.0.1:{}", self.port))
    }

    /// Ends it as a loss of power would.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Asks it to stop, as whoever deploys a new version does.
    pub(crate) fn terminate(&self) {
        let status = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// How it ended, if it does so in time.
    pub(crate) async fn ended(&mut self, within: Duration) -> Option<ExitStatus> {
        let give_up = Instant::now() + within;
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return Some(status);
            }
            if Instant::now() > give_up {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The memory that it has in use, in MB.
    pub(crate) fn memory_mb(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }

    /// The most memory that it had in use since the last call, in MB.
    pub(crate) fn peak_mb(&self) -> u64 {
        let of = format!("/proc/{}", self.process.id());
        let status = std::fs::read_to_string(format!("{of}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        std::fs::write(format!("{of}/clear_refs"), "5").unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }

    /// What it wrote to its log.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.process.kill());
        drop(self.process.wait());
        if std::thread::panicking() {
            eprintln!("--- log of the server on port {}\n{}", self.port, self.log());
        }
    }
}

/// The example that cargo builds beside the tests.
fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let found = tests.ancestors().nth(2).unwrap().join("examples").join("fixtures");
    assert!(
        found.exists(),
        "there is no {}; cargo builds it with the tests of duru-server unless they are chosen by `--test` \
         (then: cargo build -p duru-server --example fixtures)",
        found.display()
    );
    found
}
