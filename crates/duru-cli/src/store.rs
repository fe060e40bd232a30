//! The store: where it is, and how it is opened.

mod shards;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use duru::store::{Checkpoints, Error};
use duru_logs::BucketAddress;
use duru_server::Stores;
use duru_store::{PostgresStore, ShardedStore, SqliteStore};

pub(crate) use shards::Shards;

use crate::problem::Problem;

/// Where a store is. It is shown without the password.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Place {
    File(PathBuf),
    /// Of a PostgreSQL database; or `shards:` and a file that names several.
    Url(String),
    /// Of object storage.
    Bucket(String),
}

/// What stands before a file that names several databases.
const SHARDS: &str = "shards:";

impl Place {
    /// What a person names: a file, unless it looks like a URL of a database or a bucket.
    pub(crate) fn named(name: String) -> Self {
        if BucketAddress::is_one(&name) {
            return Self::Bucket(name);
        }
        let is_url = ["postgres:", "postgresql:", SHARDS].iter().any(|scheme| name.starts_with(scheme));
        if is_url { Self::Url(name) } else { Self::File(name.into()) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => write!(f, "{}", file.display()),
            Self::Url(file) if file.starts_with(SHARDS) => f.write_str(file),
            Self::Url(url) => f.write_str(&without_secrets(url).unwrap_or_else(|| "postgres://…".to_owned())),
            Self::Bucket(address) => f.write_str(&without_keys(address)),
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The user, the host and the database of a URL. None unless all parts are what
/// they should be: what looks odd may be a part of a password.
fn without_secrets(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let user = user.split(':').next().unwrap_or_default();
    let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "-._[]:".contains(c));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let fine = is_name(name)
        && port.bytes().all(|b| b.is_ascii_digit())
        && !rest[authority.len()..].contains('@')
        && !path.contains(':');
    let at = if user.is_empty() { "" } else { "@" };
    fine.then(|| format!("postgres://{user}{at}{host}{path}"))
}

/// A bucket's address without what it says of keys.
fn without_keys(address: &str) -> String {
    let Ok(parsed) = address.parse::<BucketAddress>() else { return "s3://…".to_owned() };
    let secrets = ["access_key_id", "secret_access_key", "session_token"];
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let fine = |pair: &&str| !pair.is_empty() && !secrets.iter().any(|name| pair.starts_with(name));
    let query: Vec<&str> = query.split('&').filter(fine).collect();
    if query.is_empty() { parsed.to_string() } else { format!("{parsed}?{}", query.join("&")) }
}

/// A store that is open, and where it is.
pub(crate) struct Opened {
    pub(crate) store: Arc<dyn Checkpoints>,
    /// Everything else that it keeps, too.
    pub(crate) stores: Stores,
    /// The same, where it is in several databases.
    pub(crate) shards: Option<Arc<ShardedStore>>,
    pub(crate) place: Place,
}

/// Opens the given store, or the usual file, and makes it if there is none.
pub(crate) async fn open_or_make(given: Option<&Place>) -> Result<Opened, Problem> {
    if let Some(place) = given {
        if let Place::File(file) = place {
            make_folder(file)?;
        }
        return open(place).await;
    }
    match usual() {
        Some(file) if make_folder(&file).is_ok() => match open(&Place::File(file.clone())).await {
            // It can't even be made there: the folder may not be written to.
            Err(Problem::Store(Error::Backend { .. })) if !file.exists() => {
                open(&Place::File(temporary()?)).await
            }
            other => other,
        },
        _ => open(&Place::File(temporary()?)).await,
    }
}

/// Opens a store that is there. None if the usual file does not exist yet.
pub(crate) async fn open_existing(given: Option<&Place>) -> Result<Option<Opened>, Problem> {
    let place = match (given, usual()) {
        (Some(Place::File(file)), _) if !file.exists() => {
            return Err(Problem::NoStore { file: file.clone() });
        }
        (Some(place), _) => place.clone(),
        (None, Some(file)) if file.exists() => Place::File(file),
        (None, _) => return Ok(None),
    };
    open(&place).await.map(Some)
}

async fn open(place: &Place) -> Result<Opened, Problem> {
    let (stores, shards) = open_all(place).await?;
    Ok(Opened { store: Arc::clone(&stores.checkpoints), stores, shards, place: place.clone() })
}

async fn open_all(place: &Place) -> Result<(Stores, Option<Arc<ShardedStore>>), Problem> {
    if let Place::File(file) = place {
        private(file).map_err(|source| Problem::File { file: file.clone(), source })?;
    }
    if let Some(shards) = Shards::of(place)? {
        let store = ShardedStore::connect(&shards.home, &shards.databases).await.map_err(Problem::Store)?;
        let store = Arc::new(store);
        return Ok((Stores::of(Arc::clone(&store)), Some(store)));
    }
    let stores = match place {
        Place::File(file) => Stores::of(Arc::new(SqliteStore::open(file).map_err(Problem::Store)?)),
        Place::Url(url) => Stores::of(Arc::new(PostgresStore::connect(url).await.map_err(Problem::Store)?)),
        Place::Bucket(_) => return Err(no_bucket()),
    };
    Ok((stores, None))
}

/// Threads are changed again and again, which objects are not for.
fn no_bucket() -> Problem {
    Problem::Setting {
        ko: "스레드는 버킷(s3://)에 둘 수 없습니다. --store에는 파일이나 postgres:// URL을 쓰세요. 로그는 --logs로 버킷에 둘 수 있습니다."
            .to_owned(),
        en: "threads can't be kept in a bucket (s3://): name a file or a postgres:// URL with --store. Logs can, with --logs."
            .to_owned(),
    }
}

/// Where the example keeps a file of its own: beside the store's, if it has one.
pub(crate) fn file_beside(place: &Place) -> Result<PathBuf, Problem> {
    match (place, usual()) {
        (Place::File(file), _) => Ok(file.clone()),
        (_, Some(file)) if make_folder(&file).is_ok() => Ok(file),
        _ => temporary(),
    }
}

/// What people asked is nobody else's to read, wherever the file is: a new one is made for its owner alone, and so is one
/// of ours that everybody could read. What SQLite puts beside it is as open as the file itself.
#[cfg(unix)]
fn private(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
    let made = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    match made {
        Ok(_) => return Ok(()),
        // Where nothing can be made, opening it says why.
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Ok(()),
        Err(_) => {}
    }
    let own = rustix::process::geteuid().as_raw();
    for beside in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(beside);
        let Ok(there) = std::fs::metadata(&name) else { continue };
        let mode = there.permissions().mode();
        // A group that was let in on purpose stays.
        if there.is_file() && there.uid() == own && mode & 0o004 != 0 {
            std::fs::set_permissions(&name, std::fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn private(_: &Path) -> std::io::Result<()> {
    Ok(())
}

fn make_folder(file: &Path) -> Result<(), Problem> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    make_private(folder).map_err(|source| Problem::Folder { folder: folder.to_owned(), source })
}

/// Makes a folder, if there is none, that is nobody else's to read: it is for what people asked, were told and sent.
pub(crate) fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut folders = std::fs::DirBuilder::new();
    folders.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders.create(folder)
}

/// The file in the user's data folder.
pub(crate) fn usual() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME")
        .or_else(|| absolute("LOCALAPPDATA"))
        .or_else(|| absolute("HOME").map(|home| home.join(".local").join("share")))?;
    Some(data.join("duru").join("threads.db"))
}

/// A file in a new folder that nobody else has made before.
fn temporary() -> Result<PathBuf, Problem> {
    let name = format!("duru-{}", &duru::ThreadId::random().as_str()[..13]);
    let folder = std::env::temp_dir().join(name);
    make_private(&folder).map_err(|source| Problem::Folder { folder: folder.clone(), source })?;
    Ok(folder.join("threads.db"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let shown = |url: &str| Place::named(url.to_owned()).to_string();
        assert_eq!(shown("postgres://kim:secret@db:5432/app?sslmode=disable"), "postgres://kim@db:5432/app");
        assert_eq!(shown("postgresql://kim:se@cret@db/app"), "postgres://kim@db/app");
        assert_eq!(shown("postgres://localhost/app?password=secret"), "postgres://localhost/app");
        for url in [
            "postgres://kim:sec/ret@db/app",
            "postgres://kim:sec?ret@db/app",
            "postgres://kim:sec#ret@db/app",
            "postgres://kim:secret",
            "postgres:kim:secret@db",
            "postgres://db/x?password=secret@ret",
        ] {
            assert_eq!(shown(url), "postgres://…");
        }
        assert_eq!(shown("a/postgres.db"), "a/postgres.db");
        let keys = "access_key_id=AK&secret_access_key=secret&session_token=secret";
        assert_eq!(shown(&format!("s3://logs/a?{keys}")), "s3://logs/a");
        assert_eq!(shown(&format!("s3://logs/a?region=x&{keys}&ship=0")), "s3://logs/a?region=x&ship=0");
        assert_eq!(shown("s3://logs?secret=secret"), "s3://…");
    }
}
