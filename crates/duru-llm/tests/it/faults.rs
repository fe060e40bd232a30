//! Every fault in every format ends in a reply or in the error that says what to do.

use std::time::Duration;

use duru_llm::fake::Fault;
use duru_llm::{Error, Reply, Settings, Stop};
use duru_messages::Kind;

use crate::support::{WIRES, fake, model, request};

async fn outcomes(fault: Fault) -> Vec<(&'static str, Result<Reply, Error>)> {
    let mut outcomes = Vec::new();
    for wire in WIRES {
        let fake = fake(fault.clone()).await;
        outcomes.push((wire, model(&fake, wire).reply(&request()).await));
    }
    outcomes
}

async fn check_error(fault: Fault, code: &str, transient: bool) -> Error {
    let mut last = None;
    for (wire, outcome) in outcomes(fault.clone()).await {
        let error = outcome.expect_err(&format!("{wire} {fault:?}"));
        assert_eq!((error.code(), error.is_transient()), (code, transient), "{wire} {fault:?}: {error}");
        assert!(error.to_string().len() < 500, "{error}");
        last = Some(error);
    }
    last.unwrap()
}

async fn check_reply(fault: Fault, check: impl Fn(&Reply)) {
    for (wire, outcome) in outcomes(fault.clone()).await {
        check(&outcome.unwrap_or_else(|error| panic!("{wire} {fault:?}: {error}")));
    }
}

#[tokio::test]
async fn rate_limits_say_how_long_to_wait() {
    let after = |text: &str| Fault::RateLimited(Some(text.into()));
    let error = check_error(after("7"), "model_rate_limited", true).await;
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    let error = check_error(Fault::RateLimited(None), "model_rate_limited", true).await;
    assert_eq!(error.retry_after(), None);
    let error = check_error(after("tomorrow"), "model_rate_limited", true).await;
    assert_eq!(error.retry_after(), None);
    let error = check_error(Fault::NoQuota, "model_refused", false).await;
    assert!(error.to_string().contains("quota"), "{error}");
}

#[tokio::test]
async fn statuses() {
    for status in [500, 502, 503, 529, 408] {
        check_error(Fault::Status(status), "model_overloaded", true).await;
    }
    for status in [400, 413, 422] {
        let error = check_error(Fault::Status(status), "model_refused", false).await;
        assert!(error.to_string().contains("it broke"), "{error}");
    }
    check_error(Fault::Status(403), "model_wrong_key", false).await;
    check_error(Fault::Redirect, "model_refused", false).await;
}

#[tokio::test]
async fn a_wrong_key_and_an_unknown_model_say_what_to_check() {
    check_error(Fault::WrongKey, "model_wrong_key", false).await;
    let error = check_error(Fault::UnknownModel, "model_unknown", false).await;
    assert!(error.to_string().contains("\"m\"") && error.to_string().contains("DURU_MODEL"), "{error}");
    // A page that is missing is no missing model.
    check_error(Fault::Status(404), "model_refused", false).await;
}

#[tokio::test]
async fn connections_that_break() {
    check_error(Fault::Reset, "model_unreachable", true).await;
    check_error(Fault::ResetMidway, "model_interrupted", true).await;
    check_error(Fault::EndsMidway, "model_interrupted", true).await;
    check_error(Fault::Empty, "model_interrupted", true).await;
}

#[tokio::test]
async fn errors_in_the_middle_of_a_stream() {
    let midway = |kind: &str| Fault::ErrorMidway(kind.into());
    check_error(midway("overloaded_error"), "model_overloaded", true).await;
    check_error(midway("rate_limit_error"), "model_rate_limited", true).await;
    check_error(midway("invalid_request_error"), "model_refused", false).await;
    check_error(midway("something_new"), "model_overloaded", true).await;
}

#[tokio::test]
async fn replies_that_are_none() {
    for fault in
        [Fault::InvalidJson, Fault::WrongTypes, Fault::DeepJson, Fault::RawNul, Fault::NotUtf8, Fault::Html]
    {
        check_error(fault, "model_bad_reply", true).await;
    }
    check_error(Fault::Huge(5 << 20), "model_too_large", false).await;
}

#[tokio::test]
async fn a_syllable_split_between_two_pieces_is_whole_again() {
    let text = "뷁 한글과 \u{1F469}\u{200D}\u{1F4BB}, 끝.";
    check_reply(Fault::SplitBytes(text.into()), |reply| assert_eq!(reply.message.text(), text)).await;
}

#[tokio::test]
async fn a_call_that_was_cut_is_never_a_call() {
    check_reply(Fault::TruncatedCall, |reply| {
        assert_eq!((reply.stop, reply.message.tool_calls().len()), (Stop::MaxTokens, 0));
        let Kind::Ai(ai) = &reply.message.kind else { panic!("{reply:?}") };
        let [call] = ai.invalid_tool_calls.as_slice() else { panic!("{ai:?}") };
        assert_eq!(call.name.as_deref(), Some("search"));
        assert!(call.error.is_some());
    })
    .await;
}

/// Which tools there are is the caller's business: it tells the model.
#[tokio::test]
async fn a_call_of_an_unknown_tool_is_passed_on() {
    check_reply(Fault::UnknownTool, |reply| assert_eq!(reply.message.tool_calls()[0].name, "launch_rockets"))
        .await;
}

#[tokio::test]
async fn odd_texts_are_texts() {
    check_reply(Fault::EmptyText, |reply| assert_eq!(reply.message.text(), "")).await;
    check_reply(Fault::Nul, |reply| assert_eq!(reply.message.text(), "가나")).await;
    check_reply(Fault::Huge(1 << 20), |reply| assert_eq!(reply.message.text().len(), 1 << 20)).await;
}

#[tokio::test]
async fn a_server_that_is_not_there() {
    for wire in WIRES {
        let fake = fake(Fault::Empty).await;
        let model = model(&fake, wire);
        let address = fake.url().replace("http://", "");
        drop(fake);
        // The port is free once the fake's task is gone.
        tokio::task::yield_now().await;
        let error = model.reply(&request()).await.expect_err("nobody listens");
        assert_eq!(error.code(), "model_unreachable");
        assert!(error.to_string().contains(&address), "{error}");
    }
}

/// The certificates are read and TLS begins without anybody having set it up.
#[tokio::test]
async fn a_server_without_tls_at_a_secure_address() {
    let fake = fake(Fault::Hang).await;
    let address = fake.url().replace("http:", "https:");
    let settings = Settings::read(|name| (name == "DURU_MODEL").then(|| address.clone())).unwrap().unwrap();
    let outcome = match settings.model() {
        Ok(model) => model.reply(&request()).await,
        Err(error) => Err(error),
    };
    assert_eq!(outcome.unwrap_err().code(), "model_unreachable");
}
