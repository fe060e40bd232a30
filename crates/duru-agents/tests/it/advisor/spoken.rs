//! An answer is shown while a model writes it; what is corrected in it is seen to be.

use std::sync::Arc;
use std::time::Duration;

use duru::store::MemoryStore;
use duru::{Mode, Outcome};
use duru_agents::advisor::{Advice, Toolbox};
use duru_agents::decided;
use duru_llm::fake::{Fake, Fault, Says, Turn};
use serde_json::{Value, json};

use super::world::{advisor_on, asks, said, sources};
use crate::support::decider;

struct Watched {
    /// What was shown before the model's answer was whole, and all of it.
    early: String,
    all: String,
    ids: Vec<String>,
    end: Arc<Advice>,
}

async fn watched(question: &str, answer: impl Fn() -> Turn + Send + Sync + 'static) -> Watched {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(move |seen| {
        if seen.body.to_string().contains("상담사로서") { answer() } else { Says::text("?").into() }
    });
    let advisor =
        advisor_on(Arc::new(MemoryStore::new()), Toolbox::new(&sources()), decider(&fake, "openai:m"));
    let run = advisor.thread("kim").unwrap().invoke(asks(question));
    let mut stream = run.stream([Mode::Messages, Mode::Custom]).await.unwrap();
    let (mut early, mut all, mut ids) = (None, String::new(), Vec::new());
    while let Some(event) = stream.next().await.unwrap() {
        if decided::read(&event).is_some_and(|outcome| outcome.decision == "advisor/response_synthesis") {
            early = Some(all.clone());
        } else if event.mode == Mode::Messages {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            all.push_str(&text(&event.data[0]["content"]));
            ids.push(text(&event.data[0]["id"]));
        }
    }
    match stream.outcome().await.unwrap() {
        Outcome::Done(end) => Watched { early: early.unwrap_or_default(), all, ids, end },
        other => panic!("not done: {other:?}"),
    }
}

fn slowly(answer: &str) -> Turn {
    let reply = json!({ "answer": answer }).to_string();
    Says { pause: Duration::from_millis(2), piece: 2, ..Says::text(reply) }.into()
}

#[tokio::test]
async fn words_are_shown_while_the_answer_is_written() {
    let question = "전세 보증금 3억원을 얼마까지 올릴 수 있나요?";
    let told = "보증금 인상에는 상한이 있습니다. 증액은 5%를 넘지 못합니다. 더 궁금한 것은 물어보세요.";
    let watched = watched(question, move || slowly(told)).await;
    assert!(watched.early.starts_with("보증금 인상에는 상한이 있습니다. 증액은 5%를"), "{}", watched.early);
    assert!(watched.all.starts_with(told), "{}", watched.all);
    assert_eq!(watched.all, said(&watched.end));
    assert!(watched.ids.windows(2).all(|pair| pair[0] == pair[1]), "{:?}", watched.ids);
    let message = watched.end.messages.last().unwrap();
    assert_eq!((message.text().as_ref(), message.id.as_ref()), (watched.all.as_str(), watched.ids.first()));
}

#[tokio::test]
async fn a_sentence_that_fails_is_replaced_before_the_eyes_of_the_reader() {
    let question = "전세 보증금 3억원을 10% 올려 달라는데 얼마까지 올릴 수 있나요?";
    let watched =
        watched(question, || slowly("보증금 10% 인상이 가능합니다. 궁금한 점은 더 물어보세요.")).await;
    assert!(watched.early.starts_with("보증금 … [바로잡음] "), "{}", watched.early);
    assert!(!watched.all.contains("10% 인상이 가능") && watched.all.contains("5%"), "{}", watched.all);
    assert_eq!(watched.all, said(&watched.end));
}

#[tokio::test]
async fn from_an_invented_figure_on_the_answer_that_was_worked_out_is_given() {
    let watched = watched("강남구 아파트 시세 알려줘", || {
        slowly("강남구 아파트의 시세를 알려 드립니다. 지금은 987억원입니다. 사세요.")
    })
    .await;
    let (shown, given) = watched.all.split_once(" … [바로잡음]\n\n").expect("it says so");
    assert!(shown.starts_with("강남구 아파트의 시세를 알려 드립니다."), "{shown}");
    assert!(given.contains("중앙값") && !watched.all.contains("987") && !watched.all.contains("사세요"));
    assert_eq!(watched.all, said(&watched.end));
}

/// A model that stops in the middle of its answer.
#[tokio::test]
async fn an_answer_that_breaks_off_goes_on_with_what_was_worked_out() {
    let watched = watched("강남구 아파트 시세 알려줘", || Fault::EndsMidway.into()).await;
    assert!(watched.all.contains("중앙값"), "{}", watched.all);
    assert_eq!(watched.all, said(&watched.end));
}
