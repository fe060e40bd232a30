//! Looking through an index: what a page shows besides what was found.

use std::collections::BTreeMap;

use crate::document::{Chunk, Document};
use crate::index::{Error, Index};

/// A collection, and how much is in it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Collection {
    pub name: String,
    pub documents: usize,
    pub passages: usize,
}

/// A passage where it stands.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Place {
    pub document: Document,
    pub passage: Chunk,
    /// Those before it, in their order, and those behind it.
    pub before: Vec<Chunk>,
    pub after: Vec<Chunk>,
}

/// The collections, by name.
pub async fn collections(index: &dyn Index) -> Result<Vec<Collection>, Error> {
    let mut found: BTreeMap<String, Collection> = BTreeMap::new();
    for document in index.documents(None).await? {
        let known = found.entry(document.collection.clone()).or_insert_with(|| Collection {
            name: document.collection.clone(),
            documents: 0,
            passages: 0,
        });
        known.documents += 1;
        known.passages += document.chunks;
    }
    Ok(found.into_values().collect())
}

/// A passage with its document and so many of its neighbours on either side; none if there is no such passage.
pub async fn place(index: &dyn Index, passage: &str, neighbours: usize) -> Result<Option<Place>, Error> {
    let Some(chunk) = index.chunks(&[passage.to_owned()]).await?.into_iter().next() else {
        return Ok(None);
    };
    let documents = index.documents(Some(&chunk.collection)).await?;
    let Some(document) = documents.into_iter().find(|document| document.id == chunk.document) else {
        return Ok(None);
    };
    let all = index.passages(&document.id).await?;
    let at = all.iter().position(|other| other.id == chunk.id).unwrap_or_default();
    let before = all[at.saturating_sub(neighbours)..at].to_vec();
    let after = all.into_iter().skip(at + 1).take(neighbours).collect();
    Ok(Some(Place { document, passage: chunk, before, after }))
}
