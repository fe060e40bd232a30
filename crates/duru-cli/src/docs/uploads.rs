//! Files that were sent: each owner's in a folder of their own, as much as they may have, and gone with what was made
//! of them.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use duru_search::Document;

use crate::problem::Problem;
use crate::settings;
use crate::store::make_private;

/// How much somebody may have there, unless `DURU_UPLOADS_QUOTA` says otherwise.
const USUAL: u64 = 1 << 30;
/// What the smallest file takes.
const BLOCK: u64 = 4 << 10;

/// Where files that were sent are kept.
#[derive(Debug, Clone)]
pub(crate) struct Uploads {
    folder: PathBuf,
    quota: u64,
}

/// Why a file is not kept.
#[derive(Debug)]
pub(crate) enum NotKept {
    /// The owner has as much as they may have, in bytes.
    Full(u64),
    Failed(#[allow(dead_code, reason = "it is for the log")] io::Error),
}

impl Uploads {
    /// Beside an index.
    pub(crate) fn beside(index: &Path) -> Result<Self, Problem> {
        let quota = match settings::get("DURU_UPLOADS_QUOTA") {
            Some(given) => bytes(&given).ok_or_else(|| Problem::Setting {
                ko: format!("DURU_UPLOADS_QUOTA: {given:?}은(는) 크기가 아닙니다 (500MB, 2GB)"),
                en: format!("DURU_UPLOADS_QUOTA: {given:?} is no size (500MB, 2GB)"),
            })?,
            None => USUAL,
        };
        Ok(Self { folder: index.with_file_name("uploads"), quota })
    }

    /// The folder that what is sent is known by.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A name that no file has, so that nobody's files are somebody else's.
    fn of(&self, owner: Option<&str>) -> PathBuf {
        owner.map_or_else(|| self.folder.clone(), |owner| self.folder.join(format!("@{owner}")))
    }

    /// Keeps a file of somebody's under its name, in the place of one that they sent before.
    pub(crate) fn keep(&self, owner: Option<&str>, name: &str, bytes: &[u8]) -> Result<PathBuf, NotKept> {
        let folder = self.of(owner);
        let path = folder.join(name);
        make_private(&folder).map_err(NotKept::Failed)?;
        let before = fs::metadata(&path).map_or(0, |there| there.len().max(BLOCK));
        let used = used(&folder).map_err(NotKept::Failed)?.saturating_sub(before);
        if used.saturating_add((bytes.len() as u64).max(BLOCK)) > self.quota {
            return Err(NotKept::Full(self.quota));
        }
        let written = || -> io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(&folder)?;
            file.write_all(bytes)?;
            file.persist(&path).map_err(|error| error.error).map(drop)
        };
        written().map_err(NotKept::Failed)?;
        Ok(path)
    }

    /// Removes the file that a document was made of, if it was sent here.
    pub(crate) fn discard(&self, document: &Document) -> io::Result<()> {
        let Some(parent) = self.folder.parent() else { return Ok(()) };
        let path = parent.join(&document.source);
        // What came from elsewhere on this machine is nobody's to remove.
        let (Ok(path), Ok(folder)) = (path.canonicalize(), self.folder.canonicalize()) else {
            return Ok(());
        };
        if path.starts_with(&folder) { remove(&path) } else { Ok(()) }
    }

    /// Removes all that somebody sent.
    pub(crate) fn discard_all(&self, owner: Option<&str>) -> io::Result<u64> {
        let folder = self.of(owner);
        let mut count = 0;
        for file in files(&folder)? {
            remove(&file.0)?;
            count += 1;
        }
        if owner.is_some() && count > 0 {
            fs::remove_dir(&folder)?;
        }
        Ok(count)
    }
}

/// One that somebody else removed meanwhile is gone as well.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn used(folder: &Path) -> io::Result<u64> {
    Ok(files(folder)?.into_iter().map(|(_, bytes)| bytes.max(BLOCK)).sum())
}

/// The files of a folder, and how long each is; those of folders in it are others'.
fn files(folder: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let there = entry.metadata()?;
        if there.is_file() {
            found.push((entry.path(), there.len()));
        }
    }
    Ok(found)
}

/// `500MB`, `2 GB`, `1048576`.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_uppercase();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = match unit.trim() {
        "" | "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        "T" | "TB" | "TIB" => 1_u64 << 40,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(source: &str) -> Document {
        Document {
            id: "1".into(),
            collection: "a".into(),
            source: source.into(),
            title: String::new(),
            fingerprint: String::new(),
            chunks: 1,
            names: duru_search::Names::default(),
            owner: None,
            access: duru_search::Access::Shared,
        }
    }

    #[test]
    fn everybody_has_their_own_files_and_no_more_than_they_may() {
        let place = tempfile::tempdir().unwrap();
        let uploads = Uploads { folder: place.path().join("uploads"), quota: 10_000 };
        let kim = uploads.keep(Some("kim"), "a.md", b"kim").unwrap();
        let lee = uploads.keep(Some("lee"), "a.md", b"lee").unwrap();
        let nobody = uploads.keep(None, "a.md", b"nobody").unwrap();
        for (path, text) in [(&kim, "kim"), (&lee, "lee"), (&nobody, "nobody")] {
            assert_eq!(fs::read_to_string(path).unwrap(), text);
        }
        assert!(matches!(uploads.keep(Some("kim"), "b.md", &[0; 6_000]), Err(NotKept::Full(_))));
        uploads.keep(Some("kim"), "a.md", &[0; 9_000]).unwrap();
        uploads.keep(Some("lee"), "b.md", b"more").unwrap();
        assert!(matches!(uploads.keep(Some("lee"), "c.md", b"more"), Err(NotKept::Full(_))));

        uploads.discard(&document("uploads/@kim/a.md")).unwrap();
        assert!(!kim.exists() && lee.exists() && nobody.exists());
        assert_eq!(uploads.discard_all(Some("lee")).unwrap(), 2);
        assert!(!lee.parent().unwrap().exists() && nobody.exists());
    }

    #[test]
    fn what_was_not_sent_here_is_not_removed() {
        let place = tempfile::tempdir().unwrap();
        let uploads = Uploads { folder: place.path().join("uploads"), quota: 10_000 };
        uploads.keep(None, "a.md", b"x").unwrap();
        let own = place.path().join("own.md");
        fs::write(&own, "mine").unwrap();
        for source in [own.to_str().unwrap(), "own.md", "uploads/../own.md", "uploads/gone.md", ""] {
            uploads.discard(&document(source)).unwrap();
        }
        assert!(own.exists());
    }

    #[test]
    fn a_size_is_read_with_its_unit() {
        assert_eq!((bytes("500MB"), bytes("2 GB"), bytes("7")), (Some(500 << 20), Some(2 << 30), Some(7)));
        assert_eq!((bytes("much"), bytes("1XB"), bytes("99999999999T")), (None, None, None));
    }
}
