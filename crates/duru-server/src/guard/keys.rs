//! Keys: made once, shown once, kept as a digest.

use std::sync::Arc;

use duru::store::{self, Catalog, Entry, EntryKind, EntryQuery, Expect, Put};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

use super::scopes::{KeyScope, KeyScopes};

/// What every key begins with, so that people and scanners know one when they see it.
const MARK: &str = "duru_";

/// How many random bytes there are in an id, and in a secret.
const ID: usize = 6;
const SECRET: usize = 32;

/// The entry among the keys that says that keys are wanted. It is the id of no key: those are longer.
const WANTED: &str = "wanted";

/// The name of the local user, who needs no key, and the names of nobody in particular.
const RESERVED: [&str; 4] = ["local", "erased", "nobody", "system"];

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
    /// What it is good for.
    pub scopes: KeyScopes,
    /// The tables, or sources of tables, that it may ask about; none for all.
    pub tables: Option<Vec<String>>,
    /// It was made before keys had scopes, and is good for all that keys were good for then.
    pub is_unscoped: bool,
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
    /// What it is good for; asking, unless something else is said.
    pub scopes: KeyScopes,
    /// The tables, or sources of tables, that it may ask about; none for all.
    pub tables: Option<Vec<String>>,
}

/// Why a key was not made or found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// Such a name can't be used.
    #[error("{0:?} is no name for a key's owner; use up to 64 letters, digits, '-', '_' and '.'")]
    Name(String),
    /// Such a name means somebody else.
    #[error("nobody's key may be called {0:?}: that name is taken for whoever needs no key")]
    Reserved(String),
    /// There are keys.
    #[error("there are keys; revoke them first")]
    KeysAreThere,
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
        if is_reserved(&new.name) {
            return Err(KeyError::Reserved(new.name));
        }
        self.want().await?;
        let (id, secret) = (random::<ID>()?, random::<SECRET>()?);
        let mut entry = Entry { label: new.name.clone(), ..Entry::new(EntryKind::Key, &id) };
        entry.body.insert("digest".into(), digest(&secret).into());
        entry.body.insert("per_second".into(), new.per_second.into());
        entry.body.insert("largest_body".into(), new.largest_body.into());
        entry.body.insert("at_once".into(), new.at_once.into());
        entry.body.insert("scopes".into(), json!(new.scopes.words()));
        entry.body.insert("tables".into(), json!(new.tables));
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
        let entries = self.catalog.find(query).await?.entries;
        Ok(entries.iter().filter(|entry| entry.id != WANTED).map(key).collect())
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

    /// Has keys, by id or of a name, be good for this and nothing else. Those that were changed.
    ///
    /// # Errors
    /// If the store can't be used.
    pub async fn set_scopes(&self, id_or_name: &str, scopes: KeyScopes) -> Result<Vec<Key>, store::Error> {
        let mut changed = Vec::new();
        for meant in
            self.list().await?.into_iter().filter(|key| key.id == id_or_name || key.name == id_or_name)
        {
            let Some(mut entry) = self.catalog.entry(EntryKind::Key, &meant.id).await? else { continue };
            let version = entry.version;
            entry.body.insert("scopes".into(), json!(scopes.words()));
            if let Put::Stored(entry) = self.catalog.put(entry, Expect::Version(version)).await? {
                changed.push(key(&entry));
            }
        }
        Ok(changed)
    }

    /// Whether keys are wanted: there is one, or there was.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn are_wanted(&self) -> Result<bool, store::Error> {
        let query = EntryQuery { limit: 1, ..EntryQuery::of(EntryKind::Key) };
        Ok(self.catalog.find(query).await?.total > 0)
    }

    /// Keys are wanted from now on, also once the last one is gone: it was not revoked to let everybody in.
    ///
    /// # Errors
    /// If the store can't be written.
    pub async fn want(&self) -> Result<(), store::Error> {
        self.catalog.put(Entry::new(EntryKind::Key, WANTED), Expect::New).await.map(drop)
    }

    /// No keys are wanted any more, for servers that start from now on. Whether they were.
    ///
    /// # Errors
    /// If there are keys, or the store can't be used.
    pub async fn stop_wanting(&self) -> Result<bool, KeyError> {
        if !self.list().await?.is_empty() {
            return Err(KeyError::KeysAreThere);
        }
        Ok(self.catalog.remove(EntryKind::Key, WANTED).await?)
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
    let scopes = entry.body.get("scopes").and_then(KeyScopes::read);
    let was_admin = entry.body.get("admin").and_then(Value::as_bool).unwrap_or(false);
    let before = if was_admin { KeyScopes::ALL } else { KeyScopes::BEFORE };
    Key {
        id: entry.id.clone(),
        name: entry.label.clone(),
        per_second: number("per_second").and_then(|n| n.try_into().ok()),
        largest_body: number("largest_body"),
        at_once: number("at_once").and_then(|n| n.try_into().ok()),
        scopes: scopes.unwrap_or(before),
        tables: granted(entry.body.get("tables")),
        is_unscoped: scopes.is_none(),
        created_ms: entry.created_ms,
    }
}

/// The tables that somebody may ask about, as the store has them; all, if nothing is there. What can't be read grants
/// none.
pub(crate) fn granted(kept: Option<&Value>) -> Option<Vec<String>> {
    let kept = kept.filter(|kept| !kept.is_null())?;
    let names =
        kept.as_array().and_then(|names| names.iter().map(|name| name.as_str().map(str::to_owned)).collect());
    Some(names.unwrap_or_default())
}

/// The id and the secret in a key's text, if it has the form of one.
pub(super) fn parts(text: &str) -> Option<(&str, &str)> {
    let (id, secret) = text.strip_prefix(MARK)?.split_once('_')?;
    (is_hex(id, ID * 2) && is_hex(secret, SECRET * 2)).then_some((id, secret))
}

/// Whether a text is so many digits of a number.
pub(super) fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a name is taken for somebody who has no key: what is kept under it is theirs.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|taken| name.eq_ignore_ascii_case(taken))
}

/// A secret is 256 random bits: one round says nothing of it.
pub(super) fn digest(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

/// In the same time wherever they differ.
pub(super) fn same(one: &str, two: &str) -> bool {
    one.as_bytes().ct_eq(two.as_bytes()).into()
}

/// So many random bytes, in hex.
pub(crate) fn random<const N: usize>() -> Result<String, KeyError> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).map_err(|error| KeyError::Random(error.to_string()))?;
    Ok(hex::encode(bytes))
}

impl Key {
    /// As programs read it.
    pub fn json(&self) -> Value {
        json!({
            "id": self.id, "name": self.name, "per_second": self.per_second, "largest_body": self.largest_body,
            "at_once": self.at_once, "admin": self.scopes.allow(KeyScope::Administer), "scopes": self.scopes.words(),
            "tables": self.tables, "unscoped": self.is_unscoped, "created_at": crate::time::iso(self.created_ms),
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
        assert!(keys.by_id(id).await.unwrap().is_none() && keys.list().await.unwrap().is_empty());
        assert!(matches!(keys.add(NewKey::default()).await, Err(KeyError::Name(_))));
    }

    #[tokio::test]
    async fn keys_are_wanted_until_somebody_says_otherwise() {
        let keys = Keys::new(Arc::new(MemoryStore::new()));
        assert!(!keys.are_wanted().await.unwrap() && !keys.stop_wanting().await.unwrap());
        keys.add(NewKey { name: "kim".into(), ..NewKey::default() }).await.unwrap();
        assert!(matches!(keys.stop_wanting().await, Err(KeyError::KeysAreThere)));
        keys.revoke("kim").await.unwrap();
        assert!(keys.are_wanted().await.unwrap(), "the last key was not revoked to let everybody in");
        assert!(keys.stop_wanting().await.unwrap() && !keys.are_wanted().await.unwrap());
    }

    #[tokio::test]
    async fn a_key_may_not_be_called_as_whoever_needs_none() {
        let keys = Keys::new(Arc::new(MemoryStore::new()));
        for name in ["local", "LOCAL", "erased", "nobody", "system"] {
            let made = keys.add(NewKey { name: name.into(), ..NewKey::default() }).await;
            assert!(matches!(made, Err(KeyError::Reserved(_))), "{name}");
        }
        assert!(!keys.are_wanted().await.unwrap());
    }

    #[tokio::test]
    async fn an_older_key_keeps_what_it_had_and_says_so() {
        let store = Arc::new(MemoryStore::new());
        let keys = Keys::new(store.clone());
        for (id, admin) in [("a", false), ("b", true)] {
            let mut entry = Entry { label: id.into(), ..Entry::new(EntryKind::Key, id) };
            entry.body.insert("admin".into(), admin.into());
            store.put(entry, Expect::New).await.unwrap();
        }
        for key in keys.list().await.unwrap() {
            assert!(key.is_unscoped && key.scopes.allow(KeyScope::Curate), "{key:?}");
            assert_eq!(key.scopes.allow(KeyScope::Administer), key.name == "b");
        }
        let changed = keys.set_scopes("a", KeyScopes::default()).await.unwrap();
        assert_eq!((changed.len(), changed[0].is_unscoped), (1, false));
        assert!(!changed[0].scopes.allow(KeyScope::Ingest));
    }

    #[test]
    fn what_is_no_key_by_its_form_is_none() {
        let (id, secret) = ("0".repeat(12), "f".repeat(64));
        assert_eq!(parts(&format!("duru_{id}_{secret}")), Some((id.as_str(), secret.as_str())));
        for wrong in [
            format!("duru_{}_{secret}", "a".repeat(59_000)),
            format!("duru_{id}_{secret}0"),
            format!("duru_{id}_{}", secret.to_uppercase()),
            format!("duru_{id}"),
            format!("{id}_{secret}"),
        ] {
            assert_eq!(parts(&wrong), None);
        }
    }
}
