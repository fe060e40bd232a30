//! What is found, and what is looked for.

use duru_search::PageBreak;
use duru_search::index::{self, Filter};
use duru_search::retrieve::{self, Hit, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::remarks::RemarkSource;

/// A passage of a document, or a page of the web.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    /// Of the passage: the same passage has the same id in every search.
    pub id: String,
    pub source: String,
    pub title: String,
    /// Its own heading.
    #[serde(default)]
    pub section: String,
    #[serde(default)]
    pub article: Option<String>,
    /// The page it begins on.
    #[serde(default)]
    pub page: Option<u32>,
    /// The pages that begin inside of it.
    #[serde(default)]
    pub page_breaks: Vec<DocumentPage>,
    #[serde(default)]
    pub category: Option<String>,
    pub text: String,
    /// Set where this is no passage but a person's remark on one.
    #[serde(default)]
    pub remarked: Option<RemarkSource>,
    pub score: f32,
    /// How much of the question it speaks of, from nothing to one.
    pub fit: f32,
    /// The question names this very article.
    #[serde(default)]
    pub named: bool,
    /// A model that read it says that it answers, whatever its words.
    #[serde(default)]
    pub answers: bool,
    /// Why it was kept or dropped.
    #[serde(default)]
    pub reason: String,
}

impl Document {
    pub(super) fn of(hit: Hit) -> Self {
        let why = hit.why;
        let fit = why.body.max(why.name).max(why.near).max(why.article).max(why.defines);
        let chunk = hit.chunk;
        Self {
            id: chunk.id,
            source: chunk.source,
            title: chunk.title,
            section: chunk.name,
            article: chunk.article,
            page: chunk.page,
            page_breaks: chunk.page_breaks.into_iter().map(DocumentPage::from).collect(),
            category: chunk.category,
            text: chunk.text,
            remarked: None,
            score: hit.score,
            fit,
            named: why.article > 0.0,
            answers: false,
            reason: String::new(),
        }
    }

    /// The page on which a character of the text stands.
    pub(super) fn page_at(&self, offset: u32) -> Option<u32> {
        let begun = self.page_breaks.iter().rev().find(|page| page.offset <= offset);
        begun.map(|begun| begun.page).or(self.page)
    }

    /// Which part of its document it is: an article, or a heading.
    pub(super) fn part(&self) -> String {
        match (&self.article, self.section.as_str()) {
            (Some(article), "") => article.clone(),
            (Some(article), name) => format!("{article}({name})"),
            (None, name) => name.to_owned(),
        }
    }

    /// What it is called, for people.
    pub fn label(&self) -> String {
        let section = self.part();
        let title = self.title.trim();
        match (title, section.as_str()) {
            ("", "") => self.source.clone(),
            ("", only) | (only, "") => only.to_owned(),
            (title, section) if title == section => title.to_owned(),
            (title, section) => format!("{title} {section}"),
        }
    }
}

/// Where a page begins inside of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentPage {
    /// In characters of the passage's text.
    pub offset: u32,
    pub page: u32,
}

impl From<PageBreak> for DocumentPage {
    fn from(PageBreak { offset, page }: PageBreak) -> Self {
        Self { offset, page }
    }
}

/// Which documents may be found; every condition that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchFilter {
    #[serde(default)]
    pub collection: Option<String>,
    #[serde(default)]
    pub source: Option<String>,
    #[serde(default)]
    pub category: Option<String>,
    /// The document's title.
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub first_page: Option<u32>,
    #[serde(default)]
    pub last_page: Option<u32>,
    /// Any of these; anywhere if there are none.
    #[serde(default)]
    pub within: Vec<Within>,
    /// Only passages that speak of this.
    #[serde(default)]
    pub entity: Option<String>,
    /// Pages and entity are the question's own words: where no passage has them they are dropped, and that is said.
    #[serde(default)]
    pub said: bool,
}

/// A part of the documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Within {
    Document {
        collection: String,
        id: String,
    },
    /// Whatever has this title.
    Title(String),
}

impl SearchFilter {
    pub(super) fn filter(&self) -> Filter {
        let pages = match (self.first_page, self.last_page) {
            (None, None) => None,
            (first, last) => Some(first.unwrap_or(0)..=last.unwrap_or(u32::MAX)),
        };
        Filter {
            collection: self.collection.clone(),
            source: self.source.clone(),
            category: self.category.clone(),
            title: self.title.clone(),
            article: None,
            pages,
            within: self.within.iter().cloned().map(index::Within::from).collect(),
            entity: self.entity.clone(),
        }
    }

    /// With what the question says of where to look; what was set goes first.
    pub(super) fn narrowed(&self, scope: &Scope) -> Self {
        let narrowed = scope.narrow(&self.filter());
        let pages = narrowed.pages.as_ref();
        Self {
            first_page: pages.map(|pages| *pages.start()).filter(|page| *page > 0),
            last_page: pages.map(|pages| *pages.end()).filter(|page| *page < u32::MAX),
            category: narrowed.category,
            within: narrowed.within.into_iter().map(Within::from).collect(),
            entity: narrowed.entity,
            said: self.said
                || self.first_page.is_none()
                    && self.last_page.is_none()
                    && self.entity.is_none()
                    && (scope.pages.is_some() || scope.entity.is_some()),
            ..self.clone()
        }
    }
}

impl From<index::Within> for Within {
    fn from(place: index::Within) -> Self {
        match place {
            index::Within::Document { collection, id } => Self::Document { collection, id },
            index::Within::Title(title) => Self::Title(title),
        }
    }
}

impl From<Within> for index::Within {
    fn from(place: Within) -> Self {
        match place {
            Within::Document { collection, id } => Self::Document { collection, id },
            Within::Title(title) => Self::Title(title),
        }
    }
}

/// A part of the question that is looked up by itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Subtask {
    pub id: u32,
    pub query: String,
    /// What the person told beside it: it helps to find and choose, but need not be in the documents.
    #[serde(default)]
    pub told: String,
    /// 1 is looked up first.
    pub priority: u32,
    /// Sub-tasks that must have been looked up before.
    #[serde(default)]
    pub dependencies: Vec<u32>,
    pub status: SubtaskStatus,
    /// Other ways to put it.
    #[serde(default)]
    pub variations: Vec<String>,
    /// The ids of its relevant documents, the best first.
    #[serde(default)]
    pub documents: Vec<String>,
    /// Words of it that no relevant document speaks of.
    #[serde(default)]
    pub missing: Vec<String>,
    /// Whether its relevant documents answer it.
    #[serde(default)]
    pub ending: Ending,
    /// How likely they do.
    #[serde(default)]
    pub confidence: f32,
    /// Its other words, once the first ones found too little.
    #[serde(default)]
    pub rewritten: Option<String>,
}

/// How a question ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Nothing is near.
    #[default]
    None,
    /// The passages may be what is meant.
    Maybe,
    /// They answer it.
    Answer,
}

impl From<retrieve::Ending> for Ending {
    fn from(ending: retrieve::Ending) -> Self {
        match ending {
            retrieve::Ending::Answer => Self::Answer,
            retrieve::Ending::Maybe => Self::Maybe,
            retrieve::Ending::None => Self::None,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubtaskStatus {
    #[default]
    Pending,
    Processing,
    Retrieved,
}

/// A source of the answer, as it is numbered there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    pub number: u32,
    /// The passage's id.
    pub document: String,
    pub label: String,
    pub source: String,
    #[serde(default)]
    pub page: Option<u32>,
    /// The beginning of the passage.
    pub excerpt: String,
    /// Set where this is no passage but a person's remark on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remarked: Option<RemarkSource>,
}
