//! Documents and the passages they are found by.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::access::Access;
use crate::retrieve;
use crate::text::STATUTES;

/// Where documents go if nobody says.
pub const DEFAULT_COLLECTION: &str = "default";

/// What the index knows of a document besides its passages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The same whenever the same source is read into the same collection.
    pub id: String,
    pub collection: String,
    /// Where it came from: a path or an address.
    pub source: String,
    pub title: String,
    /// Of its content, so that what did not change is not read again.
    pub fingerprint: String,
    pub chunks: usize,
    /// Whose upload it is. What came from files of this machine is nobody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Whom it is for.
    #[serde(default, skip_serializing_if = "Access::is_shared")]
    pub access: Access,
    /// What a question may call it and its passages by.
    #[serde(default, skip_serializing_if = "Names::is_empty")]
    pub names: Names,
}

/// What a document's passages are called, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// Of which years it is, as its name, its file and its first lines say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub years: Vec<u16>,
}

/// So many titles and categories of one document are known.
const MOST_NAMES: usize = 500;

impl Names {
    pub(crate) fn of(title: &str, source: &str, chunks: &[Chunk]) -> Self {
        let mut names = Self::default();
        let add = |known: &mut Vec<String>, name: &str| {
            if known.len() < MOST_NAMES && !name.is_empty() && known.last().is_none_or(|last| last != name) {
                known.push(name.to_owned());
            }
        };
        for chunk in chunks {
            add(&mut names.titles, &chunk.title);
            add(&mut names.categories, chunk.category.as_deref().unwrap_or_default());
        }
        for known in [&mut names.titles, &mut names.categories] {
            known.sort();
            known.dedup();
        }
        names.with_years(title, source, chunks)
    }

    pub(crate) fn with_years(mut self, title: &str, source: &str, chunks: &[Chunk]) -> Self {
        let file = source.rsplit(['/', '\\']).next().unwrap_or_default();
        let mut years: Vec<u16> = years(title).chain(years(file)).collect();
        if let Some(first) = chunks.first() {
            years.extend(
                first.metadata.values().filter(|value| value.len() < 40).flat_map(|value| self::years(value)),
            );
            let revised = first.text.lines().take(5).filter(|line| retrieve::tells_when(line));
            years.extend(revised.flat_map(self::years));
        }
        years.sort_unstable();
        years.dedup();
        self.years = years;
        self
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The years that a text names.
fn years(text: &str) -> impl Iterator<Item = u16> {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| digits.len() == 4);
    numbers.filter_map(|digits| digits.parse().ok()).filter(|year| (1900..2100).contains(year))
}

/// A passage: what is indexed, found and cited.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// Unique in the index, and the same whenever the same text is read again.
    pub id: String,
    pub document: String,
    pub collection: String,
    pub source: String,
    /// Of the document; of a statute its name.
    pub title: String,
    /// The headings it stands under, the outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// Its own heading, or its article's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The article of a statute, 제6조의3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// The page it begins on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// The pages that begin inside of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub page_breaks: Vec<PageBreak>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    pub text: String,
    /// Other facts, as they came with the document.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
}

/// Where a page begins inside of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageBreak {
    /// In characters of the passage's text.
    pub offset: u32,
    pub page: u32,
}

impl Chunk {
    /// The page on which a character of the text stands.
    pub fn page_at(&self, offset: usize) -> Option<u32> {
        let begun = self.page_breaks.iter().rev().find(|page| page.offset as usize <= offset);
        begun.map(|begun| begun.page).or(self.page)
    }

    /// All pages that it stands on.
    pub fn pages(&self) -> impl Iterator<Item = u32> {
        self.page.into_iter().chain(self.page_breaks.iter().map(|page| page.page))
    }
}

/// A statute's family: an act, its decree and its rules share one.
pub(crate) fn family(title: &str) -> &str {
    let title = title.trim();
    let bare = STATUTES.words("decree").find_map(|decree| title.strip_suffix(decree));
    bare.map_or(title, str::trim_end)
}

/// Is it the act, and not what was made to carry it out?
pub(crate) fn is_act(title: &str) -> bool {
    let is_rules = STATUTES.words("rules").any(|rules| title.trim_end().ends_with(rules));
    family(title).len() == title.trim().len() && !is_rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_and_its_decree_are_one_family() {
        assert_eq!(family("주택법 시행령"), "주택법");
        assert_eq!(family("주택법 시행규칙"), family("주택법"));
        assert!(is_act("주택법") && !is_act("주택법 시행령") && !is_act("부동산등기규칙"));
    }
}
