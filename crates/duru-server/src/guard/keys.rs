//! Keys: made once, shown once, kept as a digest.

use std::sync::Arc;

use duru::store::{self, Catalog, Entry, EntryKind, EntryQuery, Expect, Put};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What every key begins with, so that people and scanners know one when they see it.
const MARK: &str = "duru_";

/// A key, without what must stay secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// What it is called by.
    pub id: String,
    /// Whose it is. What is made with it belongs to this name.
    pub name: String,
    /// How many requests a second it is good for; none for the usual number.
    pub per_second: Option<u32>,
    /// The largest body of a request, in bytes; none for the server's own limit.
    pub largest_body: Option<u64>,
    /// How many answers may be open at once; none for the usual number.
    pub at_once: Option<u32>,
    /// Whether it is good for what concerns everybody, such as erasing a person's data.
    pub admin: bool,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: u64,
}

/// A key to be made.
#[derive(Debug, Clone, Default)]
pub struct NewKey {
    /// Whose it is: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// How many requests a second it is good for.
    pub per_second: Option<u32>,
    /// The largest body of a request, in bytes.
    pub largest_body: Option<u64>,
    /// How many answers may be open at once: streams, sockets, and those that are waited for.
    pub at_once: Option<u32>,
    /// Whether it is good for what concerns everybody.
    pub admin: bool,
}

/// Why a key was not made or found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// Such a name can't be used.
    #[error("{0:?} is no name for a key's owner; use up to 64 letters, digits, '-', '_' and '.'")]
    Name(String),
    /// The system has no random numbers.
    #[error("no random numbers: {0}")]
    Random(String),
    /// The store could not be used.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// The keys of a server.
#[derive(Clone)]
pub struct Keys {
    catalog: Arc<dyn Catalog>,
}

impl Keys {
    /// Those in a catalog.
    pub fn new(catalog: Arc<dyn Catalog>) -> Self {
        Self { catalog }
    }

    /// Makes a key and gives its text, which nobody can read again.
    ///
    /// # Errors
    /// If the name can't be used, or the store.
    pub async fn add(&self, new: NewKey) -> Result<(String, Key), KeyError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if new.name.is_empty() || new.name.len() > 64 || !new.name.chars().all(fits) {
            return Err(KeyError::Name(new.name.chars().take(80).collect()));
        }
        let (id, secret) = (random::<6>()?, random::<32>()?);
        let mut entry = Entry { label: new.name.clone(), ..Entry::new(EntryKind::Key, &id) };
        entry.body.insert("digest".into(), digest(&secret).into());
        entry.body.insert("per_second".into(), new.per_second.into());
        entry.body.insert("largest_body".into(), new.largest_body.into());
        entry.body.insert("at_once".into(), new.at_once.into());
        entry.body.insert("admin".into(), new.admin.into());
        match self.catalog.put(entry, Expect::New).await? {
            Put::Stored(entry) => Ok((format!("{MARK}{id}_{secret}"), key(&entry))),
            Put::Unexpected(_) => Err(KeyError::Random("the same number came twice".to_owned())),
        }
    }

    /// All keys, the latest first.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn list(&self) -> Result<Vec<Key>, store::Error> {
        let query = EntryQuery { limit: 10_000, ..EntryQuery::of(EntryKind::Key) };
        Ok(self.catalog.find(query).await?.entries.iter().map(key).collect())
    }

    /// Removes a key by its id, or all keys of a name. Those that were removed.
    ///
    /// # Errors
    /// If the store can't be used.
    pub async fn revoke(&self, id_or_name: &str) -> Result<Vec<Key>, store::Error> {
        let mut removed = Vec::new();
        for key in self.list().await?.into_iter().filter(|key| key.id == id_or_name || key.name == id_or_name)
        {
            if self.catalog.remove(EntryKind::Key, &key.id).await? {
                removed.push(key);
            }
        }
        Ok(removed)
    }

    pub(super) async fn any(&self) -> Result<bool, store::Error> {
        let query = EntryQuery { limit: 1, ..EntryQuery::of(EntryKind::Key) };
        Ok(self.catalog.find(query).await?.total > 0)
    }

    /// A key and the digest of its secret, by its id.
    pub(super) async fn by_id(&self, id: &str) -> Result<Option<(Key, String)>, store::Error> {
        let entry = self.catalog.entry(EntryKind::Key, id).await?;
        Ok(entry.map(|entry| {
            let digest = entry.body.get("digest").and_then(Value::as_str).unwrap_or_default().to_owned();
            (key(&entry), digest)
        }))
    }
}

fn key(entry: &Entry) -> Key {
    let number = |name: &str| entry.body.get(name).and_then(Value::as_u64);
    Key {
        id: entry.id.clone(),
        name: entry.label.clone(),
        per_second: number("per_second").and_then(|n| n.try_into().ok()),
        largest_body: number("largest_body"),
        at_once: number("at_once").and_then(|n| n.try_into().ok()),
        admin: entry.body.get("admin").and_then(Value::as_bool).unwrap_or(false),
        created_ms: entry.created_ms,
    }
}

/// The id and the secret in a key's text.
pub(super) fn parts(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(MARK)?.split_once('_').filter(|(id, secret)| !id.is_empty() && !secret.is_empty())
}

/// A secret is 256 random bits: one round says nothing of it.
pub(super) fn digest(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// In the same time wherever they differ.
pub(super) fn same(one: &str, two: &str) -> bool {
    let differs = one.bytes().zip(two.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    one.len() == two.len() && std::hint::black_box(differs) == 0
}

/// So many random bytes, in hex.
pub(super) fn random<const N: usize>() -> Result<String, KeyError> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).map_err(|error| KeyError::Random(error.to_string()))?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)].into());
        text.push(DIGITS[usize::from(byte & 0xf)].into());
    }
    text
}

impl Key {
    /// As programs read it.
    pub fn json(&self) -> Value {
        json!({
            "id": self.id, "name": self.name, "per_second": self.per_second, "largest_body": self.largest_body,
            "at_once": self.at_once, "admin": self.admin, "created_at": crate::time::iso(self.created_ms),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use duru::store::MemoryStore;

    #[tokio::test]
    async fn a_key_is_kept_as_a_digest_and_gone_when_it_is_revoked() {
        let store = Arc::new(MemoryStore::new());
        let keys = Keys::new(store.clone());
        let (text, key) = keys.add(NewKey { name: "kim".into(), ..NewKey::default() }).await.unwrap();
        let (id, secret) = parts(&text).unwrap();
        assert_eq!(id, key.id);
        let (found, kept) = keys.by_id(id).await.unwrap().unwrap();
        assert_eq!(found, key);
        assert!(same(&kept, &digest(secret)) && !same(&kept, &digest("another")));
        let entry = store.entry(EntryKind::Key, id).await.unwrap().unwrap();
        assert!(!format!("{entry:?}").contains(secret));
        assert_eq!(keys.revoke("kim").await.unwrap().len(), 1);
        assert!(keys.by_id(id).await.unwrap().is_none() && !keys.any().await.unwrap());
        assert!(matches!(keys.add(NewKey::default()).await, Err(KeyError::Name(_))));
    }
}
