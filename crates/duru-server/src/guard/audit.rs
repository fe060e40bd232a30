//! Who did what.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use duru::{Clock, SystemClock};
use serde_json::{Value, json};

use crate::error::log_line;
use crate::time::iso;

/// A file to which a line of JSON is added for everything that somebody did.
/// Several processes may add to the same one.
#[derive(Debug, Clone)]
pub struct Audit {
    path: Arc<Path>,
    file: Arc<Mutex<File>>,
}

impl Audit {
    /// Goes on with a file, or makes one that only its owner can read.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn to(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.into(), file: Arc::new(Mutex::new(open(path)?)) })
    }

    /// Adds a line. JSON has no raw line ends: nobody can forge one.
    pub fn note(&self, mut what: Value) {
        what["at"] = iso(SystemClock.now_ms()).into();
        let line = format!("{what}\n");
        let written = self.alone().and_then(|mut file| {
            let written = file.write_all(line.as_bytes());
            file.unlock().and(written)
        });
        if let Err(error) = written {
            log_line(&format_args!("the audit log can't be written: {error}"));
        }
    }

    /// Takes a name, and the addresses it came from, out of every line that says what they did. That something
    /// was done stays, and so do lines of this kind. How many lines it was.
    ///
    /// # Errors
    /// If the file can't be written anew; then it is as it was.
    pub fn forget(&self, name: &str, except: &str) -> io::Result<u64> {
        let mut file = self.alone()?;
        let mut count = 0;
        let mut text = String::new();
        for line in fs::read_to_string(&self.path)?.lines() {
            match serde_json::from_str::<Value>(line) {
                Ok(mut what) if (what["who"] == name || what["author"] == name) && what["kind"] != except => {
                    if what["who"] == name {
                        what["who"] = json!("erased");
                        what["from"] = Value::Null;
                    }
                    if what["author"] == name {
                        what["author"] = json!("erased");
                    }
                    count += 1;
                    text += &what.to_string();
                }
                _ => text += line,
            }
            text.push('\n');
        }
        if count > 0 {
            let mut new = PathBuf::from(&*self.path).into_os_string();
            new.push(".new");
            let new = PathBuf::from(new);
            let _ = fs::remove_file(&new);
            let mut fresh = open(&new)?;
            fresh.write_all(text.as_bytes())?;
            fresh.sync_all()?;
            fs::rename(&new, &self.path)?;
            // Whoever waits for the old one finds that it is no longer the one of this name.
            *file = fresh;
        }
        file.unlock()?;
        Ok(count)
    }

    /// The file as it is called now, locked against other processes that write it anew.
    fn alone(&self) -> io::Result<MutexGuard<'_, File>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            file.lock()?;
            if is_still(&file, &self.path) {
                return Ok(file);
            }
            *file = open(&self.path)?;
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Whether a file is still the one of this name. One that somebody took away is begun anew.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_forgotten_and_no_line_is_lost_though_others_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let (one, other) = (Audit::to(&path).unwrap(), Audit::to(&path).unwrap());
        let writing = std::thread::spawn({
            let one = one.clone();
            move || {
                for i in 0..400 {
                    let who = if i % 2 == 0 { "kim" } else { "lee" };
                    one.note(json!({ "kind": "request", "who": who, "from": "10.0.0.7", "i": i }));
                }
            }
        });
        while !writing.is_finished() {
            other.forget("kim", "erased").unwrap();
        }
        writing.join().unwrap();
        other.note(json!({ "kind": "erased", "user": "kim", "who": "kim" }));
        other.forget("kim", "erased").unwrap();
        let lines: Vec<Value> = fs::read_to_string(&path)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 401, "none was lost");
        assert!(lines[..400].iter().all(|line| line["who"] != "kim"));
        assert_eq!(lines.iter().filter(|line| line["who"] == "lee").count(), 200);
        assert_eq!(lines[400]["user"], "kim", "that it was done is kept");
    }
}
