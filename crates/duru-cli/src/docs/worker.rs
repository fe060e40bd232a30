//! Files whose readers a hostile file could take down are read in a process of their own: this program, started
//! once for each, killed when it takes too long.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use duru_search::ingest::ReadFile;
use duru_search::read::{Error, Kind, Limits, Parsed, read};
use serde_json::Value;

use crate::problem::Problem;

/// How often it is looked whether the process has ended.
const PAUSE: Duration = Duration::from_millis(10);

/// `duru docs read PATH`: what the file says, as JSON on standard output, or why it can't be read.
pub(super) fn serve(path: &Path) -> Result<(), Problem> {
    let answer = match read(path, &Limits::default()) {
        Ok(parsed) => serde_json::json!({ "parsed": parsed }),
        Err(error) => serde_json::json!({ "code": error.code(), "reason": error.to_string() }),
    };
    println!("{answer}");
    Ok(())
}

/// Reads simple kinds here, and the others in a process.
pub(super) fn reader() -> ReadFile {
    Arc::new(|path, limits| match Kind::of(path) {
        Some(kind) if kind.is_risky() => in_process(path, limits),
        _ => read(path, limits),
    })
}

fn in_process(path: &Path, limits: &Limits) -> Result<Parsed, Error> {
    let failed = |error: std::io::Error| Error::Damaged(format!("its reader could not be started: {error}"));
    let program = std::env::current_exe().map_err(failed)?;
    let mut child = Command::new(program)
        .args(["docs", "read"])
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let Some(output) = child.stdout.take() else {
        return Err(Error::Damaged("its reader is silent".to_owned()));
    };
    // JSON of a text is at most a few times as long as the text.
    let longest = limits.text.saturating_mul(4);
    let reading = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        output.take(longest + 1).read_to_end(&mut bytes).map(|_| bytes)
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
    // Whatever it still does, its answer is complete, or too long.
    let _ = child.kill();
    let _ = child.wait();
    let bytes = match reading.join() {
        Ok(Ok(bytes)) if bytes.len() as u64 <= longest => bytes,
        Ok(Ok(_)) => return Err(Error::Expands { limit: limits.text }),
        _ => return Err(Error::Damaged("its reader's answer was lost".to_owned())),
    };
    let Ok(mut answer) = serde_json::from_slice::<Value>(&bytes) else {
        return Err(Error::Damaged("its reader crashed".to_owned()));
    };
    match serde_json::from_value(answer["parsed"].take()) {
        Ok(parsed) => Ok(parsed),
        Err(_) => Err(match answer["code"].as_str() {
            Some("encrypted") => Error::Encrypted,
            Some("no-text") => Error::Empty,
            _ => Error::Damaged(answer["reason"].as_str().unwrap_or_default().to_owned()),
        }),
    }
}
