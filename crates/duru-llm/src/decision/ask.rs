//! One question to a model, and one more if its answer does not fit.

use std::sync::Arc;
use std::time::Duration;

use duru_messages::{Message, UsageMetadata};
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;
use tracing::field::Empty;

use super::decider::Heard;
use super::ready::Ready;
use super::shape::{Fit, fit};
use super::{By, Decision, Rendered};
use crate::{Error, Model, OutputSchema, Piece, Pieces, Reply, Request, Stop, TimeLimit, Until};

/// A value, who gave it, and what was wrong at first.
pub(super) type Answer<T> = (T, By, Option<String>);

/// A model's answer, or why there is none, with what was spent on it.
pub(super) struct Asked<T> {
    pub(super) answer: Result<Answer<T>, String>,
    pub(super) usage: UsageMetadata,
    pub(super) calls: u32,
}

/// Who hears a reply while it is written, how often may be asked, and until when.
pub(super) struct Hearing<'a> {
    pub(super) heard: Option<&'a Heard>,
    pub(super) most_calls: u32,
    pub(super) until: Until,
}

/// So much later than told, a model that does not heed its limit is left.
const GRACE: Duration = Duration::from_millis(500);

/// Asks, and asks once more if the answer does not fit and that is allowed.
pub(super) async fn ask<D: Decision>(
    model: &dyn Model,
    rendered: &Rendered,
    ready: &Ready,
    Hearing { heard, most_calls, until }: Hearing<'_>,
) -> Asked<D::Output> {
    let mut request = Request { until: Some(until), ..request::<D>(rendered, ready) };
    let mut usage = UsageMetadata::default();
    let mut first_problem: Option<String> = None;
    let mut calls = 0;
    loop {
        calls += 1;
        let reply = match traced(model, &request, heard).await {
            Ok(reply) => reply,
            Err(error) => return Asked { answer: Err(error.to_string()), usage, calls },
        };
        usage.add(&reply.usage);
        // Half an answer is none, however well its syntax could be mended; and asking again ends at the same place.
        if let Some(why) = broken_off(reply.stop, D::LIMITS.max_tokens) {
            return Asked { answer: Err(why), usage, calls };
        }
        let text = reply.message.text().into_owned();
        match fit(&text, &ready.validator) {
            Ok(Fit { mut value, repaired }) => {
                if let Some(leaning) = reply.leaning() {
                    D::lean(&mut value, leaning);
                }
                let by = if repaired || first_problem.is_some() { By::Repaired } else { By::Model };
                let why = first_problem.or_else(|| repaired.then(|| "its syntax was repaired".to_owned()));
                return Asked { answer: Ok((value, by, why)), usage, calls };
            }
            Err(problem) if calls >= most_calls => {
                let again = if calls > 1 { ", twice" } else { "" };
                let why = format!("the answer did not fit{again}: {problem}");
                return Asked { answer: Err(why), usage, calls };
            }
            Err(problem) => {
                let again =
                    format!("Your answer does not fit: {problem}. Answer again, with the JSON alone.");
                if let Some(heard) = heard {
                    heard(&Piece::Superseded { id: reply.message.id.clone() });
                }
                request.messages.extend([Message::ai(text), Message::human(again)]);
                first_problem = Some(problem);
            }
        }
    }
}

/// Why a reply that ended so is no answer.
fn broken_off(stop: Stop, max_tokens: u32) -> Option<String> {
    match stop {
        Stop::MaxTokens => Some(format!("the answer was cut at {max_tokens} tokens")),
        Stop::Declined => Some("the model declined to answer".to_owned()),
        _ => None,
    }
}

/// The reply, as a span of the run's trace.
async fn traced(model: &dyn Model, request: &Request, heard: Option<&Heard>) -> Result<Reply, Error> {
    let (provider, name) = model.name().split_once(':').unwrap_or(("custom", model.name()));
    let span = tracing::info_span!(
        "chat",
        otel.name = %format_args!("chat {name}"),
        otel.kind = "client",
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider,
        gen_ai.request.model = name,
        gen_ai.request.max_tokens = request.max_tokens,
        gen_ai.request.temperature = request.temperature.map(f64::from),
        gen_ai.output.type = if request.schema.is_some() { "json" } else { "text" },
        gen_ai.response.id = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        error.type = Empty,
    );
    let started = Instant::now();
    let in_time = reply(model, request, heard).instrument(span.clone());
    let reply = match request.until {
        Some(until) => timeout_at(until.last + GRACE, in_time).await.unwrap_or_else(|_| {
            let (limit, after) = (TimeLimit::Question, started.elapsed());
            Err(Error::Timeout { server: model.name().to_owned(), limit, after })
        }),
        None => in_time.await,
    };
    match &reply {
        Ok(reply) => {
            span.record("gen_ai.response.id", reply.message.id.as_deref());
            span.record("gen_ai.response.finish_reasons", reply.stop.word());
            span.record("gen_ai.usage.input_tokens", reply.usage.input_tokens);
            span.record("gen_ai.usage.output_tokens", reply.usage.output_tokens);
        }
        Err(error) => {
            span.record("error.type", error.kind());
        }
    }
    reply
}

/// The whole reply; its pieces are heard as they come.
async fn reply(model: &dyn Model, request: &Request, heard: Option<&Heard>) -> Result<Reply, Error> {
    let Some(heard) = heard else { return model.reply(request).await };
    let pieces = model.stream(request).await?;
    let heard = Arc::clone(heard);
    Pieces::new(pieces.inspect(move |piece| {
        if let Ok(piece) = piece {
            heard(piece);
        }
    }))
    .collect()
    .await
}

fn request<D: Decision>(rendered: &Rendered, ready: &Ready) -> Request {
    Request {
        system: rendered.system.clone(),
        schema: Some(OutputSchema { name: D::PROMPT.answer().to_owned(), schema: ready.schema.clone() }),
        temperature: Some(D::LIMITS.temperature),
        max_tokens: D::LIMITS.max_tokens,
        leaning: D::LEANS,
        ..Request::new([Message::human(rendered.question.as_str())])
    }
}
