//! Words of tables and columns, changed in the file that people write them in. Whatever else they wrote there stays as
//! it is, comments too.

use std::io::Write as _;
use std::path::Path;

use duru_sql::domain::Description;
use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use super::problem::TablesProblem;
use super::registry;

/// What people wrote of a table or a column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TableWords {
    pub(crate) description: Option<String>,
    pub(crate) synonyms: Vec<String>,
}

impl TableWords {
    /// As a description has them.
    pub(crate) fn of(description: &Description, table: &str, column: Option<&str>) -> Self {
        let Some(table) = description.table.get(table) else { return Self::default() };
        let (about, nouns) = match column {
            None => (&table.description, &table.nouns),
            Some(column) => match table.column.get(column) {
                Some(column) => (&column.description, &column.nouns),
                None => return Self::default(),
            },
        };
        Self { description: about.clone(), synonyms: nouns.clone() }
    }
}

/// What came of a change. With the file's description as a whole: people may have written in it themselves.
pub(crate) enum WordsChanged {
    Done(Description),
    /// The words are not those any more that whoever changes them has seen.
    Stale(Description),
    /// They can't be written, and why.
    Refused(String),
}

/// Changes the words of a table, or of a column of it, in the file of a source: from those that it has to those that
/// are wanted, none if it has others than it should.
pub(crate) fn change_words(
    source: &str,
    (table, column): (&str, Option<&str>),
    wanted: impl FnOnce(TableWords) -> Result<Option<TableWords>, String>,
) -> Result<WordsChanged, TablesProblem> {
    let known = registry::get(source)?;
    let words = match wanted(TableWords::of(&known.description, table, column)) {
        Ok(Some(words)) => words,
        Ok(None) => return Ok(WordsChanged::Stale(known.description)),
        Err(reason) => return Ok(WordsChanged::Refused(reason)),
    };
    let bad = |reason: String| TablesProblem::Toml { file: known.file.clone(), reason };
    let text = edited(&known.text, (table, column), &words).map_err(bad)?;
    // What can't be read again is not written.
    let description = registry::read(&text).map_err(bad)?;
    write(&known.file, &text).map_err(|source| TablesProblem::File { file: known.file.clone(), source })?;
    Ok(WordsChanged::Done(description))
}

/// The text of a file with other words in it.
fn edited(text: &str, (table, column): (&str, Option<&str>), words: &TableWords) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let mut at: &mut dyn TableLike = document.as_table_mut();
    let path = ["table", table].into_iter().chain(column.into_iter().flat_map(|column| ["column", column]));
    for part in path {
        let item = at.entry(part).or_insert_with(|| {
            let mut table = Table::new();
            // Without a heading, unless something is written below it.
            table.set_implicit(true);
            Item::Table(table)
        });
        at = item.as_table_like_mut().ok_or_else(|| format!("{part} is no table"))?;
    }
    match &words.description {
        Some(description) => set(at, "description", value(description.as_str())),
        None => drop(at.remove("description")),
    }
    match words.synonyms.is_empty() {
        true => drop(at.remove("nouns")),
        false => set(at, "nouns", value(words.synonyms.iter().map(String::as_str).collect::<Array>())),
    }
    Ok(document.to_string())
}

/// Keeps a comment that stands behind the value.
fn set(at: &mut dyn TableLike, key: &str, mut new: Item) {
    if let (Some(old), Some(new)) = (at.get(key).and_then(Item::as_value), new.as_value_mut()) {
        *new.decor_mut() = old.decor().clone();
    }
    at.insert(key, new);
}

/// All of it or nothing, with the rights that the file had, and where a link leads to.
fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let file = file.canonicalize()?;
    let mut fresh = tempfile::NamedTempFile::new_in(file.parent().unwrap_or(Path::new(".")))?;
    fresh.write_all(text.as_bytes())?;
    fresh.as_file().set_permissions(std::fs::metadata(&file)?.permissions())?;
    fresh.as_file().sync_all()?;
    fresh.persist(&file).map_err(|error| error.error).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# Mine.\nurl = \"postgres://h/d\"\n\n[table.orders]\nnouns = [\"orders\"] # as we say\n\
                        hidden = [\"card\"]\n\n[table.orders.column.amount]\nunit = \"won\" # Korean\n\n\
                        [table.plain]\ncolumn = { code = { nouns = [\"code\"] } }\n";

    fn words(description: Option<&str>, synonyms: &[&str]) -> TableWords {
        let synonyms = synonyms.iter().map(|word| (*word).to_owned()).collect();
        TableWords { description: description.map(str::to_owned), synonyms }
    }

    #[test]
    fn what_else_people_wrote_stays_as_it_is() {
        let text =
            edited(FILE, ("orders", None), &words(Some("What was \"bought\"\\"), &["주문", "구매"])).unwrap();
        for line in
            ["# Mine.", "# as we say", "hidden = [\"card\"]", "unit = \"won\" # Korean", "[table.plain]"]
        {
            assert!(text.contains(line), "{line}: {text}");
        }
        let read = registry::read(&text).unwrap();
        assert_eq!(
            TableWords::of(&read, "orders", None),
            words(Some("What was \"bought\"\\"), &["주문", "구매"])
        );
        // And back again.
        let text = edited(&text, ("orders", None), &words(None, &["orders"])).unwrap();
        assert_eq!(registry::read(&text).unwrap(), registry::read(FILE).unwrap());
    }

    #[test]
    fn words_go_wherever_a_column_is_described() {
        let new = words(Some("in won"), &["금액"]);
        for (table, column) in [
            ("orders", "amount"),
            ("orders", "new"),
            ("plain", "code"),
            ("plain", "a.b"),
            ("주문 메모", "x\"y"),
        ] {
            let text = edited(FILE, (table, Some(column)), &new).unwrap();
            let read = registry::read(&text).unwrap_or_else(|error| panic!("{column}: {error}\n{text}"));
            assert_eq!(TableWords::of(&read, table, Some(column)), new, "{text}");
            assert_eq!(read.table["orders"].hidden, ["card"]);
            let gone = edited(&text, (table, Some(column)), &TableWords::default()).unwrap();
            let read = registry::read(&gone).unwrap();
            assert_eq!(TableWords::of(&read, table, Some(column)), TableWords::default(), "{gone}");
        }
        assert!(edited("table = 1", ("orders", None), &new).is_err());
    }
}
