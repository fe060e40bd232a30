//! The bars on statutes, where their texts are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use duru_llm::WordsOnly;
use duru_search::index::EmbeddedIndex;
use duru_search::ingest::{Ingest, Library};
use duru_search::retrieve::{Ending, Request, Searcher};
use duru_search::text::Thesaurus;
use serde_json::Value;

/// The statutes' folder, where `DURU_SHARED` names one: their texts are no part of this repository, so what is measured
/// on them only adds to our own documents (`eval/documents`, `blind.rs`).
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("DURU_SHARED").map(|shared| PathBuf::from(shared).join("eval/law"));
    let folder = folder.filter(|folder| folder.join("corpus.jsonl").exists());
    if folder.is_none() {
        eprintln!(
            "\n*** NOT MEASURED on statutes, in addition to our own documents: DURU_SHARED names no folder with them ***\n"
        );
    }
    folder
}

#[derive(Debug, Default)]
struct Score {
    questions: f64,
    recall_5: f64,
    reciprocal: f64,
    /// Ended in an answer, and how many of those had it among the first three.
    answered: f64,
    answered_right: f64,
    refused: f64,
}

async fn score(searcher: &Searcher, file: PathBuf) -> Score {
    let mut score = Score::default();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let question: Value = serde_json::from_str(line).unwrap();
        let gold: Vec<&str> =
            question["gold_articles"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        if gold.is_empty() {
            continue;
        }
        let found = searcher.search(&Request::new(question["question"].as_str().unwrap())).await.unwrap();
        let mut ids: Vec<&str> = found.hits.iter().map(|hit| hit.chunk.id.as_str()).collect();
        match found.answerability.ending {
            Ending::Answer => {
                score.answered += 1.0;
                score.answered_right += f64::from(ids.iter().take(3).any(|id| gold.contains(id)));
            }
            Ending::Maybe => {}
            Ending::None => {
                score.refused += 1.0;
                ids.clear();
            }
        }
        score.questions += 1.0;
        let hits = gold.iter().filter(|id| ids.iter().take(5).any(|found| found == *id)).count();
        score.recall_5 += hits as f64 / gold.len() as f64;
        let first = ids.iter().take(10).position(|id| gold.contains(id));
        score.reciprocal += first.map_or(0.0, |place| 1.0 / (place as f64 + 1.0));
    }
    score.recall_5 /= score.questions;
    score.reciprocal /= score.questions;
    score.refused /= score.questions;
    score.answered_right /= score.answered;
    score.answered /= score.questions;
    score
}

/// All statutes, searched by words alone.
async fn searcher(folder: &Path) -> Searcher {
    let thesaurus = Arc::new(Thesaurus::built_in());
    let index = Arc::new(EmbeddedIndex::in_memory(thesaurus.lexicon().clone()).unwrap());
    let library = Library::new(index.clone(), Arc::new(WordsOnly));
    let report = library.ingest(&Ingest::of([folder.join("corpus.jsonl")]), |_| {}).await.unwrap();
    assert_eq!((report.added, report.skipped.len()), (1, 0));
    Searcher::new(index, Arc::new(WordsOnly), thesaurus)
}

#[tokio::test]
async fn statutes_are_found_without_a_model() {
    let Some(folder) = folder() else { return };
    let searcher = searcher(&folder).await;
    let questions = score(&searcher, folder.join("dev.jsonl")).await;
    eprintln!("questions: {questions:?}");
    assert!(
        questions.recall_5 >= 0.75 && questions.reciprocal >= 0.70 && questions.refused <= 0.04,
        "{questions:?}"
    );
    assert!(questions.answered >= 0.6 && questions.answered_right >= 0.9, "{questions:?}");
    let everyday = score(&searcher, folder.join("paraphrases_dev.jsonl")).await;
    eprintln!("paraphrases: {everyday:?}");
    assert!(everyday.recall_5 >= 0.50, "{everyday:?}");
}

#[tokio::test]
async fn questions_without_an_answer_are_told_from_others() {
    let Some(folder) = folder() else { return };
    let searcher = searcher(&folder).await;
    let first: Vec<&str> = include_str!("data/answerable.jsonl").lines().collect();
    let second: Vec<&str> = include_str!("data/second.jsonl").lines().collect();
    let mut refused = (0, 0);
    for (name, lines) in [("first", first), ("second", second)] {
        let (with, without) = answerable(&searcher, &lines).await;
        eprintln!("{name}: with an answer, refused {with:?}; without one, not answered {without:?}");
        assert!(without.0 * 5 >= without.1 * 3, "{name}: {without:?}");
        refused = (refused.0 + with.0, refused.1 + with.1);
    }
    assert!(refused.0 * 20 <= refused.1, "{refused:?} with an answer were refused");
}

#[tokio::test]
async fn english_questions_find_korean_statutes() {
    let Some(folder) = folder() else { return };
    let english = english(&searcher(&folder).await).await;
    eprintln!("English questions that find one of their Korean articles: {english:?}");
    assert!(english.0 * 5 >= english.1 * 3, "{english:?}");
}

/// Of our own questions: how many with an answer end in nothing, and how many without one do not end in an answer.
async fn answerable(searcher: &Searcher, lines: &[&str]) -> ((usize, usize), (usize, usize)) {
    let (mut with, mut without) = ((0, 0), (0, 0));
    for line in lines {
        let question: Value = serde_json::from_str(line).unwrap();
        let found = searcher.search(&Request::new(question["question"].as_str().unwrap())).await.unwrap();
        let of = if question["article"].is_string() { &mut with } else { &mut without };
        let ending = found.answerability.ending;
        of.0 += usize::from(match question["article"].is_string() {
            true => ending == Ending::None,
            false => ending != Ending::Answer,
        });
        of.1 += 1;
    }
    (with, without)
}

/// How many English questions have a Korean article among their first five hits.
async fn english(searcher: &Searcher) -> (usize, usize) {
    let (mut right, mut all) = (0, 0);
    for line in include_str!("data/english.jsonl").lines() {
        let question: Value = serde_json::from_str(line).unwrap();
        let gold: Vec<&str> =
            question["articles"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let found = searcher.search(&Request::new(question["question"].as_str().unwrap())).await.unwrap();
        let hit = found.hits.iter().take(5).any(|hit| gold.contains(&hit.chunk.id.as_str()));
        right += usize::from(hit && found.answerability.answerable);
        all += 1;
    }
    (right, all)
}
