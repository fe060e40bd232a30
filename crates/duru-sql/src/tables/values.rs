//! Which values of a column are kept: questions name them.

/// So many different values are listed of any text column.
pub const FEW: usize = 200;

/// So many are listed of names in a small table.
pub const NAMES: usize = 2_000;

/// So many show how the others are written.
const SAMPLES: usize = 20;

/// A longer value is a text, not a name.
pub const LONGEST: usize = 80;

/// What is kept of a column's values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnValues {
    /// All of them, most frequent first; none where there are too many, or where they are texts.
    pub values: Vec<String>,
    /// Some, to show how the others are written.
    pub samples: Vec<String>,
}

impl ColumnValues {
    /// Of values with how often each is there, most frequent first; `most` may be listed. In a small table every value
    /// was seen; of a large one, values that come only once are ids.
    pub fn of(found: Vec<(String, u64)>, most: usize, small: bool) -> Self {
        let short = |value: &str| value.chars().count() <= LONGEST;
        let names = found.iter().all(|(value, _)| short(value));
        let repeated = small || found.iter().any(|(_, count)| *count > 1);
        let values = found.into_iter().map(|(value, _)| value.trim_end().to_owned());
        if names && repeated && values.len() <= most {
            return Self { values: values.filter(|value| !value.is_empty()).collect(), samples: Vec::new() };
        }
        let samples = values.filter(|value| !value.is_empty() && short(value)).take(SAMPLES);
        Self { values: Vec::new(), samples: samples.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[(&str, u64)]) -> Vec<(String, u64)> {
        values.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect()
    }

    #[test]
    fn names_are_listed_and_texts_are_sampled() {
        let names = ColumnValues::of(found(&[("Texas", 1), ("Ohio", 1)]), NAMES, true);
        assert_eq!(names.values, ["Texas", "Ohio"]);
        let long = "x".repeat(LONGEST + 1);
        let texts = ColumnValues::of(found(&[("short", 1), (&long, 1)]), NAMES, true);
        assert_eq!((texts.values.len(), texts.samples), (0, vec!["short".to_owned()]));
        let ids = ColumnValues::of(found(&[("a1", 1), ("a2", 1)]), FEW, false);
        assert!(ids.values.is_empty() && ids.samples.len() == 2, "a part of a large table's ids");
    }
}
