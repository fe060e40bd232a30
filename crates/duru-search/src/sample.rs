//! Documents for whoever has none yet, written for this program: the core rules of leases, brokerage, registration and
//! loans in Korea in our own words, a glossary, and this program's own manual.

use crate::document::Document;
use crate::index::{self, Index, Write};
use crate::ingest::Text;

/// The collection they go to.
pub const COLLECTION: &str = "sample";

const FILES: [(&str, &str, &str); 9] = [
    ("lease-act.md", "law", include_str!("../sample/lease-act.md")),
    ("lease-decree.md", "law", include_str!("../sample/lease-decree.md")),
    ("brokerage.md", "law", include_str!("../sample/brokerage.md")),
    ("reports.md", "law", include_str!("../sample/reports.md")),
    ("registration.md", "law", include_str!("../sample/registration.md")),
    ("loans.md", "law", include_str!("../sample/loans.md")),
    ("glossary.md", "glossary", include_str!("../sample/glossary.md")),
    ("duru.ko.md", "manual", include_str!("../sample/duru.ko.md")),
    ("duru.en.md", "manual", include_str!("../sample/duru.en.md")),
];

/// All of them, for [`Library::ingest_texts`](crate::ingest::Library::ingest_texts).
pub fn texts() -> Vec<Text> {
    let text = |(name, category, markdown): (&str, &str, &str)| Text {
        source: format!("duru:sample/{name}"),
        collection: COLLECTION.to_owned(),
        category: Some(category.to_owned()),
        markdown: markdown.to_owned(),
    };
    FILES.map(text).into()
}

/// Takes them out again: whoever has documents of their own does not want ours among their answers.
pub async fn remove(index: &dyn Index) -> Result<usize, index::Error> {
    let documents = index.documents(Some(COLLECTION)).await?;
    let count = documents.len();
    let gone = |document: Document| Write::Remove { collection: document.collection, document: document.id };
    if count > 0 {
        index.apply(documents.into_iter().map(gone).collect()).await?;
    }
    Ok(count)
}
