//! Words of tables and columns, changed in the file that people write them in. Whatever else they wrote there stays as
//! it is, comments too.

use std::io::Write as _;
use std::path::Path;

use duru_agents::analyst::Suggestions;
use duru_sql::domain::Description;
use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use super::problem::TablesProblem;
use super::registry::{self, Registered};

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
    let text = edited(&known.text, (table, column), &words);
    Ok(WordsChanged::Done(replace(&known, text)?))
}

/// Writes what a model suggests for tables, in the place of what was suggested for them before. What people wrote stays.
pub(super) fn keep_suggestions(source: &str, found: &Suggestions) -> Result<(), TablesProblem> {
    let known = registry::get(source)?;
    replace(&known, suggesting(&known.text, found)).map(drop)
}

/// Another text for the file of a source, and what it describes then.
fn replace(known: &Registered, text: Result<String, String>) -> Result<Description, TablesProblem> {
    let bad = |reason: String| TablesProblem::Toml { file: known.file.clone(), reason };
    let text = text.map_err(bad)?;
    // What can't be read again is not written.
    let description = registry::read(&text).map_err(bad)?;
    write(&known.file, &text).map_err(|source| TablesProblem::File { file: known.file.clone(), source })?;
    Ok(description)
}

/// The text of a file with other words in it.
fn edited(text: &str, (table, column): (&str, Option<&str>), words: &TableWords) -> Result<String, String> {
    let mut document = parsed(text)?;
    let at = place(&mut document, table, column)?;
    match &words.description {
        Some(description) => set(at, "description", value(description.as_str())),
        None => drop(at.remove("description")),
    }
    set_words(at, "nouns", &words.synonyms);
    Ok(document.to_string())
}

/// The text of a file with other suggested words in it.
fn suggesting(text: &str, found: &Suggestions) -> Result<String, String> {
    let before = registry::read(text)?;
    let mut document = parsed(text)?;
    for (table, words) in &found.tables {
        set_words(place(&mut document, table, None)?, "suggested", &words.table);
        let described = before.table.get(table).into_iter().flat_map(|table| &table.column);
        for (column, _) in described.filter(|(_, column)| !column.suggested.is_empty()) {
            place(&mut document, table, Some(column))?.remove("suggested");
        }
        for (column, words) in &words.columns {
            set_words(place(&mut document, table, Some(column))?, "suggested", words);
        }
    }
    Ok(document.to_string())
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| error.to_string())
}

/// Where a table, or a column of it, is described; it is made where it is not there yet.
fn place<'a>(
    document: &'a mut DocumentMut,
    table: &str,
    column: Option<&str>,
) -> Result<&'a mut dyn TableLike, String> {
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
    Ok(at)
}

/// No words, no line.
fn set_words(at: &mut dyn TableLike, key: &str, words: &[String]) {
    match words.is_empty() {
        true => drop(at.remove(key)),
        false => set(at, key, value(words.iter().map(String::as_str).collect::<Array>())),
    }
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
    use duru_agents::analyst::SuggestedWords;

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

    #[test]
    fn suggested_words_are_replaced_and_words_of_people_are_not() {
        let found = |amount: &[&str], code: &[&str]| {
            let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
            let mut found = Suggestions::default();
            for (table, column, words) in [("orders", "amount", amount), ("plain", "code", code)] {
                let of_table =
                    SuggestedWords { table: list(words), columns: [(column.to_owned(), list(words))].into() };
                found.tables.insert(table.to_owned(), of_table);
            }
            found
        };
        let first = suggesting(FILE, &found(&["금액", "sum"], &["mark"])).unwrap();
        let read = registry::read(&first).unwrap();
        assert_eq!(read.table["orders"].suggested, ["금액", "sum"]);
        assert_eq!(read.table["orders"].column["amount"].suggested, ["금액", "sum"]);
        assert_eq!(read.table["plain"].column["code"].suggested, ["mark"], "{first}");
        assert_eq!(read.clone().without_suggestions(), registry::read(FILE).unwrap());
        assert!(first.contains("nouns = [\"orders\"] # as we say"), "{first}");

        let mut again = found(&["price"], &[]);
        again.tables.get_mut("orders").unwrap().columns.clear();
        let second = registry::read(&suggesting(&first, &again).unwrap()).unwrap();
        assert_eq!(second.table["orders"].suggested, ["price"]);
        assert!(second.table["orders"].column["amount"].suggested.is_empty());
        assert_eq!(second.without_suggestions(), registry::read(FILE).unwrap());
    }
}
