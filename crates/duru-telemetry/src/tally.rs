//! What the process has counted, by name and labels, for whoever asks it for its numbers. Crates that know no server count here.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A number that only grows, and what it is of.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// Without `_total`.
    pub name: &'static str,
    pub help: &'static str,
    pub labels: Vec<(&'static str, String)>,
    pub value: f64,
}

type Key = (&'static str, Vec<(&'static str, String)>);

static TALLIES: Mutex<BTreeMap<Key, (&'static str, f64)>> = Mutex::new(BTreeMap::new());

/// Adds to a number. Labels are words of a handful: names of decisions and of models, never what people say.
pub fn count(name: &'static str, help: &'static str, labels: &[(&'static str, &str)], by: f64) {
    let labels = labels.iter().map(|(label, word)| (*label, (*word).to_owned())).collect();
    let mut all = TALLIES.lock().unwrap_or_else(PoisonError::into_inner);
    all.entry((name, labels)).or_insert((help, 0.0)).1 += by;
}

/// All of them, by name.
pub fn tallies() -> Vec<Tally> {
    let all = TALLIES.lock().unwrap_or_else(PoisonError::into_inner);
    let tally = |((name, labels), (help, value)): (&Key, &(&'static str, f64))| Tally {
        name,
        help,
        labels: labels.clone(),
        value: *value,
    };
    all.iter().map(tally).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_grow_by_their_labels() {
        for (word, by) in [("a", 1.0), ("b", 2.0), ("a", 0.5)] {
            count("duru_test_of_tallies", "Only here", &[("of", word)], by);
        }
        let all: Vec<Tally> =
            tallies().into_iter().filter(|tally| tally.name == "duru_test_of_tallies").collect();
        let values: Vec<(&str, f64)> =
            all.iter().map(|tally| (tally.labels[0].1.as_str(), tally.value)).collect();
        assert_eq!(values, [("a", 1.5), ("b", 2.0)]);
    }
}
