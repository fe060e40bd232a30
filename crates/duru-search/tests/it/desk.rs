//! An index in a folder of its own.

use std::path::PathBuf;
use std::sync::Arc;

use duru_llm::{Embedder as _, WordsOnly};
use duru_search::index::{EmbeddedIndex, Index};
use duru_search::ingest::{Ingest, Library, Report};
use duru_search::retrieve::{Found, Request, Searcher};
use duru_search::text::Thesaurus;

pub(crate) struct Desk {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) index: Arc<dyn Index>,
    thesaurus: Arc<Thesaurus>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let thesaurus = Arc::new(Thesaurus::built_in());
        let index = open(&folder.path().join("index"), &thesaurus);
        Self { folder, index: Arc::new(index), thesaurus }
    }

    /// Writes a file of the folder that is taken in.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.files().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    pub(crate) async fn ingest(&self) -> Report {
        let library = Library::new(Arc::clone(&self.index), Arc::new(WordsOnly));
        library.ingest(&Ingest::of([self.files()]), |_| {}).await.unwrap()
    }

    pub(crate) fn searcher(&self) -> Searcher {
        Searcher::new(Arc::clone(&self.index), Arc::new(WordsOnly), Arc::clone(&self.thesaurus))
    }

    pub(crate) async fn search(&self, question: &str) -> Found {
        self.searcher().search(&Request::new(question)).await.unwrap()
    }

    /// The headings of what was found, the best first.
    pub(crate) async fn names(&self, question: &str) -> Vec<String> {
        self.search(question).await.hits.into_iter().map(|hit| hit.chunk.name).collect()
    }
}

pub(crate) fn open(folder: &std::path::Path, thesaurus: &Thesaurus) -> EmbeddedIndex {
    EmbeddedIndex::open(folder, WordsOnly.name(), thesaurus.lexicon().clone()).unwrap()
}
