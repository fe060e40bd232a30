//! Folders whose `duru.toml` may say where data go: those of which a person said so, for as long as the file says the
//! same.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The person's own list: by folder, the digest of its file.
type Trusted = BTreeMap<String, String>;

/// Whether the folder one stands in is trusted with a file that says this.
pub(super) fn is_trusted(text: &str) -> bool {
    let Some((list, folder)) = list().zip(here()) else { return false };
    read(&list).is_ok_and(|trusted| trusted.get(&folder) == Some(&digest(text)))
}

/// Trusts the folder one stands in with what its file says now.
pub(crate) fn trust(file: &Path) -> io::Result<()> {
    let text = std::fs::read_to_string(file)?;
    change(|trusted, folder| drop(trusted.insert(folder, digest(&text))))
}

/// Trusts it no more.
pub(crate) fn distrust() -> io::Result<()> {
    change(|trusted, folder| drop(trusted.remove(&folder)))
}

fn change(how: impl FnOnce(&mut Trusted, String)) -> io::Result<()> {
    let (Some(list), Some(folder)) = (list(), here()) else {
        return Err(io::Error::new(io::ErrorKind::NotFound, "HOME, XDG_CONFIG_HOME"));
    };
    let mut trusted = read(&list)?;
    how(&mut trusted, folder);
    let parent = list.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent)?;
    // Readable to its owner alone, and whole whatever happens.
    let mut fresh = tempfile::NamedTempFile::new_in(parent)?;
    fresh.write_all(&serde_json::to_vec_pretty(&trusted)?)?;
    fresh.persist(&list).map_err(|error| error.error).map(drop)
}

fn read(list: &Path) -> io::Result<Trusted> {
    match std::fs::read(list) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Trusted::new()),
        Err(error) => Err(error),
    }
}

fn list() -> Option<PathBuf> {
    Some(super::user_file()?.with_file_name("trusted.json"))
}

/// However one came there.
fn here() -> Option<String> {
    Some(std::env::current_dir().ok()?.canonicalize().ok()?.to_string_lossy().into_owned())
}

fn digest(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}
