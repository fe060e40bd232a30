//! A conversation with an agent: in this process, or in the server that has the person's data open, since a folder
//! of logs belongs to one process.

use std::sync::Arc;

use anyhow::Context as _;
use duru::{Compiled, Outcome, State, Thread, ThreadId};
use serde::Serialize;
use serde_json::Value;

use super::talk;
use super::there::{End, There};
use crate::args::Args;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::serve;
use crate::store;

pub(crate) enum Conversation<S: State, I> {
    Here(Thread<S, I>),
    There(Box<There>),
}

/// What a conversation is with, and about what.
pub(crate) struct With<'a> {
    pub(crate) agent: &'static str,
    pub(crate) thread: Option<&'a str>,
    /// The data was named by the person; otherwise a server that runs has it open.
    pub(crate) data_is_named: bool,
    /// What the agent's steps are called.
    pub(crate) step: fn(&str, Lang) -> String,
}

impl<S: State, I: Serialize + Send + Sync + 'static> Conversation<S, I> {
    /// Opens the conversation; `agent` is only made where it is not served already.
    pub(crate) async fn open(
        with: &With<'_>,
        args: &Args,
        agent: impl AsyncFnOnce() -> Result<Compiled<S, I>, Problem>,
    ) -> Result<Self, Problem> {
        let named = with.thread.map(str::to_owned);
        if !with.data_is_named
            && args.store.is_none()
            && let Some(address) = serve::running().await
        {
            let thread = named.map_or_else(|| Ok(ThreadId::random()), |name| ThreadId::new(name.as_str()));
            let thread = thread.map_err(|error| Problem::InvalidThread(error.to_string()))?;
            return Ok(Self::There(Box::new(There::open(address, with.agent, thread).await?)));
        }
        let app = agent().await?.on(store::open_or_make(args.store.as_ref()).await?.store);
        let name = named.unwrap_or_else(|| talk::fresh_name("ask"));
        Ok(Self::Here(app.thread(name.as_str())?))
    }

    pub(crate) fn thread(&self) -> &ThreadId {
        match self {
            Self::Here(thread) => thread.id(),
            Self::There(there) => there.thread(),
        }
    }

    /// Asks, and has `person` answer what is asked back, to the end.
    pub(crate) async fn ask(
        &self,
        input: I,
        with: &With<'_>,
        output: &Output,
        person: impl AsyncFn(&Value) -> Result<Option<Value>, Problem>,
    ) -> Result<Arc<S>, Problem> {
        let answer = async |asked: &Value| {
            let answer = person(asked).await?;
            answer.ok_or_else(|| Problem::NeedsInput { thread: self.thread().clone() })
        };
        match self {
            Self::Here(thread) => here(thread, input, with.step, output, answer).await,
            Self::There(there) => {
                let input =
                    serde_json::to_value(&input).context("the question").map_err(Problem::Unexpected)?;
                let mut end = there.ask(input).await?;
                loop {
                    match end {
                        End::Done(state) => return Ok(Arc::new(state)),
                        End::Paused(asked) => end = there.answer(answer(&asked).await?).await?,
                    }
                }
            }
        }
    }
}

async fn here<S: State, I: Serialize>(
    thread: &Thread<S, I>,
    input: I,
    step: fn(&str, Lang) -> String,
    output: &Output,
    answer: impl AsyncFn(&Value) -> Result<Value, Problem>,
) -> Result<Arc<S>, Problem> {
    // A question that waits from before gives way to the new one.
    let mut next = thread.invoke(input).on_unfinished(duru::Unfinished::Discard);
    loop {
        match talk::watch(thread, next, step, output).await? {
            Outcome::Done(end) => return Ok(end),
            Outcome::Paused(questions) => {
                let Some(question) = questions.first() else {
                    return Err(Problem::NeedsInput { thread: thread.id().clone() });
                };
                let asked: Value =
                    question.get().context("the question can't be read").map_err(Problem::Unexpected)?;
                next = thread.answer([(question.id, answer(&asked).await?)]);
            }
            Outcome::Breakpoint(_) | Outcome::Drained => next = thread.go_on(),
            Outcome::Failed(failure) => return Err(Problem::Run(Box::new(failure))),
            Outcome::Cancelled => return Err(Problem::Cancelled { thread: thread.id().clone() }),
        }
    }
}
