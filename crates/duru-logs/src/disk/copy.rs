//! A copy of a folder that a store may have open, in this process or another.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use duru_sql::Error;
use serde::Deserialize;

use super::folder::unavailable;
use super::manifest::Meta;

/// So often the store may change its files under our hands.
const ATTEMPTS: usize = 20;

/// The part of the manifest that says which files count.
#[derive(Deserialize)]
struct Listed {
    first_wal: u64,
    segments: Vec<Meta>,
    notes: Vec<u64>,
}

/// Copies what counts of a folder into an empty one: everything that was acknowledged when this was called.
///
/// Segments never change and a log only grows, so that a copy of them is one moment's unless the manifest was
/// replaced meanwhile; then those that are new are copied, too.
///
/// # Errors
/// If a file can't be read or written, or the store never rests.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(|e| unavailable("can't make", to, &e))?;
    for _ in 0..ATTEMPTS {
        match attempt(from, to) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            // Sealed, merged or dropped between the list and the copy.
            Err((_, e)) if e.kind() == io::ErrorKind::NotFound => {}
            Err((path, e)) => return Err(unavailable("can't copy", Path::new(&path), &e)),
        }
    }
    Err(Error::Unavailable { reason: format!("{} changes too fast to be copied", from.display()) })
}

/// Whether what was copied belongs together.
fn attempt(from: &Path, to: &Path) -> Result<bool, (String, io::Error)> {
    let named = |name: &str, e: io::Error| (from.join(name).display().to_string(), e);
    let manifest = match fs::read(from.join("MANIFEST")) {
        Ok(bytes) => Some(bytes),
        // Nothing was sealed yet.
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(named("MANIFEST", e)),
    };
    let listed = match &manifest {
        Some(bytes) => listed(bytes).map_err(|e| named("MANIFEST", e))?,
        None => Listed { first_wal: 0, segments: Vec::new(), notes: Vec::new() },
    };
    let mut wanted: HashSet<String> = HashSet::from(["MANIFEST".to_owned()]);
    for meta in &listed.segments {
        let name = format!("seg-{:08}.parquet", meta.number);
        let there = fs::metadata(to.join(&name)).is_ok_and(|found| found.len() == meta.bytes);
        if !there {
            copy(from, to, &name).map_err(|e| named(&name, e))?;
        }
        wanted.insert(name);
    }
    for number in &listed.notes {
        let name = format!("notes-{number:08}.json");
        copy(from, to, &name).map_err(|e| named(&name, e))?;
        wanted.insert(name);
    }
    // The list first: a log that is not the last of it is written no more.
    for number in logs(from).map_err(|e| named("", e))?.into_iter().filter(|n| *n >= listed.first_wal) {
        let name = format!("wal-{number:08}");
        copy(from, to, &name).map_err(|e| named(&name, e))?;
        wanted.insert(name);
    }
    if fs::read(from.join("MANIFEST")).ok() != manifest {
        return Ok(false);
    }
    if let Some(bytes) = manifest {
        fs::write(to.join("MANIFEST"), bytes).map_err(|e| named("MANIFEST", e))?;
    }
    // What an earlier attempt copied and counts no longer.
    for entry in fs::read_dir(to).map_err(|e| named("", e))? {
        let entry = entry.map_err(|e| named("", e))?;
        if entry.file_name().to_str().is_none_or(|name| !wanted.contains(name)) {
            fs::remove_file(entry.path()).map_err(|e| named("", e))?;
        }
    }
    Ok(true)
}

fn listed(bytes: &[u8]) -> io::Result<Listed> {
    let body = bytes.splitn(2, |byte| *byte == b'\n').nth(1).unwrap_or_default();
    serde_json::from_slice(body).map_err(io::Error::other)
}

fn logs(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        numbers.extend(name.to_str().and_then(|name| name.strip_prefix("wal-")?.parse::<u64>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn copy(from: &Path, to: &Path, name: &str) -> io::Result<()> {
    fs::copy(from.join(name), to.join(name)).map(drop)
}
