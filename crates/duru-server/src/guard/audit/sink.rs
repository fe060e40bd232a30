//! Where lines of the audit log are.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use duru::store::{Catalog, Entry, EntryKind, EntryQuery, Expect, Put, SortBy};
use duru::{Clock, RunId, SystemClock};
use serde_json::{Value, json};

use super::AuditError;

/// So many entries are read at once.
const PAGE: usize = 200;

pub(super) enum Sink {
    File { path: Arc<Path>, file: Option<File> },
    Catalog(Arc<dyn Catalog>),
}

impl Sink {
    pub(super) fn file(path: &Path) -> io::Result<Self> {
        Ok(Self::File { path: path.into(), file: Some(open(path)?) })
    }

    /// Adds lines, all of them or none.
    pub(super) async fn append(&mut self, lines: &[String]) -> Result<(), AuditError> {
        if lines.is_empty() {
            return Ok(());
        }
        match self {
            Self::File { path, file } => {
                let (path, text) = (Arc::clone(path), lines.concat());
                let write = move |file: &mut File, _: &Path| {
                    let before = file.metadata()?.len();
                    // Half a line would be in the way of the next.
                    file.write_all(text.as_bytes()).inspect_err(|_| drop(file.set_len(before)))
                };
                let written = alone(path, file.take(), write).await?;
                *file = Some(written.0);
                Ok(())
            }
            Self::Catalog(catalog) => {
                // Sorted by time, for all writers; one millisecond has many.
                let now = jiff::Timestamp::now().as_nanosecond();
                let id = format!("{now:020}-{}", RunId::random(SystemClock.now_ms()));
                let mut entry = Entry::new(EntryKind::Audit, id);
                let lines: Vec<Value> =
                    lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
                entry.body.insert("lines".into(), lines.into());
                catalog.put(entry, Expect::New).await?;
                Ok(())
            }
        }
    }

    /// Writes every line anew that names somebody. How many.
    pub(super) async fn forget(&mut self, name: &str, as_: &str) -> Result<u64, AuditError> {
        match self {
            Self::File { path, file } => {
                let (path, name, as_) = (Arc::clone(path), name.to_owned(), as_.to_owned());
                let named = Arc::clone(&path);
                let (anew, count) =
                    alone(path, file.take(), move |file, _| rewrite(&named, file, (&name, &as_))).await?;
                *file = Some(anew);
                Ok(count)
            }
            Self::Catalog(catalog) => forget_in(&**catalog, name, as_).await,
        }
    }
}

/// Does something with the file as it is called now, locked against other processes, where it holds up nobody.
async fn alone<T: Send + 'static>(
    path: Arc<Path>,
    file: Option<File>,
    how: impl FnOnce(&mut File, &Path) -> io::Result<T> + Send + 'static,
) -> Result<(File, T), AuditError> {
    let work = move || -> io::Result<(File, T)> {
        let mut file = match file {
            Some(file) => file,
            None => open(&path)?,
        };
        loop {
            file.lock()?;
            if is_still(&file, &path) {
                break;
            }
            // Somebody wrote it anew, or took it away.
            file = open(&path)?;
        }
        let done = how(&mut file, &path);
        file.unlock()?;
        Ok((file, done?))
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| AuditError(error.to_string()))?.map_err(AuditError::from)
}

/// The whole file anew, in the place of the old one.
fn rewrite(path: &Path, file: &mut File, names: (&str, &str)) -> io::Result<u64> {
    let (mut count, mut text) = (0, String::new());
    for line in fs::read_to_string(path)?.lines() {
        match serde_json::from_str::<Value>(line).ok().and_then(|what| renamed(what, names)) {
            Some(what) => {
                count += 1;
                text += &what.to_string();
            }
            None => text += line,
        }
        text.push('\n');
    }
    if count > 0 {
        let mut new = PathBuf::from(path).into_os_string();
        new.push(".new");
        let new = PathBuf::from(new);
        drop(fs::remove_file(&new));
        let mut fresh = open(&new)?;
        fresh.write_all(text.as_bytes())?;
        fresh.sync_all()?;
        fs::rename(&new, path)?;
        // A process that waits for the old file finds that it no longer has this name.
        *file = fresh;
    }
    Ok(count)
}

async fn forget_in(catalog: &dyn Catalog, name: &str, as_: &str) -> Result<u64, AuditError> {
    let mut count = 0;
    let mut offset = 0;
    loop {
        let page = catalog.find(query(offset, true)).await?.entries;
        offset += page.len();
        let last = page.len() < PAGE;
        for mut entry in page {
            let Some(lines) = entry.body.get("lines").and_then(Value::as_array) else { continue };
            let anew: Vec<(Value, bool)> = lines
                .iter()
                .map(|what| match renamed(what.clone(), (name, as_)) {
                    Some(what) => (what, true),
                    None => (what.clone(), false),
                })
                .collect();
            let changed = anew.iter().filter(|(_, changed)| *changed).count() as u64;
            if changed > 0 {
                let lines: Vec<Value> = anew.into_iter().map(|(what, _)| what).collect();
                entry.body.insert("lines".into(), lines.into());
                let version = entry.version;
                // Nobody changes an entry but who erases the same person.
                if matches!(catalog.put(entry, Expect::Version(version)).await?, Put::Stored(_)) {
                    count += changed;
                }
            }
        }
        if last {
            return Ok(count);
        }
    }
}

/// The line with another name in the place of a person's; none if it does not have it.
fn renamed(mut what: Value, (name, as_): (&str, &str)) -> Option<Value> {
    let mut changed = false;
    if what["who"] == name {
        what["from"] = Value::Null;
    }
    for field in ["who", "author", "user"] {
        if what[field] == name {
            what[field] = json!(as_);
            changed = true;
        }
    }
    if what["path"].as_str().is_some_and(|path| path.strip_prefix("/users/") == Some(name)) {
        what["path"] = json!(format!("/users/{as_}"));
        changed = true;
    }
    changed.then_some(what)
}

pub(super) fn last_of_file(path: &Path, most: usize) -> Result<Vec<Value>, AuditError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text?,
    };
    let mut all: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    Ok(all.split_off(all.len().saturating_sub(most)))
}

pub(super) async fn last_of_catalog(catalog: &dyn Catalog, most: usize) -> Result<Vec<Value>, AuditError> {
    let mut found: Vec<Vec<Value>> = Vec::new();
    let (mut count, mut offset) = (0, 0);
    while count < most {
        let page = catalog.find(query(offset, false)).await?.entries;
        offset += page.len();
        let last = page.len() < PAGE;
        for entry in page {
            let lines = entry.body.get("lines").and_then(Value::as_array).cloned().unwrap_or_default();
            count += lines.len();
            found.push(lines);
        }
        if last {
            break;
        }
    }
    let mut all: Vec<Value> = found.into_iter().rev().flatten().collect();
    Ok(all.split_off(all.len().saturating_sub(most)))
}

fn query(offset: usize, ascending: bool) -> EntryQuery {
    EntryQuery { sort: SortBy::Id, ascending, offset, limit: PAGE, ..EntryQuery::of(EntryKind::Audit) }
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
