//! The index of this person, opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use duru_agents::researcher::Toolbox;
use duru_llm::{Embedder, Settings};
use duru_search::index::{EmbeddedIndex, Index, PostgresIndex};
use duru_search::ingest::{Library, Progress};
use duru_search::meaning::Bundled;
use duru_search::retrieve::{Reranker, Scale, Searcher};
use duru_search::text::Thesaurus;
use duru_search::{DEFAULT_COLLECTION, Reach, sample};

use super::{DocsProblem, calibrate};
use crate::args::DocsPlace;
use crate::output::Output;
use crate::store::{self, Place};

/// An index that is open, and what goes with it.
pub(crate) struct Opened {
    /// What is shared.
    pub(crate) index: Arc<dyn Index>,
    /// The collection that was named, if one was.
    pub(super) collection: Option<String>,
    pub(super) embedder: Arc<dyn Embedder>,
    thesaurus: Arc<Thesaurus>,
    /// How near unrelated passages are, if that was measured.
    pub(super) scale: Option<Scale>,
    reranker: Option<Reranker>,
}

impl Opened {
    pub(crate) async fn of(place: &DocsPlace) -> Result<Self, DocsProblem> {
        let thesaurus = Arc::new(thesaurus(place.thesaurus.as_deref())?);
        let embedder = embedder()?;
        let (name, lexicon) = (embedder.name(), thesaurus.lexicon().clone());
        let index: Arc<dyn Index> = match &place.index {
            Some(Place::Url(url)) => {
                Arc::new(PostgresIndex::open(url, name, lexicon).await.map_err(DocsProblem::Index)?)
            }
            Some(Place::Bucket(_)) => return Err(DocsProblem::Bucket),
            other => {
                let folder = match other {
                    Some(Place::File(folder)) => folder.clone(),
                    _ => usual(),
                };
                store::make_private(&folder).map_err(|error| DocsProblem::File(folder.clone(), error))?;
                Arc::new(EmbeddedIndex::open(&folder, name, lexicon).map_err(DocsProblem::Index)?)
            }
        };
        let scale = calibrate::read(place).filter(|scale| scale.embedder == embedder.name());
        let reranker = Reranker::from_env(crate::settings::get).map_err(DocsProblem::Reranker)?;
        Ok(Self { index, collection: place.collection.clone(), embedder, thesaurus, scale, reranker })
    }

    /// What the researcher works with.
    pub(crate) fn toolbox(&self) -> Toolbox {
        let (index, embedder) = (Arc::clone(&self.index), Arc::clone(&self.embedder));
        let mut tools = Toolbox::new(index, embedder, Arc::clone(&self.thesaurus));
        tools.searcher = self.searcher();
        tools
    }

    /// The index with whatever anybody keeps for themselves: to look after it with, never to answer with.
    pub(crate) fn whole(&self) -> Arc<dyn Index> {
        self.index.reaching(Reach::Everything)
    }

    pub(super) fn library(&self) -> Library {
        Library::new(Arc::clone(&self.index), Arc::clone(&self.embedder))
    }

    pub(crate) fn searcher(&self) -> Searcher {
        Searcher::new(Arc::clone(&self.index), Arc::clone(&self.embedder), Arc::clone(&self.thesaurus))
            .on_scale(self.scale.clone())
            .reranked_by(self.reranker.clone())
    }

    pub(super) fn collection(&self) -> &str {
        self.collection.as_deref().unwrap_or(DEFAULT_COLLECTION)
    }
}

/// So often is said how far long work is.
const TELLING: Duration = Duration::from_secs(2);

/// The index to ask. Where none was named and nothing is kept yet, it begins with documents of ours, and that is said.
pub(crate) async fn open_or_sample(place: &DocsPlace, output: &Output) -> Result<Opened, DocsProblem> {
    let opened = Opened::of(place).await?;
    let documents = opened.index.documents(None).await.map_err(DocsProblem::Index)?;
    // A newer program may have better samples.
    if place.index.is_none() && documents.iter().all(|document| document.collection == sample::COLLECTION) {
        if documents.is_empty() {
            output.progress(output.lang.pick(
                "아직 문서가 없어 견본 문서를 읽어들입니다: 임대차, 중개, 등기, 대출 규정, 용어집, 사용 설명서. 여러분의 문서는 `duru docs ingest`로 넣습니다.",
                "There are no documents yet: taking in samples on leases, brokerage, registration and loans, a glossary and the manual. `duru docs ingest` takes in your own.",
            ));
        }
        opened.library().ingest_texts(&sample::texts()).await.map_err(DocsProblem::Ingest)?;
    }
    let mut said = std::time::Instant::now();
    let telling = |progress: Progress| {
        if said.elapsed() >= TELLING || progress.done == progress.of {
            said = std::time::Instant::now();
            let Progress { done, of, passages } = progress;
            output.progress(&output.lang.pick(
                format!("두루가 뜻을 더 잘 견주게 되어 문서를 다시 준비합니다: {done}/{of}, 문단 {passages}개"),
                format!("Duru compares meanings better now and prepares your documents again: {done} of {of}, {passages} passages"),
            ));
        }
    };
    opened.library().embed_again(telling).await.map_err(DocsProblem::Ingest)?;
    Ok(opened)
}

/// Takes the samples in again; how many there are.
pub(crate) async fn put_samples_back(place: &DocsPlace) -> Result<usize, DocsProblem> {
    let samples = sample::texts();
    Opened::of(place).await?.library().ingest_texts(&samples).await.map_err(DocsProblem::Ingest)?;
    Ok(samples.len())
}

/// The provider's that is configured, else the one that needs nobody.
fn embedder() -> Result<Arc<dyn Embedder>, DocsProblem> {
    let settings = Settings::read_embedding(crate::settings::get).map_err(DocsProblem::Embedder)?;
    match settings {
        Some(settings) => settings.embedder().map_err(DocsProblem::Embedder),
        None => Ok(Arc::new(Bundled)),
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

/// Where an index is.
pub(crate) fn folder(place: &DocsPlace) -> PathBuf {
    match &place.index {
        Some(Place::File(folder)) => folder.clone(),
        _ => usual(),
    }
}

/// Beside the usual store.
fn usual() -> PathBuf {
    let store = store::usual().unwrap_or_else(|| std::env::temp_dir().join("duru/threads.db"));
    store.with_file_name("documents")
}
