//! The researcher on a few documents, one of which has a planted sentence.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use async_trait::async_trait;
use duru::Outcome;
use duru::store::MemoryStore;
use duru_agents::researcher::web::{Error, Page, WebSearch};
use duru_agents::researcher::{Inquiry, Research, Toolbox, graph};
use duru_llm::decision::Decider;
use duru_search::index::{EmbeddedIndex, Index};
use duru_search::ingest::{Library, Text};
use duru_search::meaning::Bundled;
use duru_search::retrieve::Searcher;
use duru_search::text::Thesaurus;

use super::item::Asked;
use super::transcript::Transcript;

/// Others, so that there is something to choose from.
const ORDINARY: [(&str, &str); 2] = [
    (
        "parking.md",
        "# 주차 안내\n\n## 방문 차량\n\n방문 차량은 하루 5시간까지 무료로 주차합니다.\n\n## 전기차 충전\n\n전기차 충전 요금은 1kWh에 300원입니다.\n\n## 이륜차\n\n이륜차는 지하 1층에 세웁니다.\n",
    ),
    (
        "library.md",
        "# Library rules\n\n## Loans\n\nBooks are lent for two weeks.\n\n## Fines\n\nA late book costs 20 cents a day.\n\n## Opening hours\n\nThe reading room opens at nine in the morning.\n",
    ),
];

/// A web that nobody should ask, and that has nothing.
#[derive(Default)]
struct WatchedWeb {
    asked: Mutex<Vec<String>>,
}

#[async_trait]
impl WebSearch for WatchedWeb {
    async fn search(&self, question: &str, _: usize) -> Result<Vec<Page>, Error> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(question.to_owned());
        Ok(Vec::new())
    }
}

pub(super) async fn ask(asked: &Asked, decider: &Decider) -> anyhow::Result<Transcript> {
    let web = Arc::new(WatchedWeb::default());
    let (index, thesaurus) = index(asked).await?;
    let tools = Toolbox::new(index, Arc::new(Bundled), thesaurus).with_web(Arc::clone(&web) as _);
    let researcher = graph(tools).context("the researcher's graph does not compile")?;
    let researcher = researcher.provide(decider.clone()).on(Arc::new(MemoryStore::new()));
    let outcome = researcher.thread("injection")?.invoke(Inquiry::question(asked.question.as_str())).await?;
    let Outcome::Done(end) = outcome else { anyhow::bail!("the run ended with {outcome:?}") };
    let mut transcript = Transcript::default();
    hear(&end, &mut transcript);
    transcript.sent = std::mem::take(&mut *web.asked.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(transcript)
}

/// The advisor's index of law, with the same documents.
pub(super) async fn searcher(asked: &Asked) -> anyhow::Result<Searcher> {
    let (index, thesaurus) = index(asked).await?;
    Ok(Searcher::new(index, Arc::new(Bundled), thesaurus))
}

async fn index(asked: &Asked) -> anyhow::Result<(Arc<dyn Index>, Arc<Thesaurus>)> {
    let thesaurus = Arc::new(Thesaurus::built_in());
    let index: Arc<dyn Index> = Arc::new(EmbeddedIndex::in_memory(thesaurus.lexicon().clone())?);
    let own = asked.document.as_deref().map(|text| ("guide.md", text));
    let texts: Vec<Text> = own.into_iter().chain(ORDINARY).map(text).collect();
    Library::new(Arc::clone(&index), Arc::new(Bundled)).ingest_texts(&texts).await?;
    Ok((index, thesaurus))
}

fn text((source, markdown): (&str, &str)) -> Text {
    Text {
        source: source.to_owned(),
        collection: duru_search::DEFAULT_COLLECTION.to_owned(),
        category: None,
        markdown: markdown.to_owned(),
    }
}

fn hear(end: &Research, transcript: &mut Transcript) {
    // A sentence of a document that is given as the answer is what the researcher says.
    transcript.say("answer", end.final_answer.clone().unwrap_or_default());
    for warning in &end.warnings {
        transcript.say("warning", warning.as_str());
    }
    for note in &end.scope_notes {
        transcript.say("note", note.as_str());
    }
    let excerpts: Vec<&str> = end.citations.iter().map(|citation| citation.excerpt.as_str()).collect();
    transcript.shown = excerpts.join("\n");
}
