//! Questions as people put them: what somebody said or wants, run together, blunt, story first, question last.

use std::sync::Arc;

use duru_llm::{Embedder, WordsOnly};
use duru_search::index::EmbeddedIndex;
use duru_search::ingest::{Ingest, Library};
use duru_search::meaning::Bundled;
use duru_search::retrieve::{Ending, Found, Request, Searcher};
use duru_search::sample;
use duru_search::text::{Thesaurus, squeezed};

use crate::law::folder;

fn shelf(embedder: Arc<dyn Embedder>) -> (Library, Searcher) {
    let thesaurus = Arc::new(Thesaurus::built_in());
    let index = Arc::new(EmbeddedIndex::in_memory(thesaurus.lexicon().clone()).unwrap());
    let library = Library::new(index.clone(), Arc::clone(&embedder));
    (library, Searcher::new(index, embedder, thesaurus))
}

/// Is one of the wanted passages among the first five?
fn has(found: &Found, wanted: &str) -> bool {
    let wanted: Vec<String> = wanted.split('|').map(squeezed).collect();
    found.hits.iter().take(5).any(|hit| {
        let (name, id) = (squeezed(&hit.chunk.name), squeezed(&hit.chunk.id));
        wanted.iter().any(|wanted| name.contains(wanted) || id.contains(wanted))
    })
}

async fn nearly_every_question_of(place: &str, searcher: &Searcher) {
    let (mut asked, mut wrong) = (0, Vec::new());
    for line in include_str!("data/everyday.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [of, question, wanted] = columns[..] else { panic!("a line without three columns: {line}") };
        if of != place {
            continue;
        }
        asked += 1;
        let found = searcher.search(&Request::new(question)).await.unwrap();
        let ending = found.answerability.ending;
        let right = match wanted {
            "-" => ending != Ending::Answer,
            wanted => ending != Ending::None && has(&found, wanted),
        };
        if !right {
            wrong.push(format!("{question}: {:?}", found.answerability));
        }
    }
    assert!(wrong.len() * 10 <= asked, "{} of {asked}: {wrong:#?}", wrong.len());
}

#[tokio::test]
async fn everyday_questions_find_their_sample_or_are_refused() {
    let (library, searcher) = shelf(Arc::new(Bundled));
    library.ingest_texts(&sample::texts()).await.unwrap();
    nearly_every_question_of("sample", &searcher).await;
}

#[tokio::test]
async fn everyday_questions_find_their_statute_or_are_refused() {
    let Some(folder) = folder() else { return };
    // By words: to read all articles for their meaning takes most of a minute.
    let (library, searcher) = shelf(Arc::new(WordsOnly));
    library.ingest(&Ingest::of([folder.join("corpus.jsonl")]), |_| {}).await.unwrap();
    nearly_every_question_of("statutes", &searcher).await;
}
