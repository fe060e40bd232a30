//! Servers as processes of their own: ours with the graphs of the tests, and the reference.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::bench::postgres;
use crate::bench::program::{built, data_dir, program};
use crate::workspace::target;

/// A server that listens. It ends with this.
pub(in crate::bench) struct Listening {
    process: Child,
    pub(in crate::bench) url: String,
    /// What it says after that.
    output: Option<BufReader<ChildStdout>>,
    /// Where it kept things, removed at the end.
    folder: Option<PathBuf>,
}

/// Builds ours and says where it is.
pub(super) fn build(dev: bool) -> Result<PathBuf> {
    let folder = built(dev, &["--package", "duru-server", "--example", "fixtures"])?;
    Ok(folder.join("examples").join(program("fixtures")))
}

/// How ours is started.
pub(super) struct How<'a> {
    pub(super) store: &'a str,
    pub(super) database: Option<&'a postgres::Server>,
    pub(super) guard: Guard<'a>,
}

/// What is asked of clients, and told of them.
pub(super) enum Guard<'a> {
    Off,
    /// A key and a quota.
    Key,
    /// Also a collector at this address, which gets the usual share of traces.
    Traced(&'a str),
    /// The same, and every trace.
    EveryTrace(&'a str),
}

impl<'a> Guard<'a> {
    /// By its word, with the address of a collector.
    pub(super) fn of(word: Option<&str>, collector: &'a str) -> Result<Self> {
        Ok(match word {
            None => Self::Off,
            Some("key") => Self::Key,
            Some("traced") => Self::Traced(collector),
            Some("every-trace") => Self::EveryTrace(collector),
            Some(other) => bail!("there is no guard {other:?}"),
        })
    }

    pub(super) fn has_key(&self) -> bool {
        !matches!(self, Self::Off)
    }

    fn set(&self, command: &mut Command) {
        if self.has_key() {
            // So many that nobody is refused: what is measured is the counting.
            command.args(["--key-per-second", "1000000"]);
        }
        if let Self::Traced(collector) | Self::EveryTrace(collector) = self {
            command.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector);
        }
        if let Self::EveryTrace(_) = self {
            command.env("OTEL_TRACES_SAMPLER", "parentbased_always_on");
        }
    }
}

/// Starts ours on an empty store.
pub(super) fn ours(binary: &Path, how: &How<'_>) -> Result<Listening> {
    let mut command = tied(binary);
    command.args(["--port", "0", "--stamp"]);
    how.guard.set(&mut command);
    let mut folder = None;
    match (how.store, how.database) {
        ("sqlite", _) => {
            // On a disk, beside the databases of the other measurements.
            let place = data_dir(&target()?).join(format!("server-{}", std::process::id()));
            std::fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
            command.arg("--store").arg(place.join("threads.db"));
            folder = Some(place);
        }
        ("postgres", Some(database)) => {
            let name = format!("server_{}", fresh_number());
            command.args(["--store", &database.fresh(&name)?]);
        }
        ("postgres", None) => bail!("there is no PostgreSQL"),
        _ => {}
    }
    listening(command, folder)
}

/// Starts a server that says where it listens in its first line, and removes the folder when it ends.
pub(in crate::bench) fn listening(mut command: Command, folder: Option<PathBuf>) -> Result<Listening> {
    let shown = format!("{command:?}");
    let mut process =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start {shown}"))?;
    let output = process.stdout.take().context("the server has no output")?;
    let (mut output, mut line) = (BufReader::new(output), String::new());
    output.read_line(&mut line)?;
    let url = url(&line).unwrap_or_default();
    let listening = Listening { process, url, output: Some(output), folder };
    if listening.url.is_empty() {
        bail!("the server did not say where it listens, but {line:?}");
    }
    Ok(listening)
}

fn url(line: &str) -> Option<String> {
    let start = line.find("http://")?;
    line[start..].split([',', ' ', '\n']).next().map(str::to_owned)
}

/// Starts the reference and waits until it answers.
pub(super) fn reference(program: &Path, folder: &Path) -> Result<Listening> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut command = tied(program);
    command
        .args(["dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--n-jobs-per-worker", "16"])
        .args(["--port", &port.to_string()])
        .current_dir(folder)
        .env("LANGSMITH_TRACING", "false")
        .env("LANGGRAPH_CLI_NO_ANALYTICS", "1")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let process = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
    let mut listening =
        Listening { process, url: format!("http://127.0.0.1:{port}"), output: None, folder: None };
    let give_up = Instant::now() + Duration::from_secs(120);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if let Some(status) = listening.process.try_wait()? {
            bail!("the reference ended: {status}");
        }
        if Instant::now() > give_up {
            bail!("the reference does not answer");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(listening)
}

/// A command that ends with us, however we end, and may open as many files as anybody here may.
pub(in crate::bench) fn tied(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "TERM", "sh", "-c", "ulimit -n $(ulimit -Hn) && exec \"$@\"", "sh"]);
    command.arg(program).stdin(Stdio::null());
    command
}

/// Another one for every database.
pub(super) fn fresh_number() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Listening {
    pub(in crate::bench) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// The next line that it says.
    pub(super) fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        self.output.as_mut().context("the server has no output")?.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let stopped = Command::new("kill")
            .args(["-TERM", &self.pid().to_string()])
            .status()
            .and_then(|_| self.process.wait());
        if let Err(error) = stopped {
            eprintln!("a server did not stop: {error}");
        }
        if let Some(folder) = &self.folder
            && let Err(error) = std::fs::remove_dir_all(folder)
        {
            eprintln!("cannot remove {}: {error}", folder.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_where_it_listens_in_its_own_words() {
        assert_eq!(url("listening on http://127.0.0.1:5\n").as_deref(), Some("http://127.0.0.1:5"));
        assert_eq!(url("Listening on http://[::1]:5, store x\n").as_deref(), Some("http://[::1]:5"));
        assert_eq!(url("no"), None);
    }
}
