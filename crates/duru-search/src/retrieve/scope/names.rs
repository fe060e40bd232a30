//! What the documents of a collection are called.

use super::read::Way;
use super::words::same_kind;
use crate::document::{Document, family};
use crate::index::Within;
use crate::text::squeezed;

/// One name, and what is found under it.
struct Name {
    shown: String,
    squeezed: String,
    words: Vec<String>,
    years: Vec<u16>,
    place: Within,
}

pub(super) struct Names {
    all: Vec<Name>,
    categories: Vec<String>,
}

impl Names {
    pub(super) fn of(documents: &[Document]) -> Self {
        let mut names = Self { all: Vec::new(), categories: Vec::new() };
        for document in documents {
            let place = Within::Document { collection: document.collection.clone(), id: document.id.clone() };
            let name = |called: &str, shown: &str, place: Within| Name {
                shown: shown.to_owned(),
                squeezed: squeezed(called),
                words: words(called),
                years: document.names.years.clone(),
                place,
            };
            let file = document.source.rsplit(['/', '\\']).next().unwrap_or_default();
            for called in [&document.title, file] {
                names.all.push(name(called, &document.title, place.clone()));
            }
            // Records of one file may be of many documents.
            for title in document.names.titles.iter().filter(|title| **title != document.title) {
                names.all.push(name(title, title, Within::Title(title.clone())));
            }
            names.categories.extend(document.names.categories.iter().cloned());
        }
        names
    }

    pub(super) fn category(&self, said: &str) -> Option<&str> {
        let said = squeezed(said);
        self.categories.iter().find(|known| squeezed(known) == said).map(String::as_str)
    }

    /// What is called so: exactly, else as a part of its name; with these words and a word of the same kind otherwise.
    pub(super) fn called(&self, way: &Way, year: Option<u16>) -> Vec<(String, Within)> {
        let of_year = |name: &&Name| year.is_none_or(|year| name.years.contains(&year));
        let asked = squeezed(&way.name);
        let exact = |name: &&Name| {
            !asked.is_empty() && (name.squeezed == asked || squeezed(family(&name.shown)) == asked)
        };
        let whole = |name: &&Name| match asked.is_ascii() {
            true => !way.words.is_empty() && way.words.iter().all(|word| name.words.contains(word)),
            false => name.squeezed.contains(&asked),
        };
        let alike = |name: &&Name| {
            let Some(kind) = way.kind else { return false };
            let is_kind = same_kind(kind).any(|word| match word.is_ascii() {
                true => name.words.iter().any(|known| known == word),
                false => name.squeezed.contains(word),
            });
            is_kind && way.before.iter().all(|word| name.squeezed.contains(&squeezed(word)))
        };
        let tests: [&dyn Fn(&&Name) -> bool; 3] = [&exact, &whole, &alike];
        // A year by itself names what is of that year.
        let only_year: [&dyn Fn(&&Name) -> bool; 1] = [&|_| year.is_some()];
        let tests = if asked.is_empty() { &only_year[..] } else { &tests[..] };
        for test in tests {
            let mut found: Vec<(String, Within)> = Vec::new();
            for name in self.all.iter().filter(test).filter(of_year) {
                if !found.iter().any(|(_, place)| *place == name.place) {
                    found.push((name.shown.clone(), name.place.clone()));
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }
}

/// Words of letters or of digits, in lower case.
pub(super) fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect()
}
