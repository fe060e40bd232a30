//! Replies that are kept in a file: the same request is not made twice, and a recording needs no model.

use duru_llm::decision::{By, Decider};
use duru_llm::fake::{Fake, Says};
use duru_llm::{Choice, Model as _, Models, Policy, Request};
use duru_messages::Message;

use crate::decisions::{GOOD, Severity, line};

fn models(fake: &Fake, replies: &str) -> Models {
    let get = |name: &str| match name {
        "DURU_MODEL" => Some("openai:m".to_owned()),
        "DURU_REPLIES" => Some(replies.to_owned()),
        name => fake.variable(name),
    };
    Models::read(get, ["watch/severity"], Policy::default())
}

#[tokio::test]
async fn the_same_request_is_made_once_and_replayed_without_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("replies.jsonl").to_str().unwrap().to_owned();
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says { tokens: (70, 8), ..Says::text(GOOD) });
    for _ in 0..2 {
        let decided = Decider::with_models(models(&fake, &file)).decide::<Severity>(&line()).await;
        assert_eq!((decided.by, decided.usage.input_tokens), (By::Model, 70));
    }
    assert_eq!(fake.seen().len(), 1);

    // Nobody is there any more.
    let nobody = Fake::start().await.unwrap();
    let replaying = models(&nobody, &format!("replay:{file}"));
    let decided = Decider::with_models(replaying.clone()).decide::<Severity>(&line()).await;
    assert_eq!((decided.by, decided.usage.output_tokens), (By::Model, 8));
    // What was not recorded is not asked; and whatever is different in a request makes it another one.
    let Choice::Model(model) = replaying.of("watch/severity") else { panic!("there is a model") };
    let other = Request::new([Message::human("?")]);
    assert_eq!(model.reply(&other).await.unwrap_err().code(), "model_not_recorded");
    assert!(nobody.seen().is_empty());
    let caching = models(&fake, &file);
    let Choice::Model(model) = caching.of("watch/severity") else { panic!("there is a model") };
    for request in [other.clone(), Request { max_tokens: 9, ..other.clone() }, other] {
        model.reply(&request).await.unwrap();
    }
    assert_eq!(fake.seen().len(), 3);
}

#[tokio::test]
async fn a_recording_that_can_not_be_read_is_no_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("replies.jsonl");
    std::fs::write(&file, "{}\n").unwrap();
    let fake = Fake::start().await.unwrap();
    for setting in [file.to_str().unwrap().to_owned(), "replay:/none/there".to_owned()] {
        let models = models(&fake, &setting);
        let Choice::Unusable(error) = models.of("watch/severity") else { panic!("{setting}") };
        assert!(error.to_string().starts_with("DURU_REPLIES is not usable"), "{error}");
    }
}
