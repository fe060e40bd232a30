//! `duru ask --agent advisor` and `duru chat --agent advisor`: a consultation at a terminal.

mod answer;
mod confirm;
mod words;

use std::sync::Arc;

use anyhow::Context as _;
use duru::{App, Compiled, Mode, Outcome, Run, Thread};
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::{Advice, Inquiry, Toolbox, graph, progress};
use duru_llm::decision::Setup;

use super::talk;
use crate::args::{Args, AskArgs, DocsPlace, Show};
use crate::docs;
use crate::output::Output;
use crate::problem::Problem;
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
    let again = output.command(&format!("chat --agent advisor --thread {name}"));
    output.progress(&output.lang.go_on_with(&again));
    Ok(())
}

/// The advisor, with the laws among the documents that were named, or among those of this person.
pub(super) async fn advisor(
    place: &DocsPlace,
    output: &Output,
) -> Result<Compiled<Advice, Inquiry>, Problem> {
    let documents = docs::open_or_sample(place, output).await?;
    let mut sources = Sources::built_in(jiff::Zoned::now().date());
    sources.laws = Some(documents.searcher());
    let decider = Setup::from_env(&duru_agents::decisions::registry())
        .map_err(|error| Problem::Usage(error.to_string()))?
        .decider();
    let compiled = graph(Toolbox::new(&sources))
        .context("the advisor's graph does not compile")
        .map_err(Problem::Unexpected)?;
    Ok(compiled.provide(decider))
}

async fn open(asked: &AskArgs, args: &Args, output: &Output) -> Result<App<Advice, Inquiry>, Problem> {
    let advisor = advisor(&asked.documents, output).await?;
    Ok(advisor.on(store::open_or_make(args.store.as_ref()).await?.store))
}

/// Asks to the end; what the advisor asks back, the person answers.
async fn run(
    thread: &Thread<Advice, Inquiry>,
    question: String,
    asked: &AskArgs,
    output: &Output,
) -> Result<Arc<Advice>, Problem> {
    let inquiry = Inquiry {
        interactive: !asked.no_input && confirm::somebody_is_there(),
        now: asked.now.clone(),
        ..Inquiry::question(question)
    };
    // A question that was cut off before gives way to the new one.
    let mut next = thread.invoke(inquiry).on_unfinished(duru::Unfinished::Discard);
    loop {
        match watch(thread, next, output).await? {
            Outcome::Done(end) => return Ok(end),
            Outcome::Paused(questions) => {
                let Some(question) = questions.first() else {
                    return Err(Problem::NeedsInput { thread: thread.id().clone() });
                };
                next = match confirm::answer(question, output).await? {
                    Some(answer) => thread.resume(answer),
                    // The time is up: the default answers.
                    None if question.deadline_ms.is_some() => thread.go_on(),
                    None => return Err(Problem::NeedsInput { thread: thread.id().clone() }),
                };
            }
            Outcome::Breakpoint(_) | Outcome::Drained => next = thread.go_on(),
            Outcome::Failed(failure) => return Err(Problem::Run(Box::new(failure))),
            Outcome::Cancelled => return Err(Problem::Cancelled { thread: thread.id().clone() }),
        }
    }
}

/// Shows the plan and what becomes of it. Ctrl-C stops the run.
async fn watch(
    thread: &Thread<Advice, Inquiry>,
    run: Run<Arc<Advice>>,
    output: &Output,
) -> Result<Outcome<Arc<Advice>>, Problem> {
    let mut stream = run.stream([Mode::Custom]).await?;
    loop {
        tokio::select! {
            event = stream.next() => match event? {
                Some(event) => {
                    for line in progress::read(&event).iter().flat_map(|frame| words::frame(frame, output.lang)) {
                        output.progress(&line);
                    }
                }
                None => return Ok(stream.outcome().await?),
            },
            _ = tokio::signal::ctrl_c() => {
                thread.cancel();
                output.progress(output.lang.stopping());
            }
        }
    }
}
