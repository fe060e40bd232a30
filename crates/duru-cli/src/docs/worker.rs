//! Files whose readers a hostile file could take down are read in a process of their own: this program, started
//! once for each, with nothing of this one's environment and as much memory, time and files as a reader needs, killed
//! when it takes too long.

use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use duru_search::ingest::ReadFile;
use duru_search::read::{Error, Kind, Limits, Parsed, read};
use serde_json::Value;

use crate::problem::Problem;

/// How often it is looked whether the process has ended.
const PAUSE: Duration = Duration::from_millis(10);
/// So many read at once: each may take as much memory as its limit says.
const AT_ONCE: usize = 2;
/// So much of what a reader says of itself is read.
const COMPLAINT: u64 = 4 << 10;

/// How much memory a reader has for what it reads, in bytes.
pub(super) const MEMORY: u64 = 768 << 20;

/// `duru docs read PATH`: sets this process's limits, and begins anew under them: what is set now holds for what the
/// program takes at its start as well.
#[cfg(unix)]
pub(super) fn confine(path: &Path) -> Result<(), Problem> {
    use std::os::unix::process::CommandExt as _;

    use anyhow::Context as _;
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |of: Resource, most: u64| {
        setrlimit(of, Rlimit { current: Some(most), maximum: Some(most) })
            .context("a limit of the reader could not be set")
            .map_err(Problem::Unexpected)
    };
    limit(Resource::Data, MEMORY)?;
    // Beside its own memory, the program itself and what it only reserves.
    limit(Resource::As, MEMORY + (2 << 30))?;
    limit(Resource::Cpu, Limits::default().time.as_secs())?;
    limit(Resource::Nofile, 64)?;
    // It writes to nothing but its standard output, which is no file.
    limit(Resource::Fsize, 0)?;
    limit(Resource::Core, 0)?;
    let failed = |error: std::io::Error| Problem::Unexpected(error.into());
    let program = std::env::current_exe().map_err(failed)?;
    Err(failed(Command::new(program).args(["docs", "read", "--limited"]).arg(path).env_clear().exec()))
}

#[cfg(not(unix))]
pub(super) fn confine(path: &Path) -> Result<(), Problem> {
    serve(path)
}

/// `duru docs read --limited PATH`: what the file says, as JSON on standard output, or why it can't be read.
pub(super) fn serve(path: &Path) -> Result<(), Problem> {
    let answer = match read(path, &Limits::default()) {
        Ok(parsed) => serde_json::json!({ "parsed": parsed }),
        Err(error) => {
            let pages = match error {
                Error::TooManyPages { pages, .. } => Some(pages),
                _ => None,
            };
            serde_json::json!({ "code": error.code(), "reason": error.to_string(), "pages": pages })
        }
    };
    println!("{answer}");
    Ok(())
}

/// Reads simple kinds here, and the others in a process.
pub(super) fn reader() -> ReadFile {
    Arc::new(|path, limits| match Kind::of(path) {
        Some(kind) if kind.is_risky() => {
            let _turn = Turn::take();
            in_process(path, limits)
        }
        _ => read(path, limits),
    })
}

/// A place among those that read at once.
struct Turn;

static READING: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

impl Turn {
    fn take() -> Self {
        let reading = READING.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reading = READING
            .1
            .wait_while(reading, |reading| *reading >= AT_ONCE)
            .unwrap_or_else(PoisonError::into_inner);
        *reading += 1;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *READING.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        READING.1.notify_one();
    }
}

/// Starts a reader. It has nothing that this process has: no keys of its environment, no settings of its folder.
fn start(path: &Path) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.env_clear();
    // Without it, no program starts there.
    #[cfg(windows)]
    command.envs(std::env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
    command
        .args(["docs", "read"])
        .arg(std::path::absolute(path)?)
        .current_dir(std::path::absolute("/")?)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

fn in_process(path: &Path, limits: &Limits) -> Result<Parsed, Error> {
    let failed = |error: std::io::Error| Error::Damaged(format!("its reader could not be started: {error}"));
    let mut child = start(path).map_err(failed)?;
    let (Some(output), Some(complaint)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(Error::Damaged("its reader is silent".to_owned()));
    };
    // JSON of a text is at most a few times as long as the text.
    let longest = limits.text.saturating_mul(4);
    let reading = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        output.take(longest + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    let complaining = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What it says is a hint and no more.
        drop(complaint.take(COMPLAINT).read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let started = Instant::now();
    while !reading.is_finished() {
        if started.elapsed() > limits.time {
            // It may have ended by itself meanwhile.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Error::TooSlow(limits.time));
        }
        std::thread::sleep(PAUSE);
    }
    let bytes = match reading.join() {
        Ok(Ok(bytes)) if bytes.len() as u64 <= longest => bytes,
        other => {
            // Whatever it still does, its answer is too long, or lost.
            let _ = child.kill();
            let _ = child.wait();
            return Err(match other {
                Ok(Ok(_)) => Error::Expands { limit: limits.text },
                _ => Error::Damaged("its reader's answer was lost".to_owned()),
            });
        }
    };
    let Ok(mut answer) = serde_json::from_slice::<Value>(&bytes) else {
        let complaint = complaining.join().unwrap_or_default();
        return Err(crashed(child.wait().ok(), &complaint, limits));
    };
    let _ = child.kill();
    let _ = child.wait();
    match serde_json::from_value(answer["parsed"].take()) {
        Ok(parsed) => Ok(parsed),
        Err(_) => Err(match answer["code"].as_str() {
            Some("encrypted") => Error::Encrypted,
            Some("hwp") => Error::Hwp,
            Some("no-text") => Error::Empty,
            Some("too-many-pages") => {
                let pages = answer["pages"].as_u64().and_then(|pages| usize::try_from(pages).ok());
                Error::TooManyPages { pages: pages.unwrap_or(limits.pages), limit: limits.pages }
            }
            Some("expands") => Error::Expands { limit: limits.text },
            _ => Error::Damaged(answer["reason"].as_str().unwrap_or_default().to_owned()),
        }),
    }
}

/// Why a reader ended without an answer.
fn crashed(status: Option<ExitStatus>, complaint: &str, limits: &Limits) -> Error {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        let out_of_time = rustix::process::Signal::XCPU.as_raw();
        if status.and_then(|status| status.signal()) == Some(out_of_time) {
            return Error::TooSlow(limits.time);
        }
    }
    #[cfg(not(unix))]
    let _ = (status, limits);
    if complaint.contains("memory allocation") {
        return Error::TooMuchMemory { limit: MEMORY };
    }
    Error::Damaged("its reader crashed".to_owned())
}
