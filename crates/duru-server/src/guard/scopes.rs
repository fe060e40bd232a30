//! What a key is good for.

use std::fmt;

use serde_json::Value;

/// One thing that a key may be good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyScope {
    /// Taking in log lines, and documents of one's own.
    Ingest,
    /// Asking the agents, and everything that is one's own: threads, runs, memory.
    Ask,
    /// Judging what people say about documents, and removing documents of others.
    Curate,
    /// Looking after the server: its numbers, and runs of everybody that failed for good.
    Operate,
    /// All of it, and what concerns other people's data.
    Administer,
}

impl KeyScope {
    /// All of them, the least first.
    pub const ALL: [Self; 5] = [Self::Ingest, Self::Ask, Self::Curate, Self::Operate, Self::Administer];

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ingest => "ingest",
            Self::Ask => "ask",
            Self::Curate => "curate",
            Self::Operate => "operate",
            Self::Administer => "administer",
        }
    }

    /// By its name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.word() == word)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// All that a key is good for: asking, unless something else is said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyScopes(u8);

impl KeyScopes {
    /// For everything.
    pub const ALL: Self = Self(KeyScope::Administer.bit());
    /// What every key was good for before keys had scopes, unless it was one for administration.
    pub(super) const BEFORE: Self =
        Self(KeyScope::Ingest.bit() | KeyScope::Ask.bit() | KeyScope::Curate.bit() | KeyScope::Operate.bit());

    /// These.
    pub fn of(scopes: impl IntoIterator<Item = KeyScope>) -> Self {
        Self(scopes.into_iter().fold(0, |all, scope| all | scope.bit()))
    }

    /// Whether it allows this. `administer` allows everything.
    pub const fn allow(self, scope: KeyScope) -> bool {
        self.0 & (scope.bit() | KeyScope::Administer.bit()) != 0
    }

    /// Whether it is good for all that another is good for.
    pub fn cover(self, other: Self) -> bool {
        KeyScope::ALL.into_iter().all(|scope| !other.allow(scope) || self.allow(scope))
    }

    /// Their names.
    pub fn words(self) -> Vec<&'static str> {
        let has = |scope: &KeyScope| self.0 & scope.bit() != 0;
        KeyScope::ALL.into_iter().filter(has).map(KeyScope::word).collect()
    }

    /// As the store has them; none if what is there says nothing that is known.
    pub(super) fn read(kept: &Value) -> Option<Self> {
        let words = kept.as_array()?;
        let scopes: Option<Vec<KeyScope>> =
            words.iter().map(|word| KeyScope::from_word(word.as_str()?)).collect();
        // What a newer program means by a word is not guessed at.
        Some(scopes.map_or(Self(0), Self::of))
    }
}

impl Default for KeyScopes {
    fn default() -> Self {
        Self::of([KeyScope::Ask])
    }
}

impl fmt::Display for KeyScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join(","))
    }
}

impl fmt::Debug for KeyScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyScopes({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_is_good_for_what_it_says_and_for_nothing_that_is_not_known() {
        let ask = KeyScopes::default();
        assert!(ask.allow(KeyScope::Ask) && !ask.allow(KeyScope::Ingest) && !ask.allow(KeyScope::Curate));
        assert!(KeyScope::ALL.into_iter().all(|scope| KeyScopes::ALL.allow(scope)));
        assert!(!KeyScopes::BEFORE.allow(KeyScope::Administer) && KeyScopes::ALL.cover(KeyScopes::BEFORE));
        assert!(!ask.cover(KeyScopes::BEFORE) && KeyScopes::BEFORE.cover(ask));
        assert_eq!(KeyScopes::read(&json!(["ask", "curate"])).unwrap().to_string(), "ask,curate");
        let newer = KeyScopes::read(&json!(["ask", "conjure"])).unwrap();
        assert!(KeyScope::ALL.into_iter().all(|scope| !newer.allow(scope)));
        assert_eq!(KeyScopes::read(&json!(null)), None);
    }
}
