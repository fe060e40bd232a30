//! One question, from the command line to its answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use duru::{App, Compiled, Mode, Outcome, Run, Thread, ThreadId};
use duru_agents::analyst::{Analysis, Inquiry, Toolbox, graph};
use duru_llm::decision::Setup;
use duru_sql::guard::Guard;

use super::{answer, clarify};
use crate::args::{Args, AskArgs};
use crate::logs;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;

type Analyst = App<Analysis, Inquiry>;

/// `duru ask`
pub(crate) async fn ask(ask: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let analyst = open(ask, args, output).await?;
    let thread = analyst.thread(ask.thread.clone().unwrap_or_else(fresh_name).as_str())?;
    let question = Inquiry { question: ask.question.clone(), sql: ask.run.clone(), ..base(ask)? };
    let end = run(&thread, question, ask, output).await?;
    answer::print(&end, ask.show, thread.id(), output)
}

/// The analyst on the logs and the store that were named.
pub(super) async fn open(ask: &AskArgs, args: &Args, output: &Output) -> Result<Analyst, Problem> {
    logs::must_be_there(ask.logs.as_deref())?;
    let analyst = analyst_on(logs::open_or_sample(ask.logs.as_deref(), output).await?)?;
    Ok(analyst.on(store::open_or_make(args.store.as_ref()).await?.store))
}

/// The analyst on logs that are open.
pub(crate) fn analyst_on(logs: logs::Opened) -> Result<Compiled<Analysis, Inquiry>, Problem> {
    let decider = Setup::from_env(&duru_agents::decisions::registry())
        .map_err(|error| Problem::Usage(error.to_string()))?
        .decider();
    let compiled = graph(Toolbox::new(logs.store, Guard::new(logs.catalog)))
        .context("the analyst's graph does not compile")
        .map_err(Problem::Unexpected)?;
    Ok(compiled.provide(decider))
}

/// What every question of this call has.
pub(super) fn base(ask: &AskArgs) -> Result<Inquiry, Problem> {
    let mut answers = BTreeMap::new();
    for given in &ask.answers {
        let Some((field, value)) = given.split_once('=') else {
            return Err(Problem::Usage(format!("--answer {given}: FIELD=VALUE")));
        };
        answers.insert(field.trim().to_owned(), value.trim().to_owned());
    }
    let zone = ask
        .timezone
        .clone()
        .unwrap_or_else(|| jiff::tz::TimeZone::system().iana_name().unwrap_or("Asia/Seoul").to_owned());
    if jiff::tz::TimeZone::get(&zone).is_err() {
        return Err(Problem::Usage(format!("--timezone {zone}: Asia/Seoul, UTC, …")));
    }
    if let Some(now) = &ask.now
        && now.parse::<jiff::Timestamp>().is_err()
    {
        return Err(Problem::Usage(format!("--now {now}: 2026-03-18T14:30:00+09:00")));
    }
    Ok(Inquiry {
        max_results: ask.rows,
        clarification_answers: answers,
        timezone: Some(zone),
        now: ask.now.clone(),
        ..Inquiry::default()
    })
}

fn fresh_name() -> String {
    format!("ask-{}", &ThreadId::random().as_str()[..8])
}

/// Asks, and answers what is asked back, to the end.
pub(super) async fn run(
    thread: &Thread<Analysis, Inquiry>,
    question: Inquiry,
    ask: &AskArgs,
    output: &Output,
) -> Result<Arc<Analysis>, Problem> {
    // A question that waits from before gives way to the new one.
    let mut next = thread.invoke(question).on_unfinished(duru::Unfinished::Discard);
    loop {
        match watch(thread, next, output).await? {
            Outcome::Done(end) => return Ok(end),
            Outcome::Paused(questions) => {
                let Some(question) = questions.first() else {
                    return Err(Problem::NeedsInput { thread: thread.id().clone() });
                };
                let answer = clarify::answer(question, ask.no_input, output).await?;
                let answer = answer.ok_or_else(|| Problem::NeedsInput { thread: thread.id().clone() })?;
                next = thread.answer([(question.id, answer)]);
            }
            Outcome::Breakpoint(_) | Outcome::Drained => next = thread.go_on(),
            Outcome::Failed(failure) => return Err(Problem::Run(Box::new(failure))),
            Outcome::Cancelled => return Err(Problem::Cancelled { thread: thread.id().clone() }),
        }
    }
}

/// Shows a run as it goes. Ctrl-C stops it.
async fn watch(
    thread: &Thread<Analysis, Inquiry>,
    run: Run<Arc<Analysis>>,
    output: &Output,
) -> Result<Outcome<Arc<Analysis>>, Problem> {
    let mut stream = run.stream([Mode::Tasks]).await?;
    loop {
        tokio::select! {
            event = stream.next() => match event? {
                Some(event) => answer::progress(&event, output),
                None => return Ok(stream.outcome().await?),
            },
            _ = tokio::signal::ctrl_c() => {
                thread.cancel();
                output.progress(output.lang.stopping());
            }
        }
    }
}
