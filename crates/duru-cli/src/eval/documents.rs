//! `duru eval documents`: does the search find the articles that answer?

use std::path::Path;
use std::sync::Arc;

use duru_agents::researcher::evaluation::variations;
use duru_llm::HashedEmbedder;
use duru_search::index::EmbeddedIndex;
use duru_search::ingest::{Ingest, Library};
use duru_search::retrieve::{Found, Request, Searcher};
use duru_search::text::Thesaurus;
use serde::Deserialize;
use serde_json::json;

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
}

/// Sums over the questions, by the usual measures.
#[derive(Default)]
struct Score {
    answerable: usize,
    recall_5: f64,
    recall_10: f64,
    reciprocal: f64,
    refused: usize,
    unanswerable: usize,
    recognised: usize,
}

pub(crate) async fn run(args: &EvalDocuments, output: &Output) -> Result<(), Problem> {
    let questions = questions(&args.questions)?;
    let thesaurus = Arc::new(Thesaurus::built_in());
    let index = EmbeddedIndex::in_memory(thesaurus.lexicon().clone()).map_err(DocsProblem::Index)?;
    let (index, embedder) = (Arc::new(index), Arc::new(HashedEmbedder));
    output.progress(output.lang.pick("문서를 색인합니다…", "Indexing the documents…"));
    let library = Library::new(index.clone(), embedder.clone());
    let report =
        library.ingest(&Ingest::of([args.corpus.clone()]), |_| {}).await.map_err(DocsProblem::Ingest)?;
    if let Some(skipped) = report.skipped.first() {
        return Err(DocsProblem::Content(skipped.path.clone(), skipped.error.to_string()).into());
    }
    let searcher = Searcher::new(index, embedder, Arc::clone(&thesaurus));
    let decider = args.with.model.as_ref().map(|_| super::decider(&args.with)).transpose()?;
    let mut score = Score::default();
    let mut lines = String::new();
    for (place, question) in questions.iter().enumerate() {
        let variations = match &decider {
            Some(decider) => variations(&question.question, &thesaurus, decider).await,
            None => Vec::new(),
        };
        let request = Request { top: args.top, variations, ..Request::new(&question.question) };
        let found = searcher.search(&request).await.map_err(DocsProblem::Search)?;
        let ids: Vec<&str> = found.hits.iter().map(|hit| hit.chunk.id.as_str()).collect();
        score.add(question, &found, &ids);
        let answerable = found.answerability.answerable;
        lines.push_str(&format!("{}\n", json!({ "id": question.id, "ids": ids, "answerable": answerable })));
        if (place + 1) % 10 == 0 || place + 1 == questions.len() {
            output.progress(&output.lang.pick(
                format!("{}/{} 질문", place + 1, questions.len()),
                format!("{} of {} questions", place + 1, questions.len()),
            ));
        }
    }
    std::fs::write(&args.out, lines).map_err(|error| DocsProblem::File(args.out.clone(), error))?;
    output.text(&score.text(output))?;
    output.json(score.json(report.passages))
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

impl Score {
    fn add(&mut self, question: &Question, found: &Found, ids: &[&str]) {
        let gold = question.gold_articles.as_deref().unwrap_or_default();
        let refuses = !found.answerability.answerable || ids.is_empty();
        if gold.is_empty() {
            self.unanswerable += 1;
            self.recognised += usize::from(refuses);
            return;
        }
        self.answerable += 1;
        self.refused += usize::from(refuses);
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
                "질문 {}개: 재현율@5 {five:.4}, 재현율@10 {ten:.4}, MRR@10 {rank:.4}; 답이 있는데 거절 {}개\n답이 없는 질문 {}개 중 {}개를 알아보았습니다\n",
                self.answerable, self.refused, self.unanswerable, self.recognised
            ),
            format!(
                "{} questions: recall@5 {five:.4}, recall@10 {ten:.4}, MRR@10 {rank:.4}; {} with an answer refused\n{} of {} questions without an answer recognised\n",
                self.answerable, self.refused, self.recognised, self.unanswerable
            ),
        )
    }

    fn json(&self, passages: usize) -> serde_json::Value {
        json!({
            "passages": passages, "questions": self.answerable, "recall_at_5": self.mean(self.recall_5),
            "recall_at_10": self.mean(self.recall_10), "mrr_at_10": self.mean(self.reciprocal),
            "refused": self.refused, "unanswerable": self.unanswerable, "recognised": self.recognised,
        })
    }
}
