//! Many streams at once.

use std::time::Duration;

use duru_llm::Request;
use duru_llm::fake::{Fake, Says};
use duru_messages::Message;
use tokio::task::JoinSet;

use crate::support::{WIRES, model};

/// A thousand, each with its own text, and nothing is lost or mixed up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_streams_at_once() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|seen| Says { pause: Duration::from_millis(20), ..Says::text(seen.last_text()) });
    let models = WIRES.map(|wire| model(&fake, wire));
    let mut calls = JoinSet::new();
    for number in 0..1000 {
        let model = models[number % models.len()].clone();
        calls.spawn(async move {
            let text = format!("{number}번째 질문의 내용을 그대로 되돌려 주세요");
            let reply = model.reply(&Request::new([Message::human(text.as_str())])).await.unwrap();
            assert_eq!(reply.message.text(), text);
        });
    }
    calls.join_all().await;
    assert_eq!(fake.seen().len(), 1000);
}
