//! The world outside: counts what was done to it, by idempotency key.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A sink of effects that outlives crashes. One attempt is one line
/// `effect key`; what counts is how many *keys* an effect was applied under.
#[derive(Clone)]
pub struct Ledger(Arc<Place>);

enum Place {
    Memory(Mutex<Vec<(String, String)>>),
    /// Appended to by processes that may be killed at any time.
    File(PathBuf),
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// How often each effect was applied: once per idempotency key.
    pub applied: BTreeMap<String, usize>,
    /// How often each was tried.
    pub attempts: BTreeMap<String, usize>,
}

impl Ledger {
    /// A ledger of this process.
    pub fn in_memory() -> Self {
        Self(Arc::new(Place::Memory(Mutex::default())))
    }

    /// A ledger in a file, shared by processes.
    pub fn in_file(path: impl Into<PathBuf>) -> Self {
        Self(Arc::new(Place::File(path.into())))
    }

    /// Does something to the world.
    pub fn apply(&self, effect: &str, key: &str) -> std::io::Result<()> {
        match &*self.0 {
            Place::Memory(lines) => {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push((effect.to_owned(), key.to_owned()));
                Ok(())
            }
            // One write of one line: a kill can't leave half of it.
            Place::File(path) => {
                let mut file = OpenOptions::new().create(true).append(true).open(path)?;
                file.write_all(format!("{effect} {key}\n").as_bytes())
            }
        }
    }

    /// What was done so far.
    pub fn applied(&self) -> std::io::Result<Applied> {
        let lines = match &*self.0 {
            Place::Memory(lines) => lines.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            Place::File(path) if !path.exists() => Vec::new(),
            Place::File(path) => BufReader::new(File::open(path)?)
                .lines()
                .map(|line| {
                    line.map(|line| {
                        line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap_or_default()
                    })
                })
                .collect::<Result<_, _>>()?,
        };
        let mut applied = Applied::default();
        let mut keys = std::collections::BTreeSet::new();
        for (effect, key) in lines {
            *applied.attempts.entry(effect.clone()).or_default() += 1;
            if keys.insert((effect.clone(), key)) {
                *applied.applied.entry(effect).or_default() += 1;
            }
        }
        Ok(applied)
    }
}
