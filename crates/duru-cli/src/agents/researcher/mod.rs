//! `duru ask --agent researcher` and `duru chat --agent researcher`: documents at a terminal.

mod answer;
mod words;

use std::sync::Arc;

use anyhow::Context as _;
use duru::{App, Compiled, Outcome, Thread};
use duru_agents::researcher::{Inquiry, Research, SearchFilter, graph};
use duru_llm::decision::Setup;

use super::talk;
use crate::args::{Args, AskArgs, DocsPlace, Show};
use crate::docs;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;
use crate::store;

pub(super) async fn ask(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    if asked.run.is_some() || asked.show != Show::All {
        return Err(Problem::Usage("--run, --sql, --csv: --agent analyst".to_owned()));
    }
    let app = open(asked, args, output).await?;
    let thread = app.thread(asked.thread.clone().unwrap_or_else(|| talk::fresh_name("ask")).as_str())?;
    let question = asked.question.clone().unwrap_or_default();
    answer::print(&*run(&thread, question, asked, output).await?, thread.id(), output)
}

pub(super) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let app = open(asked, args, output).await?;
    let name = asked.thread.clone().unwrap_or_else(|| talk::fresh_name("chat"));
    let thread = app.thread(name.as_str())?;
    output.progress(words::greeting(output.lang));
    talk::chat_with(output, async |question| {
        answer::print(&*run(&thread, question, asked, output).await?, thread.id(), output)
    })
    .await?;
    let again = output.command(&format!("chat --agent researcher --thread {name}"));
    output.progress(&output.lang.go_on_with(&again));
    Ok(())
}

/// The researcher on the documents that were named, or on those of this person.
pub(super) async fn researcher(
    place: &DocsPlace,
    output: &Output,
) -> Result<Compiled<Research, Inquiry>, Problem> {
    let documents = docs::open_or_sample(place, output).await?;
    let decider = Setup::read(settings::get, &duru_agents::decisions::registry())
        .map_err(|error| Problem::Usage(error.to_string()))?
        .decider();
    let compiled = graph(documents.toolbox())
        .context("the researcher's graph does not compile")
        .map_err(Problem::Unexpected)?;
    Ok(compiled.provide(decider))
}

async fn open(asked: &AskArgs, args: &Args, output: &Output) -> Result<App<Research, Inquiry>, Problem> {
    let researcher = researcher(&asked.documents, output).await?;
    Ok(researcher.on(store::open_or_make(args.store.as_ref()).await?.store))
}

/// Asks to the end.
async fn run(
    thread: &Thread<Research, Inquiry>,
    question: String,
    asked: &AskArgs,
    output: &Output,
) -> Result<Arc<Research>, Problem> {
    let collection = asked.documents.collection.clone();
    let inquiry = Inquiry {
        search_filter: SearchFilter { collection, ..SearchFilter::default() },
        ..Inquiry::question(question)
    };
    // A question that was cut off before gives way to the new one.
    let mut next = thread.invoke(inquiry).on_unfinished(duru::Unfinished::Discard);
    loop {
        match talk::watch(thread, next, words::step, output).await? {
            Outcome::Done(end) => return Ok(end),
            // It asks nothing back.
            Outcome::Paused(_) => return Err(Problem::NeedsInput { thread: thread.id().clone() }),
            Outcome::Breakpoint(_) | Outcome::Drained => next = thread.go_on(),
            Outcome::Failed(failure) => return Err(Problem::Run(Box::new(failure))),
            Outcome::Cancelled => return Err(Problem::Cancelled { thread: thread.id().clone() }),
        }
    }
}
