//! What conversations with all agents have in common.

use std::sync::Arc;

use duru::{Event, Mode, Outcome, Run, State, Thread, ThreadId};

use crate::output::Output;
use crate::problem::Problem;
use crate::terminal::{self, History, Prompt, Said};

/// `ask-1f2e3d4c`
pub(crate) fn fresh_name(prefix: &str) -> String {
    format!("{prefix}-{}", &ThreadId::random().as_str()[..8])
}

/// Shows a run as it goes. Ctrl-C stops it, and a second time ends at once; what is done stays done.
pub(crate) async fn watch<S: State, I>(
    thread: &Thread<S, I>,
    run: Run<Arc<S>>,
    tell: impl Fn(&Event) -> Result<(), Problem>,
    output: &Output,
) -> Result<Outcome<Arc<S>>, Problem> {
    let mut stream = run.stream([Mode::Tasks, Mode::Custom]).await?;
    let mut stopping = false;
    // One that listens all the while: what is pressed as a line is printed counts, too.
    let mut interrupt = std::pin::pin!(tokio::signal::ctrl_c());
    loop {
        tokio::select! {
            event = stream.next() => match event? {
                Some(event) => tell(&event)?,
                None => return Ok(stream.outcome().await?),
            },
            _ = &mut interrupt => {
                interrupt.set(tokio::signal::ctrl_c());
                if stopping {
                    return Err(Problem::Cancelled { thread: thread.id().clone() });
                }
                stopping = true;
                thread.cancel();
                output.progress(output.lang.stopping());
            }
        }
    }
}

/// A conversation, line by line.
pub(crate) async fn chat_with(
    output: &Output,
    mut answer: impl AsyncFnMut(String) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut open = None;
    let mut history = History::of_person();
    loop {
        let prompt = Prompt { text: &|_| "> ".to_owned(), history: Some(&mut history), until: None };
        if terminal::somebody_is_there() {
            output.progress("");
        }
        let Said::Line(question) = terminal::read(prompt).await? else { break };
        if question.is_empty() {
            break;
        }
        let answered = answer(question).await;
        open = None;
        match answered {
            // Nobody is there to choose, but the next line may say it.
            Err(problem @ Problem::NeedsInput { .. }) => open = Some(problem),
            // The next question may go better, and a run that was stopped is not the end of the conversation.
            Err(
                problem @ (Problem::NoAnswer { .. }
                | Problem::Run(_)
                | Problem::Cancelled { .. }
                | Problem::TimedOut { .. }),
            ) if terminal::somebody_is_there() || !matches!(problem, Problem::Cancelled { .. }) => {
                problem.report(output);
            }
            other => other?,
        }
    }
    open.map_or(Ok(()), Err)
}
