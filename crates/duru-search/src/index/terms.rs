//! What of a passage is indexed, in the same terms by every index.

use std::collections::HashSet;

use crate::document::Chunk;
use crate::text::{Lexicon, TermKind, terms};

/// The headings a passage stands under belong to what it says.
pub(super) fn body(chunk: &Chunk) -> String {
    if chunk.text.contains(&chunk.name) {
        chunk.text.clone()
    } else {
        format!("{} {}", chunk.name, chunk.text)
    }
}

/// Every term once per place, separated by spaces; a compound's parts count as the compound does.
pub(super) fn word_terms(text: &str, lexicon: &Lexicon) -> String {
    let mut line = String::new();
    let mut numbers = HashSet::new();
    for term in terms(text, lexicon) {
        if term.kind == TermKind::Number && !numbers.insert(term.text.clone()) {
            continue;
        }
        line.push_str(&term.text);
        line.push(' ');
    }
    line
}
