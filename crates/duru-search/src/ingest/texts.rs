//! Documents that are no files.

use xxhash_rust::xxh3::Xxh3;

use super::library::{EDITION, Error, Library, document_id};
use super::report::Report;
use crate::access::Access;
use crate::document::{Document, Names};
use crate::index::Write;
use crate::read::{Content, Marks, Parsed, markdown};
use crate::split::{Origin, split};

/// A document that somebody has in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// What it is known by; the same source again replaces it.
    pub source: String,
    pub collection: String,
    pub category: Option<String>,
    pub markdown: String,
}

impl Library {
    /// Brings the index up to date with these texts. What is unchanged is not written again, and nothing is removed.
    pub async fn ingest_texts(&self, texts: &[Text]) -> Result<Report, Error> {
        let mut report = Report::default();
        let (mut writes, mut waiting) = (Vec::new(), 0);
        for text in texts {
            let id = document_id(&text.collection, &text.source);
            let known = self.index.documents(Some(&text.collection)).await?;
            let known = known.into_iter().find(|document| document.id == id);
            let fingerprint = fingerprint(text);
            if known.as_ref().is_some_and(|document| document.fingerprint == fingerprint) {
                report.unchanged += 1;
                continue;
            }
            let blocks = markdown::read(&text.markdown, Marks::Markdown);
            let origin = Origin {
                document: &id,
                collection: &text.collection,
                source: &text.source,
                title: &text.source,
                category: text.category.as_deref(),
            };
            let chunks = split(
                Parsed { title: None, content: Content::Blocks(blocks), blank_pages: Vec::new() },
                origin,
            );
            let title = chunks.first().map_or_else(|| text.source.clone(), |chunk| chunk.title.clone());
            report.passages += chunks.len();
            match known {
                Some(_) => report.updated += 1,
                None => report.added += 1,
            }
            let document = Document {
                names: Names::of(&title, &text.source, &chunks),
                id,
                collection: text.collection.clone(),
                source: text.source.clone(),
                title,
                fingerprint,
                chunks: chunks.len(),
                owner: None,
                access: Access::Shared,
            };
            let passages = self.embed(chunks, (waiting, &Access::Shared)).await?;
            waiting += passages.len();
            writes.push(Write::Put { document, passages });
        }
        if !writes.is_empty() {
            self.index.apply(writes).await?;
        }
        Ok(report)
    }
}

fn fingerprint(text: &Text) -> String {
    let mut hash = Xxh3::new();
    hash.update(EDITION.as_bytes());
    hash.update(text.category.as_deref().unwrap_or_default().as_bytes());
    hash.update(text.markdown.as_bytes());
    format!("{:032x}", hash.digest128())
}
