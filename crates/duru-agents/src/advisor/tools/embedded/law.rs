//! Law: the researcher's index, and a short digest of what is asked most.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use async_trait::async_trait;
use duru_search::retrieve::{Request, Searcher};
use jiff::civil::Date;
use serde::Deserialize;

use super::{instant, quality_of};
use crate::advisor::tools::tool::{Error, Found, Item, Parameters, Tool, Used};
use crate::advisor::understand::{DataKind, Property, Subject};

/// So many passages are shown unless somebody says otherwise.
const LIMIT: usize = 6;
/// Passages that speak of less of the question are no answer to it.
const LEAST_FIT: f32 = 0.34;
/// An article of the digest that fits so well is what was asked for.
const SURE: f64 = 0.5;
/// So much of a passage is kept.
const EXCERPT: usize = 600;

/// Looks in the researcher's index, and in the digest where that has too little.
pub(super) struct LegalSearch {
    index: Option<Searcher>,
}

impl LegalSearch {
    pub(super) fn new(index: Option<Searcher>) -> Self {
        Self { index }
    }
}

#[async_trait]
impl Tool for LegalSearch {
    fn name(&self) -> &str {
        "legal_search"
    }

    async fn call(&self, parameters: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let limit = parameters.limit.unwrap_or(LIMIT);
        let mut items = match &self.index {
            Some(index) => search(index, parameters, limit).await?,
            None => Vec::new(),
        };
        for item in digest(parameters, limit) {
            // What fits well has its place, however much else was found.
            if items.len() >= limit && item.fit < SURE {
                break;
            }
            // The same article, under whatever heading.
            let same = |known: &Item| {
                known.title.strip_prefix(item.id.as_str()).is_some_and(|rest| !rest.starts_with('의'))
            };
            if !items.iter().any(same) {
                items.push(item);
            }
        }
        // What has the question's own terms of law in it comes first, rare ones before common ones; beyond that, as
        // the index has it.
        let asked = format!("{} {}", parameters.query, parameters.keywords.join(" "));
        let terms = terms(&asked);
        let lower = asked.to_lowercase();
        let weight = |item: &Item| -> f64 {
            // An article of the digest has the words that it is asked for by.
            let own = DIGEST.articles.iter().find(|article| item.id == article.id());
            let known = |term: &str| own.is_some_and(|article| article.words.iter().any(|word| word == term));
            let within = |(term, _): &&(&str, f64)| {
                item.title.contains(term) || item.text.contains(term) || known(term)
            };
            // Who asks for an article in so many words means it.
            let asked = own.map_or(0.0, |article| 2.0 * article.asked(&lower).min(3) as f64);
            terms.iter().filter(within).map(|(_, weight)| weight).sum::<f64>() + asked
        };
        items.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        items.truncate(limit);
        Ok(Found { quality: quality_of(items.len()), items, ..Found::default() })
    }
}

/// The words of the digest that a question says. One that many articles have says little.
fn terms(asked: &str) -> Vec<(&'static str, f64)> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for word in DIGEST.articles.iter().flat_map(|article| &article.words) {
        if asked.contains(word.as_str()) {
            *counts.entry(word.as_str()).or_default() += 1;
        }
    }
    counts.into_iter().map(|(word, count)| (word, 1.0 / (count * count) as f64)).collect()
}

async fn search(index: &Searcher, parameters: &Parameters, limit: usize) -> Result<Vec<Item>, Error> {
    let request = Request {
        variations: parameters.keywords.clone(),
        top: limit,
        ..Request::new(parameters.query.as_str())
    };
    let found = index.search(&request).await.map_err(|error| Error::Failed(error.to_string()))?;
    let items = found.hits.into_iter().filter_map(|hit| {
        let why = hit.why;
        let fit = why.body.max(why.name).max(why.near).max(why.article).max(why.defines);
        if fit < LEAST_FIT {
            return None;
        }
        let chunk = hit.chunk;
        let section = match (&chunk.article, chunk.name.as_str()) {
            (Some(article), "") => article.clone(),
            (Some(article), name) => format!("{article}({name})"),
            (None, name) => name.to_owned(),
        };
        let title = format!("{} {section}", chunk.title);
        Some(Item {
            id: chunk.id,
            kind: DataKind::Legal,
            region: None,
            deal: None,
            property: None,
            at: None,
            source: chunk.source,
            title: title.trim().to_owned(),
            text: chunk.text.chars().take(EXCERPT).collect(),
            fit: f64::from(fit),
            record: None,
        })
    });
    Ok(items.collect())
}

/// Is an article of the digest asked for, in words that need not be its own? Of shops, those of shops.
pub(in crate::advisor) fn is_asked(question: &str, shop: bool) -> bool {
    let question = question.to_lowercase();
    DIGEST
        .articles
        .iter()
        .any(|article| shop == article.subjects.contains(&Subject::Shop) && article.asked(&question) > 0)
}

/// The article that a question asks for in most of its ways, by its id.
pub(in crate::advisor) fn asked_article(question: &str, shop: bool) -> Option<String> {
    let question = question.to_lowercase();
    let own = DIGEST.articles.iter().filter(|article| shop == article.subjects.contains(&Subject::Shop));
    let best = own.map(|article| (article.asked(&question), article)).max_by_key(|(count, _)| *count);
    best.filter(|(count, _)| *count > 0).map(|(_, article)| article.id())
}

/// The digest alone: what stands in for the index.
pub struct LawDigest;

#[async_trait]
impl Tool for LawDigest {
    fn name(&self) -> &str {
        "law_digest"
    }

    async fn call(&self, parameters: &Parameters, _: &[Used]) -> Result<Found, Error> {
        let items = digest(parameters, parameters.limit.unwrap_or(LIMIT));
        let quality = if items.is_empty() { 0.0 } else { 0.6 };
        Ok(Found { items, quality, ..Found::default() })
    }
}

#[derive(Deserialize)]
struct Digest {
    as_of: Date,
    articles: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    law: String,
    article: String,
    title: String,
    subjects: Vec<Subject>,
    words: Vec<String>,
    /// How people ask for it who know none of its words: parts that must all be said, joined by `+`.
    #[serde(default)]
    asks: Vec<String>,
    text: String,
    english: English,
}

impl Article {
    fn id(&self) -> String {
        format!("{} {}", self.law, self.article)
    }

    /// How many of its ways to be asked for a question takes.
    fn asked(&self, question: &str) -> usize {
        let said = |ask: &&String| ask.split('+').all(|part| question.contains(part));
        self.asks.iter().filter(said).count()
    }
}

/// An article in short, for those who do not read Korean.
#[derive(Deserialize)]
pub(in crate::advisor) struct English {
    pub(in crate::advisor) law: String,
    pub(in crate::advisor) title: String,
    pub(in crate::advisor) text: String,
}

/// What the digest says in English of the article that an item is about.
pub(in crate::advisor) fn in_english(title: &str) -> Option<&'static English> {
    DIGEST.articles.iter().find_map(|article| {
        let rest = title.strip_prefix(&article.law)?.trim_start().strip_prefix(&article.article)?;
        // 제3조의2 is not 제3조.
        (!rest.starts_with('의')).then_some(&article.english)
    })
}

static DIGEST: LazyLock<Digest> = LazyLock::new(|| {
    // A test reads the file, so a build with a bad one never leaves the workshop.
    serde_json::from_str(include_str!("law.json"))
        .unwrap_or(Digest { as_of: Date::constant(2025, 10, 16), articles: Vec::new() })
});

fn digest(parameters: &Parameters, limit: usize) -> Vec<Item> {
    let asked = format!("{} {}", parameters.query, parameters.keywords.join(" "));
    let shop =
        parameters.subjects.contains(&Subject::Shop) || parameters.properties.contains(&Property::Shop);
    let mut scored: Vec<(f64, &Article)> = DIGEST
        .articles
        .iter()
        .filter(|article| shop == article.subjects.contains(&Subject::Shop))
        .map(|article| (score(article, &asked, parameters), article))
        .filter(|(score, _)| *score >= 0.5)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored
        .into_iter()
        .take(limit)
        .map(|(score, article)| Item {
            id: article.id(),
            kind: DataKind::Legal,
            region: None,
            deal: None,
            property: None,
            at: instant(DIGEST.as_of),
            source: format!("법령 요약 ({})", DIGEST.as_of),
            title: format!("{} {}({})", article.law, article.article, article.title),
            text: article.text.clone(),
            fit: (score / 3.0).min(1.0),
            record: None,
        })
        .collect()
}

/// The subject counts most where the article is mainly about it; words that the question says count beside it.
fn score(article: &Article, asked: &str, parameters: &Parameters) -> f64 {
    let place = |subject: &Subject| article.subjects.iter().position(|known| known == subject);
    let by_subject = parameters.subjects.iter().filter_map(place).map(|at| 1.0 / (1.0 + at as f64 * 0.5));
    let said = article.words.iter().filter(|word| asked.contains(word.as_str()));
    let names =
        asked.contains(&article.article) && asked.contains(article.law.split(' ').next().unwrap_or("-"));
    let asks = 2.0 * article.asked(&asked.to_lowercase()).min(3) as f64;
    by_subject.sum::<f64>() + 0.5 * said.count() as f64 + asks + if names { 3.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 권리금 stands in no passage of the index that was made here, and the article about it comes first all the same.
    #[tokio::test]
    async fn the_article_that_was_asked_for_comes_before_what_the_index_finds_by_other_words() {
        use std::sync::Arc;

        use duru_llm::WordsOnly;
        use duru_search::index::{EmbeddedIndex, Index};
        use duru_search::ingest::Library;
        use duru_search::text::Thesaurus;

        let thesaurus = Arc::new(Thesaurus::built_in());
        let index: Arc<dyn Index> = Arc::new(EmbeddedIndex::in_memory(thesaurus.lexicon().clone()).unwrap());
        let library = Library::new(Arc::clone(&index), Arc::new(WordsOnly));
        library.ingest_texts(&duru_search::sample::texts()).await.unwrap();
        let searcher = Searcher::new(index, Arc::new(WordsOnly), thesaurus);
        let asked = Parameters {
            query: "상가 건물 세입자인데 권리금 받을 수 있나요?".into(),
            subjects: vec![Subject::Shop],
            ..Parameters::default()
        };
        let found = LegalSearch::new(Some(searcher)).call(&asked, &[]).await.unwrap();
        assert!(found.items[0].title.contains("제10조의4"), "{:#?}", found.items);
    }

    #[test]
    fn the_digest_is_sound_and_finds_what_is_asked() {
        assert!(DIGEST.articles.len() >= 35);
        let asked = Parameters {
            query: "전세금 인상 가능한가요?".into(),
            subjects: vec![Subject::RentIncrease],
            ..Parameters::default()
        };
        let found = digest(&asked, LIMIT);
        assert!(found.len() >= 5 && found[0].title.contains("제7조"), "{found:#?}");
        assert!(found.iter().all(|item| !item.title.starts_with("상가")));
        assert!(digest(&Parameters { query: "오늘 날씨".into(), ..Parameters::default() }, LIMIT).is_empty());
    }
}
