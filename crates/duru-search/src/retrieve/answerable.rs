//! Whether the passages that were found answer the question: surely, perhaps, or not at all.
//!
//! A few signs are weighed into how likely one of the first passages answers. None of them knows what the documents are
//! about, so that a handbook is judged as a statute book is.

use super::asked::{Quantity, head_words};
use super::concepts::Analysis;
use super::features::Weighed;
use super::rerank::Candidate;
use crate::text::{STATUTES, is_korean, squeezed};

/// How a search ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// One of the first passages answers.
    Answer,
    /// They may be what is meant.
    Maybe,
    /// Nothing is near.
    None,
}

/// Whether the passages that were found can answer the question.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answerability {
    pub ending: Ending,
    /// How likely one of the first passages answers: of those with 0.9, nine in ten do.
    pub confidence: f32,
    /// Whether there is anything to show: every ending but the last.
    pub answerable: bool,
    /// How much of the question one line of the first passages speaks of, from nothing to one.
    pub coverage: f32,
    /// Words of the question that none of the first passages speaks of.
    pub missing: Vec<String>,
    /// What the confidence was made of.
    pub signs: Signs,
}

/// So many of the best passages are looked at.
const LOOKED_AT: usize = 3;

/// An answer from here on, by words alone and with their meaning: there, what is more likely right than wrong.
const SURE: f32 = 0.72;
const SURE_WITH_MEANING: f32 = 0.5;

/// What lacks the kind of thing that is asked for is no surer than this.
const UNSURE: f32 = 0.45;

/// Nothing is near below this.
const NEAR: f32 = 0.05;

/// Where no line speaks of so much of the question, nothing of it is spoken of.
const SPOKEN_OF: f32 = 0.02;

/// What is so near in meaning may be meant, though it has no word of the question.
const MEANT: f32 = 0.12;

/// What is named by its number and is there, is what was asked for.
const NAMED: f32 = 0.97;

/// Less of a name in every passage is nothing of it.
const SPOKEN: f32 = 0.3;

/// A question leans on what is so much of it.
const LEANS_ON: f32 = 0.33;

/// A quantity in another line of the same passage is nearly as good.
const NEARLY: f32 = 0.9;

/// What speaks for an answer or against it.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Signs {
    /// How much of the question one line speaks of.
    pub line: f32,
    /// How far a line speaks of what is asked about, and of the rest beside it.
    pub head: f32,
    /// How much of the question lines without such a quantity speak of, if one is asked for.
    pub no_quantity: f32,
    /// The best passage's score.
    pub score: f32,
    /// How far the best passage is ahead of the fourth.
    pub lead: f32,
    /// How many passages were found by nearly as many words as the best.
    pub crowd: f32,
    /// How much of the question one paragraph of the best passage speaks of.
    pub near: f32,
    /// How much the question's words tell passages apart.
    pub weight: f32,
    /// How long the question is.
    pub length: f32,
    /// How near the best passage's meaning is to the question's.
    pub similarity: f32,
    /// How much of the question the best passage's text speaks of.
    pub body: f32,
    /// Whether it is Korean: an English word tells less, because it has more meanings.
    pub korean: f32,
}

impl Signs {
    fn of(best: &[Candidate], concepts: &[Weighed], analysis: &Analysis, read: &Read) -> Self {
        let score = |place: usize| best.get(place).map_or(0.0, |candidate| candidate.score);
        let first = score(0).max(f32::MIN_POSITIVE);
        let features = best.first().map(|candidate| candidate.features).unwrap_or_default();
        let weight: f32 = concepts.iter().map(|concept| concept.weight).sum();
        let as_many = |candidate: &&Candidate| candidate.features.words > 0.8;
        let how_much = Quantity::of(&analysis.question).filter(|quantity| *quantity != Quantity::When);
        Self {
            line: read.line,
            head: read.head,
            no_quantity: how_much.map_or(0.0, |_| 1.0 - read.with_quantity),
            score: score(0),
            lead: (first - score(3)) / first,
            crowd: best.iter().take(5).filter(as_many).count() as f32 / 5.0,
            near: features.near,
            weight: weight.max(0.1).ln(),
            length: (analysis.question.chars().count().max(1) as f32).ln(),
            similarity: features.similarity,
            body: features.body,
            korean: f32::from(u8::from(is_korean(&analysis.question))),
        }
    }

    /// How likely it is that one of the first passages answers.
    ///
    /// Fitted by logistic regression, each corpus counting alike, and rounded; with each corpus left out of the fit in
    /// turn, what it says of that corpus is in `eval/documents/README.md`.
    fn likelihood(&self, by_meaning: bool) -> f32 {
        let sum = if by_meaning { self.with_meaning() } else { self.by_words() };
        1.0 / (1.0 + (-sum).exp())
    }

    /// Of 1,925 questions on statutes, on handbooks, manuals and rules, and on 7,279 Korean and 6,978 English web
    /// passages, 497 of them without an answer.
    fn by_words(&self) -> f32 {
        0.91 * self.line + 0.62 * self.head - 0.95 * self.no_quantity + 0.94 * self.score + 3.06 * self.lead
            - 0.86 * self.crowd
            + 0.92 * self.near
            + 0.75 * self.weight
            + 0.17 * self.length
            - 5.9
    }

    /// Of 1,744 questions on statutes, on eight sets of handbooks, manuals and rules, and on 1,428 Korean and 1,420 English
    /// web passages, 365 of them without an answer. Scores and leads hold the passages' meaning then; the other signs
    /// told nothing more.
    fn with_meaning(&self) -> f32 {
        1.88 * self.line - 0.33 * self.no_quantity
            + 0.21 * self.score
            + 2.44 * self.lead
            + 1.21 * self.length
            + 3.88 * self.similarity
            + 1.82 * self.body
            + 1.11 * self.korean
            - 8.76
    }
}

pub(super) fn judge(best: &[Candidate], concepts: &[Weighed], analysis: &Analysis) -> Answerability {
    let read = Read::of(best, concepts, analysis);
    let signs = Signs::of(best, concepts, analysis, &read);
    let by_meaning = best.iter().any(|candidate| candidate.features.similarity > 0.0);
    let likelihood = signs.likelihood(by_meaning);
    let confidence = match analysis.reference(best) {
        Reference::Found => NAMED,
        Reference::Absent => 0.0,
        Reference::None if best.is_empty() => 0.0,
        Reference::None if read.line < SPOKEN_OF && signs.similarity < MEANT => 0.0,
        // Who asks how much is not answered by what names no quantity.
        Reference::None if signs.no_quantity >= 1.0 || read.line < SPOKEN_OF => likelihood.min(UNSURE),
        Reference::None => likelihood,
    };
    let ending = match confidence {
        sure if sure >= if by_meaning { SURE_WITH_MEANING } else { SURE } => Ending::Answer,
        near if near >= NEAR => Ending::Maybe,
        _ => Ending::None,
    };
    Answerability {
        ending,
        confidence,
        answerable: ending != Ending::None,
        coverage: read.line,
        missing: missing(concepts, &read.most, &analysis.question, ending == Ending::Answer),
        signs,
    }
}

/// What the first passages say, line by line.
#[derive(Default)]
struct Read {
    /// How much of the question one line speaks of.
    line: f32,
    /// How far a line speaks of what is asked about, and of the rest beside it.
    head: f32,
    /// How much of it lines speak of that have the quantity which is asked for.
    with_quantity: f32,
    /// For each concept, how much of it any line speaks of.
    most: Vec<f32>,
}

impl Read {
    fn of(best: &[Candidate], concepts: &[Weighed], analysis: &Analysis) -> Self {
        let question = &analysis.question;
        let head = head(concepts, question);
        let mut read = Self { most: vec![0.0; concepts.len()], ..Self::default() };
        for candidate in best.iter().take(LOOKED_AT) {
            read.passage(candidate, concepts, &head, Quantity::of(question));
        }
        // What an English question is about most is not told by the order of its words.
        if !is_korean(question) {
            read.head = read.head.max(read.line);
        }
        if head.is_empty() {
            read.head = 1.0;
        }
        read
    }

    fn passage(
        &mut self,
        candidate: &Candidate,
        concepts: &[Weighed],
        head: &[usize],
        quantity: Option<Quantity>,
    ) {
        let chunk = &candidate.chunk;
        let above = squeezed(&format!("{}{}{}", chunk.title, chunk.headings.join(""), chunk.name));
        let above: Vec<f32> = concepts.iter().map(|concept| concept.partly_in(&above)).collect();
        let (mut line_here, mut quantity_here) = (0.0_f32, false);
        let remarks = candidate.remarks.iter().map(|remark| remark.text.as_str());
        for line in chunk.text.lines().chain(remarks).filter(|line| !line.trim().is_empty()) {
            let text = squeezed(line);
            let spoken: Vec<f32> = concepts
                .iter()
                .zip(&above)
                .map(|(concept, above)| if *above < 1.0 { above.max(concept.partly_in(&text)) } else { 1.0 })
                .collect();
            for (most, spoken) in self.most.iter_mut().zip(&spoken) {
                *most = most.max(*spoken);
            }
            let covered = share(concepts, &spoken, |_| true);
            line_here = line_here.max(covered);
            if quantity.is_some_and(|quantity| quantity.is_in(line)) {
                quantity_here = true;
                self.with_quantity = self.with_quantity.max(covered);
            }
            let spoken_of = head.iter().map(|at| spoken[*at]).fold(0.0, f32::max);
            self.head = self.head.max(spoken_of * share(concepts, &spoken, |at| !head.contains(&at)));
        }
        self.line = self.line.max(line_here);
        if quantity_here {
            self.with_quantity = self.with_quantity.max(NEARLY * line_here);
        }
    }
}

/// What became of the article that a question names by its number.
enum Reference {
    Found,
    Absent,
    None,
}

impl Analysis {
    fn reference(&self, best: &[Candidate]) -> Reference {
        if best.iter().take(LOOKED_AT).any(|candidate| candidate.features.article > 0.0) {
            Reference::Found
        } else if self.of_another_law(best) {
            Reference::Absent
        } else {
            Reference::None
        }
    }

    /// Is an article asked for of a statute that is not among the documents? What others say in theirs is no answer.
    fn of_another_law(&self, best: &[Candidate]) -> bool {
        let here = |law: &str| {
            let law = squeezed(law);
            let own = STATUTES.words("own").any(|own| squeezed(own) == law);
            own || best.iter().any(|candidate| {
                let title = squeezed(&candidate.chunk.title);
                title.starts_with(&law)
                    || !STATUTES.is("generic", &law) && title.ends_with(&law)
                    || self.question.contains(&candidate.chunk.title)
            })
        };
        !self.articles.is_empty()
            && self.articles.iter().all(|reference| reference.law.as_deref().is_some_and(|law| !here(law)))
    }
}

/// What no passage speaks of, as it was said. If there is an answer all the same, only what the question leans on is worth
/// telling.
fn missing(concepts: &[Weighed], most: &[f32], question: &str, answers: bool) -> Vec<String> {
    let all: f32 = concepts.iter().map(|concept| concept.judged).sum();
    let least = if answers { LEANS_ON * all } else { 0.0 };
    let lacks = concepts.iter().zip(most).filter(|(concept, most)| {
        **most < SPOKEN && concept.firm && concept.judged > 0.0 && concept.judged >= least
    });
    let mut words: Vec<String> = Vec::new();
    for name in lacks.filter_map(|(concept, _)| concept.names.first()) {
        let word = name.iter().map(|stem| as_said(stem, question)).collect::<Vec<_>>().join(" ");
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The word of a question that an English stem comes from: nobody asked about "polici".
fn as_said<'a>(stem: &'a str, question: &'a str) -> &'a str {
    let mut words = question.split(|letter: char| !letter.is_alphanumeric());
    // Of policies only "polic" is in both.
    let start = stem.strip_suffix('i').unwrap_or(stem);
    let from = |word: &&str| word.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    words.find(|word| stem.is_ascii() && !start.is_empty() && from(word)).unwrap_or(stem)
}

/// How much of those concepts' weight is spoken of; all of it if there are none.
fn share(concepts: &[Weighed], spoken: &[f32], counts: impl Fn(usize) -> bool) -> f32 {
    let (mut all, mut part) = (0.0, 0.0);
    for (_, (concept, spoken)) in concepts.iter().zip(spoken).enumerate().filter(|(at, _)| counts(*at)) {
        all += concept.judged;
        part += concept.judged * spoken;
    }
    if all > 0.0 { part / all } else { 1.0 }
}

/// The concepts of the word that the question is about most.
fn head(concepts: &[Weighed], question: &str) -> Vec<usize> {
    head_words(question)
        .iter()
        .map(|word| {
            let word = squeezed(word);
            let of = |concept: &Weighed| {
                concept.firm
                    && concept.names.iter().take(concept.own).flatten().any(|own| word.starts_with(own))
            };
            (0..concepts.len()).filter(|at| of(&concepts[*at])).collect()
        })
        .find(|found: &Vec<usize>| !found.is_empty())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::as_said;

    #[test]
    fn what_is_missing_is_named_as_it_was_said() {
        let question = "Who calls the Fire brigade by our policies? 소화기는?";
        for (stem, said) in
            [("fir", "Fire"), ("polici", "policies"), ("소화기", "소화기"), ("other", "other")]
        {
            assert_eq!(as_said(stem, question), said);
        }
    }
}
