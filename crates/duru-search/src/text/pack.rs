//! The words of a domain as data. What they are used for matters only where passages have articles: a collection without
//! any is not affected.

use std::sync::LazyLock;

/// A table of words by class, each perhaps with what it stands for.
pub(crate) struct Pack {
    rows: Vec<(&'static str, &'static str, &'static str)>,
}

/// Korean statutes.
pub(crate) static STATUTES: LazyLock<Pack> =
    LazyLock::new(|| Pack::read(include_str!("../../data/packs/statutes.tsv")));

impl Pack {
    fn read(table: &'static str) -> Self {
        let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let rows = lines.filter_map(|line| {
            let (class, rest) = line.split_once('\t')?;
            let (form, meaning) = rest.split_once('\t').unwrap_or((rest, ""));
            Some((class, form, meaning))
        });
        Self { rows: rows.collect() }
    }

    /// The words of a class, in the order of the table.
    pub(crate) fn words(&self, class: &str) -> impl Iterator<Item = &'static str> {
        self.rows.iter().filter(move |row| row.0 == class).map(|row| row.1)
    }

    pub(crate) fn is(&self, class: &str, word: &str) -> bool {
        self.words(class).any(|known| known == word)
    }

    /// What a word stands for.
    pub(crate) fn meaning(&self, class: &str, word: &str) -> Option<&'static str> {
        self.rows.iter().find(|row| row.0 == class && row.1 == word).map(|row| row.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_said_twice() {
        let mut rows: Vec<_> = STATUTES.rows.iter().map(|row| (row.0, row.1)).collect();
        let count = rows.len();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), count);
        assert_eq!(STATUTES.meaning("short", "주임법"), Some("주택임대차보호법"));
        assert!(STATUTES.is("decree", "시행령") && !STATUTES.is("decree", "법"));
    }
}
