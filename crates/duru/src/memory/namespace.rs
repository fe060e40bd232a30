//! Where items are kept: a path of labels.

use std::fmt;
use std::sync::Arc;

use super::error::{Error, shortened};

/// How long a namespace may be, with a byte for every label and one more.
pub const MAX_NAMESPACE_BYTES: usize = 1000;

/// Between labels. No label holds it, and nothing that a label may hold comes
/// before it: so paths sort as their lists of labels do.
const SEPARATOR: char = '\u{1f}';
/// The first character after the separator.
const AFTER_SEPARATOR: char = '\u{20}';

/// A path of labels, such as `users`, `kim`. The empty one is the root, within
/// which everything lies.
///
/// ```
/// use duru::memory::Namespace;
///
/// let kim = Namespace::new(["users", "kim"])?;
/// assert!(kim.is_within(&Namespace::new(["users"])?));
/// assert!(!kim.is_within(&Namespace::new(["users", "ki"])?));
/// assert!(Namespace::new(["users", ""]).is_err());
/// # Ok::<_, duru::memory::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
// Every label between two separators, the root a single one: what lies within a
// namespace is what begins with its path.
pub struct Namespace(Arc<str>);

impl Namespace {
    /// Checks and joins labels.
    pub fn new(labels: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, Error> {
        let mut path = String::from(SEPARATOR);
        let mut given = Vec::new();
        let mut reason = None;
        for label in labels {
            let label = label.as_ref();
            given.push(shortened(label));
            reason = reason.or_else(|| flaw(label));
            path.push_str(label);
            path.push(SEPARATOR);
        }
        if path.len() > MAX_NAMESPACE_BYTES {
            reason = reason.or_else(|| Some(format!("it is longer than {MAX_NAMESPACE_BYTES} bytes")));
        }
        match reason {
            Some(reason) => Err(Error::Namespace { given, reason }),
            None => Ok(Self(path.into())),
        }
    }

    /// The one within which everything lies.
    pub fn root() -> Self {
        Self(String::from(SEPARATOR).into())
    }

    /// Whether it is the root.
    pub fn is_root(&self) -> bool {
        self.0.len() == SEPARATOR.len_utf8()
    }

    /// Its labels, the outermost first.
    pub fn labels(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split(SEPARATOR).filter(|label| !label.is_empty())
    }

    /// How many labels it has.
    pub fn depth(&self) -> usize {
        self.labels().count()
    }

    /// Whether it is `outer` or lies within it.
    pub fn is_within(&self, outer: &Self) -> bool {
        self.0.starts_with(&*outer.0)
    }

    /// The first `depth` labels of it.
    #[must_use]
    pub fn truncated(&self, depth: usize) -> Self {
        let end = self.0.match_indices(SEPARATOR).nth(depth).map_or(self.0.len(), |(at, _)| at + 1);
        Self(self.0[..end].into())
    }

    /// The form in which a store keeps it. Byte by byte these sort like lists
    /// of labels.
    pub fn as_stored(&self) -> &str {
        &self.0
    }

    /// From the form in which a store keeps it; none if that is damaged.
    pub fn from_stored(path: &str) -> Option<Self> {
        let inner = path.strip_prefix(SEPARATOR)?;
        if inner.is_empty() {
            return Some(Self::root());
        }
        let namespace = Self::new(inner.strip_suffix(SEPARATOR)?.split(SEPARATOR)).ok()?;
        (*namespace.0 == *path).then_some(namespace)
    }

    /// The least stored form that is no longer within this namespace. The least
    /// that is, is [`as_stored`](Self::as_stored).
    pub fn stored_end(&self) -> String {
        let mut end = self.0.to_string();
        end.pop();
        end.push(AFTER_SEPARATOR);
        end
    }
}

fn flaw(label: &str) -> Option<String> {
    if label.is_empty() {
        Some("a label is empty".to_owned())
    } else if label.contains('.') {
        Some(format!("the label {:?} has a dot", shortened(label)))
    } else if label.chars().any(char::is_control) {
        Some(format!("the label {:?} has control characters", shortened(label)))
    } else {
        None
    }
}

/// Labels with dots between them.
impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, label) in self.labels().enumerate() {
            write!(f, "{}{label}", if i == 0 { "" } else { "." })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.labels()).finish()
    }
}
