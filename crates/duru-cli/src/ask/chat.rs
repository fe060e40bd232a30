//! A conversation with the analyst, line by line.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::Context as _;
use duru::ThreadId;
use duru_agents::analyst::Inquiry;

use super::{answer, one, words};
use crate::args::{Args, AskArgs};
use crate::output::Output;
use crate::problem::Problem;

/// `duru chat`
pub(crate) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let analyst = one::open(asked, args, output).await?;
    let name = asked.thread.clone().unwrap_or_else(|| format!("chat-{}", &ThreadId::random().as_str()[..8]));
    let thread = analyst.thread(name.as_str())?;
    output.progress(words::greeting(output.lang));
    let mut open = None;
    while let Some(question) = read_line().await? {
        let question = Inquiry { question: Some(question), ..one::base(asked)? };
        let answered = match one::run(&thread, question, asked, output).await {
            Ok(end) => answer::print(&end, asked.show, thread.id(), output),
            Err(problem) => Err(problem),
        };
        open = None;
        match answered {
            // Nobody is there to choose, but the next line may say it.
            Err(problem @ Problem::NeedsInput { .. }) => open = Some(problem),
            // The next question may go better.
            Err(problem @ (Problem::NoAnswer { .. } | Problem::Run(_))) => {
                problem.report(output);
            }
            other => other?,
        }
    }
    output.progress(&output.lang.go_on_with(&output.command(&format!("chat --thread {name}"))));
    open.map_or(Ok(()), Err)
}

/// The next question; none at the end.
async fn read_line() -> Result<Option<String>, Problem> {
    let line = tokio::task::spawn_blocking(|| {
        if std::io::stdin().is_terminal() {
            let mut stderr = std::io::stderr();
            let _ = write!(stderr, "\n> ").and_then(|()| stderr.flush());
        }
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim().to_owned()).filter(|line| !line.is_empty()),
        }
    });
    line.await.context("the terminal can't be read").map_err(Problem::Unexpected)
}
