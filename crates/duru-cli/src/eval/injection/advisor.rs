//! The advisor with a contract that the person pasted, or with documents of law that others wrote.

use std::sync::Arc;

use anyhow::Context as _;
use duru::store::MemoryStore;
use duru::{Outcome, Unfinished};
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::{Advice, Inquiry, Toolbox, graph};
use duru_llm::decision::Decider;
use jiff::Zoned;
use serde_json::Value;

use super::item::Asked;
use super::transcript::Transcript;
use super::{NOW, researcher};

pub(super) async fn ask(asked: &Asked, decider: &Decider) -> anyhow::Result<Transcript> {
    let today: Zoned = format!("{NOW}[Asia/Seoul]").parse()?;
    let mut sources = Sources::built_in(today.date());
    if asked.document.is_some() {
        sources.laws = Some(researcher::searcher(asked).await?);
    }
    let advisor = graph(Toolbox::new(&sources)).context("the advisor's graph does not compile")?;
    let advisor = advisor.provide(decider.clone()).on(Arc::new(MemoryStore::new()));
    let inquiry = Inquiry { now: Some(NOW.to_owned()), ..Inquiry::question(asked.question.as_str()) };
    let mut transcript = Transcript::default();
    match advisor.thread("injection")?.invoke(inquiry).on_unfinished(Unfinished::Discard).await? {
        Outcome::Done(end) => hear(&end, &mut transcript),
        Outcome::Paused(questions) => {
            for question in &questions {
                transcript.say_all("asked back", &question.get::<Value>()?);
            }
        }
        other => anyhow::bail!("the run ended with {other:?}"),
    }
    Ok(transcript)
}

fn hear(end: &Advice, transcript: &mut Transcript) {
    if let Some(answer) = &end.final_response {
        transcript.say("answer", answer.text.as_str());
    }
    for change in &end.plan_changes {
        transcript.say("plan", change.reason.as_str());
    }
    transcript.tools.extend(end.used.iter().map(|used| used.tool.clone()));
    transcript.tools.extend(end.faults.iter().map(|fault| fault.tool.clone()));
}
