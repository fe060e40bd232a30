//! Documents that say different things about the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::Document;
use super::facts::Facts;
use super::subject::Subject;
use super::told::told;

/// So alike are sentences about the same.
const ALIKE: f32 = 0.6;

/// A sentence that speaks of less of the question has nothing to do with it.
const ABOUT: f32 = 0.3;

/// Two passages, by their ids, and the sentences that differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conflict {
    pub first: String,
    pub first_says: String,
    pub second: String,
    pub second_says: String,
}

/// What the documents disagree about, as far as the question goes.
pub(super) fn conflicts(documents: &[Document], subject: &Subject) -> Vec<Conflict> {
    let mut said: Vec<(&Document, String, Facts)> = Vec::new();
    for document in documents {
        for sentence in told(&document.text) {
            // What its heading says, a sentence need not say again.
            if subject.coverage(&format!("{} {sentence}", document.section)) >= ABOUT {
                let facts = Facts::of(&sentence);
                said.push((document, sentence, facts));
            }
        }
    }
    let mut found: Vec<Conflict> = Vec::new();
    for (at, (first, says, facts)) in said.iter().enumerate() {
        for (second, other_says, other) in &said[at + 1..] {
            let differ = facts.other_numbers(other) || facts.denies != other.denies;
            let known = found.iter().any(|known| known.first == first.id && known.second == second.id);
            if !same_text(first, second) && differ && !known && facts.alike(other) >= ALIKE {
                found.push(Conflict {
                    first: first.id.clone(),
                    first_says: says.clone(),
                    second: second.id.clone(),
                    second_says: other_says.clone(),
                });
            }
        }
    }
    found
}

/// Sections of one text speak of different things: who is a small tenant, and how much one gets.
fn same_text(first: &Document, second: &Document) -> bool {
    first.id == second.id
        || (first.source == second.source && first.title == second.title && first.label() != second.label())
}
