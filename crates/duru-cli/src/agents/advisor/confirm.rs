//! What the advisor asks back, with the time that is left.

use std::io::{BufRead, IsTerminal, Write};
use std::time::Duration;

use anyhow::Context as _;
use duru::Question;
use duru_agents::advisor::progress::Progress;
use serde_json::{Value, json};

use super::words;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean;

/// Whether somebody can be asked.
pub(super) fn somebody_is_there() -> bool {
    std::io::stdin().is_terminal()
}

/// The person's answer; none when the time is up or the input has ended.
pub(super) async fn answer(question: &Question, output: &Output) -> Result<Option<Value>, Problem> {
    let asked: Progress =
        question.get().context("the question can't be read").map_err(Problem::Unexpected)?;
    for line in words::frame(&asked, output.lang) {
        output.complain(&line);
    }
    let Progress::UserConfirmationRequired { options, .. } = asked else {
        return Ok(line().await?.map(|said| drafted(&said)));
    };
    let left = question.deadline_ms.map(|until| {
        let now = u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default();
        Duration::from_millis(until.saturating_sub(now))
    });
    let reading = line();
    tokio::pin!(reading);
    let end = tokio::time::Instant::now() + left.unwrap_or(Duration::from_secs(30));
    loop {
        let seconds = end.saturating_duration_since(tokio::time::Instant::now()).as_secs();
        countdown(seconds);
        tokio::select! {
            said = &mut reading => {
                let said = said?.unwrap_or_default();
                let number = said.parse::<usize>().ok().and_then(|number| options.get(number.checked_sub(1)?));
                let chosen = number.or_else(|| options.iter().find(|option| option.value == said));
                return Ok(Some(json!(chosen.map_or("search_new", |option| option.value.as_str()))));
            }
            () = tokio::time::sleep(Duration::from_secs(1)) => {
                if tokio::time::Instant::now() >= end {
                    return Ok(None);
                }
            }
        }
    }
}

/// An empty line or "확인" confirms a draft; `이름=값` fills fields in and shows it again.
fn drafted(said: &str) -> Value {
    let fields: serde_json::Map<String, Value> = said
        .split(',')
        .filter_map(|part| part.split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), json!(value.trim())))
        .collect();
    if fields.is_empty() {
        json!(if said.is_empty() { "confirm" } else { said })
    } else {
        json!({ "value": "save", "fields": fields })
    }
}

fn countdown(seconds: u64) {
    let mut stderr = std::io::stderr();
    // If it can't be shown, it can still be answered.
    let _ = write!(stderr, "\r{seconds:>3}s > ").and_then(|()| stderr.flush());
}

/// The next line, read in a thread of its own: time goes on while it waits.
async fn line() -> Result<Option<String>, Problem> {
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(clean(line.trim())),
        }
    });
    read.await.context("the terminal can't be read").map_err(Problem::Unexpected)
}
