//! What a conversation has said beside its searches.

use crate::advisor::understand::region::Region;
use crate::advisor::understand::{Context, DataKind, Newness, Version, normal, understand};

/// What was said, one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said<'a> {
    /// By the person, before the latest search or with it.
    Asked(&'a str),
    /// By the person, after the latest search.
    AskedSince(&'a str),
    Answered(&'a str),
}

/// What a conversation has said beside its searches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Talk {
    /// The places that it has named: with more than one, "그 동네" may be any of them.
    pub regions: Vec<Region>,
    /// Since the latest search somebody said that a contract was changed or replaced.
    pub paper_changed: bool,
    /// Since then somebody said that data of these kinds have changed.
    pub changed: Vec<DataKind>,
    /// All that was said on both sides, in small letters.
    pub heard: String,
    /// The words that nobody knew when the person said them. To ask about a word twice, or to be told that nothing is
    /// known of it, makes nobody know it: only what was found for it does.
    pub strange: Vec<String>,
}

impl Talk {
    /// What was said, the first first.
    pub fn of<'a>(all: impl IntoIterator<Item = Said<'a>>) -> Self {
        let mut talk = Self::default();
        for said in all {
            match said {
                Said::Asked(text) => talk.ask(text, false),
                Said::AskedSince(text) => talk.ask(text, true),
                Said::Answered(text) => talk.hear(text),
            }
        }
        talk
    }

    fn ask(&mut self, text: &str, since: bool) {
        let read = understand(text, &Context::default());
        self.regions.extend(read.regions());
        for word in &read.unread {
            if !self.heard.contains(&word.text) && !self.strange.contains(&word.text) {
                self.strange.push(word.text.clone());
            }
        }
        self.hear(text);
        if since {
            self.paper_changed |= read.version != Version::Unsaid && !read.brings_contract;
            if read.newness == Newness::Latest {
                self.changed.extend(read.required);
            }
        }
    }

    fn hear(&mut self, text: &str) {
        self.heard.push_str(&normal(text));
        self.heard.push('\n');
    }

    /// Did anybody say this word who knew it, by this rule of what is the same word?
    pub(super) fn knows(&self, word: &str, told: impl Fn(&str, &str) -> bool) -> bool {
        let strange =
            self.strange.iter().any(|strange| strange.contains(word) || word.contains(strange.as_str()));
        !strange && told(&self.heard, word)
    }
}
