//! Law: the researcher's index, and a short digest of what is asked most.

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
            if items.len() >= limit {
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
        Ok(Found { quality: quality_of(items.len()), items, ..Found::default() })
    }
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
    text: String,
    english: English,
}

/// An article in short, for those who do not read Korean.
#[derive(Deserialize)]
pub(in super::super::super) struct English {
    pub(in super::super::super) law: String,
    pub(in super::super::super) title: String,
    pub(in super::super::super) text: String,
}

/// What the digest says in English of the article that an item is about.
pub(in super::super::super) fn in_english(title: &str) -> Option<&'static English> {
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
            id: format!("{} {}", article.law, article.article),
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
    by_subject.sum::<f64>() + 0.5 * said.count() as f64 + if names { 3.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

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
