//! `duru threads fork ID CHECKPOINT`

use duru::ThreadState;
use duru::store::Status;
use serde_json::json;

use super::changes::planned;
use super::checkpoint::state_at;
use super::picture::next_text;
use super::{Found, find};
use crate::args::Args;
use crate::output::Output;
use crate::problem::Problem;
use crate::terminal::agree;
use crate::text::clean;

pub(crate) async fn fork(id: &str, to: &str, yes: bool, args: &Args, output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    let Found { log, head } = find(id, args).await?;
    let target = state_at(&log, to).await?;
    let Some(checkpoint) = target.checkpoint else {
        return Err(Problem::UnknownCheckpoint { thread: log.id().clone(), given: to.to_owned() });
    };
    let thread = clean(log.id().as_str());
    let step = target.step.map(|step| step.to_string()).unwrap_or_default();
    output.progress(&lang.goes_back(&thread, &checkpoint.to_string(), &step, &next_text(&target)));
    output.progress(lang.stays_in_log());
    if head.status == Status::Busy {
        output.progress(lang.is_busy());
    }
    warn(&log.state().await?, output);
    let command = || format!("threads fork {thread} {checkpoint}");
    if !yes && !agree(lang.go_back(), command, output).await? {
        output.progress(lang.left_alone());
        return output.json(json!({ "thread": log.id(), "forked": false }));
    }
    let forked = log.fork(checkpoint).await?;
    let now = log.state().await?;
    output.text(&format!("{}\n", lang.went_back(&forked.checkpoint.to_string())))?;
    output.json(json!({
        "thread": log.id(), "forked": true, "checkpoint": forked.checkpoint, "parent": checkpoint,
        "step": now.step, "next": planned(&now), "discarded": forked.discarded,
    }))
}

/// Says what is lost.
fn warn(now: &ThreadState, output: &Output) {
    let finished: Vec<String> =
        now.tasks.iter().filter(|task| task.result.is_some()).map(|task| clean(&task.node)).collect();
    if !finished.is_empty() {
        output.complain(&output.lang.gives_up(&finished.join(", ")));
    }
    if !now.questions().is_empty() {
        output.complain(&output.lang.gives_up_questions(now.questions().len()));
    }
}
