//! The index of this person, opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use duru_llm::{Embedder, HashedEmbedder};
use duru_search::DEFAULT_COLLECTION;
use duru_search::index::{EmbeddedIndex, Index};
use duru_search::ingest::Library;
use duru_search::retrieve::Searcher;
use duru_search::text::Thesaurus;

use super::DocsProblem;
use crate::args::DocsArgs;
use crate::store;

pub(super) struct Opened {
    pub(super) index: Arc<dyn Index>,
    /// The collection that was named, if one was.
    pub(super) collection: Option<String>,
    embedder: Arc<dyn Embedder>,
    thesaurus: Arc<Thesaurus>,
}

impl Opened {
    pub(super) fn of(args: &DocsArgs) -> Result<Self, DocsProblem> {
        let thesaurus = Arc::new(thesaurus(args.thesaurus.as_deref())?);
        let embedder: Arc<dyn Embedder> = Arc::new(HashedEmbedder);
        let folder = args.index.clone().unwrap_or_else(usual);
        let index = EmbeddedIndex::open(&folder, embedder.name(), thesaurus.lexicon().clone());
        let index: Arc<dyn Index> = Arc::new(index.map_err(DocsProblem::Index)?);
        Ok(Self { index, collection: args.collection.clone(), embedder, thesaurus })
    }

    pub(super) fn library(&self) -> Library {
        Library::new(Arc::clone(&self.index), Arc::clone(&self.embedder))
    }

    pub(super) fn searcher(&self) -> Searcher {
        Searcher::new(Arc::clone(&self.index), Arc::clone(&self.embedder), Arc::clone(&self.thesaurus))
    }

    pub(super) fn collection(&self) -> &str {
        self.collection.as_deref().unwrap_or(DEFAULT_COLLECTION)
    }
}

/// Our entries, and those of a file if one is named.
fn thesaurus(file: Option<&Path>) -> Result<Thesaurus, DocsProblem> {
    let mut thesaurus = Thesaurus::built_in();
    if let Some(file) = file {
        let lines =
            std::fs::read_to_string(file).map_err(|error| DocsProblem::File(file.to_owned(), error))?;
        thesaurus.extend(&lines).map_err(|error| DocsProblem::Thesaurus(file.to_owned(), error))?;
    }
    Ok(thesaurus)
}

/// Beside the usual store.
fn usual() -> PathBuf {
    let store = store::usual().unwrap_or_else(|| std::env::temp_dir().join("duru/threads.db"));
    store.with_file_name("documents")
}
