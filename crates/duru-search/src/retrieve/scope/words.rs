//! The words by which a question names documents, and says where to look.

use std::sync::LazyLock;

/// A word for a kind of document.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) word: &'static str,
    pub(super) group: &'static str,
    pub(super) used: Used,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Used {
    Bare,
    Named,
    Quiet,
}

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let rows = rows(include_str!("../../../data/kinds.tsv")).filter_map(|row| {
        let mut cells = row.split('\t');
        let (word, group, used) = (cells.next()?, cells.next()?, cells.next()?);
        let used = match used {
            "bare" => Used::Bare,
            "named" => Used::Named,
            _ => Used::Quiet,
        };
        Some(Kind { word, group, used })
    });
    let mut kinds: Vec<Kind> = rows.collect();
    // 사용설명서 ends with 설명서 before it ends with anything shorter.
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.word.len()));
    kinds
});

static SCOPE: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    rows(include_str!("../../../data/scope.tsv")).filter_map(|row| row.split_once('\t')).collect()
});

fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Words of a class, in the order of the table.
pub(super) fn forms(class: &str) -> impl Iterator<Item = &'static str> {
    SCOPE.iter().filter(move |(of, _)| *of == class).map(|(_, form)| *form)
}

pub(super) fn is(class: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    forms(class).any(|form| form == word)
}

/// The kind of document that a name ends with: whole words in English, 취업규칙 in Korean.
pub(super) fn kind_of(name: &str) -> Option<&'static Kind> {
    let name = name.to_lowercase();
    KINDS.iter().find(|kind| match kind.word.is_ascii() {
        true => name == kind.word,
        false => name.ends_with(kind.word),
    })
}

/// All words for the same kind of document.
pub(super) fn same_kind(kind: &'static Kind) -> impl Iterator<Item = &'static str> {
    KINDS.iter().filter(|other| other.group == kind.group).map(|other| other.word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_said_twice() {
        let mut words: Vec<&str> = KINDS.iter().map(|kind| kind.word).collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
        let mut rows = SCOPE.clone();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), SCOPE.len());
    }
}
