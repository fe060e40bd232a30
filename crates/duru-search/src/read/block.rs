//! What a file says, without its form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parsed {
    pub title: Option<String>,
    pub content: Content,
    /// Pages without any text, in a file of which others have some: scans, as a rule.
    #[serde(default)]
    pub blank_pages: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// Text with its structure.
    Blocks(Vec<Block>),
    /// Passages that somebody else has made.
    Records(Vec<Record>),
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    /// Level one is the outermost.
    Heading {
        level: u8,
        text: String,
    },
    Paragraph(String),
    /// Rows on lines; never taken apart unless it is too long for any passage.
    Table(String),
    /// What follows stands on this page.
    Page(u32),
}

/// A passage as a JSON file gives it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub id: Option<String>,
    pub title: Option<String>,
    pub headings: Vec<String>,
    pub name: Option<String>,
    pub article: Option<String>,
    pub page: Option<u32>,
    pub category: Option<String>,
    pub source: Option<String>,
    pub text: String,
    pub metadata: BTreeMap<String, String>,
}
