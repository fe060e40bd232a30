//! Is there an answer in the documents at all?
//!
//! A few signs are weighed: how much of the question one line of the passages speaks of, whether that line speaks of the
//! very thing that is asked about, whether it has a quantity where one is asked for, and how well the best passage fits.

use super::asked::{Quantity, beyond_rules, head_words};
use super::concepts::Analysis;
use super::features::Weighed;
use super::rerank::Candidate;
use crate::document::family;
use crate::text::{article_number, is_korean, squeezed};

/// Whether the passages that were found can answer the question.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Answerability {
    pub answerable: bool,
    /// How much of the question one line of the best passages speaks of, from nothing to one.
    pub coverage: f32,
    /// Words of the question that none of the best passages speaks of.
    pub missing: Vec<String>,
}

/// So many of the best passages are looked at.
const LOOKED_AT: usize = 8;

/// So many of the best say whether another statute speaks of it.
const COMPARED: usize = 30;

/// If another statute speaks of so much more of the question than the one that is meant, the latter is silent on it.
const ELSEWHERE: f32 = 0.2;

/// A passage that speaks of so much of the question is not silent on it.
const SPEAKS: f32 = 0.8;

/// What rules never say is told by a line that speaks of so much of the question and uses the very word.
const TOLD: f32 = 0.7;

/// A passage that speaks of less of the question, and not of what it is about, is about something else.
const HARDLY: f32 = 0.4;

/// Less of a name in every passage is nothing of it.
const SPOKEN: f32 = 0.3;

/// A question leans on what is so much of it.
const LEANS_ON: f32 = 0.33;

/// A quantity in another line of the same passage is nearly as good.
const NEARLY: f32 = 0.9;

/// What speaks for an answer, each from nothing to one.
struct Signs {
    /// How much of the question one line speaks of.
    line: f32,
    /// How far a line speaks of what is asked about, and of the rest beside it.
    head: f32,
    /// How much of the question lines without such a quantity speak of, if one is asked for.
    no_quantity: f32,
    /// How much more of it lines speak of that have none.
    only_without: f32,
    /// Something is asked that rules never say, and that no passage speaks of.
    beyond: f32,
    /// The best passage's score.
    score: f32,
    /// How much of the best passage's heading the question explains.
    heading: f32,
    /// How much more another statute speaks of it.
    elsewhere: f32,
    /// A whole everyday phrase of the thesaurus is in the question: that is a matter which rules speak of.
    phrase: f32,
    /// The line that speaks of most of it leaves it to a table, which is not there.
    table: f32,
    /// How far the best passage was found by words such as 신청 or 방법, which fit every question of that kind.
    kind: f32,
}

impl Signs {
    /// Above nothing there is an answer. Weights and threshold were fitted by logistic regression to 311 questions on
    /// statutes, 107 of them without an answer, and rounded; the threshold refuses 1 in 40 of those with an answer. Of
    /// 99 questions that nothing was fitted to, see `tests/it/law.rs`.
    fn weigh(&self) -> f32 {
        2.1 * self.line + 1.9 * self.head
            - 3.3 * self.no_quantity
            - 4.6 * self.only_without
            - 2.8 * self.beyond
            + 1.35 * self.score
            + 1.3 * self.heading
            - 0.75 * self.elsewhere
            + 0.5 * self.phrase
            - 3.2 * self.table
            - 1.9 * self.kind
            - 5.0
    }
}

pub(super) fn judge(best: &[Candidate], concepts: &[Weighed], analysis: &Analysis) -> Answerability {
    let question = &analysis.question;
    let quantity = Quantity::of(question);
    let head = head(concepts, question);
    let mut beyond = beyond_rules(question);
    let mut most = vec![0.0_f32; concepts.len()];
    let (mut best_line, mut with_quantity, mut of_head) = (0.0_f32, 0.0_f32, 0.0_f32);
    let mut table = false;
    for candidate in best.iter().take(LOOKED_AT) {
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
            for (most, spoken) in most.iter_mut().zip(&spoken) {
                *most = most.max(*spoken);
            }
            let covered = share(concepts, &spoken, |_| true);
            line_here = line_here.max(covered);
            if covered > best_line {
                best_line = covered;
                table = text.contains("별표");
            }
            if covered >= TOLD {
                beyond.retain(|word| !text.contains(word));
            }
            if quantity.is_some_and(|quantity| quantity.is_in(line)) {
                quantity_here = true;
                with_quantity = with_quantity.max(covered);
            }
            if !head.is_empty() {
                let spoken_of = head.iter().map(|at| spoken[*at]).fold(0.0, f32::max);
                of_head = of_head.max(spoken_of * share(concepts, &spoken, |at| !head.contains(&at)));
            }
        }
        if quantity_here {
            with_quantity = with_quantity.max(NEARLY * line_here);
        }
    }
    // What an English question is about most is not told by the order of its words.
    if !is_korean(question) {
        of_head = of_head.max(best_line);
    }
    let other = elsewhere(best);
    let how_much = quantity.filter(|quantity| *quantity != Quantity::When);
    let signs = Signs {
        line: best_line,
        head: if head.is_empty() { 1.0 } else { of_head },
        no_quantity: how_much.map_or(0.0, |_| 1.0 - with_quantity),
        only_without: quantity.map_or(0.0, |_| best_line - with_quantity),
        beyond: f32::from(!beyond.is_empty()),
        score: best.first().map_or(0.0, |first| first.score),
        heading: best.first().map_or(0.0, |first| first.features.name_exact),
        elsewhere: other,
        table: f32::from(table),
        kind: best.first().map_or(0.0, |first| first.features.wanted),
        phrase: f32::from(analysis.expansions.iter().any(|expansion| expansion.words.len() > 1)),
    };
    let named = best.iter().take(LOOKED_AT).any(|candidate| candidate.features.article > 0.0);
    let silent = other > ELSEWHERE && comparable(best, analysis);
    let aside = signs.line < HARDLY && signs.head <= 0.0;
    let absent = !named && of_another_law(best, analysis);
    let answerable = named || (!best.is_empty() && !silent && !aside && !absent && signs.weigh() >= 0.0);
    Answerability { answerable, coverage: best_line, missing: missing(concepts, &most, answerable) }
}

/// Is an article asked for of a statute that is not among the documents? What others say in theirs is no answer.
fn of_another_law(best: &[Candidate], analysis: &Analysis) -> bool {
    let here = |law: &str| {
        let law = squeezed(law);
        let own = matches!(law.as_str(), "법" | "영" | "규칙" | "같은법" | "같은영" | "시행규칙");
        own || best.iter().any(|candidate| {
            let title = squeezed(&candidate.chunk.title);
            title.starts_with(&law)
                || law != "법률" && title.ends_with(&law)
                || analysis.question.contains(&candidate.chunk.title)
        })
    };
    !analysis.articles.is_empty()
        && analysis.articles.iter().all(|reference| reference.law.as_deref().is_some_and(|law| !here(law)))
}

/// What no passage speaks of. If there is an answer all the same, only what the question leans on is worth telling.
fn missing(concepts: &[Weighed], most: &[f32], answerable: bool) -> Vec<String> {
    let all: f32 = concepts.iter().map(|concept| concept.judged).sum();
    let least = if answerable { LEANS_ON * all } else { 0.0 };
    let lacks = concepts.iter().zip(most).filter(|(concept, most)| {
        **most < SPOKEN && concept.firm && concept.judged > 0.0 && concept.judged >= least
    });
    lacks.filter_map(|(concept, _)| concept.names.first().map(|words| words.join(" "))).collect()
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

/// How much more another family of statutes speaks of the question than the best passage's own.
fn elsewhere(best: &[Candidate]) -> f32 {
    let Some(first) = best.first() else { return 0.0 };
    let meant = family(&first.chunk.title);
    let (mut own, mut others) = (0.0_f32, 0.0_f32);
    for candidate in best.iter().take(COMPARED) {
        let of = if family(&candidate.chunk.title) == meant { &mut own } else { &mut others };
        *of = of.max(candidate.features.body);
    }
    others - own
}

/// Only statutes can be compared so. Everyday phrases and definitions are not found by how many words they share; and a
/// passage that speaks of nearly all of it is where one would look.
fn comparable(best: &[Candidate], analysis: &Analysis) -> bool {
    best.first().is_some_and(|first| {
        first.chunk.article.as_deref().and_then(article_number).is_some()
            && first.features.defines <= 0.5
            && first.features.body <= SPEAKS
    }) && !analysis.expansions.iter().any(|expansion| expansion.words.len() > 1)
}
