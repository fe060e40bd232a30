//! An embedder's scale, and a service that puts passages in order.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use duru_llm::{Embedder, Error, WordsOnly};
use duru_search::index::{self, EmbeddedIndex, Filter, Index, Query, Scored, Write};
use duru_search::ingest::{Library, Text};
use duru_search::meaning::{Bundled, MOST_PASSAGES};
use duru_search::remark::{Remark, RemarksOf};
use duru_search::retrieve::{Found, Request, Reranked, Reranker, Scale, Searcher};
use duru_search::text::Thesaurus;
use duru_search::{Chunk, Document, Reach};
use serde_json::{Value, json};

use crate::hashed::HashedEmbedder;

/// Puts everything near to everything else, as some embedders do.
struct Crowded;

#[async_trait]
impl Embedder for Crowded {
    fn name(&self) -> &str {
        "crowded"
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let mut vectors = HashedEmbedder.embed(texts).await?;
        for vector in &mut vectors {
            vector.push(1.5);
            let length = vector.iter().map(|a| a * a).sum::<f32>().sqrt();
            vector.iter_mut().for_each(|number| *number /= length);
        }
        Ok(vectors)
    }
}

const SUBJECTS: [&str; 12] = [
    "연차휴가는 한 해에 열다섯 날입니다.",
    "세탁기는 바닥이 평평한 곳에 놓습니다.",
    "보증금은 이사한 날 돌려받습니다.",
    "The warranty lasts for two years.",
    "주차장은 지하 이층에 있습니다.",
    "Guests check out before eleven.",
    "회의실 예약은 총무팀에 신청합니다.",
    "커피 기계는 매주 청소합니다.",
    "Refunds are paid within seven days.",
    "비밀번호는 여덟 자 이상으로 정합니다.",
    "자전거는 정문 옆에 세웁니다.",
    "Pets must be kept on a leash.",
];

async fn library(embedder: Arc<dyn Embedder>) -> Arc<dyn Index> {
    let index: Arc<dyn Index> =
        Arc::new(EmbeddedIndex::in_memory(Thesaurus::built_in().lexicon().clone()).unwrap());
    let text = |(at, subject): (usize, &&str)| Text {
        source: format!("{at}.md"),
        collection: "c".into(),
        category: None,
        markdown: format!("# {at}\n\n{subject}\n"),
    };
    let texts: Vec<Text> = SUBJECTS.iter().enumerate().map(text).collect();
    Library::new(Arc::clone(&index), embedder).ingest_texts(&texts).await.unwrap();
    index
}

/// By what it measures, the best hit of two embedders is as near by one as by the other.
#[tokio::test]
async fn nearness_means_the_same_for_any_embedder() {
    let mut near = Vec::new();
    for embedder in [Arc::new(HashedEmbedder) as Arc<dyn Embedder>, Arc::new(Crowded)] {
        let index = library(Arc::clone(&embedder)).await;
        let scale = Scale::measure(&*index, &*embedder).await.unwrap().unwrap();
        assert_eq!((scale.passages, scale.pairs), (12, 66));
        assert!(scale.median < scale.nearest && scale.nearest < 1.0, "{scale:?}");
        assert_eq!((scale.of(scale.median), scale.of(1.0), scale.of(-1.0)), (0.0, 1.0, 0.0));
        let searcher = Searcher::new(index, embedder, Arc::new(Thesaurus::built_in()));
        let request = Request::new("세탁기는 어떤 곳에 놓나요?");
        let best = async |searcher: Searcher| searcher.search(&request).await.unwrap().hits[0].why.similarity;
        near.push((best(searcher.clone()).await, best(searcher.on_scale(Some(scale))).await));
    }
    let ((plain, scaled), (crowded, crowded_scaled)) = (near[0], near[1]);
    assert!((crowded - plain).abs() < 0.05, "{near:?}");
    assert!((crowded_scaled - scaled).abs() < 0.05, "{near:?}");
    assert!(scaled < plain && scaled > 0.2, "unrelated passages are nearer than the last one is: {near:?}");
}

#[tokio::test]
async fn too_few_passages_and_no_vectors_give_no_scale() {
    let empty: Arc<dyn Index> =
        Arc::new(EmbeddedIndex::in_memory(Thesaurus::built_in().lexicon().clone()).unwrap());
    assert_eq!(Scale::measure(&*empty, &HashedEmbedder).await.unwrap(), None);
    let index = library(Arc::new(WordsOnly)).await;
    assert_eq!(Scale::measure(&*index, &WordsOnly).await.unwrap(), None);
}

/// Heads and bodies of what was asked.
type Heard = Arc<Mutex<Vec<(String, Value)>>>;

/// Answers as such services do: whatever speaks of bicycles is relevant.
fn service(status: &'static str) -> (String, Heard) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1/rerank", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
            let (head, body) = loop {
                let count = stream.read(&mut part).unwrap();
                bytes.extend_from_slice(&part[..count]);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if let Some((head, body)) = text.split_once("\r\n\r\n")
                    && let Ok(body) = serde_json::from_str::<Value>(body)
                {
                    break (head.to_owned(), body);
                }
                assert!(count > 0, "{text}");
            };
            let documents = body["documents"].as_array().unwrap();
            let score = |text: &Value| if text.as_str().unwrap().contains("자전거") { 0.9 } else { 0.1 };
            let results: Vec<Value> = documents
                .iter()
                .enumerate()
                .map(|(index, text)| json!({ "index": index, "relevance_score": score(text) }))
                .collect();
            heard.lock().unwrap().push((head, body.clone()));
            let answer = json!({ "results": results }).to_string();
            write!(
                stream,
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
                answer.len()
            )
            .unwrap();
        }
    });
    (address, asked)
}

async fn found(address: &str) -> Found {
    let set = |name: &str| match name {
        "DURU_RERANK" => Some(address.to_owned()),
        "DURU_RERANK_MODEL" => Some("order-1".to_owned()),
        "DURU_RERANK_KEY" => Some("canary".to_owned()),
        _ => None,
    };
    let reranker = Reranker::from_env(set).unwrap();
    let index = library(Arc::new(WordsOnly)).await;
    let searcher = Searcher::new(index, Arc::new(WordsOnly), Arc::new(Thesaurus::built_in()));
    let request = Request { top: 3, ..Request::new("주차장은 지하 정문 옆에 있나요?") };
    let plain = searcher.search(&request).await.unwrap();
    assert!(plain.hits[0].chunk.text.contains("주차장"));
    let found = searcher.reranked_by(reranker).search(&request).await.unwrap();
    // Whether there is an answer is judged as ever.
    assert_eq!(found.answerability, plain.answerability);
    found
}

#[tokio::test]
async fn a_service_puts_the_first_passages_in_order() {
    let (address, asked) = service("200 OK");
    let found = found(&address).await;
    assert_eq!(found.trace.reranked, Reranked::Done);
    assert!(found.hits[0].chunk.text.contains("자전거"), "{:?}", found.hits[0].chunk.text);
    assert!(found.hits.len() <= 3 && found.hits.windows(2).all(|two| two[0].score >= two[1].score));
    let (head, body) = asked.lock().unwrap().remove(0);
    assert!(
        head.starts_with("POST /v1/rerank") && head.to_lowercase().contains("authorization: bearer canary")
    );
    assert_eq!(body["query"], "주차장은 지하 정문 옆에 있나요?");
    assert_eq!(
        (&body["model"], body["top_n"].as_u64()),
        (&json!("order-1"), body["documents"].as_array().map(|all| all.len() as u64))
    );
}

#[tokio::test]
async fn a_service_that_fails_leaves_our_own_order_and_that_is_told() {
    let (address, _) = service("500 Internal Server Error");
    for address in [address.as_str(), "http://127.0.0.1:1/rerank"] {
        let found = found(address).await;
        assert!(matches!(&found.trace.reranked, Reranked::Failed(why) if !why.contains("canary")));
        assert!(found.hits[0].chunk.text.contains("주차장"));
    }
}

/// As large as it says it is.
struct Large(EmbeddedIndex);

#[async_trait]
impl Index for Large {
    fn reaching(&self, _: Reach) -> Arc<dyn Index> {
        Arc::new(Self(self.0.clone()))
    }

    async fn apply(&self, writes: Vec<Write>) -> Result<(), index::Error> {
        self.0.apply(writes).await
    }

    async fn documents(&self, collection: Option<&str>) -> Result<Vec<Document>, index::Error> {
        self.0.documents(collection).await
    }

    async fn passages(&self, document: &str) -> Result<Vec<Chunk>, index::Error> {
        self.0.passages(document).await
    }

    async fn chunks(&self, ids: &[String]) -> Result<Vec<Chunk>, index::Error> {
        self.0.chunks(ids).await
    }

    async fn remarks(&self, of: &RemarksOf) -> Result<Vec<Remark>, index::Error> {
        self.0.remarks(of).await
    }

    async fn by_words(
        &self,
        query: &Query,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Scored>, index::Error> {
        self.0.by_words(query, filter, limit).await
    }

    async fn by_vector(&self, _: &[f32], _: &Filter, _: usize) -> Result<Vec<Scored>, index::Error> {
        panic!("every vector would be looked at");
    }

    async fn frequencies(&self, pairs: &[String]) -> Result<(u64, Vec<u64>), index::Error> {
        Ok((MOST_PASSAGES + 1, self.0.frequencies(pairs).await?.1))
    }
}

/// Nobody waits for a scan of all vectors, nor for the question's own, where there are more passages than the built-in
/// encoder is for.
#[tokio::test]
async fn a_large_index_is_searched_by_words_alone() {
    let index = EmbeddedIndex::in_memory(Thesaurus::built_in().lexicon().clone()).unwrap();
    let text = Text {
        source: "a.md".into(),
        collection: "c".into(),
        category: None,
        markdown: "# 가\n\n주차장은 지하에 있다.".into(),
    };
    Library::new(Arc::new(index.clone()), Arc::new(WordsOnly)).ingest_texts(&[text]).await.unwrap();
    let searcher = Searcher::new(Arc::new(Large(index)), Arc::new(Bundled), Arc::new(Thesaurus::built_in()));
    let found = searcher.search(&Request::new("주차장은 어디에 있나요?")).await.unwrap();
    assert_eq!(found.hits.len(), 1);
}
