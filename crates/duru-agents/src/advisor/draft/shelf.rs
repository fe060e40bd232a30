//! Documents that were made, kept for their owners.

use duru::memory::{Error, Memory, Search};
use serde::{Deserialize, Serialize};

use crate::advisor::memory::label;

/// A document as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub id: String,
    /// What its file is called.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The documents of people, on a store. Cheap to clone.
#[derive(Clone)]
pub struct Shelf {
    memory: Memory,
}

/// JSON has no bytes.
#[derive(Serialize, Deserialize)]
struct Kept {
    name: String,
    hex: String,
}

const PAGE: usize = 100;

impl Shelf {
    pub fn new(memory: Memory) -> Self {
        Self { memory }
    }

    /// Keeps a document in the place of the one with its id.
    pub async fn put(&self, user: &str, document: &Document) -> Result<(), Error> {
        let kept = Kept { name: document.name.clone(), hex: hex::encode(&document.bytes) };
        self.memory.put(namespace(user), &document.id, &kept).await
    }

    /// A document of the person's own.
    pub async fn get(&self, user: &str, id: &str) -> Result<Option<Document>, Error> {
        let Some(kept) = self.memory.get::<Kept>(namespace(user), id).await? else { return Ok(None) };
        let bytes = hex::decode(&kept.hex).map_err(|_| Error::Unfit {
            at: format!("document {id:?}"),
            reason: "these are no bytes".to_owned(),
        })?;
        Ok(Some(Document { id: id.to_owned(), name: kept.name, bytes }))
    }

    /// Throws all documents of a person away, and says how many.
    pub async fn clear(&self, user: &str) -> Result<usize, Error> {
        let mut thrown = 0;
        loop {
            let page = self.memory.search(Search::within(namespace(user))?.limit(PAGE)).await?;
            if page.is_empty() {
                return Ok(thrown);
            }
            for hit in page {
                thrown += usize::from(self.memory.delete(namespace(user), &hit.item.key).await?);
            }
        }
    }
}

fn namespace(user: &str) -> [String; 3] {
    ["advisor".to_owned(), "drafts".to_owned(), label(user)]
}
