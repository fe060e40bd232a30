//! Makes decisions.

use std::sync::Arc;
use std::time::Instant;

use duru_messages::{Message, UsageMetadata};
use serde_json::Value;

use super::prompt::Rendered;
use super::shape::{Fit, fit};
use super::tape::Tape;
use super::untrusted::{NOTICE, is_fenced};
use super::{By, Decision, Outcome};
use crate::{Model, OutputSchema, Request};

/// Makes decisions with a model, from a recording, or by rules alone. It always
/// decides: whatever goes wrong, the rule answers, and the outcome says why.
#[derive(Clone)]
pub struct Decider {
    source: Source,
}

#[derive(Clone)]
enum Source {
    Rules,
    Model { model: Arc<dyn Model>, record: Option<Arc<Tape>> },
    Tape(Arc<Tape>),
}

/// A model's answer, or why there is none, with what was spent on it.
struct Asked<T> {
    answer: Result<(T, By, Option<String>), String>,
    usage: UsageMetadata,
}

impl Decider {
    /// Decides with `model`.
    pub fn new(model: Arc<dyn Model>) -> Self {
        Decider { source: Source::Model { model, record: None } }
    }

    /// Decides by rules, because there is no model.
    pub fn by_rules() -> Self {
        Decider { source: Source::Rules }
    }

    /// Decides with `model` and keeps its good answers in `tape`.
    pub fn recording(model: Arc<dyn Model>, tape: Arc<Tape>) -> Self {
        Decider { source: Source::Model { model, record: Some(tape) } }
    }

    /// Decides as recorded; what was not recorded, by rule.
    pub fn replaying(tape: Arc<Tape>) -> Self {
        Decider { source: Source::Tape(tape) }
    }

    /// The decision `D` about `input`.
    pub async fn decide<D: Decision>(&self, input: &D::Input) -> Outcome<D::Output> {
        let started = Instant::now();
        let schema = schemars::schema_for!(D::Output).to_value();
        let mut model_name = None;
        let mut usage = UsageMetadata::default();
        let answer = match D::PROMPT.render(input) {
            Err(error) => Err(error.to_string()),
            Ok(rendered) => match &self.source {
                Source::Rules => Err("no model is set".to_owned()),
                Source::Tape(tape) => replay::<D>(tape, &rendered, &schema, &mut model_name),
                Source::Model { model, record } => {
                    model_name = Some(model.name().to_owned());
                    let asked = ask::<D>(&**model, &rendered, &schema).await;
                    usage = asked.usage;
                    asked.answer.map(|answer| keep::<D>(record.as_deref(), &rendered, model.name(), answer))
                }
            },
        };
        let (value, by, why) = match answer {
            Ok(answer) => answer,
            Err(why) => (D::by_rule(input), By::Rule, Some(why)),
        };
        Outcome {
            value,
            by,
            why,
            decision: D::PROMPT.name().to_owned(),
            prompt: D::PROMPT.version(),
            model: model_name,
            latency: started.elapsed(),
            usage,
        }
    }
}

type Answer<T> = (T, By, Option<String>);

fn key<D: Decision>(rendered: &Rendered) -> String {
    Tape::key(D::PROMPT.name(), rendered.system.as_deref().unwrap_or_default(), &rendered.question)
}

fn replay<D: Decision>(
    tape: &Tape,
    rendered: &Rendered,
    schema: &Value,
    model: &mut Option<String>,
) -> Result<Answer<D::Output>, String> {
    let line = tape.find(&key::<D>(rendered)).ok_or("this was not recorded")?;
    *model = Some(line.model);
    let Fit { value, .. } = fit(&line.answer.to_string(), schema)?;
    Ok((value, By::Replay, None))
}

/// An answer that cannot be recorded is still an answer, but it says so.
fn keep<D: Decision>(
    tape: Option<&Tape>,
    rendered: &Rendered,
    model: &str,
    (value, by, why): Answer<D::Output>,
) -> Answer<D::Output> {
    let Some(tape) = tape else { return (value, by, why) };
    let recorded = match serde_json::to_value(&value) {
        Ok(json) => {
            tape.record(key::<D>(rendered), D::PROMPT.name(), model, json).map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    (value, by, recorded.err().or(why))
}

/// Asks, and asks once more if the answer does not fit.
async fn ask<D: Decision>(model: &dyn Model, rendered: &Rendered, schema: &Value) -> Asked<D::Output> {
    let mut request = request::<D>(rendered, schema);
    let mut usage = UsageMetadata::default();
    let mut first_problem: Option<String> = None;
    loop {
        let reply = match model.reply(&request).await {
            Ok(reply) => reply,
            Err(error) => return Asked { answer: Err(error.to_string()), usage },
        };
        usage.add(&reply.usage);
        let text = reply.message.text().into_owned();
        match fit(&text, schema) {
            Ok(Fit { value, repaired }) => {
                let by = if repaired || first_problem.is_some() { By::Repaired } else { By::Model };
                let why = first_problem.or_else(|| repaired.then(|| "its syntax was repaired".to_owned()));
                return Asked { answer: Ok((value, by, why)), usage };
            }
            Err(problem) if first_problem.is_some() => {
                return Asked { answer: Err(format!("the answer did not fit, twice: {problem}")), usage };
            }
            Err(problem) => {
                let again =
                    format!("Your answer does not fit: {problem}. Answer again, with the JSON alone.");
                request.messages.extend([Message::ai(text), Message::human(again)]);
                first_problem = Some(problem);
            }
        }
    }
}

fn request<D: Decision>(rendered: &Rendered, schema: &Value) -> Request {
    let fenced = is_fenced(&rendered.question) || rendered.system.as_deref().is_some_and(is_fenced);
    let notice = fenced.then(|| NOTICE.to_owned());
    let system: Vec<String> = rendered.system.iter().cloned().chain(notice).collect();
    Request {
        system: (!system.is_empty()).then(|| system.join("\n\n")),
        schema: Some(OutputSchema { name: D::PROMPT.name().to_owned(), schema: schema.clone() }),
        temperature: Some(D::LIMITS.temperature),
        max_tokens: D::LIMITS.max_tokens,
        ..Request::new([Message::human(rendered.question.as_str())])
    }
}
