//! What the researcher works with.

use std::sync::Arc;

use duru_llm::Embedder;
use duru_search::index::Index;
use duru_search::retrieve::Searcher;
use duru_search::text::Thesaurus;

use super::web::WebSearch;

/// The documents it searches, and the web if it may.
#[derive(Clone)]
pub struct Toolbox {
    pub searcher: Searcher,
    pub thesaurus: Arc<Thesaurus>,
    /// Asked only where documents say too little.
    pub web: Option<Arc<dyn WebSearch>>,
    /// Whether small talk is told apart from questions.
    pub routing: bool,
}

impl Toolbox {
    /// Documents only.
    pub fn new(index: Arc<dyn Index>, embedder: Arc<dyn Embedder>, thesaurus: Arc<Thesaurus>) -> Self {
        let searcher = Searcher::new(index, embedder, Arc::clone(&thesaurus));
        Self { searcher, thesaurus, web: None, routing: true }
    }

    /// The web, too.
    #[must_use]
    pub fn with_web(mut self, web: Arc<dyn WebSearch>) -> Self {
        self.web = Some(web);
        self
    }

    /// Every question is looked up.
    #[must_use]
    pub fn without_routing(mut self) -> Self {
        self.routing = false;
        self
    }
}
