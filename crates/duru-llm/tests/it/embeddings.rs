//! Vectors from a provider.

use duru_llm::fake::{Fake, Fault};

use crate::support::settings;

fn texts(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("문서 {number}")).collect()
}

#[tokio::test]
async fn vectors_are_in_the_order_of_their_texts() {
    let fake = Fake::start().await.unwrap();
    let embedder = settings(&fake, "openai:e").embedder().unwrap();
    let all = embedder.embed(&texts(300)).await.unwrap();
    assert_eq!(all.len(), 300);
    assert_eq!(fake.seen().len(), 3, "in requests of at most 128 texts");
    for (text, vector) in texts(300).into_iter().zip(&all).step_by(77) {
        assert_eq!(&embedder.embed(&[text]).await.unwrap()[0], vector);
    }
    assert!(embedder.embed(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_no_vector_is_an_error() {
    for (fault, code) in [
        (Fault::Status(500), "model_overloaded"),
        (Fault::WrongKey, "model_wrong_key"),
        (Fault::Empty, "model_bad_reply"),
        (Fault::NotStreamed(String::new()), ""),
    ] {
        let fake = Fake::start().await.unwrap();
        fake.next(fault);
        let embedder = settings(&fake, "ollama:e").embedder().unwrap();
        let outcome = embedder.embed(&texts(2)).await;
        assert_eq!(outcome.map_or_else(|error| error.code(), |_| ""), code);
    }
}

#[tokio::test]
async fn anthropic_has_none() {
    let fake = Fake::start().await.unwrap();
    let error = settings(&fake, "anthropic:m").embedder().err().unwrap();
    assert!(error.to_string().contains("DURU_EMBEDDING"), "{error}");
}
