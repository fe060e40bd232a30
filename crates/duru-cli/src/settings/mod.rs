//! What is set, and where: the environment, then `duru.toml` in the folder one stands in, then the person's own
//! file. Flags come before all of them; they are read elsewhere.
//!
//! A name in a file is the variable's without `DURU_`, in small letters: `logs`, `model_researcher`.

mod file;
mod known;
pub(crate) mod trust;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use file::File;
pub(crate) use file::Unreadable;
pub(crate) use known::{Known, known};

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The command line.
    Flag,
    Environment,
    /// `duru.toml` in the folder one stands in.
    Project(PathBuf),
    User(PathBuf),
    /// Nobody said anything.
    Default,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) value: String,
    pub(crate) origin: Origin,
}

#[derive(Debug, Default)]
pub(crate) struct Settings {
    project: Option<File>,
    user: Option<File>,
}

/// The file of the folder one stands in.
pub(crate) const PROJECT: &str = "duru.toml";

/// Read before anything else is; and again where a server is told to.
static READ: RwLock<Option<Arc<Settings>>> = RwLock::new(None);

fn current() -> Option<Arc<Settings>> {
    READ.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Reads the files. What is wrong with them is told before anything is done.
pub(crate) fn read() -> Result<(), Unreadable> {
    let settings = read_files()?;
    *READ.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(settings));
    Ok(())
}

/// Reads the files again. Gives the names of what is set otherwise than before; if the files can't be used, everything
/// stays.
pub(crate) fn read_again() -> Result<Vec<String>, Unreadable> {
    let new = read_files()?;
    if let Some(why) = new.project.as_ref().and_then(File::untrusted) {
        return Err(why);
    }
    let before: BTreeMap<String, Option<String>> =
        all_names(&new).into_iter().map(|name| (name.clone(), get(&name))).collect();
    *READ.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(new));
    Ok(before.into_iter().filter(|(name, value)| get(name) != *value).map(|(name, _)| name).collect())
}

/// Of these files and of those before them.
fn all_names(new: &Settings) -> Vec<String> {
    let old = current();
    let both = old.as_deref().into_iter().chain([new]);
    both.flat_map(|settings| [&settings.project, &settings.user]).flatten().flat_map(File::names).collect()
}

fn read_files() -> Result<Settings, Unreadable> {
    Ok(Settings {
        project: File::read(Path::new(PROJECT), |text| match trust::is_trusted(text) {
            true => file::Trust::TrustedFolder,
            false => file::Trust::Folder,
        })?,
        user: match user_file() {
            Some(path) => File::read(&path, |_| file::Trust::Person)?,
            None => None,
        },
    })
}

/// Why nothing is to be done here, if the folder's file sets what only one may set that is trusted.
pub(crate) fn untrusted() -> Option<Unreadable> {
    current()?.project.as_ref()?.untrusted()
}

/// The value of a variable. An empty one is none.
pub(crate) fn get(name: &str) -> Option<String> {
    find(name).map(|setting| setting.value)
}

/// The value of a variable and where it is from.
pub(crate) fn find(name: &str) -> Option<Setting> {
    let in_environment = std::env::var(name).ok().map(|value| (value, Origin::Environment));
    let (value, origin) = in_environment.or_else(|| in_files(name))?;
    (!value.trim().is_empty()).then_some(Setting { value, origin })
}

fn in_files(name: &str) -> Option<(String, Origin)> {
    let settings = current()?;
    let Settings { project, user } = &*settings;
    let value = |file: &File| file.get(name).map(str::to_owned);
    let of_project =
        project.as_ref().and_then(|file| Some((value(file)?, Origin::Project(file.path().to_owned()))));
    of_project
        .or_else(|| user.as_ref().and_then(|file| Some((value(file)?, Origin::User(file.path().to_owned())))))
}

/// Every variable that is set, in the environment or in a file, whatever its name.
pub(crate) fn names() -> Vec<String> {
    let settings = current();
    let files =
        settings.as_deref().into_iter().flat_map(|settings| [&settings.project, &settings.user]).flatten();
    let mut names: Vec<String> = std::env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| name.starts_with("DURU_"))
        .chain(files.flat_map(File::names))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The person's own file, whether it is there or not.
pub(crate) fn user_file() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME")
        .or_else(|| absolute("APPDATA"))
        .or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("duru").join("config.toml"))
}
