//! What is set, and where: the environment, then `duru.toml` in the folder one stands in, then the person's own
//! file. Flags come before all of them; they are read elsewhere.
//!
//! A name in a file is the variable's without `DURU_`, in small letters: `logs`, `model_researcher`.

mod file;
mod known;
pub(crate) mod trust;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

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

/// Read once, before anything else is.
static READ: OnceLock<Settings> = OnceLock::new();

/// Reads the files. What is wrong with them is told before anything is done.
pub(crate) fn read() -> Result<(), Unreadable> {
    let settings = Settings {
        project: File::read(Path::new(PROJECT), |text| match trust::is_trusted(text) {
            true => file::Trust::TrustedFolder,
            false => file::Trust::Folder,
        })?,
        user: match user_file() {
            Some(path) => File::read(&path, |_| file::Trust::Person)?,
            None => None,
        },
    };
    READ.get_or_init(|| settings);
    Ok(())
}

/// Why nothing is to be done here, if the folder's file sets what only one may set that is trusted.
pub(crate) fn untrusted() -> Option<Unreadable> {
    READ.get()?.project.as_ref()?.untrusted()
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
    let Settings { project, user } = READ.get()?;
    let value = |file: &File| file.get(name).map(str::to_owned);
    let of_project =
        project.as_ref().and_then(|file| Some((value(file)?, Origin::Project(file.path().to_owned()))));
    of_project
        .or_else(|| user.as_ref().and_then(|file| Some((value(file)?, Origin::User(file.path().to_owned())))))
}

/// Every variable that is set, in the environment or in a file, whatever its name.
pub(crate) fn names() -> Vec<String> {
    let files = READ.get().into_iter().flat_map(|settings| [&settings.project, &settings.user]).flatten();
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
