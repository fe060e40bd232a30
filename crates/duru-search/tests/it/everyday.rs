//! Questions as people put them: what somebody said or wants, run together, blunt, story first, question last.

use std::sync::Arc;

use duru_llm::HashedEmbedder;
use duru_search::index::EmbeddedIndex;
use duru_search::ingest::{Ingest, Library};
use duru_search::retrieve::{Found, Request, Searcher};
use duru_search::sample;
use duru_search::text::{Thesaurus, squeezed};

use crate::law::folder;

fn shelf() -> (Library, Searcher) {
    let thesaurus = Arc::new(Thesaurus::built_in());
    let index = Arc::new(EmbeddedIndex::in_memory(thesaurus.lexicon().clone()).unwrap());
    let library = Library::new(index.clone(), Arc::new(HashedEmbedder));
    (library, Searcher::new(index, Arc::new(HashedEmbedder), thesaurus))
}

/// Is one of the wanted passages among the first five?
fn has(found: &Found, wanted: &str) -> bool {
    let wanted: Vec<String> = wanted.split('|').map(squeezed).collect();
    found.hits.iter().take(5).any(|hit| {
        let (name, id) = (squeezed(&hit.chunk.name), squeezed(&hit.chunk.id));
        wanted.iter().any(|wanted| name.contains(wanted) || id.contains(wanted))
    })
}

async fn every_question_of(place: &str, searcher: &Searcher) {
    let mut wrong = Vec::new();
    for line in include_str!("data/everyday.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [of, question, wanted] = columns[..] else { panic!("a line without three columns: {line}") };
        if of != place {
            continue;
        }
        let found = searcher.search(&Request::new(question)).await.unwrap();
        let answers = found.answerability.answerable;
        let right = if wanted == "-" { !answers } else { answers && has(&found, wanted) };
        if !right {
            wrong.push(format!("{question}: answers {answers}, missing {:?}", found.answerability.missing));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn everyday_questions_find_their_sample_or_are_refused() {
    let (library, searcher) = shelf();
    library.ingest_texts(&sample::texts()).await.unwrap();
    every_question_of("sample", &searcher).await;
}

#[tokio::test]
async fn everyday_questions_find_their_statute_or_are_refused() {
    let Some(folder) = folder() else {
        eprintln!("*** skipped: the statute benchmark is not on this machine (DURU_SHARED)");
        return;
    };
    let (library, searcher) = shelf();
    library.ingest(&Ingest::of([folder.join("corpus.jsonl")]), |_| {}).await.unwrap();
    every_question_of("statutes", &searcher).await;
}
