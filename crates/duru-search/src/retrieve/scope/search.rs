//! A search where the question says to look.

use super::attached::Pointing;
use super::{Scope, Spoken};
use crate::access::Access;
use crate::document::Document;
use crate::index::{Filter, Within};
use crate::retrieve::{Error, Found, Request, Searcher};

/// A condition of the question that nothing met, so that it was dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dropped {
    Pages(u32, u32),
    Entity(String),
}

impl Searcher {
    /// Where a question says to look, among the documents that a filter lets through.
    pub async fn scope(&self, question: &str, filter: &Filter) -> Result<Scope, Error> {
        if let Some(scope) = self.attached(question).await? {
            return Ok(scope);
        }
        let spoken = Spoken::of(question);
        let documents = match spoken.names_documents() {
            true => self.index.documents(filter.collection.as_deref()).await?,
            false => Vec::new(),
        };
        Ok(Scope::of(&spoken, &documents))
    }

    /// Whether a question points at what was sent with its conversation, and something was.
    pub async fn points_at_attached(&self, question: &str) -> Result<bool, Error> {
        Ok(self.attached(question).await?.is_some())
    }

    /// What was sent with the conversation, if the question points at it.
    async fn attached(&self, question: &str) -> Result<Option<Scope>, Error> {
        let Some(pointing) = Pointing::of(question) else { return Ok(None) };
        let mut documents = self.index.documents(None).await?;
        documents.retain(|document| matches!(document.access, Access::Thread { .. }));
        if documents.is_empty() {
            return Ok(None);
        }
        let mut scope = Scope::of(&Spoken::of(&pointing.rest), &documents);
        // One of several may be named besides.
        if scope.within.is_empty() {
            let within = |document: &Document| Within::Document {
                collection: document.collection.clone(),
                id: document.id.clone(),
            };
            scope.within = documents.iter().map(within).collect();
            scope.only = documents.iter().map(|document| document.title.clone()).collect();
            scope.only.dedup();
        }
        if pointing.overview {
            // Every passage of a document has its title.
            scope.question = scope.only.join(", ");
        }
        Ok(Some(scope))
    }

    /// Looks where the question says.
    pub async fn search_as_said(&self, request: &Request) -> Result<(Found, Scope, Vec<Dropped>), Error> {
        let scope = self.scope(&request.question, &request.filter).await?;
        let (question, filter) = (scope.question.clone(), scope.narrow(&request.filter));
        let (found, mut dropped) =
            self.search_softly(&Request { question, filter, ..request.clone() }).await?;
        // What was set otherwise is not the question's to give up.
        dropped.retain(|condition| match condition {
            Dropped::Pages(..) => request.filter.pages.is_none(),
            Dropped::Entity(_) => request.filter.entity.is_none(),
        });
        Ok((found, scope, dropped))
    }

    /// Pages and an entity that no passage has are no conditions; that they were dropped is said.
    pub async fn search_softly(&self, request: &Request) -> Result<(Found, Vec<Dropped>), Error> {
        let mut request = request.clone();
        let mut dropped = Vec::new();
        loop {
            let found = self.search(&request).await?;
            if !found.hits.is_empty() {
                return Ok((found, dropped));
            }
            if let Some(entity) = request.filter.entity.take() {
                dropped.push(Dropped::Entity(entity));
            } else if let Some(pages) = request.filter.pages.take() {
                dropped.push(Dropped::Pages(*pages.start(), *pages.end()));
            } else {
                return Ok((found, dropped));
            }
        }
    }
}
