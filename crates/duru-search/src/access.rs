//! Whom a document is for, and what somebody may reach.

use serde::{Deserialize, Serialize};

/// Whom a document is for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Everybody who may ask.
    #[default]
    Shared,
    /// Whoever has this name.
    Owner(String),
    /// Whoever has this name, or nobody's, and only in this conversation.
    Thread {
        thread: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
    },
}

/// Begins the collections of conversations.
const CONVERSATION: &str = "conversation-";

impl Access {
    pub fn is_shared(&self) -> bool {
        *self == Self::Shared
    }

    /// The collection of what is for one conversation alone.
    pub fn collection_of(thread: &str) -> String {
        format!("{CONVERSATION}{thread}")
    }

    /// The conversation that a collection is of, if it is of one.
    pub fn thread_of(collection: &str) -> Option<&str> {
        collection.strip_prefix(CONVERSATION)
    }

    /// What an index keeps beside a passage: nothing for what is shared, and never the same for two others.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Shared => String::new(),
            Self::Owner(owner) => format!("owner\u{1f}{owner}"),
            Self::Thread { thread, owner } => {
                format!("thread\u{1f}{thread}\u{1f}{}", owner.as_deref().unwrap_or_default())
            }
        }
    }
}

/// What an index shows to whoever has it in hand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Reach {
    /// What is shared: all that there is for whom nobody said more.
    #[default]
    Shared,
    /// Those, and whatever is for one of these.
    Besides(Vec<Access>),
    /// Everything. To keep an index up to date with, never to answer with.
    Everything,
}

impl Reach {
    /// What somebody may reach by their name, and in a conversation if they are in one.
    pub fn of(owner: Option<&str>, thread: Option<&str>) -> Self {
        let own = owner.map(|owner| Access::Owner(owner.to_owned()));
        let of_thread =
            |thread: &str| Access::Thread { thread: thread.to_owned(), owner: owner.map(str::to_owned) };
        match own.into_iter().chain(thread.map(of_thread)).collect::<Vec<_>>() {
            none if none.is_empty() => Self::Shared,
            some => Self::Besides(some),
        }
    }

    /// What whoever reaches what this is for may reach with it: what is shared, and all that is theirs there.
    pub(crate) fn of_access(access: &Access) -> Self {
        match access {
            Access::Shared => Self::Shared,
            Access::Owner(owner) => Self::of(Some(owner), None),
            Access::Thread { thread, owner } => Self::of(owner.as_deref(), Some(thread)),
        }
    }

    /// The labels of what is reached besides what is shared; none if it is everything.
    pub(crate) fn labels(&self) -> Option<Vec<String>> {
        let label = |access: &Access| (!access.is_shared()).then(|| access.label());
        match self {
            Self::Shared => Some(Vec::new()),
            Self::Besides(some) => Some(some.iter().filter_map(label).collect()),
            Self::Everything => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_reaches_by_chance_what_is_somebody_elses() {
        let thread = |thread: &str, owner: Option<&str>| Access::Thread {
            thread: thread.into(),
            owner: owner.map(Into::into),
        };
        let all = [
            Access::Shared,
            Access::Owner("kim".into()),
            Access::Owner("lee".into()),
            thread("t1", None),
            thread("t1", Some("kim")),
            thread("t1", Some("lee")),
            thread("t2", Some("kim")),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(all.iter().skip(at + 1).all(|other| other.label() != one.label()), "{one:?}");
        }
        let reached = |owner, thread| Reach::of(owner, thread).labels().unwrap();
        assert_eq!(Reach::of(None, None), Reach::Shared);
        assert!(Reach::default().labels().unwrap().is_empty());
        assert_eq!(reached(None, Some("t1")), [all[3].label()]);
        assert_eq!(reached(Some("kim"), Some("t1")), [all[1].label(), all[4].label()]);
        assert_eq!(reached(Some("lee"), None), [all[2].label()]);
    }

    #[test]
    fn a_record_of_before_is_shared() {
        #[derive(Deserialize)]
        struct Record {
            #[serde(default)]
            access: Access,
        }
        let record: Record = serde_json::from_str("{}").unwrap();
        assert!(record.access.is_shared());
        let private = serde_json::to_string(&Access::Owner("kim".into())).unwrap();
        assert_eq!(private, r#"{"owner":"kim"}"#);
    }
}
