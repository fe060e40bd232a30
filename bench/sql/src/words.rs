//! `key=value` words, and what a process tells of itself.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

pub(crate) struct Words(BTreeMap<String, String>);

impl Words {
    pub(crate) fn parse(words: Vec<String>) -> Result<Self> {
        let pairs = words.into_iter().map(|word| {
            let (key, value) =
                word.split_once('=').with_context(|| format!("{word:?} is not of the form key=value"))?;
            Ok((key.to_owned(), value.to_owned()))
        });
        pairs.collect::<Result<_>>().map(Self)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    pub(crate) fn must(&self, key: &str) -> Result<&str> {
        self.get(key).with_context(|| format!("say {key}=…"))
    }

    pub(crate) fn number(&self, key: &str, usual: u64) -> Result<u64> {
        self.get(key).map_or(Ok(usual), |text| text.parse().with_context(|| format!("{key}={text}")))
    }
}

/// The most memory that a process has ever held, in MiB; none where the system does not tell.
pub(crate) fn peak_mib(pid: &str) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}

/// The middle one, and the worst.
pub(crate) fn middle_and_worst(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let middle = values.get(values.len() / 2).copied().unwrap_or(f64::NAN);
    (middle, values.last().copied().unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_a_key_and_a_value() {
        let words = Words::parse(vec!["rows=5".into(), "url=a=b".into()]).unwrap();
        assert_eq!(words.number("rows", 1).unwrap(), 5);
        assert_eq!((words.get("url"), words.number("x", 7).unwrap()), (Some("a=b"), 7));
        assert!(words.number("url", 1).is_err() && words.must("x").is_err());
        assert!(Words::parse(vec!["rows".into()]).is_err());
    }

    #[test]
    fn the_middle_is_not_the_worst() {
        assert_eq!(middle_and_worst(vec![3.0, 1.0, 9.0]), (3.0, 9.0));
    }
}
