//! Which segments count: one file, replaced as a whole.

use std::fs;
use std::io;

use duru_sql::Error;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::folder::{Folder, unavailable};

pub(crate) const FORMAT: u32 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: u32,
    /// Logs of lower numbers are in segments.
    pub(crate) first_wal: u64,
    /// No line has this id or a higher one, except in logs.
    pub(crate) next_id: i64,
    /// Changes that the segments hold, and a checksum over all of them in order.
    pub(crate) changes: u64,
    pub(crate) chain: u64,
    /// How often segments were dropped.
    pub(crate) drops: u64,
    /// How often it was tried to merge segments, as far as something came of it.
    #[serde(default)]
    pub(crate) merges: u64,
    pub(crate) segments: Vec<Meta>,
    /// Logs and merged segments whose keys and deletions are in a file of notes.
    pub(crate) notes: Vec<u64>,
}

/// What is known of a segment without opening it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Meta {
    pub(crate) number: u64,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(crate) times: (i64, i64),
    pub(crate) ids: (i64, i64),
}

/// What a sealed log held besides rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notes {
    pub(crate) keys: Vec<(String, u64)>,
    pub(crate) deleted: Vec<i64>,
}

impl Manifest {
    pub(crate) fn new() -> Self {
        Self {
            format: FORMAT,
            first_wal: 1,
            next_id: 1,
            changes: 0,
            chain: 0,
            drops: 0,
            merges: 0,
            segments: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub(crate) fn load(folder: &Folder) -> Result<Self, Error> {
        let path = folder.manifest();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Self::new()),
            Err(e) => return Err(unavailable("can't read", &path, &e)),
        };
        let corrupt = |what: &str| Error::Corrupt { reason: format!("{} {what}", path.display()) };
        let body = without_sum(&text).ok_or_else(|| corrupt("does not fit its checksum"))?;
        let manifest: Self = serde_json::from_str(body).map_err(|_| corrupt("can't be read"))?;
        if manifest.format != FORMAT {
            return Err(corrupt("was written by another version of this program"));
        }
        Ok(manifest)
    }

    pub(crate) fn save(&self, folder: &Folder) -> Result<(), Error> {
        let text = with_sum(self)?;
        let path = folder.manifest();
        folder.put(&path, text.as_bytes()).map_err(|e| unavailable("can't write", &path, &e))
    }
}

/// As JSON, behind a line with its checksum.
pub(crate) fn with_sum(what: &impl Serialize) -> Result<String, Error> {
    let body = serde_json::to_string(what).map_err(|e| Error::Unavailable { reason: e.to_string() })?;
    Ok(format!("{:016x}\n{body}", xxh3_64(body.as_bytes())))
}

/// The JSON behind its checksum, if that fits.
pub(crate) fn without_sum(text: &str) -> Option<&str> {
    let (sum, body) = text.split_once('\n')?;
    (sum == format!("{:016x}", xxh3_64(body.as_bytes()))).then_some(body)
}

impl Notes {
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.deleted.is_empty()
    }

    pub(crate) fn load(folder: &Folder, number: u64) -> Result<Self, Error> {
        let path = folder.notes(number);
        let bytes = fs::read(&path).map_err(|e| Error::Corrupt {
            reason: format!("{} belongs to the store and can't be read: {e}", path.display()),
        })?;
        serde_json::from_slice(&bytes)
            .map_err(|_| Error::Corrupt { reason: format!("{} can't be read", path.display()) })
    }

    pub(super) fn save(&self, folder: &Folder, number: u64) -> Result<(), Error> {
        let path = folder.notes(number);
        let body = serde_json::to_vec(self).map_err(|e| Error::Unavailable { reason: e.to_string() })?;
        folder.put(&path, &body).map_err(|e| unavailable("can't write", &path, &e))
    }
}
