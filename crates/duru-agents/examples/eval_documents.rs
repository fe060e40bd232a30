//! The researcher without a model on a file of questions about a corpus: `eval_documents CORPUS QUESTIONS`.
//!
//! Says how often an answer cites an article that it should, how often it is refused, and whether every sentence has a
//! source.

use std::path::PathBuf;
use std::sync::Arc;

use duru::store::MemoryStore;
use duru_agents::researcher::{Inquiry, Toolbox, WorkflowStatus, graph};
use duru_llm::WordsOnly;
use duru_llm::decision::Decider;
use duru_search::index::{EmbeddedIndex, Index};
use duru_search::ingest::{Ingest, Library};
use duru_search::text::Thesaurus;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(corpus), Some(questions)) = (args.next(), args.next()) else {
        return Err("eval_documents CORPUS QUESTIONS".into());
    };
    let thesaurus = Arc::new(Thesaurus::built_in());
    let index: Arc<dyn Index> = Arc::new(EmbeddedIndex::in_memory(thesaurus.lexicon().clone())?);
    Library::new(Arc::clone(&index), Arc::new(WordsOnly)).ingest(&Ingest::of([corpus]), |_| {}).await?;
    let tools = Toolbox::new(index, Arc::new(WordsOnly), thesaurus);
    let app = graph(tools)?.provide(Decider::by_rules()).on(Arc::new(MemoryStore::new()));
    let (mut asked, mut refused, mut cited, mut unverified, mut unmarked) = (0, 0, 0, 0, 0);
    let (mut silent, mut silence) = (0, 0);
    for line in std::fs::read_to_string(questions)?.lines() {
        let question: Value = serde_json::from_str(line)?;
        let gold: Vec<&str> =
            question["gold_articles"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let text = question["question"].as_str().unwrap_or_default();
        let id = question["id"].as_str().unwrap_or_default();
        let end = app.thread(id)?.invoke(Inquiry::question(text)).await?.done()?;
        if gold.is_empty() {
            silent += 1;
            silence += usize::from(end.citations.is_empty());
            continue;
        }
        asked += 1;
        refused += usize::from(end.citations.is_empty());
        cited += usize::from(end.citations.iter().any(|citation| gold.contains(&citation.document.as_str())));
        unverified += usize::from(end.workflow_status == WorkflowStatus::Failed);
        let answer = end.final_answer.clone().unwrap_or_default();
        let lines = answer.lines().filter(|line| !line.is_empty() && !line.starts_with(['※', '⚠', '-']));
        unmarked +=
            usize::from(!end.citations.is_empty() && lines.into_iter().any(|line| !line.contains('[')));
        if asked % 20 == 0 {
            println!("{text}\n{answer}\n");
            println!(
                "{asked} asked: {cited} cite a right article, {refused} refused, {unverified} unverified, {unmarked} with an unmarked sentence"
            );
        }
    }
    println!(
        "{asked} asked: {cited} cite a right article, {refused} refused, {unverified} unverified, {unmarked} with an unmarked sentence"
    );
    println!("{silent} without an answer: {silence} recognised");
    Ok(())
}
