//! What speaks for a passage, each in a number from nothing to one.

use std::collections::HashMap;

use super::concepts::{Analysis, Concept};
use crate::document::{Chunk, is_act};
use crate::text::{Need, STATUTES, article_number, holds, normalise, squeezed};

/// Why a passage was found, and how well it fits.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Features {
    /// The score by words, as a share of the best.
    pub words: f32,
    /// The fused rank, as a share of the best.
    pub fused: f32,
    /// How much of the question its heading speaks of.
    pub name: f32,
    /// How much of its heading the question speaks of.
    pub name_exact: f32,
    /// How much of the question the document's title and outer headings speak of.
    pub title: f32,
    /// How much of the question its text speaks of.
    pub body: f32,
    /// How much of the question one paragraph of it speaks of.
    pub near: f32,
    /// Its heading or text has the signs of what is wanted.
    pub wanted: f32,
    /// How much the passages of the same family of statutes were found.
    pub family: f32,
    /// The question names the document.
    pub named: f32,
    /// The question names the article.
    pub article: f32,
    /// An act, not its decree or rules.
    pub act: f32,
    /// It says what something is that the question asks about.
    pub defines: f32,
    /// How far its meaning stands out from the others', by an embedder.
    pub meaning: f32,
    /// How near its meaning is to the question's, by an embedder: nothing if it is not among the nearest, one if it is the same.
    pub similarity: f32,
    /// Says when something begins to apply, what the statute is for, or that an article is gone.
    pub formal: f32,
}

/// Terms by how rare they are.
pub(super) struct Rarity {
    total: f32,
    pairs: HashMap<String, u64>,
}

impl Rarity {
    pub(super) fn of(total: u64, pairs: HashMap<String, u64>) -> Self {
        Self { total: total.max(1) as f32, pairs }
    }

    /// How many passages there are.
    pub(super) fn passages(&self) -> u64 {
        self.total as u64
    }

    /// Of the rarest pair of syllables.
    pub(super) fn term(&self, term: &str) -> f32 {
        let rarity =
            |count: u64| (1.0 + (self.total - count as f32 + 0.5).max(0.5) / (count as f32 + 0.5)).ln();
        let of_pairs =
            crate::text::bigrams(term).into_iter().filter_map(|pair| self.pairs.get(&pair).copied());
        of_pairs.map(rarity).fold(0.0, f32::max)
    }

    /// Of what no passage has.
    fn most(&self) -> f32 {
        (1.0 + (self.total + 0.5) / 0.5).ln()
    }

    /// How much of the term passages could hold.
    fn known_share(&self, term: &str) -> f32 {
        let pairs = crate::text::bigrams(term);
        let known = pairs.iter().filter(|pair| self.pairs.get(*pair).is_some_and(|count| *count > 0)).count();
        if pairs.is_empty() { 0.0 } else { known as f32 / pairs.len() as f32 }
    }

    /// Is there any passage that could hold the term?
    pub(super) fn known(&self, term: &str) -> bool {
        crate::text::bigrams(term).iter().all(|pair| self.pairs.get(pair).is_some_and(|count| *count > 0))
    }
}

/// A concept with its names squeezed and its weight by rarity.
pub(super) struct Weighed {
    pub(super) names: Vec<Vec<String>>,
    /// How many of the names are the question's own words.
    pub(super) own: usize,
    pub(super) weight: f32,
    /// How much it counts when it is asked whether there is an answer.
    pub(super) judged: f32,
    /// It surely names a thing.
    pub(super) firm: bool,
    /// The documents know one of its names.
    known: bool,
}

/// A name of which so much is nowhere is one that the documents do not know.
const KNOWN: f32 = 0.6;

impl Weighed {
    pub(super) fn all(analysis: &Analysis, rarity: &Rarity) -> Vec<Self> {
        let mut all: Vec<Self> = analysis.concepts.iter().map(|concept| Self::of(concept, rarity)).collect();
        // 벌금 where documents only say 과태료: what they have under another name, they need not have under this one.
        for (at, concept) in analysis.concepts.iter().enumerate().filter(|(_, c)| c.terms.is_empty()) {
            let said = analysis.concepts.iter().zip(&all).any(|(other, weighed)| {
                !other.terms.is_empty()
                    && weighed.known
                    && concept.words.iter().all(|word| other.words.contains(word))
            });
            if said && !all[at].known {
                all[at].judged = 0.0;
            }
        }
        all
    }

    fn of(concept: &Concept, rarity: &Rarity) -> Self {
        // The words of a phrase count as one name; a lay phrase is rarely in the text, its terms are.
        let mut names = vec![concept.words.iter().map(|word| squeezed(word)).collect::<Vec<_>>()];
        names.extend(concept.terms.iter().map(|term| term.split_whitespace().map(squeezed).collect()));
        names.retain(|name| !name.is_empty());
        let own = usize::from(!concept.words.is_empty());
        let rare = |name: &Vec<String>| name.iter().map(|word| rarity.term(word)).fold(0.0, f32::max);
        // What no passage can hold does not tell them apart; it still counts when it is asked whether there is an answer.
        let known = |name: &&Vec<String>| name.iter().all(|word| rarity.known(word));
        let names_that_count = if concept.terms.is_empty() { &names[..] } else { &names[own..] };
        let rarest = names_that_count.iter().filter(known).map(rare).fold(1.0, f32::max);
        let held = |name: &Vec<String>| {
            name.iter().map(|word| rarity.known_share(word)).sum::<f32>() / name.len().max(1) as f32
        };
        // Its own words may be a compound in part; another name that the documents do not have says nothing.
        let (own_names, other_names) = names.split_at(own.min(names.len()));
        let unknown =
            !own_names.iter().any(|name| held(name) >= KNOWN) && !other_names.iter().any(|name| known(&name));
        // English names count only where the documents have them.
        let english = concept.english.iter().map(|name| name.split_whitespace().map(squeezed).collect());
        names.extend(english.filter(|name: &Vec<String>| known(&name)));
        let judged = concept.weight * concept.firm * if unknown { rarity.most() } else { rarest };
        Self {
            names,
            own,
            weight: concept.weight * rarest,
            judged,
            firm: concept.firm > 0.5,
            known: !unknown,
        }
    }

    /// How much of it a squeezed text speaks of. A later name counts a little less than the first ones.
    pub(super) fn in_text(&self, text: &str) -> f32 {
        let mut best = 0.0_f32;
        for (place, name) in self.names.iter().enumerate() {
            let found = name.iter().filter(|word| holds(text, word)).count();
            let share = found as f32 / name.len() as f32;
            let worth = if place < self.own { 1.0 } else { 1.0 - 0.06 * (place - self.own) as f32 };
            // Half of a name may be anything: 보증금 alone is not 보증금의 회수.
            best = best.max(share * share * worth.max(0.5));
        }
        best
    }
}

impl Weighed {
    /// How much of it a squeezed text speaks of, under any name, parts of a compound included.
    pub(super) fn partly_in(&self, text: &str) -> f32 {
        let share = |name: &Vec<String>| {
            let share = name.iter().map(|word| partly(word, text)).sum::<f32>() / name.len().max(1) as f32;
            share * share
        };
        self.names.iter().map(share).fold(0.0, f32::max)
    }
}

/// All of a word, or the square of the longest part of it that is at least half of it.
fn partly(word: &str, text: &str) -> f32 {
    if holds(text, word) || word.is_ascii() {
        return f32::from(holds(text, word));
    }
    let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    let count = starts.len() - 1;
    for length in (2..count).rev().take_while(|length| length * 2 >= count) {
        let found = (0..=count - length).any(|at| text.contains(&word[starts[at]..starts[at + length]]));
        if found {
            let share = length as f32 / count as f32;
            return share * share;
        }
    }
    0.0
}

/// How much a concept counts within a document that is called so: all of its passages are about that.
const IN_TITLE: f32 = 0.35;

/// How much of the question a text speaks of; `weights` has each concept's.
fn coverage(concepts: &[Weighed], weights: &[f32], text: &str) -> f32 {
    let all: f32 = weights.iter().sum();
    if all <= 0.0 {
        return 0.0;
    }
    concepts.iter().zip(weights).map(|(concept, weight)| weight * concept.in_text(text)).sum::<f32>() / all
}

/// How much of a heading the question's names explain.
fn explained(concepts: &[Weighed], name: &str) -> f32 {
    let length = name.chars().count();
    if length == 0 {
        return 0.0;
    }
    let mut covered = vec![false; name.len()];
    for word in concepts
        .iter()
        .flat_map(|concept| &concept.names)
        .flatten()
        .filter(|word| word.chars().nth(1).is_some())
    {
        for (at, _) in name.match_indices(word.as_str()) {
            covered[at..at + word.len()].fill(true);
        }
    }
    covered.iter().filter(|byte| **byte).count() as f32 / name.len() as f32
}

pub(super) fn of(chunk: &Chunk, analysis: &Analysis, concepts: &[Weighed]) -> Features {
    let name = squeezed(&chunk.name);
    let title = squeezed(&format!("{} {}", chunk.title, chunk.headings.join(" ")));
    let text = squeezed(&chunk.text);
    let plain: Vec<f32> = concepts.iter().map(|concept| concept.weight).collect();
    let within: Vec<f32> = concepts
        .iter()
        .map(|concept| concept.weight * if concept.in_text(&title) > 0.8 { IN_TITLE } else { 1.0 })
        .collect();
    let near =
        chunk.text.lines().map(|line| coverage(concepts, &within, &squeezed(line))).fold(0.0, f32::max);
    Features {
        name: coverage(concepts, &within, &name),
        name_exact: explained(concepts, &name),
        title: coverage(concepts, &plain, &title),
        body: coverage(concepts, &within, &format!("{name}{text}")),
        near,
        wanted: wanted(&analysis.needs, &name, &text),
        named: named(analysis, chunk),
        article: article(analysis, chunk),
        act: f32::from(is_act(&chunk.title)),
        defines: defines(analysis, chunk),
        formal: formal(analysis, chunk, &name),
        ..Features::default()
    }
}

fn wanted(needs: &[Need], name: &str, text: &str) -> f32 {
    let mut best = 0.0_f32;
    for need in needs {
        // Penalties stand in articles of their own; procedures and periods stand anywhere.
        let sure = if *need == Need::Penalty { 1.0 } else { 0.5 };
        if need.signs().iter().any(|sign| name.contains(sign)) {
            best = best.max(sure);
        } else if need.signs().iter().any(|sign| text.contains(sign)) {
            best = best.max(0.15);
        }
    }
    best
}

/// “적정가격”이란 … says what it is, (이하 “표준지공시지가”라 한다) is where it gets its name.
fn defines(analysis: &Analysis, chunk: &Chunk) -> f32 {
    let asked = analysis.needs.contains(&Need::Definition);
    let text: String = normalise(&chunk.text).chars().filter(|c| c.is_alphanumeric() || *c == '"').collect();
    let mut best = 0.0_f32;
    for word in analysis.whole_words.iter().filter(|word| word.chars().nth(1).is_some()) {
        let Some((_, after)) = text.split_once(&format!("\"{word}\"")) else { continue };
        let says = ["란", "이란", "라함은", "이라함은"].iter().any(|sign| after.starts_with(sign));
        let names = ["라한다", "이라한다"].iter().any(|sign| after.starts_with(sign));
        let found = match (says, names) {
            (true, _) => 1.0,
            (_, true) => 0.8,
            _ => 0.0,
        };
        // Who does not ask what it is may still want the article that brings it in.
        best = best.max(if asked { found } else { found * 0.25 });
    }
    best
}

/// 주택임대차보호법상 names the act; its decree is named only by its own name.
fn named(analysis: &Analysis, chunk: &Chunk) -> f32 {
    let question = squeezed(&analysis.question);
    let title = squeezed(&chunk.title);
    let family = squeezed(crate::document::family(&chunk.title));
    if title.chars().count() < 3 {
        0.0
    } else if question.contains(&title) {
        1.0
    } else if family.chars().count() > 2 && question.contains(&family) {
        0.7
    } else {
        0.0
    }
}

fn article(analysis: &Analysis, chunk: &Chunk) -> f32 {
    let Some(number) = chunk.article.as_deref().and_then(article_number) else { return 0.0 };
    f32::from(analysis.articles.iter().any(|reference| {
        let law = reference.law.as_deref().map(squeezed);
        reference.article == number
            && law.is_none_or(|law| {
                STATUTES.is("alone", &law)
                    || is_called(&squeezed(&chunk.title), &law)
                    || is_spelt_out(&analysis.question, &chunk.title, &law)
            })
    }))
}

/// Whether a title is a statute's name, perhaps with more behind it; a decree has a name of its own.
fn is_called(title: &str, law: &str) -> bool {
    let is_decree = |rest: &str| STATUTES.words("decree").any(|decree| rest.starts_with(decree));
    title.strip_prefix(law).is_some_and(|rest| !is_decree(rest))
}

/// Whether a question spells out a title of several words, of which a reference has only the last: 상가건물 임대차보호법.
pub(super) fn is_spelt_out(question: &str, title: &str, law: &str) -> bool {
    let title = squeezed(title);
    title.ends_with(law) && squeezed(question).contains(&title)
}

/// Articles of every statute that only seem to be about something.
fn formal(analysis: &Analysis, chunk: &Chunk, name: &str) -> f32 {
    if chunk.article.is_none() {
        return 0.0;
    }
    let question = squeezed(&analysis.question);
    let short = chunk.text.chars().count() < 60 && chunk.text.contains("삭제");
    let is_formal = STATUTES
        .words("formal")
        .any(|formal| name == formal || (name.ends_with(formal) && formal.chars().count() > 2));
    f32::from(short || (is_formal && !question.contains(name)))
}
