//! The catalog's seam: what a server keeps beside threads and runs, as small
//! documents that are listed, filtered and changed one at a time.

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::Error;
use crate::Incarnation;

/// What kind of thing an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A thread. The queue keeps its status; removing it removes its runs and its log too.
    Thread,
    /// A graph with settings.
    Assistant,
    /// An assistant as it was.
    AssistantVersion,
    /// Something to do again and again.
    Cron,
    /// Somebody's key to a server.
    Key,
    /// What was said in the thread of the same name, to find it by.
    Said,
    /// Lines of the audit log.
    Audit,
    /// Where something is that a store keeps in one of several places; the store's own.
    Placement,
}

impl EntryKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Thread,
        Self::Assistant,
        Self::AssistantVersion,
        Self::Cron,
        Self::Key,
        Self::Said,
        Self::Audit,
        Self::Placement,
    ];

    /// The word that stands for it in a store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Assistant => "assistant",
            Self::AssistantVersion => "assistant_version",
            Self::Cron => "cron",
            Self::Key => "key",
            Self::Said => "said",
            Self::Audit => "audit",
            Self::Placement => "placement",
        }
    }

    /// The kind of a word in a store.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// An entry of the catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// Its name among those of its kind.
    pub id: String,
    /// A word about it, to filter by.
    pub status: String,
    /// Another one, to sort by.
    pub label: String,
    /// Notes about it, to filter by.
    pub metadata: Map<String, Value>,
    /// The rest.
    pub body: Map<String, Value>,
    /// When something is to be done about it, in milliseconds since 1970.
    pub due_ms: Option<u64>,
    /// Which of the entries that have had this name; the store's choice.
    pub incarnation: Incarnation,
    /// Grows by one with every change; the store counts.
    pub version: u64,
    /// When it was made; the store's time.
    pub created_ms: u64,
    /// When it was last changed; the store's time.
    pub updated_ms: u64,
}

impl Entry {
    /// One that says nothing yet.
    pub fn new(kind: EntryKind, id: impl Into<String>) -> Self {
        Self {
            kind,
            id: id.into(),
            status: String::new(),
            label: String::new(),
            metadata: Map::new(),
            body: Map::new(),
            due_ms: None,
            incarnation: Incarnation::NONE,
            version: 0,
            created_ms: 0,
            updated_ms: 0,
        }
    }
}

impl Entry {
    /// Whether this one was made of `old`, which is at this version: what
    /// [`Expect::Version`] asks, for stores that compare in Rust.
    pub fn follows(&self, old: &Self, version: u64) -> bool {
        old.version == version && old.incarnation == self.incarnation
    }
}

/// What must be there for an entry to be put in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Anything or nothing.
    Any,
    /// Nothing.
    New,
    /// This version of the same entry: not one of that version under the same
    /// name, made after the first was removed.
    Version(u64),
}

/// What became of an entry to be put.
#[derive(Debug, Clone, PartialEq)]
pub enum Put {
    /// It is there, as the store has it now.
    Stored(Entry),
    /// Something else is there than was expected, or nothing.
    Unexpected(Option<Entry>),
}

/// What to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortBy {
    /// When it was made.
    #[default]
    Created,
    /// When it was last changed.
    Updated,
    /// Its name.
    Id,
    /// Its status.
    Status,
    /// Its label.
    Label,
}

/// Which entries.
#[derive(Debug, Clone)]
pub struct EntryQuery {
    /// Of which kind.
    pub kind: EntryKind,
    /// Only these; empty for all.
    pub ids: Vec<String>,
    /// Only those of this status.
    pub status: Option<String>,
    /// Only those whose metadata contain this, see [`contains`].
    pub metadata: Map<String, Value>,
    /// Only those whose body contains this.
    pub body: Map<String, Value>,
    /// Only those that are due by then.
    pub due_by_ms: Option<u64>,
    /// In which order.
    pub sort: SortBy,
    /// The other way round: from small to large.
    pub ascending: bool,
    /// Leave out so many.
    pub offset: usize,
    /// At most so many.
    pub limit: usize,
}

impl EntryQuery {
    /// The latest ones of a kind, a hundred at most.
    pub fn of(kind: EntryKind) -> Self {
        Self {
            kind,
            ids: Vec::new(),
            status: None,
            metadata: Map::new(),
            body: Map::new(),
            due_by_ms: None,
            sort: SortBy::default(),
            ascending: false,
            offset: 0,
            limit: 100,
        }
    }

    /// Whether an entry is one of those, for stores that can't look into JSON.
    pub fn wants(&self, entry: &Entry) -> bool {
        self.kind == entry.kind
            && (self.ids.is_empty() || self.ids.contains(&entry.id))
            && self.status.as_ref().is_none_or(|status| *status == entry.status)
            && self.due_by_ms.is_none_or(|by| entry.due_ms.is_some_and(|due| due <= by))
            && contains_all(&entry.metadata, &self.metadata)
            && contains_all(&entry.body, &self.body)
    }
}

/// Entries that were asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// One page of them.
    pub entries: Vec<Entry>,
    /// How many there are on all pages.
    pub total: usize,
}

/// Whether a JSON value contains another: an object every field of it, a list
/// every item of it, and everything else nothing but itself. PostgreSQL's `@>`.
pub fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => contains_all(whole, part),
        (Value::Array(whole), Value::Array(part)) => {
            part.iter().all(|part| whole.iter().any(|whole| contains(whole, part)))
        }
        (Value::Number(one), Value::Number(two)) => one == two || one.as_f64() == two.as_f64(),
        (whole, part) => whole == part,
    }
}

fn contains_all(whole: &Map<String, Value>, part: &Map<String, Value>) -> bool {
    part.iter().all(|(key, part)| whole.get(key).is_some_and(|whole| contains(whole, part)))
}

/// Where the catalog is kept. One contract, checked by `testkit::runs_contract` on every backend.
#[async_trait]
pub trait Catalog: Send + Sync + 'static {
    /// Puts an entry in the place of the one that was there, if that is the one
    /// that is expected. The store sets its version and times.
    async fn put(&self, entry: Entry, expect: Expect) -> Result<Put, Error>;

    /// An entry.
    async fn entry(&self, kind: EntryKind, id: &str) -> Result<Option<Entry>, Error>;

    /// A page of entries.
    async fn find(&self, query: EntryQuery) -> Result<Found, Error>;

    /// Removes an entry; a thread's with all of its runs and its log, in one
    /// transaction. Whether there was one.
    async fn remove(&self, kind: EntryKind, id: &str) -> Result<bool, Error>;
}
