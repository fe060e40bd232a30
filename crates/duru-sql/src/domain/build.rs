//! A domain out of what a store knows and what people wrote.

use super::names;
use super::{
    ColumnDescription, Description, Domain, DomainColumn, DomainTable, Join, KnownValue, TableDescription,
};
use crate::store::{ColumnKnowledge, Knowledge, TableKnowledge};
use crate::{Kind, TableColumn};

impl Domain {
    /// What can be asked of a store, with the words of a description.
    pub fn of(knowledge: &Knowledge, description: &Description) -> Self {
        let none = TableDescription::default();
        let tables = knowledge.tables.iter().map(|table| {
            let words = description.table.get(&table.table.name).unwrap_or(&none);
            build(table, words)
        });
        let mut domain = Self { tables: tables.collect(), joins: joins(knowledge) };
        domain.find_keys();
        domain.name_glued();
        // Last: only now all words are known that it must not contradict.
        domain.add_suggested(description);
        domain
    }

    /// Names without separators get the words that are left without what all of them begin with.
    fn name_glued(&mut self) {
        fn add(nouns: &mut Vec<String>, word: Option<String>) {
            nouns.extend(word.filter(|word| !nouns.contains(word)));
        }
        let tables = self.tables.iter().map(|table| table.name.as_str());
        let prefix = names::shared_prefix(tables).map(str::to_owned);
        for table in &mut self.tables {
            if let Some(prefix) = &prefix {
                add(&mut table.nouns, names::words(&table.name, prefix));
            }
            let columns = table.columns.iter().filter(|column| column.key.is_none());
            let prefix = names::shared_prefix(columns.map(|column| column.name.as_str())).map(str::to_owned);
            if let Some(prefix) = prefix {
                for column in &mut table.columns {
                    add(&mut column.nouns, names::words(&column.name, &prefix));
                }
            }
        }
    }

    /// A table that declares no key is known by what others name its rows by.
    fn find_keys(&mut self) {
        for table in self.tables.iter_mut().filter(|table| table.primary_key.is_empty()) {
            let mut keys =
                self.joins.iter().filter(|join| join.to == table.name).map(|join| &join.to_columns);
            if let Some(key) = keys.next()
                && keys.all(|other| other == key)
            {
                table.primary_key.clone_from(key);
            }
        }
    }
}

/// Along the keys between tables that may be asked.
fn joins(knowledge: &Knowledge) -> Vec<Join> {
    let there = |schema: &str, name: &str| {
        knowledge.tables.iter().any(|known| known.table.schema == schema && known.table.name == name)
    };
    let mut joins = Vec::new();
    for known in &knowledge.tables {
        for key in known.table.foreign_keys.iter().filter(|key| there(&key.schema, &key.table)) {
            joins.push(Join {
                from: known.table.name.clone(),
                from_columns: key.columns.clone(),
                to: key.table.clone(),
                to_columns: key.to.clone(),
            });
        }
    }
    joins
}

fn build(known: &TableKnowledge, words: &TableDescription) -> DomainTable {
    let table = &known.table;
    let mut columns = Vec::new();
    for column in &table.columns {
        let data = known.columns.iter().find(|one| one.name == column.name);
        columns.push(plain(column, data, words.column.get(&column.name)));
    }
    for key in &known.columns {
        if table.column(&key.name).is_none()
            && let Some((column, path)) = key.name.split_once('.')
            && table.column(column).is_some_and(|column| column.kind == Kind::Json)
        {
            columns.push(json_key(key, column, path, words.column.get(&key.name)));
        }
    }
    let existing =
        |name: &Option<String>| name.clone().filter(|name| columns.iter().any(|column| column.name == *name));
    let time = existing(&words.time).or_else(|| {
        let time = columns.iter().find(|column| column.kind == Kind::Timestamp);
        let time = time.or_else(|| {
            columns.iter().find(|column| matches!(column.kind, Kind::LocalTimestamp | Kind::Date))
        });
        time.map(|column| column.name.clone())
    });
    DomainTable {
        schema: table.schema.clone(),
        name: table.name.clone(),
        nouns: nouns(&table.name, &words.nouns, &table.synonyms, table.description.as_deref()),
        description: words.description.clone().or_else(|| table.description.clone()),
        conditions: words.condition.clone(),
        measures: words.measure.clone(),
        primary_key: table.primary_key.clone(),
        time,
        duration: existing(&words.duration),
        person: existing(&words.person),
        text: existing(&words.text),
        show: words.show.clone(),
        identify: existing(&words.identify),
        rows: known.estimated_rows,
        soft_delete: table.soft_delete.clone(),
        columns,
    }
}

fn plain(
    column: &TableColumn,
    data: Option<&ColumnKnowledge>,
    words: Option<&ColumnDescription>,
) -> DomainColumn {
    let none = ColumnDescription::default();
    let words = words.unwrap_or(&none);
    DomainColumn {
        name: column.name.clone(),
        kind: column.kind.clone(),
        key: None,
        nullable: data.is_none_or(|data| data.nullable),
        empty: data.is_some_and(|data| data.empty),
        nouns: nouns(&column.name, &words.nouns, &column.synonyms, column.description.as_deref()),
        description: words.description.clone().or_else(|| column.description.clone()),
        unit: words.unit.clone().or_else(|| unit(&column.name)),
        values: values(data.map(|data| data.values.as_slice()).unwrap_or_default(), words),
        code: words.code || is_code(&column.name),
        journey: words.journey,
        samples: data.map(|data| data.samples.clone()).unwrap_or_default(),
        quiet: words.quiet,
        duration: words.duration.clone(),
        implies: words.implies.clone(),
    }
}

fn json_key(
    key: &ColumnKnowledge,
    column: &str,
    path: &str,
    words: Option<&ColumnDescription>,
) -> DomainColumn {
    let none = ColumnDescription::default();
    let words = words.unwrap_or(&none);
    let number = words.number || key.values.is_empty() && unit(path).is_some();
    DomainColumn {
        name: key.name.clone(),
        kind: if number { Kind::Numeric } else { Kind::Text },
        key: Some((column.to_owned(), path.to_owned())),
        nullable: true,
        empty: false,
        nouns: nouns(path, &words.nouns, &[], None),
        description: words.description.clone(),
        unit: words.unit.clone().or_else(|| unit(path)),
        values: values(&key.values, words),
        code: words.code || is_code(path),
        journey: words.journey,
        samples: key.samples.clone(),
        quiet: words.quiet,
        duration: words.duration.clone(),
        implies: words.implies.clone(),
    }
}

/// A comment of more words than this is a sentence, and no name.
const WORDS_OF_A_NAME: usize = 4;

/// What a comment calls a table or a column, if it is short: `면적` of `면적(제곱미터)`.
fn name_in_comment(comment: &str) -> Option<String> {
    let name = comment.split(['(', '[', ':', ',', ';', '.', '/', '\n']).next()?.trim().to_lowercase();
    let words = name.split_whitespace().count();
    (1..=WORDS_OF_A_NAME).contains(&words).then_some(name)
}

/// The words of a name, those that people gave, and what a comment calls it.
fn nouns(name: &str, given: &[String], synonyms: &[String], comment: Option<&str>) -> Vec<String> {
    let mut all = vec![spelled(name)];
    for word in given.iter().chain(synonyms).chain(&comment.and_then(name_in_comment)) {
        if !all.contains(word) {
            all.push(word.clone());
        }
    }
    all
}

/// `duration_ms` and `sbTxAmount` as words.
pub fn spelled(name: &str) -> String {
    let mut words = String::new();
    let mut before: Option<char> = None;
    let letters: Vec<char> = name.chars().collect();
    for (place, letter) in letters.iter().enumerate() {
        let next_small = letters.get(place + 1).is_some_and(|next| next.is_lowercase());
        let camel = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase() || before.is_ascii_digit() || next_small && before.is_uppercase()
            });
        if camel || matches!(letter, '_' | '-' | '.' | ' ') {
            words.push(' ');
        }
        if !matches!(letter, '_' | '-' | '.' | ' ') {
            words.extend(letter.to_lowercase());
        }
        before = Some(*letter);
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a name says that its numbers are names.
fn is_code(name: &str) -> bool {
    let words = spelled(name);
    let last = words.split(' ').next_back().unwrap_or_default();
    ["id", "code", "year", "month", "day", "no", "zip", "number", "version", "status"].contains(&last)
}

/// The unit that a name ends in.
fn unit(name: &str) -> Option<String> {
    let last = name.rsplit(['_', '.']).next().unwrap_or_default();
    let known = [
        "ms", "sec", "seconds", "minutes", "hours", "days", "bytes", "kb", "mb", "percent", "pct", "won",
        "usd",
    ];
    (name.contains('_') && known.contains(&last)).then(|| last.to_owned())
}

fn values(known: &[String], words: &ColumnDescription) -> Vec<KnownValue> {
    let mut all: Vec<KnownValue> = known
        .iter()
        .map(|value| KnownValue {
            value: value.clone(),
            words: words.values.get(value).cloned().unwrap_or_default(),
        })
        .collect();
    for (value, words) in &words.values {
        if !all.iter().any(|known| known.value == *value) {
            all.push(KnownValue { value: value.clone(), words: words.clone() });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{name_in_comment, spelled};

    #[test]
    fn a_short_comment_is_a_name_and_a_sentence_is_none() {
        for (comment, name) in [
            ("면적(제곱미터)", Some("면적")),
            ("수영장 보유 여부", Some("수영장 보유 여부")),
            ("Owners: people who bring pets", Some("owners")),
            ("The day on which it was paid", None),
            ("", None),
        ] {
            assert_eq!(name_in_comment(comment).as_deref(), name, "{comment}");
        }
    }

    #[test]
    fn names_are_words() {
        for (name, words) in [
            ("duration_ms", "duration ms"),
            ("sbTxAmount", "sb tx amount"),
            ("HTTPStatus", "http status"),
            ("payment-api", "payment api"),
            ("AuthenticationFailed", "authentication failed"),
        ] {
            assert_eq!(spelled(name), words);
        }
    }
}
