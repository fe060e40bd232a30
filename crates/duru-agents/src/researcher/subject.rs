//! What a question is about, to be found in texts.

use duru_search::retrieve::{Analysis, Quantity};
use duru_search::text::{Need, Thesaurus, holds, normalise, squeezed};

/// The things that an answer should speak of.
pub(super) struct Subject {
    /// Each under its names, each name of one or more words, and how much it counts.
    concepts: Vec<(Vec<Vec<String>>, f32)>,
    needs: Vec<Need>,
    quantity: Option<Quantity>,
    /// It asks what something is, or how two things differ.
    defines: bool,
}

/// Who asks for a difference wants to know what each is.
const DIFFERENCE: [&str; 4] = ["차이", "다른 점", "다른가", "difference"];

impl Subject {
    pub(super) fn of(question: &str, thesaurus: &Thesaurus) -> Self {
        let analysis = Analysis::of(question, thesaurus);
        let concepts = analysis.concepts.into_iter().map(|concept| {
            let mut names = vec![concept.words.iter().map(|word| squeezed(word)).collect::<Vec<_>>()];
            let others = concept.terms.iter().chain(&concept.english);
            names.extend(others.map(|term| term.split_whitespace().map(squeezed).collect()));
            names.retain(|name| !name.is_empty());
            (names, concept.weight)
        });
        let plain = normalise(question);
        Self {
            concepts: concepts.collect(),
            quantity: Quantity::of(question),
            defines: analysis.needs.contains(&Need::Definition)
                || DIFFERENCE.iter().any(|sign| plain.contains(sign)),
            needs: analysis.needs,
        }
    }

    /// How much of each thing a text speaks of.
    pub(super) fn covered(&self, text: &str) -> Vec<f32> {
        let text = squeezed(text);
        let share = |name: &Vec<String>| {
            let found = name.iter().filter(|word| holds(&text, word)).count();
            found as f32 / name.len() as f32
        };
        self.concepts
            .iter()
            .map(|(names, weight)| weight * names.iter().map(share).fold(0.0, f32::max))
            .collect()
    }

    /// How much of it a text speaks of, from nothing to one.
    pub(super) fn coverage(&self, text: &str) -> f32 {
        let all: f32 = self.concepts.iter().map(|(_, weight)| weight).sum();
        if all > 0.0 { self.covered(text).iter().sum::<f32>() / all } else { 0.0 }
    }

    pub(super) fn total(&self) -> f32 {
        self.concepts.iter().map(|(_, weight)| weight).sum::<f32>().max(f32::MIN_POSITIVE)
    }

    /// Whether a sentence has the signs of the answer that is wanted.
    pub(super) fn wanted(&self, sentence: &str) -> bool {
        if let Some(quantity) = self.quantity {
            return quantity.is_in(sentence);
        }
        let text = squeezed(sentence);
        let numbers = text.chars().any(|c| c.is_ascii_digit());
        self.needs.iter().any(|need| match need {
            Need::Cost | Need::Deadline => numbers,
            need => need.signs().iter().any(|sign| text.contains(sign)),
        })
    }

    /// Whether it asks what something is.
    pub(super) fn defines(&self) -> bool {
        self.defines
    }
}

/// The words of a text that say something, without their endings.
pub(super) fn content_words(text: &str) -> Vec<String> {
    Analysis::of(text, &Thesaurus::empty()).whole_words
}
