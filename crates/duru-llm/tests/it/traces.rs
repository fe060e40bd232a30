//! Model calls as a collector and a provider see them.

use std::time::Duration;

use duru_llm::decision::{By, Decider};
use duru_llm::fake::{Fake, Fault, Says};
use duru_telemetry::{Settings, Traces};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::decisions::{GOOD, Severity, line};
use crate::support::{fake, model, settings};

/// Spans are sent there, in the form that is easily read here.
fn traces(listener: &TcpListener) -> Option<Traces> {
    let address = format!("http://{}", listener.local_addr().unwrap());
    let variables = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str()),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"),
        ("OTEL_TRACES_SAMPLER", "always_on"),
    ];
    let get =
        |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    Traces::read(get).unwrap()
}

/// The body of the first request that comes.
async fn first_body(listener: TcpListener) -> Value {
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut bytes = Vec::new();
    loop {
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0, "a request is cut off");
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        if let Ok(body) = serde_json::from_slice(&bytes[end + 4..]) {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await.unwrap();
            return body;
        }
    }
}

fn attribute(span: &Value, name: &str) -> Value {
    let all = span["attributes"].as_array().unwrap();
    let found = all.iter().find(|attribute| attribute["key"] == name);
    found.and_then(|found| found["value"].as_object()?.values().next().cloned()).unwrap_or_default()
}

#[tokio::test]
async fn a_decision_and_its_model_call_are_spans_and_the_provider_is_told_of_the_trace() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let traces = traces(&listener);
    let collected = tokio::spawn(first_body(listener));
    // For this process only: every test has one of its own.
    let telemetry = duru_telemetry::install(Settings { lines: None, traces }).unwrap();

    let fake = fake(Says { tokens: (100, 20), ..Says::text(GOOD) }).await;
    let outcome = Decider::new(model(&fake, "anthropic:m")).decide::<Severity>(&line()).await;
    assert_eq!(outcome.by, By::Model);
    telemetry.finish(Duration::from_secs(20)).await;

    let body = collected.await.unwrap();
    let spans = body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone();
    let span =
        |name: &str| spans.iter().find(|span| span["name"] == name).unwrap_or_else(|| panic!("{spans:#?}"));
    let (decision, chat) = (span("decision watch/severity"), span("chat m"));
    assert_eq!((&chat["parentSpanId"], &chat["kind"]), (&decision["spanId"], &3.into()));
    assert_eq!(attribute(decision, "duru.decision.by"), "model");
    for (name, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "anthropic"),
        ("gen_ai.request.model", "m"),
        ("gen_ai.request.max_tokens", "200"),
        ("gen_ai.usage.input_tokens", "100"),
        ("gen_ai.usage.output_tokens", "20"),
    ] {
        assert_eq!(attribute(chat, name), value, "{name}");
    }
    assert_eq!(attribute(chat, "gen_ai.response.finish_reasons")["values"][0]["stringValue"], "stop");
    // What was asked and what was answered is nobody's business.
    assert!(!body.to_string().contains("디스크"), "{body}");
    let sent = fake.seen()[0].header("traceparent").unwrap().to_owned();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    assert_eq!(sent, format!("00-{}-{}-01", text(&chat["traceId"]), text(&chat["spanId"])));
}

#[tokio::test]
async fn embeddings_are_spans_and_those_that_failed_say_why() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let traces = traces(&listener);
    let collected = tokio::spawn(first_body(listener));
    let telemetry = duru_telemetry::install(Settings { lines: None, traces }).unwrap();

    let fake = Fake::start().await.unwrap();
    let embedder = settings(&fake, "openai:e").embedder().unwrap();
    let texts: Vec<String> = (0..200).map(|number| format!("비밀 문서 {number}")).collect();
    assert_eq!(embedder.embed(&texts).await.unwrap().len(), 200);
    fake.next(Fault::Status(500));
    assert!(embedder.embed(&texts[..1]).await.is_err());
    telemetry.finish(Duration::from_secs(20)).await;

    let body = collected.await.unwrap();
    let spans = body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone();
    assert_eq!(spans.len(), 3, "one for each request: {spans:#?}");
    for (span, error) in spans.iter().zip([false, false, true]) {
        assert_eq!((&span["name"], &span["kind"]), (&"embeddings e".into(), &3.into()));
        for (name, value) in [
            ("gen_ai.operation.name", "embeddings"),
            ("gen_ai.provider.name", "openai"),
            ("gen_ai.request.model", "e"),
        ] {
            assert_eq!(attribute(span, name), value, "{name}");
        }
        assert_eq!(attribute(span, "error.type").is_string(), error, "{span}");
        // Three words each.
        let tokens = attribute(span, "gen_ai.usage.input_tokens");
        assert!(error && tokens.is_null() || tokens == "384" || tokens == "216", "{span}");
    }
    assert!(!body.to_string().contains("비밀 문서"), "{body}");
}
