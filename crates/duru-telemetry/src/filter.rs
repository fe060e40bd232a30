//! Which events are worth a line.

use tracing::Metadata;
use tracing_subscriber::EnvFilter;

/// The names of our crates begin with it.
const OURS: &str = "duru";
/// What is heard of everybody who is not named: trouble.
const OTHERS: &str = "warn";

/// What is worth a line, from little to much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// What failed.
    Error,
    /// And what should be looked at.
    Warn,
    /// And a line for every request and every run.
    Info,
    /// And what nobody needs who does not look for a fault.
    Debug,
}

impl Level {
    /// By its word.
    pub fn from_word(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().as_str() {
            "error" => Some(Self::Error),
            "warn" | "warning" => Some(Self::Warn),
            "info" => Some(Self::Info),
            "debug" => Some(Self::Debug),
            _ => None,
        }
    }
}

/// Which events are worth a line, by the crate or module that they come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter(String);

impl From<Level> for Filter {
    /// So much of our own crates. Of the libraries no more than trouble: below that
    /// they tell what they send and receive, which may be people's words.
    fn from(level: Level) -> Self {
        Self(match level {
            Level::Error => "error".to_owned(),
            Level::Warn => OTHERS.to_owned(),
            Level::Info => format!("{OTHERS},{OURS}=info"),
            Level::Debug => format!("{OTHERS},{OURS}=debug"),
        })
    }
}

impl Filter {
    /// Reads levels by target, such as `info,duru_server=debug,hyper=warn`; trouble of everybody else is heard, too.
    ///
    /// # Errors
    /// If a part of it is neither a level nor a target with one.
    pub fn parse(directives: &str) -> Result<Self, String> {
        let parts: Vec<&str> = directives.split(',').map(str::trim).collect();
        // A word alone would name a target with everything it says, and so every mistyped level.
        let is_level = |word: &str| ["off", "trace"].contains(&word) || Level::from_word(word).is_some();
        let alone = parts.iter().find(|part| {
            !part.is_empty() && !part.contains(['=', '[', ']']) && !is_level(&part.to_ascii_lowercase())
        });
        if let Some(word) = alone {
            return Err(format!("{word:?} is no level; write levels, or target=level, with commas"));
        }
        // The library takes a space for a part of a name, and `warning` for a target.
        let parts: Vec<String> = parts.into_iter().map(plain).collect();
        let whole = format!("{OTHERS},{}", parts.join(","));
        match EnvFilter::try_new(&whole) {
            Ok(_) => Ok(Self(whole)),
            Err(error) => Err(error.to_string()),
        }
    }

    pub(crate) fn build(&self) -> EnvFilter {
        EnvFilter::new(&self.0)
    }
}

/// A directive with the word for its level that the library knows.
fn plain(part: &str) -> String {
    match part.rsplit_once('=') {
        Some((target, level)) if level.eq_ignore_ascii_case("warning") => format!("{target}=warn"),
        None if part.eq_ignore_ascii_case("warning") => "warn".to_owned(),
        _ => part.to_owned(),
    }
}

/// Whether it is a span that traces are made of.
pub(crate) fn is_traced(what: &Metadata<'_>) -> bool {
    what.is_span() && *what.level() <= tracing::Level::INFO && what.target().starts_with(OURS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_of_levels_and_of_targets_with_levels() {
        for good in ["info", "info,duru_server=debug,hyper=warn", "duru=off", "hyper::client=trace", ""] {
            assert!(Filter::parse(good).is_ok(), "{good}");
        }
        for (spaced, plain) in [
            (" info, duru_server=debug ", "info,duru_server=debug"),
            ("info, debug", "info,debug"),
            ("Warning,duru_server=warning", "warn,duru_server=warn"),
        ] {
            assert_eq!(Filter::parse(spaced), Filter::parse(plain), "{spaced}");
            assert!(Filter::parse(spaced).is_ok(), "{spaced}");
        }
        for bad in ["loud", "info,hyper", "duru_server=loud", "a=b=c"] {
            assert!(Filter::parse(bad).is_err(), "{bad}");
        }
    }
}
