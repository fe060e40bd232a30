//! Sources that have a name: a TOML file each, in the data folder.

use std::collections::BTreeMap;
use std::path::PathBuf;

use duru_sql::domain::{Description, TableDescription};
use serde::Deserialize;

use super::problem::TablesProblem;
use crate::store;

/// A source as its file says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceFile {
    url: String,
    #[serde(default)]
    password_file: Option<PathBuf>,
    #[serde(default)]
    table: BTreeMap<String, TableDescription>,
}

/// A source that has a name.
#[derive(Debug, Clone)]
pub(crate) struct Registered {
    pub(crate) file: PathBuf,
    pub(crate) text: String,
    pub(crate) url: String,
    pub(crate) password_file: Option<PathBuf>,
    pub(crate) description: Description,
}

/// The folder of the files.
fn folder() -> Result<PathBuf, TablesProblem> {
    let beside = store::usual().ok_or(TablesProblem::NoFolder)?;
    Ok(beside.parent().ok_or(TablesProblem::NoFolder)?.join("tables"))
}

/// Whether this can be a name: it is a file's, and is typed.
pub(crate) fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    !name.is_empty() && name.len() <= 64 && name.chars().all(fits)
}

pub(crate) fn file(name: &str) -> Result<PathBuf, TablesProblem> {
    Ok(folder()?.join(format!("{name}.toml")))
}

/// The names that there are, in their order.
pub(crate) fn names() -> Result<Vec<String>, TablesProblem> {
    let folder = folder()?;
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(TablesProblem::File { file: folder, source }),
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let toml = path.extension().is_some_and(|extension| extension == "toml");
            toml.then(|| path.file_stem()?.to_str().map(str::to_owned))?
        })
        .collect();
    names.sort_unstable();
    Ok(names)
}

/// A source by its name; none if there is none.
pub(crate) fn find(name: &str) -> Result<Option<Registered>, TablesProblem> {
    if !is_name(name) {
        return Ok(None);
    }
    let file = file(name)?;
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(TablesProblem::File { file, source }),
    };
    let bad = |error: toml::de::Error| TablesProblem::Toml { file: file.clone(), reason: error.to_string() };
    let read: SourceFile = toml::from_str(&text).map_err(bad)?;
    Ok(Some(Registered {
        file,
        text,
        url: read.url,
        password_file: read.password_file,
        description: Description { table: read.table },
    }))
}

/// What a file's text describes, or why it can't be read.
pub(super) fn read(text: &str) -> Result<Description, String> {
    let read: SourceFile = toml::from_str(text).map_err(|error| error.to_string())?;
    Ok(Description { table: read.table })
}

/// A source that must be there.
pub(crate) fn get(name: &str) -> Result<Registered, TablesProblem> {
    find(name)?.ok_or_else(|| TablesProblem::Unknown { given: name.to_owned() })
}

/// Writes a new source's file. What is there already is not written over.
pub(crate) fn put(name: &str, text: &str) -> Result<PathBuf, TablesProblem> {
    use std::io::Write as _;
    let file = file(name)?;
    let failed = |source| TablesProblem::File { file: file.clone(), source };
    store::make_private(&folder()?).map_err(failed)?;
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(&file);
    let mut made = match made {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(TablesProblem::Exists { name: name.to_owned(), file });
        }
        made => made.map_err(failed)?,
    };
    made.write_all(text.as_bytes()).map_err(failed)?;
    Ok(file)
}

/// Removes a source's file, whatever is in it.
pub(crate) fn remove(name: &str) -> Result<PathBuf, TablesProblem> {
    let unknown = || TablesProblem::Unknown { given: name.to_owned() };
    let file = if is_name(name) { file(name)? } else { return Err(unknown()) };
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(unknown()),
        Err(source) => Err(TablesProblem::File { file, source }),
        Ok(()) => Ok(file),
    }
}

/// Where in a file a table, or a column of it, is described. Lines count from 1.
pub(crate) fn line_of(text: &str, table: &str, column: Option<&str>) -> Option<usize> {
    let is_heading = |line: &str| line.trim_start().starts_with('[');
    let names = |line: &str, name: &str| {
        let bare = line.replace(['"', '\''], "");
        let rest = bare.trim().trim_start_matches('[').trim_end_matches(']');
        rest.split('.').any(|part| part.trim() == name) || rest.ends_with(&format!(".{name}"))
    };
    let mut inside = false;
    let mut heading = None;
    for (at, line) in (1..).zip(text.lines()) {
        if is_heading(line) {
            inside = names(line, table);
            if inside {
                heading = heading.or(Some(at));
                if column.is_some_and(|column| names(line, column)) {
                    return Some(at);
                }
            }
        } else if inside
            && let Some(column) = column
            && [format!("\"{column}\""), format!("'{column}'")].iter().any(|quoted| line.contains(quoted))
        {
            return Some(at);
        }
    }
    heading
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_found_by_its_line() {
        let text = "url = \"postgres://h/d\"\n\n[table.orders]\ntime = \"att\"\nhidden = [\"card\"]\n\n[table.orders.column.totl]\nnouns = []\n[table.\"주문 메모\"]\n";
        assert_eq!(line_of(text, "orders", None), Some(3));
        assert_eq!(line_of(text, "orders", Some("att")), Some(4));
        assert_eq!(line_of(text, "orders", Some("card")), Some(5));
        assert_eq!(line_of(text, "orders", Some("totl")), Some(7));
        assert_eq!(line_of(text, "주문 메모", None), Some(9));
        assert_eq!(line_of(text, "customers", None), None);
    }

    #[test]
    fn a_name_is_one_word() {
        assert!(is_name("shop") && is_name("가게-2") && !is_name("a b") && !is_name("../x") && !is_name(""));
    }
}
