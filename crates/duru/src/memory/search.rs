//! What is looked for.

use serde_json::Value;

use super::{Error, Filter, Namespace};

/// What to look for: where, which values, which words, which page.
///
/// Without a text, the items put last come first; with one, those that fit it
/// best. Of equals the one put last comes first, then they go by namespace and
/// key, so that pages neither overlap nor skip while nothing is put.
///
/// ```
/// use duru::memory::Search;
/// use serde_json::json;
///
/// let search = Search::within(["users", "kim"])?
///     .filter(json!({"kind": "note", "stars": {"$gte": 3}}))?
///     .text("전세 계약")
///     .limit(20);
/// # assert_eq!(search.limit, 20);
/// # Ok::<_, duru::memory::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Search {
    /// Only items in this namespace or within it.
    pub within: Namespace,
    /// Only items whose value passes.
    pub filter: Filter,
    /// Only items with a word of this text; see [`text`](super::text). One
    /// without anything but white space counts as none.
    pub text: Option<String>,
    /// At most so many.
    pub limit: usize,
    /// Without the first so many.
    pub offset: usize,
}

impl Search {
    /// The first ten items of a namespace and everything within it.
    pub fn within(namespace: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, Error> {
        let within = Namespace::new(namespace)?;
        Ok(Self { within, ..Self::default() })
    }

    /// Only values that pass; see [`Filter`].
    pub fn filter(mut self, filter: Value) -> Result<Self, Error> {
        self.filter = Filter::parse(filter)?;
        Ok(self)
    }

    /// Only items with a word of this text, the best first.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// At most so many.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Without the first so many.
    #[must_use]
    pub fn offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// The terms of its text; none if it has no text.
    pub fn terms(&self) -> Option<Vec<String>> {
        let text = self.text.as_deref().filter(|text| !text.trim().is_empty())?;
        Some(super::text::query_terms(text))
    }
}

/// The first ten of everything.
impl Default for Search {
    fn default() -> Self {
        Self { within: Namespace::root(), filter: Filter::default(), text: None, limit: 10, offset: 0 }
    }
}

/// Which namespaces to list: those that hold an item, in order. A label `*` in
/// the prefix or the suffix stands for any label.
#[derive(Debug, Clone)]
pub struct NamespaceQuery {
    /// Only those that begin with it.
    pub prefix: Namespace,
    /// Only those that end with it.
    pub suffix: Namespace,
    /// Only so many labels of each, and each only once.
    pub max_depth: Option<usize>,
    /// At most so many.
    pub limit: usize,
    /// Without the first so many.
    pub offset: usize,
}

/// The first hundred of all.
impl Default for NamespaceQuery {
    fn default() -> Self {
        Self { prefix: Namespace::root(), suffix: Namespace::root(), max_depth: None, limit: 100, offset: 0 }
    }
}

const ANY: &str = "*";

impl NamespaceQuery {
    /// Within which all that it asks for lie: the prefix up to its first `*`.
    pub fn within(&self) -> Namespace {
        self.prefix.truncated(self.prefix.labels().take_while(|label| *label != ANY).count())
    }

    /// The answer, of all namespaces that hold an item and lie
    /// [`within`](Self::within), in any order.
    pub fn answer(&self, all: impl IntoIterator<Item = Namespace>) -> Vec<Namespace> {
        let mut found: Vec<Namespace> = all
            .into_iter()
            .filter(|namespace| self.fits(namespace))
            .map(|namespace| self.max_depth.map_or(namespace.clone(), |depth| namespace.truncated(depth)))
            .collect();
        found.sort();
        found.dedup();
        found.into_iter().skip(self.offset).take(self.limit).collect()
    }

    fn fits(&self, namespace: &Namespace) -> bool {
        let same = |(pattern, label): (&str, &str)| pattern == ANY || pattern == label;
        let depth = namespace.depth();
        self.prefix.depth() <= depth
            && self.suffix.depth() <= depth
            && self.prefix.labels().zip(namespace.labels()).all(same)
            && self.suffix.labels().rev().zip(namespace.labels().rev()).all(same)
    }
}
