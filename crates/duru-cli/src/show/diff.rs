//! `duru threads diff ID [A [B]]`

use duru::{HistoryQuery, ThreadLog, ThreadState};
use serde_json::{Map, Value, json};

use super::changes::{Change, changes, planned};
use super::checkpoint::state_at;
use super::picture::{next_text, short};
use super::{Found, find};
use crate::args::Args;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean;

/// Compares two checkpoints that a person named; by default the last two.
pub(crate) async fn diff(
    id: &str,
    given: [Option<&str>; 2],
    args: &Args,
    output: &Output,
) -> Result<(), Problem> {
    let Found { log, .. } = find(id, args).await?;
    let (before, after) = two(&log, given).await?;
    let nothing = Map::new();
    let values = before.as_ref().map_or(&nothing, |state| &state.values);
    let changes = changes(values, &after.values);
    output.text(&text(output.lang, before.as_ref(), &after, &changes))?;
    let place = |state: &ThreadState| {
        json!({ "checkpoint": state.checkpoint, "step": state.step, "source": state.source,
                "at_ms": state.at_ms, "next": planned(state) })
    };
    output.json(json!({
        "thread": log.id(), "from": before.as_ref().map(place), "to": place(&after), "changes": changes,
    }))
}

/// The earlier one is none where the thread begins.
async fn two(
    log: &ThreadLog,
    given: [Option<&str>; 2],
) -> Result<(Option<ThreadState>, ThreadState), Problem> {
    match given {
        [Some(before), Some(after)] => Ok((Some(state_at(log, before).await?), state_at(log, after).await?)),
        [Some(before), None] => Ok((Some(state_at(log, before).await?), log.state().await?)),
        [None, _] => {
            let last = log.history(HistoryQuery::new().limit(2)).await?;
            let mut last = last.into_iter();
            match last.next() {
                Some(after) => Ok((last.next(), after)),
                None => Ok((None, log.state().await?)),
            }
        }
    }
}

fn text(lang: Lang, before: Option<&ThreadState>, after: &ThreadState, changes: &[Change<'_>]) -> String {
    let mut text = format!(
        "{} → {}\n",
        before.map_or_else(|| lang.beginning().to_owned(), |state| place(lang, state)),
        place(lang, after)
    );
    for change in changes {
        let value = |value: &Value| short(&clean(&value.to_string()));
        let lines = match change {
            Change::Added { channel, after } => vec![format!("+ {} = {}", clean(channel), value(after))],
            Change::Removed { channel, before } => vec![format!("- {} = {}", clean(channel), value(before))],
            Change::Changed { channel, before, after } => vec![
                format!("~ {}", clean(channel)),
                format!("    - {}", value(before)),
                format!("    + {}", value(after)),
            ],
            Change::Appended { channel, from, items } => {
                let item = |(n, item): (usize, &Value)| {
                    format!("+ {}[{}] = {}", clean(channel), from + n, value(item))
                };
                items.iter().enumerate().map(item).collect()
            }
        };
        for line in lines {
            text.push_str(&format!("  {line}\n"));
        }
    }
    if changes.is_empty() {
        text.push_str(&format!("  {}\n", lang.nothing_changed()));
    }
    let old = before.map_or_else(|| "—".to_owned(), next_text);
    text.push_str(&format!("  {}: {old} → {}\n", lang.next(), next_text(after)));
    text
}

fn place(lang: Lang, state: &ThreadState) -> String {
    let id = state.checkpoint.map(|id| id.to_string()).unwrap_or_default();
    let step = state.step.map(|step| step.to_string()).unwrap_or_default();
    format!("{id} ({})", lang.step(&step))
}
