//! Names of things. Every id is a newtype, so that a task can't be mistaken
//! for a checkpoint, and every derived id is a pure function of its inputs.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// A conversation: everything that one sequence of runs has written.
///
/// Chosen by the caller: 1 to 255 bytes without control characters.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct ThreadId(Arc<str>);

/// Why a string can't name a thread.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("thread id {given:?} {reason}: use 1 to 255 bytes without control characters")]
pub struct InvalidThreadId {
    given: String,
    reason: &'static str,
}

impl ThreadId {
    /// Checks and wraps a name.
    ///
    /// ```
    /// use duru::ThreadId;
    /// assert!(ThreadId::new("order-17").is_ok());
    /// assert!(ThreadId::new("").is_err());
    /// ```
    pub fn new(name: impl AsRef<str>) -> Result<Self, InvalidThreadId> {
        let name = name.as_ref();
        let reason = if name.is_empty() {
            "is empty"
        } else if name.len() > 255 {
            "is too long"
        } else if name.chars().any(char::is_control) {
            "has control characters"
        } else {
            return Ok(Self(name.into()));
        };
        let given = name.chars().take(40).collect();
        Err(InvalidThreadId { given, reason })
    }

    /// A fresh name that no other thread has.
    pub fn random() -> Self {
        Self(Uuid::from_u128(random_v4()).to_string().into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How many buckets there are.
    pub const BUCKETS: u16 = 4096;

    /// Which of the [`BUCKETS`](Self::BUCKETS) it falls into, today and always:
    /// stores that keep threads in several places keep a bucket in one of them.
    pub fn bucket(&self) -> u16 {
        (xxh3_64(self.0.as_bytes()) % u64::from(Self::BUCKETS)) as u16
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ThreadId({})", self.0)
    }
}

impl TryFrom<&str> for ThreadId {
    type Error = InvalidThreadId;
    fn try_from(name: &str) -> Result<Self, InvalidThreadId> {
        Self::new(name)
    }
}

impl TryFrom<String> for ThreadId {
    type Error = InvalidThreadId;
    fn try_from(name: String) -> Result<Self, InvalidThreadId> {
        Self::new(name)
    }
}

impl<'de> Deserialize<'de> for ThreadId {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let name = String::deserialize(d)?;
        Self::new(name).map_err(serde::de::Error::custom)
    }
}

/// Where in a tree of graphs something happened: empty for the root graph,
/// `node:task` for a subgraph, nested with `|`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Namespace(Arc<str>);

impl Namespace {
    /// The root graph's.
    pub fn root() -> Self {
        Self("".into())
    }

    /// That of a subgraph run by `task` of `node`.
    pub fn child(&self, node: &str, task: TaskId) -> Self {
        if self.is_root() {
            Self(format!("{node}:{task}").into())
        } else {
            Self(format!("{}|{node}:{task}", self.0).into())
        }
    }

    /// Whether it is inside another one.
    pub(crate) fn is_within(&self, outer: &Self) -> bool {
        match self.0.strip_prefix(&*outer.0) {
            Some(rest) if outer.is_root() => !rest.is_empty(),
            Some(rest) => rest.starts_with('|'),
            None => false,
        }
    }

    /// Whether this is the root graph's.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The namespace as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The graph around this one; none around the root.
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        Some(Self(self.0.rsplit_once('|').map_or("", |(outer, _)| outer).into()))
    }

    /// The segments from the root down: `node:task` each.
    pub fn path(&self) -> impl Iterator<Item = &str> {
        self.0.split('|').filter(|part| !part.is_empty())
    }

    /// Reads a namespace back from a store.
    pub fn from_stored(text: &str) -> Self {
        Self(text.into())
    }
}

impl Default for Namespace {
    fn default() -> Self {
        Self::root()
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Namespace({})", self.0)
    }
}

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// The id as a number, for stores.
            pub fn as_u128(self) -> u128 {
                self.0.as_u128()
            }

            /// The id of a number that [`Self::as_u128`] gave.
            pub fn from_u128(number: u128) -> Self {
                Self(Uuid::from_u128(number))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                Uuid::parse_str(text).map(Self)
            }
        }
    };
}

uuid_id! {
    /// One call of invoke, stream or resume.
    RunId
}
uuid_id! {
    /// A step's end. Ordered: a later checkpoint of a thread is greater.
    CheckpointId
}
uuid_id! {
    /// One execution of a node in one step. Derived from the checkpoint that
    /// planned it, so a resumed task keeps its id and a fork gets new ones.
    TaskId
}

impl RunId {
    /// A fresh id, ordered by time.
    pub fn random(now_ms: u64) -> Self {
        let time = u128::from(now_ms & 0xffff_ffff_ffff) << 80;
        let rand = random_v4() & 0x0000_0000_0000_0fff_3fff_ffff_ffff_ffff;
        Self(Uuid::from_u128(time | 0x7000_8000_0000_0000_0000 | rand))
    }

    /// A fresh id that says where to look for the run: in the place of twelve
    /// random bits it has its thread's bucket.
    pub fn on(thread: &ThreadId, now_ms: u64) -> Self {
        let random = Self::random(now_ms).as_u128() & !(0xfff << 64);
        Self::from_u128(random | u128::from(thread.bucket()) << 64)
    }

    /// The bucket of its thread, if it was made by [`on`](Self::on). Nobody can see
    /// whether it was: it is where to look first.
    pub fn bucket(self) -> u16 {
        (self.as_u128() >> 64) as u16 & 0xfff
    }
}

impl CheckpointId {
    /// The id that follows `previous` at `now_ms`: of version 6, greater than
    /// the one before even when the clock stands still or goes back.
    pub(crate) fn after(previous: Option<Self>, now_ms: u64, salt: u64) -> Self {
        // 100 ns ticks since 1582-10-15, as version 6 asks for.
        const EPOCH: u64 = 0x01b2_1dd2_1381_4000;
        let now = now_ms.saturating_mul(10_000).saturating_add(EPOCH);
        let ticks = match previous {
            Some(id) => now.max(id.ticks() + 1),
            None => now,
        };
        let ticks = u128::from(ticks & 0x0fff_ffff_ffff_ffff);
        let high = (ticks >> 12) << 80 | 0x6000 << 64 | (ticks & 0xfff) << 64;
        let low = 0x8000_0000_0000_0000 | (u128::from(salt) & 0x3fff_ffff_ffff_ffff);
        Self(Uuid::from_u128(high | low))
    }

    /// The id of the moment before the input that made this checkpoint. The log
    /// has no row for it, since nothing had happened yet, but replacing the first
    /// input goes back to it.
    pub fn before_input(self) -> Self {
        Self::from_u128(self.as_u128().wrapping_sub(1))
    }

    /// The checkpoint that [`Self::before_input`] was asked of.
    pub(crate) fn after_input(self) -> Self {
        Self::from_u128(self.as_u128().wrapping_add(1))
    }

    fn ticks(self) -> u64 {
        let id = self.as_u128();
        ((id >> 80) << 12 | (id >> 64) & 0xfff) as u64
    }
}

impl TaskId {
    /// The id of the `index`-th task that `checkpoint` planned.
    pub(crate) fn derive(checkpoint: CheckpointId, ns: &Namespace, node: &str, index: usize) -> Self {
        // Names vary in length, so they are hashed apart from the rest.
        let names = [xxh3_64(ns.as_str().as_bytes()), xxh3_64(node.as_bytes())];
        Self(Uuid::from_u128(digest(checkpoint.as_u128(), [names[0], names[1], index as u64])))
    }

    /// An id for the `count`-th message that `task` wrote without one.
    pub(crate) fn message(task: Self, count: u64) -> String {
        Uuid::from_u128(digest(task.as_u128(), [MESSAGE, count, 0])).to_string()
    }
}

/// Which of the threads that have had a name. A thread that is deleted and
/// made again under the same name is another one; knowing
/// the first by name alone must not lead to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Incarnation(u64);

impl Incarnation {
    /// That of nothing yet, and of everything from before there were incarnations.
    pub const NONE: Self = Self(0);

    /// That of a new thread.
    pub fn random() -> Self {
        // Stores know signed numbers only.
        Self(fastrand::u64(1..=i64::MAX as u64))
    }

    /// The number by which a store knows it.
    pub fn as_u64(self) -> u64 {
        self.0
    }

    /// That of a number in a store.
    pub fn from_u64(number: u64) -> Self {
        Self(number)
    }
}

/// A question that waits for an answer: 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InterruptId(u128);

impl InterruptId {
    /// The id of the `index`-th question of `task`; of its node, or of the handler of the node's failure.
    pub(crate) fn derive(task: TaskId, index: usize, by_handler: bool) -> Self {
        Self(digest(task.as_u128(), [QUESTION, index as u64, by_handler.into()]))
    }
}

impl fmt::Display for InterruptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for InterruptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InterruptId({self})")
    }
}

/// Why a string is no interrupt id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no interrupt id: it has 32 hexadecimal digits")]
pub struct InvalidInterruptId(String);

impl FromStr for InterruptId {
    type Err = InvalidInterruptId;
    fn from_str(text: &str) -> Result<Self, InvalidInterruptId> {
        let bad = || InvalidInterruptId(text.chars().take(40).collect());
        if text.len() != 32 {
            return Err(bad());
        }
        u128::from_str_radix(text, 16).map(Self).map_err(|_| bad())
    }
}

impl Serialize for InterruptId {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for InterruptId {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Keep what is derived from one task apart.
const MESSAGE: u64 = 1;
const QUESTION: u64 = 2;

/// An id derived from another one.
fn digest(from: u128, with: [u64; 3]) -> u128 {
    let mut bytes = [0; 40];
    bytes[..16].copy_from_slice(&from.to_le_bytes());
    for (place, number) in bytes[16..].chunks_exact_mut(8).zip(with) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    xxh3_128(&bytes)
}

fn random_v4() -> u128 {
    let bits = fastrand::u128(..);
    bits & 0xffff_ffff_ffff_0fff_3fff_ffff_ffff_ffff | 0x4000_8000_0000_0000_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is stored somewhere because of its bucket must be found there for ever.
    #[test]
    fn buckets_never_change() {
        let of = |name| ThreadId::new(name).unwrap().bucket();
        assert_eq!([of("order-17"), of("가"), of("t")], [3006, 1489, 2349]);
        let (thread, now) = (ThreadId::new("order-17").unwrap(), 1_700_000_000_000);
        let (one, two) = (RunId::on(&thread, now), RunId::on(&thread, now));
        assert!(one != two && one.bucket() == thread.bucket() && two.bucket() == thread.bucket());
        assert_eq!(one.0.get_version_num(), 7);
        assert_eq!(one.as_u128() >> 80, u128::from(now), "ordered by time");
    }

    #[test]
    fn checkpoint_ids_grow_even_when_the_clock_goes_back() {
        let first = CheckpointId::after(None, 1_700_000_000_000, 7);
        let second = CheckpointId::after(Some(first), 1_600_000_000_000, 7);
        assert!(second > first);
        assert!(second.to_string() > first.to_string());
        assert_eq!(first.0.get_version_num(), 6);
    }

    #[test]
    fn the_moment_before_an_input_is_between_two_checkpoints() {
        let first = CheckpointId::after(None, 1_700_000_000_000, 0);
        let second = CheckpointId::after(Some(first), 1_700_000_000_000, 0);
        let moment = second.before_input();
        assert!(first < moment && moment < second && moment.after_input() == second);
    }

    #[test]
    fn a_fork_gives_its_tasks_new_ids() {
        let one = CheckpointId::from_u128(1);
        let two = CheckpointId::from_u128(2);
        let root = Namespace::root();
        assert_eq!(TaskId::derive(one, &root, "a", 0), TaskId::derive(one, &root, "a", 0));
        assert_ne!(TaskId::derive(one, &root, "a", 0), TaskId::derive(two, &root, "a", 0));
        assert_ne!(TaskId::derive(one, &root, "a", 0), TaskId::derive(one, &root, "a", 1));
    }

    #[test]
    fn interrupt_ids_read_back() {
        let id = InterruptId::derive(TaskId::from_u128(9), 1, false);
        assert_eq!(id.to_string().parse::<InterruptId>().unwrap(), id);
        assert!("xyz".parse::<InterruptId>().is_err());
    }

    #[test]
    fn namespaces_nest() {
        let outer = Namespace::root().child("a", TaskId::from_u128(1));
        let inner = outer.child("b", TaskId::from_u128(2));
        assert_eq!(inner.path().count(), 2);
        assert!(inner.as_str().starts_with(outer.as_str()));
        assert_eq!((inner.parent(), outer.parent()), (Some(outer), Some(Namespace::root())));
        assert_eq!(Namespace::root().parent(), None);
    }
}
