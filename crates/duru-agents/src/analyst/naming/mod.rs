//! A model names tables and columns once, so that every later question is read better without one.

mod accepted;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use duru_llm::decision::{By, Decider, Decision as _, Untrusted};
use duru_sql::domain::{Description, Domain, DomainColumn, DomainTable};

use super::decide::{COLUMNS_AT_ONCE, EverydayNouns, NameColumns, NamedTable, TableToName};
use super::schema_text::table_to_name;

/// Words for a table and for its columns; those without any are not in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SuggestedWords {
    pub table: Vec<String>,
    pub columns: BTreeMap<String, Vec<String>>,
}

impl SuggestedWords {
    pub fn is_empty(&self) -> bool {
        self.table.is_empty() && self.columns.is_empty()
    }

    /// How many words there are.
    pub fn count(&self) -> usize {
        self.table.len() + self.columns.values().map(Vec::len).sum::<usize>()
    }
}

/// What a model made of a database.
#[derive(Debug, Default)]
pub struct Suggestions {
    /// By table; those that were asked about and have no words are in it, too.
    pub tables: BTreeMap<String, SuggestedWords>,
    /// Tables, or parts of them, that the model did not name, and why.
    pub failed: Vec<(String, String)>,
}

impl Suggestions {
    /// The same description, with these words in the place of what was suggested before.
    #[must_use]
    pub fn in_description(&self, description: Description) -> Description {
        let mut description = description.without_suggestions();
        for (name, words) in &self.tables {
            let table = description.table.entry(name.clone()).or_default();
            table.suggested.clone_from(&words.table);
            for (column, words) in &words.columns {
                table.column.entry(column.clone()).or_default().suggested.clone_from(words);
            }
        }
        description
    }
}

/// The decision that names columns, for whoever chooses its model or says who makes it.
pub fn naming_decision() -> &'static str {
    NameColumns::PROMPT.name()
}

/// Asks for words for every table of a domain, which should have no suggested words itself; `before` hears which table
/// comes next. Words are only accepted together: one that two tables get says nothing.
pub async fn suggest_words(
    decider: &Decider,
    domain: &Domain,
    mut before: impl FnMut(&DomainTable),
) -> Suggestions {
    let (mut said, mut failed) = (BTreeMap::new(), Vec::new());
    for table in &domain.tables {
        before(table);
        let (named, problems) = name_table(decider, domain, table).await;
        failed.extend(problems.into_iter().map(|why| (table.name.clone(), why)));
        if let Some(named) = named {
            said.insert(table.name.clone(), named);
        }
    }
    Suggestions { tables: accepted::accepted(domain, &said), failed }
}

/// What the model says of a table, a few columns at a time; none if it says nothing of any.
async fn name_table(
    decider: &Decider,
    domain: &Domain,
    table: &DomainTable,
) -> (Option<SuggestedWords>, Vec<String>) {
    let (mut words, mut failed): (Option<SuggestedWords>, _) = (None, Vec::new());
    for columns in worth_naming(table).chunks(COLUMNS_AT_ONCE) {
        let asked = TableToName { table: Untrusted::new(table_to_name(table, columns, domain)) };
        let outcome = decider.decide::<NameColumns>(&asked).await;
        match outcome.by {
            By::Rule => failed.push(outcome.why.unwrap_or_default()),
            _ => add(words.get_or_insert_default(), outcome.value),
        }
    }
    (words, failed)
}

/// An `id` is called nothing else, and what no row has nobody asks about.
fn worth_naming(table: &DomainTable) -> Vec<&DomainColumn> {
    let is_named = |column: &&DomainColumn| !column.empty && !column.name.eq_ignore_ascii_case("id");
    table.columns.iter().filter(is_named).collect()
}

fn add(words: &mut SuggestedWords, named: NamedTable) {
    let NamedTable { table: EverydayNouns { en, ko }, columns } = named;
    // What the first columns show of a table is as much as the others do.
    if words.table.is_empty() {
        words.table.extend(en.into_iter().chain(ko));
    }
    for column in columns {
        words.columns.entry(column.column).or_default().extend(column.en.into_iter().chain(column.ko));
    }
}
