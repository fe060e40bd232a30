//! A PostgreSQL server for the measurements: ours alone, in a temporary folder, stopped at the end.
//!
//! The store's tests start theirs in their own way: theirs may lose data at a loss of power and must be quick to make,
//! this one has the settings that people get who install it.

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Where Debian and its relatives put the programs.
const PROGRAMS: &str = "/usr/lib/postgresql/15/bin";
/// How often another may take the port that was free a moment ago.
const PORTS: usize = 5;

pub(super) struct Server {
    folder: Folder,
    port: u16,
    process: Option<Child>,
}

/// Why there can be no server here; none if there can.
pub(super) fn missing() -> Option<String> {
    let initdb = Path::new(PROGRAMS).join("initdb");
    (!initdb.exists()).then(|| format!("there is no PostgreSQL 15 in {PROGRAMS} (package postgresql-15)"))
}

impl Server {
    /// Makes a cluster and starts it.
    pub(super) fn start() -> Result<Self> {
        let folder = Folder::new()?;
        eprintln!("starting PostgreSQL 15 in {}", folder.0.display());
        let made = as_other_user("initdb")?
            .args(["-U", "duru", "-A", "trust", "-E", "UTF8", "--locale=C", "-D"])
            .arg(folder.0.join("data"))
            .stderr(folder.log()?)
            .status()
            .context("cannot start initdb")?;
        if !made.success() {
            bail!("initdb failed: {made}\n{}", folder.said());
        }
        let mut server = Self { folder, port: 0, process: None };
        for _ in 0..PORTS {
            server.port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            if server.serves()? {
                return Ok(server);
            }
        }
        bail!("PostgreSQL found no free port")
    }

    pub(super) fn url(&self) -> String {
        format!("postgres://duru@127.0.0.1:{}/postgres", self.port)
    }

    /// A new, empty database, and its URL.
    pub(super) fn fresh(&self, name: &str) -> Result<String> {
        let port = self.port.to_string();
        let mut command = Command::new(Path::new(PROGRAMS).join("createdb"));
        command.args(["-h", "127.0.0.1", "-p", &port, "-U", "duru", name]);
        if !command.status().context("cannot start createdb")?.success() {
            bail!("cannot make the database {name}");
        }
        Ok(format!("postgres://duru@127.0.0.1:{port}/{name}"))
    }

    /// Its first process, the parent of all others; none once it has ended.
    pub(super) fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// Starts it and waits until it answers; false if somebody took the port.
    fn serves(&mut self) -> Result<bool> {
        let port = self.port.to_string();
        let mut command = as_other_user("postgres")?;
        command.arg("-D").arg(self.folder.0.join("data")).args(["-p", &port]);
        for setting in ["listen_addresses=127.0.0.1", "unix_socket_directories="] {
            command.args(["-c", setting]);
        }
        command.stderr(self.folder.log()?);
        let process = self.process.insert(command.spawn().context("cannot start PostgreSQL")?);
        let give_up = Instant::now() + Duration::from_secs(60);
        while Instant::now() < give_up {
            std::thread::sleep(Duration::from_millis(20));
            if let Some(status) = process.try_wait()? {
                self.process = None;
                let said = self.folder.said();
                if said.contains("could not bind") {
                    return Ok(false);
                }
                bail!("PostgreSQL ended: {status}\n{said}");
            }
            let mut ready = Command::new(Path::new(PROGRAMS).join("pg_isready"));
            ready.args(["-q", "-h", "127.0.0.1", "-p", &port]);
            if ready.status().context("cannot start pg_isready")?.success() {
                return Ok(true);
            }
        }
        bail!("PostgreSQL does not answer\n{}", self.folder.said())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        // An interrupt: it does not wait for those who are still connected.
        let stopped = Command::new("kill")
            .args(["-INT", &process.id().to_string()])
            .status()
            .and_then(|_| process.wait());
        if let Err(error) = stopped {
            eprintln!("PostgreSQL did not stop: {error}");
        }
    }
}

/// A command for a user whom PostgreSQL accepts, which is not root. It ends with us, however we end.
fn as_other_user(program: &str) -> Result<Command> {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "INT"]);
    if is_root()? {
        let user = user();
        command.args([format!("--reuid={user}"), format!("--regid={user}"), "--clear-groups".to_owned()]);
    }
    command.arg(Path::new(PROGRAMS).join(program));
    command.stdin(Stdio::null()).stdout(Stdio::null()).current_dir("/");
    Ok(command)
}

fn is_root() -> Result<bool> {
    Ok(std::fs::metadata("/proc/self").context("cannot find out who we are")?.uid() == 0)
}

fn user() -> &'static str {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    if users.lines().any(|line| line.starts_with("postgres:")) { "postgres" } else { "nobody" }
}

/// Removed at the end. Not in the target directory: that may be root's, where the other user can't go.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("duru-bench-pg-{}", std::process::id()));
        // Fails if there is one: it would be somebody else's.
        std::fs::create_dir(&path).with_context(|| format!("cannot make {}", path.display()))?;
        let folder = Self(path);
        if is_root()? {
            let status = Command::new("chown").arg(user()).arg(&folder.0).status();
            if !status.context("cannot start chown")?.success() {
                bail!("cannot give {} to {}", folder.0.display(), user());
            }
        }
        Ok(folder)
    }

    fn log(&self) -> Result<File> {
        File::create(self.0.join("log")).context("cannot make the log of PostgreSQL")
    }

    fn said(&self) -> String {
        std::fs::read_to_string(self.0.join("log")).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            eprintln!("cannot remove {}: {error}", self.0.display());
        }
    }
}
