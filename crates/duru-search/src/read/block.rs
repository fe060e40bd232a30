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

impl Parsed {
    /// With a space for each NUL character: no database takes one in a text, and it says nothing.
    pub(super) fn without_nul(mut self) -> Self {
        self.title.iter_mut().for_each(drop_nul);
        match &mut self.content {
            Content::Blocks(blocks) => blocks.iter_mut().for_each(|block| match block {
                Block::Heading { text, .. } | Block::Paragraph(text) | Block::Table(text) => drop_nul(text),
                Block::Page(_) => {}
            }),
            Content::Records(records) => records.iter_mut().for_each(Record::drop_nul),
        }
        self
    }
}

impl Record {
    fn drop_nul(&mut self) {
        let Self { id, title, headings, name, article, page: _, category, source, text, metadata } = self;
        let optional = [id, title, name, article, category, source];
        optional.into_iter().flatten().chain(headings).chain([text]).for_each(drop_nul);
        *metadata = std::mem::take(metadata)
            .into_iter()
            .map(|(mut name, mut value)| {
                drop_nul(&mut name);
                drop_nul(&mut value);
                (name, value)
            })
            .collect();
    }
}

fn drop_nul(text: &mut String) {
    if text.contains('\0') {
        *text = text.replace('\0', " ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_character_is_a_space_wherever_it_stands() {
        let nul = || Some("a\0b".to_owned());
        let record = Record {
            id: nul(),
            title: nul(),
            headings: vec!["a\0b".into()],
            name: nul(),
            article: nul(),
            page: Some(1),
            category: nul(),
            source: nul(),
            text: "a\0b".into(),
            metadata: [("a\0b".to_owned(), "a\0b".to_owned())].into(),
        };
        let parsed =
            Parsed { title: nul(), content: Content::Records(vec![record]), blank_pages: Vec::new() };
        let read = serde_json::to_string(&parsed.without_nul()).unwrap();
        assert_eq!((read.matches("\\u0000").count(), read.matches("a b").count()), (0, 11), "{read}");
    }
}
