//! `duru resume`: going on with a thread, whichever graph it is of.

use duru::ThreadLog;
use duru::store::Status;

use crate::agents;
use crate::args::{Agent, Answering, Args, AskArgs, DemoArgs};
use crate::demo;
use crate::output::Output;
use crate::problem::Problem;
use crate::show::find;
use crate::store;

/// How many threads are looked at for one that is unfinished.
const LATEST: usize = 1000;

pub(crate) async fn run(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let log = match &asked.thread {
        Some(name) => find(name, args).await?.log,
        None => match latest(args).await? {
            Some(log) => log,
            None => {
                output.progress(output.lang.pick("끝나지 않은 것이 없습니다", "Nothing is unfinished"));
                return output.json(serde_json::json!({ "thread": null }));
            }
        },
    };
    let graph = log.graph().await?;
    let thread = Some(log.id().to_string());
    if graph.as_deref() == Some("article") {
        let answering = match asked.yes {
            true => Answering::Yes,
            false if output.may_ask() => Answering::Person,
            // What a person is asked, no script approves by coming along.
            false => Answering::Nobody,
        };
        return demo::run(&DemoArgs { thread, answering, ..DemoArgs::default() }, args, output).await;
    }
    let Some(agent) = Agent::named(graph.as_deref()) else {
        let graph = graph.unwrap_or_default();
        return Err(Problem::OtherGraph { thread: log.id().clone(), graph });
    };
    agents::resume(&AskArgs { agent, thread, question: None, run: None, ..asked.clone() }, args, output).await
}

/// The latest that has not come to its end.
async fn latest(args: &Args) -> Result<Option<ThreadLog>, Problem> {
    let Some(opened) = store::open_existing(args.store.as_ref()).await? else { return Ok(None) };
    let threads = opened.store.threads(0, LATEST).await.map_err(Problem::Store)?;
    let unfinished = threads.into_iter().find(|summary| summary.head.status != Status::Idle);
    Ok(unfinished.map(|summary| ThreadLog::new(opened.store, summary.thread)))
}
