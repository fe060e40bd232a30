//! The files that paths stand for.

use std::fs;
use std::path::{Path, PathBuf};

use crate::read::{Error, Kind};

/// Files to read, and paths that can't be.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) files: Vec<PathBuf>,
    pub(super) folders: Vec<PathBuf>,
    pub(super) bad: Vec<(PathBuf, Error)>,
}

/// Files that are named, and those below folders that are of a kind that is read, in the order of their names.
/// Hidden ones and links below folders are left out: a link may lead anywhere, and around in circles.
pub(super) fn walk(paths: &[PathBuf]) -> Walk {
    let mut walk = Walk::default();
    for path in paths {
        match fs::canonicalize(path) {
            Ok(path) if path.is_dir() => {
                walk.folder(&path);
                walk.folders.push(path);
            }
            Ok(path) if Kind::of(&path).is_none() => {
                let kind =
                    Error::UnknownKind(path.extension().unwrap_or_default().to_string_lossy().into_owned());
                walk.bad.push((path, kind));
            }
            Ok(path) => walk.files.push(path),
            Err(source) => walk.bad.push((path.clone(), Error::Open { path: path.clone(), source })),
        }
    }
    walk.files.sort();
    walk.files.dedup();
    walk
}

impl Walk {
    fn folder(&mut self, top: &Path) {
        let mut open = vec![top.to_owned()];
        while let Some(folder) = open.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(source) => {
                    self.bad.push((folder.clone(), Error::Open { path: folder, source }));
                    continue;
                }
            };
            for entry in entries.flatten() {
                let hidden = entry.file_name().to_string_lossy().starts_with('.');
                let Ok(kind) = entry.file_type() else { continue };
                if hidden || kind.is_symlink() {
                    continue;
                }
                if kind.is_dir() {
                    open.push(entry.path());
                } else if kind.is_file() && Kind::of(&entry.path()).is_some() {
                    self.files.push(entry.path());
                }
            }
        }
    }
}
