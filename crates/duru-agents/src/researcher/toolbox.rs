//! What the researcher works with.

use std::sync::Arc;

use duru::{AskedBy, Cx, ThreadId};
use duru_llm::Embedder;
use duru_search::Reach;
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
    /// Who asks where nobody says so.
    alone: Option<String>,
}

impl Toolbox {
    /// Documents only.
    pub fn new(index: Arc<dyn Index>, embedder: Arc<dyn Embedder>, thesaurus: Arc<Thesaurus>) -> Self {
        let searcher = Searcher::new(index, embedder, Arc::clone(&thesaurus));
        Self { searcher, thesaurus, web: None, routing: true, alone: None }
    }

    /// The web, too.
    #[must_use]
    pub fn with_web(mut self, web: Arc<dyn WebSearch>) -> Self {
        self.web = Some(web);
        self
    }

    /// For one person alone: questions that name nobody are theirs.
    #[must_use]
    pub fn for_one(mut self, user: impl Into<String>) -> Self {
        self.alone = Some(user.into());
        self
    }

    /// Whose remarks count beside those that were accepted: the person's whom the server says, whatever a state says.
    pub(super) fn viewer(&self, cx: &Cx) -> Option<String> {
        cx.get::<AskedBy>().ok().map(|asked| asked.0.clone()).or_else(|| self.alone.clone())
    }

    /// The documents that whoever asks may find: what is shared, their own, and what they sent in this conversation.
    pub(super) fn searcher(&self, cx: &Cx) -> Searcher {
        let asked = cx.get::<AskedBy>().ok();
        let owner = asked.as_ref().map(|asked| asked.0.as_str());
        self.searcher.reaching(Reach::of(owner, cx.thread().map(ThreadId::as_str)))
    }

    /// Every question is looked up.
    #[must_use]
    pub fn without_routing(mut self) -> Self {
        self.routing = false;
        self
    }
}
