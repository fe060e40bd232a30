//! What an index is asked.

/// Terms and how much each counts. Any of them makes a passage a hit; the more and the rarer, the better.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// Whole words, without endings, and numbers in one form.
    pub words: Vec<Weighted>,
    /// Pairs of syllables: they find a noun inside of any compound.
    pub pairs: Vec<Weighted>,
}

/// A term and its weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighted {
    pub term: String,
    pub weight: f32,
}

/// A passage's id and how well it fits; only comparable within one answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    pub id: String,
    pub score: f32,
}

impl Query {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.pairs.is_empty()
    }
}
