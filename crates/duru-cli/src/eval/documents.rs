//! `duru eval documents`: does the search find the articles that answer?

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use duru_agents::researcher::evaluation::{read, variations};
use duru_llm::decision::Decider;
use duru_search::index::EmbeddedIndex;
use duru_search::ingest::{Ingest, Library};
use duru_search::meaning::Bundled;
use duru_search::retrieve::{Ending, Found, Hit, Request, Searcher};
use duru_search::text::Thesaurus;
use serde::Deserialize;
use serde_json::json;

use super::figures::Figures;
use super::policy::{Ending as Ended, Judge, Written, measure};
use crate::args::EvalDocuments;
use crate::docs::DocsProblem;
use crate::output::Output;
use crate::problem::Problem;

#[derive(Deserialize)]
struct Question {
    id: String,
    question: String,
    /// The articles that answer it; none if nothing does.
    #[serde(default)]
    gold_articles: Option<Vec<String>>,
    /// In their place: the document and the heading that answer it.
    #[serde(default)]
    source: String,
    #[serde(default)]
    section: String,
    /// Others that answer it as well: `handbook.md#A heading`.
    #[serde(default)]
    also: Vec<String>,
}

impl Question {
    /// What answers it, as hits are called; nothing if nothing does.
    fn gold(&self) -> Vec<String> {
        match &self.gold_articles {
            Some(articles) => articles.clone(),
            None if self.section.is_empty() => Vec::new(),
            None => vec![format!("{}#{}", self.source, self.section)],
        }
    }
}

/// Sums over the questions, by the usual measures.
#[derive(Default)]
struct Score {
    answerable: usize,
    recall_5: f64,
    recall_10: f64,
    reciprocal: f64,
    /// Of those with an answer, how many end in one, and how many of these show it among the first three.
    answered: usize,
    answered_right: usize,
    /// How many are shown as what may be meant, and are right.
    offered_right: usize,
    /// How many end in nothing.
    refused: usize,
    unanswerable: usize,
    /// How many of those do not end in an answer.
    recognised: usize,
}

/// So many passages of an answer are looked at.
const LOOKED_AT: usize = 3;

pub(crate) async fn run(args: &EvalDocuments, output: &Output) -> Result<(), Problem> {
    let questions = questions(&args.questions)?;
    let thesaurus = Arc::new(Thesaurus::built_in());
    let index = EmbeddedIndex::in_memory(thesaurus.lexicon().clone()).map_err(DocsProblem::Index)?;
    let (index, embedder) = (Arc::new(index), Arc::new(Bundled));
    output.progress(output.lang.pick("문서를 색인합니다…", "Indexing the documents…"));
    let library = Library::new(index.clone(), embedder.clone());
    let report =
        library.ingest(&Ingest::of([args.corpus.clone()]), |_| {}).await.map_err(DocsProblem::Ingest)?;
    if let Some(skipped) = report.skipped.first() {
        return Err(DocsProblem::Content(skipped.path.clone(), skipped.error.to_string()).into());
    }
    let searcher = Searcher::new(index, embedder, thesaurus);
    if let Some(file) = &args.with.write_policy {
        let to = Written { set: "documents", out: &args.out, file };
        let judged = Judged { searcher, questions, top: args.top };
        return measure(&mut { judged }, &args.with, &to, output).await;
    }
    let decider = args.with.model.as_ref().map(|_| super::decider(&args.with)).transpose()?;
    let figures = Figures::default();
    let decider = decider.map(|decider| figures.counting(&decider));
    let mut score = Score::default();
    let mut lines = String::new();
    for (place, question) in questions.iter().enumerate() {
        figures.question_asked();
        let variations = match &decider {
            Some(decider) => variations(&question.question, decider).await,
            None => Vec::new(),
        };
        let request = Request { top: args.top, variations, ..Request::new(&question.question) };
        let mut found = searcher.search(&request).await.map_err(DocsProblem::Search)?;
        if let Some(decider) = &decider {
            found = read(&question.question, found, decider).await;
        }
        figures.question_answered();
        let ids: Vec<String> = found.hits.iter().map(|hit| called(question, hit)).collect();
        score.add(question, &found, &ids);
        let judged = &found.answerability;
        let line = json!({
            "id": question.id, "ids": ids, "answerable": judged.answerable, "ending": judged.ending,
            "confidence": judged.confidence, "signs": judged.signs,
            "why": found.hits.iter().map(|hit| hit.why).collect::<Vec<_>>(),
        });
        lines.push_str(&format!("{line}\n"));
        if (place + 1) % 10 == 0 || place + 1 == questions.len() {
            output.progress(&output.lang.pick(
                format!("{}/{} 질문", place + 1, questions.len()),
                format!("{} of {} questions", place + 1, questions.len()),
            ));
        }
    }
    std::fs::write(&args.out, lines).map_err(|error| DocsProblem::File(args.out.clone(), error))?;
    output.text(&score.text(output))?;
    output.json(figures.add_to(score.json(report.passages), &args.with))
}

/// The questions, with the documents that answer them.
struct Judged {
    searcher: Searcher,
    questions: Vec<Question>,
    top: usize,
}

impl Judge for Judged {
    fn names(&self) -> Vec<String> {
        self.questions.iter().map(|question| question.id.clone()).collect()
    }

    /// Right is an answer whose first passages have it, and none where there is none.
    async fn ending(&mut self, question: usize, decider: Decider) -> anyhow::Result<Option<Ended>> {
        let question = self.questions.get(question).context("there is no such question")?;
        let variations = variations(&question.question, &decider).await;
        let request = Request { top: self.top, variations, ..Request::new(&question.question) };
        let found = self.searcher.search(&request).await?;
        let found = read(&question.question, found, &decider).await;
        let ids: Vec<String> = found.hits.iter().map(|hit| called(question, hit)).collect();
        let mut score = Score::default();
        score.add(question, &found, &ids);
        Ok(Some(Ended::of(score.answered_right + score.recognised == 1)))
    }
}

fn questions(file: &Path) -> Result<Vec<Question>, DocsProblem> {
    let text = std::fs::read_to_string(file).map_err(|error| DocsProblem::File(file.to_owned(), error))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| {
                DocsProblem::Content(file.to_owned(), format!("line {}: {error}", index + 1))
            })
        })
        .collect()
}

/// What a hit is called in the labels: its id, or `handbook.md#A heading` where documents have no ids of their own. An
/// article stands under its number and name, which labels write as the document does: `제17조 (반려동물)`.
fn called(question: &Question, hit: &Hit) -> String {
    let chunk = &hit.chunk;
    let file = chunk.source.rsplit('/').next().unwrap_or_default();
    let article = chunk.article.as_ref().map(|number| format!("{number}{}", chunk.name));
    let own = chunk.headings.iter().chain([&chunk.name]).chain(&article);
    let own: Vec<String> = own.map(|heading| letters(&format!("{file}#{heading}"))).collect();
    let is_own = |label: &&String| own.contains(&letters(label));
    let gold = question.gold();
    match gold.first() {
        Some(first) if question.also.iter().any(|label| is_own(&label)) => first.clone(),
        _ => gold.iter().find(is_own).unwrap_or(&chunk.id).clone(),
    }
}

/// A label without the signs that people put between its words.
fn letters(label: &str) -> String {
    label.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, '#' | '.')).collect()
}

impl Score {
    fn add(&mut self, question: &Question, found: &Found, ids: &[String]) {
        let gold = question.gold();
        let ending = found.answerability.ending;
        let refuses = ending == Ending::None || ids.is_empty();
        if gold.is_empty() {
            self.unanswerable += 1;
            self.recognised += usize::from(ending != Ending::Answer);
            return;
        }
        self.answerable += 1;
        self.refused += usize::from(refuses);
        let right = usize::from(ids.iter().take(LOOKED_AT).any(|id| gold.contains(id)));
        match ending {
            Ending::Answer => {
                self.answered += 1;
                self.answered_right += right;
            }
            Ending::Maybe => self.offered_right += right,
            Ending::None => {}
        }
        // A refusal finds nothing.
        let ids = if refuses { &[] } else { ids };
        let share = |top: usize| {
            let hits = gold.iter().filter(|id| ids.iter().take(top).any(|found| found == *id)).count();
            hits as f64 / gold.len() as f64
        };
        self.recall_5 += share(5);
        self.recall_10 += share(10);
        let first = ids.iter().take(10).position(|id| gold.iter().any(|wanted| wanted == id));
        self.reciprocal += first.map_or(0.0, |place| 1.0 / (place as f64 + 1.0));
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.answerable.max(1) as f64
    }

    fn text(&self, output: &Output) -> String {
        let [five, ten, rank] = [self.recall_5, self.recall_10, self.reciprocal].map(|sum| self.mean(sum));
        output.lang.pick(
            format!(
                "질문 {}개: 재현율@5 {five:.4}, 재현율@10 {ten:.4}, MRR@10 {rank:.4}; 답으로 끝남 {}개(맞음 {}개), 답이 있는데 거절 {}개\n답이 없는 질문 {}개 중 {}개에는 답하지 않았습니다\n",
                self.answerable, self.answered, self.answered_right, self.refused, self.unanswerable, self.recognised
            ),
            format!(
                "{} questions: recall@5 {five:.4}, recall@10 {ten:.4}, MRR@10 {rank:.4}; {} ended in an answer ({} right), {} with an answer refused\n{} of {} questions without an answer were not answered\n",
                self.answerable, self.answered, self.answered_right, self.refused, self.recognised, self.unanswerable
            ),
        )
    }

    fn json(&self, passages: usize) -> serde_json::Value {
        json!({
            "passages": passages, "questions": self.answerable, "recall_at_5": self.mean(self.recall_5),
            "recall_at_10": self.mean(self.recall_10), "mrr_at_10": self.mean(self.reciprocal),
            "answered": self.answered, "answered_right": self.answered_right, "offered_right": self.offered_right, "refused": self.refused, "unanswerable": self.unanswerable, "recognised": self.recognised,
        })
    }
}
