//! Remarks: what people say about passages. A remark is a source of its own, with an author and a date, and never a
//! part of the passage that it is about.

mod keep;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

pub use keep::{Error, LONGEST, NewRemark, PER_AUTHOR, PER_PASSAGE, accept_or_decline, find, say, withdraw};

use crate::document::Chunk;

/// What a person says about a passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// One per passage and author.
    #[serde(default)]
    pub id: String,
    pub collection: String,
    pub chunk: String,
    pub verdict: Verdict,
    /// What is right, or what else is to be known.
    #[serde(default)]
    pub text: String,
    /// Who says it. Older records have it as `by`, or not at all.
    #[serde(default, alias = "by", deserialize_with = "or_nobody")]
    pub author: String,
    /// When, in milliseconds since 1970; nought where an older record does not say.
    #[serde(default)]
    pub at_ms: u64,
    /// The passage's text as it was then, as a fingerprint: once it reads otherwise, the remark has lapsed.
    #[serde(default)]
    pub about: String,
    #[serde(default)]
    pub standing: Standing,
}

/// What those who may curate made of a remark.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Standing {
    /// Nobody has judged it: it counts for its author alone.
    #[default]
    Pending,
    /// It counts for everybody.
    Accepted { by: String, at_ms: u64 },
    /// It counts for its author alone, and need not be judged again.
    Declined { by: String, at_ms: u64 },
}

impl Standing {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Accepted { .. } => "accepted",
            Self::Declined { .. } => "declined",
        }
    }

    /// Who judged it.
    pub fn by(&self) -> Option<&str> {
        match self {
            Self::Pending => None,
            Self::Accepted { by, .. } | Self::Declined { by, .. } => Some(by),
        }
    }

    /// The same, judged by somebody whose name is not kept.
    pub(crate) fn without_name(self) -> Self {
        let by = "erased".to_owned();
        match self {
            Self::Pending => Self::Pending,
            Self::Accepted { at_ms, .. } => Self::Accepted { by, at_ms },
            Self::Declined { at_ms, .. } => Self::Declined { by, at_ms },
        }
    }
}

/// How a passage served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It answers what it was found for.
    Good,
    /// It does not, or it is wrong.
    Bad,
    /// Something to know about it.
    Note,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Note => "note",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Good, Self::Bad, Self::Note].into_iter().find(|verdict| verdict.word() == word)
    }
}

/// Which remarks are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemarksOf {
    /// All of them.
    Everybody,
    /// Those that may count for this person: accepted ones and their own. Only accepted ones for nobody.
    Viewer(Option<String>),
    /// All that this person wrote.
    Author(String),
    /// All on this passage.
    Passage(String),
    /// The one with this id.
    Id(String),
}

impl RemarksOf {
    pub(crate) fn has(&self, remark: &Remark) -> bool {
        match self {
            Self::Everybody => true,
            Self::Viewer(viewer) => remark.is_for(viewer.as_deref()),
            Self::Author(author) => remark.author == *author,
            Self::Passage(chunk) => remark.chunk == *chunk,
            Self::Id(id) => remark.id == *id,
        }
    }
}

impl Remark {
    /// Whether it counts for the caller, given the passage as it reads now.
    pub fn counts_for(&self, viewer: Option<&str>, passage: &Chunk) -> bool {
        self.is_for(viewer) && !self.has_lapsed(passage)
    }

    /// Whether the passage reads otherwise than when this was said.
    pub fn has_lapsed(&self, passage: &Chunk) -> bool {
        self.about != fingerprint(&passage.text)
    }

    pub fn is_accepted(&self) -> bool {
        matches!(self.standing, Standing::Accepted { .. })
    }

    fn is_for(&self, viewer: Option<&str>) -> bool {
        self.is_accepted() || (!self.author.is_empty() && viewer == Some(self.author.as_str()))
    }

    /// A record of an older program, on the passage as it reads now if that is still there. Nobody accepted it: it
    /// counts for its author, if it has one.
    pub(crate) fn brought_up(mut self, passage: Option<&Chunk>) -> Self {
        if self.id.is_empty() {
            self.id = id(&self.collection, &self.chunk, &self.author);
            self.about = passage.map(|passage| fingerprint(&passage.text)).unwrap_or_default();
        }
        self
    }
}

/// What a remark is known by: the latest word of an author takes the place of the one before, and of nobody else's.
fn id(collection: &str, chunk: &str, author: &str) -> String {
    format!("{:032x}", xxh3_128(format!("{collection}\u{1f}{chunk}\u{1f}{author}").as_bytes()))
}

fn fingerprint(text: &str) -> String {
    format!("{:032x}", xxh3_128(text.as_bytes()))
}

fn or_nobody<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(from)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remark(author: &str, passage: &Chunk) -> Remark {
        Remark {
            id: id("a", "1", author),
            collection: "a".into(),
            chunk: "1".into(),
            verdict: Verdict::Note,
            text: "100분의 20".into(),
            author: author.into(),
            at_ms: 1,
            about: fingerprint(&passage.text),
            standing: Standing::Pending,
        }
    }

    #[test]
    fn a_remark_counts_for_its_author_until_somebody_accepts_it_and_lapses_with_the_text() {
        let passage = Chunk { text: "100분의 5".into(), ..Chunk::default() };
        let mut remark = remark("kim", &passage);
        assert!(remark.counts_for(Some("kim"), &passage));
        assert!(!remark.counts_for(Some("lee"), &passage) && !remark.counts_for(None, &passage));
        remark.standing = Standing::Accepted { by: "boss".into(), at_ms: 2 };
        assert!(remark.counts_for(Some("lee"), &passage) && remark.counts_for(None, &passage));
        let other = Chunk { text: "100분의 7".into(), ..Chunk::default() };
        assert!(!remark.counts_for(Some("kim"), &other) && remark.has_lapsed(&other));
        remark.standing = Standing::Declined { by: "boss".into(), at_ms: 3 };
        assert!(remark.counts_for(Some("kim"), &passage) && !remark.counts_for(Some("lee"), &passage));
    }

    #[test]
    fn what_an_older_program_kept_counts_for_its_author_alone_and_for_nobody_without_one() {
        let passage = Chunk { text: "글".into(), ..Chunk::default() };
        for (json, author) in [
            (r#"{"collection":"a","chunk":"1","verdict":"note","text":"x","by":"kim"}"#, "kim"),
            (r#"{"collection":"a","chunk":"1","verdict":"note","text":"x","by":null}"#, ""),
            (r#"{"collection":"a","chunk":"1","verdict":"note","text":"x"}"#, ""),
        ] {
            let read: Remark = serde_json::from_str(json).unwrap();
            let remark = read.brought_up(Some(&passage));
            assert_eq!(remark.author, author);
            assert_eq!(remark.counts_for(Some("kim"), &passage), author == "kim");
            assert!(!remark.counts_for(None, &passage) && !remark.counts_for(Some(""), &passage));
        }
    }
}
