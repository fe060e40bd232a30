//! Who a folder is in the bucket.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use duru_sql::{BucketTrouble, Error};
use serde::{Deserialize, Serialize};

use super::address::BucketAddress;
use super::kept::{self, Kept};
use super::remote::Bucket;
use super::shelf::Opened;
use crate::disk::{Folder, step};

/// So many processes of one machine may take lines in for one bucket.
const FOLDERS: usize = 64;
pub(super) const FILE: &str = "INGESTER";

/// Kept in the folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Identity {
    ingester: String,
    place: String,
    fingerprint: String,
    /// Who has opened the folder, and said so in the bucket.
    opener: Option<String>,
    /// Who is about to.
    next: Option<String>,
}

/// The first folder that no other process of this machine has, and who it is.
pub(super) fn claim(address: &BucketAddress) -> Result<(Arc<Folder>, Identity), Error> {
    let none = || Error::Unavailable {
        reason: "no folder was named for lines that are not in the bucket yet".into(),
    };
    let parent = std::path::absolute(address.folder.as_ref().ok_or_else(none)?)
        .map_err(|e| Error::Unavailable { reason: e.to_string() })?;
    let number = |number: usize| parent.join(number.to_string());
    for at in 1..FOLDERS {
        if let Some(folder) = Folder::open_free(&number(at))? {
            return identify(folder, address);
        }
    }
    identify(Folder::open(&number(FOLDERS))?, address)
}

/// A folder with lines that may not be in the bucket yet, and no process that has it open.
pub(super) struct LeftBehind {
    pub(super) path: PathBuf,
    /// Who it is, if that can be read.
    pub(super) claimed: Result<(Arc<Folder>, Identity), Error>,
}

/// Folders that no process of this machine has any more, with lines for this bucket that may not be there yet.
pub(super) fn left_behind(address: &BucketAddress) -> Vec<LeftBehind> {
    let Some(parent) = &address.folder else { return Vec::new() };
    let known = (1..=FOLDERS).map(|at| parent.join(at.to_string())).filter(|path| path.join(FILE).exists());
    // One that can't be opened is somebody else's.
    let free = known.filter_map(|path| Folder::open_free(&path).ok().flatten());
    let with_lines = free.filter(has_lines).filter(|folder| !is_elsewhere(folder, address));
    let claim =
        |folder: Folder| LeftBehind { path: folder.path().to_owned(), claimed: identify(folder, address) };
    with_lines.map(claim).collect()
}

/// Whether a folder says that its lines are for another bucket.
fn is_elsewhere(folder: &Folder, address: &BucketAddress) -> bool {
    stored(folder).is_ok_and(|found| found.is_some_and(|one| one.fingerprint != address.fingerprint()))
}

fn has_lines(folder: &Folder) -> bool {
    let logs = folder.wals().unwrap_or_default();
    logs.into_iter().any(|log| fs::metadata(folder.wal(log)).is_ok_and(|found| found.len() > 0))
}

/// Who a folder says it is; none if nobody has had it yet.
fn stored(folder: &Folder) -> Result<Option<Identity>, Error> {
    let path = folder.path().join(FILE);
    match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|e| cant(&path, &e.into())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(cant(&path, &e)),
    }
}

/// Who a folder becomes that nobody has had yet.
pub(super) fn of_new(address: &BucketAddress) -> Result<Identity, Error> {
    Ok(Identity {
        ingester: random()?,
        place: address.to_string(),
        fingerprint: address.fingerprint(),
        opener: None,
        next: None,
    })
}

fn identify(folder: Folder, address: &BucketAddress) -> Result<(Arc<Folder>, Identity), Error> {
    let mut identity = match stored(&folder)? {
        Some(identity) => identity,
        None => of_new(address)?,
    };
    if identity.fingerprint != address.fingerprint() {
        let reason = format!(
            "{} holds lines for {}, perhaps at another endpoint; name another ?folder=",
            folder.path().display(),
            identity.place
        );
        return Err(Error::Unavailable { reason });
    }
    if identity.next.is_none() {
        identity.next = Some(random()?);
        identity.save(&folder)?;
    }
    Ok((Arc::new(folder), identity))
}

impl Identity {
    fn save(&self, folder: &Folder) -> Result<(), Error> {
        let path: PathBuf = folder.path().join(FILE);
        let bytes = serde_json::to_vec(self).map_err(|e| cant(&path, &e.into()))?;
        folder.put(&path, &bytes).map_err(|e| cant(&path, &e))
    }

    /// Says in the bucket who has the folder now: whoever had it, or has a copy of it, can't replace the manifest any
    /// more.
    pub(super) async fn register(mut self, bucket: &Bucket, folder: &Folder) -> Result<Opened, Error> {
        let name = kept::manifest(&self.ingester);
        let opener = self.next.take().unwrap_or_default();
        let (before, kept) = match bucket.get(&name).await? {
            None if self.opener.is_some() => return Err(bucket.error(BucketTrouble::Emptied, name)),
            None => (None, Kept::new(opener.clone())),
            Some((bytes, tag)) => {
                let mut kept = Kept::read(bucket, &name, &bytes)?;
                let mine = self.opener.as_deref() == Some(&kept.opener) || kept.opener == opener;
                if !mine {
                    let detail = format!("{}: {name}", folder.path().display());
                    return Err(bucket.error(BucketTrouble::Copied, detail));
                }
                kept.epoch += 1;
                kept.serial += 1;
                kept.opener.clone_from(&opener);
                (Some(tag), kept)
            }
        };
        let text = bytes::Bytes::from(kept.text()?);
        let written = bucket.replace(&name, text.clone(), before.as_ref()).await?;
        let tag = match written {
            Some(tag) => tag,
            // Only the answer may have been lost.
            None => match bucket.get(&name).await? {
                Some((bytes, tag)) if Kept::read(bucket, &name, &bytes)? == kept => tag,
                _ => return Err(bucket.error(BucketTrouble::Copied, name)),
            },
        };
        step();
        self.opener = Some(opener);
        self.save(folder)?;
        step();
        // Where conditions are not heeded, somebody's lines would be lost without a sign. The same text does no harm.
        if bucket.replace(&name, text, before.as_ref()).await?.is_some() {
            return Err(bucket.error(BucketTrouble::Unconditional, name));
        }
        Ok(Opened { ingester: self.ingester, kept, tag })
    }
}

fn cant(path: &Path, e: &io::Error) -> Error {
    Error::Unavailable { reason: format!("{}: {e}", path.display()) }
}

pub(super) fn random() -> Result<String, Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|e| Error::Unavailable { reason: e.to_string() })?;
    Ok(hex::encode(bytes))
}
