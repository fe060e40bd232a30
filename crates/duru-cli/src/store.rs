//! The store file: where it is, and how it is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use duru::store::Error;
use duru_store::SqliteStore;

use crate::problem::Problem;

/// A store that is open, and its file.
pub(crate) struct Opened {
    pub(crate) store: Arc<SqliteStore>,
    pub(crate) file: PathBuf,
}

/// Opens the given file, or the usual one, and makes it if there is none.
pub(crate) fn open_or_make(given: Option<&Path>) -> Result<Opened, Problem> {
    if let Some(file) = given {
        make_folder(file)?;
        return open(file.to_owned());
    }
    match usual() {
        Some(file) if make_folder(&file).is_ok() => match open(file.clone()) {
            // It can't even be made there: the folder may not be written to.
            Err(Problem::Store(Error::Backend { .. })) if !file.exists() => open(temporary()?),
            other => other,
        },
        _ => open(temporary()?),
    }
}

/// Opens a file that is there. None if the usual one does not exist yet.
pub(crate) fn open_existing(given: Option<&Path>) -> Result<Option<Opened>, Problem> {
    match (given, usual()) {
        (Some(file), _) if !file.exists() => Err(Problem::NoStore { file: file.to_owned() }),
        (Some(file), _) => open(file.to_owned()).map(Some),
        (None, Some(file)) if file.exists() => open(file).map(Some),
        (None, _) => Ok(None),
    }
}

fn open(file: PathBuf) -> Result<Opened, Problem> {
    let store = Arc::new(SqliteStore::open(&file).map_err(Problem::Store)?);
    Ok(Opened { store, file })
}

fn make_folder(file: &Path) -> Result<(), Problem> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|source| Problem::Folder { folder: folder.to_owned(), source })
}

/// The file in the user's data folder.
fn usual() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME")
        .or_else(|| absolute("LOCALAPPDATA"))
        .or_else(|| absolute("HOME").map(|home| home.join(".local").join("share")))?;
    Some(data.join("duru").join("demo.db"))
}

/// A file in a new folder that nobody else has made before.
fn temporary() -> Result<PathBuf, Problem> {
    let name = format!("duru-{}", &duru::ThreadId::random().as_str()[..13]);
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir(&folder).map_err(|source| Problem::Folder { folder: folder.clone(), source })?;
    Ok(folder.join("demo.db"))
}
