//! `key=value` words.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::str::FromStr;

use anyhow::{Result, bail};
use duru::Durability;
use serde_json::{Map, Value};

use crate::measure::Window;
use crate::store::Kind;

/// Who does the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Impl {
    Duru,
    /// The same work by hand with tokio only.
    Floor,
}

impl Impl {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Duru => "duru",
            Self::Floor => "tokio-floor",
        }
    }
}

/// The words after the workload's name.
#[derive(Debug)]
pub(crate) struct Args {
    given: BTreeMap<String, String>,
    used: RefCell<BTreeSet<String>>,
}

/// Said in every case, and no parameter of it.
const NOT_PARAMETERS: [&str; 5] = ["impl", "key", "pid", "url", "window"];

impl Args {
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Self> {
        let mut given = BTreeMap::new();
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                bail!("{word:?} is not of the form key=value")
            };
            given.insert(key.to_owned(), value.to_owned());
        }
        Ok(Self { given, used: RefCell::default() })
    }

    pub(crate) fn text<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.used.borrow_mut().insert(key.to_owned());
        self.given.get(key).map_or(default, String::as_str)
    }

    pub(crate) fn get<T: FromStr>(&self, key: &str, default: T) -> Result<T>
    where
        T::Err: Display,
    {
        let text = self.text(key, "");
        if text.is_empty() {
            return Ok(default);
        }
        text.parse().map_err(|error| anyhow::anyhow!("{key}={text}: {error}"))
    }

    pub(crate) fn implementation(&self) -> Result<Impl> {
        Ok(match self.text("impl", "duru") {
            "duru" => Impl::Duru,
            "floor" => Impl::Floor,
            other => bail!("impl={other}: there are duru and floor"),
        })
    }

    pub(crate) fn store(&self) -> Result<Kind> {
        Ok(match self.text("store", "none") {
            "none" => Kind::None,
            "memory" => Kind::Memory,
            "sqlite" => Kind::Sqlite,
            "postgres" => match self.text("url", "") {
                "" => bail!("store=postgres needs url=postgres://…"),
                url => Kind::Postgres(url.into()),
            },
            other => bail!("store={other}: there are none, memory, sqlite and postgres"),
        })
    }

    pub(crate) fn durability(&self) -> Result<Durability> {
        Ok(match self.text("durability", "each-step") {
            "each-step" => Durability::EachStep,
            "background" => Durability::Background,
            "at-end" => Durability::AtEnd,
            other => bail!("durability={other}: there are each-step, background and at-end"),
        })
    }

    /// How long to measure, as the least CPU time in milliseconds.
    pub(crate) fn window(&self) -> Result<Window> {
        Ok(Window::of_cpu_ms(self.get("window", 500)?))
    }

    /// A misspelt word would silently measure something else.
    pub(crate) fn all_used(&self) -> Result<()> {
        let used = self.used.borrow();
        match self.given.keys().find(|key| !used.contains(*key)) {
            Some(unknown) => bail!("this workload does not know {unknown:?}"),
            None => Ok(()),
        }
    }

    pub(crate) fn params(&self) -> Map<String, Value> {
        let value =
            |text: &String| text.parse::<u64>().map_or_else(|_| Value::from(text.as_str()), Value::from);
        let kept = self.given.iter().filter(|(key, _)| !NOT_PARAMETERS.contains(&key.as_str()));
        kept.map(|(key, text)| (key.clone(), value(text))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(words: &[&str]) -> Args {
        Args::parse(words.iter().map(|word| word.to_string())).unwrap()
    }

    #[test]
    fn words_are_read_by_key() {
        let args = args(&["impl=floor", "store=sqlite", "steps=30"]);
        assert_eq!(args.implementation().unwrap(), Impl::Floor);
        assert_eq!(args.store().unwrap(), Kind::Sqlite);
        assert_eq!(args.get("steps", 1000).unwrap(), 30);
        assert_eq!(args.get("nodes", 10).unwrap(), 10);
        args.all_used().unwrap();
        assert_eq!(serde_json::to_string(&args.params()).unwrap(), r#"{"steps":30,"store":"sqlite"}"#);
    }

    #[test]
    fn a_server_is_found_by_its_url_which_is_no_parameter() {
        let args = args(&["store=postgres", "url=postgres://here"]);
        assert_eq!(args.store().unwrap(), Kind::Postgres("postgres://here".into()));
        args.all_used().unwrap();
        assert_eq!(serde_json::to_string(&args.params()).unwrap(), r#"{"store":"postgres"}"#);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert!(Args::parse(["steps".to_owned()]).is_err());
        assert!(args(&["store=mysql"]).store().is_err());
        assert!(args(&["store=postgres"]).store().is_err());
        assert!(args(&["steps=many"]).get("steps", 1).unwrap_err().to_string().contains("steps=many"));
        assert!(args(&["stpes=3"]).all_used().unwrap_err().to_string().contains("stpes"));
    }
}
