//! The file that names several databases for threads.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::{Place, SHARDS};
use crate::problem::Problem;

/// Several databases, by name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shards {
    /// The one that keeps what belongs to no thread.
    pub(crate) home: String,
    /// Their URLs.
    #[serde(rename = "shards")]
    pub(crate) databases: BTreeMap<String, String>,
}

impl Shards {
    /// What the file of a place says; none where the place is another one.
    pub(crate) fn of(place: &Place) -> Result<Option<Self>, Problem> {
        let Place::Url(url) = place else { return Ok(None) };
        let Some(file) = url.strip_prefix(SHARDS).map(|file| Path::new(file.trim_start_matches("//"))) else {
            return Ok(None);
        };
        let text = std::fs::read_to_string(file)
            .map_err(|source| Problem::File { file: file.to_owned(), source })?;
        // What the parser says would quote the line, and the line may hold a password.
        let shards: Self = toml::from_str(&text).map_err(|error| wrong(file, error.message()))?;
        for (name, url) in &shards.databases {
            if !matches!(Place::named(url.clone()), Place::Url(url) if !url.starts_with(SHARDS)) {
                return Err(wrong(file, &format!("shard {name:?}: no postgres:// URL")));
            }
        }
        Ok(Some(shards))
    }
}

fn wrong(file: &Path, why: &str) -> Problem {
    let file = file.display();
    Problem::Setting {
        ko: format!(
            "{file}: home = \"이름\"과 [shards] 아래 이름 = \"postgres://…\"로 적으세요. (자세히: {why})"
        ),
        en: format!("{file}: write home = \"NAME\", and under [shards] NAME = \"postgres://…\" ({why})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Shards>, Problem> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shards.toml");
        std::fs::write(&file, text).unwrap();
        Shards::of(&Place::named(format!("shards:{}", file.display())))
    }

    #[test]
    fn a_file_names_databases_and_what_is_wrong_is_said_without_passwords() {
        let good = "home = \"a\"\n[shards]\na = \"postgres://u:secret@h/a\"\nb = \"postgres://u:secret@h/b\"";
        let shards = read(good).unwrap().unwrap();
        assert_eq!((shards.home.as_str(), shards.databases.len()), ("a", 2));
        for bad in [
            "home = \"a\"\n[shards]\na = \"mysql://u:secret@h/a\"",
            "home = \"a\"\n[shards]\na = 'secret",
            "[shards]\na = \"postgres://u:secret@h/a\"",
            "home = \"a\"\nhouse = \"secret\"\n[shards]\na = \"postgres://u:secret@h/a\"",
        ] {
            let Err(Problem::Setting { ko, en }) = read(bad) else { panic!("{bad}") };
            assert!(!ko.contains("secret") && !en.contains("secret"), "{en}");
            assert!(ko.contains("[shards]") && en.contains("[shards]"), "{en}");
        }
        assert!(Shards::of(&Place::named("postgres://h/a".into())).unwrap().is_none());
    }
}
