//! What conversations with all agents have in common.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;

use anyhow::Context as _;
use duru::{Event, Mode, Outcome, Run, State, Thread, ThreadId};

use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;

/// `ask-1f2e3d4c`
pub(crate) fn fresh_name(prefix: &str) -> String {
    format!("{prefix}-{}", &ThreadId::random().as_str()[..8])
}

/// Shows a run as it goes: which step begins. Ctrl-C stops it.
pub(crate) async fn watch<S: State, I>(
    thread: &Thread<S, I>,
    run: Run<Arc<S>>,
    step: fn(&str, Lang) -> String,
    output: &Output,
) -> Result<Outcome<Arc<S>>, Problem> {
    let mut stream = run.stream([Mode::Tasks]).await?;
    loop {
        tokio::select! {
            event = stream.next() => match event? {
                Some(event) => progress(&event, step, output),
                None => return Ok(stream.outcome().await?),
            },
            _ = tokio::signal::ctrl_c() => {
                thread.cancel();
                output.progress(output.lang.stopping());
            }
        }
    }
}

fn progress(event: &Event, step: fn(&str, Lang) -> String, output: &Output) {
    let node = event.data["node"].as_str().unwrap_or_default();
    if event.data["type"] == "start" && !node.starts_with("__") {
        output.progress(&format!("  ▸ {}", step(node, output.lang)));
    }
}

/// A conversation, line by line.
pub(crate) async fn chat_with(
    output: &Output,
    mut answer: impl AsyncFnMut(String) -> Result<(), Problem>,
) -> Result<(), Problem> {
    while let Some(question) = read_line().await? {
        match answer(question).await {
            // The next question may go better.
            Err(problem @ (Problem::NoAnswer { .. } | Problem::Run(_))) => {
                problem.report(output);
            }
            other => other?,
        }
    }
    Ok(())
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
