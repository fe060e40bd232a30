//! What the advisor asks back, with the time that is left.

use std::time::Duration;

use anyhow::Context as _;
use duru_agents::advisor::progress::Progress;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::words;
use crate::agents::Asked;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::terminal::{self, Prompt, Said};
use crate::text::clean;

/// A moment before the server would answer for the person, so that the two do not meet.
const EARLY: Duration = Duration::from_millis(500);

/// The person's answer; none when the input has ended.
pub(super) async fn answer(asked: &Asked, output: &Output) -> Result<Option<Value>, Problem> {
    let question = Progress::deserialize(&asked.value)
        .context("the question can't be read")
        .map_err(Problem::Unexpected)?;
    for line in words::frame(&question, output.lang) {
        output.complain(&line);
    }
    let Progress::UserConfirmationRequired { options, .. } = question else {
        return Ok(None);
    };
    let until = asked.deadline_ms.map(|until| {
        let now = u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default();
        Instant::now() + Duration::from_millis(until.saturating_sub(now)).saturating_sub(EARLY)
    });
    // Without an answer in time, or with another one, there is a new search.
    let said = said(until, output.lang).await?.unwrap_or_default();
    let number = said.parse::<usize>().ok().and_then(|number| options.get(number.checked_sub(1)?));
    let chosen = number.or_else(|| options.iter().find(|option| option.value == said));
    Ok(Some(json!(chosen.map_or("search_new", |option| option.value.as_str()))))
}

async fn said(until: Option<Instant>, lang: Lang) -> Result<Option<String>, Problem> {
    let text = move |left: Option<u64>| match left {
        Some(seconds) => lang.pick(format!("{seconds:>2}초 > "), format!("{seconds:>2} s > ")),
        None => "> ".to_owned(),
    };
    match terminal::read(Prompt { text: &text, history: None, until }).await? {
        Said::Line(line) => Ok(Some(clean(&line))),
        Said::Stop => Err(Problem::Stopped),
        Said::End | Said::TimeIsUp => Ok(None),
    }
}
