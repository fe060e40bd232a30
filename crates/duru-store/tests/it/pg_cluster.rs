//! A PostgreSQL of our own: where its programs are, who may run them, how it is
//! started, stopped as by a loss of power, and started again. The soak command
//! includes this file, too.

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

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
pub(crate) fn programs() -> Option<&'static Path> {
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
    programs: PathBuf,
    folder: PathBuf,
    pub(crate) port: u16,
    process: Option<Child>,
}

impl Server {
    /// Makes a cluster and starts it.
    pub(crate) fn start(folder: &Path) -> Self {
        Self::start_of(programs().unwrap(), folder)
    }

    /// The same by these programs.
    pub(crate) fn start_of(programs: &Path, folder: &Path) -> Self {
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
        let programs = programs.to_owned();
        let mut server = Self { programs, folder: folder.to_owned(), port: free_port(), process: None };
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
        let mut command = as_nobody(&self.programs.join("postgres"));
        command.arg("-D").arg(self.folder.join("data")).args(["-p", &self.port.to_string()]);
        for setting in [
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=200",
            "shared_buffers=32MB",
        ] {
            command.args(["-c", setting]);
        }
        // Ctrl-C in a terminal is meant for whoever uses the server.
        command.process_group(0).stderr(File::create(self.folder.join("server.log")).unwrap());
        let process = self.process.insert(command.spawn().unwrap());
        let give_up = Instant::now() + Duration::from_secs(60);
        loop {
            std::thread::sleep(Duration::from_millis(20));
            if process.try_wait().unwrap().is_some() {
                let log = std::fs::read_to_string(self.folder.join("server.log")).unwrap();
                assert!(log.contains("could not bind"), "{log}");
                return false;
            }
            if answers(&self.programs, self.port) {
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

fn answers(programs: &Path, port: u16) -> bool {
    let mut command = Command::new(programs.join("pg_isready"));
    command.args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]);
    command.status().unwrap().success()
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
