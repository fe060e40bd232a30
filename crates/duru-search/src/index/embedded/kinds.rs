//! What kind of row it is, and whom it is for: together one term, so that what is private is no passage and no document to
//! whoever does not ask for it by its label.

use tantivy::collector::Count;
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, Query as Clause, TermQuery, TermSetQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use super::fields::{CHUNK, Fields};
use super::write::document_key;
use super::{Error, Inner, engine};
use crate::access::{Access, Reach};

/// What all rows of a kind have that are not shared.
fn private(kind: &str) -> String {
    format!("private\u{1f}{kind}")
}

fn labelled(kind: &str, label: &str) -> String {
    format!("{kind}\u{1f}{label}")
}

/// The kinds that a row has.
pub(super) fn kinds_of(kind: &str, access: &Access) -> Vec<String> {
    match access.is_shared() {
        true => vec![kind.to_owned()],
        false => vec![private(kind), labelled(kind, &access.label())],
    }
}

impl Fields {
    fn kind_term(&self, kind: &str) -> Term {
        Term::from_field_text(self.kind, kind)
    }

    /// The terms of the rows of a kind that are in reach and not shared.
    pub(super) fn private_in_reach(&self, kind: &str, reach: &Reach) -> Vec<Term> {
        match reach.labels() {
            None => vec![self.kind_term(&private(kind))],
            Some(labels) => labels.iter().map(|label| self.kind_term(&labelled(kind, label))).collect(),
        }
    }

    /// The rows of a kind that are in reach.
    pub(super) fn in_reach(&self, kind: &str, reach: &Reach) -> Box<dyn Clause> {
        let mut terms = self.private_in_reach(kind, reach);
        if terms.is_empty() {
            return Box::new(TermQuery::new(self.kind_term(kind), IndexRecordOption::Basic));
        }
        terms.push(self.kind_term(kind));
        Box::new(TermSetQuery::new(terms))
    }

    /// The passages that are out of reach; none if there are none that are not shared.
    pub(super) fn hidden(
        &self,
        searcher: &Searcher,
        reach: &Reach,
    ) -> Result<Option<Box<dyn Clause>>, Error> {
        let every = self.kind_term(&private(CHUNK));
        if *reach == Reach::Everything || searcher.doc_freq(&every).map_err(engine)? == 0 {
            return Ok(None);
        }
        let every: Box<dyn Clause> = Box::new(TermQuery::new(every, IndexRecordOption::Basic));
        let reached = self.private_in_reach(CHUNK, reach);
        let hidden: Box<dyn Clause> = if reached.is_empty() {
            every
        } else {
            let reached: Box<dyn Clause> = Box::new(TermSetQuery::new(reached));
            Box::new(BooleanQuery::new(vec![(Occur::Must, every), (Occur::MustNot, reached)]))
        };
        // Never weighed by how rare it is: there may be more private passages than shared ones, which scores are
        // reckoned from.
        Ok(Some(Box::new(ConstScoreQuery::new(hidden, 0.0))))
    }
}

impl Inner {
    /// Whether passages of this document are there that are not shared.
    pub(super) fn keeps_private(&self, collection: &str, document: &str) -> Result<bool, Error> {
        let searcher = self.reader.searcher();
        let private = self.fields.kind_term(&private(CHUNK));
        if searcher.doc_freq(&private).map_err(engine)? == 0 {
            return Ok(false);
        }
        let of = Term::from_field_text(self.fields.document, &document_key(collection, document));
        let both = [private, of]
            .map(|term| -> Box<dyn Clause> { Box::new(TermQuery::new(term, IndexRecordOption::Basic)) });
        let count = searcher.search(&BooleanQuery::intersection(both.into()), &Count).map_err(engine)?;
        Ok(count > 0)
    }
}
