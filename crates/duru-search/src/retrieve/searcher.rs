//! A search from the question to its hits.

use std::collections::HashMap;
use std::sync::Arc;

use duru_llm::Embedder;

use super::answerable::{self, Answerability};
use super::concepts::Analysis;
use super::features::{self, Features, Rarity, Weighed};
use super::fuse::{Ranking, fuse};
use super::meaning;
use super::remarks::Remarks;
use super::rerank::{self, Candidate};
use super::reranker::{Reranker, SENT};
use super::scale::Scale;
use super::variations::{TRANSLATED, Variation, variations};
use crate::access::Reach;
use crate::document::Chunk;
use crate::index::{self, Filter, Index, Scored};
use crate::meaning::embeds;
use crate::remark::Remark;
use crate::text::{Thesaurus, bigrams, squeezed};

/// So many passages of each ranking are looked at more closely.
const POOL: usize = 80;

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Index(#[from] index::Error),
    #[error("the question could not be embedded: {0}")]
    Embed(#[from] duru_llm::Error),
}

/// What is looked for.
#[derive(Debug, Clone)]
pub struct Request {
    pub question: String,
    /// Other ways to put it, by a model or a person; those by rules are added.
    pub variations: Vec<String>,
    pub filter: Filter,
    pub top: usize,
    /// Who asks: their own remarks count for them beside those that were accepted.
    pub viewer: Option<String>,
}

impl Request {
    pub fn new(question: impl Into<String>) -> Self {
        Self {
            question: question.into(),
            variations: Vec::new(),
            filter: Filter::default(),
            top: 10,
            viewer: None,
        }
    }
}

/// What was found, and how.
#[derive(Debug, Clone)]
pub struct Found {
    pub hits: Vec<Hit>,
    pub answerability: Answerability,
    pub trace: Trace,
}

/// A passage that was found.
#[derive(Debug, Clone)]
pub struct Hit {
    pub chunk: Chunk,
    /// What people say about it and counts for whoever asks, their own first: sources of their own.
    pub remarks: Vec<Remark>,
    pub score: f32,
    pub why: Features,
    /// The better hit that it names or that names it.
    pub linked: Option<String>,
    /// Ids of passages with the same text that were left out.
    pub duplicates: Vec<String>,
}

/// How the question was understood.
#[derive(Debug, Clone)]
pub struct Trace {
    pub analysis: Analysis,
    pub variations: Vec<Variation>,
    /// How many passages were looked at closely.
    pub candidates: usize,
    pub reranked: Reranked,
}

/// What came of a service that puts passages in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Reranked {
    #[default]
    NotAsked,
    Done,
    /// The order is our own.
    Failed(String),
}

/// Finds passages for questions.
#[derive(Clone)]
pub struct Searcher {
    pub(super) index: Arc<dyn Index>,
    embedder: Arc<dyn Embedder>,
    thesaurus: Arc<Thesaurus>,
    /// By source: how much its passages count, one if not named.
    source_weights: HashMap<String, f32>,
    scale: Option<Scale>,
    reranker: Option<Reranker>,
}

impl Searcher {
    pub fn new(index: Arc<dyn Index>, embedder: Arc<dyn Embedder>, thesaurus: Arc<Thesaurus>) -> Self {
        Self { index, embedder, thesaurus, source_weights: HashMap::new(), scale: None, reranker: None }
    }

    /// The same in what somebody may reach; without it, in what is shared.
    #[must_use]
    pub fn reaching(&self, reach: Reach) -> Self {
        Self { index: self.index.reaching(reach), ..self.clone() }
    }

    /// How near a meaning is, is told on this scale, if it is this embedder's.
    #[must_use]
    pub fn on_scale(mut self, scale: Option<Scale>) -> Self {
        self.scale = scale.filter(|scale| scale.embedder == self.embedder.name());
        self
    }

    /// The first passages are put in order by this service.
    #[must_use]
    pub fn reranked_by(mut self, reranker: Option<Reranker>) -> Self {
        self.reranker = reranker;
        self
    }

    /// Passages of this source count so much, where one is usual.
    pub fn weigh_source(mut self, source: impl Into<String>, weight: f32) -> Self {
        self.source_weights.insert(source.into(), weight.clamp(0.0, 10.0));
        self
    }

    pub async fn search(&self, request: &Request) -> Result<Found, Error> {
        let mut analysis = Analysis::of(&request.question, &self.thesaurus);
        let rarity = self.rarity(&analysis).await?;
        let known = |term: &str| rarity.known(term);
        analysis.keep_known(known);
        let mut ways = variations(&analysis, self.thesaurus.lexicon(), known);
        // What must be spoken of is looked for, too.
        for text in request.variations.iter().chain(&request.filter.entity) {
            let analysis = Analysis::of(text, &self.thesaurus);
            ways.extend(variations(&analysis, self.thesaurus.lexicon(), known));
        }
        let pool = POOL.max(request.top * 2);
        let mut by_words = Vec::new();
        for way in &ways {
            by_words.push(self.index.by_words(&way.query, &request.filter, pool).await?);
        }
        let by_meaning = self.by_meaning(request, rarity.passages(), pool).await?;
        let rankings: Vec<Ranking<'_>> =
            by_words.iter().chain(&by_meaning).map(|found| Ranking { weight: 1.0, found }).collect();
        let mut fused = fuse(&rankings);
        fused.truncate(pool * 2);
        self.add_named(&analysis, &request.filter, &mut fused).await?;

        let concepts = Weighed::all(&analysis, &rarity);
        let remarks = Remarks::of(&*self.index, request, &concepts).await?;
        remarks.add_to(&mut fused);
        let ways_found: Vec<(&Variation, &Vec<Scored>)> = ways.iter().zip(&by_words).collect();
        let mut candidates = self.candidates(&fused, &ways_found, &analysis, &concepts).await?;
        if let Some(entity) = request.filter.entity.as_deref().map(squeezed) {
            candidates.retain(|candidate| speaks_of(&candidate.chunk, &entity));
        }
        meaning::give_to(&mut candidates, &by_meaning, self.scale.as_ref());
        remarks.give_to(&mut candidates, request.viewer.as_deref());
        rerank::score(&mut candidates);
        let linked: Vec<Option<String>> = candidates
            .iter()
            .map(|candidate| candidate.linked.map(|other| candidates[other].chunk.id.clone()))
            .collect();
        let mut order: Vec<(Candidate, Option<String>)> = candidates.into_iter().zip(linked).collect();
        for (candidate, _) in &mut order {
            candidate.score *= self.source_weights.get(&candidate.chunk.source).copied().unwrap_or(1.0);
        }
        order.sort_by(|a, b| b.0.score.total_cmp(&a.0.score).then_with(|| a.0.chunk.id.cmp(&b.0.chunk.id)));
        let looked_at = order.len();
        let (best, linked): (Vec<Candidate>, Vec<Option<String>>) = order.into_iter().unzip();
        let answerability = answerable::judge(&best, &concepts, &analysis);
        let mut hits = merged(best, linked, request.top.max(self.reranker.as_ref().map_or(0, |_| SENT)));
        let reranked = self.rerank(&request.question, &mut hits).await;
        hits.truncate(request.top);
        let trace = Trace { analysis, variations: ways, candidates: looked_at, reranked };
        Ok(Found { hits, answerability, trace })
    }

    /// In the service's order, if there is one. What a question names by its number stays where it is, and the scores stay
    /// with the places: whether there is an answer was judged by them. If it fails, our own order is as good as ever.
    async fn rerank(&self, question: &str, hits: &mut Vec<Hit>) -> Reranked {
        let Some(reranker) = &self.reranker else { return Reranked::NotAsked };
        let named = hits.iter().take_while(|hit| hit.why.article > 0.0).count();
        let sent = &hits[named..hits.len().min(named + SENT)];
        if sent.len() < 2 {
            return Reranked::NotAsked;
        }
        let text = |hit: &Hit| format!("{} {}\n{}", hit.chunk.title, hit.chunk.name, hit.chunk.text);
        let texts: Vec<String> = sent.iter().map(text).collect();
        let order = match reranker.order(question, &texts).await {
            Ok(order) => order,
            Err(reason) => return Reranked::Failed(reason),
        };
        let scores: Vec<f32> = hits.iter().map(|hit| hit.score).collect();
        let rest = hits.split_off(named);
        let mut rest: Vec<Option<Hit>> = rest.into_iter().map(Some).collect();
        let count = rest.len();
        for place in order.into_iter().chain(0..count) {
            hits.extend(rest.get_mut(place).and_then(Option::take));
        }
        for (hit, score) in hits.iter_mut().zip(scores) {
            hit.score = score;
        }
        Reranked::Done
    }

    /// The passages that mean what the question says, and what each other way to put it says.
    async fn by_meaning(
        &self,
        request: &Request,
        passages: u64,
        pool: usize,
    ) -> Result<Vec<Vec<Scored>>, Error> {
        if !embeds(&*self.embedder, passages) {
            return Ok(Vec::new());
        }
        let mut texts = vec![request.question.clone()];
        texts.extend(request.variations.iter().cloned());
        let mut found = Vec::new();
        for vector in self.embedder.embed(&texts).await? {
            // Without an embedder there are none.
            if !vector.is_empty() {
                found.push(self.index.by_vector(&vector, &request.filter, pool).await?);
            }
        }
        Ok(found)
    }

    /// An article that is named is looked at, however its text is worded.
    async fn add_named(
        &self,
        analysis: &Analysis,
        filter: &Filter,
        fused: &mut Vec<Scored>,
    ) -> Result<(), Error> {
        for reference in analysis.articles.iter().take(4) {
            let words = vec![index::Weighted { term: reference.article.clone(), weight: 1.0 }];
            let mut filter = filter.clone();
            if filter.article.is_none() {
                filter.article = Some(reference.article.clone());
            }
            let mut query = index::Query { words, pairs: Vec::new() };
            for pair in bigrams(&analysis.question) {
                query.pairs.push(index::Weighted { term: pair, weight: 0.5 });
            }
            for found in self.index.by_words(&query, &filter, 20).await? {
                if !fused.iter().any(|known| known.id == found.id) {
                    fused.push(Scored { id: found.id, score: 0.0 });
                }
            }
        }
        Ok(())
    }

    async fn rarity(&self, analysis: &Analysis) -> Result<Rarity, Error> {
        let terms = analysis.all_terms().chain(analysis.english_terms());
        let mut pairs: Vec<String> = terms.flat_map(bigrams).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let (total, counts) = self.index.frequencies(&pairs).await?;
        Ok(Rarity::of(total, pairs.into_iter().zip(counts).collect()))
    }

    async fn candidates(
        &self,
        fused: &[Scored],
        by_words: &[(&Variation, &Vec<Scored>)],
        analysis: &Analysis,
        concepts: &[Weighed],
    ) -> Result<Vec<Candidate>, Error> {
        let ids: Vec<String> = fused.iter().map(|scored| scored.id.clone()).collect();
        let best_fused = fused.iter().map(|scored| scored.score).fold(f32::MIN_POSITIVE, f32::max);
        // Each way's scores as shares of its best: their sizes depend on how many terms it has.
        let mut words: HashMap<&str, f32> = HashMap::new();
        let best = |found: &[Scored]| found.first().map_or(0.0, |scored| scored.score).max(f32::MIN_POSITIVE);
        let most = by_words.iter().map(|(_, found)| best(found)).fold(f32::MIN_POSITIVE, f32::max);
        for (way, found) in by_words {
            let best = best(found);
            // Nearly every word has a name in the other language; it counts as far as it finds more.
            let worth = if way.name == TRANSLATED { (best / most).sqrt() } else { 1.0 };
            for scored in *found {
                let share = words.entry(&scored.id).or_default();
                *share = share.max(worth * scored.score / best);
            }
        }
        let fused: HashMap<&str, f32> =
            fused.iter().map(|scored| (scored.id.as_str(), scored.score)).collect();
        let chunks = self.index.chunks(&ids).await?;
        let candidates = chunks.into_iter().map(|chunk| {
            let mut features = features::of(&chunk, analysis, concepts);
            features.words = words.get(chunk.id.as_str()).copied().unwrap_or(0.0);
            features.fused = fused.get(chunk.id.as_str()).copied().unwrap_or(0.0) / best_fused;
            Candidate { chunk, remarks: Vec::new(), features, score: 0.0, linked: None }
        });
        Ok(candidates.collect())
    }
}

/// Does a passage name an entity, or stand under its name?
fn speaks_of(chunk: &Chunk, entity: &str) -> bool {
    let Chunk { title, headings, name, text, .. } = chunk;
    squeezed(&format!("{title} {} {name} {text}", headings.join(" "))).contains(entity)
}

/// The best so many, each text once.
fn merged(best: Vec<Candidate>, linked: Vec<Option<String>>, top: usize) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    let mut texts: HashMap<String, usize> = HashMap::new();
    for (candidate, linked) in best.into_iter().zip(linked) {
        let text = squeezed(&candidate.chunk.text);
        // Two headings with nothing below them are not the same.
        if text.chars().count() >= 20
            && let Some(&at) = texts.get(&text)
        {
            let first: &mut Hit = &mut hits[at];
            first.duplicates.push(candidate.chunk.id);
            continue;
        }
        if hits.len() >= top {
            break;
        }
        texts.insert(text, hits.len());
        hits.push(Hit {
            chunk: candidate.chunk,
            remarks: candidate.remarks,
            score: candidate.score,
            why: candidate.features,
            linked,
            duplicates: Vec::new(),
        });
    }
    hits
}
