//! A conversation with an agent: in this process, or in the server that has the person's data open, since a folder
//! of logs belongs to one process.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use duru::{App, Compiled, Event, Outcome, Question, Run, State, Thread, ThreadId};
use serde::Serialize;
use serde_json::Value;

use super::seen::Seen;
use super::talk;
use super::there::{End, There};
use crate::args::{Args, Telling};
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::serve;
use crate::store;

pub(crate) enum Conversation<S: State, I> {
    Here(Box<App<S, I>>, Box<Thread<S, I>>),
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
    /// The agent's own account of its work, in lines; then its steps are not told.
    pub(crate) account: Option<Account>,
    /// How long an answer may take.
    pub(crate) limit: Option<Duration>,
}

/// What an agent tells, in lines.
pub(crate) type Account = Box<dyn Fn(&Value, Lang) -> Vec<String> + Send + Sync>;

/// What an agent asks back.
pub(crate) struct Asked {
    pub(crate) value: Value,
    /// Until when, in milliseconds since 1970.
    pub(crate) deadline_ms: Option<u64>,
}

/// What is to be done.
pub(crate) enum Next<I> {
    Ask(I),
    /// Go on where it stopped.
    Resume,
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
        let thread = app.thread(name.as_str())?;
        Ok(Self::Here(Box::new(app), Box::new(thread)))
    }

    /// Another conversation with the same agent, which knows nothing of this one.
    pub(crate) async fn another(&self) -> Result<Self, Problem> {
        Ok(match self {
            Self::Here(app, _) => {
                let thread = app.thread(talk::fresh_name("ask").as_str())?;
                Self::Here(app.clone(), Box::new(thread))
            }
            Self::There(there) => Self::There(Box::new(there.another().await?)),
        })
    }

    pub(crate) fn thread(&self) -> &ThreadId {
        match self {
            Self::Here(_, thread) => thread.id(),
            Self::There(there) => there.thread(),
        }
    }

    /// Asks or goes on, and has `person` answer what is asked back, to the end.
    pub(crate) async fn run(
        &self,
        next: Next<I>,
        with: &With<'_>,
        output: &Output,
        person: impl AsyncFn(&Asked) -> Result<Option<Value>, Problem>,
    ) -> Result<Arc<S>, Problem> {
        let answer = async |asked: &Asked| {
            let answer = person(asked).await.map_err(|problem| match problem {
                // The question waits, and the person is told how to come back to it.
                Problem::Stopped => Problem::Cancelled { thread: self.thread().clone() },
                other => other,
            })?;
            answer.ok_or_else(|| Problem::NeedsInput { thread: self.thread().clone() })
        };
        let tell = |seen: &Seen| with.tell(seen, output);
        let ended = async {
            match self {
                Self::Here(_, thread) => here(thread, next, tell, output, answer).await,
                Self::There(there) => elsewhere(there, next, tell, answer).await,
            }
        };
        match with.limit {
            None => ended.await,
            Some(limit) => match tokio::time::timeout(limit, ended).await {
                Ok(ended) => ended,
                Err(_elapsed) => {
                    self.cancel().await?;
                    Err(Problem::TimedOut { thread: self.thread().clone() })
                }
            },
        }
    }

    async fn cancel(&self) -> Result<(), Problem> {
        match self {
            Self::Here(_, thread) => {
                thread.cancel();
                Ok(())
            }
            Self::There(there) => there.cancel().await,
        }
    }
}

impl With<'_> {
    /// Tells whoever listens what happens: people in words, programs in lines of JSON.
    fn tell(&self, seen: &Seen, output: &Output) -> Result<(), Problem> {
        match (seen, &self.account) {
            (Seen::Begins(node), None) => {
                output.step(&format!("  ▸ {}", (self.step)(node, output.lang)));
            }
            (Seen::Custom(frame), Some(account)) => {
                for line in account(frame, output.lang) {
                    // What went wrong, and what was not looked up anew, is still to be seen beside the answer.
                    if line.trim_start().starts_with(['!', '✗', '↺']) {
                        output.progress(&line);
                    } else {
                        output.step(&line);
                    }
                }
            }
            (Seen::Words(piece), _) => output.speak(piece),
            _ => {}
        }
        if let Some(decision) = seen.decision(output.lang) {
            output.detail(Telling::Decisions, || decision);
        }
        output.detail(Telling::Everything, || seen.json().to_string());
        let (kind, event) = seen.event();
        output.event(kind, event)
    }
}

async fn here<S: State, I: Serialize>(
    thread: &Thread<S, I>,
    next: Next<I>,
    tell: impl Fn(&Seen) -> Result<(), Problem>,
    output: &Output,
    answer: impl AsyncFn(&Asked) -> Result<Value, Problem>,
) -> Result<Arc<S>, Problem> {
    let needs_input = || Problem::NeedsInput { thread: thread.id().clone() };
    let reply = async |questions: &[Question]| -> Result<Run<Arc<S>>, Problem> {
        let question = questions.first().ok_or_else(needs_input)?;
        let value: Value =
            question.get().context("the question can't be read").map_err(Problem::Unexpected)?;
        let asked = Asked { value, deadline_ms: question.deadline_ms };
        Ok(thread.answer([(question.id, answer(&asked).await?)]))
    };
    let mut run = match next {
        // A question that waits from before gives way to the new one.
        Next::Ask(input) => thread.invoke(input).on_unfinished(duru::Unfinished::Discard),
        Next::Resume => {
            let state = thread.state().await?;
            if state.tasks.is_empty() {
                let end = state.decode::<S>().context("the state").map_err(Problem::Unexpected)?;
                return Ok(Arc::new(end));
            }
            let now = u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default();
            let open: Vec<Question> = state
                .questions()
                .into_iter()
                .filter(|question| question.deadline_ms.is_none_or(|until| until > now))
                .cloned()
                .collect();
            // A question whose time is over answers itself as the thread goes on.
            if open.is_empty() { thread.go_on() } else { reply(&open).await? }
        }
    };
    let tell = |event: &Event| Seen::of(event).map_or(Ok(()), |seen| tell(&seen));
    loop {
        run = match talk::watch(thread, run, tell, output).await? {
            Outcome::Done(end) => return Ok(end),
            Outcome::Paused(questions) => reply(&questions).await?,
            Outcome::Breakpoint(_) | Outcome::Drained => thread.go_on(),
            Outcome::Failed(failure) => return Err(Problem::Run(Box::new(failure))),
            Outcome::Cancelled => return Err(Problem::Cancelled { thread: thread.id().clone() }),
        };
    }
}

async fn elsewhere<S: State, I: Serialize>(
    there: &There,
    next: Next<I>,
    tell: impl Fn(&Seen) -> Result<(), Problem>,
    answer: impl AsyncFn(&Asked) -> Result<Value, Problem>,
) -> Result<Arc<S>, Problem> {
    let mut end = match next {
        Next::Ask(input) => {
            let input = serde_json::to_value(&input).context("the question").map_err(Problem::Unexpected)?;
            there.ask(input, &tell).await?
        }
        Next::Resume => there.stands().await?,
    };
    loop {
        end = match end {
            End::Done(state) => return Ok(Arc::new(state)),
            End::Paused(asked) => there.answer(answer(&asked).await?, &tell).await?,
            End::Unfinished => there.go_on(&tell).await?,
        };
    }
}
