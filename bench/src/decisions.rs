//! What a decision costs besides the network: the prompt, the schema, the check of the answer.

use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use async_trait::async_trait;
use duru_llm::decision::{By, Decider, Decision, Limits, Prompt, Untrusted};
use duru_llm::{Error, Model, Pieces, Policy, Reply, Request, Resilient};
use duru_messages::{Message, MessageChunk, UsageMetadata};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::args::{Args, Impl};
use crate::floor;
use crate::measure::{Lap, Watch};
use crate::report::{Report, per_piece};

/// So many make one sample.
const DECISIONS: usize = 200;

#[derive(Serialize, JsonSchema)]
struct Evidence {
    service: String,
    lines: Untrusted,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Verdict {
    kind: Kind,
    #[schemars(range(min = 0.0, max = 1.0))]
    score: f64,
    #[schemars(length(max = 500))]
    reason: String,
    hints: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Harmless,
    Severe,
}

struct Severity;

impl Decision for Severity {
    type Input = Evidence;
    type Output = Verdict;
    const PROMPT: Prompt =
        Prompt::new("bench/severity", "You judge lines of {{ service }}.\n---\nJudge these:\n{{ lines }}");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 200 };

    fn by_rule(_: &Evidence) -> Verdict {
        Verdict { kind: Kind::Harmless, score: 0.0, reason: String::new(), hints: Vec::new() }
    }
}

const ANSWER: &str = r#"{"kind": "severe", "score": 0.9, "reason": "디스크가 가득 찼다.", "hints": ["df -h", "로그를 지운다"]}"#;

/// A model at no distance.
struct Near;

#[async_trait]
impl Model for Near {
    fn name(&self) -> &str {
        "near"
    }

    async fn stream(&self, _: &Request) -> Result<Pieces, Error> {
        let mut chunk = MessageChunk::text("near", ANSWER).last();
        chunk.usage_metadata = Some(UsageMetadata::new(3000, 40));
        Ok(Pieces::new(futures_util::stream::iter([Ok(duru_llm::Piece::Chunk(chunk))])))
    }

    async fn reply(&self, _: &Request) -> Result<Reply, Error> {
        Ok(Reply { usage: UsageMetadata::new(3000, 40), ..Reply::from(Message::ai(ANSWER)) })
    }
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    ensure!(args.implementation()? == Impl::Duru, "there is no floor for decisions");
    let bytes = args.get("bytes", 10_240usize)?;
    let (decider, by) = match args.text("source", "model") {
        // With all that is around a model in the product.
        "model" => (Decider::new(Arc::new(Resilient::new(Arc::new(Near), Policy::default()))), By::Model),
        "rules" => (Decider::by_rules(), By::Rule),
        other => bail!("source={other}: there are model and rules"),
    };
    let line = "2026-01-01 FATAL 결제: 디스크가 가득 찼습니다 (errno 28)\n";
    let lines = Untrusted::new(line.repeat(bytes.div_ceil(line.len())));
    let input = Arc::new(Evidence { service: "결제".into(), lines });
    let runtime = floor::runtime(args)?;
    let laps = args.window()?.fill(|| {
        let (decider, input) = (decider.clone(), input.clone());
        floor::on_worker(&runtime, async move { lap(&decider, &input, by).await })
    })?;
    let (samples, cpu) = per_piece(&laps, DECISIONS);
    Ok(Report {
        bench: "decisions",
        implementation: "duru",
        unit: "us/decision",
        samples,
        extra: vec![("cpu_us_per_decision", json!(cpu))],
    })
}

async fn lap(decider: &Decider, input: &Evidence, by: By) -> Result<Lap> {
    let watch = Watch::start();
    for _ in 0..DECISIONS {
        let outcome = decider.decide::<Severity>(input).await;
        ensure!(outcome.by == by, "{:?}: {:?}", outcome.by, outcome.why);
    }
    Ok(watch.lap())
}
