//! Finding passages, by words and by vectors.

use std::collections::{HashMap, HashSet};
use std::ops::Bound;
use std::path::Path;

use serde::Deserialize;
use tantivy::collector::{Count, DocSetCollector, TopDocs};
use tantivy::query::{
    Bm25StatisticsProvider, BooleanQuery, BoostQuery, ConstScoreQuery, Occur, Query as Clause, RangeQuery,
    TermQuery, TermSetQuery,
};
use tantivy::schema::{Field, IndexRecordOption, Value as _};
use tantivy::{DocAddress, Searcher, TantivyDocument, Term};

use super::fields::{CHUNK, DOCUMENT, Fields, REMARK, TermFields};
use super::write::document_key;
use super::{Error, Inner, engine};
use crate::access::Reach;
use crate::document::{Chunk, Document};
use crate::index::{Filter, Passage, Query, Scored, Within, Write, packed};
use crate::remark::{Remark, RemarksOf};

/// How much a term counts where it stands. Chosen by hand.
const NAME_WORDS: f32 = 1.2;
const NAME_PAIRS: f32 = 0.9;
const TITLE_WORDS: f32 = 0.5;
const TITLE_PAIRS: f32 = 0.4;
const BODY_WORDS: f32 = 0.7;
const BODY_PAIRS: f32 = 0.7;

impl Inner {
    pub(super) fn by_words(
        &self,
        query: &Query,
        (filter, reach): (&Filter, &Reach),
        limit: usize,
    ) -> Result<Vec<Scored>, Error> {
        if query.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let fields = &self.fields;
        let mut clauses = clauses_of(query, &fields.shared);
        if *reach != Reach::Shared {
            clauses.append(&mut clauses_of(query, &fields.private));
        }
        let any: Box<dyn Clause> = Box::new(BooleanQuery::new(clauses));
        let mut all = vec![(Occur::Must, any)];
        all.extend(self.conditions(filter).into_iter().map(|clause| (Occur::Must, clause)));
        let searcher = self.reader.searcher();
        all.extend(fields.hidden(&searcher, reach)?.map(|hidden| (Occur::MustNot, hidden)));
        let top = TopDocs::with_limit(limit).order_by_score();
        let statistics = OfSharedPassages { searcher: &searcher, fields };
        let found = searcher
            .search_with_statistics_provider(&BooleanQuery::new(all), &top, &statistics)
            .map_err(engine)?;
        let mut scores = Vec::with_capacity(found.len());
        for (score, address) in found {
            scores.push(Scored { id: self.id(&searcher, address)?, score });
        }
        scores.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
        Ok(scores)
    }

    /// The filter as clauses that add nothing to a score.
    fn conditions(&self, filter: &Filter) -> Vec<Box<dyn Clause>> {
        let fields = &self.fields;
        let wanted: [(Field, &Option<String>); 5] = [
            (fields.collection, &filter.collection),
            (fields.source, &filter.source),
            (fields.category, &filter.category),
            (fields.family, &filter.title),
            (fields.article, &filter.article),
        ];
        let mut clauses: Vec<Box<dyn Clause>> = Vec::new();
        for (field, value) in wanted {
            let Some(value) = value else { continue };
            let exact = |field| -> Box<dyn Clause> {
                Box::new(TermQuery::new(Term::from_field_text(field, value), IndexRecordOption::Basic))
            };
            // A decree's own name stands for the decree alone.
            let clause: Box<dyn Clause> = if field == fields.family {
                Box::new(BooleanQuery::union(vec![exact(fields.family), exact(fields.title)]))
            } else {
                exact(field)
            };
            clauses.push(Box::new(ConstScoreQuery::new(clause, 0.0)));
        }
        if !filter.within.is_empty() {
            let terms = filter.within.iter().flat_map(|place| match place {
                Within::Document { collection, id } => {
                    vec![Term::from_field_text(fields.document, &document_key(collection, id))]
                }
                Within::Title(title) => {
                    [fields.family, fields.title].map(|field| Term::from_field_text(field, title)).into()
                }
            });
            clauses.push(Box::new(ConstScoreQuery::new(Box::new(TermSetQuery::new(terms)), 0.0)));
        }
        if let Some(pages) = &filter.pages {
            let bound = |page: u32| Bound::Included(Term::from_field_u64(fields.page, page.into()));
            let range = RangeQuery::new(bound(*pages.start()), bound(*pages.end()));
            clauses.push(Box::new(ConstScoreQuery::new(Box::new(range), 0.0)));
        }
        clauses
    }

    pub(super) fn by_vector(
        &self,
        vector: &[f32],
        (filter, reach): (&Filter, &Reach),
        limit: usize,
    ) -> Result<Vec<Scored>, Error> {
        let searcher = self.reader.searcher();
        let allowed = match self.conditions(filter) {
            none if none.is_empty() => None,
            clauses => {
                let all = clauses.into_iter().map(|clause| (Occur::Must, clause)).collect();
                Some(searcher.search(&BooleanQuery::new(all), &DocSetCollector).map_err(engine)?)
            }
        };
        let hidden = match self.fields.hidden(&searcher, reach)? {
            None => HashSet::new(),
            Some(hidden) => searcher.search(&*hidden, &DocSetCollector).map_err(engine)?,
        };
        let mut best: Vec<(f32, DocAddress)> = Vec::new();
        for (number, segment) in searcher.segment_readers().iter().enumerate() {
            let matrix = {
                let mut cache = self.vectors.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                cache.keep_only(searcher.segment_readers());
                cache.of(segment)?
            };
            let mut lowest = f32::MIN;
            matrix.scan(vector, |doc, score| {
                let address = DocAddress::new(number as u32, doc);
                if score <= lowest
                    || segment.is_deleted(doc)
                    || hidden.contains(&address)
                    || allowed.as_ref().is_some_and(|allowed| !allowed.contains(&address))
                {
                    return;
                }
                best.push((score, address));
                // Sorting now and then keeps the list short without a heap.
                if best.len() >= limit.saturating_mul(4).max(64) {
                    keep_best(&mut best, limit);
                    lowest = best.last().map_or(f32::MIN, |(score, _)| *score);
                }
            })?;
        }
        keep_best(&mut best, limit);
        best.into_iter()
            .map(|(score, address)| Ok(Scored { id: self.id(&searcher, address)?, score }))
            .collect()
    }

    pub(super) fn frequencies(&self, reach: &Reach, pairs: &[String]) -> Result<(u64, Vec<u64>), Error> {
        let (searcher, fields) = (self.reader.searcher(), &self.fields);
        let private = fields.private_in_reach(CHUNK, reach);
        let more = |term: Option<Term>| -> Result<u64, Error> {
            if private.is_empty() {
                return Ok(0);
            }
            let mut clauses: Vec<Box<dyn Clause>> = vec![Box::new(TermSetQuery::new(private.clone()))];
            if let Some(term) = term {
                clauses.push(Box::new(TermQuery::new(term, IndexRecordOption::Basic)));
            }
            Ok(searcher.search(&BooleanQuery::intersection(clauses), &Count).map_err(engine)? as u64)
        };
        let count = |pair: &String| -> Result<u64, Error> {
            let shared = Term::from_field_text(fields.shared.body_pairs, pair);
            let private = Term::from_field_text(fields.private.body_pairs, pair);
            Ok(searcher.doc_freq(&shared).map_err(engine)? + more(Some(private))?)
        };
        let found = pairs.iter().map(count).collect::<Result<_, _>>()?;
        let chunks = searcher.doc_freq(&Term::from_field_text(fields.kind, CHUNK)).map_err(engine)?;
        Ok((chunks + more(None)?, found))
    }

    pub(super) fn documents(&self, reach: &Reach, collection: Option<&str>) -> Result<Vec<Document>, Error> {
        let of = collection.map(|name| Term::from_field_text(self.fields.collection, name));
        let mut found: Vec<Document> = self.records(self.fields.in_reach(DOCUMENT, reach), of)?;
        found.sort_by(|a, b| (&a.collection, &a.source).cmp(&(&b.collection, &b.source)));
        Ok(found)
    }

    pub(super) fn passages(&self, reach: &Reach, document: &str) -> Result<Vec<Chunk>, Error> {
        let documents = self.documents(reach, None)?;
        let Some(found) = documents.into_iter().find(|known| known.id == document) else {
            return Ok(Vec::new());
        };
        let searcher = self.reader.searcher();
        let key = document_key(&found.collection, &found.id);
        let of = Term::from_field_text(self.fields.document, &key);
        let mut chunks = Vec::new();
        for address in self.addresses(&searcher, self.fields.in_reach(CHUNK, reach), Some(of))? {
            let segment = searcher.segment_reader(address.segment_ord);
            let order = segment.fast_fields().u64("order").map_err(engine)?.first(address.doc_id);
            chunks.push((order, self.record::<Chunk>(&searcher, address)?));
        }
        chunks.sort_by_key(|(order, _)| *order);
        Ok(chunks.into_iter().map(|(_, chunk)| chunk).collect())
    }

    pub(super) fn chunks(&self, reach: &Reach, ids: &[String]) -> Result<Vec<Chunk>, Error> {
        let searcher = self.reader.searcher();
        let wanted = ids.iter().map(|id| Term::from_field_text(self.fields.id, id));
        let kind = self.fields.in_reach(CHUNK, reach);
        let clauses: Vec<Box<dyn Clause>> = vec![kind, Box::new(TermSetQuery::new(wanted))];
        let rows = searcher.search(&BooleanQuery::intersection(clauses), &DocSetCollector).map_err(engine)?;
        let mut chunks = HashMap::new();
        for address in rows {
            let chunk: Chunk = self.record(&searcher, address)?;
            chunks.insert(chunk.id.clone(), chunk);
        }
        Ok(ids.iter().filter_map(|id| chunks.remove(id)).collect())
    }

    pub(super) fn remarks(&self, of: &RemarksOf) -> Result<Vec<Remark>, Error> {
        let kind = TermQuery::new(Term::from_field_text(self.fields.kind, REMARK), IndexRecordOption::Basic);
        let mut found: Vec<Remark> = self.records(Box::new(kind), None)?;
        found.retain(|remark| of.has(remark));
        found.sort_by(|a, b| b.at_ms.cmp(&a.at_ms).then_with(|| a.id.cmp(&b.id)));
        Ok(found)
    }

    fn records<T: for<'a> Deserialize<'a>>(
        &self,
        kind: Box<dyn Clause>,
        of: Option<Term>,
    ) -> Result<Vec<T>, Error> {
        let searcher = self.reader.searcher();
        let found = self.addresses(&searcher, kind, of)?;
        found.into_iter().map(|address| self.record(&searcher, address)).collect()
    }

    /// Where the rows of a kind are, all or those with a term, in the order of the index.
    fn addresses(
        &self,
        searcher: &Searcher,
        kind: Box<dyn Clause>,
        of: Option<Term>,
    ) -> Result<Vec<DocAddress>, Error> {
        let mut clauses = vec![(Occur::Must, kind)];
        if let Some(term) = of {
            clauses.push((Occur::Must, Box::new(TermQuery::new(term, IndexRecordOption::Basic))));
        }
        let found = searcher.search(&BooleanQuery::new(clauses), &DocSetCollector).map_err(engine)?;
        let mut found: Vec<DocAddress> = found.into_iter().collect();
        found.sort_unstable();
        Ok(found)
    }

    fn record<T: for<'a> Deserialize<'a>>(
        &self,
        searcher: &Searcher,
        address: DocAddress,
    ) -> Result<T, Error> {
        let row: TantivyDocument = searcher.doc(address).map_err(engine)?;
        let json = row.get_first(self.fields.record).and_then(|value| value.as_str()).unwrap_or_default();
        Ok(serde_json::from_str(json)?)
    }

    fn id(&self, searcher: &Searcher, address: DocAddress) -> Result<String, Error> {
        let row: TantivyDocument = searcher.doc(address).map_err(engine)?;
        let id = row.get_first(self.fields.id).and_then(|value| value.as_str()).unwrap_or_default();
        Ok(id.to_owned())
    }
}

/// A query as clauses on these fields.
fn clauses_of(query: &Query, fields: &TermFields) -> Vec<(Occur, Box<dyn Clause>)> {
    let mut clauses: Vec<(Occur, Box<dyn Clause>)> = Vec::new();
    let words =
        [(fields.name_words, NAME_WORDS), (fields.title_words, TITLE_WORDS), (fields.body_words, BODY_WORDS)];
    let pairs =
        [(fields.name_pairs, NAME_PAIRS), (fields.title_pairs, TITLE_PAIRS), (fields.body_pairs, BODY_PAIRS)];
    for (list, places) in [(&query.words, words), (&query.pairs, pairs)] {
        for item in list {
            for (field, weight) in places {
                let term = Term::from_field_text(field, &item.term);
                let clause = TermQuery::new(term, IndexRecordOption::WithFreqs);
                clauses
                    .push((Occur::Should, Box::new(BoostQuery::new(Box::new(clause), weight * item.weight))));
            }
        }
    }
    clauses
}

/// Scores depend on how many rows there are, and how many of them hold a term. Whatever people say of passages, and
/// whatever they keep for themselves, it moves none of them.
struct OfSharedPassages<'a> {
    searcher: &'a Searcher,
    fields: &'a Fields,
}

impl Bm25StatisticsProvider for OfSharedPassages<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        // Where nothing is shared yet, private passages are still of some length.
        Ok(self.searcher.total_num_tokens(self.fields.as_shared(field))?.max(1))
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        let count = |kind| self.searcher.doc_freq(&Term::from_field_text(self.fields.kind, kind));
        Ok((count(CHUNK)? + count(DOCUMENT)?).max(1))
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let value = term.value();
        let field = self.fields.as_shared(term.field());
        let shared = value.as_str().map_or_else(|| term.clone(), |text| Term::from_field_text(field, text));
        // The engine panics where more rows hold a term than there are.
        Ok(self.searcher.doc_freq(&shared)?.min(self.total_num_docs()?))
    }
}

fn keep_best(best: &mut Vec<(f32, DocAddress)>, limit: usize) {
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    best.truncate(limit);
}

/// A record of any kind, told apart by what only one of them has.
#[derive(Deserialize)]
#[serde(untagged)]
enum Record {
    Remark(Remark),
    Document(Document),
    Chunk(Chunk),
}

/// Everything in a folder of any format: records and vectors have had their names since the first.
pub(super) fn everything(folder: &Path) -> Result<Vec<Write>, Error> {
    let index = tantivy::Index::open_in_dir(folder).map_err(engine)?;
    let record = index.schema().get_field("record").map_err(engine)?;
    let searcher = index.reader().map_err(engine)?.searcher();
    let mut documents: HashMap<(String, String), Document> = HashMap::new();
    let mut passages: HashMap<(String, String), Vec<(u64, Passage)>> = HashMap::new();
    let mut remarks: Vec<Remark> = Vec::new();
    let mut writes = Vec::new();
    for (number, segment) in searcher.segment_readers().iter().enumerate() {
        let order = segment.fast_fields().u64("order").map_err(engine)?;
        let vectors = segment.fast_fields().bytes("vector").map_err(engine)?;
        for doc in segment.doc_ids_alive() {
            let row: TantivyDocument = searcher.doc(DocAddress::new(number as u32, doc)).map_err(engine)?;
            let json = row.get_first(record).and_then(|value| value.as_str()).unwrap_or_default();
            match serde_json::from_str(json)? {
                Record::Remark(remark) => remarks.push(remark),
                Record::Document(document) => {
                    documents.insert((document.collection.clone(), document.id.clone()), document);
                }
                Record::Chunk(chunk) => {
                    let mut bytes = Vec::new();
                    if let Some(column) = &vectors
                        && let Some(ord) = column.term_ords(doc).next()
                    {
                        column.ord_to_bytes(ord, &mut bytes).map_err(|error| Error::Engine(error.into()))?;
                    }
                    let key = (chunk.collection.clone(), chunk.document.clone());
                    let passage = Passage { chunk, vector: packed::unpack(&bytes) };
                    passages.entry(key).or_default().push((order.first(doc).unwrap_or(0), passage));
                }
            }
        }
    }
    for remark in remarks {
        let mut all = passages.values().flatten().map(|(_, passage)| &passage.chunk);
        let passage =
            all.find(|chunk| chunk.id == remark.chunk && chunk.collection == remark.collection).cloned();
        writes.push(Write::Say(remark.brought_up(passage.as_ref())));
    }
    for (key, document) in documents {
        let mut parts = passages.remove(&key).unwrap_or_default();
        parts.sort_by_key(|(order, _)| *order);
        let passages = parts.into_iter().map(|(_, passage)| passage).collect();
        writes.push(Write::Put { document, passages });
    }
    Ok(writes)
}
