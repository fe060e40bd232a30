//! What conversations with all agents have in common.

use std::sync::Arc;

use duru::{Event, Mode, Outcome, Run, State, Thread, ThreadId};
use serde::Serialize;

use super::Conversation;
use super::commands::{self, ChatLine};
use crate::args::Agent;
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
    let mut stream = run.stream([Mode::Tasks, Mode::Custom, Mode::Messages]).await?;
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

/// A new conversation in place of one that can be gone on with later.
pub(crate) async fn reset<S: State, I: Serialize + Send + Sync + 'static>(
    before: &Conversation<S, I>,
    output: &Output,
) -> Result<Conversation<S, I>, Problem> {
    let another = before.another().await?;
    let name = before.thread();
    output.progress(&output.lang.pick(
        format!("새 대화를 시작합니다. 앞의 대화는 {name}(으)로 남아 있습니다."),
        format!("This is a new conversation. The one before is kept as {name}."),
    ));
    Ok(another)
}

/// A conversation, line by line. What commands there are is told here; what they do is the agent's.
pub(crate) async fn chat_with(
    agent: Agent,
    output: &Output,
    mut answer: impl AsyncFnMut(ChatLine) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let has_sql = agent == Agent::Analyst;
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
        let answered = match ChatLine::read(question, has_sql) {
            ChatLine::Help => output.text(&commands::help(output.lang, has_sql)),
            ChatLine::Unknown(word) => {
                output.complain(&commands::unknown(&word, output.lang));
                Ok(())
            }
            line => answer(line).await,
        };
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
