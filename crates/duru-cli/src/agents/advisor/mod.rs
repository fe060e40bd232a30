//! `duru ask --agent advisor` and `duru chat --agent advisor`: a consultation at a terminal.

mod answer;
mod confirm;
mod documents;
mod words;

use std::sync::Arc;

use anyhow::Context as _;
use duru::memory::Memory;
use duru::{Compiled, Mode, Outcome, Run, Thread};
use duru_agents::advisor::api::{RealDeals, Trades};
use duru_agents::advisor::memory::Notebook;
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::{Advice, Inquiry, Toolbox, Variant, graph, progress};
use duru_llm::decision::Setup;

use super::{Conversation, With, talk};
use crate::args::{Args, AskArgs, LOCAL_USER, Show};
use crate::docs;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;
use crate::store;

pub(super) async fn ask(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    if asked.run.is_some() || asked.show != Show::All {
        return Err(Problem::Usage("--run, --sql, --csv: --agent analyst".to_owned()));
    }
    let (with, conversation) = open(asked, args, output).await?;
    let question = asked.question.clone().unwrap_or_default();
    let end = consult(&conversation, question, &with, asked, output).await?;
    let files = documents::write(&end, args, output).await?;
    answer::print(&end, conversation.thread(), &files, output)
}

pub(super) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let (with, conversation) = open(asked, args, output).await?;
    output.progress(words::greeting(output.lang));
    talk::chat_with(output, async |question| {
        let end = consult(&conversation, question, &with, asked, output).await?;
        let files = documents::write(&end, args, output).await?;
        answer::print(&end, conversation.thread(), &files, output)
    })
    .await?;
    let again = output.command(&format!("chat --agent advisor --thread {}", conversation.thread()));
    output.progress(&output.lang.go_on_with(&again));
    Ok(())
}

/// The advisor, with the laws among these documents, and what it remembers of people.
pub(super) fn advisor(
    documents: &docs::Opened,
    memory: Memory,
) -> Result<Compiled<Advice, Inquiry>, Problem> {
    let today = || jiff::Zoned::now().date();
    let mut sources = Sources::built_in(today());
    sources.laws = Some(documents.searcher());
    let mut tools = sources.tools();
    // Real deals, if somebody has a key for them.
    let trades = Trades::read(settings::get).map_err(|error| Problem::Usage(error.to_string()))?;
    if let Some(trades) = trades {
        tools = tools.with(Arc::new(RealDeals::new(trades, sources.clone(), today)));
    }
    let decider = Setup::read(settings::get, &duru_agents::decisions::registry())
        .map_err(|error| Problem::Usage(error.to_string()))?
        .decider();
    let toolbox = Toolbox::new(&sources)
        .with_tools(tools)
        .with_memory(Arc::new(Notebook::new(memory)))
        // A server without keys has one user; one with keys names whoever asks.
        .for_one(LOCAL_USER);
    let compiled =
        graph(toolbox).context("the advisor's graph does not compile").map_err(Problem::Unexpected)?;
    Ok(compiled.provide(decider))
}

async fn open<'a>(
    asked: &'a AskArgs,
    args: &Args,
    output: &Output,
) -> Result<(With<'a>, Conversation<Advice, Inquiry>), Problem> {
    let with = With {
        agent: "advisor",
        thread: asked.thread.as_deref(),
        data_is_named: asked.documents.index.is_some(),
        // Its plan is shown, not its nodes.
        step: |node, _| node.to_owned(),
    };
    let advisor = async || {
        let documents = docs::open_or_sample(&asked.documents, output).await?;
        let stores = store::open_or_make(args.store.as_ref()).await?.stores;
        advisor(&documents, Memory::new(stores.memories))
    };
    let conversation = Conversation::open(&with, args, advisor).await?;
    Ok((with, conversation))
}

/// Asks to the end. Here, the plan is shown and the person is asked; a server elsewhere is asked as a program does.
async fn consult(
    conversation: &Conversation<Advice, Inquiry>,
    question: String,
    with: &With<'_>,
    asked: &AskArgs,
    output: &Output,
) -> Result<Arc<Advice>, Problem> {
    let inquiry = Inquiry {
        now: asked.now.clone(),
        user: Some(LOCAL_USER.to_owned()),
        // One person alone is no experiment: all gates.
        variant: Some(Variant::B),
        ..Inquiry::question(question)
    };
    match conversation {
        Conversation::Here(thread) => {
            let interactive = !asked.no_input && confirm::somebody_is_there();
            run(thread, Inquiry { interactive, ..inquiry }, output).await
        }
        Conversation::There(_) => conversation.ask(inquiry, with, output, async |_| Ok(None)).await,
    }
}

/// Asks to the end; what the advisor asks back, the person answers.
async fn run(
    thread: &Thread<Advice, Inquiry>,
    inquiry: Inquiry,
    output: &Output,
) -> Result<Arc<Advice>, Problem> {
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
